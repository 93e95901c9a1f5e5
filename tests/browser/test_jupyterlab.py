"""Each chapter in a real JupyterLab: all cells run, nothing fails, no markup is left unread."""

import contextlib
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbconvert.preprocessors import ClearOutputPreprocessor
from playwright.sync_api import BrowserContext, Page, TimeoutError

from book import parts
from book.paths import ROOT
from tests.browser.lab import Lab

NOTEBOOKS = [ROOT / name for name in parts.notebooks()]  # the largest first
START_LIMIT, RUN_LIMIT = 90_000, 300_000
TRIES, PATIENCE = 4, 5_000
STARTED_BY = 20_000, 60_000, 180_000
OFTEN = 300
"""Milliseconds between two looks at all cells; one at each frame of the screen takes a core."""

DONE = """() => {
  if (document.querySelector('[data-mime-type="application/vnd.jupyter.error"]')) return true;
  const prompts = [...document.querySelectorAll('.jp-CodeCell')]
    .filter((cell) => cell.querySelector('.cm-content')?.innerText.trim())
    .map((cell) => cell.querySelector('.jp-InputArea-prompt').innerText.trim());
  return prompts.length > 0 && prompts.every((prompt) => /^\\[\\d+\\]:$/.test(prompt));
}"""
# textContent, for the first cell of a chapter is folded. An asterisk is a cell that waits.
PROMPTS = """() => [...document.querySelectorAll('.jp-CodeCell .jp-InputArea-prompt')]
  .some((prompt) => %s.test(prompt.textContent.trim()))"""
ASKED, STARTED = PROMPTS % r"/^\[(\d+|\*)\]:$/", PROMPTS % r"/^\[\d+\]:$/"
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
    shutil.copy(ROOT / "chapters/parity.json", root / "chapters")
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
    made.on("dialog", lambda dialog: dialog.accept())  # leave a notebook that is not saved
    yield made
    made.close()


def open_and_run(lab: Lab, page: Page, notebook: Path) -> None:
    """Open a notebook with a new kernel and run all cells, until each has its number or one fails.

    JupyterLab sometimes starts two kernels for a notebook and ends the first with what it was
    asked: a cell then stays at [*], and a learner opens the notebook again. So does this, twice.
    """
    for patience in STARTED_BY:
        lab.end_kernels()
        try:
            open_and_run_once(page, lab.url(notebook), patience)
            return
        except TimeoutError:
            if patience == STARTED_BY[-1]:
                raise


def open_and_run_once(page: Page, address: str, patience: int) -> None:
    # The toolbar may call a kernel idle that the notebook has not met, and then nothing runs.
    with page.expect_websocket(lambda met: "/channels" in met.url, timeout=patience):
        page.goto(address)
    page.locator(".jp-Notebook .jp-CodeCell").first.wait_for(timeout=START_LIMIT)
    page.locator('.jp-NotebookPanel-toolbar [data-status="idle"]').wait_for(timeout=START_LIMIT)
    for _ in range(TRIES):
        for button in page.locator(".jp-Dialog .jp-mod-accept").all():
            button.click()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        with contextlib.suppress(TimeoutError):
            page.wait_for_function(ASKED, timeout=PATIENCE, polling=OFTEN)
            break
    page.wait_for_function(STARTED, timeout=patience, polling=OFTEN)
    page.wait_for_function(DONE, timeout=RUN_LIMIT, polling=OFTEN)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_all_cells_run(lab: Lab, page: Page, notebook: Path) -> None:
    open_and_run(lab, page, notebook)
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
