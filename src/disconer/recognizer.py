"""The product: text in, mentions out. Documents are cut into passages here; runtime/engine.py forms the batches."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from disconer.document import Document, Mention
from disconer.encoders.batch import Batch, windows
from disconer.exceptions import InputError
from disconer.foundation.checks import as_choice
from disconer.foundation.device import Device, advise_on_memory
from disconer.foundation.extras import require_extra
from disconer.foundation.files import make_parent
from disconer.foundation.wording import count_of
from disconer.passage import Passage, SentenceWindow
from disconer.runtime.engine import Engine, map_batches
from disconer.schemes import Decoding, Scheme
from disconer.storage.directory import check_replaceable, find_model_directory, is_exported
from disconer.storage.hub import Access, Push
from disconer.tokenize import Layout, Split

_READ_AHEAD = 262_144
"""Characters that are read before the first text is answered: the more, the less padding."""
_DIGITS = 4
"""Of a score; those behind change with the batch a sentence happens to be in."""


class Recognizer:
    """Finds the mentions of texts.

    Call it with a text or a document, or stream any number of them through `pipe`. What it finds in a text does not
    depend on the texts around it, but for the last digits of a score, unless the model has weights of eight bits: there
    the numbers of a batch share a scale.
    """

    def __init__(self, engine: Engine, budget: int | None = None) -> None:
        self.engine = engine
        """What runs the model."""
        self.budget = budget or engine.budget
        """Subwords a batch, padding included."""
        self.cut_sentences = 0
        """Sentences so far with too many possible mentions to find them all."""

    @classmethod
    def from_pretrained(
        cls,
        pretrained_model_name_or_path: Path | str,
        *,
        revision: str | None = None,
        token: str | bool | None = None,
        cache_dir: Path | str | None = None,
        local_files_only: bool = False,
        device: Device | str = Device.AUTO,
        threads: int | None = None,
    ) -> "Recognizer":
        """Load a recognizer as `disconer.load` does, with a say in how the hub is asked.

        `revision` is a branch, a tag or a commit; `token` takes the place of the one that `hf auth login` keeps;
        with `local_files_only`, what was downloaded before must do. None of them matters for a local model.
        """
        access = Access(revision, token, cache_dir, local_files_only)
        return load_recognizer(pretrained_model_name_or_path, device, threads, access)

    def save_pretrained(self, save_directory: Path | str) -> None:
        """Write the model into a folder, whole or not at all; another model that is there is replaced."""
        path = Path(save_directory).resolve()
        check_replaceable(path)
        make_parent(path)
        self.engine.save(path)

    def push_to_hub(
        self,
        repo_id: str,
        *,
        commit_message: str = "Upload a disconer model",
        private: bool = True,
        token: str | bool | None = None,
        revision: str | None = None,
        create_pr: bool = False,
    ) -> str:
        """Put the model on the Hugging Face hub, as one commit, and give the address of that.

        The repository is made when there is none, and private unless `private` is False; one that is public already
        is refused, too. It gets the files of a model directory and nothing else, the card as `README.md` besides.
        `revision` is a branch to commit to; with `create_pr`, the owners of the repository decide.
        """
        is_private = private is not False  # None, which elsewhere leaves it to the hub, is no word for public
        push = Push(repo_id, commit_message, is_private, token, revision, create_pr)
        repository = push.prepare_repository()
        with TemporaryDirectory() as scratch:
            folder = Path(scratch) / "model"
            self.save_pretrained(folder)
            return push.send(folder, repository)

    def describe_cut(self, before: int = 0) -> str:
        """Say that not everything could be looked for, but for so many sentences before; empty when it could."""
        cut = self.cut_sentences - before
        has = count_of(cut, "sentence has", "sentences have")
        return f"{has} too many possible mentions to find all of them" if cut else ""

    @property
    def labels(self) -> tuple[str, ...]:
        return self.engine.labels

    def __call__(self, text: str | Document, threshold: float | None = None, context: int = 1) -> Document:
        """Find the mentions of a text. Mentions that a document has already are replaced."""
        return next(self.pipe([text], threshold, context))

    def pipe(
        self, texts: Iterable[str | Document], threshold: float | None = None, context: int = 1
    ) -> Iterator[Document]:
        """Find the mentions of texts, one after the other, in constant memory.

        A threshold takes the place of those that were chosen on dev: no mention has a lower score. With a context,
        so many sentences are read together, and mentions may cross from one into the next.
        """
        if isinstance(texts, str):
            raise InputError("pipe takes several texts: for a single one, call the recognizer itself")
        if context < 1:
            raise InputError(f"the context must be a number of sentences from 1 on, not {context}")
        scheme = self.engine.scheme if threshold is None else self.engine.scheme.with_min_score(threshold)
        return (document for (document,) in self._stream(texts, [scheme], context))

    def pipe_thresholds(self, texts: Iterable[str | Document], thresholds: Sequence[float]) -> Iterator[list[Document]]:
        """Find the mentions of texts as `pipe` does with each of several thresholds, but ask the model only once.

        Low thresholds are hard on a model that has learned little: of the parts that it finds for a label in a
        sentence, only the 32 most probable are put together here.
        """
        schemes = [self.engine.scheme.with_min_score(one).quick() for one in thresholds]
        return self._stream(texts, schemes, context=1)

    def _stream(
        self, texts: Iterable[str | Document], schemes: Sequence[Scheme], context: int
    ) -> Iterator[list[Document]]:
        """Recognize texts as they come, decoding each with every scheme."""
        pending: list[Document] = []
        characters = 0
        for text in texts:
            document = as_document(text)
            pending.append(document)
            characters += len(document.text) + 1
            if characters >= _READ_AHEAD:
                yield from self._recognize(pending, schemes, context)
                pending, characters = [], 0
        yield from self._recognize(pending, schemes, context)

    def _recognize(
        self, documents: list[Document], schemes: Sequence[Scheme], context: int
    ) -> Iterator[list[Document]]:
        lowest = min(schemes, key=lambda scheme: tuple(scheme.thresholds.values()))

        def decode(batch: Batch) -> list[list[Decoding]]:
            return [[scheme.decode(output) for scheme in schemes] for output in self.engine.outputs(batch, lowest)]

        owned = [
            (number, part) for number, document in enumerate(documents) for part in split_document(document, context)
        ]
        with advise_on_memory("use the device cpu, or text that can be split into sentences"):
            found = map_batches(self.engine, [part.passage for _, part in owned], decode, self.budget)
        mentions: list[list[list[Mention]]] = [[[] for _ in schemes] for _ in documents]
        for (number, part), decodings in zip(owned, found, strict=True):
            self.cut_sentences += not all(decoding.complete for decoding in decodings)
            for own, decoding in zip(mentions[number], decodings, strict=True):
                own.extend(part.mentions(decoding))
        for document, answers in zip(documents, mentions, strict=True):
            yield [document.with_mentions(own) for own in answers]


class DocumentPart(NamedTuple):
    """What is read at once of a document, and the sentences whose mentions are taken from this passage."""

    passage: Passage
    kept: range

    def mentions(self, decoding: Decoding) -> list[Mention]:
        """Turn what was decoded into mentions of the document, in the order of the text."""
        best: dict[object, Mention] = {}
        for word_mention, score in sorted(decoding.mentions.items(), key=lambda found: found[1]):
            mention = self.passage.mention(word_mention, round(score, _DIGITS))
            if mention.home_sentence_index in self.kept:
                best[mention.key] = mention  # fragments with a mere blank between merge, so two may become one
        return sorted(best.values(), key=lambda mention: (mention.fragments, mention.label))


def split_document(document: Document, context: int) -> list[DocumentPart]:
    """Cover a document with passages of so many sentences that overlap by half; each sentence is kept in one."""
    layout = document.layout
    return [
        DocumentPart(SentenceWindow(layout, start, end - 1), range(kept_start, kept_end))
        for start, end, kept_start, kept_end in windows(len(layout.sentences), context)
        if start < end
    ]


def load_recognizer(
    model: Path | str, device: Device | str = Device.AUTO, threads: int | None = None, access: Access | None = None
) -> Recognizer:
    """Load a recognizer from a run, a model directory, or the name of a ready model or of one on the hub."""
    wanted, path = as_choice(Device, device, "device"), find_model_directory(model, access)
    if is_exported(path):
        if wanted not in (Device.AUTO, Device.CPU):
            raise InputError(f"an exported model runs on the processor, not on {wanted}: use the device cpu")
        with require_extra("onnx"):
            from disconer.runtime.onnx_engine import load_onnx_engine  # noqa: PLC0415 (torch does without onnxruntime)

            return Recognizer(load_onnx_engine(path, threads))
    with require_extra("torch"):
        from disconer.foundation.hardware import choose_device  # noqa: PLC0415 (torch takes seconds to import)
        from disconer.runtime.torch_engine import load_torch_engine  # noqa: PLC0415
    place = choose_device(wanted, threads)
    engine = load_torch_engine(path)
    engine.model.to(place)
    return Recognizer(engine)


def as_document(text: str | Document) -> Document:
    """See a text as a document; it is split into sentences, as plain text always is."""
    return text if isinstance(text, Document) else Document(Layout(text, split=Split.ALWAYS))
