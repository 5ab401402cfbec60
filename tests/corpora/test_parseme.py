from pathlib import Path
from typing import Any

import pytest

from disconer import Document, InputError
from disconer.corpora import find_corpus
from disconer.corpora.building import BuiltCorpus, build
from disconer.corpora.corpus import Request
from disconer.exceptions import FormatError
from tests.corpora.downloads import folder_of, tar_of, zip_of

HEAD = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC PARSEME:MWE\n"


def row(number: str, form: str, codes: str = "*", misc: str = "_") -> str:
    return "\t".join((number, form, *"_" * 7, misc, codes))


def block(*rows: str, text: str | None = None, identifier: str | None = ". . 1") -> str:
    comments = [f"# source_sent_id = {identifier}"] if identifier else []
    return "\n".join([*comments, *([f"# text = {text}"] if text else []), *rows, "", ""])


LET_DOWN = block(
    row("1", "She"), row("2", "let", "1:VPC.full;2:VID"), row("3", "us"), row("4", "down", "1"),
    row("5", "easy", "2", "SpaceAfter=No"), row("6", "."),
    text="She  let us down easy.",
)  # fmt: skip


def built(tmp_path: Path, content: str | bytes, **wishes: Any) -> BuiltCorpus:
    return build(find_corpus("parseme"), folder_of(tmp_path / "raw", {"EN/train.cupt": content}), Request(**wishes))


def all_of(found: BuiltCorpus) -> list[Document]:
    return [document for documents in found.splits.values() for document in documents]


def said(document: Document) -> list[tuple[str, str]]:
    return [(mention.label, mention.text) for mention in document]


def test_expressions_with_gaps_that_share_a_word(tmp_path: Path) -> None:
    found = built(tmp_path, HEAD + LET_DOWN)
    (document,) = all_of(found)
    assert document.text == "She  let us down easy."
    assert document.id == ". . 1:0-22"
    assert document.layout.words == ((0, 3), (5, 8), (9, 11), (12, 16), (17, 21), (21, 22))
    assert document.layout.sentences == ((0, 22),)
    assert said(document) == [("VPC.full", "let down"), ("VID", "let easy")]
    assert [mention.extras["id"] for mention in document] == ["1", "2"]
    assert found.ledger.counts() == {"skipped": {}, "changed": {}}


def test_contracted_words_are_words_of_the_text(tmp_path: Path) -> None:
    content = block(
        row("1", "Il"), row("2", "fait", "1:VID"), row("3-4", "du", "*"), row("3", "de", "1"), row("4", "le"),
        row("5", "bruit", "1"), row("6-7", "aux", "_"), row("6", "à", "2:IAV"), row("7", "les", "2"),
        row("8", "uns", "2"),
        text="Il fait du bruit aux uns",
    )  # fmt: skip
    found = built(tmp_path, HEAD + content)
    (document,) = all_of(found)
    assert [document.text[slice(*word)] for word in document.layout.words] == [
        "Il",
        "fait",
        "du",
        "bruit",
        "aux",
        "uns",
    ]
    assert said(document) == [("VID", "fait du bruit"), ("IAV", "aux uns")]
    assert found.ledger.changed == [
        ("a part of a contracted word, widened to the whole", "file EN/train.cupt line 4 expression '1'")
    ]


@pytest.mark.parametrize("text", [None, "Il fait du de le bruit!", "Il fait du bruit! Oui"])
def test_a_text_that_differs_is_made_of_the_words(tmp_path: Path, text: str | None) -> None:
    content = block(
        row("1", "Il"), row("2", "fait", "1:VID"), row("3-4", "du"), row("3", "de"),
        row("4", "le", misc="SpaceAfter=No"),
        row("5", "bruit", "1", "Gloss=x|SpaceAfter=No"), row("6", "!"),
        text=text,
    )  # fmt: skip
    found = built(tmp_path, HEAD + content)
    (document,) = all_of(found)
    assert document.text == "Il fait du bruit!"
    assert said(document) == [("VID", "fait bruit")]
    reason = "a text that differs from its words, made of them"
    assert found.ledger.counts()["changed"] == ({reason: 1} if text else {})


