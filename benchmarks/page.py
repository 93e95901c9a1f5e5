"""How the pages of the built book load, move and answer, into benchmarks/PAGES.md."""

import argparse
import datetime
import os
import platform
import statistics
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser

from benchmarks import page_peer, page_play, page_speed
from benchmarks.page_site import (
    SLOW_PHONE,
    Compressing,
    Loaded,
    chromium,
    new_page,
    new_reader,
)
from book import toc
from book.paths import html_folder
from book.serve import served
from book.testing import processors
from course.published import fetch

FILE = Path(__file__).with_name("PAGES.md")
MAIN = "chapters/04_attention"
PAGES = ["intro", MAIN, "chapters/13_decoding"]
ROUNDS = 3
CALLS = 100

Line = tuple[str, str, str, str]
"""What was measured, what came out, the target, and whether it is met."""


def judged(what: str, values: Sequence[float], targets: Sequence[float], unit: str) -> Line:
    """Set values beside their targets, all at most so large."""
    shown = [f"{value:.2f}" if unit in ("s", "MB", "") else f"{value:.0f}" for value in values]
    met = all(value <= target for value, target in zip(values, targets, strict=True))
    wanted = " / ".join(f"{target:g}" for target in targets)
    texts = (f"{text} {unit}".strip() for text in (" / ".join(shown), wanted))
    return what, *texts, "yes" if met else "**no**"


def middle(times: Sequence[float]) -> tuple[float, float]:
    """The median and the 95th percentile."""
    return statistics.median(times), statistics.quantiles(times, n=20)[-1]


HEADS = ("measured", "target", "met")


def table(title: str, says: str, lines: Sequence[Line], heads: Sequence[str] = HEADS) -> str:
    """Return a section with a table, and print it."""
    rows = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    head = f"| | {' | '.join(heads)} |\n|---|---|---|---|"
    text = f"## {title}\n\n{says}\n\n{head}\n{rows}\n"
    print(text, flush=True)
    return text


def arrivals(browser: Browser, url: str, slow: bool) -> list[Line]:
    """How soon pages are there, the median of some first visits."""
    lines = []
    targets = {"paint": 2.0, "slider": 2.5} if slow else {"drawn": 1.5}
    for name in PAGES:
        times = [page_speed.arrive(browser, f"{url}/{name}.html", slow) for _ in range(ROUNDS)]
        for what, target in targets.items():
            if what not in times[0]:  # the front page has no slider
                continue
            value = statistics.median(each[what] for each in times)
            wanted = min(target, 1.5) if name == "intro" else target
            lines.append(judged(f"{name}, {SAID[what]}", [value], [wanted], "s"))
    return lines


def shifts(browser: Browser, url: str) -> list[Line]:
    """How much of each page moves by itself, which Chromium counts as layout shift."""
    moved = {name: page_speed.shift(browser, f"{url}/{name}.html") for name in toc.pages()}
    largest = max(moved, key=lambda name: moved[name])
    median = statistics.median(moved.values())
    return [
        judged(f"layout shift, median of {len(moved)} pages", [median], [0.05], ""),
        judged(f"layout shift, the largest, {largest}", [moved[largest]], [0.05], ""),
    ]


SAID = {
    "paint": "first paint",
    "slider": "its slider or menu answers",
    "drawn": "ready: fonts and formulas are drawn",
}


def kernels(browser: Browser, url: str) -> list[Line]:
    """How soon Python is there, with an empty cache and with a full one."""
    cold, warm, cells = [], [], []
    for _ in range(ROUNDS):
        with new_reader(browser) as reader:
            page = reader.new_page()
            page.goto(f"{url}/{MAIN}.html")
            cold.append(page_speed.start(page)[0])
            page.close()
            again = reader.new_page()
            again.goto(f"{url}/{MAIN}.html")
            ready, done = page_speed.start(again)
            warm.append(ready)
            cells.append(done)
    return [
        judged("press to Python, cache empty", [statistics.median(cold)], [6], "s"),
        judged("press to Python, cache full", [statistics.median(warm)], [3], "s"),
        ("press to the last cell of 04, cache full", f"{statistics.median(cells):.2f} s", "", ""),
    ]


