"""A page of the book as slides: what a lecturer does with keys, the mouse and a remote."""

import gzip
import json
import re
import statistics
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from selenium.webdriver.common.keys import Keys

from book import toc
from book.paths import html_folder
from tests.browser import lectures
from tests.browser.axe import violations
from tests.browser.engines import DRAWN, SELENIUM, Engine, WebKit, wait
from tests.browser.slides import ARTICLE, SCREEN, count, enter, listed, measured

pytestmark = pytest.mark.filterwarnings(SELENIUM)

PAGES = [name for name in toc.pages() if name.startswith("chapters/")]
LECTURES = [name for name in PAGES if re.match(r"chapters/(attention$|0\d|1[0-3])", name)]
HALF_HOUR = "chapters/attention"
QUESTION = ".tl-now .tl-question"
IDLE = "window.tlLive?.isReady && !tlLive.queue.length"
WEIGHT = 12_000
"""Bytes that all of it may take, each file compressed."""
WORDS = 25
"""The most that half of the slides may have in sentences and labels."""
SMALL = 1 / 20
"""The share of slides that may have a text below 24 pixels."""
NOT_ALONE = re.compile(
    r"^(Then|Therefore|Thus|Hence|So(?! far)|However|Nevertheless|Otherwise|Instead|But|And"
    r"|Also|The reason is|It|Its|They(?! are mythical)|Their|This(?! chapter)|That|These|Those"
    r"|Both)\b"
    r"|\b(next|following) (cell|figure|table|chart|example)|cell below|section needs"
)
"""What a sentence says that is understood only on the page."""


@pytest.fixture
def lecture(fresh: Page, site: str) -> Iterator[Page]:
    """The half hour, not yet presented, and no error when it was."""
    errors: list[str] = []
    fresh.on("pageerror", lambda error: errors.append(str(error)))
    fresh.set_viewport_size(SCREEN)
    fresh.goto(f"{site}/{HALF_HOUR}.html", wait_until="networkidle")
    yield fresh
    assert errors == []


def present(page: Page) -> None:
    page.get_by_role("button", name="Present").click()
    page.locator(".tl-slide.tl-now").wait_for()


def go_to(page: Page, selector: str) -> None:
    """Press the key of a remote until a slide shows this."""
    for _ in range(100):
        if page.locator(f".tl-now {selector}").count():
            return
        page.keyboard.press("PageDown")
    pytest.fail(f"no slide has {selector}")


def test_a_question_waits_for_a_key_and_leaving_leaves_the_page_as_it_was(lecture: Page) -> None:
    before = lecture.evaluate(ARTICLE)
    present(lecture)
    assert lecture.evaluate(ARTICLE) != before
    go_to(lecture, ".tl-number")
    number = count(lecture)
    said = lecture.locator(f"{QUESTION} output")
    assert said.inner_text() == ""
    lecture.locator(f"{QUESTION} .tl-number").click()  # what has the focus does not keep this key
    lecture.keyboard.press("PageDown")
    expect(said).to_have_attribute("data-verdict", "right")
    assert said.inner_text() and count(lecture) == number
    lecture.keyboard.press("PageDown")
    assert count(lecture) != number
    lecture.keyboard.press("PageUp")
    assert count(lecture) == number
    go_to(lecture, ".tl-choice")
    verdicts = lecture.locator(f"{QUESTION} .tl-feedback")
    lecture.locator(f"{QUESTION} label").first.click()
    assert not any(each.is_visible() for each in verdicts.all()), "a choice says nothing"
    lecture.keyboard.press("PageDown")
    assert all(each.is_visible() for each in verdicts.all())
    lecture.keyboard.press("Escape")
    lecture.keyboard.press("Escape")  # the first one left the choice
    expect(lecture.locator(".tl-slide")).to_have_count(0)
    assert lecture.evaluate(ARTICLE) == before
    expect(lecture.get_by_role("button", name="Present")).to_be_focused()


