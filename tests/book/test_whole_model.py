"""The page with the whole model: as many lines as its headings say, right gradients, any seed."""

import ast
import inspect
import json
import re
from typing import Any

import numpy as np
import pytest

from book.paths import ROOT
from course import small_decoder

CELLS = {
    cell["id"]: "".join(cell["source"])
    for cell in json.loads((ROOT / "chapters/whole_model.ipynb").read_text("utf-8"))["cells"]
}


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    """The names that the page defines, up to its training."""
    names: dict[str, Any] = {}
    cells = "imports language arrays parts shapes forward derivatives backward batch check train"
    for cell in cells.split():
        source = CELLS[cell].replace("../chapters", str(ROOT / "chapters"))
        exec(source, names)
    return names


def lines(source: str) -> int:
    return sum(bool(line.strip()) for line in source.splitlines())


def test_it_has_as_many_lines_as_it_says() -> None:
    predicts = ("imports", "arrays", "parts", "attention", "decoder")
    learns = ("shapes", "forward", "derivatives", "backward", "batch", "train", "sample")
    assert sum(lines(CELLS[each]) for each in predicts) - 1 == 40  # one line shows shapes
    assert sum(lines(CELLS[each]) for each in learns) - 7 == 80  # seven lines show samples


def test_every_gradient_is_that_of_small_differences(page: dict[str, Any]) -> None:
    rng = np.random.default_rng(3)
    T, given = page["start"](rng), page["batch"](rng, 4)
    _, gradients = page["loss_and_gradients"](T, *given)
    assert set(gradients) == set(T)
    for name, gradient in gradients.items():
        for _ in range(5):
            entry = tuple(int(rng.integers(size)) for size in gradient.shape)
            expected = page["difference"](T, name, entry, given)
            assert gradient[entry] == pytest.approx(expected, rel=1e-5, abs=1e-9), (name, entry)


def bodies(source: str) -> dict[str, list[str]]:
    """What each function takes and does, without annotations and docstrings."""
    functions = [each for each in ast.parse(source).body if isinstance(each, ast.FunctionDef)]
    return {
        each.name: [
            *(taken.arg for taken in each.args.args),
            *map(ast.unparse, each.body[bool(ast.get_docstring(each)) :]),
        ]
        for each in functions
    }


def test_the_module_has_the_same_lines() -> None:
    names = ("split", "join", "unit", "forward", "unit_back", "product_back", "loss_and_gradients")
    page = bodies(
        "\n".join(CELLS[cell] for cell in ("shapes", "forward", "derivatives", "backward"))
    )
    module = bodies(inspect.getsource(small_decoder))
    assert {name: module[name] for name in names} == page


def test_the_module_learns_a_batch_by_heart() -> None:
    rng = np.random.default_rng(0)
    ids = rng.integers(0, 11, (3, 7))
    batch = ids[:, :-1], np.where(rng.random((3, 6)) < 0.2, -1, ids[:, 1:])
    losses = list(small_decoder.train(small_decoder.start(rng, 11), lambda: batch, steps=100))
    assert losses[0] > 2 and losses[-1] < 0.1
    with pytest.raises(ValueError, match="d_model must be a multiple of 8, got 12"):
        small_decoder.start(rng, 11, d_model=12)


def test_its_sentence_is_the_one_with_which_chapter_12_begins() -> None:
    (sentence,) = re.findall(r'(?m)^sentence = "(.*)"$', CELLS["equal"])
    chapter = json.loads((ROOT / "chapters/12_training.ipynb").read_text("utf-8"))
    assert f"*{sentence} …*" in "".join(chapter["cells"][0]["source"])
    assert "the sentence with which [Chapter 12](12_training.ipynb) begins" in CELLS["c006"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_learns_from_any_start(seed: int, page: dict[str, Any]) -> None:
    T = page["train"](seed)
    loss, _ = page["loss_and_gradients"](T, *page["batch"](np.random.default_rng(99), 500))
    assert loss < 1.05 * page["language"].entropy_per_token()
