"""Reports on systems that are invented: gold, with errors of every kind put in."""

from collections.abc import Sequence
from random import Random

from disconer.document import Document, Fragment, Mention
from disconer.report.contents import Contents
from disconer.report.evaluation import Evaluation, Report, Result, SeedResult, System
from disconer.scoring import score_pairs, statistics
from disconer.scoring.curves import curve_by_score


def worse(documents: Sequence[Document], random: Random, share: float) -> list[Document]:
    """Predict gold with scores, but leave out, relabel, shorten or add some mentions."""
    return [document.with_mentions(list(_predictions(document, random, share))) for document in documents]


def _predictions(document: Document, random: Random, share: float) -> list[Mention]:
    found = []
    for mention in document.unique_mentions:
        error = random.choice(("leave out", "label", "shorten", "part")) if random.random() < share else ""
        fragments, label = list(mention.fragments), mention.label
        if error == "leave out":
            continue
        if error == "label":
            label = f"not {label}"
        elif error == "shorten" and fragments[-1].end - fragments[-1].start > 1:
            fragments[-1] = Fragment(fragments[-1].start, fragments[-1].end - 1)
        elif error == "part":
            fragments = fragments[:1]
        found.append(Mention(label, fragments, document.layout, round(random.uniform(0.3, 1), 4)))
    return found


def make_report(
    gold: Sequence[Document], shares: dict[str, float], title: str = "A study", corpus: str = "Sample"
) -> Contents:
    """Report on systems that err so often."""
    systems = [System(name, next(iter(shares)) if place else None, ["a=b"]) for place, name in enumerate(shares)]
    results = {}
    for place, (name, share) in enumerate(shares.items()):
        seeds = []
        for seed in (1, 2, 3):
            documents = worse(gold, Random(f"{place}/{seed}"), share)
            scores = score_pairs(zip(gold, documents, strict=True))
            seeds.append(SeedResult(f"seed {seed}", documents, scores, scores.all.f1, 100.0 * seed))
        best = sorted(seeds, key=lambda one: one.dev_f1 or 0)[1]
        curve = curve_by_score(list(zip(gold, best.documents, strict=True)))
        results[name] = Result(seeds, curve)
    figures = statistics(gold)
    evaluation = Evaluation(corpus, {"dev": figures}, "dev", gold, results, was_chosen_on=True)
    return Contents(Report(title, systems, [evaluation], "disconer …"))
