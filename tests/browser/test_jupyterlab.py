"""Each chapter in a real JupyterLab: all cells run, nothing fails, no markup is left unread."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbconvert.preprocessors import ClearOutputPreprocessor
from playwright.sync_api import BrowserContext, Page

from book.paths import ROOT
from book.testing import parts
from tests.browser.lab import MET, Lab, ask

NOTEBOOKS = [ROOT / name for name in parts.notebooks()]  # the largest first
START_LIMIT = 120_000
# Opened by a command, not by an address: to load JupyterLab anew takes longer than most chapters.
OPEN = """async (path) => {
  await jupyterapp.restored;
  window.panel = await jupyterapp.commands.execute("docmanager:open", { path });
  await panel.context.ready;
  jupyterapp.shell.activateById(panel.id);
}"""
IN_FRONT = "() => jupyterapp.shell.currentWidget === panel"
RUN = '() => jupyterapp.commands.execute("notebook:run-all-cells")'
NUMBERS = """() => panel.content.widgets.filter((cell) => cell.model.type === "code"
  && cell.model.sharedModel.getSource().trim()).map((cell) => cell.model.executionCount)"""
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


@pytest.fixture(scope="session")
def tab(lab: Lab, context: BrowserContext) -> Iterator[Page]:
    """JupyterLab, in which one notebook after the other is opened and closed again."""
    made = context.new_page()
    made.set_viewport_size({"width": 1280, "height": 900})
    made.goto(lab.url(), timeout=START_LIMIT)
    made.wait_for_function("() => window.jupyterapp", timeout=START_LIMIT)
    yield made
    made.close()


@pytest.fixture
def page(lab: Lab, tab: Page, notebook: Path) -> Iterator[Page]:
    """A notebook with a new kernel, which it has met: all its cells have run."""
    tab.bring_to_front()
    ask(tab, OPEN, notebook.name)
    try:
        tab.wait_for_function(IN_FRONT)
        ask(tab, MET)
        ask(tab, RUN)
        yield tab
    finally:
        tab.evaluate("() => panel.dispose()")
        lab.end_kernels()


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_all_cells_run(page: Page) -> None:
    assert page.locator(FAILURES).all_inner_texts() == []
    numbers = page.evaluate(NUMBERS)
    assert numbers == list(range(1, len(numbers) + 1)) != []
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
