"""The ready models themselves, on sentences written for this whose mentions are beyond doubt."""

import tomllib
from pathlib import Path

import pytest

import disconer
from disconer.storage.ready import NAMES, list_ready_models
from disconer.training.origin import Origin
from tests.documentation.blocks import ROOT

LARGEST = 35_000_000
"""Bytes of a ready model."""
SENTENCES = {
    "adr": {
        "Hepatic and renal failure were reported.": {"Hepatic failure", "renal failure"},
        "Bacterial and viral infections were reported.": {"Bacterial infections", "viral infections"},
        "Chest or abdominal pain may occur.": {"Chest pain", "abdominal pain", "may"},
        "Blurred or double vision may occur.": {"Blurred vision", "double vision", "may"},
        "Decreases in white blood cell and platelet counts were observed.": {
            "Decreases in white blood cell", "Decreases in platelet counts",
        },
        "The most common adverse reactions were nausea, vomiting and headache.": {"nausea", "vomiting", "headache"},
        "Severe hypotension has been reported.": {"Severe", "hypotension"},
        "Patients developed urinary tract infection and pneumonia.": {"urinary tract infection", "pneumonia"},
        "Increased appetite and decreased weight were common.": {"Increased appetite", "decreased weight"},
        "It caused cleft palate in rats.": {"cleft palate", "rats"},
        "Store the tablets at room temperature.": set(),
    },
    "trials": {
        "Patients with obstructive or central sleep apnea.": {"obstructive apnea", "central sleep apnea"},
        "History of hepatic or renal failure.": {"hepatic failure", "renal failure"},
        "Known breast or ovarian cancer.": {"breast cancer", "ovarian cancer"},
        "Patients with type 2 diabetes mellitus treated with metformin.": {"type 2 diabetes mellitus", "metformin"},
        "Hemoglobin less than 9 g/dL.": {"Hemoglobin", "less than 9 g/dL"},
        "Age 18 years or older.": {"Age", "18 years or older"},
        "Allergy to penicillin.": {"Allergy", "penicillin"},
        "No stroke within 6 months.": {"No", "stroke", "within 6 months"},
        "Written informed consent.": set(),
    },
    "craft": {
        "Dopaminergic and serotonergic neurons were counted.": {"Dopaminergic neurons", "serotonergic neurons"},
        "Osteoblasts and chondrocytes express BMP2 and BMP4.": {
            "Osteoblasts", "chondrocytes", "express", "BMP2", "BMP4",
        },
        "Hepatocytes of rats and mice were cultured.": {"Hepatocytes", "rats", "mice"},
        "Glucose and insulin were measured in the blood.": {"Glucose", "insulin", "blood"},
        "Zebrafish embryos were fixed in formaldehyde.": {"Zebrafish", "embryos", "formaldehyde"},
        "The authors declare no conflict of interest.": set(),
    },
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_mentions_beyond_doubt_are_found_and_no_others(name: str) -> None:
    sentences = SENTENCES[name]
    found = disconer.load(name, threads=1).pipe(sentences)
    assert {document.text: {mention.text for mention in document} for document in found} == sentences


@pytest.mark.parametrize("name", NAMES)
def test_what_it_says_of_itself_is_so(name: str) -> None:
    (model,) = (
        model
        for model in list_ready_models(lambda name, problem: pytest.fail(f"{name}: {problem}"))
        if model.name == name
    )
    assert model.size < LARGEST
    assert model.labels == disconer.load(name, threads=1).labels
    assert model.examples
    card = (model.folder / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert all(part in card for part in (model.title, model.licence, *(f"`{label}`" for label in model.labels)))
    assert f" {100 * model.scores['all']['f1']:.1f} |" in card


@pytest.mark.parametrize("name", NAMES)
def test_what_somebody_wrote_about_it_is_what_is_shipped(name: str) -> None:
    (model,) = (
        model
        for model in list_ready_models(lambda name, problem: pytest.fail(f"{name}: {problem}"))
        if model.name == name
    )
    about = tomllib.loads((ROOT / "models" / name / "about.toml").read_text(encoding="utf-8"))
    said = {key: about[key] for key in ("title", "data", "licence")} | {"examples": tuple(about["examples"])}
    assert said == {key: getattr(model, key) for key in said}, "run python -m tools.ready, and install it again"


@pytest.mark.parametrize(("name", "corpus"), [("adr", "tac2017_adr"), ("trials", "chia"), ("craft", "craft")])
def test_its_scores_are_those_of_dev(name: str, corpus: str, corpora: Path) -> None:
    (model,) = (
        model
        for model in list_ready_models(lambda name, problem: pytest.fail(f"{name}: {problem}"))
        if model.name == name
    )
    scores = disconer.evaluate(name, corpora / corpus / "dev.jsonl", threads=1).as_json()
    for scope, said in model.scores.items():
        assert scores[scope]["f1"] == pytest.approx(said["f1"], abs=0.01)  # eight bits share a scale in a batch


@pytest.mark.parametrize("name", NAMES)
def test_it_can_learn_again(name: str) -> None:
    """Its weights come back as numbers for torch, which find nearly the same."""
    text = next(iter(SENTENCES[name]))
    again = disconer.Recognizer(Origin.find(name).load())
    assert {mention.text for mention in again(text)} == SENTENCES[name][text]
