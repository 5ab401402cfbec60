"""The component of a pipeline that finds mentions."""

import os
import shutil
import weakref
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from multiprocessing import parent_process
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import TYPE_CHECKING, Any

import srsly  # type: ignore[import-untyped]
from spacy.pipeline import Pipe
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import filter_spans, minibatch

from disconer.document import Document, Mention
from disconer.exceptions import FormatError, InputError
from disconer.extras import installed
from disconer.formats.spacy.docs import mentions_in, put
from disconer.formats.spacy.tokens import layout_of
from disconer.integrations.spacy.options import Options
from disconer.integrations.spacy.scores import scores_of
from disconer.loading import load
from disconer.runs import FILES

if TYPE_CHECKING:
    from disconer.recognizer import Recognizer

_MODEL = "model"
"""What `exclude` calls the model's files."""


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
        with installed("torch"):
            from disconer.models import directory  # noqa: PLC0415 (numpy and the like, which nobody needs before)
        try:
            return directory.described(directory.find(self._source)).labels
        except InputError:  # spaCy asks before it hands over the files, which then take this one's place
            return ()

    def __call__(self, doc: Doc) -> Doc:
        """Find the mentions of a Doc."""
        self._annotate(self.recognizer, [doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Find the mentions of Docs, so many at a time, and give them back in order."""
        for docs in minibatch(stream, batch_size):  # type: ignore[no-untyped-call]
            yield from self._annotated(self.recognizer, docs)

    def initialize(self, *_: Any, **__: Any) -> None:
        """Load the model now, and complain about it now; it is trained already."""
        _loaded = self.recognizer

    def score(self, examples: Iterable[Example], **_: Any) -> dict[str, Any]:
        """Score predictions strictly, all mentions and discontinuous ones."""
        return scores_of(examples, self.options.spans_key)

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
        """Give the files of the model directory."""
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
        """Give what another process needs to load the model by itself; spaCy's class would pickle the model."""
        return type(self), (self.name, self._source, self.options), {**self.__dict__, "_recognizer": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take that; a process that no other started, to share its work with, may use all threads."""
        self.__dict__.update(state)
        if parent_process() is None:
            self._process = os.getpid()

    def _reload(self, folder: Path) -> None:
        self._source, self._recognizer = folder, None
        self.initialize()

    def _annotated(self, recognizer: "Recognizer", docs: Sequence[Doc]) -> Iterator[Doc]:
        """Find the mentions of Docs; when that fails, leave those that it fails for to the error handler."""
        try:
            self._annotate(recognizer, docs)
        except Exception as error:  # whatever it is, somebody may want to go on without this Doc
            if len(docs) > 1:
                for doc in docs:
                    yield from self._annotated(recognizer, [doc])
            else:
                self.get_error_handler()(self.name, self, list(docs), error)
        else:
            yield from docs

    def _annotate(self, recognizer: "Recognizer", docs: Sequence[Doc]) -> None:
        documents = [Document(layout_of(doc)) for doc in docs]
        found = list(recognizer.pipe(documents, self.options.threshold, self.options.context))
        for doc, document in zip(docs, found, strict=True):
            self._put(doc, document.mentions)

    def _put(self, doc: Doc, found: Sequence[Mention]) -> None:
        key = self.options.spans_key
        there = () if self.options.overwrite else mentions_in(doc, [key])
        known = {mention.key for mention in there}
        put(doc, [*there, *(mention for mention in found if mention.key not in known)], key)
        if self.options.annotate_ents:
            _annotate_ents(doc, found)


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
        from disconer.runtime.exported import Exported  # noqa: PLC0415 (and those for torch without this)

        if isinstance(recognizer.engine, Exported):
            recognizer.engine = replace(recognizer.engine, cores=1)


def _annotate_ents(doc: Doc, mentions: Iterable[Mention]) -> None:
    """Add continuous mentions to the entities; spaCy's rule for what overlaps: the longest, then the first."""
    whole = [mention for mention in mentions if not mention.is_discontinuous]
    best_first = sorted(whole, key=lambda mention: -(mention.score or 0))
    spans = [doc.char_span(mention.start, mention.end, mention.label) for mention in best_first]
    doc.set_ents(filter_spans([*doc.ents, *(span for span in spans if span is not None)]))
