from pathlib import Path

import pytest
from bioc import pubtator as reference
from hypothesis import given, settings
from hypothesis import strategies as st

from disconer import Document, InputError, Mention, Split, read, write
from disconer.exceptions import CannotHoldError
from disconer.formats import detect_input
from disconer.formats.pubtator import looks_like
from disconer.tokenize import Layout
from tests.strategies import CHARACTERS

EXAMPLE = """\
101|t|Joint and shoulder pain.
101|a|Both came with aspirin.
101\t0\t23\tJoint and shoulder pain\tDisease\tD1|D2\tjoint pain|shoulder pain
101\t40\t47\taspirin\tChemical\tC1
101\t6\t9\tand\tOther\t-
101\tCID\tC1\tD1
101\tAssociation\tC1\t5243\tNovel

102|t|Nothing here.
102|a|

"""
BREAKS = "\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
COLUMNS = st.text(CHARACTERS.filter(lambda character: character not in BREAKS), min_size=1, max_size=8)
LINES = st.text(CHARACTERS.filter(lambda character: character not in BREAKS[1:]), max_size=20)


@st.composite
def articles(draw: st.DrawFn) -> Document:
    title, abstract = draw(LINES), draw(LINES)
    layout = Layout(f"{title.rstrip()}\n{abstract}" if abstract else title, split=Split.ALWAYS)
    length = len(layout.text)
    found = []
    for _ in range(draw(st.integers(0, 3)) if length else 0):
        start = draw(st.integers(0, length - 1))
        held = {}
        if draw(st.booleans()):
            held = {"concept": draw(COLUMNS.filter(lambda concept: concept != "-")), "pubtator": [draw(COLUMNS)]}
        found.append(Mention(draw(COLUMNS), [(start, draw(st.integers(start + 1, length)))], layout, extras=held))
    relations = draw(st.lists(st.lists(COLUMNS, max_size=3).map(lambda columns: ["CID", *columns]), max_size=2))
    identifier = draw(COLUMNS.filter(lambda name: "|" not in name and name.strip() == name.lstrip("\ufeff") == name))
    return Document(layout, found, identifier, {"pubtator": relations} if relations else None)


def written(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def test_reads_articles_concepts_and_relations(tmp_path: Path) -> None:
    path = written(tmp_path / "corpus.txt", EXAMPLE)
    assert detect_input(path).name == "pubtator"
    first, second = read(path)
    assert (first.id, first.text) == ("101", "Joint and shoulder pain.\nBoth came with aspirin.")
    assert [(mention.label, mention.text, dict(mention.extras)) for mention in first] == [
        ("Disease", "Joint and shoulder pain", {"concept": "D1|D2", "pubtator": ["joint pain|shoulder pain"]}),
        ("Chemical", "aspirin", {"concept": "C1"}),
        ("Other", "and", {}),
    ]
    assert first.extras == {"pubtator": [["CID", "C1", "D1"], ["Association", "C1", "5243", "Novel"]]}
    assert (second.id, second.text, second.mentions) == ("102", "Nothing here.", ())


def test_writes_what_it_reads(tmp_path: Path) -> None:
    losses = write(read(written(tmp_path / "corpus.pubtator", EXAMPLE)), tmp_path / "again.pubtator")
    assert (tmp_path / "again.pubtator").read_text(encoding="utf-8") == EXAMPLE
    assert losses.lines() == []


@settings(max_examples=50)
@given(documents=st.lists(articles(), max_size=3, unique_by=lambda article: article.id))
def test_articles_survive_a_round_trip(tmp_path_factory: pytest.TempPathFactory, documents: list[Document]) -> None:
    path = tmp_path_factory.mktemp("pubtator") / "articles.pubtator"
    losses = write(documents, path)
    back = list(read(path))
    assert back == documents
    assert [document.layout.sentences for document in back] == [document.layout.sentences for document in documents]
    assert losses.lines() == []


@pytest.mark.parametrize(
    "text",
    [
        "Joint pain. \r\n\r\nAll\u2028day\tlong, it hurts.",
        "Just a title: joint pain",
        "\njoint pain",
        "Joint\rpain\x85in hips",
    ],
)
def test_the_reference_library_reads_what_is_written(tmp_path: Path, text: str) -> None:
    start = text.index("pain")
    mentions = [
        Mention("Symptom", [(start, start + 4)], text, extras={"concept": "D1"}),
        Mention("Text", [(0, len(text))], text),
    ]
    write([Document(text, mentions, 7, {"pubtator": [["CID", "D1", "D2"]]})], tmp_path / "a.pubtator")
    with (tmp_path / "a.pubtator").open(encoding="utf-8", newline="") as stream:
        (article,) = reference.load(stream)
    assert article.pmid == "7"
    assert len(article.text) == len(text)
    assert next(article.text[one.start : one.end] for one in article.annotations) == "pain"
    assert [(one.type, one.id) for one in article.annotations] == [("Symptom", "D1"), ("Text", "-")]
    assert [(one.type, one.id1, one.id2) for one in article.relations] == [("CID", "D1", "D2")]


def test_what_the_reference_library_writes_is_read(tmp_path: Path) -> None:
    article = reference.PubTator("7", "Joint pain.", "It hurts.")
    article.add_annotation(reference.PubTatorAnn("7", 15, 20, "hurts", "Symptom", "D1"))
    article.add_relation(reference.PubTatorRel("7", "CID", "D1", "D2"))
    path = written(tmp_path / "a.pubtator", reference.dumps([article, reference.PubTator("8", "Only a title.")]))
    first, second = read(path)
    assert [(mention.label, mention.text) for mention in first] == [("Symptom", "hurts")]
    assert dict(first.mentions[0].extras) == {"concept": "D1"}
    assert second.text == "Only a title."


def test_a_missing_empty_line_windows_line_ends_and_a_byte_order_mark_will_do(tmp_path: Path) -> None:
    path = tmp_path / "a.pubtator"
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(EXAMPLE.rstrip().replace("\n\n", "\n").split("\n")).encode())
    assert [len(document) for document in read(path)] == [3, 0]


