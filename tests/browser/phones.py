"""A phone in the hand of a person: an engine whose window is narrow, a finger, and a keyboard."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from playwright.sync_api import Browser, Download

from tests.browser.engines import Chromium, Engine, Firefox, firefox, until

WIDTH, HEIGHT, KEYBOARD = 390, 844, 336
"""The window, and what of its height the keys cover while somebody types."""


class Phone(Engine, Protocol):
    """What a person does with a phone beside what an `Engine` can do."""

    def size(self, height: int) -> None:
        """Leave so much of the height of the window."""

    def touch(self, x: float, y: float) -> None:
        """Tap at a place of the window."""

    def file(self, into: Path) -> Path:
        """The file that the browser has downloaded."""

    def picture(self, file: Path) -> None:
        """Save what shows."""


class ChromiumPhone(Chromium):
    """Chromium as a phone: small, with touch."""

    def __init__(self, browser: Browser) -> None:
        self.context = browser.new_context(
            viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True, is_mobile=True
        )
        self.page = self.context.new_page()
        self.downloads: list[Download] = []
        self.page.on("download", lambda came: self.downloads.append(came))

    def size(self, height: int) -> None:
        self.page.set_viewport_size({"width": WIDTH, "height": height})

    def touch(self, x: float, y: float) -> None:
        self.page.touchscreen.tap(x, y)

    def file(self, into: Path) -> Path:
        while not self.downloads:
            self.page.wait_for_timeout(50)
        came = self.downloads.pop()
        file = into / came.suggested_filename
        came.save_as(file)
        return file

    def picture(self, file: Path) -> None:
        self.page.screenshot(path=file)


class FirefoxPhone:
    """Firefox as narrow as a phone; what it downloads goes to a folder."""

    def __init__(self, engine: Firefox, folder: Path) -> None:
        self.engine, self.folder = engine, folder
        self.visit, self.see = engine.visit, engine.see
        self.click, self.type = engine.click, engine.type
        # The first tab never has the focus, which is in the bar of addresses; a new one has it.
        engine.tab = engine.ask("browsingContext.create", type="tab")["context"]
        self.size(HEIGHT)

    def size(self, height: int) -> None:
        size = {"width": WIDTH, "height": height}
        self.engine.ask("browsingContext.setViewport", context=self.engine.tab, viewport=size)

    def touch(self, x: float, y: float) -> None:
        moves: list[dict[str, Any]] = [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        kind = {"pointerType": "touch"}
        acts = [{"type": "pointer", "id": "finger", "parameters": kind, "actions": moves}]
        self.engine.ask("input.performActions", context=self.engine.tab, actions=acts)

    def file(self, into: Path) -> Path:
        def found() -> list[Path]:
            return [*self.folder.glob("*.ipynb")]

        until(lambda: found() and not [*self.folder.glob("*.part")], lambda: "no file came")
        (came,) = found()
        return came.rename(into / came.name)

    def picture(self, file: Path) -> None:
        shot = self.engine.ask("browsingContext.captureScreenshot", context=self.engine.tab)
        file.write_bytes(base64.b64decode(shot["data"]))


@contextmanager
def firefox_phone(folder: Path) -> Iterator[FirefoxPhone]:
    """A Firefox that saves what it downloads without asking where."""
    downloads = folder / "downloads"
    downloads.mkdir()
    prefs = {
        "browser.download.folderList": 2,
        "browser.download.dir": str(downloads),
        "browser.download.alwaysOpenPanel": False,  # it would take the keys
        "dom.w3c_touch_events.enabled": 1,
    }
    lines = [f"user_pref({json.dumps(key)}, {json.dumps(value)});" for key, value in prefs.items()]
    (folder / "user.js").write_text("\n".join(lines), encoding="utf-8")
    with firefox(folder) as engine:
        assert isinstance(engine, Firefox)
        yield FirefoxPhone(engine, downloads)
