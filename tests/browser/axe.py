"""What axe-core finds in a page, and what a reader does who uses all of it."""

from typing import Any

from playwright.sync_api import Page

from book import assets
from tests.browser.visit import DRAWN

COLORS = ["color-contrast", "link-in-text-block"]
"""The rules whose outcome depends on the theme."""

# A formula is MathML for who listens; what draws it is hidden from them. No selectors, for what is
# wrong is shown by its HTML, and to find a selector for each element takes a sixth of the time.
RUN = """async (rules) => {
  const only = rules.length ? { runOnly: rules } : {};
  const options = { resultTypes: ["violations"], selectors: false, ...only };
  const found = await axe.run({ exclude: ["mjx-math"] }, options);
  return found.violations.map(({ id, impact, nodes }) =>
    `${id} (${impact}), ${nodes.length} times: ${nodes[0].html.slice(0, 200)}`);
}"""
USE = """() => {
  const tell = (element, kind) => element.dispatchEvent(new Event(kind, { bubbles: true }));
  for (const fold of document.querySelectorAll("main details")) fold.open = true;
  for (const slider of document.querySelectorAll("main .tl-frames input[type=range]")) {
    slider.value = slider.value === slider.max ? slider.min : slider.max;
    tell(slider, "input");
  }
  for (const menu of document.querySelectorAll("main .tl-frames select")) {
    menu.selectedIndex = menu.options.length - 1;
    tell(menu, "input");
  }
  for (const number of document.querySelectorAll("main .tl-number")) number.value = "1";
  for (const choice of document.querySelectorAll("main .tl-choice:first-of-type input")) {
    choice.click();
  }
  const pressed = "main .tl-check, main .tl-stepper button[data-step='1']";
  for (const button of document.querySelectorAll(pressed)) button.click();
  for (const entry of document.querySelectorAll("main .tl-side-p td[tabindex='0']")) entry.focus();
}"""


def violations(page: Page, rules: list[str] | None = None) -> list[str]:
    """Each rule that the page breaks, of these or of all: its name, how often, one element."""
    if not page.evaluate("'axe' in window"):
        script = assets.TOOLS / "axe-core" / "axe.min.js"
        page.evaluate(script.read_text(encoding="utf-8"))
    page.evaluate(DRAWN)
    found: list[str] = page.evaluate(RUN, rules or [])
    return found


def use(page: Page) -> Any:
    """Open each fold, move each slider, answer each question, go on in each stepper."""
    return page.evaluate(USE)
