"""The card of a ready model: what training wrote, and what whoever uses it should know."""

from collections.abc import Iterable
from dataclasses import dataclass

from huggingface_hub import ModelCard, ModelCardData

from disconer import Recognizer, Scores
from disconer.drawing import terminal
from disconer.scoring import SCOPES
from disconer.training.card import score_tables

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
    head = _shipped_metadata(trained, scores[1])
    usual, _, rest = trained.partition("# A disconer model")[2].partition("## Data\n")
    data, _, rest = rest.partition("## Scores on dev\n")
    made = rest.partition("## How it was made\n")[2]
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
        _section("Sentences", data),
        _section("Scores on dev", _measure(scores[1])),
        _section("Eight bits", _compare(*scores)),
        _section("How it was made", made),
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


def _shipped_metadata(trained: str, scores: Scores) -> str:
    """Write what the hub reads, with the scores of what is shipped."""
    data = ModelCard(trained).data
    assert isinstance(data, ModelCardData)  # noqa: S101 (what a card holds)
    measured = scores.as_json()
    for result in data.eval_results or []:
        assert result.dataset_config is not None  # noqa: S101 (training says the scope)
        result.metric_value = round(measured[result.dataset_config][result.metric_type], 4)
    return f"---\n{data.to_yaml(line_break=chr(10))}\n---\n\n"


def _measure(scores: Scores) -> str:
    text = (
        "Of the weights as they are shipped, in eight bits. Strict matching: the label and every fragment must be "
        "right. The best epoch and the thresholds were chosen on the same data, so expect a little less elsewhere."
    )
    return "\n".join((text, "", *score_tables(scores.as_json(), scores)))


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
