"""An assignment as a person does it on a phone: typed key by key, checked by taps, handed in."""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page
from selenium.webdriver.common.keys import Keys

from exercises.grader import mine
from tests.browser.engines import SELENIUM, wait
from tests.browser.exercise_page import numbers, page_of, solutions, visit
from tests.browser.live import PHONE, type_into
from tests.browser.phones import HEIGHT, KEYBOARD, WIDTH, ChromiumPhone, Phone, firefox_phone
from tests.browser.test_exercise_in_page import is_handed_in

CORE = (
    "00_warm_up",
    "02_embeddings",
    "03_positional_encoding",
    "04_attention",
    "05_multi_head_attention",
    "06_07_masks_and_cross_attention",
    "08_09_feed_forward_and_norm",
    "10_12_models_and_training",
    "11_language_model_head",
    "13_decoding",
    "linguists",
)
STUDENT = "ann"
LOOKS = os.environ.get("HAND_IN_LOOKS")
"""A folder for pictures of each typed answer and each check."""
IDLE = "tlLive.isReady && !tlLive.queue.length"
CELL = "tlLive.cells.find((cell) => cell.id === {})"
SHOWN = """(() => {{
  const it = {};
  it.scrollIntoView({{ block: "center", behavior: "instant" }});
  const box = it.getBoundingClientRect(), y = box.top + box.height / 2;
  const x = (Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2;
  const top = document.elementFromPoint(x, y);
  return {{ x, y, hit: it === top || it.contains(top), over: top?.outerHTML.slice(0, 200) }};
}})()"""
CARET = """new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const caret = document.querySelector(".cm-focused .cm-cursor-primary")?.getBoundingClientRect();
  if (!caret) return done("there is no caret");
  const box = document.querySelector(".cm-focused .cm-scroller").getBoundingClientRect();
  const at = [caret.left, (caret.top + caret.bottom) / 2];
  const top = document.elementFromPoint(Math.min(at[0], innerWidth - 1), at[1]);
  const is = caret.top >= 0 && caret.bottom <= innerHeight && caret.left >= box.left
    && caret.right <= box.right && top?.closest(".cm-focused");
  done(is ? "" : `the caret is at ${at} below ${top?.outerHTML.slice(0, 120)}`);
})))"""
WIDE = "document.documentElement.scrollWidth > innerWidth"
HIDDEN = """[...document.querySelectorAll(".stream pre")].filter((pre) =>
  pre.scrollHeight > pre.clientHeight + 1).map((pre) => pre.innerText.slice(0, 40))"""
pytestmark = pytest.mark.filterwarnings(SELENIUM)


class Person:
    """Somebody with a phone who does an assignment; counts keys and lists what went wrong."""

    def __init__(self, phone: Phone, name: str) -> None:
        self.phone, self.name = phone, name
        self.keys = 0
        self.corrected: list[str] = []
        self.wrong: list[str] = []

    def picture(self, what: str) -> None:
        """Save what shows, for people to look at."""
        if LOOKS:
            self.phone.picture(Path(LOOKS) / f"{self.name}-{what}.png")

    def tap(self, element: str) -> None:
        """Tap at what a script finds, where it shows in the middle of the window."""
        at = self.phone.see(SHOWN.format(element))
        if not at["hit"]:
            self.wrong.append(f"a tap at {element} would hit {at['over']}")
        self.phone.touch(at["x"], at["y"])

    def press(self, *keys: str) -> None:
        for key in keys:
            self.phone.type(key)
            self.keys += len(key) if key.isprintable() else 1

    def write(self, cell: str, code: str) -> None:
        """Replace the code of a cell; the editor indents, and the person corrects it."""
        editor = f"{CELL.format(json.dumps(cell))}.element.querySelector('.cm-line:last-child')"
        self.phone.size(HEIGHT - KEYBOARD)
        self.tap(editor)
        self.press(Keys.CONTROL + "a", Keys.BACKSPACE)
        assert self.text(cell) == [""]
        done: list[str] = []
        for line in code.split("\n"):
            if done:
                self.next_line(cell, done, line)
            else:
                self.press(line)
            done.append(line)
            if said := self.phone.see(CARET):
                self.wrong.append(f"{cell}, line {len(done)}: {said}")
            now = self.text(cell)[: len(done)]
            # The last line may have a bracket that was closed by itself, or its indentation alone.
            assert now[:-1] == done[:-1], f"{cell}: typed {done}, shows {now}"
            assert now[-1].lstrip().startswith(line.lstrip()), f"{cell}: typed {line}, shows {now}"
        assert self.text(cell) == done

    def next_line(self, cell: str, done: list[str], line: str) -> None:
        text = line.strip()
        rest = self.text(cell)[len(done) :]
        ready = rest[0].strip() if rest else ""
        if text and ready and text.startswith(ready):  # a bracket that was closed by itself
            self.press(Keys.ARROW_DOWN, Keys.END)
            text = text[len(ready) :]
            indent = len(rest[0]) - len(rest[0].lstrip())
            assert indent == len(line) - len(line.lstrip()), f"{cell}: {rest[0]!r}, not {line!r}"
        else:
            self.press(Keys.ENTER)
            if text:
                self.indent(cell, done, line)
        if text:
            self.press(text)

    def indent(self, cell: str, done: list[str], line: str) -> None:
        """Take away or add what the editor has indented too far or too little."""
        wanted = len(line) - len(line.lstrip())
        given = len(self.text(cell)[len(done)])
        if given == wanted:
            return
        self.corrected.append(f"{cell}, line {len(done) + 1}: {given} for {wanted}: {line}")
        while given > wanted:
            self.press(Keys.BACKSPACE)
            before, given = given, len(self.text(cell)[len(done)])
            assert given < before, self.text(cell)
        if given < wanted:
            self.press(" " * (wanted - given))

    def text(self, cell: str) -> list[str]:
        found: str = self.phone.see(f"{CELL.format(json.dumps(cell))}.editor.text()")
        return found.split("\n")

    def check(self, task: str) -> None:
        """Tap the button of each check of a task."""
        self.phone.size(HEIGHT)
        ids = f"tlLive.cells.map(({{ id }}) => id).filter((id) => id.startsWith('{task}-check'))"
        checks = self.phone.see(ids)
        assert checks
        for cell in checks:
            element = f"{CELL.format(json.dumps(cell))}.element"
            self.tap(f"{element}.querySelector('.tl-cell-bar button')")
            wait(self.phone, f"{CELL.format(json.dumps(cell))}.ran && {IDLE}")
            said = self.phone.see(f"{element}.querySelector('.tl-cell-said').innerText")
            if said not in ("passes", "not judged yet"):
                output = self.phone.see(f"{element}.querySelector('.cell_output')?.innerText")
                self.wrong.append(f"{cell} {said}: {output}")
            self.fits(cell)
            self.picture(cell)

    def fits(self, where: str) -> None:
        if self.phone.see(WIDE):
            self.wrong.append(f"{where}: the page is wider than the window")
        if cut := self.phone.see(HIDDEN):
            self.wrong.append(f"{where}: outputs that show in part: {cut}")

    def enter_id(self) -> None:
        quotes = ".element.querySelector('.cm-line:last-child .tok-string')"
        self.tap(CELL.format("'student'") + quotes)
        self.press(STUDENT)
        assert self.text("student")[-1] == f'STUDENT_ID = "{STUDENT}"'