def test_empty_columns_say_nothing(tmp_path: Path) -> None:
    path = written(tmp_path / "a.pubtator", "1|t|joint pain\n1\t0\t5\tjoint\tX\tD1\t\n1\t6\t10\tpain\tX\t\t\n")
    assert [dict(mention.extras) for mention in next(read(path))] == [{"concept": "D1"}, {}]


@pytest.mark.parametrize("text", ["\r", "joint\n", "joint \n\n", " \n "])
def test_a_mention_at_the_very_end_stays_inside_the_text(tmp_path: Path, text: str) -> None:
    write([Document(text, [("X", [(0, len(text))])])], tmp_path / "a.pubtator")
    assert [tuple(mention.fragments[0]) for mention in next(read(tmp_path / "a.pubtator"))] == [(0, len(text))]


def test_line_breaks_become_spaces_and_offsets_hold(tmp_path: Path) -> None:
    text = "Title \r\nOne\nTwo pains\n"
    losses = write([Document(text, [("X", [(12, 21)])])], tmp_path / "a.pubtator")
    (document,) = read(tmp_path / "a.pubtator")
    assert document.text == "Title\n  One Two pains "
    assert document.mentions[0].text == "Two pains"
    assert losses.lines() == ["texts whose line breaks are replaced by spaces (1)"]


def test_a_title_is_a_sentence(tmp_path: Path) -> None:
    path = written(tmp_path / "a.pubtator", "1|t|A title\n1|a|goes on here\n")
    assert [len(next(read(path, split=split)).sentences) for split in (Split.ALWAYS, Split.NEVER)] == [2, 1]


def test_gaps_are_left_out_with_consent(tmp_path: Path) -> None:
    text = "joint and hip pain"
    mentions = [Mention("A", [(0, 5), (14, 18)], text), Mention("A", [(10, 18)], text, 0.5, {"k": 1, "concept": 7})]
    document = Document(Layout(text, given_words=((0, 5),)), mentions, "a|b", {"pubtator": "CID", "concept": "D1"})
    with pytest.raises(CannotHoldError, match=r"1 with gaps\): add --lossy"):
        write([document], tmp_path / "a.pubtator")
    assert not list(tmp_path.iterdir())
    losses = write([document], tmp_path / "a.pubtator", lossy=True)
    name = "document-1"
    lines = f"{name}|t|{text}\n{name}|a|\n{name}\t10\t18\thip pain\tA\t-\n\n"
    assert (tmp_path / "a.pubtator").read_text() == lines
    assert set(losses.lines()) == {
        "mentions with gaps (1)",
        "scores (1)",
        "values of the mentions' key 'k' (1)",
        "values of the mentions' key 'concept' (1)",
        "values of the key 'concept' (1)",
        "values of the key 'pubtator' (1)",
        "texts whose words or sentences PubTator would find elsewhere (1)",
        "ids that PubTator cannot hold, replaced (1)",
    }


