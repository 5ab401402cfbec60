"""The configurations that come with disconer."""

from disconer.foundation.settings import from_mapping, read_toml
from disconer.training.config import Config, list_shipped_configs


def test_what_is_shipped_is_a_configuration() -> None:
    assert "paper" in list_shipped_configs()
    for path in list_shipped_configs().values():
        from_mapping(Config, read_toml(path))
