"""Each way to write an answer on paper gets the same answer from the judge, in JupyterLab and on
the page, and none with a right value of literals loses a point."""

import json
import re
import subprocess
import sys

import nbformat
import pytest
from nbclient import NotebookClient

from book.live import course_zip
from book.paths import ROOT
from exercises.grader.intake import assignment
from exercises.grader.mark import judge
from exercises.grader.mark.attempt import Case
from exercises.grader.mark.results import Status
from exercises.grader.sandboxed.limits import Limits
from tests.grader import course, ways

PAGE = """
import json, sys
sys.path.insert(0, sys.argv[1])
from book.live.kernel.run import Kernel
codes = json.load(sys.stdin)
kernel = Kernel(lambda news: None, json.load(open(f"{sys.argv[1]}/brings.json")), lambda news: None)
cells = [json.loads(kernel.run(code, f"Cell {n}")) for n, code in enumerate(codes, 1)]
said = [[out.get("says") or out.get("text", "") for out in cell["outputs"]] for cell in cells]
json.dump(said, sys.stdout)
"""
OPEN, FORM = "not judged yet, because of its form", "Its form is right"


@pytest.fixture(scope="module")
def result(tmp_path_factory, fork_server):
    """Judge all ways at once: each is a task of one notebook."""
    root = tmp_path_factory.mktemp("ways")
    course.write(root, "ways", ways.notebook(is_source=True)).rename(root / "ways/ways.ipynb")
    handed_in = json.dumps(ways.notebook(is_source=False)).encode()
    limits = Limits(total=300)
    return judge.grade(
        assignment.load(root / "ways"), fork_server, limits, Case("ann", handed_in, seed=1)
    )


@course.in_sandbox
def test_the_judge_takes_each_way_or_says_what_to_write(result):
    assert [task.name for task in result.tasks] == [*ways.WAYS]
    assert [found for task in result.tasks if (found := amiss(task, result.flags))] == []


def amiss(task, flags):
    """Return what of a result is not as the table says, None if all is."""
    says = ways.named(task.name, ways.WAYS[task.name].says)
    if says == "right":
        is_well = (task.status, task.points, task.reason) == (Status.RIGHT, 1, "")
    else:
        is_open = not any(word in says for word in ("not the", "not yet"))
        is_flagged = any(f"the form of {task.name} " in flag for flag in flags)
        is_well = task.points == 0 and says in task.reason
        is_well = is_well and is_open == is_flagged == (task.status == Status.NOT_JUDGED)
    return None if is_well else (task.name, says, task.status, task.reason)


def said_by(cells, outputs):
    """Return what the check of each way says."""
    places = {place: cell for place, cell in enumerate(cells) if cell["metadata"].get("nbgrader")}
    names = {n: cell["metadata"]["nbgrader"]["grade_id"] for n, cell in places.items()}
    checks = {name.removesuffix("-check"): n for n, name in names.items() if "-check" in name}
    return {name: " ".join(outputs[place]) for name, place in checks.items()}


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """Run all ways in JupyterLab's kernel and in that of the page: what each check says there."""
    made = ways.notebook(is_source=False)
    sources = [cell["source"] for cell in made["cells"]]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in sources])
    NotebookClient(book, allow_errors=True, timeout=120).execute()
    lab = [
        ["".join(out.get("traceback", [])) + out.get("text", "") for out in cell.outputs]
        for cell in book.cells
    ]
    page = on_page(sources, tmp_path_factory.mktemp("page"))
    return {"lab": said_by(made["cells"], lab), "page": said_by(made["cells"], page)}


def on_page(sources, folder):
    for name, data in course_zip.contents(ROOT).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    command = [sys.executable, "-c", PAGE, str(folder)]
    done = subprocess.run(
        command, input=json.dumps(sources), capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("where", ["lab", "page"])
def test_the_check_says_the_same_where_the_notebook_runs(told, where):
    found = {}
    for name, way in ways.WAYS.items():
        says, said = ways.named(name, way.lab or way.says), told[where][name]
        is_open = says not in ("right", "NameError") and "not yet written" not in says
        is_open = is_open and not re.search("Python cannot|never closed", says)
        if (FORM if says == "right" else says) not in said or (OPEN in said) != is_open:
            found[name] = (says, said)
    assert found == {}
