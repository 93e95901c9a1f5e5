"""Each sentence of "Privacy and accessibility" is held by tests, or is where no test is said to be.

A sentence that is new on the page needs a row here, and the row a test that fails when the sentence
is false.
"""

import ast
import re
from pathlib import Path

import pytest

from book import toc
from book.paths import ROOT, html_folder
from book.reasons import sentences

PAGE = ROOT / "chapters" / "statements.md"
BROWSER = "tests/browser/"
KEPT = "tests/browser/test_kept.py::test_what_a_reader_does_stays_on_the_device"
SEARCHED = "tests/browser/test_kept.py::test_the_words_of_a_search_are_in_an_address"
NOTHING_ELSE = "tests/book/test_statements.py::test_the_table_names_all_that_scripts_keep"
SENDS = "tests/book/test_statements.py::test_no_script_of_ours_sends"
HERE = "tests/book/test_statements.py::test_each_sentence_has_its_tests"
FORGET = "tests/browser/test_device.py::test_a_reader_forgets_what_was_written_in_this_book"
FOREIGN = "test_page.py::test_no_other_host_is_asked_nothing_is_missing_and_the_console_is_empty"

HELD = {
    "A test of the book holds each sentence of this page, except in the two sections that say what "
    "no test shows.": [HERE],
    "The book has no account, sets no cookie, and counts no visits.": [KEPT, SENDS],
    "A page asks only the host that it came from.": [
        BROWSER + FOREIGN,
        "tests/book/test_finish.py::test_a_policy_allows_the_scripts_of_the_build_and_no_others",
    ],
    "What you write into a cell or an answer is in no request of a page.": [KEPT, SENDS],
    "The words of a search are in the address of the page that lists what was found, and the host "
    "sees them.": [SEARCHED],
    "Your browser keeps the following on your device, most of it in local storage, and nothing "
    "else:": [KEPT, NOTHING_ELSE],
    "Forget removes what you wrote in this book, and Undo brings it back until you leave the "
    "page.": [FORGET],
    "Answers to the questions of a page are not kept.": [KEPT],
    "The program axe-core finds no violation of its rules on any page, new or used, in light and "
    "in dark, in a wide window and in one of 390 pixels.": [
        BROWSER + "test_accessibility.py::test_a_new_page_has_no_violation",
        BROWSER + "test_accessibility.py::test_a_page_beside_the_book_has_no_violation",
        BROWSER + "test_accessibility.py::test_what_is_wrong_is_found",
        BROWSER + "test_used_page.py::test_a_used_page_has_no_violation",
    ],
    "The Tab key reaches each question, and each box that scrolls.": [
        BROWSER + "test_questions.py::test_tab_reaches_each_question",
        BROWSER + "test_accessibility.py::test_a_box_is_reached_where_it_scrolls_and_passed_over_"
        "where_it_does_not",
    ],
    "Keys alone turn an arrow and lead through slides.": [
        BROWSER + "test_arrows.py::test_the_script_draws_what_python_draws_and_no_name_covers_"
        "another",
        BROWSER + "test_present.py::test_a_question_waits_for_a_key_and_leaving_leaves_the_page_as_"
        "it_was",
    ],
    "No letter is a key of its own until you ask for it.": [
        BROWSER + "test_present.py::test_a_letter_does_nothing_until_letters_are_asked_for"
    ],
    "Each picture has a text in its place.": [BROWSER + "test_page.py::test_pictures_have_a_text"],
    "In a window of 390 pixels no page scrolls sideways.": [
        BROWSER + "test_page.py::test_page_does_not_scroll_sideways",
        BROWSER + "test_accessibility.py::test_no_page_of_source_scrolls_a_phone_sideways",
    ],
    "Without scripts the formulas are there, and a page says what is missing.": [
        BROWSER + "test_without_script.py::test_formulas_are_drawn_by_the_browser",
        BROWSER + "test_without_script.py::test_what_needs_a_script_says_so_and_is_not_offered",
    ],
    "On paper the folds are open, and nothing is cut off.": [
        BROWSER + "test_print.py::test_folds_are_open_on_paper_and_closed_again_after",
        BROWSER + "test_print.py::test_nothing_is_cut_off",
        BROWSER + "test_print.py::test_nothing_is_wider_than_the_paper",
    ],
}
"""A sentence of the page, without its markup, and the tests that fail when it is false."""

