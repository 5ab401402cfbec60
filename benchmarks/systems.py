"""Mac and the systems it is compared with, side by side: what each can express, and what it costs.

    disconer study benchmarks/studies/systems.toml --out runs/systems
    python -m benchmarks.systems runs/systems

The study trains and scores; this adds the ceilings of all schemes on the real corpora, and the speed of the models of
the study: many sentences at a time, as disconer predicts, and one after the other, as some of the originals do.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import mean

import torch

from benchmarks.corpora import corpora, markdown_table, record
from benchmarks.subjects import batches_of, encode
from benchmarks.timing import run_in_turns
from disconer import read
from disconer.document import Document, Mention
from disconer.models.registry import SCHEMES
from disconer.passage import WordMention
from disconer.recognizer import Recognizer
from disconer.runtime.torch_engine import TorchEngine, load_torch_engine
from disconer.schemes import BioeScheme, Joining
from disconer.schemes.bioe import choose_compatible
from disconer.scoring import Counts, statistics
from disconer.storage.directory import find_model_directory

NAMES = ("tac2017_adr", "chia", "craft")
SPLITS = ("train", "dev")
SENTENCES, ROUNDS = 400, 5
AMBIGUITY = (
    "corpus", "all", "tagged", "tagged, discontinuous", "lost in joining, `each`", "wrong, `each`",
    "lost in joining, `all`", "wrong, `all`",
)  # fmt: skip
LONG = 4
"""Words from which on a mention is long."""
CONTINUOUS = (
    "system", "F1", "recall of mentions that the training data has", "recall of others",
    f"recall of up to {LONG - 1} words", f"recall of {LONG} and more",
)  # fmt: skip
COSTS = (
    "system", "parameters behind the encoder", "training, minutes a seed", "training, sentences/s",
    "prediction, sentences/s", "time / encoder's", "one at a time, sentences/s", "time / encoder's",
)  # fmt: skip


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    study = Path(sys.argv[1])
    runs = {path.name: path for path in sorted((study / "runs" / NAMES[0]).iterdir())}
    lines = ["## What each scheme can express", ""]
    lines += ["F1 of a perfect model in percent, all mentions / discontinuous ones, against gold widened to words.", ""]
    lines += markdown_table(["scheme", *(f"{name} {split}" for name in NAMES for split in SPLITS)], _ceilings())
    lines += ["", "## Where BIOE loses", "", "Mentions of the training data.", ""]
    lines += markdown_table(list(AMBIGUITY), _ambiguity())
    lines += ["", "## Continuous mentions", "", "Of TAC's dev, the seeds taken together, in percent.", ""]
    lines += markdown_table(list(CONTINUOUS), _continuous(study, runs))
    lines += ["", "## What each model costs", "", _note(), ""]
    lines += markdown_table(list(COSTS), _costs(runs))
    record("systems", "python -m benchmarks.systems runs/systems", lines)


def _ceilings() -> list[list[str]]:
    rows: dict[str, list[str]] = {name: [name] for name in SCHEMES}
    for corpus in NAMES:
        for split in SPLITS:
            documents = list(read(corpora() / corpus / f"{split}.jsonl"))
            for name, scheme in SCHEMES.items():
                found = statistics(documents, scheme()).oracle_words
                rows[name].append(f"{100 * found.all.f1:.1f} / {100 * found.disc_mentions.f1:.1f}")
    return list(rows.values())


def _ambiguity() -> list[list[str]]:
    """Count where BIOE loses: words that only one mention can have, and parts that are joined by guessing."""
    rows = []
    for corpus in NAMES:
        gold: list[set[WordMention]] = []
        for document in read(corpora() / corpus / "train.jsonl"):
            gold += ({sentence.word_mention(one) for one in sentence.mentions} for sentence in document.sentences)
        tagged = [set(choose_compatible(mentions)) for mentions in gold]
        discontinuous = [mention for mentions in tagged for mention in mentions if len(mention.segments) > 1]
        row = [corpus, *(f"{sum(map(len, some)):,}" for some in (gold, tagged)), f"{len(discontinuous):,}"]
        for joining in Joining:
            found = [set(BioeScheme(joining).oracle(mentions).mentions) for mentions in gold]
            lost = sum(len(some - others) for some, others in zip(tagged, found, strict=True))
            row += [f"{lost:,}", f"{sum(len(some - true) for some, true in zip(found, gold, strict=True)):,}"]
        rows.append(row)
    return rows


def _continuous(study: Path, names: Iterable[str]) -> list[list[str]]:
    """Score continuous mentions alone, and count how many are found of those that training held and of others."""
    train = list(read(corpora() / NAMES[0] / "train.jsonl"))[3::4]
    known = {(mention.label, mention.text.lower()) for document in train for mention in document}
    gold = [_whole(document) for document in read(corpora() / NAMES[0] / "dev.jsonl")]
    rows = []
    for name in names:
        found, counts = Counter[str](), Counts()
        for path in sorted((study / "predictions" / NAMES[0] / name).glob("*.jsonl")):
            for expected, answered in zip(gold, map(_whole, read(path)), strict=True):
                counts += Counts.of(set(expected), set(answered))
                for key, mention in expected.items():
                    is_known = (mention.label, mention.text.lower()) in known
                    length = len(mention.layout.words_between(mention.start, mention.end))
                    for group in (("known" if is_known else "new"), ("long" if length >= LONG else "short")):
                        found.update({group: 1, f"{group} found": key in answered})
        shares = [f"{100 * found[f'{group} found'] / found[group]:.1f}" for group in ("known", "new", "short", "long")]
        rows.append([name, f"{100 * counts.f1:.1f}", *shares])
    return rows


def _whole(document: Document) -> dict[object, Mention]:
    return {mention.key: mention for mention in document if not mention.is_discontinuous}


def _note() -> str:
    return (
        f"Training by the small recipe, one thread for each of two trainings at a time, dev included. Prediction of "
        f"{SENTENCES} sentences of dev on one thread, from text to mentions, the systems in turns, median of {ROUNDS} "
        "rounds; the ratio is to the encoder alone on the same sentences in the same round (lowest to highest)."
    )


def _costs(runs: dict[str, Path]) -> list[list[str]]:
    torch.set_num_threads(1)
    models = {name: load_torch_engine(find_model_directory(path)) for name, path in runs.items()}
    documents = list(read(corpora() / NAMES[0] / "dev.jsonl"))[:SENTENCES]
    first = next(iter(models.values()))
    together = _measure_speed(models, first, documents, None)
    alone = _measure_speed(models, first, documents, 1)
    return [
        [name, f"{_heads(model):,}", *_training(runs[name]), *together[name], *alone[name]]
        for name, model in models.items()
    ]


def _measure_speed(
    models: dict[str, TorchEngine], first: TorchEngine, documents: list[Document], budget: int | None
) -> dict[str, tuple[str, str]]:
    """Measure sentences a second, and the time as a multiple of the encoder's."""
    batches = batches_of(first, [document.text for document in documents], budget)
    jobs: dict[str, Callable[[], object]] = {"encoder": lambda: encode(first, batches)}
    for name, model in models.items():
        jobs[name] = lambda model=model: list(Recognizer(model, budget).pipe(documents))  # type: ignore[misc]
    seconds = run_in_turns(jobs, ROUNDS)
    return {
        name: (f"{len(documents) / seconds[name].median:.0f}", seconds[name].relative_to(seconds["encoder"]))
        for name in models
    }


def _heads(model: TorchEngine) -> int:
    of_encoder = sum(
        parameter.numel() for part in model.model.encoder.pretrained_parts for parameter in part.parameters()
    )
    return sum(parameter.numel() for parameter in model.model.parameters()) - of_encoder


def _training(run: Path) -> tuple[str, str]:
    seeds = [[json.loads(line) for line in path.read_text().splitlines()] for path in run.glob("seed-*/metrics.jsonl")]
    minutes = mean(sum(epoch["seconds"] for epoch in epochs) / 60 for epochs in seeds)
    return f"{minutes:.1f}", f"{mean(epoch['sentences_per_second'] for epochs in seeds for epoch in epochs):.0f}"


if __name__ == "__main__":
    main()
