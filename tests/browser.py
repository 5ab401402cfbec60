"""A real browser for tests of pages: Debian's chromium, or whatever `CHROMIUM` names."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Dialog, Page, expect, sync_playwright

PATIENCE = 30_000  # milliseconds, on machines with much else to do
NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """Find the browser, if there is one."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def started() -> Iterator[Browser]:
    """Start the browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        expect.set_options(timeout=PATIENCE)
        yield browser
        browser.close()


class Visit:
    """A page that is open in the browser, and everything that went wrong or over the network on it."""

    def __init__(self, browser: Browser, address: Path | str, **options: Any) -> None:
        self.page: Page = browser.new_page(**{"viewport": {"width": 1200, "height": 900}, **options})
        self.page.set_default_timeout(PATIENCE)
        self.requests: list[str] = []
        self.problems: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.problems.append(message.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("dialog", self._dismiss)
        self.page.goto(address.as_uri() if isinstance(address, Path) else address)

    def _dismiss(self, dialog: Dialog) -> None:
        self.problems.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def texts(self, selector: str) -> list[str]:
        return self.page.locator(selector).all_inner_texts()
