"""A synthetic corpus to try disconer with: a seeded program invents every sentence, no patient wrote any of them.

It imitates posts of patients on a forum and sentences of drug labels, and has mentions with gaps of every kind beside
coordinations that must not be combined. Some words and some sentence patterns are kept out of the training split. It is
made for tutorials, tests and demonstrations: scores on it say nothing about real text, and nothing in it is a fact
about a drug.
"""

from collections.abc import Callable
from string import Formatter
from typing import NamedTuple

from disconer.corpora.sample import grammar, words
from disconer.corpora.sample.effects import Construction
from disconer.corpora.sample.grammar import AGREEMENT, inflect_verbs
from disconer.corpora.sample.phrases import Choices, Phrase, Writer, repeat_by_weight
from disconer.document import INVENTED, Document

__all__ = ["SIZES", "sample"]

SIZES = {"train": 1500, "dev": 250, "test": 250}
"""The splits and how many sentences each has."""


Style = Callable[[str], str]
"""What a writer makes of a sentence, its letters staying where they are."""
FORUM = Choices(
    (
        "After {time} on {drug} {complaint}, {struggle}.",
        "Been on {drug} for {time} and {complaint}.",
        "I took {drug} for {diseases} and got {effects}.",
        "Started {drug} {dose} last winter, now I have {effects}.",
        "{effects} since I started {drug}.",
        "Anyone else get {effects} from {drug}?",
        "{drug} gave me {effects} within {time}.",
        "My {doctor} put me on {drug} for {disease}, and {complaint}.",
        "Stopped {drug} {because} of {effects}.",
        "{complaint} and I {struggle}.",
        "On {dose} of {drug} I only had {effects}.",
        "Went from {raise} of {drug} and {complaint}.",
        "My {doctor} says {effects} will pass, but I am not so sure.",
        "{drug} works great for my {disease}, no complaints.",
        "I have taken {drug} for {diseases} for {time} without any trouble.",
        "First week on {drug}: {effects}.",
        "{complaint} after my {doctor} raised {drug} to {doses}.",
        "Did not help my {disease} at all and gave me {effects}.",
        "I {struggle} after just {time} on {drug}.",
        "Switched from {drug} to {drug} {because} of {effects}.",
        "Side effects for me were {effects}.",
        "No {denied} so far, but {complaint}.",
        "No {denied} on {drug} so far, fingers crossed.",
        "The leaflet warned me about {effects}, and sure enough {complaint}.",
        "I {really} wanted {drug} to work, but {struggle} most days.",
        "Nobody told me about {effects} when I got my first prescription.",
        "It cured my {disease}, though {complaint} for {time}.",
        "I am only on {dose} and already have {effects}.",
        "Has anybody on {doses} of {drug} had {effects}?",
        "{time} later {complaint} and I {struggle}.",
        "I would not wish {effects} on anyone.",
        "Took it for {diseases} and ended up with {effects}.",
        "Quit {drug} cold turkey and {effects} came back with a vengeance.",
        "My {relative} has been on {drug} for {time} {because} of {disease}.",
        "{time} on {drug} and {recovery}.",
        "{drug} cured my {disease}, and {recovery} within {time}.",
        "My {doctor} wants me to try {doses} of {drug} next.",
        "{drug} did nothing for me, not even at {doses}.",
    ),
    (
        "Not sure if it is the {drug}, but {complaint} lately.",
        "Be careful with {drug}, it left me with {effects}.",
        "My {relative} takes {drug} too and also complains of {effects}.",
        "All I got out of {time} of {drug} was {effects}.",
        "{complaint} the whole time I was on {dose}.",
    ),
)
LABEL = Choices(
    (
        "{reactions} {has} been reported in patients treated with {drug}.",
        "{drug} may cause {reactions}.",
        "In clinical trials, {reactions} occurred in {small}% of patients who received {drug}.",
        "Discontinue {drug} if {reactions} {occurs}.",
        "The most common adverse reactions included {reactions}.",
        "Monitor patients for {reactions} during treatment.",
        "{drug} is contraindicated in patients with {diseases}.",
        "{drug} is indicated for the treatment of {diseases} in adults.",
        "The recommended dose of {drug} is {doses} once daily.",
        "In patients with {diseases}, start {drug} at {dose} and increase the dose slowly.",
        "Cases of {reactions} have been observed after {time} of treatment.",
        "{reactions} led to discontinuation in {small}% of patients.",
        "Patients with a history of {disease} are at higher risk of {reactions}.",
        "Postmarketing reports include {reactions}.",
        "Overdose of {drug} may lead to {reactions}.",
        "The incidence of {reactions} was {small}% with {drug} {dose} and {small}% with placebo.",
        "Inform patients that {drug} can cause {reactions}.",
        "{reactions} {was} more frequent in patients older than 65 years.",
        "Withhold {drug} until {reactions} {resolves}.",
        "{drug} was not associated with {excluded} in {groups}.",
        "Two patients on {drug} {dose} were admitted to hospital with {reactions}.",
        "Concomitant use of {drug} and {drug} adds to the risk of {reactions}.",
        "Treatment of {disease} with {drug} was stopped because of {reactions}.",
        "Safety and efficacy in patients with {diseases} have not been established.",
        "{drug} tablets contain {dose} of the active ingredient.",
        "Some patients with {disease} developed {reactions}.",
        "Seek medical help at once in the event of {reactions}.",
        "Rare cases of {reactions} resolved when {drug} was withdrawn.",
        "Reduce the dose to {doses} in patients with {disease}.",
        "The maximum dose in {groups} is {doses}.",
        "{induced} {was} confirmed in {small} patients.",
        "Stopping treatment reversed {induced} within {time}.",
    ),
    (
        "Physicians should be alert to {reactions} in patients with {disease}.",
        "Advise {groups} taking {drug} to report {reactions} without delay.",
        "Exposure to {drug} above {dose} resulted in {reactions}.",
        "Permanently discontinue treatment in patients who develop {reactions}.",
    ),
)
_FORUM_WITHOUT_MENTIONS = Choices(
    (
        "My {doctor} told me to wait {time} before I decide.",
        "I will ask my {doctor} and let you know in {time}.",
        "My {body} {is} {healthy} now.",
        "After {time} my {body} {was} {healthy} again.",
        "Does it matter whether I take it {occasion} or {occasion}?",
        "I have been reading this forum for {time} and finally joined.",
        "The pharmacy was closed {past_day}, so I had to wait {time}.",
        "My {relative} takes the same pills and has no problems at all after {time}.",
        "It costs {number} dollars a month, which my {relative} pays.",
        "Had my {body} looked at by the {doctor} {past_day} and all is well.",
        "How long did it take before it worked for you, {time} or longer?",
        "My {relative} drove me to the {doctor} {past_day}.",
        "No {denied}, no {denied}, nothing.",
        "I always take mine {occasion}, as my {doctor} said.",
        "Will see the {doctor} {coming_day}, wish me luck.",
    ),
    ("Still waiting for the {doctor} to call back, it has been {time}.", "Thank goodness my {body} {is} {healthy}."),
)
_LABEL_WITHOUT_MENTIONS = Choices(
    (
        "Tablets should be swallowed whole with {drink} {occasion}.",
        "The study enrolled {number} patients, and {small}% of them were women.",
        "The half-life is about {small} hours in {groups}.",
        "No dose adjustment is needed in {groups}.",
        "{organs} function should be checked in {groups}.",
        "{organs} function {was} normal in {number} patients.",
        "The effect of {drink} on absorption was studied in {number} {groups}.",
        "Follow-up lasted {time} in {groups}.",
        "Do not use the tablets more than {time} after the package has been opened.",
        "Of {number} patients, {small}% completed the study.",
        "There are no adequate data on use in {groups}.",
    ),
    ("Plasma levels in {groups} were {small}% higher.", "{organs} tissue was examined after {time}."),
)

