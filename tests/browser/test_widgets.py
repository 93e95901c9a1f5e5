"""Every slider of every page, moved by the keyboard."""

from playwright.sync_api import Locator, Page

from book import toc
from tests.browser.visit import DESKTOP, Visit

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


def way(slider: Locator) -> tuple[str, str, int]:
    """The arrow key that leads to more stops, the one that leads back, and how many stops."""
    low, now, high = (
        float(slider.get_attribute(f"aria-value{k}") or 0) for k in ("min", "now", "max")
    )
    if high - now >= now - low:
        return "ArrowRight", "ArrowLeft", round(high - now)
    return "ArrowLeft", "ArrowRight", round(now - low)


def move_until_changed(slider: Locator, before: bytes) -> int:
    """Press an arrow key until another picture shows; the number of presses, 0 for never."""
    key, _, stops = way(slider)
    for presses in range(1, stops + 1):
        value = slider.get_attribute("aria-valuenow")
        slider.press(key)
        assert slider.get_attribute("aria-valuenow") != value, "the arrow key does not move it"
        if picture(slider) != before:
            return presses
    return 0


@DESKTOP
def test_each_slider_changes_the_picture(visit: Visit) -> None:
    for slider in sliders(visit.page):
        slider.focus()
        assert slider.get_attribute("aria-label"), "a screen reader needs the slider's name"
        before, (_, back, _) = picture(slider), way(slider)
        presses = move_until_changed(slider, before)
        assert presses, "the slider moves and the picture stays"
        for _ in range(presses):
            slider.press(back)
        assert picture(slider) == before, "going back shows another picture"
    assert visit.errors == []


@DESKTOP
def test_page_has_a_slider(visit: Visit, name: str) -> None:
    assert sliders(visit.page) or name not in MUST_HAVE_A_SLIDER


def test_pages_that_must_have_a_slider_exist() -> None:
    assert set(MUST_HAVE_A_SLIDER) <= set(toc.pages())
