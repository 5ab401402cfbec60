"""The name that somebody meant."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from disconer.foundation.nearest import nearest


@given(st.text(max_size=20), st.lists(st.text(max_size=20), max_size=8))
def test_the_nearest_is_one_of_those_there_are(name: str, names: list[str]) -> None:
    found = nearest(name, names)
    assert found is None or found in names
    assert not name or nearest(name, [*names, name]) in [
        other for other in [*names, name] if other.casefold() == name.casefold()
    ]


def test_names_without_end_are_not_all_compared(tmp_path: Path) -> None:
    assert nearest("x" * 100_000, ("y" * 100_000 for _ in iter(int, 1))) is None
