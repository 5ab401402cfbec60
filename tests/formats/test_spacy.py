import gc
import json
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import spacy
import srsly  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin, Span
from spacy.vocab import Vocab

from disconer import Document, InputError, Mention, Split, read, write
from disconer.exceptions import CannotHoldError
from disconer.tokenize import Layout
from tests.formats.extremes import LAYOUTS, nested
from tests.strategies import LABELS, documents, extras, layouts, word_mentions

TEXT = "Severe joint and shoulder pain.\nNo fever  today."
EXAMPLE = Document(
    TEXT,
    [("ADR", [(0, 12), (26, 30)]), ("ADR", [(0, 6), (17, 30)]), ("Negated", [(32, 40)])],
    "d1",
    {"source": ["forum", 3]},
)


def docs_in(path: Path) -> list[Doc]:
    return list(DocBin().from_disk(path).get_docs(Vocab()))


def saved(path: Path, *docs: Doc) -> Path:
    DocBin(store_user_data=True, docs=docs).to_disk(path)
    return path


def words_of(text: str) -> Doc:
    return spacy.blank("xx")(text)


def test_spacy_sees_the_text_of_every_fragment(tmp_path: Path) -> None:
    write([EXAMPLE], tmp_path / "a.spacy")
    (doc,) = docs_in(tmp_path / "a.spacy")
    assert doc.text == TEXT
    assert [(span.text, span.label_, span.id_) for span in doc.spans["disconer"]] == [
        ("Severe joint", "ADR", "m1"),
        ("pain", "ADR", "m1"),
        ("Severe", "ADR", "m2"),
        ("shoulder pain", "ADR", "m2"),
        ("No fever", "Negated", "m3"),
    ]


def test_spacy_sees_words_and_sentences(tmp_path: Path) -> None:
    write([EXAMPLE], tmp_path / "a.spacy")
    (doc,) = docs_in(tmp_path / "a.spacy")
    assert [token.text for token in doc][4:] == ["pain", ".", "\n", "No", "fever", " ", "today", "."]
    assert [sentence.text for sentence in doc.sents] == ["Severe joint and shoulder pain.\n", "No fever  today."]


def test_a_doc_that_is_written_again_by_spacy_says_the_same(tmp_path: Path) -> None:
    write([EXAMPLE], tmp_path / "a.spacy")
    assert list(read(saved(tmp_path / "b.spacy", *docs_in(tmp_path / "a.spacy")))) == [EXAMPLE]


@settings(max_examples=30)
@given(documents=st.lists(documents(), max_size=2))
def test_all_but_what_cuts_tokens_survives_a_round_trip(
    tmp_path_factory: pytest.TempPathFactory, documents: list[Document]
) -> None:
    path = tmp_path_factory.mktemp("spacy") / "a.spacy"
    losses = write(documents, path, lossy=True)
    assert [doc.text for doc in docs_in(path)] == [document.text for document in documents]
    back = list(read(path))
    assert [document.layout.sentences for document in back] == [document.layout.sentences for document in documents]
    assert [(document.layout, document.id, document.extras) for document in back] == [
        (document.layout, document.id, document.extras) for document in documents
    ]
    if not losses.lines():
        assert back == documents
    if not losses.left_out:
        details = [[(mention.label, mention.score, mention.extras) for mention in document] for document in documents]
        assert details == [
            [(mention.label, mention.score, mention.extras) for mention in document] for document in back
        ]
    assert write(back, path).lines() == []
    assert list(read(path)) == back


@pytest.mark.parametrize("layout", LAYOUTS)
def test_words_and_sentences_come_back_whoever_found_them(tmp_path: Path, layout: Layout) -> None:
    write([Document(layout)], tmp_path / "a.spacy")
    (back,) = read(tmp_path / "a.spacy")
    assert (back.layout.sentences, back.layout.words) == (layout.sentences, layout.words)


def test_unknown_keys_with_the_names_of_ours_survive_or_are_counted(tmp_path: Path) -> None:
    names = ("id", "text", "entities", "sentences", "words", "label", "spans", "score", "disconer", "kb_id")
    extras = dict.fromkeys(names, "x")
    document = Document("a", [Mention("X", [(0, 1)], "a", extras=extras)], "d", extras)
    losses = write([document], tmp_path / "a.spacy")
    (back,) = read(tmp_path / "a.spacy")
    assert back.extras == dict.fromkeys(names[5:], "x")
    assert back.mentions[0].extras == dict.fromkeys((*names[:5], *names[8:]), "x")
    assert losses.noted == {
        **{f"values of the key {name!r}": 1 for name in names[:5]},
        **{f"values of the mentions' key {name!r}": 1 for name in names[5:8]},
    }


def test_keys_that_are_nested_too_deeply_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nested too deeply"):
        write([Document("a", extras={"k": nested()})], tmp_path / "a.spacy")
    assert not list(tmp_path.iterdir())


