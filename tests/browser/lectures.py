"""The scripts of lectures, written from their slides: python -m tests.browser.lectures."""

from typing import Any

from playwright.sync_api import Page, sync_playwright

from book.paths import ROOT, html_folder
from book.testing.tools import CHROMIUM
from tests.browser.slides import enter

SCRIPTS = ROOT / "docs" / "lectures"
LECTURES = {
    "half_hour": ["attention"],
    "05_and_06": ["05_multi_head_attention", "06_masked_attention"],
    "12": ["12_training"],
}
# A formula is text here, and what its small parts are has a sign of its own.
SLIDES = """() => tlPresent.talk.slides.map(({ box, heading, items, minutes, notes, question }) => {
  const signs = { "msub > :nth-child(2), sub": "_", "msup > :nth-child(2), sup": "^", msqrt: "√" };
  const left = "annotation, a.headerlink, .tl-objective";
  const text = (element) => {
    const copy = element.cloneNode(true);
    copy.querySelectorAll(left).forEach((each) => each.remove());
    for (const [of, sign] of Object.entries(signs))
      copy.querySelectorAll(of).forEach((each) => each.prepend(sign));
    return copy.textContent.replace(/[\\s\u2061|]+/g, " ").replace("✗ Not so. ", "").trim();
  };
  const rest = items.filter((item) => item !== heading && !item.hidden);
  const end = (said) => (/[.?!…]$/.test(said) ? "" : rest.length ? ":" : ".");
  const sentence = (said) => said[0].toUpperCase() + said.slice(1) + end(said);
  const kinds = { formula: "div.math", code: ".tag_slide-code", "a result": ".cell_output pre",
    figure: ".cell_output svg", table: "table", list: "li" };
  const kind = (item) => Object.keys(kinds)
    .find((name) => item.matches(kinds[name]) || item.querySelector(kinds[name])) ?? "figure";
  const asked = question?.querySelector("legend, p") ?? question;
  const shown = question ? ["question: " + text(asked)] : rest.map(kind);
  const html = (innerHTML) => Object.assign(document.createElement("p"), { innerHTML });
  return {
    title: text(heading), minutes, notes: notes.join(" "),
    said: [...box.querySelectorAll(".tl-say")].map(text).filter(Boolean).map(sentence),
    shown: shown.map((each) => `(${each})`),
    wrong: tlPresent.question.wrong(question).map(([said, why]) => `"${said}": ${text(html(why))}`),
  };
})"""
INTRODUCTION = """
Open the page, press *Present*, and then *Speaker* for the notes. In the last column, a wrong answer
in quotation marks is one that the question of the page foresees, with what the page says of it. The
others are only expected by the author, who adds a reply where one is needed. No class has heard
this lecture yet, so the minutes are planned. `python -m tests.browser.lectures` writes this file
from the marks in the pages.

| slide | minute | what is shown | what to ask | what comes wrongly |
|---|---|---|---|---|
"""


def listed(page: Page, stem: str) -> list[dict[str, Any]]:
    """Each slide of a page: its title, what it says and shows, its minutes and its notes."""
    enter(page, (html_folder() / f"chapters/{stem}.html").as_uri())
    found: list[dict[str, Any]] = page.evaluate(SLIDES)
    return found


def script(page: Page, name: str) -> str:
    """The script of a lecture, whose minutes are those of its pages."""
    rows, minute, titles = [], 0.0, []
    for stem in LECTURES[name]:
        for number, slide in enumerate(listed(page, stem), start=1):
            titles += [slide["title"]] if number == 1 else []
            ask, _, expected = slide["notes"].partition("Expected: ")
            wrong = "<br>".join([*slide["wrong"], *([f"Expected: {expected}"] if expected else [])])
            shown = " ".join([f"**{slide['title']}.**", *slide["said"], *slide["shown"]])
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
