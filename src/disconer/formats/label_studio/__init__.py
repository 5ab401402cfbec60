"""Label Studio's JSON, as it exports and imports it: an array of tasks with annotations and predictions.

    [{"data": {"text": "Severe joint and shoulder pain."}, "annotations": [{"result": [
        {"id": "a", "from_name": "label", "to_name": "text", "type": "labels",
         "value": {"start": 0, "end": 6, "text": "Severe", "labels": ["ADR"]}},
        {"id": "b", "from_name": "label", "to_name": "text", "type": "labels",
         "value": {"start": 17, "end": 30, "text": "shoulder pain", "labels": ["ADR"]}},
        {"from_id": "a", "to_id": "b", "type": "relation", "direction": "right", "labels": ["fragment"]}]}]}]

This labelling interface fits what is written:

    <View>
      <Relations><Relation value="fragment"/></Relations>
      <Labels name="label" toName="text"><Label value="ADR"/></Labels>
      <Text name="text" value="$text"/>
    </View>

Of several annotations the first that was not cancelled is read, and the first prediction where there is none. All else
is kept under the extra key `label-studio` of documents and mentions and written back. Mentions that all have scores and
did not come from a task are written as a prediction, all others as an annotation, their scores with their regions.
Offsets are code points; files that count UTF-16 code units, or line breaks of two characters as one, are told by the
texts of their regions.

The id of a document is `data.id`, which Label Studio keeps, and the task's own `id` without one. The unknown keys of a
document stand in `data`, those of a mention in the `meta` of its first region, words that are given and sentences that
a reader would not find in the `meta` of the task. The offsets are the truth: a text of a region that differs from what
they point at is the mention's extra key `text`, and written back.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from disconer.document import Document, Mention
from disconer.exceptions import FormatError, locate_errors
from disconer.formats import jsonl
from disconer.formats.json_keys import add_unknown, drop_keys, list_at
from disconer.formats.json_records import read_records, write_array
from disconer.formats.label_studio.regions import KEPT, read_mentions, to_results
from disconer.formats.losses import Losses
from disconer.tokenize import Layout, Split

_MODEL = "disconer"
_NEW = {"annotations": {"result": []}, "predictions": {"model_version": _MODEL, "result": []}}
"""Who annotated what disconer writes, before anything is in it."""
_LISTS = ("annotations", "completions", "predictions")
"""Where mentions are, the most trustworthy first; annotations were once called completions."""
_TEXT = "text"
_TEXT_KEY = "text_key"
_DATA = "data"
_APART = jsonl.DOCUMENT_KEYS | {KEPT}
"""Keys of the data that no extra may be called; they are kept as what else is said of the data."""


class _Place(NamedTuple):
    """Where the mentions of a task are."""

    name: str
    number: int


def read(path: Path, split: Split) -> Iterator[Document]:
    """Read tasks one by one."""
    for line, record in read_records(path):
        with locate_errors(path, line):
            yield _read_document(record if "data" in record else _expand_short_task(record), split)


def write(documents: Iterable[Document], path: Path, losses: Losses) -> None:
    """Write documents as tasks."""
    with write_array(path) as write_record:
        for number, document in enumerate(documents, start=1):
            with locate_errors(document.name(number)):
                write_record(_to_task(document, losses))


def _expand_short_task(record: dict[str, Any]) -> dict[str, Any]:
    """Make a task of what JSON_MIN exports: its data, and lists of regions under the names of the tags."""
    names = [name for name, value in record.items() if _are_short_regions(value)]
    regions = [{"type": "labels", "from_name": name, "value": value} for name in names for value in record[name]]
    return {"data": drop_keys(record, names)} | ({"annotations": [{"result": regions}]} if regions else {})


def _are_short_regions(value: Any) -> bool:
    keys = {"start", "end", "labels"}
    return (
        isinstance(value, list) and value != [] and all(isinstance(one, dict) and keys <= one.keys() for one in value)
    )


def _read_document(task: dict[str, Any], split: Split) -> Document:
    data = task["data"]
    if not isinstance(data, dict):
        raise FormatError("the key 'data' must hold an object")
    place = _find_place(task)
    results = list_at(task[place.name][place.number], "result") if place else []
    key = _find_text_key(data, results)
    layout = Layout(data[key], *_read_given(task), split)
    mentions, others = read_mentions(results, layout)
    has_id = _is_id(data.get("id"))
    found = drop_keys(data, (key, "id") if has_id else (key,))
    extras = drop_keys(found, _APART)
    of_data = drop_keys(found, extras) | ({} if key == _TEXT else {_TEXT_KEY: key})
    kept = _collect_kept(task, place, mentions, others) | ({_DATA: of_data} if of_data else {})
    identifier = data["id"] if has_id else task.get("id")
    return Document(layout, mentions, identifier, {**extras, KEPT: kept} if kept else extras)


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _find_place(task: Mapping[str, Any]) -> _Place | None:
    found = ((_Place(name, number), one) for name in _LISTS for number, one in enumerate(list_at(task, name)))
    return next((place for place, one in found if _is_valid(one)), None)


def _is_valid(completion: Any) -> bool:
    """Tell an annotation or prediction from one that was cancelled or of which there is only the number."""
    return isinstance(completion, dict) and not completion.get("was_cancelled")


def _find_text_key(data: Mapping[str, Any], results: Sequence[Any]) -> str:
    """Tell which of a task's data is the text; the labelling interface, which says so, is not in the file."""
    texts = [key for key, value in data.items() if isinstance(value, str) and key != "id"]
    regions = [result for result in results if isinstance(result, dict) and result.get("type") == "labels"]
    if any(region.get("to_name") != regions[0].get("to_name") for region in regions):
        raise FormatError("this task has regions of several texts: export them apart")
    named = regions[0].get("to_name") if regions else None
    if _TEXT in texts or len(texts) == 1:
        return _TEXT if _TEXT in texts else texts[0]
    if named in texts:
        return str(named)
    raise FormatError("cannot tell which key of 'data' holds the text: call it 'text'")


