"""Every question of every page, answered right and wrong with the keyboard alone."""

from playwright.sync_api import Locator, Page

from tests.browser.visit import DESKTOP, Visit

QUESTION = "fieldset.tl-question"
MOST_TABS = 800
VERDICTS = {"right": "✓ Right.", "wrong": "✗ Not so."}
COLORS = "(said) => [said, said.parentElement].map((each) => getComputedStyle(each).color)"
"""Of a verdict and of what stands beside it; whether a color is legible, axe-core says."""
SHOWN = """(question) => [...question.querySelectorAll('.tl-feedback[data-for]')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.innerText.trim())
  .map((each) => each.dataset.for)"""
# At once: each question to the browser takes milliseconds.
CHOSEN = f"""(choice) => {{
  const question = choice.closest('fieldset');
  const said = question.querySelector('.tl-choice[data-judged] .tl-feedback > b');
  return {{
    checked: choice.checked, id: choice.id, verdict: choice.dataset.verdict,
    shown: ({SHOWN})(question), said: said?.innerText, colors: said && ({COLORS})(said),
  }};
}}"""
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


def choose(question: Locator, index: int) -> str:
    """Choose by keyboard, which judges nothing, then check: that feedback alone is shown."""
    choice = choices(question).nth(index)
    if index == 0:
        question.locator("button.tl-check").press("Enter")
        assert "Choose an answer first" in question.inner_text()
        choice.focus()
        choice.press("Space")
    else:
        choices(question).nth(index - 1).press("ArrowDown")
    before = choice.evaluate(CHOSEN)
    assert before["checked"] and before["shown"] == []
    if index % 2:
        choice.press("Enter")
    else:
        question.locator("button.tl-check").press("Space")
    after = choice.evaluate(CHOSEN)
    assert after["shown"] == [after["id"]]
    assert after["said"] == VERDICTS[after["verdict"]]
    own, beside = after["colors"]
    assert own != beside
    return str(after["verdict"])


def test_right_and_wrong_are_seen_in_both_themes(visit: Visit) -> None:
    open_dropdowns(visit.page)
    for question in visit.page.locator(f"{QUESTION}:has(input[type=radio])").all()[:1]:
        for verdict in VERDICTS:
            question.locator(f"input[data-verdict={verdict}]").first.check()
            question.locator("button.tl-check").click()
            said = question.locator(".tl-choice[data-judged] .tl-feedback > b")
            assert said.inner_text() == VERDICTS[verdict]
            own, beside = said.evaluate(COLORS)
            assert own != beside


@DESKTOP
def test_numbers_are_judged(visit: Visit) -> None:
    open_dropdowns(visit.page)
    for field in visit.page.locator(f"{QUESTION} input.tl-number").all():
        answer = float(field.get_attribute("data-answer") or "nan")
        tolerance = float(field.get_attribute("data-tolerance") or "nan")
        assert judge(field, repr(answer + 3 * tolerance + 1)) == "wrong"
        assert judge(field, repr(answer)) == "right"


@DESKTOP
def test_fractions_products_and_decimal_commas_are_numbers(visit: Visit) -> None:
    open_dropdowns(visit.page)
    for field in visit.page.locator(f"{QUESTION} input.tl-number").all()[:1]:
        answer = float(field.get_attribute("data-answer") or "nan")
        half, twice = f"{answer / 2:.8f}", f"{answer * 2:.8f}"
        for typed in (
            f"{answer:.8f}".replace(".", ","),
            f"{half} * 2",
            f"2 · {half}",
            f"{twice}/2",
        ):
            assert judge(field, typed) == "right", typed
        assert judge(field, f"{answer * 4:.8f}/2/2") == "right"
        assert judge(field, "1/3 of it") is None
        assert judge(field, "1/0") is None
        assert judge(field, "") is None


def judge(field: Locator, typed: str) -> str | None:
    """Type an answer, press Enter and read the verdict."""
    field.focus()
    field.press("ControlOrMeta+a")
    field.press("Delete")
    field.press_sequentially(typed)
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
