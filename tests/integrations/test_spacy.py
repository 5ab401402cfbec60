"""The component of a spaCy pipeline, and Docs that hold mentions with gaps."""

import os
import pickle
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import spacy
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy import displacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin, Span
from spacy.training import Example
from spacy.util import ignore_error
from spacy.vocab import Vocab

from disconer import Document, InputError, Mention, load, read
from disconer.cli import main
from disconer.exceptions import CannotHoldError, FormatError
from disconer.formats.spacy import read_layout
from disconer.integrations.spacy import MentionRecognizer, joined, to_doc, to_document
from disconer.tokenize import Layout
from tests.strategies import CHARACTERS

TEXT = "Severe joint, shoulder  and upper body pain. 🤒 No fever\n\nMild rash since Monday"
# The full stop is there because random weights find nothing in the word alone.
TEXTS = [TEXT, "", "Nausea and mild fever", " \n ", "Headache."]


def pipeline(model: Path | str | None, *before: str, **config: Any) -> Language:
    """Make a blank English pipeline with the component at its end."""
    nlp = spacy.blank("en")
    for name in before:
        nlp.add_pipe(name)
    nlp.add_pipe("disconer", config={"model": None if model is None else str(model), **config})
    return nlp


def component(nlp: Language) -> MentionRecognizer:
    found = nlp.get_pipe("disconer")
    assert isinstance(found, MentionRecognizer)
    return found


def said(doc: Doc) -> list[tuple[object, float | None]]:
    """Collect what the mentions of a Doc say, but for their ids."""
    return [(mention.key, mention.score) for mention in doc._.mentions]


def spans_say(doc: Doc, key: str = "disconer") -> dict[str, list[tuple[int, int, str]]]:
    """Put the spans of a group together by their ids, with spaCy alone."""
    together: dict[str, list[tuple[int, int, str]]] = {}
    for span in doc.spans[key]:
        together.setdefault(span.id_, []).append((span.start_char, span.end_char, span.label_))
    return together


def check_agreement(doc: Doc) -> None:
    """Make sure that spans, mentions and scores say the same, and that all begin and end at tokens."""
    fragments = [[(*fragment, mention.label) for fragment in mention.fragments] for mention in doc._.mentions]
    assert list(spans_say(doc).values()) == fragments
    scores = [mention.score for mention in doc._.mentions for _ in mention.fragments]
    assert doc.spans["disconer"].attrs["scores"].tolist() == scores
    starts, ends = {token.idx for token in doc}, {token.idx + len(token) for token in doc}
    for mention in doc._.mentions:
        assert {fragment.start for fragment in mention.fragments} <= starts
        assert {fragment.end for fragment in mention.fragments} <= ends


@pytest.fixture(scope="module")
def nlp(model_folder: Path) -> Language:
    return pipeline(model_folder)


@pytest.fixture(scope="module")
def doc(nlp: Language) -> Doc:
    return nlp(TEXT)


# Mentions and spans


def test_a_blank_pipeline_finds_what_the_recognizer_finds_in_its_tokens(model_folder: Path, doc: Doc) -> None:
    found = load(model_folder)(Document(read_layout(doc)))
    assert said(doc) == [(mention.key, mention.score) for mention in found]
    assert sum(mention.is_discontinuous for mention in doc._.mentions) > 3
    check_agreement(doc)


def test_mentions_know_their_text_words_and_spans(doc: Doc) -> None:
    mention = next(mention for mention in doc._.mentions if mention.is_discontinuous)
    spans = [span for span in doc.spans["disconer"] if span.id_ == mention.extras["id"]]
    assert mention.text == " ".join(span.text for span in spans)
    assert [word for span in spans for word in map(str, span) if not word.isspace()] == list(mention.words)


class EveryCharacter:
    """A tokenizer that cuts everywhere."""

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab

    def __call__(self, text: str) -> Doc:
        return Doc(self.vocab, words=list(text), spaces=[False] * len(text))


