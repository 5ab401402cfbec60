"""Runs: what they leave behind, what they learn, and which seed they choose."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

import disconer
import disconer.scoring
from disconer.exceptions import InputError, RunError
from disconer.foundation.progress import NoDisplay
from disconer.foundation.settings import find_differences, from_mapping, read_toml
from disconer.models.settings import MacSettings
from disconer.schemes import EdgeSet
from disconer.scoring import Counts, Scores
from disconer.training.config import Config, Precision
from disconer.training.metrics import Epoch, median_seed, read_metrics
from disconer.training.run import Run
from tests.training.processes import files_below, weights_of


def words_of(path: Path) -> set[str]:
    return {
        word.lower() for document in disconer.read(path) for sentence in document.sentences for word in sentence.words
    }


def scores_of(counts: Counts) -> Scores:
    return Scores(counts, counts, counts, {}, {})


def test_a_run_leaves_what_the_contract_says(config: Config, tmp_path: Path) -> None:
    config = replace(config, seeds=(3, 5, 4))
    best = Run(config, tmp_path / "run").train()
    model = {"config.json", "model.safetensors", "tokenizer.json", "MODEL_CARD.md"}
    expected = {"config.toml", *(f"model/{name}" for name in model)}
    for seed in (3, 4, 5):
        own = {"metrics.jsonl", "checkpoint/progress.json", "checkpoint/epoch-3.safetensors"}
        own |= {f"model/{name}" for name in model}
        expected |= {f"seed-{seed}/{name}" for name in own}
    assert files_below(tmp_path / "run") == expected
    ranked = sorted(best, key=lambda seed: (best[seed].dev["all"]["f1"], seed))
    assert weights_of(tmp_path / "run") == weights_of(tmp_path / "run" / f"seed-{ranked[1]}")
    kept = from_mapping(Config, read_toml(tmp_path / "run" / "config.toml"))
    assert find_differences(kept, config) == [
        "data.fingerprint",
        "encoder.window",
        "mac.longest_segment",
        "graph.components",
        "training.precision",
    ]
    assert (kept.encoder.window, kept.settings_of(MacSettings).longest_segment) == (128, 7)
    assert kept.training.precision in (Precision.FLOAT32, Precision.BFLOAT16)


def test_metrics_tell_each_epoch_and_no_text(config: Config, tmp_path: Path) -> None:
    Run(config, tmp_path / "run").train()
    lines = [json.loads(line) for line in (tmp_path / "run" / "seed-0" / "metrics.jsonl").read_text().splitlines()]
    assert [line["epoch"] for line in lines] == [1, 2, 3]
    assert lines[0]["loss"] > lines[-1]["loss"]
    assert set(lines[0]["dev"]) == {"all", "disc_sentences", "disc_mentions"}
    assert set(lines[0]["dev"]["all"]) == {"precision", "recall", "f1", "gold", "predicted", "correct"}
    telltale = {"pain", "mg"}
    assert telltale <= words_of(Path(config.data.train)) | words_of(Path(config.data.dev))
    for name in ("metrics.jsonl", "model/MODEL_CARD.md", "model/config.json"):
        told = set(re.findall("[a-z]+", (tmp_path / "run" / "seed-0" / name).read_text().lower()))
        assert not telltale & told


def test_a_model_that_was_trained_scores_what_its_card_says(config: Config, tmp_path: Path, data: Path) -> None:
    by_heart = replace(
        config,
        data=replace(config.data, train=config.data.dev),
        training=replace(config.training, epochs=40, encoder_rate=3e-3, head_rate=1e-2),
    )
    best = Run(by_heart, tmp_path / "run").train()[0]
    recognizer = disconer.load(tmp_path / "run")
    gold = list(disconer.read(data / "dev.jsonl"))
    scores = disconer.evaluate(recognizer, gold).as_json()
    assert best.dev["all"]["f1"] > 0.5
    assert {scope: scores[scope] for scope in best.dev} == best.dev
    card = (tmp_path / "run" / "model" / "MODEL_CARD.md").read_text()
    assert f"| {100 * best.dev['all']['f1']:.1f} |" in card


def test_hiding_every_piece_leaves_nothing_to_learn(config: Config, tmp_path: Path) -> None:
    eager = replace(config.training, epochs=12, encoder_rate=3e-3, head_rate=1e-2)
    losses = {}
    for hidden in (0.0, 1.0):
        Run(replace(config, training=replace(eager, hidden=hidden)), tmp_path / str(hidden)).train()
        losses[hidden] = read_metrics(tmp_path / str(hidden) / "seed-0" / "metrics.jsonl")[-1].loss
    assert losses[0.0] < 0.9 * losses[1.0]


def test_what_is_hidden_follows_from_the_seed(config: Config, tmp_path: Path) -> None:
    half = replace(config, training=replace(config.training, epochs=1, hidden=0.5))
    for name in ("one", "same"):
        Run(half, tmp_path / name).train()
    assert weights_of(tmp_path / "one") == weights_of(tmp_path / "same")


def test_the_same_seed_gives_the_same_weights_and_another_does_not(config: Config, tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("same", 1), ("other", 2)):
        Run(replace(config, seeds=(seed,)), tmp_path / name).train()
    assert weights_of(tmp_path / "one") == weights_of(tmp_path / "same")
    assert weights_of(tmp_path / "one") != weights_of(tmp_path / "other")


def test_a_call_that_was_wrong_leaves_no_run_behind(config: Config, tmp_path: Path) -> None:
    wrong = [
        replace(config, data=replace(config.data, train="nowhere.jsonl")),
        replace(config, encoder=replace(config.encoder, name="./nowhere")),
        replace(config, data=replace(config.data, split="sometimes")),
    ]
    for one in wrong:
        with pytest.raises(InputError):
            Run(one, tmp_path / "run").train()
        assert not (tmp_path / "run").exists()


def test_more_than_the_memory_holds_is_one_line(config: Config, tmp_path: Path) -> None:
    wide = replace(config.settings_of(MacSettings), width=10**9)
    with pytest.raises(RunError, match=r"not enough memory: lower .*mac\.width"):
        Run(config.with_model_settings(wide), tmp_path / "run").train()
    assert not (tmp_path / "run").exists()


def test_choices_may_be_given_by_their_names(config: Config, tmp_path: Path) -> None:
    names: list[Any] = ["mix", "concatenation", "none", "float32"]
    mix, concatenation, none, float32 = names
    by_name = replace(
        config,
        encoder=replace(config.encoder, layers=mix),
        training=replace(config.training, epochs=1, precision=float32),
    ).with_model_settings(replace(config.settings_of(MacSettings), pairs=concatenation, inner=none))
    Run(by_name, tmp_path / "run").train()
    weights = load_file(tmp_path / "run" / "model" / "model.safetensors").keys()
    assert "encoder.mix" in weights
    assert "segment_pairs.condition.weight" in weights
    assert not any(name.startswith("inner.") for name in weights)


def test_patience_waits_for_a_first_success(config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While nothing is found there is nothing to lose, and the latest epoch is the best."""
    monkeypatch.setattr("disconer.training.loop.score_pairs", lambda _: scores_of(Counts(5, 0, 0)))
    hopeless = replace(config.training, epochs=5, patience=1)
    assert Run(replace(config, training=hopeless), tmp_path / "run").train()[0].epoch == 5


