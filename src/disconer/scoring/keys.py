"""What mentions are compared by."""

from collections.abc import Iterable

from disconer.document import Mention


def mention_keys(mentions: Iterable[Mention], only_discontinuous: bool = False) -> set[object]:
    """Give the keys of mentions, which are equal exactly when the mentions are the same."""
    return {mention.key for mention in mentions if mention.is_discontinuous or not only_discontinuous}
