"""How the sample corpus speaks of drugs, doses, diseases and complaints, and which mentions that makes."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from disconer.corpora.sample import words
from disconer.corpora.sample.effects import ADR, FORUM_EFFECTS, LABEL_EFFECTS, SEVERITY, Construction
from disconer.corpora.sample.phrases import (
    Choices,
    Phrase,
    Writer,
    distribute,
    join_phrases,
    mention,
    phrase,
    repeat_by_weight,
)

DISEASE = "Disease"
DOSE = "Dose"
DRUG = "Drug"

AGREEMENT = {"is": "are", "was": "were", "has": "have", "occurs": "occur", "resolves": "resolve"}
"""Verbs that follow the number of what stands before them."""


def inflect_verbs(is_plural: bool) -> dict[str, str]:
    """Inflect the verbs of `AGREEMENT` for number."""
    return {singular: plural if is_plural else singular for singular, plural in AGREEMENT.items()}


def choose_between(ways: Mapping[Construction, int]) -> Construction:
    """Join ways to say something into one, which takes each as often as its weight says."""
    choices = repeat_by_weight(ways)
    return lambda writer: writer.pick(choices)(writer)


def drug(writer: Writer) -> Phrase:
    return mention(DRUG, writer.pick(words.DRUGS))


def dose(writer: Writer) -> Phrase:
    return mention(DOSE, writer.pick(words.AMOUNTS), " ", writer.pick(words.UNITS))


def two_doses(writer: Writer) -> Phrase:
    """As in "10 or 20 mg"."""
    return distribute(DOSE, _pick_amount_and_double(writer), " ", [writer.pick(words.UNITS)], conjunction="or")


def raised_dose(writer: Writer) -> Phrase:
    """As in "10 mg to 20 mg"."""
    unit = writer.pick(words.UNITS)
    return join_phrases([mention(DOSE, amount, " ", unit) for amount in _pick_amount_and_double(writer)], "to")


def _pick_amount_and_double(writer: Writer) -> list[Phrase]:
    amount = writer.pick(words.AMOUNTS)
    return [amount, phrase(str(2 * int(amount.text)))]


def disease(writer: Writer) -> Phrase:
    return mention(DISEASE, writer.pick(words.DISEASES))


def two_diseases(writer: Writer) -> Phrase:
    return join_phrases([mention(DISEASE, name) for name in writer.pick_several(words.DISEASES, 2)])


def kinds_of_disease(writer: Writer) -> Phrase:
    """As in "breast and ovarian cancer"."""
    family = writer.pick(words.FAMILIES)
    return distribute(DISEASE, writer.pick_several(words.KINDS[family], 2), " ", [phrase(family)])


def kind_of_disease_and_disease(writer: Writer) -> Phrase:
    """As in "breast cancer and gout"."""
    family = writer.pick(words.FAMILIES)
    return join_phrases([mention(DISEASE, writer.pick(words.KINDS[family]), f" {family}"), disease(writer)])


def complication(writer: Writer) -> Phrase:
    """As in "chronic pain caused by shingles": a mention inside another of its kind."""
    return mention(DISEASE, writer.pick(words.COMPLICATIONS), " caused by ", disease(writer))


def drug_induced(writer: Writer) -> Phrase:
    """As in "Zorvastin-induced hepatitis"."""
    return mention(ADR, drug(writer), "-induced ", writer.pick(words.REACTIONS))


def worsening(writer: Writer) -> Phrase:
    """As in "worsening of asthma symptoms"."""
    return mention(ADR, "worsening of ", disease(writer), " symptoms")


def interrupted_worsening(writer: Writer) -> Phrase:
    """As in "worsening, mostly transient, of asthma symptoms"."""
    aside = phrase(", ") + writer.pick(words.LABEL_ASIDES) + ", "
    symptoms = phrase("of ") + disease(writer) + " symptoms"
    return replace(distribute(ADR, [phrase("worsening")], aside, [symptoms]), is_plural=False)


def numb(writer: Writer, body_parts: int = 1, states: int = 1) -> Phrase:
    """As in "my hands and feet were numb"."""
    return _make_complaint(writer, body_parts, words.VERBS_OF_STATES, writer.pick_several(words.STATES, states))


def aching(writer: Writer, body_parts: int = 1) -> Phrase:
    """As in "my knees and lower back were aching"."""
    return _make_complaint(writer, body_parts, words.VERBS_OF_ACHES, [writer.pick(words.ACHES)])


def badly_swollen(writer: Writer, body_parts: int = 1, states: int = 1) -> Phrase:
    """As in "my legs were severely swollen and stiff"."""
    degree = mention(SEVERITY, writer.pick(words.SEVERELY))
    return _make_complaint(
        writer, body_parts, words.VERBS_OF_DEGREES, [degree], " ", writer.pick_several(words.STATES, states)
    )


def _make_complaint(writer: Writer, body_parts: int, verbs: Choices[str], *ailment: list[Phrase] | str) -> Phrase:
    parts = writer.pick_several(words.BODY_PARTS, body_parts)
    between = writer.pick(verbs).format_map(inflect_verbs(join_phrases(parts).is_plural))
    return phrase("my ") + distribute(ADR, parts, between, *ailment)


def healthy(writer: Writer) -> Phrase:
    """As in "my hands and feet were fine", which is no mention."""
    parts = body_parts(writer)
    return phrase("my ") + parts + f" {inflect_verbs(parts.is_plural)['was']} " + writer.pick(words.HEALTHY)


def numb_and_aching(writer: Writer) -> Phrase:
    """As in "my hands were numb and my knees kept aching"."""
    return join_phrases([numb(writer), aching(writer)])


def aching_but_healthy(writer: Writer) -> Phrase:
    """As in "my knees kept aching but my hands were fine"."""
    return join_phrases([aching(writer), healthy(writer)], "but")


def moody(writer: Writer) -> Phrase:
    """As in "I was dizzy"."""
    return phrase("I was ") + mention(ADR, writer.pick(words.MOODS))


def struggling(writer: Writer, activities: int = 1) -> Phrase:
    """As in "could hardly walk or sleep"."""
    struggle, undone = writer.pick(words.STRUGGLES), writer.pick_several(words.ACTIVITIES, activities)
    return distribute(ADR, [struggle], " ", undone, conjunction="or")


def body_parts(writer: Writer) -> Phrase:
    return join_phrases(writer.pick_several(words.BODY_PARTS, writer.pick(ONE_OR_TWO)))


def organs(writer: Writer) -> Phrase:
    """As in "hepatic and renal", of something that is no mention."""
    return join_phrases(writer.pick_several(words.ORGANS, writer.pick(ONE_OR_TWO)))


ONE_OR_TWO = Choices((1, 2))

effects = choose_between(
    {choose_between(FORUM_EFFECTS.continuous()): 5, choose_between(FORUM_EFFECTS.discontinuous()): 1}
)
reactions = choose_between(
    {
        choose_between({**LABEL_EFFECTS.continuous(), worsening: 2}): 5,
        choose_between({**LABEL_EFFECTS.discontinuous(), interrupted_worsening: 2}): 1,
    }
)
diseases = choose_between(
    {disease: 5, two_diseases: 3, kind_of_disease_and_disease: 3, kinds_of_disease: 2, complication: 3}
)
doses = choose_between({dose: 5, two_doses: 1})
complaint = choose_between(
    {
        moody: 14,
        numb: 2,
        aching: 2,
        partial(numb, body_parts=2): 1,
        partial(aching, body_parts=2): 1,
        partial(aching, body_parts=3): 1,
        partial(numb, states=2): 1,
        partial(numb, body_parts=2, states=2): 1,
        badly_swollen: 2,
        partial(badly_swollen, body_parts=2): 1,
        partial(badly_swollen, states=2): 2,
        numb_and_aching: 1,
        aching_but_healthy: 2,
    }
)
struggle = choose_between({struggling: 6, partial(struggling, activities=2): 1})