def test_words_may_hold_blanks_and_empty_nodes_are_nowhere(tmp_path: Path) -> None:
    content = block(
        row("1", "10 000", "1:VID"), row("1.1", "go", "1"), row("2", "went"), row("2.1", "so", "2:VID"),
        row("3", "by", "1", "SpaceAfter=No"), row("4", "…"),
        text="10 000 went by…",
    )  # fmt: skip
    found = built(tmp_path, HEAD + content)
    (document,) = all_of(found)
    assert said(document) == [("VID", "10 000 by")]
    place = "file EN/train.cupt line 4 expression"
    assert found.ledger.changed == [("an expression with words that are not in the text", f"{place} '1'")]
    assert found.ledger.skipped == [("an expression without a word of the text", f"{place} '2'")]


@pytest.mark.parametrize(
    ("codes", "kind", "reason"),
    [
        ("1", "skipped", "an expression without a category"),
        ("1:", "skipped", "an expression without a category"),
        ("1:_", "skipped", "an expression without a category"),
        ("1:*", "skipped", "an expression without a category"),
        ("1:VID;1:IRV", "changed", "an expression with several categories, the first one taken"),
        ("1:VID;", "skipped", "a sentence that does not follow the format"),
        (":VID", "skipped", "a sentence that does not follow the format"),
        ("1:VID 2", "skipped", "a sentence that does not follow the format"),
        ("_", "skipped", "a sentence without annotations"),
        ("", "skipped", "a sentence without annotations"),
    ],
)
def test_codes_that_say_too_little_or_too_much_are_told(tmp_path: Path, codes: str, kind: str, reason: str) -> None:
    content = block(row("1", "Go"), row("2", "on", codes), identifier=". . 2")
    found = built(tmp_path, HEAD + LET_DOWN + content)
    assert found.ledger.counts()[kind] == {reason: 1}
    assert len(all_of(found)) == (1 if "sentence" in reason else 2)


@pytest.mark.parametrize(
    "rows",
    [
        ["1\tGo\t*"],
        [row("x", "Go")],
        [row("1", " ")],
        [row("1", "Go"), row("1", "on")],
        [row("2", "Go")],
        [row("2-1", "Go"), row("1", "Go")],
        [row("1-999999", "Go"), row("1", "Go")],
        [row("1-3", "Go"), row("1-2", "G"), row("1", "Go")],
        [row("1-3", "Go"), row("1", "Go"), row("2-3", "o")],
        [row("1", "Go") + "\tmore"],
    ],
)
def test_sentences_that_do_not_follow_the_format_are_skipped(tmp_path: Path, rows: list[str]) -> None:
    found = built(tmp_path, HEAD + LET_DOWN + block(*rows))
    assert len(all_of(found)) == 1
    assert found.ledger.skipped == [
        ("a sentence that does not follow the format", "file EN/train.cupt line 12"),
    ]


def files(*languages: str) -> dict[str, str]:
    return {
        f"{language}/{name}": HEAD + block(row("1", language, "1:VID"), identifier=f". . {name}")
        for language in languages
        for name in ("train.cupt", "dev.cupt", "test.cupt", "test.blind.cupt", "README.md", "test.system.cupt")
    }


def test_the_splits_are_the_owners_and_blind_files_are_ignored(tmp_path: Path) -> None:
    found = build(find_corpus("parseme"), zip_of(tmp_path / "a.zip", files("EN")), Request())
    assert found.documents == {"train": 1, "dev": 1, "test": 1}
    assert [documents[0].id for documents in found.splits.values()] == [
        ". . train.cupt:0-2", ". . dev.cupt:0-2", ". . test.cupt:0-2",
    ]  # fmt: skip
    assert found.comparison == []


def test_without_dev_a_part_of_train_is_dev(tmp_path: Path) -> None:
    content = HEAD + "".join(block(row("1", "Go", "1:VID"), identifier=f". . {number}") for number in range(20))
    found = build(find_corpus("parseme"), tar_of(tmp_path / "EN.tgz", {"train.cupt": content}), Request(language="EN"))
    assert found.documents == {"train": 18, "dev": 2}


