"""CRAFT, in the layout of its repository; the articles are invented."""

from collections import defaultdict
from html import escape
from pathlib import Path

import pytest

from disconer import read
from disconer.corpora import find_corpus
from disconer.corpora.building import BuiltCorpus, build
from disconer.corpora.corpus import ALL, Request
from disconer.exceptions import InputError
from tests.corpora.downloads import folder_of, places, tar_of, zip_of

ARTICLE = "Mouse livers and lungs\n\nSmall liver and lung cells of Mus were counted. Some were lost.\n"
Spans = list[tuple[int, int]]


def knowtator(identifier: str, text: str, *annotations: tuple[str, Spans]) -> str:
    """Write the XML of the first version, as CRAFT has it."""
    places, classes = "", ""
    for number, (concept, spans) in enumerate(annotations):
        marked = "".join(f'<span start="{start}" end="{end}" />' for start, end in spans)
        surface = escape(" ... ".join(text[start:end] for start, end in spans if start < end))
        places += f'<annotation><mention id="I_{number}" />{marked}<spannedText>{surface}</spannedText></annotation>'
        classes += f'<classMention id="I_{number}"><mentionClass id="{concept}">x</mentionClass></classMention>'
    return f'<annotations textSource="{identifier}.txt">{places}{classes}</annotations>'


MONDO = """<knowtator-project><document id="101" text-file="101.txt">
<annotation annotator="Default" id="101-1" motivation="" type="identity">
<class id="http://purl.obolibrary.org/obo/MONDO_0000001" label="'disease'"/>
<span end="81" id="101-2" start="72">Some wore</span></annotation></document></knowtator-project>"""
CONCEPTS = "CRAFT-5.0.2/concept-annotation"
CELLS: list[tuple[str, Spans]] = [
    ("CL:0000182", [(30, 35), (45, 50)]),
    ("CL:0000000", [(40, 50)]),
    ("CL:0000001", [(24, 29), (29, 29), (40, 44)]),
    ("CL:0000001", [(700, 702)]),
    ("CL:0000001", [(3, 3)]),
]
FILES = {
    "CRAFT-5.0.2/articles/ids/craft-ids-train.txt": "101\n",
    "CRAFT-5.0.2/articles/ids/craft-ids-dev.txt": "102\n",
    "CRAFT-5.0.2/articles/ids/craft-ids-test.txt": "103\n",
    **{f"CRAFT-5.0.2/articles/txt/{number}.txt": ARTICLE for number in (101, 102, 103, 104)},
    "CRAFT-5.0.2/articles/txt/101.copyright": "somebody's",
    f"{CONCEPTS}/CL/CL/knowtator/101.txt.knowtator.xml": knowtator("101", ARTICLE, *CELLS),
    f"{CONCEPTS}/CL/CL/knowtator/102.txt.knowtator.xml": knowtator("102", ARTICLE),
    f"{CONCEPTS}/CL/CL/knowtator/103.txt.knowtator.xml": knowtator("103", ARTICLE),
    f"{CONCEPTS}/CL/CL/knowtator/105.txt.knowtator.xml": knowtator("105", ARTICLE),
    f"{CONCEPTS}/CL/CL+extensions/knowtator/101.txt.knowtator.xml": knowtator("101", ARTICLE, ("EXT", [(0, 5)])),
    f"{CONCEPTS}/CL/CL/knowtator-2/101.txt.knowtator.xml": knowtator("101", ARTICLE, ("OTHER", [(0, 5)])),
    f"{CONCEPTS}/NCBITaxon/NCBITaxon/knowtator/101.txt.knowtator.xml": knowtator(
        "101", ARTICLE, ("NCBITaxon:10088", [(54, 57)]), ("NCBITaxon:10090", [(0, 5)]), ("NCBITaxon:1", [(0, 5)])
    ),
    f"{CONCEPTS}/MONDO/MONDO_without_genotype_annotations/knowtator-2/101.xml": MONDO,
    f"{CONCEPTS}/MONDO/MONDO_with_genotype_annotations/knowtator-2/101.xml": MONDO.replace("72", "54"),
    "CRAFT-5.0.2/coreference-annotation/knowtator-2/101.xml": "<broken",
}


def built(path: Path, request: Request | None = None) -> BuiltCorpus:
    return build(find_corpus("craft"), path, request or Request())


