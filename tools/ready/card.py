"""The card of a ready model: what training wrote, and what whoever uses it should know."""

from collections.abc import Iterable
from dataclasses import dataclass

from disconer import Recognizer, Scores
from disconer.drawing import terminal
from disconer.scoring import SCOPES

_WIDTH = 100


@dataclass(frozen=True)
class About:
    """What somebody wrote about a model."""

    title: str
    data: str
    licence: str
    attribution: str
    intended: str
    unfit: str
    labels: str
    examples: list[str]
    weaknesses: list[str]


def write_card(name: str, about: About, trained: str, scores: tuple[Scores, Scores], model: Recognizer) -> str:
    """Write the card: `trained` is training's own, `scores` are those before and after export."""
    head, _, rest = trained.partition("# A disconer model")
    usual, _, measured = rest.partition("## Data")
    sections = (
        f"# {name}: {about.title}",
        usual.strip(),
        _section("Use it for", about.intended),
        _section("Do not use it", about.unfit),
        _section("Labels", about.labels),
        _section(
            "What it finds", "Sentences written for this card, drawn as the model finds them:", about.examples, model
        ),
        _section(
            "Where it fails",
            "Text unlike what it learned from, and text that is hard. Nothing was chosen for being found:",
            about.weaknesses,
            model,
        ),
        _section("Data and licence", f"{about.data} ({about.licence}).\n\n{about.attribution.strip()}\n\n{_ENCODER}"),
        "## Data" + measured.rstrip(),
        _section("Eight bits", _compare(*scores)),
    )
    return head + "\n\n".join(sections) + "\n"


_ENCODER = """\
The encoder is [all-MiniLM-L6-v2](https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2) of the
Sentence-Transformers project (Apache-2.0), trained further."""


def _section(title: str, text: str, drawn: Iterable[str] = (), model: Recognizer | None = None) -> str:
    lines = [f"## {title}", "", text.strip()]
    for document in model.pipe(drawn) if model else ():
        lines += ["", "```text", terminal.draw(document, _WIDTH, False, ()).rstrip(), "```"]
    return "\n".join(lines)


def _compare(before: Scores, after: Scores) -> str:
    """What the weights of eight bits cost, on dev."""
    rows = [
        f"| {title} | {100 * before.as_json()[scope]['f1']:.1f} | {100 * after.as_json()[scope]['f1']:.1f} |"
        for scope, title in SCOPES.items()
    ]
    text = (
        "The package has weights of eight bits, for onnxruntime. `disconer train --init` turns them back into numbers "
        "that learn. F1 on dev, before and after:"
    )
    return "\n".join((text, "", "| scope | single precision | eight bits, as shipped |", "|---|---:|---:|", *rows))
