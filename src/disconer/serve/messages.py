"""What is asked and answered over HTTP, as the OpenAPI document describes it."""

from enum import StrEnum
from importlib.metadata import version
from typing import Annotated, Any, Literal, TypeVar

from fastapi import Path
from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag

from disconer.document import Document
from disconer.formats import jsonl
from disconer.models.registry import ModelName
from disconer.tokenize import Split

_CODES: list[Any] = (
    "bad-json bad-text body-timeout body-too-large busy failed invalid method-not-allowed not-found not-json not-text "
    "stopping text-too-long too-many-texts unauthorized unknown-host unknown-model"
).split()
_LARGEST_OFFSET = 2**53
EXAMPLE_TEXT = "Severe joint and shoulder pain."
_EXAMPLE_ENTITY: dict[str, Any] = {
    "label": "ADR",
    "spans": [[0, 6], [17, 30]],
    "score": 0.97,
    "text": "Severe shoulder pain",
}


def _as_integer(value: object) -> object:
    """Take a number like 3.0 for the integer that it is to JSON."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Whole = Annotated[int, BeforeValidator(_as_integer)]
Offset = Annotated[Whole, Field(ge=0, le=_LARGEST_OFFSET, description="Code points from the beginning of the text.")]
Pair = Annotated[
    list[Offset], Field(min_length=2, max_length=2, description="Where it begins, and where it has ended.")
]

ModelPath = Annotated[str, Path(description="The name of a model.")]

_Item = TypeVar("_Item")
# Of a list that is wrong, the first thing that is: to tell all takes seconds and gigabytes where there are many.
Several = Annotated[list[_Item], Field(fail_fast=True)]


class _Message(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _Open(BaseModel):
    """Something whose unknown keys come back as they are, as in JSONL."""

    model_config = ConfigDict(strict=True, extra="allow")


class Entity(_Open):
    """A mention, in one fragment or in several."""

    label: str = Field(min_length=1)
    spans: Several[Pair] = Field(min_length=1, description="Its fragments, in the order of the text.")
    score: float | None = Field(None, ge=0, le=1)


class FoundEntity(BaseModel):
    """A mention that a model found."""

    model_config = ConfigDict(json_schema_extra={"example": _EXAMPLE_ENTITY})

    label: str
    spans: list[Pair] = Field(description="Its fragments, in the order of the text; more than one where it has gaps.")
    score: float = Field(ge=0, le=1)
    text: str = Field(description="The text of the fragments, joined by one blank.")


class Record(_Open):
    """A line of JSONL: a text, and what is known of it. Keys that are not listed here come back as they are."""

    text: str = Field(examples=[EXAMPLE_TEXT])
    id: str | Whole | None = None
    sentences: Several[Pair] | None = Field(
        None, description="Where the sentences are; without them a text with a line break is split, one without is not."
    )
    words: Several[Pair] | None = Field(None, description="Where the words are; found if not given.")

    def to_document(self) -> Document:
        """Leave out the mentions that the line may have."""
        return jsonl.read_document({**self.model_dump(exclude_unset=True), "entities": None}, Split.AUTO)


# What tells the kinds apart, so that errors are told of the one that was meant.
def _kind(value: object) -> str | None:
    match value:
        case str():
            return "a text"
        case dict() | Record():
            return "a record"
        case list():
            return "a list"
    return None


def _one_of(what: str) -> Discriminator:
    return Discriminator(_kind, custom_error_type="kind", custom_error_message=f"Input should be {what}")


_Text = Annotated[Annotated[str, Tag("a text")] | Annotated[Record, Tag("a record")], _one_of("a string or an object")]


class AnnotatedRecord(Record):
    """A line of JSONL with its mentions."""

    entities: Several[Entity] = Field(default_factory=list)

    def to_document(self) -> Document:
        return jsonl.read_document(self.model_dump(exclude_unset=True), Split.AUTO)


class ExtractRequest(_Message):
    """Texts whose mentions are wanted."""

    model_config = ConfigDict(json_schema_extra={"example": {"texts": EXAMPLE_TEXT}})

    texts: Annotated[
        Annotated[str, Tag("a text")] | Annotated[Several[_Text], Tag("a list")], _one_of("a string or a list")
    ] = Field(description="One text, or several, or records that have one each. A plain text is split into sentences.")
    model: str | None = Field(None, description="Which model to ask, by its name; the first one by default.")
    threshold: float | None = Field(
        None, gt=0, le=1, description="Lowest score of a mention, instead of the thresholds that were chosen on dev."
    )
    context: Whole = Field(
        1, ge=1, le=100, description="So many sentences are read together, and mentions may cross from one to the next."
    )
    draw: bool = Field(False, description="Whether the mentions are also wanted as a drawing.")

    @property
    def records(self) -> list[str | Record]:
        """All texts, as they came."""
        return [self.texts] if isinstance(self.texts, str) else self.texts


class ExtractedRecord(BaseModel):
    """A text with the mentions that were found: a line of JSONL as `disconer predict` writes it, and some more."""

    model_config = ConfigDict(extra="allow")

    id: str | int | None = Field(None, description="As it came, if it did.")
    text: str
    entities: list[FoundEntity]
    sentences: list[Pair] | None = Field(
        None, description="Where the sentences are that were read, if they came or a reader of JSONL would find others."
    )
    words: list[Pair] | None = Field(None, description="Where the words are, if they came.")


class ExtractResponse(BaseModel):
    """The mentions of all texts, in the order of the question."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"model": "run", "documents": [{"text": EXAMPLE_TEXT, "entities": [_EXAMPLE_ENTITY]}]}
        }
    )

    model: str
    documents: list[ExtractedRecord]
    drawings: list[str] | None = Field(
        None,
        description="With `draw`: for each document a `figure` that looks right with the style sheet "
        "`/assets/drawing.css`.",
    )