def test_a_letter_does_nothing_until_letters_are_asked_for(lecture: Page) -> None:
    page = lecture.locator("html")
    lecture.keyboard.press("p")
    assert lecture.locator(".tl-slide").count() == 0
    present(lecture)
    for letter in "osncbf":
        lecture.keyboard.press(letter)
    expect(page).not_to_have_class(re.compile("tl-(overview|noted|black)"))
    lecture.keyboard.press(".")  # of a remote
    expect(page).to_have_class(re.compile("tl-black"))
    lecture.keyboard.press(".")
    expect(page).not_to_have_class(re.compile("tl-black"))
    lecture.get_by_role("button", name="Letter keys").click()
    lecture.keyboard.press("o")
    expect(page).to_have_class(re.compile("tl-overview"))
    lecture.keyboard.press("o")
    lecture.keyboard.press("Escape")
    lecture.reload(wait_until="networkidle")
    lecture.keyboard.press("p")
    expect(lecture.locator(".tl-slide.tl-now")).to_be_visible()


def test_a_full_stop_is_typed_where_one_can_be(lecture: Page) -> None:
    present(lecture)
    go_to(lecture, ".tl-number")
    field = lecture.locator(f"{QUESTION} .tl-number")
    field.press_sequentially("0.9")
    assert field.input_value() == "0.9"
    expect(lecture.locator("html")).not_to_have_class(re.compile("tl-black"))


def test_the_answers_of_a_reader_are_there_again(lecture: Page) -> None:
    question = lecture.locator(".tl-question:has(.tl-number)").first
    question.locator(".tl-number").fill("0.1")
    question.get_by_role("button", name="Check").click()
    said = question.locator("output").inner_text()
    assert said
    present(lecture)
    go_to(lecture, ".tl-number")
    assert lecture.locator(f"{QUESTION} output").inner_text() == ""
    lecture.keyboard.press("PageDown")
    lecture.keyboard.press("Escape")
    assert question.locator("output").inner_text() == said


def test_the_speaker_has_a_window_which_steps_too(lecture: Page) -> None:
    present(lecture)
    go_to(lecture, ".tl-number")
    with lecture.expect_popup() as opened:
        lecture.get_by_role("button", name="Speaker").click()
    view, number = opened.value, count(lecture)
    body = view.locator("body")
    expect(body).to_contain_text("Minute 0. Planned: ")
    expect(body).to_contain_text("Foreseen wrong answers")
    view.keyboard.press("PageDown")
    view.keyboard.press("PageDown")
    assert count(lecture) != number
    expect(body).not_to_contain_text("Foreseen wrong answers")
    view.close()


def test_it_weighs_little_and_a_press_loads_it_from_this_host(lecture: Page, site: str) -> None:
    static = html_folder() / "_static"
    files = [static / "present.js", *(static / "present").iterdir()]
    assert sum(len(gzip.compress(each.read_bytes())) for each in files) < WEIGHT
    asked: list[str] = []
    lecture.on("request", lambda request: asked.append(request.url))
    loaded = (
        "performance.getEntriesByType('resource').filter((e) => /present\\//.test(e.name)).length"
    )
    assert lecture.evaluate(loaded) == 0
    present(lecture)
    assert lecture.evaluate(loaded) == len(files) - 1
    for key in ("PageDown", "End", "Escape"):
        lecture.keyboard.press(key)
    assert [url for url in asked if not url.startswith(f"{site}/")] == []


def test_a_full_stop_is_a_black_screen_whatever_has_the_focus(lecture: Page) -> None:
    present(lecture)
    page = lecture.locator("html")
    holders = (
        "input[type=radio]",
        "input[type=range]",
        ".tl-grip",
        "td[tabindex]",
        ".tl-run-cell",
    )
    for number in range(lecture.locator(".tl-slide").count()):
        for each in holders:
            held = lecture.locator(f".tl-now {each} >> visible=true").first
            if held.count():
                held.focus()
                lecture.keyboard.press(".")
                expect(page).to_have_class(re.compile("tl-black"))
                lecture.keyboard.press(".")
        lecture.evaluate("(number) => tlPresent.talk.show(number)", number + 1)
    lecture.locator(".tl-slide-bar button").first.focus()
    lecture.keyboard.press(".")
    expect(page).to_have_class(re.compile("tl-black"))