_CONSTRUCTIONS: dict[str, Construction] = {
    "body": grammar.body_parts,
    "complaint": grammar.complaint,
    "disease": grammar.disease,
    "diseases": grammar.diseases,
    "dose": grammar.dose,
    "doses": grammar.doses,
    "drug": grammar.drug,
    "effects": grammar.effects,
    "induced": grammar.drug_induced,
    "organs": grammar.organs,
    "raise": grammar.raised_dose,
    "reactions": grammar.reactions,
    "recovery": grammar.healthy,
    "struggle": grammar.struggle,
}
_WORDS: dict[str, Choices[Phrase]] = {
    "because": words.BECAUSE,
    "coming_day": words.COMING_DAYS,
    "denied": words.FEELINGS,
    "doctor": words.DOCTORS,
    "drink": words.DRINKS,
    "excluded": words.REACTIONS,
    "groups": words.GROUPS,
    "healthy": words.HEALTHY,
    "number": words.NUMBERS,
    "occasion": words.OCCASIONS,
    "past_day": words.PAST_DAYS,
    "really": words.REALLY,
    "relative": words.RELATIVES,
    "small": words.SMALL_NUMBERS,
    "time": words.TIMES,
}


class _Kind(NamedTuple):
    """A kind of sentence: its patterns, and how its writers care for capitals and full stops."""

    templates: Choices[str]
    styles: Choices[Style]


