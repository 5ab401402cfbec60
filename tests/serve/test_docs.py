"""The API's reference at /docs: complete, with the server's real address, under the policy of all pages."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route

from disconer.serve.access import Hosts, Keys
from disconer.serve.app import create_app
from disconer.serve.catalogue import Catalogue
from tests.browser import Visit
from tests.serve.recognizers import Scripted
from tests.serve.servers import listening

KEY = "a key of twenty char"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    app = create_app(Catalogue({"run": Scripted()}), keys=Keys([KEY]), hosts=Hosts(["ner.example.org"]))
    with listening(app) as address:
        yield address


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    visit = Visit(browser, f"{address}docs")
    visit.page.locator(".opblock").first.wait_for()
    yield visit
    visit.page.close()


def try_extract(visit: Visit) -> tuple[str, str]:
    """Send the example to /v1/extract from the page; give the status and the command that it shows."""
    visit.page.locator("#operations-default-extract .opblock-summary-control").click()
    visit.page.get_by_role("button", name="Try it out").click()
    with visit.page.expect_response("**/v1/extract"):
        visit.page.get_by_role("button", name="Execute").click()
    status = visit.page.locator(".live-responses-table .response-col_status").last
    return status.inner_text(), visit.page.locator(".curl-command pre").inner_text()


def test_it_shows_every_request(visit: Visit, address: str) -> None:
    api = visit.page.request.get(f"{address}openapi.json").json()
    assert api["openapi"].startswith("3.1")
    shown = {path.replace("\u200b", "") for path in visit.texts(".opblock-summary-path")}
    assert shown == api["paths"].keys()
    assert visit.page.locator(".opblock").count() == sum(map(len, api["paths"].values()))
    assert visit.texts(".opblock-tag a span")[0] == "default"


def test_nothing_comes_from_elsewhere_and_nothing_is_refused(visit: Visit, address: str) -> None:
    assert all(request.startswith((address, "data:")) for request in visit.requests)
    assert visit.problems == []


def test_it_asks_the_server_that_it_came_from(visit: Visit, address: str) -> None:
    assert visit.texts(".servers option") == [address.rstrip("/")]
    status, command = try_extract(visit)
    assert status == "401"
    assert f"{address}v1/extract" in command


def test_a_key_is_sent_and_not_kept(visit: Visit) -> None:
    visit.page.get_by_role("button", name="Authorize").click()
    visit.page.locator(".auth-container input").fill(KEY)
    visit.page.locator(".auth-btn-wrapper button[type=submit]").click()
    visit.page.locator(".btn-done").click()
    assert try_extract(visit)[0] == "200"
    assert visit.problems == []
    assert visit.page.evaluate("[localStorage.length, sessionStorage.length]") == [0, 0]


def test_it_works_below_the_path_of_a_proxy(browser: Browser, address: str) -> None:
    visit = Visit(browser, "about:blank")

    def forward(route: Route) -> None:
        route.fulfill(response=route.fetch(url=route.request.url.replace("http://ner.example.org/ner/", address)))

    visit.page.route("http://ner.example.org/ner/**", forward)
    visit.page.goto("http://ner.example.org/ner/docs")
    servers = visit.page.locator(".servers option")
    servers.first.wait_for(state="attached")  # the page asks for the OpenAPI document first
    assert servers.all_inner_texts() == ["http://ner.example.org/ner"]
    assert "'http://ner.example.org/ner/v1/extract'" in try_extract(visit)[1]
    visit.page.close()


def test_it_follows_the_colours_of_the_system(visit: Visit) -> None:
    colour = "getComputedStyle(document.querySelector('.info .title')).color"
    light = visit.page.evaluate(colour)
    visit.page.emulate_media(color_scheme="dark")
    visit.page.locator("html.dark-mode").wait_for()
    assert visit.page.evaluate(colour) != light
    visit.page.emulate_media(color_scheme="light")
    visit.page.locator("html:not(.dark-mode)").wait_for()
    assert visit.page.evaluate(colour) == light