@pytest.fixture(scope="module", params=["chromium", "firefox"])
def phone(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, runnable: None
) -> Iterator[Phone]:
    """Each engine as a phone, started once."""
    if request.param == "firefox":
        with firefox_phone(tmp_path_factory.mktemp("phone")) as it:
            yield it
        return
    narrow = ChromiumPhone(request.getfixturevalue("browser"))
    yield narrow
    narrow.context.close()


@pytest.mark.parametrize("name", CORE)
def test_an_assignment_is_typed_on_a_phone_and_earns_all(
    phone: Phone, site: str, name: str, tmp_path: Path
) -> None:
    start = time.monotonic()
    phone.size(HEIGHT)
    phone.visit(f"{site}/{page_of(name)}.html")
    wait(phone, "window.tlLive")
    assert phone.see("innerWidth") == WIDTH
    person = Person(phone, name)
    person.enter_id()
    answers = {task: code.rstrip("\n") for task, code in solutions(name, STUDENT).items()}
    for task, code in answers.items():
        person.write(task, code)
        person.picture(task)
        person.check(task)
    person.fits("the end")
    person.picture("tally")
    buttons = "[...document.querySelectorAll('.tl-live-bar button')]"
    person.tap(f"{buttons}.find((it) => it.innerText === 'Download notebook')")
    file = phone.file(tmp_path)
    is_handed_in(file, page_of(name), answers | {"student": "\n".join(person.text("student"))})
    graded = mine.grade(file)
    print(
        f"{name}: {graded.earned:g} of {graded.possible:g} points for {graded.student!r}, "
        f"{person.keys} keys, {time.monotonic() - start:.0f} s"
    )
    print(f"corrected {len(person.corrected)}:", *person.corrected, sep="\n  ")
    assert person.wrong == []
    assert (graded.student, graded.earned) == (STUDENT, graded.possible)


LONG = 'print("a line that is longer than a phone is wide, and then some more of the same kind")'
CUT = """[...document.querySelectorAll(".cm-scroller")].filter((box) => {
  return box.scrollWidth > box.clientWidth; }).length"""
LINES = 30


@PHONE
def test_who_types_a_long_line_sees_all_of_it_and_the_caret(page: Page, site: str) -> None:
    visit(page, site, "linguists")
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT - KEYBOARD})
    assert page.evaluate(CUT) == 0, "what is there shows whole"
    type_into(page, numbers(page)["word_surprisals"], "\n".join([LONG] * LINES))
    assert page.evaluate(CUT) == 0
    assert page.evaluate(CARET) == ""
    for _ in range(LINES * 3):
        page.keyboard.press("ArrowUp")
        assert page.evaluate(CARET) == "", "it stays below the header of the page"
