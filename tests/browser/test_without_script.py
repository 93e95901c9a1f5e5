"""Pages where no script runs: formulas are there, slips are whole, nothing offered is dead."""

import re

import pytest
from playwright.sync_api import Page

MUST_HAVE_FORMULAS = ["chapters/04_attention", "chapters/notation"]
RAW = re.compile(r"\\[()\[\]]|\$\$")
DEAD = "main :is(button, .tl-check, .tl-frames input, .tl-start), .theme-switch-button"


def test_formulas_are_drawn_by_the_browser(scriptless: Page, site: str, name: str) -> None:
    scriptless.goto(f"{site}/{name}.html")
    formulas = scriptless.locator("main .math").count()
    drawn = scriptless.locator("main .math > math")
    assert drawn.count() == formulas
    assert formulas or name not in MUST_HAVE_FORMULAS
    assert not RAW.search(scriptless.locator("main article").inner_text())
    boxes = [each.bounding_box() for each in drawn.all()[-3:] if each.is_visible()]
    assert all(box and box["width"] > 4 and box["height"] > 4 for box in boxes)


@pytest.mark.parametrize("name", ["chapters/04_attention", "chapters/gallery"])
def test_what_needs_a_script_says_so_and_is_not_offered(
    scriptless: Page, site: str, name: str
) -> None:
    scriptless.goto(f"{site}/{name}.html")
    said = scriptless.locator("main .tl-noscript")
    assert said.count() == 1 and said.is_visible()
    assert "judge answers" in said.inner_text() and "run its code" in said.inner_text()
    assert [each.inner_text() for each in scriptless.locator(DEAD).all() if each.is_visible()] == []
    steps = scriptless.locator(".tl-slip").first.locator("li").all()
    assert len(steps) > 2 and all(step.is_visible() for step in steps)


def test_a_page_that_needs_no_script_says_nothing(scriptless: Page, site: str) -> None:
    scriptless.goto(f"{site}/chapters/notation.html")
    assert scriptless.locator("main .tl-noscript").count() == 0