LIMITS = [
    "The host of the book sees which files your browser asks for, when, and from which address, "
    "and it may keep a record.",
    "The settings of a browser can remove all data of a site.",
    "Your class decides what becomes of a notebook that you hand in.",
    "No person with a disability has tried the book yet, and no screen reader has read it to us.",
    "The rules of axe-core find only some obstacles, and they are tried in Chromium alone.",
    "In Firefox and WebKit only a few pages are tried.",
    "Safari, voice control, high contrast and the exercises in JupyterLab have not been tried.",
    "Please tell whoever runs your copy what stops you.",
]
"""The sentences of the two sections that say what no test shows."""

CACHE = "tests/browser/test_offline.py::test_one_press_keeps_the_whole_book"
SLIDES = "tests/browser/test_present.py::"
STORED = {
    "tl-live:": [
        FORGET,
        "tests/browser/test_live_cells.py::test_what_is_typed_runs_and_is_kept_and_reset",
        BROWSER + "test_reading.py::test_times_are_deleted_and_forgotten_after_a_question",
    ],
    "tl-copied:": [BROWSER + "test_two_books.py::test_what_a_reader_resets_in_a_book_stays_reset"],
    "tl-votes:": [SLIDES + "test_hands_are_counted_and_there_again"],
    "tl-letters:": [SLIDES + "test_a_letter_does_nothing_until_letters_are_asked_for"],
    "mode": [KEPT],
    "theme": [KEPT],
    "MathJax-Menu-Settings": [NOTHING_ELSE],
    "sphinx_highlight_terms": [SEARCHED],
    "sidebar-scroll-top": [KEPT],
    "the-worked-transformer:": [KEPT, CACHE, "tests/book/test_statements.py::test_what_removes_it"],
    "the-worked-transformer-model": [
        BROWSER + "test_published.py::test_a_reader_loads_a_model_types_and_removes_it"
    ],
}
"""A name of the table of what is kept, and the tests that what its row says rests on."""

