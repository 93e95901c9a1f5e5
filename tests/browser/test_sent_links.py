"""What a reader sends: rules, two sentences, a question; what comes waits, and may be damaged."""

import base64
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, expect

from book.paths import html_folder
from course.languages.presets import PRESETS

QUESTION = re.compile(r'<fieldset class="tl-question" id="([^"]+)"')
OWN = 'rules = """\nS -> a b\n"""\nlanguage = OwnLanguage(rules)\n'
PYTHON = re.compile(r"pyodide|worker\.js|course\.zip|/published")
TOP = "(question) => question.getBoundingClientRect().top"
HEIGHT = "(question) => question.offsetHeight"
HEADER = "() => document.querySelector('.bd-header-article').getBoundingClientRect().bottom"


@dataclass
class Heard:
    """What the page has asked for, and what has gone wrong in it."""

    asked: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def is_quiet(self, site: str) -> bool:
        """Whether nothing went wrong, no other host was asked, and no Python has started."""
        foreign = [url for url in self.asked if not url.startswith((site, "data:", "blob:"))]
        started = [url for url in self.asked if PYTHON.search(url)]
        assert (self.wrong, foreign, started) == ([], [], [])
        return True


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def reader(browser: Browser, heard: Heard) -> Iterator[Page]:
    """A reader who may copy, in a narrow window; in all tabs it is heard what goes wrong."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    context.grant_permissions(["clipboard-read", "clipboard-write"])

    def ask(request: Request) -> None:
        if not request.url.endswith("favicon.svg"):  # this browser asks for it at each fragment
            heard.asked.append(request.url)

    def say(message: ConsoleMessage) -> None:
        if message.type == "error":
            heard.wrong.append(message.text)

    context.on("request", ask)
    context.on("console", say)
    context.on("weberror", lambda error: heard.wrong.append(str(error.error)))
    yield context.new_page()
    context.close()


def packed(given: object) -> str:
    """Pack as assets/address.js does."""
    text = given if isinstance(given, bytes) else json.dumps(given).encode()
    squeezed = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = squeezed.compress(text) + squeezed.flush()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


LATIN = PRESETS["gender"].rules.strip()
GOOD = packed([LATIN, ""])
NO_RULES = {
    "nothing": "",
    "no base 64": "%%%",
    "cut off": GOOD[:40],
    "a letter changed": GOOD[:9] + "A" + GOOD[10:30],
    "plain text": quote(LATIN),
    "no JSON": packed(b"rules"),
    "no text": packed(b"\xff\xfe"),
    "null": packed(None),
    "an object": packed({"__proto__": 1}),
    "one": packed(["S -> a"]),
    "three": packed(["S -> a", "", ""]),
    "numbers": packed([1, 2]),
    "no rules": packed([" \n", "a"]),
    "too long": packed(["a" * 4001, ""]),
    "small but huge": packed(b"a" * 3_000_000),
    "a long fragment": "a" * 6000,
    "a long sentence": packed(["S -> a", "a" * 301]),
    "quotes": packed(['S -> a\n"""\nimport js\n"""', ""]),
    "a backslash": packed(["S -> a\\\n", ""]),
    "half of a pair": packed(["S -> \ud800", ""]),
    "a turned line": packed(["S -> a \u202e b", ""]),
    "a zero": packed(["S -> a \x00", ""]),
}
NO_PAIR = {
    "nothing": "first=&second=",
    "blanks": "first=+&second=%20",
    "a long one": f"first={'a' * 301}",
    "a long second": f"first=a&second={'a' * 301}",
    "a long fragment": f"first={'a' * 6001}",
    "two lines": "first=a%0Ab",
    "a return": "first=a&second=b%0D",
    "a tab": "first=a%09b",
    "a zero": "first=%00",
    "no text": "first=%FF%FE",
    "half a percent": "first=%E0%A4%A",
    "a turned line": "first=a%E2%80%AEb",
    "a line of its own": "first=a%E2%80%A8b",
}


def rules_of(page: Page) -> Locator:
    """The cell of *A language of your own* that holds the rules."""
    return page.locator("main div.cell.tag_holds-text")


def line(page: Page) -> Locator:
    return page.locator(".tl-sent")


def arrives(page: Page, fragment: str) -> None:
    """Go on to a link in the same page, as a reader who pastes it into the address."""
    page.evaluate("(fragment) => { location.hash = fragment; }", fragment)


@pytest.mark.usefixtures("runnable")
def test_rules_wait_for_consent_and_those_of_the_reader_are_kept(
    reader: Page, site: str, heard: Heard
) -> None:
    address = f"{site}/chapters/own_language.html"
    reader.goto(f"{address}#own={GOOD}")
    rules = rules_of(reader)
    expect(line(reader)).to_contain_text("somebody else, who is not the author of this book. Nothi")
    expect(line(reader)).to_be_focused()
    expect(line(reader)).to_be_in_viewport()
    expect(rules.locator(".cm-content")).to_contain_text("lupus")
    line(reader).get_by_role("button", name="Put them into the cell").press("Enter")
    expect(rules.locator(".cm-content")).to_contain_text("красив")
    assert code(reader) == f'rules = """\n{LATIN}\n"""\nlanguage = OwnLanguage(rules)'
    assert reader.url == address
    reader.reload()
    expect(rules.locator(".cm-content")).to_contain_text("красив")
    expect(line(reader)).to_have_count(0)

    # What the reader has typed is put aside, in this and in another tab, and after a reload.
    write(reader, OWN)
    arrives(reader, f"own={GOOD}")
    expect(line(reader)).to_contain_text("Your own rules are in the cell")
    line(reader).get_by_role("button", name="Leave them out").click()
    expect(line(reader)).to_have_count(0)
    assert code(reader) == OWN.strip()
    arrives(reader, f"own={GOOD}")
    line(reader).get_by_role("button", name="Put them into the cell").click()
    expect(rules.locator(".cm-content")).to_contain_text("красив")
    other = reader.context.new_page()
    other.goto(address)
    expect(rules_of(other).locator(".cm-content")).to_contain_text("красив")
    reader.reload()
    line(reader).get_by_role("button", name="Back to my rules").press("Space")
    expect(rules.locator(".cm-content")).to_contain_text("S -> a b")
    expect(rules_of(other).locator(".cm-content")).to_contain_text("S -> a b")
    assert code(reader) == OWN.strip()
    line(other).get_by_role("button", name="Back to the rules of the link").click()
    expect(rules_of(other).locator(".cm-content")).to_contain_text("красив")
    expect(reader.locator(".tl-live-bar")).to_contain_text("Another tab has changed Cell 2, too.")
    line(reader).get_by_role("button", name="Back to my rules").click()
    expect(other.locator(".tl-live-bar")).to_contain_text("Another tab has changed Cell 2, too.")
    assert LATIN in reader.evaluate("tlLive.store.get('own-rules.link')")
    line(reader).get_by_role("button", name="Forget them").click()
    expect(line(other)).to_have_count(0)
    assert reader.evaluate("() => [...tlLive.store.known.keys()]") == ["own-rules"]
    assert reader.evaluate("() => document.documentElement.scrollWidth") == 390
    assert heard.is_quiet(site)


def code(page: Page) -> str:
    """The text of the cell that holds the rules, as it would run."""
    page.wait_for_function("() => window.tlLive")
    found = page.evaluate("tlLive.cells.find(({ id }) => id === 'own-rules').code")
    return str(found).strip()


def write(page: Page, text: str) -> None:
    """Type into the cell that holds the rules."""
    rules_of(page).locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(text)


@pytest.mark.usefixtures("runnable")
def test_a_damaged_link_to_rules_says_so(reader: Page, site: str, heard: Heard) -> None:
    address = f"{site}/chapters/own_language.html"
    reader.goto(f"{address}#own=%%%")
    expect(line(reader)).to_contain_text("This link cannot be shown: ")
    book = code(reader)
    before = len(heard.asked)
    for name, each in NO_RULES.items():
        # What is said of one must not be what was said of the one before.
        reader.evaluate("() => document.querySelector('.tl-sent')?.remove()")
        arrives(reader, f"seed={quote(name)}&own={each}")
        expect(line(reader), name).to_contain_text(
            re.compile(r"^This link cannot be shown: [^.]+[^.]*\. The rules are as in the book\.$")
        )
        expect(line(reader).get_by_role("button")).to_have_count(0)
    assert code(reader) == book
    assert len(heard.asked) == before
    # The name of a section is no link to rules.
    arrives(reader, f"own={GOOD}")
    expect(line(reader)).to_contain_text("Nothing has run.")
    arrives(reader, "ten-lines-of-rules")
    expect(line(reader)).to_contain_text("Nothing has run.")
    assert heard.is_quiet(site)


@pytest.mark.usefixtures("runnable")
def test_the_rules_go_to_the_front_page_and_back_leads_to_them(
    reader: Page, site: str, heard: Heard
) -> None:
    reader.goto(f"{site}/chapters/own_language.html")
    reader.wait_for_function("() => window.tlLive")
    write(reader, OWN)
    rules_of(reader).get_by_role("button", name="Show on the front page").click()
    reader.wait_for_url(re.compile(r"/intro\.html#own=[\w-]+$"))
    data = reader.url.partition("own=")[2]
    unpacked = zlib.decompress(base64.urlsafe_b64decode(data + "=" * (-len(data) % 4)), -15)
    assert json.loads(unpacked) == ["S -> a b", ""]
    expect(reader.get_by_role("textbox", name="Rules of the language")).to_have_value("S -> a b")
    expect(reader.locator(".flow-own")).not_to_contain_text("somebody else")
    reader.go_back()
    assert code(reader) == OWN.strip()
    write(reader, f'rules = """\n{"S -> a" * 700}\n"""')
    rules_of(reader).get_by_role("button", name="Show on the front page").click()
    expect(rules_of(reader).locator(".tl-cell-said")).to_contain_text("too long for a link")
    assert heard.is_quiet(site)


@pytest.mark.usefixtures("runnable")
def test_sentences_of_a_link_are_shown_before_the_model_is_there(
    reader: Page, site: str, heard: Heard
) -> None:
    address = f"{site}/chapters/real_model.html"
    reader.goto(f"{address}#first=The+key+is,+%3Cb%3E&second=The%20keys%20are%2E")
    expect(line(reader).get_by_role("listitem")).to_have_text(["The key is, <b>", "The keys are."])
    expect(line(reader)).to_contain_text("Nothing is scored before you press a button.")
    expect(line(reader)).to_be_in_viewport()
    before = len(heard.asked)
    for name, each in NO_PAIR.items():
        reader.evaluate("() => document.querySelector('.tl-sent')?.remove()")
        arrives(reader, f"n={quote(name)}&{each}")
        expect(line(reader), name).to_contain_text(
            re.compile(r"^This link cannot be shown: [^.]+\. The page is as it was\.$")
        )
    arrives(reader, "first=a")
    expect(line(reader).get_by_role("listitem")).to_have_text(["a", "(none)"])
    line(reader).get_by_role("button", name="Leave them out").click()
    expect(line(reader)).to_have_count(0)
    assert len(heard.asked) == before
    assert heard.is_quiet(site)


def test_each_question_has_a_link_that_leads_to_it_alone() -> None:
    found = 0
    for path in sorted(html_folder().glob("*/*.html")):
        page = path.read_text(encoding="utf-8")
        questions = QUESTION.findall(page)
        found += len(questions)
        assert [each for each in questions if page.count(f' id="{each}"') != 1] == [], path.name
        assert page.count("_static/ask.js") == bool(questions), path.name
    assert found > 200


def test_a_question_is_sent_to_a_friend_unanswered(reader: Page, site: str, heard: Heard) -> None:
    reader.goto(f"{site}/chapters/02_embeddings.html")
    question = reader.locator("fieldset.tl-question:has([type=radio]):visible").first
    height = question.evaluate(HEIGHT)
    choice = question.get_by_role("radio").first
    choice.focus()
    choice.press("Space")
    expect(question.get_by_role("button", name="Ask a friend")).to_have_count(0)
    assert height == question.evaluate(HEIGHT)
    choice.press("Enter")
    ask = question.get_by_role("button", name="Ask a friend")
    ask.press("Enter")
    expect(question.get_by_role("status").last).to_contain_text("The link is copied")
    link = reader.evaluate("() => navigator.clipboard.readText()")
    assert link == f"{site}/chapters/02_embeddings.html#{question.get_attribute('id')}"
    choice.press("Enter")
    expect(ask).to_have_count(1)
    assert reader.evaluate("() => document.documentElement.scrollWidth") == 390

    assert heard.is_quiet(site)


FOLDED = """() => {
  const question = [...document.querySelectorAll("fieldset.tl-question")].at(-1);
  const fold = document.createElement("details");
  question.replaceWith(fold);
  fold.append(question);
  return question.id;
}"""
"""Puts the last question into a fold."""


def test_a_question_is_reached_wherever_it_lies(reader: Page, site: str, heard: Heard) -> None:
    pages = html_folder() / "chapters/02_embeddings.html"
    name = QUESTION.findall(pages.read_text(encoding="utf-8"))[1]
    reader.goto(f"{site}/chapters/02_embeddings.html#{name}")
    expect(is_reached(reader, name)).not_to_have_attribute("data-answered", "")
    # A step of a slip waits for the steps above it; a question may be in a fold, too.
    step = reader.locator(".tl-slip li:nth-child(2) fieldset").first
    expect(step).to_be_hidden()
    arrives(reader, str(step.get_attribute("id")))
    is_reached(reader, str(step.get_attribute("id")))
    name = reader.evaluate(FOLDED)
    arrives(reader, name)
    is_reached(reader, name)
    # What no question is called leads nowhere, and is no error.
    for each in ("%E0%A4%A", "__proto__", "a'b\"c", "summary"):
        arrives(reader, each)
    expect(reader.locator(f"fieldset#{name}")).to_have_count(1)
    assert heard.is_quiet(site)


def is_reached(page: Page, name: str) -> Locator:
    """The question of a link: the focus is on it, and it begins below the header."""
    question = page.locator(f"fieldset#{name}")
    expect(question).to_be_focused()
    expect(question).to_be_in_viewport()
    assert page.evaluate(HEADER) <= question.evaluate(TOP)
    return question
