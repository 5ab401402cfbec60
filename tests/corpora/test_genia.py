from pathlib import Path
from typing import Any

import pytest

from disconer import Document, InputError
from disconer.corpora import find_corpus
from disconer.corpora.building import BuiltCorpus, build
from disconer.corpora.corpus import Request
from disconer.corpora.genia.coordination import Piece, find_spans, read_classes, select_pieces, split_members
from disconer.exceptions import FormatError
from tests.corpora.downloads import folder_of, tar_of, zip_of

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/css" href="gpml.css" ?>
<!DOCTYPE set SYSTEM "gpml.dtd">
<set>
<import resource="GENIAontology.daml" prefix="G"></import>
"""
DNA = "G#DNA_domain_or_region"
SITES = (
    f'<cons lex="(AND ZF-kappa_B_site QP-1_site)" sem="(AND {DNA} {DNA})"><cons lex="ZF-kappa_B*">'
    '<cons lex="ZF-kappa_B" sem="G#protein_molecule">ZF-kappa B</cons></cons> and <cons lex="QP-1*">QP-1</cons> '
    '<cons lex="*site">sites</cons></cons>'
)


def article(*sentences: str, identifier: str = "MEDLINE:90000001") -> str:
    first, *others = (f"<sentence>{sentence}</sentence>" for sentence in sentences)
    return (
        f"<article>\n<articleinfo>\n<bibliomisc>{identifier}</bibliomisc>\n</articleinfo>\n"
        f"<title>\n{first}\n</title>\n<abstract>\n{''.join(f'{other}' for other in others)}\n</abstract>\n</article>\n"
    )


def corpus(*articles: str) -> str:
    return f"{HEAD}{''.join(articles)}</set>\n"


def built(tmp_path: Path, content: str | bytes, **wishes: Any) -> BuiltCorpus:
    raw = folder_of(tmp_path / "raw", {"GENIA_term_3.02/GENIAcorpus3.02.xml": content})
    return build(find_corpus("genia"), raw, Request(**wishes))


def first_of(found: BuiltCorpus) -> Document:
    return next(document for documents in found.splits.values() for document in documents)


def said(document: Document) -> list[tuple[str, str]]:
    return [(mention.label, mention.text) for mention in document]


def test_terms_nest_and_sentences_are_given(tmp_path: Path) -> None:
    content = corpus(
        article(
            '<cons lex="ZL-9_gene" sem="G#DNA_domain_or_region"><cons lex="ZL-9" sem="G#protein_molecule">ZL-9</cons> '
            'gene</cons> in <cons lex="b_cell" sem="G#cell_type">b cells</cons>.',
            'It is &lt; <cons lex="uptake" sem="G#other_name">uptake</cons>. Always.',
        )
    )
    found = built(tmp_path, content, whole_documents=True)
    document = first_of(found)
    assert document.id == "90000001"
    assert document.text == "ZL-9 gene in b cells.\nIt is < uptake. Always."
    assert document.layout.given_sentences == ((0, 21), (22, 45))
    assert document.layout.given_words is None
    assert said(document) == [("protein", "ZL-9"), ("DNA", "ZL-9 gene"), ("cell_type", "b cells")]
    assert document.mentions[0].extras == {"sem": "protein_molecule", "lex": "ZL-9"}
    assert found.other_types == {"other_name": 1}
    assert found.ledger.counts() == {"skipped": {}, "changed": {}}


@pytest.mark.parametrize(
    ("types", "labels"),
    [
        (None, ["protein", "DNA", "DNA"]),
        (("protein", "DNA"), ["protein", "DNA", "DNA"]),
        (("all",), ["protein_molecule", "DNA_domain_or_region", "DNA_domain_or_region"]),
        (("protein_molecule",), ["protein_molecule"]),
        (("DNA",), ["DNA", "DNA"]),
    ],
)
def test_labels_are_the_usual_five_unless_classes_are_asked_for(
    tmp_path: Path, types: tuple[str, ...] | None, labels: list[str]
) -> None:
    found = built(tmp_path, corpus(article(f"The {SITES}.")), types=types)
    assert [mention.label for mention in first_of(found)] == labels


COORDINATIONS = {
    "what follows is shared": (
        SITES,
        [("protein", "ZF-kappa B"), ("DNA", "ZF-kappa B sites"), ("DNA", "QP-1 sites")],
    ),
    "what precedes is shared": (
        '<cons lex="(OR ZF_p5 ZF_p6)" sem="(OR G#protein_subunit G#protein_subunit)"><cons lex="ZF*">ZF</cons> '
        '<cons lex="*p5">p5</cons> or <cons lex="*p6">p6</cons></cons>',
        [("protein", "ZF p5"), ("protein", "ZF p6")],
    ),
    "both are": (
        '<cons lex="(AND human_T_cell human_B_cell)" sem="(AND G#cell_type G#cell_type)">'
        '<cons lex="human*">human</cons> <cons lex="(AND *T* *B*)"><cons lex="*T*">T</cons> and '
        '<cons lex="*B*">B</cons></cons> <cons lex="*cell">cells</cons></cons>',
        [("cell_type", "human T cells"), ("cell_type", "human B cells")],
    ),
    "inside a word": (
        '<cons lex="(AND alpha-globin beta-globin)" sem="(AND G#protein_molecule G#protein_molecule)">'
        '<cons lex="alpha-*">alpha-</cons> and <cons lex="beta-*">beta-</cons><cons lex="*globin">globin</cons></cons>',
        [("protein", "alpha- globin"), ("protein", "beta-globin")],
    ),
    "three of them, of two classes": (
        '<cons lex="(AS_WELL_AS (AND K1_cell K2_cell) K3_line)" sem="(AS_WELL_AS (AND G#cell_type G#cell_type) '
        'G#cell_line)"><cons lex="K1*">K1</cons> and <cons lex="K2*">K2</cons> <cons lex="*cell">cells</cons> as well '
        'as <cons lex="K3_line">K3 lines</cons></cons>',
        [("cell_type", "K1 cells"), ("cell_type", "K2 cells"), ("cell_line", "K3 lines")],
    ),
    "signs matter": (
        '<cons lex="(AND K4+_cell K4-_cell)" sem="(AND G#cell_type G#cell_type)"><cons lex="K4+*">K4+</cons> and '
        '<cons lex="K4-*">K4-</cons> <cons lex="*cell">cells</cons></cons>',
        [("cell_type", "K4+ cells"), ("cell_type", "K4- cells")],
    ),
    "one class for all": (
        '<cons lex="(AND T_cell B_cell)" sem="G#cell_type"><cons lex="T*">T</cons> and <cons lex="B*">B</cons> '
        '<cons lex="*cell">cells</cons></cons>',
        [("cell_type", "T cells"), ("cell_type", "B cells")],
    ),
    "fragments instead of pieces": (
        '<cons lex="(AND T_cell B_cell)" sem="(AND G#cell_type G#cell_type)"><frag>T</frag> and <frag>B</frag> '
        "<frag>cells</frag></cons>",
        [("cell_type", "T cells"), ("cell_type", "B cells")],
    ),
    "words instead of pieces": (
        '<cons lex="(BUT_NOT K5_cell K6_cell)" sem="(BUT_NOT G#cell_type G#cell_type)">K5 but not k6 cells</cons>',
        [("cell_type", "K5 cells"), ("cell_type", "k6 cells")],
    ),
    "the closest pieces": (
        '<cons lex="(AND A_x_C B_x_C)" sem="(AND G#cell_line G#cell_line)"><cons lex="A*">A</cons> <cons lex="*x*">x'
        '</cons> and <cons lex="B*">B</cons> <cons lex="*x*">x</cons> <cons lex="*C">C</cons></cons>',
        [("cell_line", "A x C"), ("cell_line", "B x C")],
    ),
}


@pytest.mark.parametrize("name", COORDINATIONS)
def test_elided_terms_are_found_again(tmp_path: Path, name: str) -> None:
    content, expected = COORDINATIONS[name]
    found = built(tmp_path, corpus(article(f"Of {content} too.")))
    assert said(first_of(found)) == expected
    assert found.ledger.counts() == {"skipped": {}, "changed": {}}


def test_a_gap_is_a_gap(tmp_path: Path) -> None:
    document = first_of(built(tmp_path, corpus(article(f"Of {SITES}"))))
    assert document.text == "Of ZF-kappa B and QP-1 sites"
    assert [[[*fragment] for fragment in mention.fragments] for mention in document] == [
        [[3, 13]],
        [[3, 13], [23, 28]],
        [[18, 28]],
    ]


@pytest.mark.parametrize(
    ("content", "reason", "kept"),
    [
        (
            '<cons lex="(AND T_cell B_clone)" sem="(AND G#cell_type G#cell_type)"><cons lex="T*">T</cons> and '
            '<cons lex="B*">B</cons> <cons lex="*cell">cells</cons></cons>',
            "a term of a coordination whose pieces are not found",
            ["T cells"],
        ),
        (
            '<cons lex="(AND T_cell B_cell)" sem="(AND G#cell_type G#cell_type G#cell_line)">T and B cells</cons>',
            "a coordination whose terms and classes do not agree",
            [],
        ),
        (
            '<cons lex="T_cell" sem="(AND G#cell_type G#cell_type)">T cells</cons>',
            "a coordination whose terms and classes do not agree",
            [],
        ),
        (
            '<cons sem="(AND G#cell_type G#cell_type)">T</cons>',
            "a coordination whose terms and classes do not agree",
            [],
        ),
        (
            '<cons lex="(AND T_cell B_cell)" sem="(AND G# G#cell_type)"><cons lex="T*">T</cons> and '
            '<cons lex="B*">B</cons> <cons lex="*cell">cells</cons></cons>',
            "a term of a coordination without a class",
            ["B cells"],
        ),
        (
            f'<cons lex="(AND T_cell {"B" * 5_000})" sem="G#cell_type">T and B</cons>',
            "a coordination that is too large",
            [],
        ),
        (
            f'<cons lex="(AND T_cell B_cell)" sem="G#cell_type">{"<frag>" * 1_001}T and B{"</frag>" * 1_001}</cons>',
            "a coordination that is too large",
            [],
        ),
        ('<cons lex="T_cell">T cells</cons>', "a term without a class", []),
        ('<cons lex="T_cell" sem="G#">T cells</cons>', "a term without a class", []),
        ('<cons lex="(AND T_cell B_cell)">T and B cells</cons>', "a term without a class", []),
    ],
)
def test_what_cannot_be_resolved_is_told(tmp_path: Path, content: str, reason: str, kept: list[str]) -> None:
    other = '<cons lex="K7" sem="G#cell_line">K7</cons>'
    found = built(tmp_path, corpus(article(f"{content} and {other}.")))
    assert [mention.text for mention in first_of(found)] == [*kept, "K7"]
    assert found.ledger.counts()["skipped"] == {reason: 1}
    assert found.ledger.skipped[0].place.startswith("document 90000001 sentence 1 0-")


@pytest.mark.parametrize("sem", ["(AND G# G#)", "(AND G# G# )", "G#"])
def test_classes_without_a_name_are_told(tmp_path: Path, sem: str) -> None:
    content = f'<cons lex="(AND T_cell B_cell)" sem="{sem}">T and B cells</cons> of <cons sem="G#cell_line">K7</cons>'
    found = built(tmp_path, corpus(article(content)))
    assert said(first_of(found)) == [("cell_line", "K7")]
    assert found.ledger.counts()["skipped"] == {"a term of a coordination without a class": 2}


def test_terms_without_text_are_told(tmp_path: Path) -> None:
    term = '<cons lex="K7" sem="G#cell_line">K7</cons>'
    blank = '<cons lex="K8" sem="G#cell_line"> </cons>'
    found = built(tmp_path, corpus(article(f"{term}{blank}", blank, '<cons sem="G#cell_line"/><cons lex="*"/> A.')))
    assert [document.text for documents in found.splits.values() for document in documents] == ["K7", "A."]
    places = ["document 90000001 title", "document 90000001 abstract", "document 90000001 abstract"]
    assert found.ledger.skipped == [("a term without text", place) for place in places]


def test_what_stands_beside_sentences_is_told(tmp_path: Path) -> None:
    term = '<cons lex="K7" sem="G#cell_line">K7</cons>'
    abstract = f"Lost {term} <sentence>{term} is</sentence><cons sem='G#cell_line'><sentence>B.</sentence></cons> too"
    found = built(tmp_path, corpus(f"<article><title>{term}</title><abstract>{abstract}</abstract></article>"))
    assert [document.text for documents in found.splits.values() for document in documents] == ["K7", "K7 is", "B."]
    assert found.ledger.skipped == [
        (reason, "document article-1 abstract")
        for reason in ("text outside all sentences", *["a term outside all sentences"] * 2)
    ]


def test_words_of_the_merged_file_are_given(tmp_path: Path) -> None:
    content = corpus(
        article(
            '<cons lex="Q8-mediated_uptake" sem="G#protein_complex"><cons lex="Q8" sem="G#protein_molecule">'
            '<w c="*">Q8</w></cons><w c="JJ">-mediated</w> <w c="NN">uptake</w></cons> '
            '<w c="VBZ">is</w> <w c="JJ">rare</w><w c=".">.</w>'
        )
    )
    raw = tar_of(tmp_path / "GENIAcorpus3.02p.tgz", {
        "GENIAcorpus3.02p/GENIAcorpus3.02.merged.xml": content,
        "GENIAcorpus3.02p/GENIAcorpus3.02.pos.xml": corpus(article('<w c="NN">Q8</w>')),
    })  # fmt: skip
    document = first_of(build(find_corpus("genia"), raw, Request()))
    assert [document.text[slice(*word)] for word in document.layout.words] == [
        "Q8", "-mediated", "uptake", "is", "rare", ".",
    ]  # fmt: skip
    assert said(document) == [("protein", "Q8"), ("protein", "Q8-mediated uptake")]
    assert not any(mention.is_cutting_words for mention in document)


def test_articles_are_dealt_out_in_their_order_and_namesakes_stay_together(tmp_path: Path) -> None:
    term = '<cons lex="K7" sem="G#cell_line">K7</cons>'
    articles = [article(term, term, identifier=f"MEDLINE:{number}") for number in range(100)]
    archive = zip_of(tmp_path / "genia.zip", {"a/GENIA.xml": corpus(*articles, article(term, identifier="MEDLINE:3"))})
    found = build(find_corpus("genia"), archive, Request(whole_documents=True))
    identifiers = {split: [document.id for document in documents] for split, documents in found.splits.items()}
    assert identifiers["train"][:5] == ["0", "1", "2", "3", "3-2"]
    assert identifiers["dev"] == [str(number) for number in range(81, 90)]
    assert identifiers["test"] == [str(number) for number in range(90, 100)]
    assert found.ledger.changed == [("an id that another article has, numbered", "document 3")]
    assert [(row.split, row.figure, row.published, row.found) for row in found.comparison] == [
        ("all", "documents", 2_000, 101)
    ]


def test_titles_without_sentences_blanks_and_missing_ids(tmp_path: Path) -> None:
    content = corpus(
        '<article><title> A <cons lex="K7" sem="G#cell_line">K7 </cons>line </title><abstract/></article>',
        "<article><title><sentence> </sentence></title><abstract><sentence>B.</sentence></abstract></article>",
    )
    found = built(tmp_path, content, whole_documents=True)
    first, second = (document for documents in found.splits.values() for document in documents)
    assert (first.id, first.text, said(first)) == ("article-1", "A K7 line", [("cell_line", "K7")])
    assert (second.id, second.text) == ("article-2", "B.")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (corpus(article("5&beta;-X")), ":11: this is not XML: undefined entity &beta;"),
        (HEAD.replace(' SYSTEM "gpml.dtd"', ' [<!ENTITY beta "b">]') + "</set>", "this XML declares entities"),
        (corpus(article("A"))[:-10], "this is not XML"),
        ("x", "this is not XML"),
    ],
)
def test_files_that_are_no_xml_are_an_error(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        built(tmp_path, content)
    assert message in str(caught.value)
    assert "GENIAcorpus3.02.xml" in str(caught.value)


def test_two_versions_are_an_error(tmp_path: Path) -> None:
    raw = folder_of(tmp_path, {"a/GENIAcorpus3.02.xml": corpus(), "b/GENIAcorpus3.02.merged.xml": corpus()})
    with pytest.raises(InputError, match=r"there are several versions here: name one of a/GENIA.*merged\.xml"):
        build(find_corpus("genia"), raw, Request())


def test_a_file_without_articles_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no document of genia was found here"):
        built(tmp_path, corpus())


def test_deep_nesting_is_no_trouble(tmp_path: Path) -> None:
    depth = 3_000
    nested = '<cons lex="K7" sem="G#cell_line">' * depth + "K7" + "</cons>" * depth
    found = built(tmp_path, corpus(article(nested)))
    assert said(first_of(found)) == [("cell_line", "K7")]
    assert found.ledger.counts()["skipped"] == {"duplicate of another mention": depth - 1}


def test_the_search_for_pieces_stays_short() -> None:
    pieces = [Piece("a", (number, number + 1)) for number in range(90)]
    assert find_spans("a" * 90, pieces) == tuple(piece.span for piece in pieces)
    assert find_spans("a" * 89 + "b", pieces) == ()
    assert select_pieces([*pieces, *pieces]) == []
    long_pieces = [Piece("a" * (1 + number % 50), (number, number + 1)) for number in range(100)]
    assert find_spans("a" * 2_000 + "b", long_pieces) == ()


def test_of_pieces_that_say_the_same_the_closest_are_found() -> None:
    pieces = [Piece("a", (0, 1)), Piece("a", (2, 3)), Piece("b", (2, 5)), Piece("b", (6, 7)), Piece("c", (8, 9))]
    assert find_spans("a_b", pieces) == ((0, 1), (2, 5))
    assert find_spans("a_b_c", pieces) == ((2, 3), (6, 7), (8, 9))
    assert find_spans("_", [*pieces, Piece("s", (10, 11))]) == ()


def test_expressions_are_taken_apart() -> None:
    assert split_members("(AND/OR (NEITHER_NOR a (b)_c) d(e))") == ["a", "(b)_c", "d(e)"]
    assert split_members("(R)-x") == ["(R)-x"]
    assert split_members("(AND a (b) )") == ["a", "(b)"]
    assert read_classes("(AND x y)", ["a", "b"]) == ["x", "y"]
    assert read_classes("x", ["a", "b"]) == ["x", "x"]
    assert read_classes("(AND x x)", ["a"]) == []
    assert read_classes("(AND G#x (OR G# G#y))", ["a", "b", "c"]) == ["x", "", "y"]