@st.composite
def word_documents(draw: st.DrawFn) -> Document:
    """Draw a document whose mentions are runs of whole words."""
    layout = draw(layouts())
    found = []
    for sentence in Document(layout).sentences:
        if sentence.word_spans:
            for drawn in draw(st.lists(word_mentions(len(sentence.word_spans)), max_size=2)):
                mention = sentence.mention(drawn)
                known = draw(extras(("label", "spans", "score")))
                found.append(Mention(draw(LABELS), mention.fragments, layout, draw(st.none() | st.floats(0, 1)), known))
    return Document(layout, found, draw(st.none() | st.integers() | st.text(max_size=5)))


@settings(max_examples=30)
@given(document=word_documents())
def test_mentions_of_whole_words_survive_and_spacy_sees_them(
    tmp_path_factory: pytest.TempPathFactory, document: Document
) -> None:
    path = tmp_path_factory.mktemp("spacy") / "a.spacy"
    losses = write([document], path)
    assert losses.lines() == []
    assert list(read(path)) == [document]
    (doc,) = docs_in(path)
    fragments = [document.text[start:end] for mention in document for start, end in mention.fragments]
    assert [span.text for span in doc.spans["disconer"]] == fragments


def test_ids_of_mentions_become_ids_of_spans(tmp_path: Path) -> None:
    layout = Layout("a b c d e")
    own: list[Any] = ["m2", None, "m2", 5, "\ud83d"]
    found = [
        Mention("X", [(2 * number, 2 * number + 1)], layout, extras={} if value is None else {"id": value})
        for number, value in enumerate(own)
    ]
    document = Document(layout, found)
    losses = write([document], tmp_path / "a.spacy")
    (doc,) = docs_in(tmp_path / "a.spacy")
    assert [span.id_ for span in doc.spans["disconer"]] == ["m2", "m1", "m3", "m4", "m5"]
    assert losses.lines() == []
    assert list(read(tmp_path / "a.spacy")) == [document]


def test_what_it_cannot_hold_is_counted(tmp_path: Path) -> None:
    layout = Layout("abc def-ghi", given_words=((0, 3), (4, 11)))
    found = [("X", [(0, 2)]), ("X", [(4, 6), (8, 11)]), ("X", [(3, 4)]), ("X", [(0, 3), (4, 11)])]
    document = Document(layout, found)
    with pytest.raises(CannotHoldError, match=r"1 that hold no token\): add --lossy"):
        write([document], tmp_path / "a.spacy")
    assert not list(tmp_path.iterdir())
    losses = write([document], tmp_path / "a.spacy", lossy=True)
    assert losses.lines() == [
        "mentions that hold no token (1)",
        "mentions widened to whole words (2)",
        "mentions whose gap holds no word, closed (1)",
    ]
    (back,) = read(tmp_path / "a.spacy")
    assert [mention.text for mention in back] == ["abc", "def-ghi", "abc def-ghi"]


def test_a_gap_without_a_word_is_a_gap_of_tokens(tmp_path: Path) -> None:
    document = Document("joint \u200b pain", [("X", [(0, 5), (8, 12)]), ("Y", [(6, 7)])])
    assert write([document], tmp_path / "a.spacy").lines() == []
    assert list(read(tmp_path / "a.spacy")) == [document]


def test_spans_of_our_group_that_share_id_and_label_are_one_mention(tmp_path: Path) -> None:
    doc = words_of("Severe joint and shoulder pain today")
    doc.spans["disconer"] = [
        Span(doc, 0, 1, "A", span_id="one"),
        Span(doc, 3, 4, "B", span_id="one"),
        Span(doc, 4, 5, "A", span_id="one", kb_id="Q7"),
        Span(doc, 5, 6, "A"),
        Span(doc, 0, 2, "A", kb_id="Q8"),
    ]
    doc.spans["sc"] = [Span(doc, 0, 6, "no")]
    (document,) = read(saved(tmp_path / "a.spacy", doc))
    assert [(mention.label, mention.text, dict(mention.extras)) for mention in document] == [
        ("A", "Severe pain", {"id": "one"}),
        ("B", "shoulder", {"id": "one"}),
        ("A", "today", {}),
        ("A", "Severe joint", {"kb_id": "Q8"}),
    ]


def test_without_our_group_spacys_default_group_is_read_a_mention_a_span(tmp_path: Path) -> None:
    doc = words_of("pain and pain")
    doc.spans["sc"] = [Span(doc, 0, 1, "A", span_id="pattern"), Span(doc, 2, 3, "A", span_id="pattern")]
    doc.spans["others"] = [Span(doc, 0, 3, "no")]
    doc.set_ents([Span(doc, 1, 2, "no")])
    (document,) = read(saved(tmp_path / "a.spacy", doc))
    assert [mention.key[1][0].start for mention in document] == [0, 9]
    assert [mention.extras for mention in document] == [{"id": "pattern"}] * 2


