"""The scripts of lectures, written from their slides: python -m tests.browser.lectures."""

from typing import Any

from playwright.sync_api import Page, sync_playwright

from book.paths import ROOT
from book.testing.tools import CHROMIUM
from tests.browser.slides import listed

SCRIPTS = ROOT / "docs" / "lectures"
LECTURES = {
    "half_hour": ["attention"],
    "05_and_06": ["05_multi_head_attention", "06_masked_attention"],
    "12": ["12_training"],
}
INTRODUCTION = """
Open the page, press *Present*, and then *Speaker* for the notes. In the last column, a wrong answer
in quotation marks is one that the question of the page foresees, with what the page says of it. The
others are only expected by the author, who adds a reply where one is needed. A slide in parts needs
a key for each. This lecture is not yet tried with a class, so the minutes are planned. A slider, a
stepper or an arrow needs the mouse, for a remote goes to the next slide. Of two chapters, leave the
first one at its last slide, open the second and press *Present* again. `python -m
tests.browser.lectures` writes this file from the marks in the pages.

| slide | minute | what is shown | what to ask | what comes wrongly |
|---|---|---|---|---|
"""


def minutes_aloud(slide: dict[str, Any]) -> float:
    """How long it takes to say what a slide says and asks, at 130 words a minute."""
    asked = slide["notes"].partition("Expected: ")[0]
    questions = [each for each in slide["shown"] if each.startswith("(question")]
    return len(" ".join([*slide["said"], *questions, asked]).split()) / 130


def script(page: Page, name: str) -> str:
    """The script of a lecture, whose minutes are those of its pages."""
    rows, minute, titles = [], 0.0, []
    for stem in LECTURES[name]:
        for number, slide in enumerate(listed(page, stem), start=1):
            titles += [slide["title"]] if number == 1 else []
            ask, _, expected = slide["notes"].partition("Expected: ")
            wrong = "<br>".join([*slide["wrong"], *([f"Expected: {expected}"] if expected else [])])
            parts = [f"In {slide['parts']} parts."] if slide["parts"] > 1 else []
            shown = " ".join([f"**{slide['title']}.**", *slide["said"], *slide["shown"], *parts])
            rows.append(f"| {number} | {minute:g} | {shown} | {ask.strip()} | {wrong} |\n")
            minute += slide["minutes"]
    title = f"# A lecture of {minute:g} minutes: {' and '.join(titles)}\n"
    return title + INTRODUCTION + "".join(rows)


if __name__ == "__main__":
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM.path(), args=["--no-sandbox"])
        for name in LECTURES:
            text = script(browser.new_page(), name)
            (SCRIPTS / f"{name}.md").write_text(text, encoding="utf-8")
