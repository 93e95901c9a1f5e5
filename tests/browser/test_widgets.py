"""Every slider of every page, moved by the keyboard."""

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.browser.visit import Visit

MUST_HAVE_A_SLIDER = ["intro", "chapters/04_attention"]
LIVE_ONLY = "make lab"
"""What an editor that needs a kernel says in the page; its sliders change nothing there."""

SLIDER = ".widget-subarea .noUi-handle[role=slider]"
WITHOUT_SLIDERS = ".widget-slider { opacity: 0 !important }"


def sliders(page: Page) -> list[Locator]:
    """The sliders that are shown and that need no kernel."""
    shown = [slider for slider in page.locator(SLIDER).all() if slider.is_visible()]
    return [slider for slider in shown if LIVE_ONLY not in box(slider).inner_text()]


def box(slider: Locator) -> Locator:
    """The widget that a slider belongs to."""
    return slider.locator("xpath=ancestor::*[contains(@class, 'widget-subarea')]").last


def picture(slider: Locator) -> bytes:
    """What the widget shows beside its sliders."""
    return box(slider).screenshot(style=WITHOUT_SLIDERS, animations="disabled")


def step(slider: Locator) -> str:
    """Move by one stop, whichever way there is one; the key that did it."""
    slider.focus()
    for key in ("ArrowRight", "ArrowLeft"):
        before = slider.get_attribute("aria-valuenow")
        slider.press(key)
        if slider.get_attribute("aria-valuenow") != before:
            return key
    pytest.fail("no arrow key moves the slider")


def test_each_slider_changes_the_picture(fresh: Visit) -> None:
    for slider in sliders(fresh.page):
        before = picture(slider)
        key = step(slider)
        assert slider.get_attribute("aria-label"), "a screen reader needs the slider's name"
        moved = picture(slider)
        assert moved != before, "the slider moves and the picture stays"
        slider.press("ArrowLeft" if key == "ArrowRight" else "ArrowRight")
        assert picture(slider) == before, "going back shows another picture"
    assert fresh.errors == []


@pytest.mark.parametrize("page", MUST_HAVE_A_SLIDER)
def test_page_has_a_slider(browser: Browser, site: str, page: str) -> None:
    with Visit(browser, f"{site}/{page}.html", 1280, "light") as visit:
        assert sliders(visit.page)
