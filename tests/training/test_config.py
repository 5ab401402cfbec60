"""The documentation of the configuration is the configuration's own."""

from pathlib import Path

from disconer.settings import as_toml, described, from_mapping, read_toml
from disconer.training.config import Config, shipped

DOCUMENTATION = Path(__file__).parents[2] / "docs" / "training.md"


def test_the_documentation_lists_every_setting() -> None:
    page = DOCUMENTATION.read_text(encoding="utf-8")
    defaults = dict(line.split(" = ") for line in as_toml(Config()).splitlines() if " = " in line and line[0] != "#")
    rows = [
        f"| `{name}` | `{defaults[field.name]}` | {field.metadata['text']} |" for name, field, _ in described(Config)
    ]
    assert [row for row in rows if row not in page] == []


def test_what_is_shipped_is_a_configuration() -> None:
    assert "paper" in shipped()
    for path in shipped().values():
        from_mapping(Config, read_toml(path))
