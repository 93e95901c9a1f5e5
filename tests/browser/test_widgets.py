"""Every slider of every page, moved by the keyboard."""

from playwright.sync_api import Locator, Page

from book import toc
from tests.browser.visit import DESKTOP, Visit

MUST_HAVE_A_SLIDER = ["chapters/04_attention"]
MUST_HAVE_A_MENU = ["chapters/14_families"]
MENU = ".tl-frames select"
SLIDER = ".tl-frames input[type=range]"


def sliders(page: Page) -> list[Locator]:
    """The sliders that are shown; they need no kernel."""
    return [slider for slider in page.locator(SLIDER).all() if slider.is_visible()]


# Whether a box scrolls is said in attributes that come a moment after it is drawn.
WITHOUT_REACH = """(frame) => {
  const copy = frame.cloneNode(true);
  for (const box of copy.querySelectorAll(".tl-box")) {
    for (const name of ["tabindex", "role", "aria-label", "data-reached"]) {
      box.removeAttribute(name);
    }
  }
  return copy.innerHTML;
}"""


def picture(control: Locator) -> str:
    """What is shown below the sliders and menus: its elements, for pixels flicker."""
    frame = control.locator("xpath=ancestor::*[contains(@class, 'tl-frames')]/*[@class='tl-frame']")
    assert frame.is_visible()
    picture: str = frame.evaluate(WITHOUT_REACH)
    return picture


def way(slider: Locator) -> tuple[str, str, int]:
    """The arrow key that leads to more stops, the one that leads back, and how many stops."""
    now, high = int(slider.input_value()), int(slider.get_attribute("max") or 0)
    if high - now >= now:
        return "ArrowRight", "ArrowLeft", high - now
    return "ArrowLeft", "ArrowRight", now


def move_until_changed(slider: Locator, before: str) -> int:
    """Press an arrow key until another picture shows; the number of presses, 0 for never."""
    key, _, stops = way(slider)
    for presses in range(1, stops + 1):
        value, said = slider.input_value(), slider.get_attribute("aria-valuetext")
        slider.press(key)
        assert slider.input_value() != value, "the arrow key does not move it"
        assert slider.get_attribute("aria-valuetext") != said, "the stop's name stays"
        if picture(slider) != before:
            return presses
    return 0


@DESKTOP
def test_each_slider_changes_the_picture(visit: Visit, name: str) -> None:
    found = sliders(visit.page)
    assert found or name not in MUST_HAVE_A_SLIDER
    for slider in found:
        slider.focus()
        assert slider.locator("xpath=../span").inner_text().strip(), (
            "a screen reader needs the slider's name"
        )
        before, (_, back, _) = picture(slider), way(slider)
        presses = move_until_changed(slider, before)
        assert presses, "the slider moves and the picture stays"
        for _ in range(presses):
            slider.press(back)
        assert picture(slider) == before, "going back shows another picture"
    assert visit.errors == []


@DESKTOP
def test_each_menu_changes_the_picture(visit: Visit, name: str) -> None:
    menus = visit.page.locator(MENU).all()
    assert menus or name not in MUST_HAVE_A_MENU
    for menu in menus:
        before, chosen = picture(menu), menu.input_value()
        others = [each.get_attribute("value") for each in menu.locator("option").all()]
        changed = [menu.select_option(value) and picture(menu) != before for value in others]
        assert any(changed), "a menu that changes nothing"
        menu.select_option(chosen)
        assert picture(menu) == before
    assert visit.errors == []


def test_pages_that_must_have_a_slider_or_a_menu_exist() -> None:
    assert {*MUST_HAVE_A_SLIDER, *MUST_HAVE_A_MENU} <= set(toc.pages())