def test_hands_are_counted_and_there_again(lecture: Page, site: str) -> None:
    present(lecture)
    go_to(lecture, ".tl-choice")
    name = str(lecture.locator(QUESTION).get_attribute("id"))
    address = lecture.locator(f"{QUESTION} .tl-address").inner_text()
    assert f"http://{address}" == f"{site}/{HALF_HOUR}.html#{name}"
    with lecture.expect_popup() as opened:
        lecture.get_by_role("button", name="Speaker").click()
    view = opened.value
    hands = view.locator(".tl-hands input")
    assert hands.count() == lecture.locator(f"{QUESTION} .tl-choice").count()
    number = count(lecture)
    hands.nth(0).fill("4")
    view.get_by_label("B").fill("11")
    view.keyboard.press("ArrowUp")  # of a field
    assert count(lecture) == number
    view.keyboard.press("PageUp")  # of a remote
    assert count(lecture) != number
    expect(hands).to_have_count(0)
    view.close()
    kept = f"tl-votes:/{HALF_HOUR}"
    counted = lecture.evaluate("(key) => Object.values(JSON.parse(localStorage[key]))", kept)
    ((hands_of_today,),) = [each.values() for each in counted]
    assert hands_of_today[:2] == [4, 12]
    earlier = {name: {"2026-11-02": [4, 11]}}
    lecture.evaluate(
        "([key, text]) => localStorage.setItem(key, text)", [kept, json.dumps(earlier)]
    )
    lecture.get_by_role("button", name="Notes").click()
    go_to(lecture, f"#{name}")
    below = lecture.locator(".tl-slide-notes")
    expect(below).to_contain_text("Nov 2, 2026: A 4, B 11")
    assert below.get_by_label("A").input_value() == "0"
    lecture.keyboard.press("Escape")
    expect(lecture.locator(".tl-address")).to_have_count(0)


def test_the_picture_of_the_front_page_is_a_slide(fresh: Page, site: str) -> None:
    assert enter(fresh, f"{site}/intro.html") == 2
    fresh.keyboard.press("PageDown")
    assert fresh.evaluate("document.querySelector('.tl-now #flow-root').offsetWidth") > 900
    assert measured(fresh)[-1]["wrong"] == []


@pytest.mark.parametrize("chapter", PAGES)
def test_every_page_is_as_before(fresh: Page, site: str, chapter: str) -> None:
    fresh.set_viewport_size(SCREEN)
    fresh.goto(f"{site}/{chapter}.html", wait_until="networkidle")
    if not fresh.locator(".tl-present").count():
        assert not fresh.locator("main div.cell").count()
        return
    if fresh.locator(".tag_holds-text").count():
        fresh.wait_for_function("window.tlLive")  # its editors open with the page
    before = fresh.evaluate(ARTICLE)
    present(fresh)
    for key in ("PageDown", "PageDown", "End", "PageUp", "Escape"):
        fresh.keyboard.press(key)
    assert fresh.locator(".tl-slide").count() == 0
    assert fresh.evaluate(ARTICLE) == before


def test_all_text_is_on_the_screen_and_large(fresh: Page, site: str) -> None:
    slides = []
    for name in LECTURES:
        enter(fresh, f"{site}/{name}.html")
        slides += [each | {"page": name} for each in measured(fresh)]
    assert [each for each in slides if each["wrong"]] == []
    assert statistics.median(each["words"] for each in slides) <= WORDS
    small = [(each["page"], each["of"], each["small"][:2]) for each in slides if each["small"]]
    assert len(small) <= len(slides) * SMALL, (len(small), len(slides), small)