WITHOUT_A_TEST = re.compile(r"^### What no test .*?(?=^#|\Z)", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^#.*$", re.MULTILINE)
ROW = re.compile(r"^\|.*\|$\n?", re.MULTILINE)
OURS = ["assets", "book/live/static", "book/live/kernel", "_templates"]
SENDING = r"sendBeacon|new WebSocket|EventSource|FormData|[\"'`](?:POST|PUT|PATCH)[\"'`]"
KEY = re.compile(r"(?:local|session)Storage\.setItem\(\s*[\"'`]([\w-]+)")
NAMES = re.compile(r"[\"'`](tl-\w+:|the-worked-transformer(?:-model|:)?)(?=[\"'`$])")
A_VARIABLE = re.compile(r"(?:local|session)Storage\.setItem\(\s*(?![\"'`\s])|indexedDB\.open")
OF_A_BANNER = {"pst_banner_pref", "pst_announcement_banner_pref"}
"""What the theme keeps of banners, of which the book has none."""

EARLIER = "the-worked-transformer"
"""A cache of earlier versions: nothing is put there, and it is emptied."""

BY_A_VARIABLE = {
    *("address.js", "device/words.js", "live/store.js", "moved.js", "present.js"),  # of the table
    "reading/recorder.js",  # tl-live:
    "design-tabs.js",  # of tabs that are chosen together: no page has any
    "vendor/mathjax/tex-mml-chtml.js",  # MathJax-Menu-Settings
    *("vendor/embed-amd.js", "vendor/pyodide/pyodide.asm.js"),  # of parts that no page uses
}
"""Scripts that keep something under a name that is not beside the call."""


def held_and_not() -> tuple[str, str]:
    """The text of the page that tests hold, and that of the sections which no test holds."""
    text = PAGE.read_text("utf-8")
    return WITHOUT_A_TEST.sub("", text), "\n\n".join(WITHOUT_A_TEST.findall(text))


def read(text: str) -> list[str]:
    """The sentences of a text without its headings and its table."""
    return sentences(HEADING.sub("", ROW.sub("", text)))


def names_of_the_table() -> set[str]:
    """The names in the second column of the table."""
    rows = [row.split("|")[2] for row in ROW.findall(held_and_not()[0])[2:]]
    return {name for row in rows for name in re.findall("`(.*?)`", row)}


def scripts() -> dict[str, str]:
    """The scripts of the built book, by their paths below `_static`."""
    static = html_folder() / "_static"
    if not static.exists():
        pytest.skip("there is no book: call make book first")
    return {p.relative_to(static).as_posix(): p.read_text("utf-8") for p in static.rglob("*.js")}


def own_text() -> dict[str, str]:
    """Our scripts, templates and the kernel of a page, by their paths."""
    paths = [p for folder in OURS for p in (ROOT / folder).rglob("*") if "vendor" not in p.parts]
    kinds = {".js", ".mjs", ".html", ".py"}
    return {
        p.relative_to(ROOT).as_posix(): p.read_text("utf-8") for p in paths if p.suffix in kinds
    }


def test_each_sentence_has_its_tests() -> None:
    held, not_held = held_and_not()
    assert read(held) == list(HELD), "write the row, and the test that holds the sentence"
    assert read(not_held) == LIMITS
    assert names_of_the_table() == set(STORED)


@pytest.mark.parametrize(
    "name", sorted({name for row in [*HELD.values(), *STORED.values()] for name in row})
)
def test_each_test_of_a_row_exists(name: str) -> None:
    file, _, function = name.partition("::")
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    assert function in {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}


def test_every_row_has_a_test_and_the_page_is_short() -> None:
    assert all(HELD.values()) and all(STORED.values())
    text = re.sub(r"\]\(.*?\)", "]", PAGE.read_text("utf-8"))
    assert len(re.findall(r"[^\W_][\w'’.-]*", text)) <= 500


def test_the_table_names_all_that_scripts_keep() -> None:
    named = names_of_the_table()
    ours = {name for text in own_text().values() for name in NAMES.findall(text)}
    assert ours - {EARLIER} == {name for name in named if name.startswith(("tl-", EARLIER))}
    built = scripts()
    theirs = {key for text in built.values() for key in KEY.findall(text)}
    assert theirs - OF_A_BANNER == named - ours - {"MathJax-Menu-Settings"}
    assert {path for path, text in built.items() if A_VARIABLE.search(text)} <= BY_A_VARIABLE
    assert '"MathJax-Menu-Settings"' in built["vendor/mathjax/tex-mml-chtml.js"]


def test_no_page_has_a_banner_or_tabs_that_keep_a_choice() -> None:
    scripts()  # skips where there is no book
    for name in toc.pages():
        page = (html_folder() / f"{name}.html").read_text("utf-8")
        assert "bd-header-announcement" not in page and "data-sync-group" not in page, name


def test_no_script_of_ours_sends() -> None:
    found = {path: re.findall(SENDING, text) for path, text in own_text().items()}
    assert {path: each for path, each in found.items() if each} == {}


def test_what_removes_it() -> None:
    device = (ROOT / "assets/device/book.js").read_text("utf-8")
    assert "await caches.delete(KEPT);" in device and "Remove the pages that are kept" in device


def test_each_page_leads_here() -> None:
    scripts()  # skips where there is no book
    for path in html_folder().rglob("*.html"):
        page = path.read_text("utf-8")
        if "_static" in path.parts or 'class="bd-footer-content"' not in page:
            continue
        (link,) = re.findall(r'class="tl-statements"><a href="([^"]*)"', page)
        target = path if link == "#" else Path(path.parent, link).resolve()
        assert target == (html_folder() / "chapters/statements.html").resolve(), path
