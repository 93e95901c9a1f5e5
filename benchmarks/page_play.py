"""An hour of play in minutes: what the page and its worker hold before it and after it."""

import json
import time
from typing import Any, NamedTuple

from playwright.sync_api import CDPSession, Page

ACTS = 1800
"""One in two seconds, for an hour."""

# In turn: a slider moves, an editor is typed into, a slider moves, a cell runs.
PLAY = """async (count) => {
  const slider = document.querySelector("main .tl-frames input[type=range]");
  const cells = tlLive.cells.filter((cell) => cell.input && !cell.torch);
  const done = { slider: 0, editor: 0, cell: 0 };
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  for (let i = 0; i < count; i++) {
    if (i % 4 === 3) {
      await tlLive.run(cells[done.cell++ % cells.length]);
    } else if (i % 4 === 1) {
      const field = document.querySelector(".tl-widget textarea");
      field.value = `${i} 1\\n1 0`;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      await tlLive.kernel.run("", "Cell 0"); // it answers once what was typed is done
      await tlLive.widgets.arrived;
      done.editor++;
    } else {
      slider.value = i % (Number(slider.max) + 1);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      await frame();
      done.slider++;
    }
  }
  return done;
}"""
# All of a worker's WebAssembly, and the objects of its Python.
INSIDE = """import gc, json, pyodide_js
from ipywidgets.widgets import widget
gc.collect()
wasm = pyodide_js._module.HEAP8.length
print(json.dumps([wasm, len(gc.get_objects()), len(widget._instances)]))"""
ASK = "async (code) => (await tlLive.kernel.run(code, 'Cell 0')).outputs[0].text"


class Held(NamedTuple):
    """Megabytes of the scripts of the page and of the worker and of its Python; counts."""

    page: float
    worker: float
    python: float
    objects: int
    widgets: int
    elements: int


class Worker:
    """The session of a page's worker, spoken to through that of the page."""

    def __init__(self, session: CDPSession) -> None:
        self.session, self.number = session, 0
        self.answers: dict[int, Any] = {}
        self.ids: list[str] = []
        session.on("Target.attachedToTarget", lambda event: self.ids.append(event["sessionId"]))
        session.on("Target.receivedMessageFromTarget", self._hear)
        session.send(
            "Target.setAutoAttach",
            {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": False},
        )

    def ask(self, page: Page, method: str) -> dict[str, Any]:
        """Send a command without arguments; its answer."""
        self.number += 1
        message = json.dumps({"id": self.number, "method": method})
        self.session.send(
            "Target.sendMessageToTarget", {"sessionId": self.ids[-1], "message": message}
        )
        until = time.monotonic() + 60
        while self.number not in self.answers and time.monotonic() < until:
            page.wait_for_timeout(20)
        found: dict[str, Any] = self.answers[self.number]
        return found

    def _hear(self, event: dict[str, Any]) -> None:
        message = json.loads(event["message"])
        if "id" in message:
            self.answers[message["id"]] = message.get("result", {})


def held(page: Page, session: CDPSession, worker: Worker) -> Held:
    """What is held once what nobody needs is thrown away."""
    wasm, objects, widgets = json.loads(page.evaluate(ASK, INSIDE))
    for _ in range(3):
        session.send("HeapProfiler.collectGarbage")
        worker.ask(page, "HeapProfiler.collectGarbage")
    own = session.send("Runtime.getHeapUsage")["usedSize"]
    other = worker.ask(page, "Runtime.getHeapUsage")["usedSize"]
    elements = page.evaluate("() => document.querySelectorAll('*').length")
    return Held(own / 1e6, other / 1e6, wasm / 1e6, objects, widgets, elements)


def play(page: Page) -> tuple[Held, Held, Held, dict[str, int]]:
    """Play on a page that has run: what it holds before, half way and after; how often what."""
    session = page.context.new_cdp_session(page)
    worker = Worker(session)
    page.evaluate(PLAY, 40)  # what is made once is made
    before = held(page, session, worker)
    page.evaluate(PLAY, ACTS // 2)
    half = held(page, session, worker)
    done = page.evaluate(PLAY, ACTS // 2)
    return before, half, held(page, session, worker), {k: 2 * v for k, v in done.items()}
