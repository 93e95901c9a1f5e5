"""A number of a text rests on something or is named, as test_chapter.py asks of each chapter."""

import doctest
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from book import refresh, ties
from book.environment import environment
from book.paths import ROOT
from book.text import equations, prose

CELL = {"outputs": [], "metadata": {}}


@pytest.mark.parametrize(
    ("text", "says"), [("[no_chapter]", "of no chapter: ..no_chapter"), ("a = 1\na = 2", "be read")]
)
def test_a_file_of_rows_that_fits_no_chapter_is_refused(
    tmp_path: Path, text: str, says: str
) -> None:
    (tmp_path / "ties.toml").write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit, match=says):
        ties.rows("04_attention", tmp_path / "ties.toml")


def page(text: str, code: str = "x = 1", output: str = "") -> dict[str, Any]:
    """A notebook of one text and, two cells below it, some code."""
    shown = [{"output_type": "stream", "name": "stdout", "text": output}] if output else []
    between = {**CELL, "id": "c2", "cell_type": "markdown", "source": "And so on."}
    return {
        "cells": [
            {**CELL, "id": "c1", "cell_type": "markdown", "source": text},
            between,
            {**CELL, "id": "c3", "cell_type": "code", "source": code, "outputs": shown},
        ]
    }


def marked(words: str, text: str = "First. The loss {} here. Last.") -> dict[str, Any]:
    mark = f'<span data-tie="loss">{words}</span>'
    return page(text.format(mark), output="loss 0.2514")


EXAMPLE = page("First. The loss falls to 0.3 here. Last.", output="loss 0.2514")


def test_a_number_without_a_tie_is_named_with_its_sentence_and_the_three_ways() -> None:
    (said,) = ties.complaints("04_attention", EXAMPLE, {})
    assert "cell c1: nothing ties 0.3 in “The loss falls to 0.3 here.”" in said
    assert "Seen in: output of c3." in said
    assert re.findall(r"^  (\d)\. ", said, re.MULTILINE) == ["1", "2", "3"]
    assert '<span data-tie="falls-here-0-3">0.3</span>' in said and "[04_attention]" in said


@pytest.mark.parametrize(("text", "complaints"), [("0.25", 0), ("0.26", 1), ("0.3", 1)])
def test_what_a_cell_of_the_section_prints_with_two_digits_needs_nothing(
    text: str, complaints: int
) -> None:
    example = page(f"The loss is {text}.", output="loss 0.2514, 0.3")
    assert len(ties.complaints("x", example, {})) == complaints
    example["cells"][1]["source"] = "## Another section"
    assert len(ties.complaints("x", example, {})) == 1


@pytest.mark.parametrize(
    ("words", "rests_on", "complaint"),
    [
        ("falls to 0.25", {"output": "c3"}, None),
        ("falls to 0.25", {"is": "losses[-1]"}, None),
        ("falls to 0.25", {"given": "we set it so"}, None),
        ("falls to 0.25", {"source": "Vaswani et al. (2017)"}, None),
        ("falls to 0.25", {"source": "the Stanford note"}, None),
        ("falls to 0.25", {"given": "so"}, "say in a few words"),
        ("falls to 0.25", {"source": "Vaswani et al. (2016)"}, "no Author"),
        ("falls to 0.25", {"source": "pyproject.toml"}, "0.25 does not stand in pyproject.toml"),
        ("falls to 0.25", {"entry": "002.4a.d_k"}, "0.25 does not stand in entry 002.4a.d_k"),
        ("falls to 0.26", {"output": "c3"}, "0.26 is no output of cell c3"),
        ("falls to 0.25", {"entry": "002.no"}, "there is no entry 002.no"),
        ("falls to 0.25", {"output": "c4"}, "there is no code cell c4"),
        ("falls to 0.25", {"literal": "c3"}, "0.25 is no literal of cell c3"),
        ("falls to 0.25", {"is": "0.25"}, "0.25 is typed"),
        ("falls to 0.25", {"is": "0.2 + 0.05"}, "is typed"),
        ("falls to 0.25", {"guess": "c3"}, "must rest on one of"),
        ("falls to 0.25", {"output": "c3", "is": "x"}, "must rest on one of"),
        ("falls", {"output": "c3"}, "holds no number"),
        ("falls", {"holds": "losses[-1] < losses[0]"}, None),
        ("falls", {"holds": "0.2 < 0.25"}, "is typed"),
        ("falls to 0.25", {"is": "losses[-1", "after": "c3"}, "losses[-1 is no expression"),
        ("falls to 0.25", {"is": "losses[-1]", "after": "c999"}, "there is no code cell c999"),
    ],
)
def test_a_row_holds_or_says_why_not(
    words: str, rests_on: dict[str, str], complaint: str | None
) -> None:
    said = ties.complaints("x", marked(words), {"loss": rests_on})
    assert len(said) == 0 if complaint is None else complaint in said[0]


