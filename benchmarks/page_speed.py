"""How fast a page is there, moves, starts its Python and answers what is typed."""

import json
import time
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page

from benchmarks.page_site import new_page, new_reader, slow_down
from course.published import model

PHONE = {"viewport": {"width": 390, "height": 844}}

PATIENCE = 2000
"""Milliseconds after which an answer counts as that late, and the next value is typed."""

# Asks every 20 ms whether a slider or a menu moves yet; runs before all scripts of a page.
ASK = """(() => {
  const look = () => {
    const box = document.querySelector("main .tl-frames");
    const control = box?.querySelector("input[type=range], select");
    const before = box?.querySelector(".tl-frame")?.firstElementChild;
    if (before && document.querySelector("footer, .prev-next-footer")) {
      control.dispatchEvent(new Event("input", { bubbles: true }));
      if (box.querySelector(".tl-frame").firstElementChild !== before) {
        window.tlAnswered = performance.now();
        return;
      }
    }
    setTimeout(look, 20);
  };
  look();
})()"""
THERE = """async () => {
  await window.MathJax?.startup.promise;
  await document.fonts.ready;
  const drawn = performance.now();
  const moves = document.querySelector("main .tl-frames");
  while (moves && !window.tlAnswered) await new Promise((done) => setTimeout(done, 20));
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return { paint: paint.startTime, slider: window.tlAnswered, drawn };
}"""
# Adds up what moves by itself, in windows as web.dev defines them; the largest window counts.
SHIFTS = """(() => {
  let began, last, sum = 0;
  window.tlShift = 0;
  new PerformanceObserver((list) => {
    for (const { startTime, value, hadRecentInput } of list.getEntries()) {
      if (hadRecentInput) continue;
      if (!(startTime - last < 1000 && startTime - began < 5000)) [began, sum] = [startTime, 0];
      [last, sum] = [startTime, sum + value];
      window.tlShift = Math.max(window.tlShift, sum);
    }
  }).observe({ type: "layout-shift", buffered: true });
})()"""
PROMPT = model.START + "The keys to the old cabinet in the kitchen are"
TOKENS = 30  # after the first one
REAL = """
import json, time
import numpy as np
from pyodide_js import _module
from course.published import fetch, model
from transformer_lib import cached_next_logits

read = model.opened(fetch.place())  # by the view, whose sentences have been scored
memory = _module.HEAPU8.length / 1e6
W = read.parameters["decoder.layers.0.feed_forward.W_gate"]

def fastest(x, W):
    times = []
    for _ in range(5):
        began = time.perf_counter()
        for _ in range(40):
            x @ W
        times.append(time.perf_counter() - began)
    return min(times)

rows = [np.ones((n, len(W)), np.float32) for n in (1, 10)]
one, ten = (fastest(x, W.view(np.ndarray)) / fastest(x, W) for x in rows)
next_logits = cached_next_logits(read.parameters, read.config)
ids, times = read.tokenizer.encode(prompt), [time.perf_counter()]
for _ in range(count + 1):
    ids.append(int(np.argmax(next_logits(ids))))
    times.append(time.perf_counter())
found = {"memory": memory, "one": one, "ten": ten, "first": times[1] - times[0]}
print(json.dumps(found | {"rate": count / (times[-1] - times[1])}))
"""
PAINTED = """() => new Promise((done) => requestAnimationFrame(() => {
  const after = new MessageChannel();
  after.port1.onmessage = () => done(performance.now());
  after.port2.postMessage(0);
}))"""
# Moves a slider at any moment between two frames of the screen.
SLIDE = f"""async (slider, count) => {{
  const painted = {PAINTED};
  const times = [];
  for (let i = 0; i < count; i++) {{
    await new Promise((done) => setTimeout(done, 20 + 17 * Math.random()));
    slider.value = i % (Number(slider.max) + 1);
    const began = performance.now();
    slider.dispatchEvent(new Event("input", {{ bubbles: true }}));
    times.push(await painted() - began);
  }}
  return times;
}}"""
# Types one value after the other, each once the answer to the last one has been drawn.
CALL = f"""async (field, [values, count]) => {{
  const painted = {PAINTED};
  const shown = field.closest(".tl-widget");
  const times = [];
  for (let i = 0; i < count; i++) {{
    const changed = new Promise((done) => new MutationObserver((all, observer) => {{
      if (!all.some(({{ target }}) => target.closest?.(".widget-html-content"))) return;
      observer.disconnect();
      done();
    }}).observe(shown, {{ childList: true, subtree: true }}));
    await new Promise((done) => setTimeout(done, 20));
    field.value = values[i % values.length];
    const began = performance.now();
    for (const kind of ["input", "change"]) {{
      field.dispatchEvent(new Event(kind, {{ bubbles: true }}));
    }}
    await Promise.race([changed, new Promise((done) => setTimeout(done, {PATIENCE}))]);
    times.push(await painted() - began);
  }}
  return times;
}}"""
RUN = """async (count) => {
  const times = [];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    await tlLive.kernel.run("import numpy as np\\nnp.exp(np.eye(4)).sum()", "Cell 0");
    times.push(performance.now() - began);
  }
  return times;
}"""
IDLE = "() => window.tlLive?.isReady && !window.tlLive.running"


