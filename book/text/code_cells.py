"""The code cells of a chapter, as far as numbers go: what they write and what they print."""

import ast
import re
from typing import Any, NamedTuple

from book.text import prose


class Code(NamedTuple):
    """A code cell: its place, the literals in it and the numbers that it prints."""

    id: str
    at: int
    literals: list[float]
    printed: list[float]


def is_beside(cell: Code, passage: prose.Passage, code: list[Code]) -> bool:
    """Whether no other text stands between a code cell and a passage."""
    low, high = sorted((cell.at, passage.at))
    return {each.at for each in code} >= set(range(low + 1, high))


def code_cells(notebook: dict[str, Any]) -> list[Code]:
    """The code cells with what they write and print."""
    return [
        Code(cell["id"], at, literals("".join(cell["source"])), printed(cell["outputs"]))
        for at, cell in enumerate(notebook["cells"])
        if cell["cell_type"] == "code"
    ]


def literals(source: str) -> list[float]:
    """The numbers that a cell writes in its code."""
    found = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    return [float(x) for x in found if isinstance(x, int | float) and not isinstance(x, bool)]


def printed(outputs: list[dict[str, Any]]) -> list[float]:
    """The numbers that a reader sees below a cell."""
    texts = []
    for output in outputs:
        data = output.get("data", {})
        shown = output.get("text"), data.get("text/plain"), data.get("text/markdown")
        texts += ["".join(text) for text in shown if text]
    return list(map(float, figures(" ".join(texts))))


def figures(text: str) -> list[str]:
    """The numbers of a text in digits, as Python reads them."""
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text).replace("−", "-")
    plain = re.sub(r"\b10\^(-?\d+)", r"1e\1", plain)
    return re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?", plain)