def test_a_mark_and_a_row_need_each_other() -> None:
    (said,) = ties.complaints("x", marked("falls to 0.25"), {})
    assert "loss: the mark in cell c1 has no row" in said
    row = {"loss": {"output": "c3"}}
    assert "stands 0 times" in ties.complaints("x", page("Text."), row)[0]
    twice = marked("0.25", "The loss {0} is {0}.")
    assert "stands 2 times" in ties.complaints("x", twice, row)[0]


def test_a_mark_that_holds_nothing_is_that_of_the_formula_below_it() -> None:
    text = 'The rule is <span data-tie="rule"></span>\n\n$$\nC = 6 N\n$$\n\nand no other.'
    row = {"rule": {"source": "Kaplan et al. (2020)"}}
    assert ties.complaints("x", page(text), row) == []
    assert "nothing ties 6" in ties.complaints("x", page(text.replace("=", "= 6.", 1)), {})[0]


def test_words_are_judged_where_they_are_quoted() -> None:
    text = 'It has <span data-tie="heads">two heads of width 16</span>.'
    example = page(text, "heads, width = 3, 16", "3 heads, width 16")
    (said,) = ties.complaints("x", example, {"heads": {"output": "c3"}})
    assert "two is no output of cell c3" in said


@pytest.mark.parametrize(
    "text",
    [
        "As [Vaswani et al. (2017)](references.md), section 3.2.1, and table 12 have it.",
        "See `np.log(18)` in [the chapter](12_training.ipynb), $W_{12}$, float16 and GPT-2.",
        "They are 64-bit numbers. **Time:** 35 minutes.",
        "1. one\n12. two heads",
        "**Step 2.** Between 0 and 1 lie the weights of GPT-2 and Mistral 7B, and $x^2$ of UTF-8.",
        "So $3 \\cdot 4 = 12$, and 0.5 · 0.5 = 0.25.",
    ],
)
def test_what_needs_no_row(text: str) -> None:
    assert ties.complaints("x", page(text), {}) == []


@pytest.mark.parametrize(
    "text",
    ["12 heads", "0.5", "$-0.25$", "7 %", "$10^{-5}$", "37,000", "(18)", "2 heads", "$\\ln 5$"],
)
def test_what_needs_one(text: str) -> None:
    assert len(ties.complaints("x", page(text), {})) == 1


def test_a_literal_ties_the_text_beside_it_alone() -> None:
    example = page("Draw 500 of them.", "draw(500)")
    assert len(ties.complaints("x", example, {})) == 1
    del example["cells"][1]
    assert ties.complaints("x", example, {}) == []


def test_a_caption_is_read_too_and_what_it_computes_is_not() -> None:
    code = 'show(caption=f"Notice {best} and 0.92.")'
    (said,) = ties.complaints("x", page("Text.", code), {})
    assert "cell c3: nothing ties 0.92" in said


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("$3/4 = 0.75$", [True]),
        ("$\\frac{2}{3} \\approx 0.67$", [True]),
        ("$\\frac{2}{3} = 0.66$", [False]),
        ("18 + 3 + 2 + 1 = 24", [True]),
        ("18 + 3 + 2 + 1 = 25", [False]),
        ("$\\sqrt 4 = 2, \\quad e^{\\ln 5} = 6$", [True, False]),
        ("$d_k = 64$ and $n = 3$", []),
        ("$512 \\times 512 = 262{,}144$", [True]),
    ],
)
def test_an_equation_in_numbers_is_computed(text: str, truth: list[bool]) -> None:
    assert [each.is_true for each in equations.equations(text)] == truth


TORN = [
    ("03_positional_encoding", "1/10000^{2/4} = 0.01", "1/10000^{2/4} = 0.02"),
    ("13_decoding", "With $k = 3$, for example", "With $k = 77$, for example"),
    ("13_decoding", "0.6 = 0.015", "0.6 = 0.016"),
]


