"""Answers that were given before, kept so that a report that is made again asks no model twice."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from disconer.document import Document
from disconer.formats import read, write
from disconer.formats.files import replacing_file
from disconer.report.evaluation import Answer, Result, chosen
from disconer.report.sources import Source
from disconer.scoring import Counts, paired, score
from disconer.scoring.curves import CurvePoint
from disconer.scoring.keys import mention_keys


def quiet(_line: str) -> None:
    """Say nothing."""


class Shelf:
    """A folder of predictions, or none."""

    def __init__(self, folder: Path | None = None, tell: Callable[[str], object] = quiet) -> None:
        self.folder = folder
        self.tell = tell

    def result(self, system: str, sources: Sequence[Source], gold: Sequence[Document]) -> Result:
        """Get every answer of a system, and the curve of the one that speaks for it."""
        kept = [self._kept(source, gold) for source in sources]
        answers = []
        for source, place in zip(sources, kept, strict=True):
            documents, speed = place.predictions(source, gold)
            scores = score(zip(gold, documents, strict=True))
            self.tell(f"{system}, {source.name}: F1 {100 * scores.all.f1:.1f}{_per_second(speed)}")
            answers.append(Answer(source.name, documents, scores, source.dev_f1, speed))
        best = answers.index(chosen(answers))
        return Result(answers, kept[best].curve(sources[best], gold, answers[best].documents))

    def _kept(self, source: Source, gold: Sequence[Document]) -> "_Kept":
        fingerprint = "" if self.folder is None else source.fingerprint()
        if self.folder is None or not fingerprint:
            return _Kept(None, "")
        place = self.folder / source.name.replace(" ", "-")
        return _Kept(place, f"{fingerprint}/{_fingerprint(gold)}")


class _Kept:
    """What is kept of one source; everything is made anew when the source or the data is not what it was."""

    def __init__(self, place: Path | None, fingerprint: str) -> None:
        self.place = place
        self.fingerprint = f"{version('disconer')}/{fingerprint}"

    def predictions(self, source: Source, gold: Sequence[Document]) -> tuple[list[Document], float | None]:
        """Give the answers to the data and the speed they were given with."""
        figures = self._read("answer")
        path = self._path("jsonl")
        if figures is not None and path is not None and path.is_file():
            return [found for _, found in paired(gold, read(path))], figures["sentences_per_second"]
        documents, speed = source.predict(gold)
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            write(documents, path)
            self._write("answer", {"sentences_per_second": speed})
        return documents, speed

    def curve(self, source: Source, gold: Sequence[Document], predicted: Sequence[Document]) -> list[CurvePoint]:
        """Give what thresholds do to the answers."""
        truth = {"gold": _mentions_fingerprint(gold)}
        figures = self._read("curve", truth)
        if figures is not None:
            return [
                CurvePoint(point["threshold"], Counts(**point["all"]), Counts(**point["disc_mentions"]))
                for point in figures["points"]
            ]
        points = source.curve(gold, predicted)
        self._write("curve", truth | {"points": [asdict(point) for point in points]})
        return points

    def _path(self, ending: str) -> Path | None:
        return None if self.place is None else self.place.with_name(f"{self.place.name}.{ending}")

    def _read(self, what: str, expected: Mapping[str, object] | None = None) -> Any:
        """Give what was kept, if it belongs to this source and data, and says what is expected of it."""
        path = self._path(f"{what}.json")
        if path is None or not path.is_file():
            return None
        try:
            figures = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:  # whatever happened to it, it can be made again
            return None
        wanted = {"fingerprint": self.fingerprint, **(expected or {})}
        return figures if isinstance(figures, dict) and wanted.items() <= _hashable(figures) else None

    def _write(self, what: str, figures: dict[str, Any]) -> None:
        path = self._path(f"{what}.json")
        if path is not None:
            with replacing_file(path) as stream:
                json.dump({"fingerprint": self.fingerprint} | figures, stream)


def _fingerprint(documents: Sequence[Document]) -> str:
    """Tell data from other data by what a model reads of it, and by the names of its documents."""
    digest = hashlib.sha256()
    for document in documents:
        read = document.id, document.text, document.layout.words, document.layout.sentences
        digest.update(repr(read).encode())
    return digest.hexdigest()


def _mentions_fingerprint(documents: Sequence[Document]) -> str:
    """Tell annotations from others."""
    keys = [sorted(map(repr, mention_keys(document))) for document in documents]
    return hashlib.sha256(repr(keys).encode()).hexdigest()


def _hashable(figures: Mapping[str, object]) -> set[tuple[str, object]]:
    return {(name, value) for name, value in figures.items() if isinstance(value, str)}


def _per_second(speed: float | None) -> str:
    return "" if speed is None else f", {speed:,.0f} sentences/s"