def test_without_groups_entities_are_read(tmp_path: Path) -> None:
    doc = words_of("Severe joint pain and fever")
    doc.set_ents([Span(doc, 0, 3, "ADR", kb_id="Q1"), Span(doc, 4, 5, "ADR")])
    (document,) = read(saved(tmp_path / "a.spacy", doc))
    assert [(mention.text, dict(mention.extras)) for mention in document] == [
        ("Severe joint pain", {"kb_id": "Q1"}),
        ("fever", {}),
    ]


def labels_in(path: Path) -> list[str]:
    (document,) = read(path)
    return [mention.label for mention in document]


def doc_with(groups: dict[str, list[str]], *entities: str) -> Doc:
    """Make a Doc of three tokens with groups of spans and entities, all told apart by their labels."""
    doc = words_of("Severe joint pain")
    for name, labels in groups.items():
        doc.spans[name] = [Span(doc, 0, 2, label) for label in labels]
    doc.set_ents([Span(doc, index, index + 1, label) for index, label in enumerate(entities)])
    return doc


@pytest.mark.parametrize(
    ("groups", "entities", "expected"),
    [
        ({"mine": ["A"]}, [], ["A"]),
        ({"mine": ["A"], "none": []}, ["E"], ["A"]),
        ({"sc": [], "mine": ["A"]}, ["E"], ["A"]),
        ({"sc": []}, ["E"], ["E"]),
        ({"sc": ["S"], "mine": ["A"], "other": ["B"]}, ["E"], ["S"]),
        ({"mine": ["A"], "other": ["B"]}, ["E"], ["E"]),
        ({"mine": [], "other": []}, [], []),
        ({"disconer": [], "sc": ["S"], "mine": ["A"]}, ["E"], []),
    ],
)
def test_groups_of_others_come_in_an_order(
    tmp_path: Path, groups: dict[str, list[str]], entities: list[str], expected: list[str]
) -> None:
    assert labels_in(saved(tmp_path / "a.spacy", doc_with(groups, *entities))) == expected


def test_which_of_several_groups_is_meant_must_be_said(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.spacy", doc_with({}), doc_with({"theirs": ["B"], "mine": ["A"]}))
    complaint = r"a\.spacy:2: there are 2 groups of spans \('mine', 'theirs'\): rename the one to read to 'sc'"
    with pytest.raises(InputError, match=complaint):
        list(read(path))


def test_tokens_of_others_are_given_words_and_marked_sentences_given(tmp_path: Path) -> None:
    doc = Doc(Vocab(), words=["Mild", "\n", "joint-pain", ".", " ", "Gone", "!"], spaces=[False] * 7)
    (document,) = read(saved(tmp_path / "a.spacy", doc))
    assert document.layout.given_words == ((0, 4), (5, 15), (15, 16), (17, 21), (21, 22))
    assert document.layout.given_sentences is None
    doc[5].is_sent_start = True
    for index in (1, 2, 3, 4, 6):
        doc[index].is_sent_start = False
    (document,) = read(saved(tmp_path / "a.spacy", doc))
    assert document.layout.given_sentences == ((0, 16), (17, 22))


@pytest.mark.parametrize("split", list(Split))
def test_sentences_that_nobody_marked_are_found_as_told(tmp_path: Path, split: Split) -> None:
    doc = Doc(Vocab(), words=["One", ".", "Two", "."], spaces=[False, True, False, False])
    (document,) = read(saved(tmp_path / "a.spacy", doc), split=split)
    assert len(document.sentences) == (2 if split is Split.ALWAYS else 1)


def merge(doc: Doc) -> None:
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[0:2])


def unite(doc: Doc) -> None:
    for token in doc[1:]:
        token.is_sent_start = False


@pytest.mark.parametrize(("change", "words", "sentences"), [(merge, 9, 2), (unite, 10, 1)])
def test_tokens_and_sentences_that_somebody_changed_are_the_truth(
    tmp_path: Path, change: Callable[[Doc], None], words: int, sentences: int
) -> None:
    write([EXAMPLE], tmp_path / "a.spacy")
    (doc,) = docs_in(tmp_path / "a.spacy")
    change(doc)
    bin_ = DocBin(attrs=["SENT_START"], store_user_data=True, docs=[doc])
    bin_.to_disk(tmp_path / "b.spacy")
    (document,) = read(tmp_path / "b.spacy")
    assert (len(document.layout.words), len(document.layout.sentences)) == (words, sentences)
    assert document.layout.is_given
    assert (document.id, document.extras) == (EXAMPLE.id, EXAMPLE.extras)


