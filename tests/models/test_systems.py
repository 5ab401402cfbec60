"""What holds for every model, whichever system it is."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import nn

from disconer import Document, load
from disconer.encoders.pretrained import load_encoder
from disconer.encoders.settings import EncoderSettings
from disconer.exceptions import FormatError, InputError
from disconer.models.registry import ModelName, build_network
from disconer.models.settings import CombSettings, GraphSettings, MacSettings, SegmentModelSettings
from disconer.passage import WordMention
from disconer.recognizer import Recognizer
from disconer.runtime.torch_engine import TorchEngine, load_torch_engine
from disconer.storage.weights import collect_weights
from disconer.tokenize import Layout
from disconer.training.config import Config

LABELS = ("ADR", "Drug")
TEXTS = [
    "Severe joint, shoulder and upper body pain after the second dose of Zorvastin.",
    "Headache",
    "No pain. Some nausea and mild fever, then nothing.\n\nSlept well.",
    "",
]
LIMITS = ("name", "budget", "most_segments", "most_relations", "window")
"""What may be as large as one likes, and names."""
SYSTEMS = [name for name in ModelName if name is not ModelName.MAC]


def talkative(name: ModelName) -> TorchEngine:
    """Make a model with random weights that finds all sorts of mentions."""
    torch.manual_seed(3)
    settings = EncoderSettings("tiny")
    config = Config(model=name, encoder=settings)
    own = config.model_settings.resolve(longest_segment=3, fragments=2)
    encoder, tokenizer = load_encoder(settings)
    model = build_network(name, encoder, LABELS, config.new_scheme(), own)
    for part_name, parameter in model.named_parameters():
        if not part_name.startswith("encoder."):
            nn.init.normal_(parameter, std=0.1 if name is ModelName.W2NER else 0.3)
    return TorchEngine(model.eval(), tokenizer, LABELS, replace(settings, window=tokenizer.window), own, name)


def found(document: Document) -> list[tuple[object, float | None]]:
    return [(mention.key, mention.score) for mention in document]


@pytest.fixture(scope="module", params=SYSTEMS)
def model(request: pytest.FixtureRequest) -> TorchEngine:
    return talkative(request.param)


def test_a_model_finds_scored_mentions_in_text(model: TorchEngine) -> None:
    document = Recognizer(model)(TEXTS[0])
    assert list(document)
    for mention in document:
        assert mention.label in LABELS
        assert mention.score is not None
        assert 0 <= mention.score <= 1
        assert not mention.is_cutting_words


def test_saving_and_loading_keeps_everything(model: TorchEngine, tmp_path: Path) -> None:
    model.save(tmp_path / "model", "card")
    again = load_torch_engine(tmp_path / "model")
    torch.testing.assert_close(collect_weights(model.model), collect_weights(again.model), rtol=0, atol=0)
    assert (again.scheme, again.settings, again.name) == (model.scheme, model.settings, model.name)
    texts = [found(document) for document in load(tmp_path / "model").pipe(TEXTS)]
    assert texts == [found(document) for document in Recognizer(model).pipe(TEXTS)]
    description = json.loads((tmp_path / "model" / "config.json").read_text())
    assert description["model"] == model.name
    assert description["scheme"]["name"] == model.name.entry.scheme.name


def test_what_is_found_does_not_depend_on_the_texts_beside_it(model: TorchEngine) -> None:
    texts = [*TEXTS, *("pain and fever " * count for count in (1, 4, 9))]
    together = list(Recognizer(model).pipe(texts))
    one_by_one = list(Recognizer(model, budget=1).pipe(texts))
    for one, other in zip(together, one_by_one, strict=True):
        assert [key for key, _ in found(one)] == [key for key, _ in found(other)]
        assert [score for _, score in found(one)] == pytest.approx([score for _, score in found(other)], abs=2e-4)


def test_no_mention_has_a_score_below_the_threshold(model: TorchEngine) -> None:
    recognizer = Recognizer(model)
    every = sorted(mention.score or 0 for mention in recognizer(TEXTS[0], threshold=0.01))
    middle = (every[0] + every[-1]) / 2
    few = [mention.score or 0 for mention in recognizer(TEXTS[0], threshold=middle)]
    assert every[0] < middle <= min(few)
    both = next(recognizer.pipe_thresholds([TEXTS[0]], [0.01, middle]))
    assert [len(list(document)) for document in both] == [len(every), len(few)]


def test_a_sentence_without_words_has_no_mentions(model: TorchEngine) -> None:
    wordless = Document(Layout("pain", given_words=()))
    documents = list(Recognizer(model).pipe([wordless, Document("fever"), wordless]))
    assert not list(documents[0])
    assert not list(documents[2])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scheme": {"name": "grid"}}, "scheme"),
        ({"thresholds": {"segment": 0.5}}, "thresholds"),
        ({"model": "mac"}, "damaged"),
        ({"model": "other"}, "no such model"),
        ({"model": []}, "model"),
    ],
)
def test_a_description_that_does_not_fit_is_one_line(
    model: TorchEngine, change: dict[str, object], message: str, tmp_path: Path
) -> None:
    model.save(tmp_path / "model", "card")
    path = tmp_path / "model" / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    if model.name is ModelName.COMB and "thresholds" in change:
        path.write_text(json.dumps(json.loads(path.read_text()) | {"thresholds": {"mention": 0.5}}))
    with pytest.raises((FormatError, InputError), match=message) as caught:
        load_torch_engine(tmp_path / "model")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value", [10**7, 10**10, 2**63 - 1, 2**63, 10**400, -1, 0.5, "wide", None])
def test_sizes_that_make_no_sense_are_one_line_and_take_no_memory(
    model: TorchEngine, value: object, tmp_path: Path
) -> None:
    model.save(tmp_path / "model", "card")
    path = tmp_path / "model" / "config.json"
    whole = json.loads(path.read_text())
    for table in (str(model.name), "scheme"):
        for name in whole[table]:
            if name in LIMITS or (table == "graph" and name == "components"):
                continue  # limits, which may be as large as one likes
            path.write_text(json.dumps({**whole, table: {**whole[table], name: value}}))
            if value == 0.5 and (name == "prior" or name.endswith("dropout")):
                continue
            with pytest.raises(InputError) as caught:
                load_torch_engine(tmp_path / "model")
            assert "\n" not in str(caught.value)


def test_weights_out_of_all_proportion_find_something_or_nothing(model: TorchEngine, tmp_path: Path) -> None:
    model.save(tmp_path / "model", "card")
    for name, factor in (("LayerNorm.weight", 1e30), ("classifier", 1e38), ("classifier", 1e30)):
        wild = load_torch_engine(tmp_path / "model")
        for parameter_name, parameter in wild.model.named_parameters():
            if name in parameter_name:
                parameter.data.mul_(factor)
        for document in Recognizer(wild).pipe(TEXTS):
            assert all(0 <= (mention.score or 0) <= 1 for mention in document)


@pytest.mark.parametrize("precision", [torch.bfloat16, torch.float16])
def test_half_precision_learns_and_finds(model: TorchEngine, precision: torch.dtype) -> None:
    documents = [Document("Severe joint and shoulder pain."), Document("Headache")]
    sentences = [sentence for document in documents for sentence in document.sentences]
    batch = model.tokenizer.collate(model.tokenizer.tokenize(sentences))
    mentions = [[WordMention("ADR", ((0, 1), (4, 4)))], []]
    targets = [model.model.targets(own, len(one.word_spans)) for own, one in zip(mentions, sentences, strict=True)]
    exact = model.model.loss(batch, targets).item()
    with torch.autocast("cpu", precision):
        assert model.model.loss(batch, targets).item() == pytest.approx(exact, rel=0.1)
        assert len(model.model.outputs(batch, model.scheme)) == 2


def test_only_mac_can_be_exported(model: TorchEngine, tmp_path: Path) -> None:
    from disconer.runtime.export import export  # noqa: PLC0415 (slow to import)

    with pytest.raises(InputError, match="mac"):
        export(model, tmp_path / "exported", "card")


def test_what_the_data_decides_is_settled() -> None:
    config = Config(model=ModelName.GRAPH)
    assert config.settings_of(GraphSettings).resolve(longest_segment=9, fragments=2).components == 2
    assert config.settings_of(GraphSettings).resolve(longest_segment=9, fragments=8).components == 3
    five = replace(config.settings_of(GraphSettings), components=5)
    assert five.resolve(longest_segment=9, fragments=2).components == 5
    for own in (config.settings_of(MacSettings), config.settings_of(CombSettings)):
        assert isinstance(own, SegmentModelSettings)
        assert own.resolve(longest_segment=9, fragments=2).longest_segment == 9
