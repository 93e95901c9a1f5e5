"""A real JupyterLab, as `make lab` opens it: copies are drawn, a student does the first task."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from book.copies import START, bring
from book.lab import trust
from book.paths import ROOT
from tests.browser.lab import MET, Lab, ask

# A marker outside of the text is cut off.
TRIANGLE = """e => {
  const style = getComputedStyle(e.querySelector('summary'));
  return `${style.listStyleType} ${style.listStylePosition}`;
}"""
WRONG = "    exponentials = np.exp(scores)\n    return exponentials / exponentials.sum(axis=-1)"
RIGHT = """    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    root = tmp_path_factory.mktemp("repository")
    for folder in ("chapters", "exercises/release"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("models"))
    for file in ("_toc.yml", "references.bib"):
        shutil.copy(ROOT / file, root)
    home = tmp_path_factory.mktemp("jupyter")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("JUPYTER_DATA_DIR", str(home / "data"))
        trust(bring(root).unchanged)
        running = Lab(root / "my", home)
        yield running
        running.stop()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    made = context.new_page()
    made.set_viewport_size({"width": 1280, "height": 900})
    made.set_default_timeout(60_000)
    yield made
    made.close()


def cell(page: Page, text: str) -> Locator:
    return page.locator(".jp-CodeCell", has_text=text).first


def run(page: Page, chosen: Locator) -> Locator:
    """Run a cell with the keyboard; its output."""
    chosen.locator(".jp-InputPrompt").click()
    expect(chosen).to_have_class(re.compile("jp-mod-active"))
    prompt = chosen.locator(".jp-InputPrompt")
    page.keyboard.press("Control+Enter")
    expect(prompt).to_have_text(re.compile(r"\[\d+\]:"))
    return chosen.locator(".jp-OutputArea")


def write(page: Page, body: str) -> None:
    """Type a body for softmax into its cell and run it."""
    editor = cell(page, "def softmax(scores)").locator(".cm-content")
    editor.click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(f"def softmax(scores):\n{body}")
    page.keyboard.press("Control+Enter")
    page.keyboard.press("Escape")


def test_a_copy_is_drawn_in_its_style_before_anything_runs(lab: Lab, page: Page) -> None:
    page.goto(lab.url("00_warm_up.ipynb"), timeout=90_000)
    bar = page.locator("td.tl-bar > i").first
    bar.wait_for(state="attached", timeout=90_000)
    assert bar.evaluate("(bar) => bar.clientHeight") > 0


def test_a_student_opens_an_exercise_and_does_the_first_task(lab: Lab, page: Page) -> None:
    page.goto(lab.url(Path(START).name))
    preview = page.locator(".jp-MarkdownViewer")
    expect(preview.locator("h1")).to_have_text("The Worked Transformer", timeout=90_000)
    expect(page.locator(".lm-MenuBar-itemLabel").filter(has_text="Kernel")).to_be_visible()
    assert "Nbgrader" not in page.locator(".lm-MenuBar").inner_text()
    preview.get_by_role("link", name="Exercise 04: Attention").click()
    page.locator(".jp-NotebookPanel .jp-CodeCell").first.wait_for(timeout=90_000)
    ask(page, MET)

    check = cell(page, "# The check of softmax")
    expect(check.locator(".jp-InputArea-editor")).to_be_hidden()
    hint = page.locator("details").first
    assert hint.evaluate(TRIANGLE) == "disclosure-closed inside"
    expect(hint.locator("p").first).to_be_hidden()
    hint.locator("summary").click()
    expect(hint.locator("p").first).to_be_visible()

    run(page, cell(page, "# What the checks use"))
    write(page, WRONG)
    expect(run(page, check)).to_contain_text("keepdims=True keeps it, and (3,) becomes (3, 1)")
    write(page, RIGHT)
    for part in ("1, rows", "2, axes", "3, large"):
        passed = run(page, cell(page, f"# The check of softmax, part {part}"))
        expect(passed).to_have_text("softmax: the checks pass.")
    tally = run(page, cell(page, "# The tally"))
    expect(tally).to_contain_text("1 of 7 tasks checked; hidden tests judge the rest.")