def beside(browser: Browser, earlier: Path) -> list[Line]:
    """First visits and first cells of an earlier build and of this one, in turns."""
    found: dict[str, list[tuple[float, ...]]] = {"earlier": [], "this": []}
    for _ in range(ROUNDS):
        for name, folder in {"earlier": earlier, "this": html_folder()}.items():
            with served(folder=folder) as url:
                found[name].append(page_speed.first(browser, f"{url}/{MAIN}.html"))
    lines = []
    for at, what in enumerate(
        ["a first visit", "its first cell", "the first cell of a second visit"]
    ):
        before, now = (statistics.median(one[at] for one in each) for each in found.values())
        lines.append((what, f"{now:.2f} s", f"{before:.2f} s", f"{now / before:.2f}"))
    return lines


def calls(browser: Browser, url: str) -> list[Line]:
    """How soon a slider is painted, and how soon what is typed into a live widget is answered."""
    lines = []
    for name in dict.fromkeys(live.page for live in page_speed.LIVE):
        with new_page(browser) as page:
            page.goto(f"{url}/{name}.html")
            if name == MAIN:
                times = page_speed.slide(page, 2 * CALLS)
                lines.append(judged("slider of 04 to paint", middle(times), [20, 50], "ms"))
            page_speed.start(page)
            for live in page_speed.LIVE:
                if live.page == name:
                    times = page_speed.call(page, live, CALLS)
                    what = f"{live.widget}, {live.name}"
                    lines.append(judged(what, middle(times), [30, 100], "ms"))
            if name == MAIN:
                times = page_speed.run(page, 2 * CALLS)
                lines.append(judged("a small cell, without paint", middle(times), [30, 100], "ms"))
    return lines


def weights(browser: Browser, url: str) -> list[Line]:
    """What every page loads before its Python, and what the Python of one brings."""
    before = {}
    for name in toc.pages():
        with new_page(browser) as page:
            loaded = Loaded(page)
            page.goto(f"{url}/{name}.html", wait_until="networkidle")
            before[name] = loaded.megabytes()
    largest = max(before, key=lambda name: before[name])
    median = statistics.median(before.values())
    lines = [
        judged(f"median of {len(before)} pages", [median], [1], "MB"),
        judged(f"the largest, {largest}", [before[largest]], [1], "MB"),
        *[judged(name, [before[name]], [0.75 if name == "intro" else 1], "MB") for name in PAGES],
    ]
    with new_page(browser) as page:
        loaded = Loaded(page)
        page.goto(f"{url}/{MAIN}.html", wait_until="networkidle")
        files = set(loaded.files)
        page_speed.start(page)
        value = loaded.megabytes(without=files)
    python = judged(f"Python of {MAIN}: numpy, widgets, matplotlib", [value], [20], "MB")
    return [*lines, python]


def real_model(browser: Browser, url: str) -> list[Line]:
    """How fast a published model is in a page, where the book was built with it."""
    with new_page(browser) as page:
        page.goto(f"{url}/chapters/real_model.html")
        loaded, found = page_speed.real_model(page)
        grid = page_speed.grid(page)
    ratios = [found["one"], found["ten"]]
    met = "yes" if min(ratios) >= 1.5 else "**no**"
    return [
        ("press to the first scores, from this machine", f"{loaded:.1f} s", "", ""),
        judged("memory of WebAssembly", [found["memory"]], [650], "MB"),
        judged("the first token after ten words", [found["first"]], [1], "s"),
        (
            "products of 1 and of 10 rows: how many times as fast as `@`",
            " / ".join(f"{ratio:.1f}" for ratio in ratios),
            "1.5",
            met,
        ),
        judged("a grid of 30 layers by 8 words", [grid], [60], "s"),
        ("tokens in a second", f"{found['rate']:.1f}", "", ""),
        (f"tokens in a second, {page_peer.NAME}", peer(browser), "", ""),
    ]


def peer(browser: Browser) -> str:
    """The tokens in a second of wllama, or a sentence where its package cannot be fetched."""
    try:
        return f"{page_peer.rate(browser, page_speed.PROMPT, page_speed.TOKENS):.1f}"
    except SystemExit as stop:
        print(stop, flush=True)
        return "not measured, it could not be fetched"


