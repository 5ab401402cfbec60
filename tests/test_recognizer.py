"""Text in, mentions out: the same whatever the batch, in order, with the offsets of the document."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from disconer import Document, InputError, RunError, load
from disconer.recognizer import Recognizer, split_document
from disconer.tokenize import Layout
from tests.strategies import documents

TEXTS = [
    "Severe joint, shoulder and upper body pain.",
    "",
    "No pain. Some nausea and mild fever after the second dose of Zorvastin, then nothing.\n\nSlept well.",
    "   \n ",
    "Headache",
]


@pytest.fixture(scope="module")
def recognizer(model_folder: Path) -> Recognizer:
    return load(model_folder, device="cpu", threads=1)


def found(document: Document) -> list[tuple[object, float | None]]:
    return [(mention.key, mention.score) for mention in document]


def test_a_text_becomes_a_document_with_scored_mentions(recognizer: Recognizer) -> None:
    document = recognizer(TEXTS[0])
    assert document.text == TEXTS[0]
    assert any(mention.is_discontinuous for mention in document)
    for mention in document:
        assert mention.label in recognizer.labels
        assert mention.score is not None
        assert 0.4 <= mention.score <= 1
        assert not mention.is_cutting_words
    assert list(document) == sorted(document, key=lambda mention: (mention.fragments, mention.label))


def test_plain_text_is_split_and_offsets_are_the_documents(recognizer: Recognizer) -> None:
    document = recognizer(TEXTS[2])
    assert document.sentences[0].text == "No pain."
    alone = recognizer("Slept well.")
    shift = TEXTS[2].index("Slept")
    ours = [
        (mention.label, [(start + shift, end + shift) for start, end in mention.fragments], mention.score)
        for mention in alone
    ]
    theirs = [
        (mention.label, [tuple(fragment) for fragment in mention.fragments], mention.score)
        for mention in document
        if mention.start >= shift
    ]
    assert ours
    assert theirs == ours


@given(st.lists(documents(), max_size=6), st.sampled_from([1, 30, 4096]))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_neighbours_and_batch_size_change_nothing(
    recognizer: Recognizer, given_documents: list[Document], budget: int
) -> None:
    alone = [recognizer(document) for document in given_documents]
    together = list(Recognizer(recognizer.engine, budget).pipe(given_documents))
    assert [document.text for document in together] == [document.text for document in given_documents]
    for one, other in zip(alone, together, strict=True):
        assert [mention.key for mention in one] == [mention.key for mention in other]
        scores = [[mention.score for mention in document] for document in (one, other)]
        assert scores[0] == pytest.approx(scores[1], abs=2e-4)


@given(st.integers(0, 12), st.integers(1, 6))
def test_every_sentence_is_kept_once_and_read_with_its_neighbours(sentences: int, context: int) -> None:
    text = " ".join(["Pain."] * sentences)
    spans = tuple((start, start + 5) for start in range(0, len(text), 6))
    found = split_document(Document(Layout(text, given_sentences=spans)), context)
    assert [index for part in found for index in part.kept] == list(range(sentences))
    for part in found:
        read = part.passage.sentence_indices
        assert len(read) == min(context, sentences)
        for index in part.kept:
            assert index in read
            assert context < 2 or index + 1 in read or index == sentences - 1
            assert context < 3 or index - 1 in read or index == 0


def test_with_context_mentions_may_cross_into_the_next_sentence(recognizer: Recognizer) -> None:
    alone, together = recognizer(TEXTS[2]), recognizer(TEXTS[2], context=2)
    assert len(alone.sentences) == 3
    assert not alone.cross_sentence
    assert together.cross_sentence
    assert len({mention.key for mention in together}) == len(together)


def test_a_context_of_everything_reads_a_document_as_one_sentence(recognizer: Recognizer) -> None:
    whole = Layout(TEXTS[2], Layout(TEXTS[2]).words, ((0, len(TEXTS[2])),))
    assert found(recognizer(TEXTS[2], context=3)) == found(recognizer(Document(whole)))
    assert found(recognizer(TEXTS[2], context=50)) == found(recognizer(Document(whole)))
    with pytest.raises(InputError, match="from 1 on"):
        recognizer(TEXTS[2], context=0)


def test_several_cores_find_the_same_and_leave_torch_as_it_was(model_folder: Path) -> None:
    import torch  # noqa: PLC0415

    before = torch.get_num_threads()
    try:
        alone = list(load(model_folder, device="cpu", threads=1).pipe(TEXTS * 3))
        several = load(model_folder, device="cpu", threads=3)
        with several.engine.workers() as workers:
            assert (workers, torch.get_num_threads()) == (3, 1)
        together = list(Recognizer(several.engine, budget=10).pipe(TEXTS * 3))
        assert [[mention.key for mention in document] for document in together] == [
            [mention.key for mention in document] for document in alone
        ]
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)


def test_what_goes_wrong_on_another_core_is_told(recognizer: Recognizer, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(type(recognizer.engine), "outputs", fail)
    with pytest.raises(RunError, match="not enough memory"):
        list(Recognizer(recognizer.engine, budget=10).pipe(TEXTS))


def test_everything_but_the_mentions_is_kept(recognizer: Recognizer) -> None:
    layout = Layout("a b c", ((0, 1), (2, 5)))
    document = Document(layout, [("ADR", [(0, 1)])], id="d7", extras={"source": 3})
    predicted = recognizer(document)
    assert predicted.layout is layout
    assert (predicted.id, predicted.extras) == ("d7", {"source": 3})
    assert all(mention.score is not None for mention in predicted)


def test_a_stream_is_answered_before_it_ends(recognizer: Recognizer) -> None:
    """Memory stays bounded: texts are read some way ahead and no further."""
    read = 0

    def texts() -> Iterator[str]:
        nonlocal read
        while True:
            read += 1
            yield "Some nausea." + 2_000 * " "

    answers = Recognizer(recognizer.engine, budget=64).pipe(texts())
    for _ in range(50):
        next(answers)
    assert read < 500


def test_a_threshold_is_the_lowest_score(recognizer: Recognizer) -> None:
    few, many = recognizer(TEXTS[0], threshold=0.56), recognizer(TEXTS[0], threshold=0.3)
    assert len(few) < len(recognizer(TEXTS[0])) < len(many)
    assert all(mention.score is not None and mention.score >= 0.56 for mention in few)
    with pytest.raises(InputError, match="threshold"):
        recognizer(TEXTS[0], threshold=0)


def test_what_was_cut_is_counted(recognizer: Recognizer) -> None:
    confused = Recognizer(recognizer.engine)
    confused(" ".join(["pain"] * 30), threshold=0.05)
    assert confused.cut_sentences == 1


def test_long_sentences_are_read_to_the_end(recognizer: Recognizer) -> None:
    text = " ".join(["joint pain and nausea"] * 150)
    document = recognizer(text, threshold=0.6)  # or decoding takes most of the time
    assert max(mention.end for mention in document) > len(text) - 100


def test_what_is_no_text_is_refused(recognizer: Recognizer) -> None:
    with pytest.raises(InputError, match="string"):
        recognizer(3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="several texts"):
        next(recognizer.pipe("abc"))
    with pytest.raises(InputError, match="device"):
        load("anywhere", device="toaster")


def test_a_device_that_is_not_there_is_one_line(model_folder: Path) -> None:
    import torch  # noqa: PLC0415

    if torch.cuda.is_available():
        pytest.skip("this machine has a GPU")
    with pytest.raises(InputError, match="cuda"):
        load(model_folder, device="cuda")


def test_several_thresholds_at_once_are_each_as_if_alone(recognizer: Recognizer) -> None:
    thresholds = (0.5, 0.53, 0.56)
    texts = ["Severe joint and back pain.", "", "Headache"]
    together = list(recognizer.pipe_thresholds(texts, thresholds))
    for number, threshold in enumerate(thresholds):
        alone = list(recognizer.pipe(texts, threshold))
        assert [found(answers[number]) for answers in together] == [found(document) for document in alone]
    assert found(together[0][0]) != found(together[0][2])