def test_mentions_that_somebody_added_or_removed_are_the_truth(tmp_path: Path) -> None:
    layout = Layout("Joint pain")
    write([Document(layout, [Mention("A", [(0, 5)], layout, 0.5), Mention("A", [(6, 10)], layout, 0.25)])],
          tmp_path / "a.spacy")  # fmt: skip
    (doc,) = docs_in(tmp_path / "a.spacy")
    doc.spans["disconer"] = [Span(doc, 0, 2, "B", span_id="new"), doc.spans["disconer"][1]]
    (document,) = read(saved(tmp_path / "b.spacy", doc))
    assert [(mention.label, mention.text, mention.score, dict(mention.extras)) for mention in document] == [
        ("B", "Joint pain", None, {"id": "new"}),
        ("A", "pain", 0.25, {}),
    ]


def test_no_documents_and_empty_documents_come_through(tmp_path: Path) -> None:
    for expected in ([], [Document("")], [Document(""), EXAMPLE, Document(" ")]):
        write(expected, tmp_path / "a.spacy")
        assert list(read(tmp_path / "a.spacy")) == expected


@pytest.fixture
def message(tmp_path: Path) -> dict[str, Any]:
    """What is inside a DocBin."""
    write([Document("fine"), EXAMPLE], tmp_path / "a.spacy")
    content: dict[str, Any] = srsly.msgpack_loads(zlib.decompress((tmp_path / "a.spacy").read_bytes()))
    return content


@pytest.mark.parametrize("key", ["attrs", "tokens", "spaces", "lengths", "strings", "span_groups", "user_data"])
@pytest.mark.parametrize("value", [None, 3, "x", b"x" * 7, [3], {"a": 1}])
def test_docbins_that_are_damaged_are_an_error(
    tmp_path: Path, message: dict[str, Any], key: str, value: object
) -> None:
    path = tmp_path / "bad.spacy"
    path.write_bytes(zlib.compress(srsly.msgpack_dumps({**message, key: value})))
    with pytest.raises(InputError, match=r"bad\.spacy(:1)?: this is not a DocBin of spaCy's, or it is damaged"):
        list(read(path))
    assert gc.isenabled()


@pytest.mark.parametrize("content", [b"", b"x", zlib.compress(b""), zlib.compress(b"\xc1"), zlib.compress(b"\x90")])
def test_files_that_are_no_docbins_are_an_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.spacy").write_bytes(content)
    with pytest.raises(InputError, match=r"bad\.spacy: this is not a DocBin"):
        list(read(tmp_path / "bad.spacy"))
    assert gc.isenabled()
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        list(read(tmp_path, "spacy"))


@pytest.mark.parametrize(
    ("told", "complaint"),
    [
        (3, "is not what disconer writes there: remove it"),
        ("nonsense", "is not what disconer writes there: remove it"),
        ({}, "is not what disconer writes there: remove it"),
        ({"document": [], "mentions": {}}, "is not what disconer writes there: remove it"),
        ({"document": {}, "mentions": {"m1": 3}}, "is not what disconer writes there: remove it"),
        ({"document": {"words": 3}, "mentions": {}}, "'words' must hold a list"),
        ({"document": {"words": [[0, 999]]}, "mentions": {}}, "the word 0-999 lies outside"),
        ({"document": {"id": {}}, "mentions": {}}, "an id must be"),
        ({"document": {}, "mentions": {"m1": {"score": 2}}}, "score"),
    ],
)
def test_user_data_that_make_no_sense_are_an_error(tmp_path: Path, told: object, complaint: str) -> None:
    write([EXAMPLE, EXAMPLE], tmp_path / "a.spacy")
    first, second = docs_in(tmp_path / "a.spacy")
    second.user_data["disconer"] = json.dumps(told) if isinstance(told, dict) else told
    path = saved(tmp_path / "bad.spacy", first, second)
    documents = read(path)
    assert next(documents) == EXAMPLE
    with pytest.raises(InputError, match=complaint) as caught:
        next(documents)
    assert (caught.value.path, caught.value.line) == (path, 2)


def test_spans_of_a_mention_that_overlap_are_an_error(tmp_path: Path) -> None:
    doc = words_of("Severe joint pain")
    doc.spans["disconer"] = [Span(doc, 0, 2, "A", span_id="one"), Span(doc, 1, 3, "A", span_id="one")]
    with pytest.raises(InputError, match=r"a\.spacy:1: the fragments 0-12 and 7-17 overlap"):
        list(read(saved(tmp_path / "a.spacy", doc)))


def failing() -> Iterator[Document]:
    yield Document("one")
    raise InputError("the second is bad")


def test_nothing_is_left_of_a_write_that_fails(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the second is bad"):
        write(failing(), tmp_path / "a.spacy")
    assert not list(tmp_path.iterdir())