def _read_given(task: Mapping[str, Any]) -> tuple[Any, Any]:
    """Read the words and sentences that disconer wrote down."""
    given = task["meta"][_MODEL] if _has_given(task) else {}
    words, sentences = (list_at(given, key) if key in given else None for key in ("words", "sentences"))
    return words, sentences


def _has_given(task: Mapping[str, Any]) -> bool:
    meta = task.get("meta")
    given = meta.get(_MODEL) if isinstance(meta, dict) else None
    return isinstance(given, dict) and given.keys() <= {"words", "sentences"} and given != {}


def _collect_kept(
    task: Mapping[str, Any], place: _Place | None, mentions: Sequence[Mention], others: list[Any]
) -> dict[str, Any]:
    """Collect what a task says beside its data and mentions, without what would be written anyway."""
    kept = drop_keys(task, ("data",))
    if _has_given(task):
        kept["meta"] = drop_keys(task["meta"], (_MODEL,))
        if not kept["meta"]:
            del kept["meta"]
    if place:
        _replace_results(kept, place, others)
        name = "predictions" if all(mention.score is not None for mention in mentions) else "annotations"
        if mentions and place.name == name and kept[name] == [_NEW[name]]:
            del kept[name]
    return kept


def _replace_results(task: dict[str, Any], place: _Place, results: list[Any]) -> None:
    completions = list(task[place.name])
    completions[place.number] = {**completions[place.number], "result": results}
    task[place.name] = completions


def _to_task(document: Document, losses: Losses) -> dict[str, Any]:
    task = _restore_task(document, losses)
    data = _to_data(document, task, losses)
    _put_mentions(document.mentions, task, losses)
    _put_given(document.layout, task, losses)
    return {_DATA: data, **drop_keys(task, (_DATA,))}


def _restore_task(document: Document, losses: Losses) -> dict[str, Any]:
    kept = document.extras.get(KEPT, {})
    if isinstance(kept, dict) and _is_about_data(kept.get(_DATA, {})):
        return dict(kept)
    losses.note_keys((KEPT,))
    return {}


def _is_about_data(value: Any) -> bool:
    if not isinstance(value, dict) or not value.keys() <= _APART | {_TEXT_KEY}:
        return False
    key = value.get(_TEXT_KEY, _TEXT)
    return isinstance(key, str) and key != "id"


def _to_data(document: Document, task: Mapping[str, Any], losses: Losses) -> dict[str, Any]:
    kept = task.get(_DATA, {})
    key = kept.get(_TEXT_KEY, _TEXT)
    data: dict[str, Any] = {key: document.text}
    if document.id is not None and task.get("id") != document.id:
        data["id"] = document.id
    data = add_unknown(data, drop_keys(kept, (_TEXT_KEY,)), frozenset(), losses)
    return add_unknown(data, drop_keys(document.extras, (KEPT,)), frozenset(("id",)), losses)


def _put_given(layout: Layout, task: dict[str, Any], losses: Losses) -> None:
    given = {"words": layout.given_words, "sentences": layout.sentences_unknown_to(Split.ALWAYS)}
    given = {key: spans for key, spans in given.items() if spans is not None}
    if given:
        meta = task.get("meta", {})
        is_free = isinstance(meta, dict) and _MODEL not in meta
        losses.note("values of the tasks' key 'meta'", not is_free)
        task["meta"] = {**(meta if isinstance(meta, dict) else {}), _MODEL: given}


def _put_mentions(mentions: Sequence[Mention], task: dict[str, Any], losses: Losses) -> None:
    """Put mentions where they came from, or else where they belong."""
    place = _find_place(task)
    if mentions and all(mention.score is not None and KEPT not in mention.extras for mention in mentions):
        place = _make_room_for_predictions(task, place, losses)
    elif place is None and mentions:
        task["annotations"] = [*list_at(task, "annotations"), _NEW["annotations"]]
        place = _Place("annotations", len(task["annotations"]) - 1)
    if place:
        others = list_at(task[place.name][place.number], "result")
        _replace_results(task, place, to_results(mentions, others, losses))


def _make_room_for_predictions(task: dict[str, Any], place: _Place | None, losses: Losses) -> _Place:
    """Make room for what a model has found; what would be read instead of that makes way."""
    if place and place.name == "predictions" and task[place.name][place.number].get("model_version") == _MODEL:
        return place
    for name in _LISTS:
        everything = list(enumerate(list_at(task, name)))
        left = [one for number, one in everything if not _is_displaced(one, _Place(name, number), place)]
        losses.note("annotations that predictions take the place of", len(everything) - len(left))
        if everything:
            task[name] = left
    task["predictions"] = [_NEW["predictions"], *list_at(task, "predictions")]
    return _Place("predictions", 0)


def _is_displaced(completion: Any, here: _Place, read_place: _Place | None) -> bool:
    return here == read_place or (here.name != "predictions" and _is_valid(completion))
