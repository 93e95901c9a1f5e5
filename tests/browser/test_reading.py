"""Readers press keys or tap: the page keeps the times of their presses, on their device alone."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.engines import DRAWN, SELENIUM, Engine, wait
from tests.browser.live import PHONE

ADDRESS = "{}/chapters/you_and_the_model.html"
STEP = 0.2
"""Seconds between two presses, as the browser is told."""
KEY = {"key": " ", "code": "Space", "windowsVirtualKeyCode": 32}
STORED = """(JSON.parse(localStorage.getItem(
  tlBook.key("chapters/you_and_the_model/times")))?.record ?? null)"""
BUSY = """setInterval(() => {
  for (const end = performance.now() + 25; performance.now() < end;);
}, 60)"""
SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"
STAGE, WINDOW, WORD = ".tl-reading-stage", ".tl-reading-window", ".tl-reading-word"
KEPT_OF_A_READER = {"code", "language", "list", "plan", "trials", "begun", "isWarned", "isDone"}
CODE = re.compile(r"reading-times-[a-z]{8}\.csv")


def start(page: Page, site: str) -> None:
    page.goto(ADDRESS.format(site))
    page.get_by_role("button", name="Start reading").click()


def words(page: Page) -> int:
    return page.locator(WORD).count()


def read_by_keys(page: Page) -> None:
    """Read one sentence as fast as keys are pressed, and answer what is asked about it."""
    for _ in range(words(page) + 1):
        page.keyboard.press("Space")
    if page.locator(".tl-reading-question").count():
        page.keyboard.press("y")


@PHONE
def test_times_are_those_of_the_presses_in_a_busy_page(page: Page, site: str) -> None:
    """The page is busy 25 of 60 ms: a press has its own time, however late a script."""
    start(page, site)
    page.evaluate(BUSY)
    keys, count, begin = page.context.new_cdp_session(page), words(page), time.time()
    for i in range(count + 1):
        time.sleep(max(0, begin + i * STEP - time.time()))  # a press is not in the future
        for kind in ("keyDown", "keyUp"):
            keys.send("Input.dispatchKeyEvent", KEY | {"type": kind, "timestamp": begin + i * STEP})
    expect(page.locator(".tl-reading-progress")).to_have_text("Practice 2 of 3")
    times = page.evaluate(STORED)["trials"][0]["times"]
    assert len(times) == count
    assert all(abs(each - 1000 * STEP) <= 1 for each in times), times


@PHONE
def test_keys_alone_send_nothing_and_a_reader_goes_on_after_a_reload(page: Page, site: str) -> None:
    """A sentence that was begun before the reload is read again, and does not count."""
    page.goto(ADDRESS.format(site))
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("button", name="Start reading").focus()
    page.keyboard.press("Enter")
    read_by_keys(page)
    page.keyboard.press("Space")
    assert asked == []
    page.reload()
    page.get_by_role("button", name="Go on").click()
    page.locator("article h2").first.click()  # then the space bar would scroll the page
    top = page.evaluate("scrollY")
    read_by_keys(page)
    first, second = page.evaluate(STORED)["trials"]
    assert (first["interrupted"], second["interrupted"]) == (False, True)
    assert page.evaluate("scrollY") == top


@PHONE
def test_times_are_deleted_and_forgotten_after_a_question(page: Page, site: str) -> None:
    start(page, site)
    read_by_keys(page)
    page.reload()
    record = page.evaluate(STORED)
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Delete my times").click()
    assert page.evaluate(STORED) == record
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete my times").click()
    assert page.evaluate(STORED) is None
    page.get_by_role("button", name="Start reading").click()
    read_by_keys(page)
    page.goto(f"{site}/chapters/device.html")
    page.get_by_role("button", name="Forget everything").click()
    expect(page.locator(".tl-device-words")).to_contain_text("and the times of your reading too")
    assert page.evaluate(STORED) is None
    page.get_by_role("button", name="Undo").click()
    assert len(page.evaluate(STORED)["trials"]) == 1


def test_a_finger_shows_a_word_and_one_press_too_many_answers_nothing(
    browser: Browser, site: str
) -> None:
    size: ViewportSize = {"width": 390, "height": 844}
    context = browser.new_context(viewport=size, has_touch=True, color_scheme="dark")
    page = context.new_page()
    page.goto(ADDRESS.format(site))
    page.get_by_role("button", name="Start reading").tap()
    for n in range(2):
        for _ in range(words(page) + 1):
            page.locator(WINDOW).tap(position={"x": 40, "y": 20})
        assert len(page.evaluate(STORED)["trials"]) == n + 1
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.locator(".tl-reading-question")).to_be_visible()
    assert page.evaluate(STORED)["trials"][1]["right"] is None
    page.get_by_role("button", name="Yes").tap()
    expect(page.locator(STAGE)).to_contain_text("Right.")
    assert page.evaluate(SIDEWAYS) <= 0
    context.close()


@PHONE
def test_a_sentence_that_somebody_leaves_is_marked_and_a_second_tab_ends_the_first(
    page: Page, site: str
) -> None:
    start(page, site)
    page.keyboard.press("Space")
    page.evaluate("dispatchEvent(new Event('blur'))")  # no window manager takes the focus here
    for _ in range(words(page)):
        page.keyboard.press("Space")
    assert page.evaluate(STORED)["trials"][0]["interrupted"]
    other = page.context.new_page()
    other.goto(ADDRESS.format(site))
    other.on("dialog", lambda dialog: dialog.accept())
    other.get_by_role("button", name="Begin again").click()
    other.get_by_role("button", name="Start reading").click()
    read_by_keys(other)
    expect(page.locator(STAGE)).to_contain_text("Another tab of this page has begun to read")
    page.get_by_role("button", name="Go back").click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    other.close()


def simulated(page: Page, readers: int, slope: float) -> None:
    page.get_by_label("simulate readers").fill(str(readers))
    page.get_by_label("ms for each bit").fill(str(slope))
    page.get_by_role("button", name="Simulate").click()


def saved(page: Page, name: str, folder: Path) -> Path:
    with page.expect_download() as found:
        page.locator("#reading-class").get_by_role("button", name=name).click()
    path = folder / found.value.suggested_filename
    found.value.save_as(path)
    return path


@PHONE
def test_a_class_is_simulated_saved_and_opened_and_bad_files_are_named(
    page: Page, site: str, tmp_path: Path
) -> None:
    page.goto(ADDRESS.format(site))
    simulated(page, 12, 20)
    expect(page.locator(".tl-reading-verdict")).to_contain_text("The interval is above 0")
    verdict = page.locator(".tl-reading-verdict").inner_text()
    whole = saved(page, "Save as CSV", tmp_path).read_text("utf-8")
    assert page.evaluate(SIDEWAYS) <= 0
    head, *lines = whole.splitlines()
    files: list[Any] = []
    for n in range(1, 13):
        own = [line for line in lines if line.startswith(f"simulated-{n},")]
        files.append(tmp_path / f"{n}.csv")
        files[-1].write_text("\n".join([head, *own]), encoding="utf-8")
    opener = page.locator("#reading-class input[type=file]")
    shown = page.locator("#reading-class")
    opener.set_input_files(files)
    expect(shown).to_contain_text("Type the number of readers that you agreed on, at least 5")
    page.get_by_label("agreed on").fill("12")
    opener.set_input_files(files[:4])
    expect(shown).to_contain_text("12 readers were agreed on, and there are files of 4.")
    expect(page.locator("#reading-class .tl-reading-verdict")).to_have_count(0)
    real, twin, foreign = (tmp_path / f"{name}.csv" for name in ("real", "twin", "foreign"))
    real.write_text(files[0].read_text("utf-8").replace("simulated-1,", "abcdefgh,"), "utf-8")
    opener.set_input_files([*files, real])
    expect(shown).to_contain_text("Some of these readers are simulated.")
    twin.write_bytes(files[0].read_bytes())
    foreign.write_text("a,b\n1,2\n", encoding="utf-8")
    opener.set_input_files([*files, twin, foreign])
    expect(shown).to_contain_text("twin.csv holds the times of a reader who is in another file")
    expect(shown).to_contain_text("foreign.csv is no file of this page")
    expect(page.locator("#reading-class .tl-reading-verdict")).to_have_text(verdict)


@PHONE
def test_fewer_than_five_readers_show_nothing_and_guessers_are_left_out(
    page: Page, site: str, tmp_path: Path
) -> None:
    page.goto(ADDRESS.format(site))
    simulated(page, 6, 3)
    whole = saved(page, "Save as CSV", tmp_path)
    head, *lines = whole.read_text("utf-8").splitlines()
    two = re.compile("simulated-[12],")
    wrong = [re.sub(r",1$", ",0", line) if two.match(line) else line for line in lines]
    whole.write_text("\n".join([head, *wrong]), encoding="utf-8")
    page.get_by_label("agreed on").fill("5")
    page.locator("#reading-class input[type=file]").set_input_files(whole)
    shown = page.locator("#reading-class")
    expect(shown).to_contain_text("Left out: 2 readers with fewer than 75% of the questions right.")
    expect(shown).to_contain_text("There are 4 readers. Nothing is shown of fewer than 5")
    expect(page.locator(".tl-reading-verdict")).to_have_count(0)


@PHONE
def test_the_result_of_a_reader_can_be_read_and_saved(
    page: Page, site: str, tmp_path: Path
) -> None:
    """At the pace of a fast reader, from the first sentence to the file; nothing is sent."""
    start(page, site)
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    seen = []
    while not page.get_by_role("button", name="Save my times").count():
        if page.locator(WINDOW).count():
            seen.append(page.locator(".tl-reading-progress").inner_text())
            for _ in range(words(page) + 1):
                page.keyboard.press("Space")
                page.wait_for_timeout(130)
            if page.locator(".tl-reading-question").count():
                page.keyboard.press("y")
        else:
            page.keyboard.press("Enter")
    practice = [f"Practice {n} of 3" for n in (1, 2, 3)]
    assert seen == practice + [f"Sentence {n} of 20" for n in range(1, 21)]
    assert page.evaluate(STORED).keys() == KEPT_OF_A_READER
    assert asked == []
    with page.expect_download() as found:  # before the result is seen
        page.get_by_role("button", name="Save my times").click()
    assert CODE.fullmatch(found.value.suggested_filename)
    found.value.save_as(tmp_path / "mine.csv")
    _, *rows = (tmp_path / "mine.csv").read_text("utf-8").splitlines()
    assert len({row.split(",")[3] for row in rows}) == 23
    held = json.dumps(rows)
    assert not re.search(r"20\d\d-|Chrom|Linux|Mozilla", held), "no date and no browser"
    page.get_by_role("button", name="Show my results").click()
    expect(page.locator(".tl-reading-verdict")).to_contain_text("95% interval")


@pytest.mark.filterwarnings(SELENIUM)
def test_each_engine_times_a_sentence(engine: Engine, site: str) -> None:
    engine.visit(ADDRESS.format(site))
    wait(engine, DRAWN)
    wait(engine, "document.querySelector('.tl-reading-stage .tl-reading-button')")
    engine.click(".tl-reading-stage > :last-child .tl-reading-button")
    for _ in range(engine.see("document.querySelectorAll('.tl-reading-word').length") + 1):
        engine.type(" ")
    wait(engine, f"{STORED}.trials.length === 1")
    times = engine.see(f"{STORED}.trials[0].times")
    assert times and all(0 < each < 60_000 for each in times)
    engine.click("#reading-class .tl-reading-button")
    wait(engine, "document.querySelector('#reading-class .tl-reading-verdict')")
