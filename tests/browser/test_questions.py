"""Every question of every page, answered right and wrong with the keyboard alone."""

from playwright.sync_api import Locator, Page

from tests.browser.visit import DESKTOP, Visit

QUESTION = "fieldset.tl-question"
MOST_TABS = 800
FOCUSED = """() => [...document.querySelectorAll('fieldset.tl-question')].findIndex(
  (question) => question.contains(document.activeElement))"""


def open_dropdowns(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")


@DESKTOP
def test_choices_are_judged(visit: Visit) -> None:
    open_dropdowns(visit.page)
    for question in visit.page.locator(f"{QUESTION}:has(input[type=radio])").all():
        verdicts = [choose(question, index) for index in range(choices(question).count())]
        assert set(verdicts) == {"right", "wrong"}


def choices(question: Locator) -> Locator:
    return question.locator("input[type=radio]")


def choose(question: Locator, index: int) -> str | None:
    """Check one choice by keyboard and see that its feedback, and no other, is shown."""
    choice = choices(question).nth(index)
    if index == 0:
        assert shown(question) == []
        choice.focus()
        choice.press("Space")
    else:
        choices(question).nth(index - 1).press("ArrowDown")
    assert choice.is_checked()
    assert shown(question) == [choice.get_attribute("id")]
    return choice.get_attribute("data-verdict")


def shown(question: Locator) -> list[str | None]:
    """The choices whose feedback is visible, with a text."""
    feedback = question.locator(".tl-feedback[data-for]").all()
    visible = [each for each in feedback if each.is_visible() and each.inner_text().strip()]
    return [each.get_attribute("data-for") for each in visible]


@DESKTOP
def test_numbers_are_judged(visit: Visit) -> None:
    open_dropdowns(visit.page)
    for field in visit.page.locator(f"{QUESTION} input.tl-number").all():
        answer = float(field.get_attribute("data-answer") or "nan")
        tolerance = float(field.get_attribute("data-tolerance") or "nan")
        assert judge(field, answer + 3 * tolerance + 1) == "wrong"
        assert judge(field, answer) == "right"


def judge(field: Locator, value: float) -> str | None:
    """Type a number, press Enter and read the verdict."""
    field.focus()
    field.press("ControlOrMeta+a")
    field.press_sequentially(repr(value))
    field.press("Enter")
    feedback = field.locator("xpath=ancestor::fieldset[1]").locator("output.tl-feedback")
    assert feedback.inner_text().strip()
    return feedback.get_attribute("data-verdict")


@DESKTOP
def test_tab_reaches_each_question(visit: Visit) -> None:
    # Last in this file: the page is shared, and a step of a slip shows once the one before it is
    # answered.
    open_dropdowns(visit.page)
    wanted = set(range(visit.page.locator(QUESTION).count()))
    for _ in range(MOST_TABS):
        if not wanted:
            break
        visit.page.keyboard.press("Tab")
        wanted.discard(visit.page.evaluate(FOCUSED))
    assert not wanted, "Tab does not reach these questions"