@pytest.mark.parametrize("kind", ["folder", "v5.0.2.zip", "v5.0.2.tar.gz"])
def test_reads_the_sets_without_extensions_and_genotypes(tmp_path: Path, kind: str) -> None:
    make = {"folder": folder_of, "v5.0.2.zip": zip_of}.get(kind, tar_of)
    found = built(make(tmp_path / kind, FILES))
    assert found.documents == {"train": 1, "dev": 1, "test": 1}
    title, first, second = found.splits["train"]
    assert (title.id, first.id, second.id) == ("101:0-22", "101:24-71", "101:72-87")
    assert [(mention.label, mention.text, mention.extras["concept"]) for mention in title] == [
        ("NCBITaxon", "Mouse", "NCBITaxon:10090")
    ]
    assert [(mention.label, mention.text, tuple(map(tuple, mention.fragments))) for mention in first] == [
        ("CL", "Small lung", ((0, 5), (16, 20))),
        ("CL", "liver cells", ((6, 11), (21, 26))),
        ("CL", "lung cells", ((16, 26),)),
        ("NCBITaxon", "Mus", ((30, 33),)),
    ]
    assert [(mention.label, mention.extras["concept"]) for mention in second] == [("MONDO", "MONDO:0000001")]
    assert found.ledger.counts() == {
        "skipped": {
            "annotations without a text": 1,
            "out of range": 1,
            "an annotation that marks no character": 1,
            "a text without annotations": 1,
            "duplicate of another mention": 1,
        },
        "changed": {
            "an article without annotations of an ontology": 4,
            "empty fragments, left out": 1,
            "text that differs from the offsets'": 1,
        },
    }


def test_published_lists_are_compared(tmp_path: Path) -> None:
    found = built(folder_of(tmp_path, FILES))
    assert [(each.split, each.figure, each.published, each.found) for each in found.comparison] == [
        ("train", "documents", 60, 1),
        ("dev", "documents", 7, 1),
        ("test", "documents", 30, 1),
        (ALL, "documents", 97, 3),
    ]


def test_some_ontologies_can_be_asked_for(tmp_path: Path) -> None:
    found = built(zip_of(tmp_path / "craft.zip", FILES), Request(types=("NCBITaxon",)))
    assert [mention.label for sentence in found.splits["train"] for mention in sentence] == ["NCBITaxon"] * 2
    assert found.other_types == {"CL": 3, "MONDO": 1}


def test_without_the_lists_articles_are_dealt_by_rule(tmp_path: Path) -> None:
    files = {name: content for name, content in FILES.items() if "ids" not in name}
    assert sum(built(folder_of(tmp_path, files)).documents.values()) == 3


def test_broken_and_other_files_are_errors(tmp_path: Path) -> None:
    name = f"{CONCEPTS}/CL/CL/knowtator/101.txt.knowtator.xml"
    with pytest.raises(InputError, match=r"CL/knowtator/101\.txt\.knowtator\.xml:1: this is not XML"):
        built(folder_of(tmp_path / "broken", {**FILES, name: "<annotations"}))
    with pytest.raises(InputError, match="this is not Knowtator's XML"):
        built(folder_of(tmp_path / "other", {**FILES, name: "<html/>"}))
    with pytest.raises(InputError, match="there is no file of this corpus here"):
        built(folder_of(tmp_path / "none", {"articles/101.txt": "x"}))


def test_real_articles_give_what_others_made_of_them(corpora: Path, tmp_path: Path) -> None:
    """Another program cut them into sentences; put together again, in CRAFT's layout, they give the same mentions."""
    sentences = list(read(corpora / "craft" / "dev.jsonl"))
    texts: dict[str, str] = defaultdict(str)
    annotations: dict[tuple[str, str], list[tuple[str, Spans]]] = defaultdict(list)
    for sentence in sentences:
        article, _, place = str(sentence.id).rpartition(":")
        start = int(place.partition("-")[0])
        gap = start - len(texts[article])
        texts[article] += (" " if gap == 1 else "\n" * gap) + sentence.text
        for mention in sentence:
            spans = [(first + start, last + start) for first, last in mention.fragments]
            annotations[article, mention.label].append((f"{mention.label}:1", spans))
    files = {f"articles/txt/{article}.txt": text for article, text in texts.items()}
    for (article, label), found in annotations.items():
        name = f"concept-annotation/{label}/{label}/knowtator/{article}.txt.knowtator.xml"
        files[name] = knowtator(article, texts[article], *found)
    files["articles/ids/craft-ids-dev.txt"] = "\n".join(texts)
    again = built(zip_of(tmp_path / "craft.zip", files))
    assert places(again.splits["dev"]) == places(sentences)
    assert again.ledger.counts()["skipped"] == {}
    assert again.ledger.counts()["changed"].keys() <= {"an article without annotations of an ontology"}
