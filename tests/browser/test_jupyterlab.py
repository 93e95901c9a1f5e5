"""Each chapter in a real JupyterLab: all cells run, nothing fails, no markup is left unread."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbconvert.preprocessors import ClearOutputPreprocessor
from playwright.sync_api import BrowserContext, Page, TimeoutError

from book import toc
from book.paths import ROOT
from tests.browser.lab import Lab

NOTEBOOKS = toc.notebooks()
START_LIMIT, RUN_LIMIT = 30_000, 180_000

DONE = """() => {
  if (document.querySelector('[data-mime-type="application/vnd.jupyter.error"]')) return true;
  const prompts = [...document.querySelectorAll('.jp-CodeCell')]
    .filter((cell) => cell.querySelector('.cm-content')?.innerText.trim())
    .map((cell) => cell.querySelector('.jp-InputArea-prompt').innerText.trim());
  return prompts.length > 0 && prompts.every((prompt) => /^\\[\\d+\\]:$/.test(prompt));
}"""
STARTED = """() => [...document.querySelectorAll('.jp-CodeCell .jp-InputArea-prompt')]
  .some((prompt) => /^\\[\\d+\\]:$/.test(prompt.innerText.trim()))"""
FAILURES = (
    '.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.stderr"],'
    '.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.error"]'
)
RENDERED = """() => [...document.querySelectorAll(
    '.jp-MarkdownCell .jp-MarkdownOutput, .jp-OutputArea-output')].map((element) => {
  const copy = element.cloneNode(true);
  copy.querySelectorAll('style, script, code, pre').forEach((each) => each.remove());
  return copy.textContent;
})"""
UNREAD = re.compile(r"\{[a-z][a-z:-]*\}`|^\s*:::|^\s*```", re.MULTILINE)


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    # As `make lab` has it: copies in my/, and the kept models where they are.
    root = tmp_path_factory.mktemp("repository")
    folder = root / "my"
    folder.mkdir()
    for notebook in NOTEBOOKS:
        copy_without_outputs(notebook, folder)
    shutil.copytree(ROOT / "chapters/models", root / "chapters/models")
    running = Lab(folder, tmp_path_factory.mktemp("jupyter"))
    yield running
    running.stop()


def copy_without_outputs(notebook: Path, folder: Path) -> None:
    """Without outputs and numbers: what stands there after a run comes from this run."""
    content = nbformat.read(notebook, as_version=4)
    ClearOutputPreprocessor().preprocess(content, {})
    nbformat.write(content, folder / notebook.name)


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    made = context.new_page()
    made.set_viewport_size({"width": 1280, "height": 900})
    yield made
    made.close()


def run_all_cells(page: Page) -> None:
    """Run all cells from the menu, as a learner does, until each has its number or one fails."""
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    try:
        page.wait_for_function(STARTED, timeout=START_LIMIT)
        page.wait_for_function(DONE, timeout=RUN_LIMIT)
    except TimeoutError:
        # On a busy machine JupyterLab sometimes loses a message to or from a new kernel; a cell
        # then stays at [*], and a learner restarts the kernel.
        restart_and_run_all(page)
        page.wait_for_function(DONE, timeout=RUN_LIMIT)


def restart_and_run_all(page: Page) -> None:
    """Restart the kernel and run all cells, with the menu, past whatever JupyterLab asks."""
    for button in page.locator(".jp-Dialog .jp-mod-accept").all():
        button.click()
    page.locator(".jp-Dialog").wait_for(state="detached")
    page.get_by_role("menuitem", name="Kernel", exact=True).click()
    page.get_by_role("menuitem", name="Restart Kernel and Run All Cells").click()
    page.locator(".jp-Dialog .jp-mod-accept").click()
    page.locator(".jp-Dialog").wait_for(state="detached")


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_all_cells_run(lab: Lab, page: Page, notebook: Path) -> None:
    page.goto(lab.url(notebook))
    page.locator(".jp-Notebook .jp-CodeCell").first.wait_for(timeout=90_000)
    page.locator('.jp-NotebookPanel-toolbar [data-status="idle"]').wait_for(timeout=90_000)
    run_all_cells(page)
    assert page.locator(FAILURES).all_inner_texts() == []
    texts = page.evaluate(RENDERED)
    assert [text for text in texts if UNREAD.search(text)] == []
    assert_questions_are_judged(page)


def assert_questions_are_judged(page: Page) -> None:
    """The first output of a notebook holds the style and the script of all others."""
    for choice in page.locator("fieldset.tl-question input[type=radio]").all()[:1]:
        feedback = choice.locator("xpath=..").locator(".tl-feedback")
        assert not feedback.is_visible()
        choice.check()
        assert not feedback.is_visible()
        choice.press("Enter")
        assert feedback.is_visible()
    for field in page.locator("fieldset.tl-question input.tl-number").all()[:1]:
        field.fill(field.get_attribute("data-answer") or "")
        field.press("Enter")
        verdict = field.locator("xpath=ancestor::fieldset[1]").locator("output")
        assert verdict.get_attribute("data-verdict") == "right"
