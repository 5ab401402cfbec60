"""What programs read of a model card: YAML in front of its text, as the Hugging Face hub understands it.

Whose the model is and under which licence it may be used is the user's to say: that is left out.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from disconer.drawing.characters import printable
from disconer.encoders.names import hub_name
from disconer.models.hub import is_hub_name
from disconer.scoring import SCOPES
from disconer.training.config import Config
from disconer.training.metrics import Epoch

_TASK = "token-classification"
_TAGS = (_TASK, "named-entity-recognition", "discontinuous-ner")
_MEASURES = {"precision": "precision", "recall": "recall", "f1": "F1"}


def metadata(config: Config, epoch: Epoch) -> Iterator[str]:
    """Give the lines that say what is known of a model, and its scores on dev."""
    yield "---"
    yield "library_name: disconer"
    yield f"pipeline_tag: {_TASK}"
    yield f"tags: {_quoted(_TAGS)}"
    base = _base_model(config)
    if base is not None:
        yield f"base_model: {_quoted(base)}"
    yield from _model_index(config, epoch)
    yield "---"


def _base_model(config: Config) -> str | None:
    """Give the name on the hub of what the training began with, if it came from there."""
    if is_hub_name(config.init.model):
        return config.init.model.partition("@")[0]
    return hub_name(config.encoder.name)


def _model_index(config: Config, epoch: Epoch) -> Iterator[str]:
    """Give the scores; each scope is a subset of the data, as the hub sees it."""
    data = Path(config.data.dev).name  # where it lies on somebody's machine is nobody's business
    yield "model-index:"
    yield f"- name: {_quoted(f'disconer-{config.model}')}"
    yield "  results:"
    for scope, title in SCOPES.items():
        yield f"  - task: {_quoted({'type': _TASK, 'name': 'named entity recognition'})}"
        yield f"    dataset: {_quoted({'type': data, 'name': data, 'config': scope, 'split': 'dev'})}"
        yield "    metrics:"
        for measure, name in _MEASURES.items():
            value = round(epoch.dev[scope][measure], 4)
            yield f"    - {_quoted({'type': measure, 'value': value, 'name': f'{name}, {title}', 'verified': False})}"


def _quoted(value: Any) -> str:
    """Write a value as JSON, which is YAML as well where no character needs an escape: there the two differ."""
    return json.dumps(_printable(value), ensure_ascii=False)


def _printable(value: Any) -> Any:
    """Write out in names what cannot be seen."""
    if isinstance(value, dict):
        return {key: _printable(one) for key, one in value.items()}
    return printable(value) if isinstance(value, str) else value
