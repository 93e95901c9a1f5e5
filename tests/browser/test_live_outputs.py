"""What a cell of a running page puts out: figures, text while it runs, and the end of Python."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.live import PHONE, bar, cell, run_page, type_into, wait

DRAWS = """import matplotlib.pyplot as plt
plt.plot([1, 2, 4])
plt.show()
print("between")
plt.bar([1, 2], [3, 4]);"""
COUNTS = """import time
for i in range(3):
    print(i)
    time.sleep(1)"""
TRAINS = """from course.languages import AgreementLanguage
from course.train_view import train_view
language = AgreementLanguage(most=0)
exam, verbs = {"one": [["dragons", "are", "tired"]]}, lambda words: (1, ["are"], ["is"])
train_view(language, exam, verbs, caption="", title="right verbs", steps=9000)"""
WITHOUT_END = {
    "a generator": "def best(n):\n    return max(best(m) for m in [n + 1])\nbest(1)",
    "a cache": "from functools import lru_cache\n@lru_cache\ndef f(n):\n    return f(n + 1)\nf(0)",
    "a key": "def key(x):\n    return sorted([x], key=key)\nkey(1)",
}
NEWER = {
    'd = {"a": 2}\nf"{d["a"]}"': "an f-string with its own quotes",
    "type Pair = tuple[int, int]": "type parameters",
}

HEARD = """() => {
  const { said } = tlLive.bar;
  window.heard = [];
  new MutationObserver(() => heard.push(said.textContent)).observe(said, { childList: true });
}"""


@pytest.fixture
def second(page: Page, site: str) -> Locator:
    """The second cell of a page that runs."""
    page.goto(f"{site}/chapters/02_embeddings.html")
    run_page(page)
    return cell(page, 2)


def press(page: Page, code: str) -> None:
    """Type code into the second cell and run it by the keyboard."""
    type_into(page, 2, code)
    page.keyboard.press("Shift+Enter")


@PHONE
def test_figures_of_pyplot_are_shown_where_they_are_drawn(page: Page, second: Locator) -> None:
    press(page, DRAWS)
    wait(page)
    shown = second.locator(".cell_output > *")
    assert [each.locator("img").count() for each in shown.all()] == [1, 0, 1]
    assert shown.nth(1).inner_text().strip() == "between"
    width = second.locator("img").first.bounding_box()
    assert width and 200 < width["width"] <= 390


@PHONE
def test_text_comes_while_a_cell_runs_and_much_of_it_scrolls(page: Page, second: Locator) -> None:
    press(page, COUNTS)
    output = second.locator(".cell_output")
    expect(output).to_have_text("0")  # and not what the last run has left
    assert page.evaluate("Boolean(tlLive.running)")
    wait(page)
    assert output.inner_text().split() == ["0", "1", "2"]
    press(page, "for i in range(40_000):\n    print(i)")
    wait(page)
    box = second.locator(".stream pre")
    assert box.evaluate("(pre) => pre.clientHeight < 600 && pre.scrollHeight > 5000")
    expect(box).to_have_attribute("tabindex", "0")
    expect(box).to_have_attribute("translate", "no")


@PHONE
def test_a_training_is_watched_and_stopped(page: Page, second: Locator) -> None:
    press(page, TRAINS)
    said, chart = second.locator(".tl-said"), second.locator(".tl-chart")
    expect(said).to_have_text("Press Train.")
    before = second.bounding_box()
    second.get_by_role("button", name="Train").press("Enter")
    expect(said).to_have_attribute("aria-live", "polite")
    expect(chart).not_to_contain_text("step 10:")
    assert second.bounding_box() == before, "nothing moves"
    second.get_by_role("button", name="Stop").click()
    expect(said).to_contain_text("Stopped after")
    expect(chart).to_contain_text(said.inner_text().split()[2])


@PHONE
@pytest.mark.parametrize("what", WITHOUT_END)
def test_a_recursion_without_an_end_is_named(page: Page, second: Locator, what: str) -> None:
    press(page, WITHOUT_END[what])
    wait(page)
    # How deep the stack of a browser is, differs from run to run: Python may reach its limit first.
    expect(bar(page)).to_contain_text(
        re.compile("Cell 2(: RecursionError| calls itself without end)")
    )
    expect(second.locator(".cell_output")).to_contain_text(
        re.compile("maximum recursion|This cell calls itself without end")
    )
    press(page, "print(40 + 2)")
    wait(page)
    expect(second.locator(".cell_output")).to_have_text("42")


@PHONE
def test_what_the_judge_cannot_read_is_named(page: Page, second: Locator) -> None:
    for code, what in NEWER.items():
        press(page, code)
        wait(page)
        expect(second.locator(".traceback")).to_contain_text(
            f"SyntaxError: the judge runs Python 3.11, which cannot read {what}"
        )
    press(page, "def halve(x):\n    return x / 0\n\n\nhalve(1)")
    wait(page)
    expect(bar(page)).to_contain_text("Cell 2: ZeroDivisionError")
    press(page, "import asyncio\nawait asyncio.sleep(0)\nprint(f'{2:>{4}}')")
    wait(page)
    expect(second.locator(".cell_output")).to_have_text("   2")


@PHONE
def test_stop_is_obeyed_while_python_loads(page: Page, site: str) -> None:
    page.goto(f"{site}/chapters/02_embeddings.html")
    bar(page).get_by_role("button", name="Run this page").click()
    page.wait_for_function("() => window.tlLive?.running")
    bar(page).get_by_role("button", name="Stop").click()
    page.evaluate(HEARD)
    cells = wait(page)
    assert not any(each["ran"] for each in cells)
    assert not [said for said in page.evaluate("heard") if said.startswith("Loading")]
    expect(bar(page)).to_contain_text("Stopped.")
