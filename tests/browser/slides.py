"""A page that is shown as slides: what the tests do with it, and what they measure on a slide."""

from typing import Any

from playwright.sync_api import Page, ViewportSize

from book.paths import html_folder

SCREEN: ViewportSize = {"width": 1280, "height": 720}
# What reach.js says of a box depends on its width, and it looks again after the slides.
ARTICLE = """() => {
  const copy = document.querySelector("main article").cloneNode(true);
  for (const each of copy.querySelectorAll("*")) {
    const names = ["tabindex", "role", "aria-label", "data-reached"];
    names.forEach((name) => each.removeAttribute(name));
  }
  return copy.innerHTML.split("<");
}"""
MEASURED = """() => {
  const { box, heading } = tlPresent.talk.slides.find((each) => each.box.matches(".tl-now"));
  const beyond = [], small = [], said = [];
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, element = text.parentElement, range = document.createRange();
    range.selectNodeContents(text);
    const { left, right, top, bottom, width } = range.getBoundingClientRect();
    const isSeen = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!text.data.trim() || width < 2 || !isSeen) continue;
    const isWithin = left > -1 && top > -1
      && right < innerWidth + 1 && bottom < innerHeight + 1;
    if (!isWithin) beyond.push(text.data.trim());
    // What is read as a sentence or a label: no table, no code, no drawing.
    const isApart = element.closest("table, pre, code, svg, math, .tl-cell-bar, .tl-address");
    if (!isApart) said.push(text.data);
    // A formula has small parts.
    if (element.closest("math, sub, sup, tspan, .tl-cell-bar")) continue;
    const matrix = element.closest("svg") && element.getScreenCTM();
    const scale = matrix ? Math.hypot(matrix.a, matrix.b) : element.currentCSSZoom;
    const size = parseFloat(getComputedStyle(element).fontSize) * scale;
    if (Math.round(size) < 24) small.push(`${Math.round(size)} px: ${text.data.trim()}`);
  }
  const scrolls = box.hasAttribute("data-scrolls") ? ["scrolls"] : [];
  const words = said.join(" ").split(/\\s+/).filter((word) => /\\w/.test(word)).length;
  return { of: heading.textContent, wrong: [...beyond, ...scrolls], small, words };
}"""
# A formula is text here, and what its small parts are has a sign of its own.
SLIDES = """() => (tlPresent.fitAll(tlPresent.talk.slides), tlPresent.talk.slides.map((slide) => {
  const { box, heading, items, minutes, notes, question, parts } = slide;
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
    title: text(heading), minutes, notes: notes.join(" "), parts,
    said: [...box.querySelectorAll(".tl-say")].map(text).filter(Boolean).map(sentence),
    shown: shown.map((each) => `(${each})`),
    wrong: tlPresent.question.wrong(question).map(([said, why]) => `"${said}": ${text(html(why))}`),
  };
}))"""


def enter(page: Page, address: str) -> int:
    """Open a page of the book, present it, and count its slides."""
    page.set_viewport_size(SCREEN)
    page.goto(address, wait_until="networkidle")
    page.get_by_role("button", name="Present").click()
    page.locator(".tl-slide.tl-now").wait_for()
    return page.locator(".tl-slide").count()


def count(page: Page) -> str:
    """Which slide it is, as the bar says it: "3 / 34"."""
    return page.locator(".tl-slide-count").inner_text()


def measured(page: Page) -> list[dict[str, Any]]:
    """What is wrong with each slide, and with each part that a key shows, going through by keys."""
    found = []
    last = page.locator(".tl-slide").count()
    while True:
        found.append(page.evaluate(MEASURED))
        before = count(page)
        page.keyboard.press("PageDown")
        revealed = page.locator(".tl-now [data-revealed]").count()
        if count(page) == before and (before.startswith(f"{last} ") or not revealed):
            return found


def listed(page: Page, stem: str) -> list[dict[str, Any]]:
    """Each slide of a page: its title, what it says and shows, its minutes and its notes."""
    enter(page, (html_folder() / f"chapters/{stem}.html").as_uri())
    found: list[dict[str, Any]] = page.evaluate(SLIDES)
    return found
