"""What Label Studio asks and is answered, as far as it matters: it sends more, some of it secret, which is not read."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from disconer.serve.messages import Several

_INTERFACE = """\
<View>
  <Relations><Relation value="fragment"/></Relations>
  <Labels name="label" toName="text"><Label value="ADR"/></Labels>
  <Text name="text" value="$text"/>
</View>"""
_COMMON = {"from_name": "label", "to_name": "text", "type": "labels", "score": 0.97}
_EXAMPLE_RESULT: list[Any] = [
    {"id": "disconer-1", **_COMMON, "value": {"start": 0, "end": 6, "text": "Severe", "labels": ["ADR"]}},
    {"id": "disconer-2", **_COMMON, "value": {"start": 17, "end": 30, "text": "shoulder pain", "labels": ["ADR"]}},
    {"from_id": "disconer-1", "to_id": "disconer-2", "type": "relation", "direction": "right", "labels": ["fragment"]},
]


class _Asked(BaseModel):
    """A part of a request; whatever else is in it is nobody's business here."""

    model_config = ConfigDict(strict=True, extra="ignore")


class Health(BaseModel):
    """How the model is."""

    status: Literal["UP"]


class Versions(BaseModel):
    """The versions of a model that there are."""

    versions: list[str]


class SetupRequest(_Asked):
    """A project that the model shall work for."""

    model_config = ConfigDict(json_schema_extra={"example": {"schema": _INTERFACE}})

    interface: str = Field(alias="schema", description="The project's labelling interface, as XML.")


class SetupResponse(BaseModel):
    """The model that is ready for a project."""

    model_version: str


class Task(_Asked):
    """Something to be annotated."""

    data: dict[str, Any] = Field(description="What it consists of, its texts among it.")


class Marked(_Asked):
    """What an annotator has marked in a task."""

    result: Several[dict[str, Any]] = Field([], description="Regions, the newest last.")


class Parameters(_Asked):
    """How predictions are wanted."""

    context: Marked | None = Field(None, description="What an annotator has marked, with whom the model works.")


class PredictRequest(_Asked):
    """Tasks for which predictions are wanted."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"tasks": [{"data": {"text": "Severe joint and shoulder pain."}}], "label_config": _INTERFACE}
        }
    )

    tasks: Several[Task]
    label_config: str = Field(description="The project's labelling interface, as XML.")
    params: Parameters | None = None

    @property
    def marked(self) -> list[dict[str, Any]] | None:
        """What an annotator has marked; None where nobody waits for suggestions."""
        return self.params.context.result if self.params and self.params.context else None


class TaskPrediction(BaseModel):
    """What was found in a task."""

    result: list[dict[str, Any]] = Field(description="Regions, and the relations that join them.")
    score: float | None = Field(ge=0, le=1, description="The mean of the mentions' scores, if there are any.")
    model_version: str


class LeftOut(BaseModel):
    """What could not be answered."""

    tasks: int = Field(description="Tasks that have no text where the interface says so.")
    mentions: int = Field(description="Mentions whose label the interface does not have.")
    labels: list[str] = Field(description="Their labels.")


class PredictResponse(BaseModel):
    """A prediction for each task, in order."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "results": [{"result": _EXAMPLE_RESULT, "score": 0.97, "model_version": "run-1f0c2a9d"}],
                "model_version": "run-1f0c2a9d",
                "left_out": {"tasks": 0, "mentions": 0, "labels": []},
            }
        }
    )

    results: list[TaskPrediction]
    model_version: str
    left_out: LeftOut


class Event(_Asked):
    """Something that happened in a project."""

    action: str | None = Field(None, examples=["ANNOTATION_CREATED"], description="What it was.")


class Ignored(BaseModel):
    """Nothing was done."""

    status: Literal["ignored"]
