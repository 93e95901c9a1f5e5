"""Chapter 12 teaches all that its task "Write the loop for a new data set" needs."""

import ast
import builtins
import json

from book.paths import ROOT

CELLS = json.loads((ROOT / "chapters/12_training.ipynb").read_text("utf-8"))["cells"]


def names(source: str, context: type[ast.expr_context]) -> set[str]:
    """The names that are read or bound, with those of functions, classes and imports."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, context):
            found.add(node.id)
        elif context is ast.Store and isinstance(node, ast.FunctionDef | ast.ClassDef | ast.arg):
            found.add(node.arg if isinstance(node, ast.arg) else node.name)
        elif context is ast.Store and isinstance(node, ast.alias):
            found.add(node.asname or node.name)
    return found


def test_the_solution_has_no_name_that_the_visible_code_does_not_introduce() -> None:
    code = [cell for cell in CELLS if cell["cell_type"] == "code"]
    place = [cell["id"] for cell in code].index("new-data-solution")
    visible = ["".join(c["source"]) for c in code[:place] if "jupyter" not in c["metadata"]]
    known = set(dir(builtins)).union(*(names(source, ast.Store) for source in visible))
    solution = "".join(code[place]["source"])
    unknown = names(solution, ast.Load) - names(solution, ast.Store) - known
    assert {"Adam", "loss_and_gradients", "start"} <= names(solution, ast.Load)
    assert not unknown
