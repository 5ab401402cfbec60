"""TAC 2017: adverse reactions in drug labels of the United States, an XML file a label."""

import re
from collections.abc import Iterator
from itertools import chain
from xml.etree.ElementTree import Element

from disconer.corpora.corpus import Article, Figures, PublicCorpus, Request
from disconer.corpora.download import Download, find_by_folder
from disconer.corpora.ledger import Ledger
from disconer.document import Document, Mention
from disconer.exceptions import FormatError
from disconer.formats.xml_files import parse_root
from disconer.foundation.spans import Span
from disconer.tokenize import Layout, Split

TYPES = ("AdverseReaction", "Severity", "Factor", "DrugClass", "Negation", "Animal")
_NUMBERS = re.compile(r"\s*[0-9]{1,9}\s*(?:,\s*[0-9]{1,9}\s*)*")
_UNANNOTATED = "unannotated"
_SETS = {"^train": "train", "^gold": "test", "^unannotated": _UNANNOTATED}
"""By what the names of the archives and their folders begin with."""


def read(download: Download, _request: Request, ledger: Ledger) -> Iterator[Article]:
    """Read every section of every label that is annotated."""
    seen = set()
    for name, match in download.find(r"(?P<drug>[^/]+)\.xml").items():
        kind, drug = find_by_folder(f"{download.path.name}/{name}", _SETS), match["drug"]
        if (kind, drug) in seen:
            ledger.skip("a second copy of a label", f"file {name}")
        elif kind != _UNANNOTATED:
            seen.add((kind, drug))
            for document in _read_sections(drug, _read_label(download, name), ledger):
                yield Article(document, drug, kind)


def _read_label(download: Download, name: str) -> Element:
    label = parse_root(download.content(name), download.place(name))
    if label.tag != "Label":
        raise FormatError("this is no label of TAC 2017, whose outermost element is Label", path=download.place(name))
    return label


def _read_sections(drug: str, label: Element, ledger: Ledger) -> Iterator[Document]:
    """Make a document of every section; offsets count within it, the white space at its beginning included."""
    mentions: dict[str, list[Element]] = {}
    for mention in label.iterfind("Mentions/Mention"):
        mentions.setdefault(mention.get("section", ""), []).append(mention)
    for section in label.iterfind("Text/Section"):
        layout = Layout("".join(section.itertext()), split=Split.ALWAYS)
        name = f"{drug}#{section.get('id')}"
        yield Document(layout, _read_mentions(name, layout, mentions.pop(section.get("id", ""), []), ledger), name)
    for mention in chain.from_iterable(mentions.values()):
        ledger.skip("of a section that is not there", f"document {drug} {mention.get('id')}")


def _read_mentions(name: str, layout: Layout, elements: list[Element], ledger: Ledger) -> Iterator[Mention]:
    for element in elements:
        place = f"document {name} {element.get('id')}"
        spans = _read_spans(element)
        if not spans or not element.get("type"):
            ledger.skip("unparsable", place)
            continue
        mention = ledger.make_mention(element.get("type", ""), spans, layout, place, {"id": element.get("id")})
        if mention:
            ledger.compare(mention, spans, element.get("str", ""), place)
            yield mention


def _read_spans(element: Element) -> list[Span]:
    """Read a list of starts and one of lengths, both with commas between; nothing when they are no such lists."""
    starts, lengths = (_NUMBERS.fullmatch(element.get(key, "")) for key in ("start", "len"))
    if not starts or not lengths:
        return []
    pairs = list(zip(starts[0].split(","), lengths[0].split(","), strict=False))
    same = starts[0].count(",") == lengths[0].count(",")
    return [(int(start), int(start) + int(length)) for start, length in pairs] if same else []


CORPUS = PublicCorpus(
    name="tac2017",
    title="TAC 2017 adverse drug reactions, 200 drug labels (Demner-Fushman et al. 2018, Roberts et al. 2017)",
    licence="CC0 1.0 (the MedDRA terms beside the annotations, which are not read, need MedDRA's licence)",
    source="https://bionlp.nlm.nih.gov/tac2017adversereactions/",
    files="train_xml.tar.gz and gold_xml.tar.gz in one folder (unannotated_xml.tar.gz is not read)",
    wanted=r"\.xml",
    read=read,
    split="train_xml, of which 10% of the drugs become dev, and gold_xml for the test; a document is a section",
    default_types=TYPES,
    published={
        "train + dev": Figures(mentions=15_722),
        "test": Figures(mentions=14_625),
    },
    published_in="Roberts et al. 2017",
)