def _capitalize(text: str) -> str:
    return text[0].upper() + text[1:]


def _exclaim(text: str) -> str:
    return _capitalize(text).removesuffix(".") + "!!"


def _trail_off(text: str) -> str:
    return text.lower().removesuffix(".") + "..."


def _leave_unfinished(text: str) -> str:
    return _capitalize(text).removesuffix(".")


_POSTED: Choices[Style] = repeat_by_weight(
    {_capitalize: 14, str.lower: 3, _exclaim: 1, _trail_off: 1, _leave_unfinished: 1}
)
_PRINTED: Choices[Style] = repeat_by_weight({_capitalize: 1})
_KINDS = repeat_by_weight(
    {
        _Kind(FORUM, _POSTED): 9,
        _Kind(LABEL, _PRINTED): 7,
        _Kind(_FORUM_WITHOUT_MENTIONS, _POSTED): 2,
        _Kind(_LABEL_WITHOUT_MENTIONS, _PRINTED): 2,
    }
)


def sample(seed: int = 0) -> dict[str, list[Document]]:
    """Make the splits, a sentence a document; a seed gives the same ones everywhere, and no sentence comes twice.

    >>> {split: len(documents) for split, documents in sample().items()}
    {'train': 1500, 'dev': 250, 'test': 250}
    """
    written: set[str] = set()
    return {split: _write_split(split, size, seed, written) for split, size in SIZES.items()}


def _write_split(split: str, size: int, seed: int, written: set[str]) -> list[Document]:
    writer = Writer(f"{split} {seed}", is_training=split == "train")
    documents: list[Document] = []
    while len(documents) < size:
        kind = writer.pick(_KINDS)
        sentence = _fill_template(writer.pick(kind.templates), writer)
        if sentence.text.lower() not in written:
            written.add(sentence.text.lower())
            text = writer.pick(kind.styles)(sentence.text)
            document = sentence.document(text, f"{split}-{len(documents) + 1}")
            documents.append(Document(document.layout, document.mentions, document.id, {INVENTED: True}))
    return documents


def _fill_template(template: str, writer: Writer) -> Phrase:
    """Fill the slots of a sentence; a verb agrees with the slot before it."""
    sentence = before = Phrase()
    for text, slot, _, _ in Formatter().parse(template):
        sentence += text
        if slot in AGREEMENT:
            sentence += inflect_verbs(before.is_plural)[slot]
        elif slot is not None:
            before = _CONSTRUCTIONS[slot](writer) if slot in _CONSTRUCTIONS else writer.pick(_WORDS[slot])
            sentence += before
    return sentence
