"""The ids of a BioC document: those that annotations and relations bear, and those that relations refer to."""

from collections.abc import Iterable, Iterator, Sequence

from disconer.document import Mention
from disconer.formats.bioc.parts import Part, annotations_of, containers, identifier_of, parts
from disconer.formats.references import Referring, dangling, unique_identifiers


def identifiers_of(mentions: Sequence[Mention], kept: Part) -> list[str]:
    """Keep the ids that mentions came with, and give the others numbers that nothing bears or refers to."""
    taken = {*_borne(kept), *_referred_to(kept)}
    return unique_identifiers([identifier_of(mention.extras) for mention in mentions], "T", taken)


def referred_to_elsewhere(document: Part) -> list[str]:
    """Give the ids that relations refer to and nothing in the document bears, as PubTator3's relations do."""
    return sorted(_referred_to(document) - set(_borne(document)))


def dangling_relations(kept: Part, there: Iterable[str]) -> list[Part]:
    """Give the relations that refer to something which was there once and is so no longer."""
    relations = list(_relations(kept))
    things = [Referring(identifier_of(one) or None, _references(one)) for one in relations]
    annotations = map(identifier_of, annotations_of(kept))
    return [relations[index] for index in sorted(dangling(things, [*there, *annotations]))]


def _borne(document: Part) -> Iterator[str]:
    yield from map(identifier_of, annotations_of(document))
    yield from map(identifier_of, _relations(document))


def _referred_to(document: Part) -> set[str]:
    return {reference for relation in _relations(document) for reference in _references(relation)}


def _references(relation: Part) -> list[str]:
    return [name for node in parts(relation, "nodes") if (name := identifier_of(node, "refid"))]


def _relations(document: Part) -> Iterator[Part]:
    return (relation for container in containers(document) for relation in parts(container, "relations"))