def test_what_a_slide_says_is_understood_alone(fresh: Page) -> None:
    for name in LECTURES:
        for slide in listed(fresh, name.removeprefix("chapters/")):
            assert [each for each in slide["said"] if NOT_ALONE.search(each)] == [], name


@pytest.mark.parametrize("name", lectures.LECTURES)
def test_a_marked_lecture_has_its_script_and_its_minutes(fresh: Page, name: str) -> None:
    held = (lectures.SCRIPTS / f"{name}.md").read_text(encoding="utf-8")
    minutes = re.match(r"# A lecture of ([\d.]+) minutes: ", held)
    assert minutes and 40 <= float(minutes[1]) <= 50
    assert held == lectures.script(fresh, name), "run: python -m tests.browser.lectures"


@pytest.mark.parametrize(
    "stem", sorted({each for all in lectures.LECTURES.values() for each in all})
)
def test_what_a_slide_says_can_be_read_aloud_in_its_minutes(fresh: Page, stem: str) -> None:
    slides = listed(fresh, stem)
    long = [each for each in slides if lectures.minutes_aloud(each) > each["minutes"]]
    assert [(each["said"], each["minutes"]) for each in long] == []


@pytest.mark.parametrize("chapter", [HALF_HOUR, "chapters/13_decoding"])
def test_paper_has_a_page_for_each_slide(fresh: Page, site: str, chapter: str) -> None:
    slides = enter(fresh, f"{site}/{chapter}.html")
    number = count(fresh)
    paper = fresh.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", paper)) == slides
    assert set(re.findall(rb"/MediaBox \[([^\]]*)\]", paper)) == {b"0 0 960 540"}
    assert count(fresh) == number


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("chapter", [HALF_HOUR, "chapters/04_attention"])
def test_no_slide_has_a_violation(fresh: Page, site: str, chapter: str, theme: str) -> None:
    fresh.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    for number in range(enter(fresh, f"{site}/{chapter}.html")):
        assert violations(fresh) == [], number + 1
        fresh.keyboard.press("ArrowRight")


def test_it_works_from_the_disk(fresh: Page) -> None:
    assert enter(fresh, (html_folder() / f"{HALF_HOUR}.html").as_uri()) > 30
    with fresh.expect_popup() as opened:
        fresh.get_by_role("button", name="Speaker").click()
    expect(opened.value.locator("body")).to_contain_text("Planned: ")
    go_to(fresh, ".tl-choice")
    assert fresh.locator(".tl-address").count() == 0  # a phone finds nothing on this disk


@pytest.fixture
def stepped(engine: Engine, site: str) -> Iterator[Engine]:
    yield engine
    engine.see("(localStorage.clear(), history.replaceState(null, '', location.pathname), 1)")


def begin(engine: Engine, address: str) -> None:
    engine.visit(address)
    wait(engine, DRAWN)
    engine.click(".tl-present")
    wait(engine, "document.querySelector('.tl-now')")


def step_to(engine: Engine, selector: str) -> None:
    for _ in range(100):
        if engine.see(f"Boolean(document.querySelector('.tl-now {selector}'))"):
            return
        engine.type(Keys.PAGE_DOWN)
    pytest.fail(f"no slide has {selector}")


def text(engine: Engine, selector: str) -> str:
    return str(engine.see(f"document.querySelector('.tl-now {selector}').innerText"))


def test_an_arrow_and_a_question_in_each_engine(stepped: Engine, site: str) -> None:
    begin(stepped, f"{site}/{HALF_HOUR}.html")
    step_to(stepped, ".tl-number")
    assert text(stepped, "output") == ""
    stepped.type(Keys.PAGE_DOWN)
    assert text(stepped, "output") != ""
    step_to(stepped, ".tl-arrows .tl-grip")
    grip = "[...document.querySelectorAll('.tl-now .tl-grip')][0].getBoundingClientRect()"
    middle = f"(({{ x, y, width, height }}) => [x + width / 2, y + height / 2])({grip})"
    x, y = stepped.see(middle)
    zoom = stepped.zoom(".tl-now .tl-grip") if isinstance(stepped, WebKit) else 1
    stepped.drag(".tl-now .tl-grip", -40, 60)
    assert stepped.see(middle) == pytest.approx(
        [x - 40 / zoom, y + 60 / zoom], abs=6
    )  # drawn are tenths
    stepped.type(Keys.ESCAPE, Keys.ESCAPE)
    wait(stepped, "!document.querySelector('.tl-slide')")