@pytest.mark.parametrize("language", ["FR", "fr"])
def test_a_language_is_chosen(tmp_path: Path, language: str) -> None:
    raw = tmp_path / "raw"
    raw.mkdir()
    for name in ("EN", "FR"):
        tar_of(raw / f"{name}.tgz", files(name))
    found = build(find_corpus("parseme"), raw, Request(language=language))
    assert {document.text for document in all_of(found)} == {"FR"}


@pytest.mark.parametrize(
    ("language", "message"),
    [
        (None, "there are several languages here, EN, FR: choose one with --language"),
        ("PL", "there is no language 'PL' here, only EN, FR"),
    ],
)
def test_a_language_that_is_not_clear_is_an_error(tmp_path: Path, language: str | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        build(find_corpus("parseme"), folder_of(tmp_path, files("EN", "FR")), Request(language=language))


def test_a_file_that_is_there_twice_is_read_once(tmp_path: Path) -> None:
    raw = folder_of(tmp_path, files("EN") | {f"copy/{name}": text for name, text in files("EN").items()})
    found = build(find_corpus("parseme"), raw, Request())
    assert found.documents == {"train": 1, "dev": 1, "test": 1}
    assert found.ledger.counts()["skipped"] == {"a second copy of a file": 3}


def test_ids_are_the_owners_or_else_numbers(tmp_path: Path) -> None:
    content = LET_DOWN + block("# sent_id = s2", row("1", "Go", "1:VID"), identifier=None) + block(
        "# just a word", row("1", "On"), identifier=None
    )  # fmt: skip
    found = built(tmp_path, "\ufeff" + content.replace("\n", "\r\n"), whole_documents=True)
    assert [document.id for document in all_of(found)] == [". . 1", "s2", "train-3"]


def identified(*names: tuple[str | None, str | None]) -> str:
    """Write sentences that are called so by their source and by themselves."""
    own = ([f"# sent_id = {name}"] if name else [] for _, name in names)
    return HEAD + "".join(
        block(*comments, row("1", "Go", "1:VID"), identifier=source)
        for comments, (source, _) in zip(own, names, strict=True)
    )


@pytest.mark.parametrize(
    ("names", "identifiers", "numbered"),
    [
        ([(". . a", "s1"), (". . b", "s2")], [". . a", ". . b"], 0),
        ([(". f .", "s1"), (". f .", "s2"), (". g .", "s3")], ["s1", "s2", ". g ."], 0),
        ([(". f .", None), (". f .", None), (". f .", "s3")], [". f .", ". f .-2", "s3"], 1),
        ([(". f .", "s"), (". f .", "s"), ("x", "s"), (". f .-2", None)], [". f .", ". f .-3", "x", ". f .-2"], 1),
        ([(None, "s"), (None, "s"), (None, None), ("s", "t")], ["s", "s-2", "train-3", "t"], 1),
    ],
)
def test_sentences_that_share_an_id_have_one_of_their_own(
    tmp_path: Path, names: list[tuple[str | None, str | None]], identifiers: list[str], numbered: int
) -> None:
    found = built(tmp_path, identified(*names), whole_documents=True)
    assert sorted(str(document.id) for document in all_of(found)) == sorted(identifiers)
    reason = "an id that another sentence has, numbered"
    assert found.ledger.counts()["changed"] == ({reason: numbered} if numbered else {})


def test_sentences_that_are_called_after_their_file_can_be_dealt_out(tmp_path: Path) -> None:
    found = built(tmp_path, identified(*[(". news.txt .", None)] * 20))
    assert found.documents == {"train": 18, "dev": 2}
    assert found.ledger.changed[0].place == "file EN/train.cupt line 6"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("# global.columns = ID FORM LEMMA\n1\tGo\tgo\n", "its columns must begin with ID FORM"),
        (HEAD.replace(" PARSEME:MWE", "") + LET_DOWN, "hold MISC and PARSEME:MWE"),
        ("She let us down.\n", "no sentence of it can be read"),
        (HEAD + block(row("1", "Go", "_")), "this is no annotated .cupt file"),
    ],
)
def test_files_of_something_else_are_an_error(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        built(tmp_path, content)
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{tmp_path}/raw/EN/train.cupt: ")
    assert "\n" not in str(caught.value)


def test_an_empty_file_holds_no_documents(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no document of parseme was found here"):
        built(tmp_path, "")