class Live(NamedTuple):
    """A field of a live widget: its page, its name, and what is typed into it by turns.

    The first value is not the one that stands there, for that would change nothing.
    """

    widget: str
    page: str
    role: str
    name: str
    values: list[str]


LIVE = [
    Live("editor of 04", "chapters/04_attention", "textbox", "Q", ["9 9\n0 0", "1 0\n0 1"]),
    Live(
        "decoding of 13",
        "chapters/13_decoding",
        "textbox",
        "prompt",
        ["the chefs who ran out of", "the chef who ran out of"],
    ),
    Live("heads of 13", "chapters/13_decoding", "combobox", "head", ["2", "1"]),
]


def arrive(browser: Browser, url: str, slow: bool) -> dict[str, float]:
    """Open a page whose cache is empty: seconds to the first paint, to all of it, to a slider."""
    with new_page(browser, **(PHONE if slow else {})) as page:
        page.add_init_script(ASK)
        if slow:
            slow_down(page)
        page.goto(url, wait_until="domcontentloaded")  # after which MathJax is there, if it comes
        times: dict[str, float | None] = page.evaluate(THERE)
    return {name: ms / 1000 for name, ms in times.items() if ms is not None}


def shift(browser: Browser, url: str) -> float:
    """How much of a page moves by itself while it comes to a slow phone, from 0 to 1 or more."""
    with new_page(browser, **PHONE, is_mobile=True) as page:
        page.add_init_script(SHIFTS)
        slow_down(page)
        page.goto(url, wait_until="networkidle")
        # The last of what moves is told a moment after it is painted.
        page.wait_for_timeout(500)
        moved: float = page.evaluate("window.tlShift")
    return moved


def slide(page: Page, count: int) -> list[float]:
    """Milliseconds from each move of the first slider to its paint."""
    times: list[float] = page.locator("main .tl-frames input[type=range]").first.evaluate(
        SLIDE, count
    )
    return times


def start(page: Page) -> tuple[float, float]:
    """Run an open page: seconds to Python, and to the last of all cells."""
    began = time.perf_counter()
    page.get_by_role("button", name="Run this page").click()
    page.wait_for_function("() => window.tlLive?.isReady")
    python = time.perf_counter() - began
    page.wait_for_function(IDLE, timeout=300_000)
    return python, time.perf_counter() - began


def first(browser: Browser, url: str) -> tuple[float, ...]:
    """Seconds to a page whose cache is empty, to its first cell, and to that of a second visit."""
    drawn, times = arrive(browser, url, slow=False)["drawn"], []
    with new_reader(browser) as reader:
        for _ in range(2):
            page = reader.new_page()
            page.goto(url)
            began = time.perf_counter()
            page.locator(".tl-run-cell").first.click()
            page.wait_for_function(IDLE, timeout=300_000)
            times.append(time.perf_counter() - began)
            page.close()
    return drawn, *times


def call(page: Page, live: Live, count: int) -> list[float]:
    """Milliseconds from each value that is typed to the paint of the answer."""
    role: Any = live.role
    fields = page.locator(".tl-widget").get_by_role(role, name=live.name, exact=True)
    times: list[float] = fields.first.evaluate(CALL, [live.values, count])
    return times


def run(page: Page, count: int) -> list[float]:
    """Milliseconds of each run of a small cell."""
    times: list[float] = page.evaluate(RUN, count)
    return times


EIGHT = {
    "first of the pair": "The key to the old cabinet near it",
    "second of the pair": "The keys to the old cabinet near it",
    "third sentence": "",
}


def real_model(page: Page) -> tuple[float, dict[str, float]]:
    """Load the published model as a reader does; the seconds, and what its Python measures."""
    page.locator(".tl-start").first.click()
    page.locator("progress").wait_for(timeout=60_000)
    began = time.perf_counter()
    page.get_by_text("bits less").wait_for(timeout=120_000)
    loaded = time.perf_counter() - began
    code = f"prompt, count = {PROMPT!r}, {TOKENS}\n{REAL}"
    (told,) = page.evaluate("code => tlLive.kernel.run(code, 'real')", code)["outputs"]
    return loaded, json.loads(told["text"])


def grid(page: Page) -> float:
    """Fill the grid of two sentences of eight words, the model loaded; the seconds."""
    for name, text in EIGHT.items():
        page.get_by_label(name).fill(text)
    began = time.perf_counter()
    page.get_by_role("button", name="Fill the grid").click()
    page.get_by_text("A number is the share of this difference").wait_for(timeout=300_000)
    return time.perf_counter() - began
