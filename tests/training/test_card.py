"""Model cards: people read the text, the hub reads the YAML in front of it, and neither tells whose machine it was."""

from dataclasses import replace
from pathlib import Path

import pytest
from huggingface_hub import EvalResult, ModelCard, ModelCardData
from hypothesis import given
from hypothesis import strategies as st

from disconer import Document
from disconer.encoders.settings import EncoderSettings
from disconer.models.registry import ModelName
from disconer.scoring import SCOPES, pair_documents, score_pairs, statistics
from disconer.scoring.counts import Counts
from disconer.storage.directory import learned_from_invented
from disconer.training.card import Card
from disconer.training.config import Config, DataSettings, InitSettings
from disconer.training.metrics import Epoch, dev_scores

TEXT = "Severe joint and shoulder pain."
HOSTILE = [
    "---\n---",
    'a "b"',
    "it's: {x} # [y] & *z | %",
    "\x85\u2028\ufeff\x7f",
    "頭痛 🤒",
    "- a\n- b",
    "\\u0041 \\",
    "~",
]


def card(config: Config, label: str = "ADR", command: str = "disconer train") -> ModelCard:
    """Read a card as the hub does."""
    gold = [Document(TEXT, [(label, [(0, 12), (26, 30)]), (label, [(17, 30)])])]
    predicted = [Document(TEXT, [(label, [(17, 30)]), (label, [(0, 6)])])]
    scores = score_pairs(pair_documents(gold, predicted))
    figures = statistics(gold, config.new_scheme())
    epoch = Epoch(3, 0.5, dev_scores(scores), {}, 100.0, 1.0)
    return ModelCard(Card(config, command, figures, figures).text(7, epoch, scores))


@pytest.mark.parametrize(("correct", "is_weak"), [(4, True), (5, False)])
def test_a_card_says_when_most_of_what_a_model_finds_is_wrong(correct: int, is_weak: bool) -> None:
    scores = dict.fromkeys(SCOPES, Counts(gold=9, predicted=10, correct=correct).as_json())
    epoch = Epoch(3, 0.5, scores, {}, 100.0, 1.0)
    figures = statistics([], config().new_scheme())
    text = Card(config(), "", figures, figures).text(7, epoch, score_pairs([]))
    assert (f"{10 - correct} of the 10 mentions that the model finds in dev are wrong" in text) == is_weak


@pytest.mark.parametrize("is_invented", [True, False])
def test_a_card_says_whether_a_program_wrote_what_was_learned(is_invented: bool) -> None:
    scores = dict.fromkeys(SCOPES, Counts(gold=9, predicted=10, correct=8).as_json())
    figures = statistics([], config().new_scheme())
    text = Card(config(), "", figures, figures, is_invented=is_invented).text(
        7, Epoch(3, 0.5, scores, {}, 1, 1), score_pairs([])
    )
    assert learned_from_invented(text) is is_invented
    assert ("learned from invented sentences" in text) is is_invented
    assert not learned_from_invented(text.replace("- invented-text\n", "") + "\n- invented-text\n")
    assert ("invented-text" in (data(ModelCard(text)).tags or [])) is is_invented


def data(read: ModelCard) -> ModelCardData:
    assert isinstance(read.data, ModelCardData)
    return read.data


def results(read: ModelCard) -> list[EvalResult]:
    return data(read).eval_results or []


def config(dev: str = "dev.jsonl", encoder: str = "minilm", init: str = "") -> Config:
    return Config(data=DataSettings("train.jsonl", dev), encoder=EncoderSettings(encoder), init=InitSettings(init))


def test_the_hub_understands_what_is_in_front() -> None:
    read = card(config("corpus/dev.jsonl"))
    assert data(read).to_dict() | {"model-index": None} == {  # type: ignore[no-untyped-call]
        "library_name": "disconer",
        "pipeline_tag": "token-classification",
        "tags": ["token-classification", "named-entity-recognition", "discontinuous-ner"],
        "base_model": "sentence-transformers/all-MiniLM-L6-v2",
        "model-index": None,
    }
    assert data(read).model_name == "disconer-mac"
    assert {(one.dataset_config, one.metric_type): one.metric_value for one in results(read)} == {
        ("all", "precision"): 0.5, ("all", "recall"): 0.5, ("all", "f1"): 0.5,
        ("disc_sentences", "precision"): 0.5, ("disc_sentences", "recall"): 0.5, ("disc_sentences", "f1"): 0.5,
        ("disc_mentions", "precision"): 0.0, ("disc_mentions", "recall"): 0.0, ("disc_mentions", "f1"): 0.0,
    }  # fmt: skip
    for one in results(read):
        assert (one.task_type, one.dataset_name, one.dataset_split) == ("token-classification", "dev.jsonl", "dev")
        assert one.verified is False
    assert results(read)[-1].metric_name == "F1, discontinuous mentions only"
    assert read.text.startswith("\n# A disconer model\n")
    assert "seed 7, epoch 3" in read.text


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_names(name: str) -> None:
    read = card(config(f"data/{name}", f"somebody/{name}"), name, name)
    assert len(results(read)) == 9
    assert data(read).library_name == "disconer"
    assert read.text.startswith("\n# A disconer model\n")


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/\0"), min_size=1))
def test_whatever_data_is_called_stands_there(name: str) -> None:
    found = {one.dataset_name for one in results(card(config(f"data/{name}")))}
    if name.isprintable() and name not in (".", ".."):
        assert found == {name}
    assert len(found) == 1


@pytest.mark.parametrize(
    ("encoder", "init", "base"),
    [
        ("minilm", "", "sentence-transformers/all-MiniLM-L6-v2"),
        ("google/bert", "", "google/bert"),
        ("bert-base-uncased", "", "bert-base-uncased"),
        ("minilm", "somebody/pain@v2", "somebody/pain"),
        ("minilm", "runs/old/model", "sentence-transformers/all-MiniLM-L6-v2"),
        ("tiny", "", None),
        ("elmo:somewhere/elmo", "", None),
        ("/secret/place/bert", "", None),
        ("secret/place/bert", "", None),
        ("../secret/bert", "", None),
        ("~/secret/bert", "", None),
    ],
)
def test_what_the_model_began_with_is_named_if_it_is_on_the_hub(encoder: str, init: str, base: str | None) -> None:
    read = card(config(encoder=encoder, init=init))
    assert data(read).base_model == base
    assert "secret" not in read.content


def test_an_encoder_in_a_folder_is_not_taken_for_one_on_the_hub(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine" / "bert").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    read = card(config(encoder="mine/bert"))
    assert data(read).base_model is None
    assert "on the encoder `bert`" in read.text


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ("--train corpus/train.jsonl", "--train corpus/train.jsonl"),
        ("--dev '/home/ja ne/secret/dev.jsonl' --out /tmp/run/", "--dev dev.jsonl --out run/"),
        ("--config=/x/c.toml --set encoder.name=elmo:/x/y", "--config=c.toml --set encoder.name=elmo:y"),
        ("--train ~/secret/train.jsonl", "--train train.jsonl"),
        ("--train /train.jsonl --dev=/secret/", "--train train.jsonl --dev=secret/"),
    ],
)
def test_a_command_does_not_say_where_files_lie(arguments: str, shown: str) -> None:
    text = card(config(), command=f"disconer train {arguments}").text
    assert text.endswith(f"```\ndisconer train {shown}\n```\n")
    assert card(config(), command="disconer 'unfinished /secret/").text.endswith("```\n\n```\n")


def test_each_system_has_a_name() -> None:
    assert data(card(replace(config(), model=ModelName.TRANS))).model_name == "disconer-trans"
