"""A page in a browser that reaches no host but the book's own, and what went wrong there."""

from types import TracebackType
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Response

from tests.browser.host import BLANK

# A machine may be busy: what is right comes in the end, and what is wrong stays wrong for so long.
PATIENCE = 60_000

FORGET = "try { localStorage.clear(); sessionStorage.clear(); } catch (error) {}"

DESKTOP = pytest.mark.parametrize(("width", "theme"), [(1280, "light")], indirect=True)
"""For tests that need a page at one width and in one theme alone."""

LOCAL = {"data", "blob", "about"}
HARMLESS = "strict mode: use allowUnionTypes"
"""The widget manager's schema checker says this of its own schema, on every page with a widget."""

READY = """async () => {
  if (window.MathJax?.startup?.promise) await window.MathJax.startup.promise;
  await document.fonts.ready;
}"""
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))"
SETTLED = """() => document.getAnimations().filter((it) => it instanceof CSSTransition)
  .forEach((it) => it.finish())"""
FOLLOWED = "(theme) => document.documentElement.dataset.theme === theme"
WIDGETS_DRAWN = """() => {
  const views = document.querySelectorAll(
    'script[type="application/vnd.jupyter.widget-view+json"]');
  return [...views].every((view) => view.parentElement.querySelector('.widget-subarea > *'));
}"""


def new_tab(context: BrowserContext) -> Page:
    """A tab in which each visit is a first visit."""
    made = context.new_page()
    made.add_init_script(FORGET)
    return made


EDITORS_OPEN = """() => !location.pathname.includes("/exercises/release/") || window.tlLive
  || /cannot run/.test(document.querySelector(".tl-live-said")?.textContent)"""
"""In an exercise they open at once, if code can run at all; until then its code is wider."""


class Visit:
    """Opens one page and records its requests to other hosts, its errors and its warnings."""

    def __init__(self, page: Page, url: str, width: int, theme: str) -> None:
        self.page = page
        self.url = url
        self.width = width
        self.theme = theme
        self.foreign: list[str] = []
        self.missing: list[str] = []
        self.errors: list[str] = []
        self.listeners = {
            "request": self._on_request,
            "response": self._on_response,
            "requestfailed": lambda asked: self.missing.append(f"{asked.failure} {asked.url}"),
            "websocket": lambda socket: self.foreign.append(socket.url),
            "console": self._on_console,
            "pageerror": lambda error: self.errors.append(str(error)),
        }

    def __enter__(self) -> "Visit":
        for event, listener in self.listeners.items():
            self.page.on(event, listener)
        # A tab behind another one is drawn once a second, and each click waits for that.
        self.page.bring_to_front()
        self.page.set_viewport_size({"width": self.width, "height": 900})
        self._prefer(self.theme)
        self.page.goto(self.url)
        self.page.evaluate(READY)
        self.page.wait_for_function(WIDGETS_DRAWN)
        self.page.wait_for_function(EDITORS_OPEN)
        # What is drawn may ask for mathematics after that; let that happen.
        self.page.evaluate(READY)
        return self

    def turn(self, theme: str) -> None:
        """Let the reader's system ask for light or dark, which the open page follows."""
        self.theme = theme
        self._prefer(theme)
        self.page.wait_for_function(FOLLOWED, arg=theme)
        self.page.evaluate(SETTLED)
        self.page.evaluate(DRAWN)

    def _prefer(self, theme: str) -> None:
        self.page.emulate_media(color_scheme="dark" if theme == "dark" else "light")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for event, listener in self.listeners.items():
            self.page.remove_listener(event, listener)
        # What the page still says is not heard by the next visit. A page of the same server, for
        # from another place than this the browser starts a new process for the next page.
        served = self.url.startswith("http")
        self.page.goto(urljoin(self.url, BLANK) if served else "about:blank")

    def is_own(self, url: str) -> bool:
        own, asked = urlsplit(self.url), urlsplit(url)
        return asked.scheme in LOCAL or (own.scheme, own.netloc) == (asked.scheme, asked.netloc)

    def _on_request(self, request: Request) -> None:
        if not self.is_own(request.url):
            self.foreign.append(request.url)

    def _on_response(self, response: Response) -> None:
        if response.status >= 400:
            self.missing.append(f"{response.status} {response.url}")

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and HARMLESS not in message.text:
            self.errors.append(f"{message.type}: {message.text}")
