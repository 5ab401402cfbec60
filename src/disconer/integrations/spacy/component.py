"""The component of a pipeline that finds mentions, its options and its scores."""

import os
import shutil
import weakref
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from multiprocessing import parent_process
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import TYPE_CHECKING, Any

import srsly  # type: ignore[import-untyped]
from spacy.pipeline import Pipe
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import filter_spans, minibatch

from disconer.api import load
from disconer.document import Document, Mention
from disconer.exceptions import FormatError, InputError, quote
from disconer.formats.spacy import KEY, put_mentions, read_layout, read_mentions
from disconer.foundation.checks import as_choice, check_encodable
from disconer.foundation.device import Device
from disconer.foundation.extras import require_extra
from disconer.scoring import Counts, Scores, pair_documents, score_pairs
from disconer.storage.paths import FILES

if TYPE_CHECKING:
    from disconer.recognizer import Recognizer

_MODEL = "model"
"""What `exclude` calls the model's files."""
SCORE_NAMES = {"f": 1.0, "p": 0.0, "r": 0.0, "disc_f": 0.0, "disc_p": 0.0, "disc_r": 0.0, "per_type": None}
"""What is measured, of all mentions and of discontinuous ones, and what it weighs when spaCy sums scores up."""


@dataclass(frozen=True)
class Options:
    """How a component predicts, and what it does with a Doc."""

    spans_key: str = KEY
    """The group of `doc.spans` that it fills."""
    threshold: float | None = None
    """No mention has a lower score; without one, the thresholds are those that were chosen on dev."""
    context: int = 1
    """How many sentences are read together, and mentions may cross from one into the next."""
    device: str = Device.AUTO
    threads: int | None = None
    """With how many a processor is used; without a number, with all."""
    annotate_ents: bool = False
    """Whether continuous mentions become entities as well; of those that overlap the longest, and no gap ever."""
    overwrite: bool = True
    """Whether spans that the group has already are replaced, or added to."""

    def __post_init__(self) -> None:
        check_encodable(self.spans_key, "spans_key")
        if not self.spans_key:
            raise InputError("spans_key must name a group of spans: leave it out, or write a name")
        if self.threshold is not None and not 0 < self.threshold <= 1:
            raise InputError(f"threshold must be a number above 0 and not above 1, not {quote(self.threshold)}")
        for name in ("context", "threads"):
            number = getattr(self, name)
            if number is not None and number < 1:
                raise InputError(f"{name} must be a whole number from 1 on, not {quote(number)}")
        object.__setattr__(self, "device", as_choice(Device, self.device, "device").value)

    def as_config(self) -> dict[str, Any]:
        """Collect the options under their names in a pipeline's configuration."""
        return asdict(self)