class Target(StrEnum):
    """What documents can be downloaded as."""

    JSONL = "jsonl"
    BRAT = "brat"


class ConvertRequest(_Message):
    """Documents that are wanted as a file."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "documents": [{"text": EXAMPLE_TEXT, "entities": [{"label": "ADR", "spans": [[0, 6], [17, 30]]}]}],
                "to": "brat",
            }
        }
    )

    documents: Several[AnnotatedRecord]
    to: Annotated[Target, Field(strict=False)] = Field(description="The format of the file.")


class ModelInformation(BaseModel):
    """A model that can be asked."""

    name: str
    labels: list[str] = Field(description="What it finds.")
    kind: ModelName = Field(description="Which system it is: mac, or one that Mac is compared with.")
    runtime: Literal["torch", "onnx"] = Field(description="What runs it.")
    examples: list[str] = Field([], description="Texts to try it on; a ready model brings some, others none.")
    invented: bool = Field(False, description="Whether a program wrote all that it learned from, as `sample` does.")


class LimitsInformation(BaseModel):
    """What the server takes."""

    body_bytes: int = Field(description="Of a request.")
    text_characters: int = Field(description="Of one text, in code points.")
    words: int = Field(description="Of one text.")
    texts: int = Field(description="Of one request.")


class ModelsResponse(BaseModel):
    """The models, the default one first."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "models": [
                    {
                        "name": "run",
                        "labels": ["ADR", "Drug"],
                        "kind": "mac",
                        "runtime": "torch",
                        "examples": [],
                        "invented": False,
                    }
                ],
                "limits": {"body_bytes": 1_048_576, "text_characters": 100_000, "words": 20_000, "texts": 256},
                "version": version("disconer"),
            }
        }
    )

    models: list[ModelInformation]
    limits: LimitsInformation
    version: str = Field(description="Of disconer.")


class State(BaseModel):
    """How the server is."""

    status: Literal["ok", "ready", "not ready"]


class FieldError(BaseModel):
    """A value that is not what it should be."""

    where: str = Field(description="The way to it, say `texts.3.text`.")
    what: str


class ProblemDetails(BaseModel):
    """Why there is no answer (RFC 9457)."""

    type: str
    title: str
    status: int
    code: str = Field(
        description="For programs: these codes stay as they are.", json_schema_extra={"enum": sorted(_CODES)}
    )
    detail: str = Field(description="For people.")
    request_id: str
    errors: list[FieldError] | None = Field(
        None, description="With the code `invalid`: values that are wrong, if known."
    )


def to_record(document: Document) -> dict[str, Any]:
    """Write a document as an `ExtractedRecord`: a record of JSONL with the text of every mention."""
    record = jsonl.to_record(document)
    for entity, mention in zip(record["entities"], document, strict=True):
        entity["text"] = mention.text
    return record
