"""Settings: read, written, overridden, and refused with a line that helps."""

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from disconer.exceptions import InputError
from disconer.foundation.settings import (
    NUMBERS,
    Checked,
    as_mapping,
    as_toml,
    find_differences,
    from_mapping,
    iterate_settings,
    merge_tables,
    parse_assignment,
    read_toml,
    setting,
    table,
)


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Inner:
    colour: Colour = setting(Colour.RED, "which")
    share: float = setting(0.5, "how much", minimum=0, maximum=1)


@dataclass(frozen=True)
class Outer:
    name: str = setting("x", "what")
    count: int = setting(3, "how many", minimum=1)
    wanted: bool = setting(True, "whether")
    seeds: NUMBERS = setting((0,), "which", 0, 99)
    inner: Inner = table(Inner)


@dataclass(frozen=True)
class Strict(Checked):
    colour: Colour = setting(Colour.RED, "which")
    seeds: NUMBERS = setting((0,), "which", 0, 99)
    share: float = setting(0.5, "how much", minimum=0, maximum=1)
    inner: Inner = table(Inner)


def test_checked_settings_take_names_and_refuse_what_does_not_fit() -> None:
    strict = Strict(colour="blue", share=1, seeds=[1, 2], inner={"colour": "blue"})  # type: ignore[arg-type]
    assert strict == Strict(Colour.BLUE, (1, 2), 1.0, Inner(Colour.BLUE))
    assert strict.colour is Colour.BLUE
    assert replace(strict, colour="red").colour is Colour.RED  # type: ignore[arg-type]
    for name, value in (
        ("colour", "green"),
        ("share", 2),
        ("share", "a"),
        ("seeds", ()),
        ("seeds", (1, -5)),
        ("inner", 3),
    ):
        with pytest.raises(InputError, match=name):
            Strict(**{name: value})  # type: ignore[arg-type]


OUTERS = st.builds(
    Outer,
    name=st.text(st.characters(codec="utf-8")),
    count=st.integers(1, 2**53),
    wanted=st.booleans(),
    seeds=st.lists(st.integers(0, 99), min_size=1).map(tuple),
    inner=st.builds(Inner, colour=st.sampled_from(Colour), share=st.floats(0, 1)),
)


@given(OUTERS)
def test_toml_and_mappings_give_settings_back(tmp_path_factory: pytest.TempPathFactory, settings: Outer) -> None:
    assert from_mapping(Outer, as_mapping(settings)) == settings
    path = tmp_path_factory.mktemp("toml") / "settings.toml"
    path.write_text(as_toml(settings), encoding="utf-8", newline="")
    assert from_mapping(Outer, read_toml(path)) == settings


def test_the_file_explains_itself() -> None:
    assert as_toml(Outer()).splitlines() == [
        "# what", 'name = "x"', "# how many", "count = 3", "# whether", "wanted = true", "# which", "seeds = [0]", "",
        "[inner]", "# which", 'colour = "red"', "# how much", "share = 0.5",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"nam": 1}, "did you mean 'name'"),
        ({"zzz": 1}, "use one of name, count"),
        ({"name": 1}, "text in quotes"),
        ({"count": 1.5}, "whole number"),
        ({"count": True}, "whole number"),
        ({"count": 0}, "at 1 or above"),
        ({"wanted": "yes"}, "true or false"),
        ({"inner": 3}, "table"),
        ({"inner": {"share": 2}}, r"inner\.share must lie between 0 and 1"),
        ({"inner": {"share": float("nan")}}, "a number"),
        ({"seeds": [1, "2"]}, "list of one or more whole numbers"),
        ({"seeds": []}, "list of one or more whole numbers"),
        ({"seeds": [1, 100]}, "between 0 and 99, not at 100"),
        ({"name": "\udcff"}, "surrogate"),
        ({"inner": {"colour": "green"}}, "red, blue"),
    ],
)
def test_what_does_not_fit_is_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_mapping(Outer, values)


def test_a_whole_number_will_do_for_a_number() -> None:
    assert from_mapping(Outer, {"inner": {"share": 1}}).inner.share == 1.0


def test_flags_go_over_files() -> None:
    file = {"count": 5, "inner": {"share": 0.1}}
    flags = merge_tables(parse_assignment(Outer, "inner.colour=blue"), parse_assignment(Outer, "wanted=false"))
    settings = from_mapping(Outer, merge_tables(file, flags))
    assert settings == Outer(count=5, wanted=False, inner=Inner(Colour.BLUE, 0.1))
    assert find_differences(settings, Outer()) == ["count", "wanted", "inner.colour", "inner.share"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("count", "'count' is no setting with a value: write NAME=VALUE"),
        ("inner.shar=1", "did you mean 'inner.share'"),
        ("share=1", "did you mean 'inner.share'"),
        ("Colour=red", "did you mean 'inner.colour'"),
        ("inner=1", "no setting"),
        ("=", "no setting"),
    ],
)
def test_an_assignment_that_names_nothing_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_assignment(Outer, text)


@pytest.mark.parametrize("text", ["count=many", "inner.share=1,5", "wanted=True"])
def test_an_assignment_of_another_kind_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="must be"):
        from_mapping(Outer, parse_assignment(Outer, text))


def test_every_setting_of_training_is_explained() -> None:
    from disconer.training.config import Config  # noqa: PLC0415

    explained = {name: field.metadata["text"] for name, field, _ in iterate_settings(Config)}
    assert explained["training.epochs"]
    assert all(explained.values())


def test_a_file_that_is_not_toml_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text("a = = 1")
    with pytest.raises(InputError, match=r"c\.toml: this is not TOML") as caught:
        read_toml(tmp_path / "c.toml")
    assert "\n" not in str(caught.value)
