"""The same few presses in Chromium, Firefox and WebKit, each driven by what its makers serve."""

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, Error
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.bidi.common import command_builder
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.websocket_connection import WebSocketConnection
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from book.testing.tools import FIREFOX, WEBKIT, XVFB, Tool

LIMIT = 300
"""Seconds that a start of Python may take on a busy machine."""

HELD = {Keys.CONTROL: "Control", Keys.SHIFT: "Shift"}
NAMES = HELD | {Keys.ENTER: "Enter", Keys.BACKSPACE: "Backspace", Keys.ESCAPE: "Escape"}
NAMES |= {Keys.ARROW_LEFT: "ArrowLeft", Keys.ARROW_DOWN: "ArrowDown", Keys.END: "End"}
NAMES |= {Keys.PAGE_DOWN: "PageDown", Keys.PAGE_UP: "PageUp"}
"""Keys as Playwright calls them."""

ZOOM = """(() => {{
  let zoom = 1;
  for (let each = document.querySelector({}); each; each = each.parentElement) {{
    zoom *= Number(getComputedStyle(each).zoom);
  }}
  return zoom;
}})()"""
MINI = "/usr/lib/*/webkit2gtk-4.1/MiniBrowser"
DRAWN = """document.readyState === "complete"
  && [...document.querySelectorAll("main .math")].every((math) =>
    math.querySelector("mjx-container"))"""
SELENIUM = "ignore:setting remote_server_addr:DeprecationWarning"
"""What selenium says of its own call."""
SEEN = """const found = document.querySelector({});
  found.scrollIntoView({{block: "center", behavior: "instant"}});"""


def needed(tool: Tool) -> str:
    """Where a program is; without it a test is skipped, and in CI it fails."""
    if found := tool.path():
        return found
    message = f"no {tool.program}: install it with apt-get install {tool.package}"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


class Engine(Protocol):
    """A browser with one tab, as a reader has it: an address, a pointer and keys."""

    def visit(self, address: str) -> None: ...

    def see(self, expression: str) -> Any:
        """What a script in the page finds, as plain data."""

    def click(self, selector: str) -> None: ...

    def drag(self, selector: str, right: int, down: int) -> None:
        """Take an element at its middle, move it by so many pixels and let it go."""

    def type(self, *keys: str) -> None:
        """Press keys one by one, or together where an argument begins with one of `HELD`."""


def wait(engine: Engine, expression: str) -> None:
    """Wait until a script finds something.

    Raises:
        AssertionError: it did not within `LIMIT`, with what the page says.
    """
    bar = "document.querySelector('.tl-live-bar')?.innerText"
    until(
        lambda: engine.see(f"Boolean({expression})"),
        lambda: f"never true: {expression}\nThe page says: {engine.see(bar)}",
    )


class Chromium:
    """Chromium by Playwright."""

    def __init__(self, browser: Browser) -> None:
        self.page = browser.new_page()

    def visit(self, address: str) -> None:
        self.page.goto(address, wait_until="networkidle")  # the first page leads on to another

    def see(self, expression: str) -> Any:
        try:
            return self.page.evaluate(expression)
        except Error as error:
            if "context was destroyed" not in str(error):
                raise
            return None  # the page is being left, which the other engines wait for

    def click(self, selector: str) -> None:
        self.page.locator(selector).first.click()

    def drag(self, selector: str, right: int, down: int) -> None:
        box = self.page.locator(selector).first.bounding_box()
        assert box, selector
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + right, y + down, steps=4)
        self.page.mouse.up()

    def type(self, *keys: str) -> None:
        for each in keys:
            if each[0] in NAMES:
                self.page.keyboard.press("+".join(NAMES.get(key, key) for key in each))
            else:
                self.page.keyboard.type(each)


