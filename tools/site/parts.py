"""The parts of pages that are made from the code, by the names under which pages ask for them."""

from collections.abc import Callable

from tools.site import commands, configuration, http, interface

PARTS: dict[str, Callable[[], str]] = {
    "commands": commands.markdown,
    "configuration": configuration.markdown,
    "http": http.markdown,
    "interface": interface.markdown,
}
