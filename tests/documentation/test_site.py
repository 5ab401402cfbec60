"""The site is whole: it builds without a warning, every link leads somewhere, and nothing comes from elsewhere."""

import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser

import disconer
from disconer.cli import COMMANDS
from disconer.foundation.settings import iterate_settings
from disconer.training.config import Config
from tests.browser import Visit
from tests.documentation.blocks import ROOT
from tools.site.assembly import PART
from tools.site.building import build
from tools.site.http import openapi_document
from tools.site.parts import PARTS

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "object": "data"}
"""What a browser fetches without being asked."""


class Contents(HTMLParser):
    """What a page holds: places to lead to, links, and what is loaded with it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = {name: value or "" for name, value in attrs}
        self.places.update(own[name] for name in ("id", "name") if name in own)
        if tag == "a" and "href" in own:
            self.links.append(own["href"])
        if tag in LOADED and LOADED[tag] in own and own.get("rel") not in ("next", "prev"):
            self.loaded.append(own[LOADED[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    assert build(folder) == 0
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Contents]:
    # Where the page for what is not there will be shown, nobody knows.
    found = (path for path in site.rglob("*.html") if path.name != "404.html")
    return {path: Contents(path.read_text(encoding="utf-8")) for path in found}


def test_every_link_leads_somewhere(pages: dict[Path, Contents]) -> None:
    lost = []
    for page, contents in pages.items():
        for link in contents.links + contents.loaded:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            is_there = target.is_file() and (not parts.fragment or unquote(parts.fragment) in places(pages, target))
            lost += [] if is_there else [f"{page.name}: {link}"]
    assert lost == []


def places(pages: dict[Path, Contents], target: Path) -> set[str]:
    return pages[target].places if target in pages else set()


def test_nothing_is_loaded_from_elsewhere(site: Path, pages: dict[Path, Contents]) -> None:
    loaded = [address for contents in pages.values() for address in contents.loaded]
    assert len(loaded) > len(pages)
    assert [address for address in loaded if urlsplit(address).scheme or urlsplit(address).netloc] == []
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert re.findall(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//[^)]*", styles) == []


def text_of(site: Path, page: str) -> str:
    html = (site / "reference" / f"{page}.html").read_text(encoding="utf-8")
    return unescape(re.sub(r"<[^>]+>", "", html))


def test_the_reference_has_everything_that_the_code_has(site: Path) -> None:
    commands, configuration, interface = (text_of(site, page) for page in ("command-line", "configuration", "api"))
    assert [name for name in COMMANDS if f"disconer {name}" not in commands] == []
    assert [name for name, _, _ in iterate_settings(Config) if name not in configuration] == []
    texts = [one.metadata["text"] for _, one, _ in iterate_settings(Config)]
    assert [text for text in texts if text not in configuration] == []
    assert [name for name in disconer.__all__ if name not in interface and name != "__version__"] == []


def test_the_reference_of_http_has_all_requests_and_fields(site: Path) -> None:
    text, document = text_of(site, "http"), openapi_document()
    schemas = document["components"]["schemas"]
    fields = [field for schema in schemas.values() for field in schema.get("properties", {})]
    assert [name for name in (*document["paths"], *schemas, *fields) if name not in text] == []


def test_the_reference_of_python_shows_what_is_called_and_no_program(site: Path) -> None:
    interface = text_of(site, "api")
    assert "__call__(" in interface
    assert "statistics(" in interface  # a function, not the module that it comes from
    assert "field(" not in interface


def test_every_part_that_is_made_from_the_code_has_a_page() -> None:
    asked = [name for path in (ROOT / "docs").rglob("*.md") for name in PART.findall(path.read_text(encoding="utf-8"))]
    assert sorted(asked) == sorted(PARTS)


def test_search_works_from_a_folder(site: Path, browser: Browser) -> None:
    visit = Visit(browser, site / "index.html")
    field = visit.page.locator(".md-search__input")
    field.press_sequentially("threshold")
    visit.page.locator(".md-search-result__link").first.wait_for()
    assert visit.problems == []
    assert all(address.startswith("file:") for address in visit.requests)