@pytest.mark.parametrize("half", [Precision.BFLOAT16, Precision.FLOAT16])
def test_mixed_precision_trains(half: Precision, config: Config, tmp_path: Path) -> None:
    """In float16, the first steps are lost to finding a scale that fits."""
    config = replace(config, training=replace(config.training, epochs=8))
    losses = []
    for name, precision in (("half", half), ("full", Precision.FLOAT32)):
        own = replace(config, training=replace(config.training, precision=precision))
        Run(own, tmp_path / name).train()
        losses.append([epoch.loss for epoch in read_metrics(tmp_path / name / "seed-0" / "metrics.jsonl")])
    assert losses[0][-1] != losses[1][-1]
    assert losses[0][-1] == pytest.approx(losses[1][-1], rel=0.15)
    assert losses[0][-1] < 0.6 * losses[0][0]
    assert {tensor.dtype for tensor in load_file(tmp_path / "half" / "model" / "model.safetensors").values()} == {
        torch.float32
    }


def test_training_stops_when_dev_gets_no_better(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = iter([Counts(9, 9, correct) for correct in (1, 3, 2, 3, 9)])
    monkeypatch.setattr("disconer.training.loop.score_pairs", lambda _: scores_of(next(found)))
    patient = replace(config.training, epochs=50, patience=2)
    best = Run(replace(config, training=patient), tmp_path / "run").train()[0]
    epochs = read_metrics(tmp_path / "run" / "seed-0" / "metrics.jsonl")
    assert [epoch.epoch for epoch in epochs] == [1, 2, 3, 4]
    assert best.epoch == 2


@pytest.mark.parametrize(("scores", "chosen"), [((0.5,), 0), ((0.5, 0.7), 0), ((0.9, 0.5, 0.7), 2), ((4, 1, 3, 2), 3)])
def test_the_lower_median_is_chosen(scores: tuple[float, ...], chosen: int) -> None:
    best = {}
    for seed, score in enumerate(scores):
        best[seed] = Epoch(1, 0.0, {"all": {"f1": score}}, {}, 1.0, 1.0)
    assert median_seed(best) == chosen


def test_a_folder_of_somebody_else_is_left_alone(config: Config, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("")
    with pytest.raises(InputError, match="not empty"):
        Run(config, tmp_path).train()
    assert files_below(tmp_path) == {"thesis.txt"}


def test_dev_without_a_mention_is_refused(config: Config, tmp_path: Path) -> None:
    (tmp_path / "dev.jsonl").write_text('{"text": "a", "entities": [{"label": "Unheard", "spans": [[0, 1]]}]}\n')
    data = replace(config.data, dev=str(tmp_path / "dev.jsonl"))
    with pytest.raises(InputError, match="label that train has"):
        Run(replace(config, data=data), tmp_path / "run").train()


def test_diverging_is_one_line(config: Config, tmp_path: Path) -> None:
    wild = replace(config.training, head_rate=1e30, encoder_rate=1e30, warm_up=0.0)
    with pytest.raises(RunError, match="rate"):
        Run(replace(config, training=wild), tmp_path / "run").train()


@pytest.mark.parametrize(
    ("content", "message"), [("", "no sentence"), ('{"text": "a"}\n', "no mention"), ('{"text": 1}\n', "string")]
)
def test_data_that_teaches_nothing_is_refused(content: str, message: str, config: Config, tmp_path: Path) -> None:
    (tmp_path / "train.jsonl").write_text(content)
    data = replace(config.data, train=str(tmp_path / "train.jsonl"))
    with pytest.raises(InputError, match=message):
        Run(replace(config, data=data), tmp_path / "run").train()


class Listener(NoDisplay):
    """Remembers what it is told."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def note(self, line: str, is_error: bool = False) -> None:
        self.lines.append(line)


def test_what_cannot_be_learned_is_told_before_the_first_epoch(config: Config, tmp_path: Path) -> None:
    lines = [
        {"text": "Joint and back pain.", "entities": [{"label": "ADR", "spans": [[0, 5], [15, 19]]}]},
        {"text": "painful", "entities": [{"label": "ADR", "spans": [[0, 4]]}]},
        {"text": "One pain.\nTwo pains.", "entities": [{"label": "ADR", "spans": [[4, 8], [14, 19]]}]},
        {"text": "a b c d e f", "entities": [{"label": "ADR", "spans": [[0, 11]]}]},
        {"text": "Severe joint and shoulder pain.", "entities": [
            {"label": "ADR", "spans": [[0, 12], [26, 30]]}, {"label": "ADR", "spans": [[0, 6], [17, 30]]},
        ]},
    ]  # fmt: skip
    (tmp_path / "train.jsonl").write_text("\n".join(map(json.dumps, lines)))
    listener = Listener()
    small = replace(
        config,
        data=replace(config.data, train=str(tmp_path / "train.jsonl")),
        scheme=replace(config.scheme, edges=EdgeSet.ENDS),
        training=replace(config.training, epochs=1),
    ).with_model_settings(replace(config.settings_of(MacSettings), longest_segment=4))
    Run(small, tmp_path / "run", display=listener).train()
    told = "\n".join(listener.lines[: [line.startswith("seed 0") for line in listener.lines].index(True)])
    assert "mentions that cut words, widened to whole ones (1)" in told
    assert "mentions across the end of a sentence, left out (1)" in told
    assert "fragments of more than 4 words, the model's limit, left out (1)" in told
    assert "mentions that nobody annotated but the scheme adds (2)" in told
    assert "mentions with a label that train does not have" in told