def test_keys_and_the_overview_in_each_engine(stepped: Engine, site: str) -> None:
    begin(stepped, f"{site}/{HALF_HOUR}.html")
    step_to(stepped, ".tl-number")
    names, place = "document.documentElement.className", "location.hash"
    before = stepped.see(names), stepped.see(place)
    for letter in "osncbfp":
        stepped.type(letter)
    assert (stepped.see(names), stepped.see(place)) == before, "no letter acts by itself"
    stepped.click(f"{QUESTION} .tl-number")
    stepped.type("0", ".")
    assert stepped.see(f"document.querySelector('{QUESTION} .tl-number').value") == "0."
    assert stepped.see(names) == before[0]
    stepped.type(Keys.PAGE_UP)
    assert stepped.see(place) != before[1]
    stepped.type(".")
    assert "tl-black" in stepped.see(names)
    stepped.type(".")
    step_to(stepped, ".tl-choice")
    stepped.click(f"{QUESTION} input[type=radio]")
    stepped.type(".")
    assert "tl-black" in stepped.see(names)
    stepped.type(".", Keys.PAGE_DOWN)
    assert stepped.see(f"'revealed' in document.querySelector('{QUESTION}').dataset")
    stepped.click(".tl-slide-bar button[title^=Overview]")
    third = "document.querySelectorAll('.tl-slide')[2]"
    stepped.see(f"({third}.classList.add('third'), {third}.scrollIntoView(), 1)")
    stepped.drag(".third", 0, 0)
    assert stepped.see(place) == "#present-3"
    assert "tl-overview" not in stepped.see(names)


def test_a_stepper_and_a_slider_in_each_engine(stepped: Engine, site: str) -> None:
    begin(stepped, f"{site}/chapters/04_attention.html")
    step_to(stepped, ".tl-stepper")
    before = text(stepped, ".tl-stepper")
    stepped.click(".tl-now .tl-stepper button[data-step='1']")
    assert text(stepped, ".tl-stepper") != before
    step_to(stepped, ".tl-frames input[type=range]")
    before = text(stepped, ".tl-frames output")
    number = stepped.see("location.hash")
    stepped.click(".tl-now .tl-frames input[type=range]")
    stepped.type(Keys.ARROW_LEFT)
    assert text(stepped, ".tl-frames output") != before
    assert stepped.see("location.hash") == number, "a slider keeps its arrows"
    stepped.type(Keys.PAGE_DOWN)
    assert stepped.see("location.hash") != number


def test_a_cell_runs_and_its_editor_lets_a_remote_step(stepped: Engine, site: str) -> None:
    begin(stepped, f"{site}/{HALF_HOUR}.html")
    step_to(stepped, ".tl-run-cell")
    stepped.click(".tl-now .tl-run-cell")
    wait(stepped, f"{IDLE} && tlLive.cells.some((each) => each.isFresh)")
    assert text(stepped, ".tl-cell-said") == "as in the book"
    before = stepped.see("location.hash")
    stepped.click(".tl-now .cm-content")
    stepped.type(Keys.CONTROL + "a", "print(6 * 7)", Keys.SHIFT + Keys.ENTER)
    output = "document.querySelector('.tl-now .cell_output')?.innerText.trim()"
    wait(stepped, f"{IDLE} && {output} === '42'")
    assert stepped.see("location.hash") == before
    stepped.click(".tl-now .cm-content")
    stepped.type(Keys.PAGE_DOWN)
    assert stepped.see("location.hash") != before