class MentionRecognizer(Pipe):
    """Finds the mentions of Docs: their tokens are the words that the model reads.

    Sentences are those that a component before it marked, and otherwise found in the text.
    """

    def __init__(self, name: str, model: Path | str | None, options: Options) -> None:
        self.name = name
        self.options = options
        # A path may be relative, and the process may go elsewhere before the model is loaded.
        self._source = Path(model).absolute() if model and Path(model).exists() else model
        self._recognizer: Recognizer | None = None
        self._process = os.getpid()
        """Which process the recognizer is ready for, or will be when it is loaded."""

    @property
    def recognizer(self) -> "Recognizer":
        """What finds the mentions: loaded on first use, because spaCy makes a component before it hands over its files.

        Raises `InputError` when there is no model, or none that makes sense.
        """
        if self._recognizer is None:
            if not self._source:
                raise InputError(f"the component {self.name!r} has no model: name one in its config, as 'model'")
            self._recognizer = load(self._source, self.options.device, self.options.threads)
        if self._process != os.getpid():
            _use_one_thread(self._recognizer)
            self._process = os.getpid()
        return self._recognizer

    @property
    def labels(self) -> tuple[str, ...]:
        """What the model finds; nothing as long as it is neither loaded nor on this machine."""
        if self._recognizer is not None:
            return self._recognizer.labels
        if self._source is None or not Path(self._source).exists():
            return ()
        with require_extra("torch"):
            from disconer.storage.directory import find_model_directory, read_description  # noqa: PLC0415 (numpy and the like, which nobody needs before)
        try:
            return read_description(find_model_directory(self._source)).labels
        except InputError:  # spaCy asks before it hands over the files, which then take this one's place
            return ()

    def __call__(self, doc: Doc) -> Doc:
        """Find the mentions of a Doc."""
        self._annotate(self.recognizer, [doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Find the mentions of Docs, a batch at a time, in order."""
        for docs in minibatch(stream, batch_size):  # type: ignore[no-untyped-call]
            yield from self._annotate_each(self.recognizer, docs)

    def initialize(self, *_: Any, **__: Any) -> None:
        """Load the model now, and complain about it now; it is trained already."""
        _loaded = self.recognizer

    def score(self, examples: Iterable[Example], **_: Any) -> dict[str, Any]:
        """Score predictions strictly, all mentions and discontinuous ones."""
        return _score_examples(examples, self.options.spans_key)

    def to_disk(self, path: Path | str, *, exclude: Iterable[str] = ()) -> None:
        """Write the model directory, so that the pipeline needs nothing else; nothing but another one is replaced."""
        if _MODEL not in exclude:
            self.recognizer.save_pretrained(path)

    def from_disk(self, path: Path | str, *, exclude: Iterable[str] = ()) -> "MentionRecognizer":
        """Load the model of a pipeline's folder; one that was written without it needs what its config names."""
        if _MODEL not in exclude and Path(path).is_dir():
            self._reload(Path(path).absolute())
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Pack the files of the model directory."""
        if _MODEL in exclude:
            return srsly.msgpack_dumps({})  # type: ignore[no-any-return]
        with TemporaryDirectory() as folder:
            self.to_disk(Path(folder) / _MODEL)
            files = {path.name: path.read_bytes() for path in (Path(folder) / _MODEL).iterdir()}
        return srsly.msgpack_dumps(files)  # type: ignore[no-any-return]

    def from_bytes(self, bytes_data: bytes, *, exclude: Iterable[str] = ()) -> "MentionRecognizer":
        """Load the model from the files of a model directory, which are kept in a temporary folder."""
        files = {} if _MODEL in exclude else _files_in(bytes_data)
        if not files:
            return self
        folder = Path(mkdtemp(prefix="disconer-"))
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        for name in FILES:
            if name in files:
                (folder / name).write_bytes(files[name])
        self._reload(folder)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Reduce to what another process needs to load the model by itself; spaCy's class would pickle the model."""
        return type(self), (self.name, self._source, self.options), {**self.__dict__, "_recognizer": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take that; a process that no other started, to share its work with, may use all threads."""
        self.__dict__.update(state)
        if parent_process() is None:
            self._process = os.getpid()

    def _reload(self, folder: Path) -> None:
        self._source, self._recognizer = folder, None
        self.initialize()

    def _annotate_each(self, recognizer: "Recognizer", docs: Sequence[Doc]) -> Iterator[Doc]:
        """Find the mentions of Docs; when that fails, leave those that it fails for to the error handler."""
        try:
            self._annotate(recognizer, docs)
        except Exception as error:  # whatever it is, somebody may want to go on without this Doc
            if len(docs) > 1:
                for doc in docs:
                    yield from self._annotate_each(recognizer, [doc])
            else:
                self.get_error_handler()(self.name, self, list(docs), error)
        else:
            yield from docs

    def _annotate(self, recognizer: "Recognizer", docs: Sequence[Doc]) -> None:
        documents = [Document(read_layout(doc)) for doc in docs]
        found = list(recognizer.pipe(documents, self.options.threshold, self.options.context))
        for doc, document in zip(docs, found, strict=True):
            self._put(doc, document.mentions)

    def _put(self, doc: Doc, found: Sequence[Mention]) -> None:
        key = self.options.spans_key
        there = () if self.options.overwrite else read_mentions(doc, [key])
        known = {mention.key for mention in there}
        put_mentions(doc, [*there, *(mention for mention in found if mention.key not in known)], key)
        if self.options.annotate_ents:
            _annotate_ents(doc, found)


def _score_examples(examples: Iterable[Example], key: str) -> dict[str, Any]:
    """Score the group of spans of that key in the examples whose reference has it; None where none has."""
    annotated = [example for example in examples if key in example.reference.spans]
    if not annotated:
        return {f"{key}_{name}": None for name in SCORE_NAMES}
    gold = [_document(example.reference, key) for example in annotated]
    predicted = [_document(example.predicted, key) for example in annotated]
    return {
        f"{key}_{name}": value for name, value in _name_scores(score_pairs(pair_documents(gold, predicted))).items()
    }


def _document(doc: Doc, key: str) -> Document:
    return Document(read_layout(doc), read_mentions(doc, [key]))


def _name_scores(scores: Scores) -> dict[str, Any]:
    per_type = {label: _measures(counts) for label, counts in scores.labels.items()}
    return {**_measures(scores.all), **_measures(scores.disc_mentions, "disc_"), "per_type": per_type}


def _measures(counts: Counts, prefix: str = "") -> dict[str, float]:
    """Name three numbers as spaCy does."""
    return {f"{prefix}p": counts.precision, f"{prefix}r": counts.recall, f"{prefix}f": counts.f1}


def _files_in(bytes_data: bytes) -> dict[str, bytes]:
    """Undo `to_bytes`."""
    try:
        files = srsly.msgpack_loads(bytes_data)
    except Exception:  # for bytes of others it raises this or that
        files = None
    if not isinstance(files, dict) or not all(isinstance(content, bytes) for content in files.values()):
        raise FormatError("these bytes are not what disconer's component writes")
    return files


def _use_one_thread(recognizer: "Recognizer") -> None:
    """Get ready for a process of `nlp.pipe`: others need cores too, and torch would wait for its parent's threads."""
    if recognizer.engine.runtime == "torch":
        import torch  # noqa: PLC0415 (models for onnxruntime do without)

        torch.set_num_threads(1)
    else:
        from disconer.runtime.onnx_engine import OnnxEngine  # noqa: PLC0415 (and those for torch without this)

        if isinstance(recognizer.engine, OnnxEngine):
            recognizer.engine = replace(recognizer.engine, cores=1)


def _annotate_ents(doc: Doc, mentions: Iterable[Mention]) -> None:
    """Add continuous mentions to the entities; spaCy's rule for what overlaps: the longest, then the first."""
    whole = [mention for mention in mentions if not mention.is_discontinuous]
    best_first = sorted(whole, key=lambda mention: -(mention.score or 0))
    spans = [doc.char_span(mention.start, mention.end, mention.label) for mention in best_first]
    doc.set_ents(filter_spans([*doc.ents, *(span for span in spans if span is not None)]))
