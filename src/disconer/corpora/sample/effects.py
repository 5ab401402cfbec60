"""How the sample corpus names adverse effects, and which mentions that makes.

What distributes is told by the words alone. Modifiers ("hepatic", "joint") share a head, heads ("pain", "cramps") share
a modifier, sites share what is felt there; whole nouns ("headaches", "hepatitis") share nothing with their neighbours:

    joint and back pain               joint … pain, back pain
    joint pain and headaches          joint pain, headaches
    severe headaches and nausea       severe headaches, nausea
    joint pain and severe cramps      joint pain, severe cramps
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from disconer.corpora.sample import words
from disconer.corpora.sample.phrases import Choices, Phrase, Writer, distribute, join_phrases, mention, phrase

ADR = "ADR"
SEVERITY = "Severity"

Construction = Callable[[Writer], Phrase]
"""A way to say something; every use of it draws other words."""


@dataclass(frozen=True)
class Effects:
    """How one kind of text names adverse effects."""

    wholes: Choices[Phrase]
    """Nouns that share nothing."""
    long_wholes: Choices[Phrase]
    """The same in many words, too long to be graded."""
    severities: Choices[Phrase]
    modifiers: Choices[Phrase]
    heads: Choices[Phrase]
    """What every modifier goes with."""
    sensations: Choices[Phrase]
    site_link: str
    sites: Choices[Phrase]
    """Where every sensation may be."""
    asides: Choices[Phrase]
    beginnings: Choices[Phrase]
    ends: Choices[Phrase]
    """What every beginning goes with."""
    outcomes: Choices[Phrase]
    causes: Choices[Phrase]
    """What every outcome may be due to."""

    def whole(self, writer: Writer) -> Phrase:
        return mention(ADR, writer.pick(self.wholes))

    def long_whole(self, writer: Writer) -> Phrase:
        return mention(ADR, writer.pick(self.long_wholes))

    def two_wholes(self, writer: Writer) -> Phrase:
        return join_phrases([mention(ADR, whole) for whole in writer.pick_several(self.wholes, 2)])

    def three_wholes(self, writer: Writer) -> Phrase:
        return join_phrases(
            [*(mention(ADR, whole) for whole in writer.pick_several(self.wholes, 2)), self.long_whole(writer)]
        )

    def severity(self, writer: Writer) -> Phrase:
        return mention(SEVERITY, writer.pick(self.severities))

    def graded(self, writer: Writer) -> Phrase:
        """As in "severe headaches"."""
        return mention(ADR, self.severity(writer), " ", writer.pick(self.wholes))

    def graded_and_whole(self, writer: Writer) -> Phrase:
        """As in "severe headaches and nausea"."""
        return join_phrases([self.graded(writer), self.whole(writer)])

    def whole_and_graded(self, writer: Writer) -> Phrase:
        """As in "nausea and severe headaches"."""
        return join_phrases([self.whole(writer), self.graded(writer)])

    def compound(self, writer: Writer, modifiers: int = 1, heads: int = 1) -> Phrase:
        """As in "joint and back pain", or "joint pain and stiffness"."""
        return distribute(
            ADR, writer.pick_several(self.modifiers, modifiers), " ", writer.pick_several(self.heads, heads)
        )

    def graded_compound(self, writer: Writer, modifiers: int = 1, heads: int = 1) -> Phrase:
        """As in "severe joint, shoulder and upper body pain"."""
        modifying, headed = writer.pick_several(self.modifiers, modifiers), writer.pick_several(self.heads, heads)
        return distribute(ADR, [self.severity(writer)], " ", modifying, " ", headed)

    def compound_and_whole(self, writer: Writer) -> Phrase:
        """As in "joint pain and headaches"."""
        return join_phrases([self.compound(writer), self.whole(writer)])

    def whole_and_compound(self, writer: Writer) -> Phrase:
        """As in "headaches and joint pain"."""
        return join_phrases([self.whole(writer), self.compound(writer)])

    def compound_and_graded_head(self, writer: Writer) -> Phrase:
        """As in "joint pain and severe cramps": what has its own degree is a mention of its own."""
        head, other = writer.pick_several(self.heads, 2)
        compound = mention(ADR, writer.pick(self.modifiers), " ", head)
        return join_phrases([compound, mention(ADR, self.severity(writer), " ", other)])

    def compounds_as_well_as_whole(self, writer: Writer) -> Phrase:
        """As in "joint and back pain as well as headaches"."""
        return join_phrases([self.compound(writer, modifiers=2), self.whole(writer)], "as well as")

    def felt_somewhere(self, writer: Writer, sensations: int = 1, sites: int = 1) -> Phrase:
        """As in "numbness and tingling in the hands and feet"."""
        felt, where = writer.pick_several(self.sensations, sensations), writer.pick_several(self.sites, sites)
        whole = distribute(ADR, felt, " ", [phrase(self.site_link)], " ", where)
        return replace(whole, is_plural=sensations > 1 or felt[0].is_plural)

    def felt_somewhere_and_whole(self, writer: Writer) -> Phrase:
        """As in "pain in the hips and headaches"."""
        return join_phrases([self.felt_somewhere(writer), self.whole(writer)])

    def compound_and_felt_somewhere(self, writer: Writer) -> Phrase:
        """As in "back stiffness and numbness in the feet"."""
        return join_phrases([self.compound(writer), self.felt_somewhere(writer)])

    def felt_after_aside(self, writer: Writer) -> Phrase:
        """As in "pain, mostly at night, in the hips"."""
        return self._interrupted(writer, phrase(", ") + writer.pick(self.asides) + ", ")

    def felt_after_degree(self, writer: Writer) -> Phrase:
        """As in "swelling, sometimes severe, of the lips"."""
        return self._interrupted(writer, phrase(", sometimes ") + self.severity(writer) + ", ")

    def _interrupted(self, writer: Writer, aside: Phrase) -> Phrase:
        felt, where = writer.pick(self.sensations), phrase(f"{self.site_link} ") + writer.pick(self.sites)
        return replace(distribute(ADR, [felt], aside, [where]), is_plural=felt.is_plural)

    def begun(self, writer: Writer, ends: int = 1) -> Phrase:
        """As in "loss of taste and smell"."""
        return distribute(ADR, [writer.pick(self.beginnings)], " ", writer.pick_several(self.ends, ends))

    def begun_and_whole(self, writer: Writer) -> Phrase:
        """As in "loss of balance and nausea"."""
        return join_phrases([self.begun(writer), self.whole(writer)])

    def outcome(self, writer: Writer) -> Phrase:
        """As in "falls due to dizziness": a mention inside another of its kind."""
        outcome = writer.pick(self.outcomes)
        cause = mention(ADR, writer.pick(self.causes))
        return replace(mention(ADR, outcome, " due to ", cause), is_plural=outcome.is_plural)

    def continuous(self) -> dict[Construction, int]:
        """Every way to name effects without a gap, and its weight."""
        return {
            self.whole: 4,
            self.long_whole: 3,
            self.two_wholes: 4,
            self.three_wholes: 3,
            self.graded: 3,
            self.graded_and_whole: 2,
            self.whole_and_graded: 2,
            self.compound: 2,
            self.graded_compound: 2,
            self.compound_and_whole: 2,
            self.whole_and_compound: 1,
            self.compound_and_graded_head: 2,
            self.felt_somewhere: 2,
            self.felt_somewhere_and_whole: 1,
            self.compound_and_felt_somewhere: 1,
            self.begun: 1,
            self.begun_and_whole: 1,
            self.outcome: 2,
        }

    def discontinuous(self) -> dict[Construction, int]:
        """Every way to name effects with gaps, and its weight."""
        return {
            partial(self.compound, modifiers=2): 1,
            partial(self.compound, modifiers=3): 1,
            partial(self.compound, modifiers=4): 1,
            partial(self.compound, heads=2): 1,
            # Of these the grid scheme makes a mention too many ("severe … pain"), as it does in real corpora.
            partial(self.graded_compound, modifiers=2): 1,
            partial(self.graded_compound, modifiers=3): 1,
            partial(self.graded_compound, heads=2): 1,
            self.compounds_as_well_as_whole: 1,
            partial(self.felt_somewhere, sites=2): 1,
            partial(self.felt_somewhere, sites=3): 1,
            partial(self.felt_somewhere, sensations=2): 1,
            partial(self.felt_somewhere, sensations=2, sites=2): 2,
            partial(self.felt_somewhere, sensations=2, sites=3): 1,
            self.felt_after_aside: 1,
            self.felt_after_degree: 1,
            partial(self.begun, ends=2): 1,
            partial(self.begun, ends=3): 1,
        }


FORUM_EFFECTS = Effects(
    wholes=words.FEELINGS,
    long_wholes=words.EXPERIENCES,
    severities=words.FORUM_SEVERITIES,
    modifiers=words.BODY_MODIFIERS,
    heads=words.PAINS,
    sensations=words.SENSATIONS,
    site_link="in the",
    sites=words.BODY_PARTS,
    asides=words.FORUM_ASIDES,
    beginnings=words.LOSSES,
    ends=words.SENSES,
    outcomes=words.OUTCOMES,
    causes=words.CAUSES,
)
LABEL_EFFECTS = Effects(
    wholes=words.REACTIONS,
    long_wholes=words.SYNDROMES,
    severities=words.LABEL_SEVERITIES,
    modifiers=words.ORGANS,
    heads=words.DAMAGES,
    sensations=words.LESIONS,
    site_link="of the",
    sites=words.SITES,
    asides=words.LABEL_ASIDES,
    beginnings=words.CHANGES,
    ends=words.MEASUREMENTS,
    outcomes=words.LABEL_OUTCOMES,
    causes=words.LABEL_CAUSES,
)
