"""The configurations that come with disconer."""

from disconer.settings import from_mapping, read_toml
from disconer.training.config import Config, shipped


def test_what_is_shipped_is_a_configuration() -> None:
    assert "paper" in shipped()
    for path in shipped().values():
        from_mapping(Config, read_toml(path))