def test_tokens_may_be_of_any_kind(model_folder: Path) -> None:
    nlp = pipeline(model_folder)
    nlp.tokenizer = EveryCharacter(nlp.vocab)
    doc = nlp("Joint  pain 🤒\n")
    assert len(doc._.mentions) > 10
    assert not any(token.is_space for span in doc.spans["disconer"] for token in (span[0], span[-1]))
    check_agreement(doc)


def test_marked_sentences_are_the_sentences(nlp: Language, model_folder: Path) -> None:
    text = "Pain e.g. joint pain. Mild rash no fever"
    found = nlp(text)
    assert [text[start:end] for start, end in read_layout(found).sentences] == [text[:21], text[22:]]
    marked = pipeline(model_folder, "sentencizer")(text)
    assert read_layout(marked).sentences == tuple((sentence.start_char, sentence.end_char) for sentence in marked.sents)
    alone = spacy.blank("en").make_doc(text)
    for token in alone:
        token.is_sent_start = True
    assert {len(mention.words) for mention in nlp.get_pipe("disconer")(alone)._.mentions} == {1}


@st.composite
def docs(draw: st.DrawFn) -> Doc:
    """Draw a Doc with any tokens, spaces and marks of sentences."""
    words = draw(st.lists(st.text(CHARACTERS, min_size=1, max_size=5), max_size=12))
    spaces = [draw(st.booleans()) for _ in words]
    starts: Any = draw(st.none() | st.lists(st.booleans() | st.none(), min_size=len(words), max_size=len(words)))
    return Doc(Vocab(), words=words, spaces=spaces, sent_starts=starts)


def through_docbin(doc: Doc, store_user_data: bool = False) -> Doc:
    content = DocBin(store_user_data=store_user_data, docs=[doc]).to_bytes()
    (back,) = DocBin().from_bytes(content).get_docs(Vocab())
    return back


@settings(max_examples=60)
@given(doc=docs(), store_user_data=st.booleans())
def test_whatever_the_tokens_spans_and_mentions_agree_and_survive(
    nlp: Language, doc: Doc, store_user_data: bool
) -> None:
    component(nlp)(doc)
    check_agreement(doc)
    back = through_docbin(doc, store_user_data)
    check_agreement(back)
    for copy in (back, doc.copy(), pickle.loads(pickle.dumps(doc)), Doc(Vocab()).from_bytes(doc.to_bytes())):
        assert copy._.mentions == doc._.mentions