def memory(browser: Browser, url: str) -> str:
    """What is held before and after an hour of play."""
    with new_page(browser) as page:
        page.goto(f"{url}/{MAIN}.html")
        page_speed.start(page)
        *held, done = page_play.play(page)
    names = {
        "page": "scripts of the page, MB",
        "worker": "scripts of the worker, MB",
        "python": "its WebAssembly, where Python and numpy live, MB",
        "objects": "objects of Python",
        "widgets": "widgets of Python",
        "elements": "elements of the page",
    }
    rows = []
    for field, what in names.items():
        values = [getattr(each, field) for each in held]
        shown = [f"{value:.1f}" if isinstance(value, float) else str(value) for value in values]
        rows.append(f"| {what} | {' | '.join(shown)} |")
    acts = ", ".join(f"{count} of {what}" for what, count in done.items())
    text = (
        f"## Memory of {MAIN} in an hour of play\n\n{page_play.ACTS} acts, one in two seconds for "
        f"an hour, done at once: {acts}.\nWhat nobody needs is thrown away before each look. "
        "WebAssembly gives nothing back.\n\n| | before | half way | after |\n|---|---|---|---|\n"
        + "\n".join(rows)
        + "\n"
    )
    print(text, flush=True)
    return text


def head(browser: str, before: float) -> str:
    """Return what the figures rest on."""
    return f"""# Pages

Written by `python -m benchmarks.page` from the built book. Times are of the machine, and they count
until the picture is painted. Two numbers are the median and the 95th percentile.

- {datetime.date.today().isoformat()}, Chromium {browser}, Python {platform.python_version()}
- {processors.model()}, {os.cpu_count()} cores
- load of the machine, one minute's average: {before:.1f} before. Above 0.5 other programs ran
  beside it, so expect less on a quiet machine.
"""


def measured(browser: Browser, before: float, earlier: Path | None) -> str:
    """Measure all of it; the text of the file."""
    texts = [head(browser.version, before)]
    with served() as url:
        says = f"The first visit, its cache empty, from this machine; the median of {ROUNDS}."
        texts.append(table("A page is there", says, arrivals(browser, url, slow=False)))
        says = f"A server on this machine, the median of {ROUNDS}."
        texts.append(table("Python is there", says, kernels(browser, url)))
        if earlier:
            says = f"{MAIN}, a server on this machine, in turns, the median of {ROUNDS}."
            heads = ("this build", "an earlier one", "ratio")
            texts.append(table("Beside an earlier build", says, beside(browser, earlier), heads))
        says = f"Of {CALLS} values typed, of {2 * CALLS} moves and cells."
        texts.append(table("It answers", says, calls(browser, url)))
        says = "Each file compressed by gzip, as most hosts send it."
        texts.append(table("What is loaded", says, weights(browser, url)))
        if fetch.is_there():
            says = (
                "One run; the model is read, two sentences are scored, and 30 tokens follow.\n"
                "wllama, llama.cpp in WebAssembly, runs right after it, and its second run counts."
            )
            texts.append(table("A real model in the page", says, real_model(browser, url)))
        texts.append(memory(browser, url))
    with served(Compressing) as url:
        arrivals(browser, url, slow=False)  # what is compressed once is kept
        says = (
            "1.6 megabits and 150 ms a request, 390 pixels, a processor "
            f"{SLOW_PHONE} times slower, a host that compresses; the median of {ROUNDS}."
        )
        lines = [*arrivals(browser, url, slow=True), *shifts(browser, url)]
        texts.insert(2, table("On slow 4G and a slow phone", says, lines))
    return "\n".join(texts)


def main(words: Sequence[str] | None = None) -> None:
    """Measure, print and write; a target that is missed is said, and is no failure."""
    reader = argparse.ArgumentParser(prog="python -m benchmarks.page", description=__doc__)
    reader.add_argument("--out", type=Path, default=FILE, help="default: benchmarks/PAGES.md")
    reader.add_argument("--beside", type=Path, help="the pages of an earlier build, to compare")
    asked = reader.parse_args(words)
    before = os.getloadavg()[0]
    with chromium() as browser:
        text = measured(browser, before, asked.beside)
    asked.out.write_text(text, encoding="utf-8", newline="\n")
    print(f"Written to {asked.out}")


if __name__ == "__main__":
    main()
