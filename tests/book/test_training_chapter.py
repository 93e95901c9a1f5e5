"""Chapter 12 teaches all that its task "Write the loop for a new data set" needs."""

import ast
import builtins
import json

from book.live.torch_cells import names
from book.paths import ROOT

CELLS = json.loads((ROOT / "chapters/12_training.ipynb").read_text("utf-8"))["cells"]


def test_the_solution_has_no_name_that_the_visible_code_does_not_introduce() -> None:
    code = [cell for cell in CELLS if cell["cell_type"] == "code"]
    place = [cell["id"] for cell in code].index("new-data-solution")
    visible = ["".join(c["source"]) for c in code[:place] if "jupyter" not in c["metadata"]]
    _, known = names(ast.parse("\n".join(visible)))
    taken, own = names(ast.parse("".join(code[place]["source"])))
    assert {"Adam", "loss_and_gradients", "start"} <= taken
    assert taken - own <= known | set(dir(builtins))