def test_a_threshold_and_a_context_are_passed_on(model_folder: Path, doc: Doc) -> None:
    scores = sorted(mention.score for mention in doc._.mentions)
    middle = scores[len(scores) // 2]
    assert all(mention.score >= middle for mention in pipeline(model_folder, threshold=middle)(TEXT)._.mentions)
    wide = pipeline(model_folder, context=3)(TEXT)
    assert any(mention.sentence_index is None for mention in wide._.mentions)
    check_agreement(wide)


def test_another_group_can_be_filled_and_is_read_all_the_same(model_folder: Path, doc: Doc, tmp_path: Path) -> None:
    other = pipeline(model_folder, spans_key="sc")(TEXT)
    assert list(other.spans) == ["sc"]
    assert other._.mentions == doc._.mentions == through_docbin(other)._.mentions
    DocBin(docs=[other]).to_disk(tmp_path / "a.spacy")
    (document,) = read(tmp_path / "a.spacy")
    assert document.mentions == doc._.mentions


def test_spans_that_are_there_are_replaced_or_kept(model_folder: Path, doc: Doc) -> None:
    own = spacy.blank("en").make_doc(TEXT)
    first, own_id = doc._.mentions[0], "m2"
    place = own.char_span(first.start, first.end).start  # type: ignore[union-attr]
    own.spans["disconer"] = [Span(own, place, place + 1, "Mine", span_id=own_id, kb_id="Q1")]
    replaced = pipeline(model_folder).get_pipe("disconer")(own.copy())
    assert said(replaced) == said(doc)
    nlp = pipeline(model_folder, overwrite=False)
    kept = nlp(own)
    assert kept._.mentions[0].label == "Mine"
    assert (kept.spans["disconer"][0].id_, kept.spans["disconer"][0].kb_id_) == (own_id, "Q1")
    assert said(kept)[1:] == said(doc)
    assert said(component(nlp)(kept.copy())) == said(kept)


def test_continuous_mentions_become_entities_when_asked(model_folder: Path, nlp: Language) -> None:
    assert not nlp(TEXT).ents
    with_entities = pipeline(model_folder, annotate_ents=True)
    rules = with_entities.add_pipe("entity_ruler", before="disconer")
    rules.add_patterns([{"label": "When", "pattern": "since Monday"}])  # type: ignore[attr-defined]
    doc = with_entities(TEXT)
    whole = {mention.key for mention in doc._.mentions if not mention.is_discontinuous}
    own = [entity for entity in doc.ents if entity.label_ != "When"]
    assert len(own) > 2
    assert {Mention(one.label_, [(one.start_char, one.end_char)], TEXT).key for one in own} <= whole
    longest = max(end - start for _, ((start, end),) in whole)
    assert longest in {one.end_char - one.start_char for one in own}


# Editing


def test_mentions_are_whatever_the_spans_are(nlp: Language) -> None:
    doc = nlp("Joint and back pain")
    doc.spans["disconer"] = [Span(doc, 0, 1, "A", span_id="x"), Span(doc, 3, 4, "A", span_id="x"), Span(doc, 2, 4, "B")]
    assert [(mention.label, mention.text, mention.score) for mention in doc._.mentions] == [
        ("A", "Joint pain", None),
        ("B", "back pain", None),
    ]
    del doc.spans["disconer"]
    assert doc._.mentions == ()


def test_mentions_can_be_set_as_a_whole(nlp: Language, model_folder: Path) -> None:
    doc = pipeline(model_folder, spans_key="mine")(TEXT)
    best = [mention for mention in doc._.mentions if mention.is_discontinuous][:3]
    doc._.mentions = best
    assert list(doc._.mentions) == best
    assert list(doc.spans) == ["mine"]
    with pytest.raises(InputError, match="the fragment 0-3 begins or ends inside a token"):
        doc._.mentions = [Mention("A", [(0, 3)], TEXT)]
    assert list(doc._.mentions) == best


def test_scores_of_a_group_that_grew_belong_to_nobody(nlp: Language) -> None:
    doc = nlp(TEXT)
    doc.spans["disconer"].append(Span(doc, 0, 1, "New"))
    assert {mention.score for mention in doc._.mentions} == {None}


def test_docs_are_joined_without_mixing_their_mentions(nlp: Language) -> None:
    texts = [TEXT, "", "Joint and back pain ", TEXT]
    parts = list(nlp.pipe(texts))
    whole = joined(parts)
    assert whole.text == f"{TEXT} Joint and back pain {TEXT}"
    assert [mention.text for mention in whole._.mentions] == [one.text for part in parts for one in part._.mentions]
    assert [mention.score for mention in whole._.mentions] == [one.score for part in parts for one in part._.mentions]
    check_agreement(whole)
    with pytest.raises(InputError, match="no Docs"):
        joined([])


def test_joining_tells_nobody_what_documents_say_of_themselves() -> None:
    documents = [Document("Joint pain", [("ADR", [(0, 5)])], name, {"patient": "Erika"}) for name in ("d1", "d2")]
    vocabulary = Vocab()
    parts = [to_doc(document, vocabulary) for document in documents]
    parts[0].user_data["._.", "flag", 0, 5] = "theirs"  # type: ignore[index]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        whole = joined(parts)
    assert told == []
    assert [(mention.text, mention.start) for mention in whole._.mentions] == [("Joint", 0), ("Joint", 11)]
    assert {str(key): value for key, value in whole.user_data.items()} == {"('._.', 'flag', 0, 5)": "theirs"}
    assert [to_document(part) for part in parts] == documents


# Documents


def test_a_doc_is_a_document_and_a_document_a_doc(doc: Doc) -> None:
    document = to_document(doc)
    assert (document.mentions, document.text) == (doc._.mentions, TEXT)
    assert "<svg" in document._repr_html_() or "<div" in document._repr_html_()
    known = Document(document.layout, document.mentions, "d1", {"source": "forum"})
    back = to_doc(known, Vocab())
    assert back._.mentions == doc._.mentions
    assert to_document(back) == known
    check_agreement(back)


def test_a_document_that_a_doc_cannot_hold_is_an_error() -> None:
    document = Document(Layout("ab cd"), [("A", [(2, 3)])])
    with pytest.raises(CannotHoldError, match="1 that hold no token"):
        to_doc(document, Vocab())
    assert to_doc(document, Vocab(), lossy=True)._.mentions == ()


def test_what_was_known_of_other_mentions_is_not_said_of_the_new_ones(nlp: Language) -> None:
    layout = Layout("Joint and back pain")
    old = Mention("Old", [(0, 5)], layout, 0.125, {"note": "by hand"})
    doc = component(nlp)(to_doc(Document(layout, [old], "d1", {"source": "forum"}), nlp.vocab))
    found = to_document(doc)
    assert (found.id, found.extras) == ("d1", {"source": "forum"})
    assert len(found) > 1
    assert not any("note" in mention.extras or mention.score == 0.125 for mention in found)
    assert [(mention.key, mention.score) for mention in found] == said(nlp(layout.text))


def test_a_docbin_of_a_pipeline_converts_with_gaps_and_scores(
    nlp: Language, doc: Doc, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    DocBin(docs=list(nlp.pipe(TEXTS))).to_disk(tmp_path / "a.spacy")
    assert main(["convert", str(tmp_path / "a.spacy"), str(tmp_path / "a.jsonl")]) == 0
    converted = list(read(tmp_path / "a.jsonl"))
    assert [document.text for document in converted] == TEXTS
    assert converted[0].mentions == doc._.mentions
    capsys.readouterr()


def test_scores_of_the_span_categorizer_are_read_too(tmp_path: Path) -> None:
    doc = spacy.blank("en")("Joint pain")
    doc.spans["sc"] = [Span(doc, 0, 1, "A"), Span(doc, 0, 2, "A")]
    doc.spans["sc"].attrs["scores"] = [0.25, 0.75]
    DocBin(docs=[doc]).to_disk(tmp_path / "a.spacy")
    (document,) = read(tmp_path / "a.spacy")
    assert [mention.score for mention in document] == [0.25, 0.75]


@pytest.mark.parametrize("scores", ["ab", ["x", "y"], [7, -1], {"a": 1}, 3, [None, None]])
def test_scores_that_make_no_sense_are_none(scores: object) -> None:
    doc = spacy.blank("en")("Joint pain")
    doc.spans["disconer"] = [Span(doc, 0, 1, "A"), Span(doc, 0, 2, "A")]
    doc.spans["disconer"].attrs["scores"] = scores
    assert [mention.score for mention in through_docbin(doc)._.mentions] == [None, None]


def test_displacy_draws_the_fragments(doc: Doc) -> None:
    drawn = displacy.render(doc, style="span", options={"spans_key": "disconer"}, jupyter=False)
    assert "ADR" in drawn
    assert "shoulder" in drawn


# Streams


def test_streams_keep_order_and_context_whatever_the_batches(nlp: Language) -> None:
    expected = [said(nlp(text)) for text in TEXTS]
    assert [bool(found) for found in expected] == [True, False, True, False, True]
    for batch_size in (1, 2, 100):
        pairs = nlp.pipe(((text, number) for number, text in enumerate(TEXTS)), as_tuples=True, batch_size=batch_size)
        found = list(pairs)
        assert [number for _, number in found] == list(range(len(TEXTS)))
        assert [doc.text for doc, _ in found] == TEXTS
        assert [[key for key, _ in said(doc)] for doc, _ in found] == [[key for key, _ in one] for one in expected]


def test_streams_are_not_read_to_their_end_first(nlp: Language) -> None:
    taken: list[int] = []

    def endless() -> Iterator[str]:
        while True:
            taken.append(1)
            yield "Joint pain"

    stream = nlp.pipe(endless(), batch_size=3)
    assert next(stream)._.mentions
    assert len(taken) == 3


def spoilt(nlp: Language) -> list[Doc]:
    """Make three Docs, the second of which cannot be filled."""
    docs = [nlp.make_doc(text) for text in ("Joint pain", "Back pain", "Mild rash")]
    docs[1].user_data["disconer"] = "nonsense"
    return docs


def test_a_doc_that_fails_is_the_error_handlers(model_folder: Path) -> None:
    nlp = pipeline(model_folder)
    with pytest.raises(FormatError, match="remove it"):
        list(nlp.pipe(spoilt(nlp)))
    failed: list[tuple[str, list[str], str]] = []

    def note(name: str, _: object, docs: list[Doc], error: Exception) -> Any:
        failed.append((name, [doc.text for doc in docs], type(error).__name__))

    nlp.set_error_handler(note)
    assert [doc.text for doc in nlp.pipe(spoilt(nlp))] == ["Joint pain", "Mild rash"]
    assert failed == [("disconer", ["Back pain"], "FormatError")]


def test_a_missing_model_is_nothing_that_a_handler_could_ignore(tmp_path: Path) -> None:
    nlp = pipeline(tmp_path / "gone")
    nlp.set_error_handler(ignore_error)
    with pytest.raises(InputError, match=r"gone: there is no such run or model directory"):
        list(nlp.pipe(["Joint pain"]))


@pytest.mark.parametrize("kind", ["model_folder", "exported_folder"])
def test_several_processes_find_the_same(kind: str, request: pytest.FixtureRequest) -> None:
    nlp = pipeline(request.getfixturevalue(kind))
    expected = [said(doc) for doc in nlp.pipe(TEXTS)]
    assert [said(doc) for doc in nlp.pipe(TEXTS, n_process=2, batch_size=2)] == expected


@Language.factory("cores")
class Cores:
    """Notes how many threads the component before it would use."""

    def __init__(self, nlp: Language, name: str) -> None:
        self.nlp = nlp
        self.name = name

    def __call__(self, doc: Doc) -> Doc:
        doc.user_data["cores"] = component(self.nlp).recognizer.engine.cores
        return doc


@pytest.mark.parametrize("is_loaded", [False, True])
@pytest.mark.parametrize("kind", ["model_folder", "exported_folder"])
def test_each_of_several_processes_has_one_thread(kind: str, is_loaded: bool, request: pytest.FixtureRequest) -> None:
    nlp = pipeline(request.getfixturevalue(kind), threads=2)
    nlp.add_pipe("cores")
    before = torch.get_num_threads()
    try:
        if is_loaded:
            assert nlp("Joint pain").user_data["cores"] == 2
        assert [doc.user_data["cores"] for doc in nlp.pipe(TEXTS[:2], n_process=2, batch_size=1)] == [1, 1]
    finally:
        torch.set_num_threads(before)


# On disk


@pytest.mark.parametrize("kind", ["model_folder", "exported_folder"])
def test_a_pipelines_folder_holds_the_model(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(request.getfixturevalue(kind), tmp_path / "model")
    nlp = pipeline(tmp_path / "model", threshold=0.53)
    expected = said(nlp(TEXT))
    nlp.to_disk(tmp_path / "nlp")
    shutil.rmtree(tmp_path / "model")
    shutil.move(tmp_path / "nlp", tmp_path / "moved")
    monkeypatch.chdir(tmp_path)
    loaded = spacy.load("moved")
    monkeypatch.chdir(tmp_path.parent)
    assert said(loaded(TEXT)) == expected
    assert loaded.pipe_labels["disconer"] == ["ADR", "Drug"]
    loaded.to_disk(tmp_path / "moved")
    assert said(spacy.load(tmp_path / "moved")(TEXT)) == expected
    assert said_by_disconer(tmp_path / "moved" / "disconer") > 0


def said_by_disconer(folder: Path) -> int:
    return len(load(folder)(TEXT))


def test_a_folder_that_is_written_over_holds_only_the_last_model(
    model_folder: Path, exported_folder: Path, tmp_path: Path
) -> None:
    pipeline(exported_folder).to_disk(tmp_path / "nlp")
    pipeline(model_folder).to_disk(tmp_path / "nlp")
    assert component(spacy.load(tmp_path / "nlp")).recognizer.engine.runtime == "torch"


@pytest.mark.parametrize("kind", ["model_folder", "exported_folder"])
def test_a_pipelines_bytes_hold_the_model(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    nlp = pipeline(request.getfixturevalue(kind))
    loaded = pipeline(None).from_bytes(nlp.to_bytes())
    assert said(loaded(TEXT)) == said(nlp(TEXT))
    again = pipeline(None).from_bytes(loaded.to_bytes())
    assert said(again(TEXT)) == said(nlp(TEXT))
    folder = component(again)._source
    del again
    assert not Path(str(folder)).exists()


def test_nothing_but_a_model_is_ever_replaced(nlp: Language, tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "thesis.tex").write_text("mine")
    with pytest.raises(InputError, match="holds other things than a model"):
        component(nlp).to_disk(tmp_path / "project")
    assert (tmp_path / "project" / "thesis.tex").read_text() == "mine"
    (tmp_path / "model").mkdir()
    (tmp_path / "link").symlink_to("model")
    component(nlp).to_disk(tmp_path / "link")
    assert said_by_disconer(tmp_path / "model") > 0
    assert {path.name for path in tmp_path.iterdir()} == {"project", "model", "link"}


def test_parts_can_be_left_out(model_folder: Path, tmp_path: Path) -> None:
    nlp = pipeline(model_folder)
    nlp.to_disk(tmp_path / "nlp", exclude=["disconer"])
    assert not (tmp_path / "nlp" / "disconer").exists()
    assert spacy.load(tmp_path / "nlp")(TEXT)._.mentions
    assert "disconer" not in spacy.load(tmp_path / "nlp", exclude=["disconer"]).pipe_names
    component(nlp).to_disk(tmp_path / "model", exclude=["model"])
    assert not (tmp_path / "model").exists()
    bare = component(pipeline(None)).from_bytes(component(nlp).to_bytes(exclude=["model"]))
    with pytest.raises(InputError, match="the component 'disconer' has no model: name one in its config"):
        bare(nlp.make_doc("Pain"))


def test_bytes_of_others_are_an_error_and_write_nothing_elsewhere(tmp_path: Path) -> None:
    import srsly  # type: ignore[import-untyped]  # noqa: PLC0415

    bare = component(pipeline(None))
    for content in (srsly.msgpack_dumps(["model"]), b"", b"\xc1", b"others", srsly.msgpack_dumps({"nd": True})[:-1]):
        with pytest.raises(FormatError, match="not what disconer's component writes"):
            bare.from_bytes(content)
    target = tmp_path / "stray"
    with pytest.raises(InputError, match=r"config.json is missing"):
        bare.from_bytes(srsly.msgpack_dumps({str(target): b"x"}))
    assert not target.exists()


@pytest.mark.parametrize("kind", ["model_folder", "exported_folder"])
def test_a_component_can_be_sent_to_another_process(kind: str, request: pytest.FixtureRequest) -> None:
    nlp = pipeline(request.getfixturevalue(kind), spans_key="mine")
    nlp.set_error_handler(ignore_error)
    expected = said(nlp(TEXT))
    content = pickle.dumps(component(nlp))
    assert len(content) < 5000  # the model is not in it
    sent = pickle.loads(content)
    assert said(sent(nlp.make_doc(TEXT))) == expected
    assert (sent.name, sent.get_error_handler()) == ("disconer", ignore_error)


def test_a_component_that_was_kept_in_a_file_uses_all_threads(
    model_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nlp = pipeline(model_folder)
    kept = pickle.dumps(component(nlp))
    ours = os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: ours + 1)  # as if it was read later
    asked: list[int] = []
    monkeypatch.setattr(torch, "set_num_threads", asked.append)
    assert pickle.loads(kept).recognizer.labels == ("ADR", "Drug")
    assert asked == []
    assert component(nlp).recognizer.labels == ("ADR", "Drug")
    assert asked == [1]


def test_a_damaged_model_is_told_when_the_pipeline_is_loaded(model_folder: Path, tmp_path: Path) -> None:
    pipeline(model_folder).to_disk(tmp_path / "nlp")
    (tmp_path / "nlp" / "disconer" / "config.json").write_text("{}")
    with pytest.raises(InputError, match=r"config\.json: this is not the config\.json of a disconer model"):
        spacy.load(tmp_path / "nlp")


# Settings


def test_labels_are_known_without_loading_the_model(model_folder: Path, tmp_path: Path) -> None:
    fresh = component(pipeline(model_folder))
    assert fresh.labels == ("ADR", "Drug")
    assert fresh._recognizer is None
    assert component(pipeline("nobody/nothing")).labels == ()
    assert component(pipeline(tmp_path)).labels == ()


def test_initializing_loads_the_model(model_folder: Path, tmp_path: Path) -> None:
    nlp = pipeline(model_folder)
    nlp.initialize()
    assert component(nlp)._recognizer is not None
    with pytest.raises(InputError, match=r"neither a run nor a model directory"):
        pipeline(tmp_path).initialize()


@pytest.mark.parametrize(
    ("config", "complaint"),
    [
        ({"spans_key": ""}, "spans_key must name a group of spans"),
        ({"threshold": 1.5}, "threshold must be a number above 0 and not above 1, not 1.5"),
        ({"threshold": 0}, "threshold must be a number above 0 and not above 1, not 0"),
        ({"context": 0}, "context must be a whole number from 1 on, not 0"),
        ({"threads": 0}, "threads must be a whole number from 1 on, not 0"),
        ({"device": "gpu"}, "device must be one of auto, cpu, cuda, mps, not 'gpu'"),
        ({"spans_keys": "x"}, "spans_keys"),
        ({"context": "many"}, "context"),
    ],
)
def test_settings_that_make_no_sense_are_an_error(config: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        pipeline(None, **config)


def example(nlp: Language, gold: list[Span] | None, doc: Doc) -> Example:
    reference = doc.copy()
    reference.spans.clear()
    if gold is not None:
        reference.spans["disconer"] = [
            Span(reference, span.start, span.end, span.label_, span_id=span.id_) for span in gold
        ]
    return Example(nlp.make_doc(doc.text), reference)


def test_evaluation_is_strict(nlp: Language, doc: Doc) -> None:
    everything = list(doc.spans["disconer"])
    perfect = nlp.evaluate([example(nlp, everything, doc)])
    assert (perfect["disconer_f"], perfect["disconer_disc_f"]) == (1, 1)
    with_gap = next(mention for mention in doc._.mentions if mention.is_discontinuous)
    torn = [span for span in everything if span.id_ != with_gap.extras["id"] or span.start_char == with_gap.start]
    scores = nlp.evaluate([example(nlp, torn, doc), example(nlp, None, doc)])
    mentions, gaps = len(doc._.mentions), sum(mention.is_discontinuous for mention in doc._.mentions)
    assert scores["disconer_p"] == pytest.approx((mentions - 1) / mentions)
    assert scores["disconer_disc_r"] == 1
    assert scores["disconer_disc_p"] == pytest.approx((gaps - 1) / gaps)
    assert set(scores["disconer_per_type"]) == {"ADR", "Drug"}


def test_without_gold_there_are_no_scores(nlp: Language, doc: Doc) -> None:
    scores = nlp.evaluate([example(nlp, None, doc)])
    assert scores["disconer_f"] is None
    assert scores["disconer_disc_f"] is None


# A fresh process


def test_spacy_finds_the_component_by_itself() -> None:
    program = (
        "import sys\n"
        "sys.modules['torch'] = None\n"  # which spaCy imports where it is, and which registering must not need
        "import spacy\n"
        "nlp = spacy.blank('en')\n"
        "nlp.add_pipe('disconer', config={'model': 'somebody/model'})\n"
        "is_cheap = 'disconer.recognizer' not in sys.modules\n"
        "print(nlp.pipe_names, spacy.tokens.Doc.has_extension('mentions'), is_cheap)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True, check=True)
    assert done.stdout == "['disconer'] True True\n"