@pytest.mark.parametrize(("chapter", "words", "torn"), TORN, ids=[row[0] for row in TORN])
def test_a_sentence_that_is_torn_fails(chapter: str, words: str, torn: str) -> None:
    notebook = prose.read(ROOT / "chapters" / f"{chapter}.ipynb")
    (cell,) = [c for c in notebook["cells"] if words in "".join(c["source"])]
    cell["source"] = "".join(cell["source"]).replace(words, torn)
    wrong = ties.complaints(chapter, notebook, ties.rows(chapter))
    number = re.findall(r"[\d.]+", torn)[-1]
    assert wrong and any(number in each for each in wrong)


def test_another_logarithm_in_the_warm_up_is_named_though_it_has_one_digit() -> None:
    path = refresh.chapters(["00"])[0]
    text = path.read_text(encoding="utf-8").replace(
        "np.log(2), np.log(5)])", "np.log(2), np.log(7)])"
    )
    (said,) = ties.complaints(path.stem, json.loads(text), ties.rows(path.stem))
    assert (
        "cell c018: nothing ties 5 in “For example, the scores $0$, $\\ln 2$ and $\\ln 5$" in said
    )


@pytest.fixture(scope="module")
def client() -> Iterator[BlockingKernelClient]:
    folder = str(ROOT / "chapters")
    manager, running = start_new_kernel(kernel_name="python3", cwd=folder, env=environment())
    yield running
    running.stop_channels()
    manager.shutdown_kernel(now=True)


def broken(client: BlockingKernelClient, notebook: dict[str, Any], chapter: str) -> list[str]:
    """Run the first cells of a notebook and judge what is due after each."""
    due, said = ties.expressions(notebook, ties.rows(chapter)), []
    for cell in notebook["cells"]:
        if not due:
            break
        if cell["cell_type"] == "code":
            client.execute_interactive("".join(cell["source"]), output_hook=lambda _: None)
            said += filter(None, (ties.ask(client, tie) for tie in due.pop(cell["id"], [])))
    return said


def test_another_logarithm_in_the_code_fails_the_sum_of_twenty(
    client: BlockingKernelClient,
) -> None:
    path = refresh.chapters(["attention"])[0]
    assert broken(client, prose.read(path), path.stem) == []
    torn = json.loads(path.read_text(encoding="utf-8").replace("np.log(18)", "np.log(38)"))
    said = "\n".join(broken(client, torn, path.stem))
    assert "Their sum is 20”" in said
    assert "18 is 38" in said and "20 is 40" in said


def test_nbval_judges_the_rows_while_it_runs_a_chapter(tmp_path: Path) -> None:
    chapters, name = ROOT / "chapters", "05_multi_head_attention.ipynb"
    shutil.copy(chapters / "conftest.py", tmp_path)
    notebook = prose.read(chapters / name)
    after = [cell["id"] for cell in notebook["cells"]].index("c019")
    del notebook["cells"][after:]  # nothing there is due for c017
    text = json.dumps(notebook).replace("np.log(16)", "np.log(26)")
    (tmp_path / name).write_text(text, encoding="utf-8")
    options = ["--nbval", "-p", "no:cacheprovider", "-c", os.devnull, f"--rootdir={tmp_path}"]
    options += ["-p", "book"]  # before nbval, so that Jupyter is imported quickly
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *options, str(tmp_path)],
        env={**environment(), "PYTHONPATH": str(ROOT)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    said = "05_multi_head_attention, cell c017: “16 of 20 parts”"
    assert said in done.stdout and "16 is 26; 20 is 30" in done.stdout


def test_an_expression_with_a_wrong_name_or_count_is_named(client: BlockingKernelClient) -> None:
    tie = ties.place("loss", {"is": "no_such"}, prose.passages(marked("falls to 0.25")))
    assert "NameError" in ties.ask(client, tie)
    many = tie._replace(rests_on={"is": "range(2)"})
    assert "says 0.25, but range(2) gives [0.0, 1.0]" in ties.ask(client, many)


def test_a_condition_without_a_number_must_hold(client: BlockingKernelClient) -> None:
    tie = ties.place("loss", {"holds": "[1 < 2, True]"}, prose.passages(marked("falls")))
    assert ties.ask(client, tie) == ""
    false = tie._replace(rests_on={"holds": "range(2)"})
    assert ties.ask(client, false) == "“falls”: range(2) does not hold"


MODULES = [path.relative_to(ROOT) for path in sorted(ROOT.glob("book/**/*.py"))]
EXAMPLES = [path for path in MODULES if ">>> " in (ROOT / path).read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", EXAMPLES, ids=str)
def test_the_examples_in_the_docstrings_hold(path: Path) -> None:
    done = doctest.testmod(importlib.import_module(".".join(path.with_suffix("").parts)))
    assert done.attempted > 0 and done.failed == 0
