"""What is wrong in a request, without a word of what it holds."""

from collections.abc import Sequence

from fastapi.exceptions import RequestValidationError

from disconer.serve import messages
from disconer.serve.tools import label_studio_messages

_MOST = 20
"""Errors that are told; more are of no use."""
_MESSAGES = (
    messages.ExtractRequest, messages.ConvertRequest, messages.AnnotatedRecord, messages.Entity,
    label_studio_messages.SetupRequest, label_studio_messages.PredictRequest, label_studio_messages.Task,
    label_studio_messages.Parameters, label_studio_messages.Marked, label_studio_messages.Event,
)  # fmt: skip
_FIELDS = {about.alias or name for message in _MESSAGES for name, about in message.model_fields.items()}


def described(error: RequestValidationError) -> list[dict[str, str]]:
    """Say where each error is and what should be there; what could be one of several things is told once.

    Keys that we do not know are not repeated: they may be text that somebody put into the wrong place.
    """
    told: dict[str, list[str]] = {}
    for one in error.errors():
        told.setdefault(_where(one["loc"]), []).append(_what(one["type"], one["msg"]))
    return [{"where": where, "what": ", or ".join(dict.fromkeys(what))} for where, what in list(told.items())[:_MOST]]


def _where(place: Sequence[str | int]) -> str:
    """Give the way to a value, of names and numbers; which kind of value it was taken for is left out."""
    parts = [str(part) for part in place if isinstance(part, int) or part in _FIELDS]
    return ".".join(parts) or "the body"


def _what(kind: str, message: str) -> str:
    return "there is a key that is not known" if kind == "extra_forbidden" else message