def test_documents_without_an_id_get_one_that_no_article_has(tmp_path: Path) -> None:
    documents = [Document("a"), Document("b", id="1"), Document("c", id=""), Document("d", id=9)]
    losses = write(documents, tmp_path / "a.pubtator")
    assert [document.id for document in read(tmp_path / "a.pubtator")] == ["document-1", "1", "document-3", "9"]
    assert losses.lines() == ["ids that are numbers, written as text (1)"]
    with (tmp_path / "a.pubtator").open(encoding="utf-8") as stream:
        assert next(iter(reference.load(stream))).pmid == "document-1"


def test_ids_that_follow_themselves_are_counted(tmp_path: Path) -> None:
    losses = write([Document("a", id="1"), Document("b", id="1"), Document("c", id="2")], tmp_path / "a.pubtator")
    assert losses.lines() == ["ids that the document before has as well (1)"]


def test_texts_that_are_not_at_the_offsets_are_kept_and_counted(tmp_path: Path) -> None:
    path = written(tmp_path / "a.pubtator", "1|t|joint pain\n1\t0\t5\tpain\tX\n")
    (document,) = read(path)
    assert dict(document.mentions[0].extras) == {"text": "pain"}
    assert write([document], tmp_path / "b.pubtator").lines() == ["values of the mentions' key 'text' (1)"]


def test_offsets_may_count_utf16_code_units(tmp_path: Path) -> None:
    path = written(tmp_path / "a.pubtator", "1|t|🙂 joint pain\n1\t9\t13\tpain\tX\n1\t3\t8\tjoint\tX\n")
    assert [mention.text for mention in next(read(path))] == ["pain", "joint"]


@pytest.mark.parametrize(
    ("line", "number", "complaint"),
    [
        ("Some text", 3, "must begin with the id of its article, '1'"),
        ("2\t0\t1\ta\tX", 3, "must begin with the id of its article, '1'"),
        ("2|a|abstract", 3, "must begin with the id of its article, '1'"),
        ("1|t", 3, "must begin with the id of its article, '1'"),
        ("1|a|one\n1|a|two", 4, "must begin with the id of its article, '1'"),
        ("1\t0\t1", 3, "this is neither"),
        ("1", 3, "this is neither"),
        ("1\t0\tone\ta\tX", 3, "this is neither"),
        ("1\t-1\t1\ta\tX", 3, "this is neither"),
        ("1\t0\t" + "9" * 30 + "\ta\tX", 3, "this is neither"),
        ("1\t0\t99\ta\tX", 3, "the fragment 0-99 lies outside"),
        ("1\t1\t1\ta\tX", 3, "empty or reversed"),
        ("1\t0\t1\ta\t", 3, "a mention needs a label"),
        ("\n1\t0\t1\ta\tX", 4, "an article must begin with a line"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, line: str, number: int, complaint: str) -> None:
    path = written(tmp_path / "bad.pubtator", f"0|t|fine\n\n1|t|abc\n{line}\n".replace("\n\n1|t", "\n1|t"))
    documents = read(path)
    assert next(documents).text == "fine"
    with pytest.raises(InputError, match=complaint) as caught:
        list(documents)
    assert (caught.value.path, caught.value.line) == (path, number)


@pytest.mark.parametrize("label", ["X\tY", "X\nY", "X\u2028Y"])
def test_what_it_has_no_way_to_write_is_an_error(tmp_path: Path, label: str) -> None:
    with pytest.raises(CannotHoldError, match=r"^document 'd2': the label "):
        write([Document("fine"), Document("a", [(label, [(0, 1)])], "d2")], tmp_path / "out.pubtator")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (EXAMPLE, True),
        ("\n\nPMC_1|t|\n", True),
        ("1|a|abstract\n", False),
        ("a b\n0,0 X|1,1 Y\n\n", False),
        ("", False),
    ],
)
def test_recognises_itself(tmp_path: Path, text: str, expected: bool) -> None:
    assert looks_like(written(tmp_path / "a.txt", text)) is expected