class Firefox:
    """Firefox by the protocol BiDi, which it speaks itself; no driver stands between."""

    def __init__(self, port: int) -> None:
        self.socket = WebSocketConnection(f"ws://127.0.0.1:{port}/session", LIMIT, 0.01)
        self.ask("session.new", capabilities={})
        self.tab = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def ask(self, method: str, **params: Any) -> Any:
        return self.socket.execute(command_builder(method, params))

    def visit(self, address: str) -> None:
        self.ask("browsingContext.navigate", context=self.tab, url=address, wait="complete")

    def see(self, expression: str) -> Any:
        found = self.ask(
            "script.evaluate",
            expression=f"Promise.resolve({expression}).then((it) => JSON.stringify(it ?? null))",
            target={"context": self.tab},
            awaitPromise=True,
        )
        assert found["type"] == "success", found
        return json.loads(found["result"]["value"])

    def click(self, selector: str) -> None:
        self.drag(selector, 0, 0)

    def drag(self, selector: str, right: int, down: int) -> None:
        found = self.ask(
            "script.evaluate",
            expression=f"(() => {{{SEEN.format(json.dumps(selector))} return found;}})()",
            target={"context": self.tab},
            awaitPromise=False,
        )
        element = {"type": "element", "element": {"sharedId": found["result"]["sharedId"]}}
        moves = [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": element},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        if right or down:
            by = {"type": "pointerMove", "x": right, "y": down, "origin": "pointer"}
            moves.insert(2, by)
        self.act("pointer", moves)

    def type(self, *keys: str) -> None:
        for each in keys:
            down = [{"type": "keyDown", "value": key} for key in each]
            up = [{"type": "keyUp", "value": key} for key in each]
            one_by_one = [act for pair in zip(down, up, strict=True) for act in pair]
            self.act("key", [*down, *up] if each[0] in HELD else one_by_one)

    def act(self, kind: str, moves: list[dict[str, Any]]) -> None:
        acts = [{"type": kind, "id": kind, "actions": moves}]
        self.ask("input.performActions", context=self.tab, actions=acts)


class WebKit:
    """WebKitGTK by WebDriver."""

    def __init__(self, driver: webdriver.WebKitGTK) -> None:
        self.driver = driver

    def visit(self, address: str) -> None:
        self.driver.get(address)

    def see(self, expression: str) -> Any:
        return self.driver.execute_script(f"return {expression}")

    def click(self, selector: str) -> None:
        self.driver.execute_script(SEEN.format(json.dumps(selector)))
        if self.zoom(selector) == 1:
            self.driver.find_element(By.CSS_SELECTOR, selector).click()
        else:
            self.drag(selector, 0, 0)

    def zoom(self, selector: str) -> float:
        """How much CSS enlarges an element, which this engine leaves out of what it measures."""
        return float(self.see(ZOOM.format(json.dumps(selector))))

    def drag(self, selector: str, right: int, down: int) -> None:
        found = f"document.querySelector({json.dumps(selector)})"
        box = self.see(f"{found}.getBoundingClientRect()")
        zoom = self.zoom(selector)
        x, y = (box["x"] + box["width"] / 2) * zoom, (box["y"] + box["height"] / 2) * zoom
        acts = ActionBuilder(self.driver, duration=50)
        acts.pointer_action.move_to_location(int(x), int(y)).pointer_down()
        acts.pointer_action.move_to_location(int(x) + right, int(y) + down).pointer_up()
        acts.perform()

    def type(self, *keys: str) -> None:
        for each in keys:
            acts = ActionChains(self.driver, duration=0)
            if each[0] in HELD:
                acts.key_down(each[0]).send_keys(each[1:]).key_up(each[0])
            else:
                acts.send_keys(each)
            acts.perform()


@contextmanager
def firefox(folder: Path) -> Iterator[Engine]:
    """A Firefox that has just been installed, without a window."""
    words = [needed(FIREFOX), "--headless", "--profile", str(folder), "--remote-debugging-port=0"]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        try:
            said = folder / "WebDriverBiDiServer.json"
            until(
                lambda: said.exists() and said.read_text(encoding="utf-8"),
                lambda: "the browser did not start",
            )
            yield Firefox(json.loads(said.read_text(encoding="utf-8"))["ws_port"])
        finally:
            running.terminate()


def until(condition: Callable[[], object], otherwise: Callable[[], str]) -> None:
    """Look again and again, for `LIMIT` seconds; what is wrong if it never holds."""
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end, otherwise()
        time.sleep(0.1)


@contextmanager
def webkit() -> Iterator[Engine]:
    """A WebKitGTK on a screen that only it sees."""
    screen = [needed(XVFB), "-displayfd", "1", "-screen", "0", "1280x900x24"]
    with subprocess.Popen(screen, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as running:
        try:
            assert running.stdout
            shown = {"DISPLAY": f":{int(running.stdout.readline())}"}
            options = Options()
            (options.binary_location, *_) = [str(each) for each in Path("/").glob(MINI[1:])]
            options.add_argument("--automation")
            service = Service(needed(WEBKIT), env=os.environ | shown)
            with webdriver.WebKitGTK(options=options, service=service) as driver:
                yield WebKit(driver)
        finally:
            running.terminate()
