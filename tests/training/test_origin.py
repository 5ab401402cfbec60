"""Runs that go on from a model: with more annotations, with new labels, and without forgetting old ones.

Of its weights, a new model takes over all that both have a key for, and nothing else.
"""

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
import torch

import disconer
from disconer import Document
from disconer.cli import main
from disconer.exceptions import InputError
from disconer.models.model import Model
from disconer.models.registry import ModelName, build_network
from disconer.models.settings import MacSettings, SchemeSettings
from disconer.schemes import GridScheme
from disconer.storage.directory import learned_from_invented, read_card
from disconer.training.config import Config, InitSettings, OldLabels, read_config
from disconer.training.metrics import read_metrics
from disconer.training.origin import transfer_weights
from disconer.training.run import Run
from tests.models.given import GivenVectors, give, random_sentences
from tests.training.processes import weights_of

OTHER_LABELS = {"Drug", "Severity"}
LONGEST, FRAGMENTS = 3, 2


@pytest.fixture(scope="module")
def first(settings: Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run that knows its data well."""
    folder = tmp_path_factory.mktemp("first") / "run"
    training = replace(settings.training, epochs=12, encoder_rate=3e-3, head_rate=1e-2, hidden=0.0)
    Run(replace(settings, training=training), folder).train()
    return folder


def going_on(settings: Config, model: Path, epochs: int = 1, labels: OldLabels = OldLabels.KEEP) -> Config:
    training = replace(settings.training, epochs=epochs, encoder_rate=1e-4, head_rate=1e-4)
    return replace(settings, init=InitSettings(str(model), labels), training=training)


def with_labels(source: str, target: Path, renamed: dict[str, str]) -> str:
    """Write a corpus with other labels; mentions of the labels that are not named are left out."""
    documents = (
        document.with_mentions(
            disconer.Mention(renamed[mention.label], mention.fragments, document.layout)
            for mention in document
            if mention.label in renamed
        )
        for document in disconer.read(source)
    )
    disconer.write(documents, target)
    return str(target)


def test_it_begins_where_the_model_was(first: Path, settings: Config, tmp_path: Path) -> None:
    (before,) = (max(read_metrics(path), key=lambda epoch: epoch.score) for path in first.glob("seed-*/metrics.jsonl"))
    best = Run(going_on(settings, first), tmp_path / "on").train()[0]
    fresh = Run(replace(going_on(settings, first), init=InitSettings()), tmp_path / "fresh").train()[0]
    assert best.score > 0.9 * before.score > fresh.score
    # The helper begins anew in both, and its loss is more of the whole since fewer edges are learned.
    assert best.loss < 0.6 * fresh.loss


@pytest.mark.parametrize("model", [name for name in ModelName if name is not ModelName.MAC])
def test_every_system_goes_on(model: ModelName, settings: Config, tmp_path: Path) -> None:
    once = replace(settings.training, epochs=1)
    Run(replace(settings, model=model, training=once), tmp_path / "first").train()
    renamed = with_labels(settings.data.train, tmp_path / "train.jsonl", {"ADR": "Dose", "Drug": "Drug"})
    data = replace(settings.data, train=renamed, dev=renamed)
    config = replace(settings, data=data, training=once, init=InitSettings(str(tmp_path / "first")))
    Run(config, tmp_path / "on").train()  # its kind is the model's
    assert read_config(tmp_path / "on").model == model
    assert set(disconer.load(tmp_path / "on").labels) == {*disconer.load(tmp_path / "first").labels, "Dose"}


def test_old_labels_are_kept_though_nobody_annotates_them(first: Path, settings: Config, tmp_path: Path) -> None:
    train, dev = (
        with_labels(source, tmp_path / f"{name}.jsonl", {"ADR": "Reaction"})
        for name, source in (("train", settings.data.train), ("dev", settings.data.dev))
    )
    config = replace(going_on(settings, first, epochs=3), data=replace(settings.data, train=train, dev=dev))
    Run(config, tmp_path / "kept").train()
    old, new = disconer.load(first), disconer.load(tmp_path / "kept")
    assert set(new.labels) == {*old.labels, "Reaction"}
    texts = [document.text for document in disconer.read(settings.data.train)]
    found, again = (
        {(number, m.key) for number, one in enumerate(ner.pipe(texts)) for m in one if m.label in OTHER_LABELS}
        for ner in (old, new)
    )
    assert len(found & again) > 0.8 * len(found | again)
    dropping = replace(config, init=InitSettings(str(first), OldLabels.DROP))
    Run(dropping, tmp_path / "dropped").train()
    assert disconer.load(tmp_path / "dropped").labels == ("Reaction",)


def test_a_dev_set_that_has_the_old_labels_is_left_as_it_is(first: Path, settings: Config, tmp_path: Path) -> None:
    """Scores are of what people annotated, wherever they did."""
    train = with_labels(settings.data.train, tmp_path / "train.jsonl", {"ADR": "Reaction"})
    dev = with_labels(settings.data.dev, tmp_path / "dev.jsonl", {"ADR": "Drug"})
    data = replace(settings.data, train=train, dev=dev)
    best = Run(replace(going_on(settings, first), data=data), tmp_path / "run").train()[0]
    documents = list(disconer.read(dev))
    labels = [mention.label for one in disconer.load(first).pipe(documents) for mention in one]
    assert "Drug" in labels
    annotated = sum(len(document.unique_mentions) for document in documents)
    assert best.dev["all"]["gold"] == annotated + len(labels) - labels.count("Drug")
    card = (tmp_path / "run" / "model" / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert "Nobody annotated `ADR`, `Disease`, `Dose`, `Drug`, `Severity` in train." in card


@pytest.mark.parametrize("knows_real_text", [True, False])
def test_what_goes_on_from_a_model_of_real_text_did_not_learn_from_invented_text_alone(
    settings: Config, data: Path, tmp_path: Path, knows_real_text: bool
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    documents = list(disconer.read(data / "train.jsonl"))[:20]
    real = [Document(one.layout, one.mentions, one.id) for one in documents] if knows_real_text else documents
    short = replace(settings, training=replace(settings.training, epochs=1))
    Run(short, first, documents={"train": real}).train()
    Run(replace(short, init=InitSettings(str(first))), second, documents={"train": documents}).train()
    cards = [read_card(folder / "model") for folder in (first, second)]
    assert list(map(learned_from_invented, cards)) == [not knows_real_text] * 2


def test_a_model_does_not_learn_from_itself_alone(first: Path, settings: Config, tmp_path: Path) -> None:
    """Texts that nobody annotated are a mistake, though the model finds something in them."""
    train = with_labels(settings.data.train, tmp_path / "train.jsonl", {})
    config = replace(going_on(settings, first), data=replace(settings.data, train=train))
    with pytest.raises(InputError, match="no mention in it to learn from"):
        Run(config, tmp_path / "run").train()


def test_dev_may_have_old_labels_only(settings: Config, tmp_path: Path) -> None:
    """Those of the model count, though train has none of them and the model, which knows nothing yet, finds none."""
    Run(replace(settings, training=replace(settings.training, epochs=1, head_rate=0.0)), tmp_path / "first").train()
    train = with_labels(settings.data.train, tmp_path / "train.jsonl", {"ADR": "Reaction"})
    data = replace(settings.data, train=train)
    config = replace(going_on(settings, tmp_path / "first"), data=data)
    assert Run(config, tmp_path / "run").train()[0].dev["all"]["gold"] > 0
    with pytest.raises(InputError, match="no mention in it with a label that train has"):
        Run(replace(config, init=replace(config.init, labels=OldLabels.DROP)), tmp_path / "drop").train()


@pytest.mark.parametrize(
    ("wish", "name"), [(["--encoder", "minilm"], "encoder.name=tiny"), (["--set", "mac.width=256"], "mac.width=16")]
)
def test_a_flag_that_asks_for_what_is_usual_is_refused_too(
    wish: list[str], name: str, first: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "--init", str(first), "--show", *wish]) == 2
    assert f"the model to go on from has {name}, and cannot go on with" in capsys.readouterr().err
    assert main(["train", "--init", str(first), "--show", "--model", "mac"]) == 0  # as the model is


def test_it_keeps_the_models_shape_and_refuses_another(first: Path, settings: Config, tmp_path: Path) -> None:
    wide, wider = (replace(settings.settings_of(MacSettings), width=width) for width in (32, 256))
    plain = replace(going_on(settings, first), encoder=Config().encoder).with_model_settings(wider)
    run = Run(plain, tmp_path / "run")
    assert (run.config.settings_of(MacSettings).width, run.config.encoder.name) == (16, "tiny")
    with pytest.raises(InputError, match=r"has mac\.width=16, and cannot go on with 32"):
        Run(plain.with_model_settings(wide), tmp_path / "other")
    with pytest.raises(InputError, match="has model=mac, and cannot go on with comb"):
        Run(replace(plain, model=ModelName.COMB), tmp_path / "other")


def test_a_resumed_run_ends_the_same_and_keeps_to_its_model(first: Path, settings: Config, tmp_path: Path) -> None:
    config = going_on(settings, first)
    Run(config, tmp_path / "run").train()
    Run(replace(config, seeds=(1,)), tmp_path / "run").train(resume=True)
    assert weights_of(tmp_path / "run" / "seed-0") != weights_of(tmp_path / "run" / "seed-1")
    Run(config, tmp_path / "another").train()
    assert weights_of(tmp_path / "another" / "seed-0") == weights_of(tmp_path / "run" / "seed-0")
    elsewhere = replace(config, init=InitSettings(str(tmp_path / "another")))
    with pytest.raises(InputError, match=r"not what this run began with|another init\.model"):
        Run(elsewhere, tmp_path / "run").train(resume=True)


def test_the_command_line_takes_a_run(first: Path, settings: Config, tmp_path: Path) -> None:
    files = ["--train", settings.data.train, "--dev", settings.data.dev, "--out", str(tmp_path / "run")]
    assert main(["train", *files, "--init", str(first), "--epochs", "1", "--quiet"]) == 0
    assert read_config(tmp_path / "run").init.model == str(first)


@pytest.mark.parametrize("wrong", ["missing", "exported"])
def test_what_cannot_be_gone_on_from_is_a_line(
    wrong: str, first: Path, settings: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "nothing" if wrong == "missing" else tmp_path / "exported"
    if wrong == "exported":
        model.mkdir()
        for name in ("config.json", "tokenizer.json"):
            (model / name).write_bytes((first / "model" / name).read_bytes())
        (model / "encoder.onnx").write_bytes(b"")
    files = ["--train", settings.data.train, "--dev", settings.data.dev, "--out", str(tmp_path / "run")]
    assert main(["train", *files, "--init", str(model)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert ("heads.onnx is missing" if wrong == "exported" else "no such run") in error
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("bits", [[], ["--int8"]])
def test_an_exported_model_learns_again(bits: list[str], first: Path, settings: Config, tmp_path: Path) -> None:
    assert main(["export", str(first), str(tmp_path / "fast"), "--quiet", *bits]) == 0
    scores = []
    for model in (first, tmp_path / "fast"):
        out = tmp_path / f"on-from-{model.name}"
        Run(going_on(settings, model), out).train()
        (epoch,) = (epoch for path in out.glob("seed-*/metrics.jsonl") for epoch in read_metrics(path))
        scores.append(epoch.dev["all"]["f1"])
    assert scores[1] == pytest.approx(scores[0], abs=0.1 if bits else 1e-6)


def model_of(name: ModelName, labels: tuple[str, ...], longest: int = LONGEST, fragments: int = FRAGMENTS) -> Model:
    settings = name.entry.settings().resolve(longest, fragments)
    model = build_network(name, GivenVectors(), labels, settings.new_scheme(SchemeSettings()), settings).double()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter)
    return model


@pytest.mark.parametrize("name", ModelName)
def test_what_both_have_is_taken_over_and_the_rest_is_left(name: ModelName) -> None:
    old, new = model_of(name, ("ADR", "Drug")), model_of(name, ("ADR", "Dose", "Drug"), longest=5, fragments=3)
    before = {key: parameter.detach().clone() for key, parameter in new.named_parameters()}
    transfer_weights(new, old)
    learned = dict(old.named_parameters())
    for key, parameter in new.named_parameters():
        keys, theirs = new.parameter_keys.get(key, ()), old.parameter_keys.get(key, ())
        for place in product(*(enumerate(dimension) for dimension in keys)):
            here = tuple(number for number, _ in place)
            is_common = all(what in known for (_, what), known in zip(place, theirs, strict=True))
            there = (
                tuple(known.index(what) for (_, what), known in zip(place, theirs, strict=True)) if is_common else ()
            )
            expected = learned[key][there] if is_common else before[key][here]
            assert torch.equal(parameter[here], expected), (key, place)


@pytest.mark.parametrize("name", ModelName)
def test_there_are_keys_for_every_parameter_that_depends_on_the_data(name: ModelName) -> None:
    shapes, others = (
        {key: tuple(parameter.shape) for key, parameter in model_of(name, labels, longest).named_parameters()}
        for labels, longest in ((("ADR",), 3), (("ADR", "Drug", "Dose"), 4))
    )
    model = model_of(name, ("ADR",), 3)
    assert {key for key in shapes if shapes[key] != others[key]} == set(model.parameter_keys) & set(shapes)
    for key, dimensions in model.parameter_keys.items():
        assert shapes[key][: len(dimensions)] == tuple(map(len, dimensions))
        assert all(len(set(dimension)) == len(dimension) for dimension in dimensions)


def test_mac_says_the_same_of_the_labels_it_knew() -> None:
    torch.manual_seed(3)
    old, new = model_of(ModelName.MAC, ("ADR", "Drug")), model_of(ModelName.MAC, ("ADR", "Dose", "Drug"), longest=6)
    transfer_weights(new, old)
    sentences = random_sentences(7, 4)
    outputs = []
    for model in (old.eval(), new.eval()):
        batch = give(model, sentences)
        outputs.append(model.outputs(batch, GridScheme().with_min_score(0.01)))
    for of_old, of_new in zip(*outputs, strict=True):
        known = {
            cell: score
            for cell, score in of_new.segments.items()
            if cell.label != "Dose" and cell.last - cell.first < LONGEST
        }
        assert known.keys() == of_old.segments.keys()
        assert known == pytest.approx(of_old.segments)


def test_a_model_of_other_parts_is_refused() -> None:
    with pytest.raises(InputError, match="other parts"):
        transfer_weights(model_of(ModelName.MAC, ("ADR",)), model_of(ModelName.COMB, ("ADR",)))
    narrow = build_network(
        ModelName.MAC, GivenVectors(), ("ADR",), GridScheme(), MacSettings(longest_segment=3, width=8)
    )
    with pytest.raises(InputError, match="other sizes"):
        transfer_weights(narrow.double(), model_of(ModelName.MAC, ("ADR",)))
