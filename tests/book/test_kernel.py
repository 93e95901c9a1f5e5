"""The Python of a page, as the archive of the page brings it, run here without a browser."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from book.live import course_zip
from book.live.kernel.shell import NO_INPUT
from book.paths import ROOT

DRIVER = """
import asyncio, json, sys
sys.path.insert(0, sys.argv[1])
from book.live.kernel.run import Kernel
sent, told, cells = [], [], json.load(sys.stdin)
kernel = Kernel(sent.append, json.load(open(f"{sys.argv[1]}/brings.json")), told.append)
found = []
for i, code in enumerate(cells, 1):
    given = kernel.run(code, f"Cell {i}")
    found.append(json.loads(given if isinstance(given, str) else asyncio.run(given)))
wanted = [json.loads(kernel.packages(code)) for code in cells]
messages = [json.loads(text) for text in sent]
outside = sorted(name for name in sys.modules if name.split(".")[0] in ("numpy", "torch", "js"))
json.dump({"cells": found, "wanted": wanted, "sent": messages, "told": list(map(json.loads, told)),
           "outside": outside}, sys.stdout)
"""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive, unpacked."""
    folder = tmp_path_factory.mktemp("course")
    for name, data in course_zip.contents(ROOT).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def run(archive: Path, *cells: str) -> dict[str, Any]:
    """Run cells in a Python that has this archive and the standard library alone."""
    command = [sys.executable, "-I", "-S", "-c", DRIVER, str(archive)]
    done = subprocess.run(
        command, input=json.dumps(cells), capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["outside"] == [], "the kernel itself needs nothing else"
    return found


def test_cells_share_names_and_show_their_last_value(archive: Path) -> None:
    first, second, third = run(archive, "x = [1, 2]", "x + [3]", "x;")["cells"]
    assert first["outputs"] == [] and third["outputs"] == []
    assert second["outputs"][0]["data"]["text/plain"] == "[1, 2, 3]"


def test_outputs_come_in_their_order_and_are_told_while_the_cell_runs(archive: Path) -> None:
    show = "from IPython.display import HTML, display\nprint('a')\ndisplay(HTML('<b>b</b>'))"
    found = run(archive, f"{show}\nprint('c')\n4")
    (cell,), told = found["cells"], found["told"]
    assert [output["kind"] for output in cell["outputs"]] == ["stream", "display"] * 2
    assert cell["outputs"][1]["data"]["text/html"] == "<b>b</b>"
    texts = [[item.get("text", "b") for item in news] for news in told]
    assert texts == [["a"], ["\n"], ["b"], ["c"], ["\n"], ["b"]]
    goes_on = [item.get("goes_on", False) for news in told for item in news]
    assert goes_on == [False, True, False, False, True, False]


def test_an_error_names_cells_and_lines_and_nothing_of_the_kernel(archive: Path) -> None:
    define, call = "def f(x):\n    return 1 / x", "f(1)\ntry:\n    f(0)\nexcept Exception:\n    g()"
    _, cell = run(archive, define, call)["cells"]
    text = cell["outputs"][-1]["text"]
    assert cell["error"] == "NameError"
    assert "Cell 2, line 3" in text and "Cell 1, line 2, in f" in text
    assert "return 1 / x" in text, "the line itself is shown"
    assert "kernel" not in text


@pytest.mark.parametrize(
    ("code", "shows", "says"),
    [
        ("assert 1 > 2, 'one row\\nand two'", "", "AssertionError: one row\nand two"),
        ("f(", "", "  Cell 1, line 1\n    f(\n     ^\nSyntaxError: '(' was never closed"),
        ("int('x')", "    int('x')\n", "ValueError: invalid literal for int() with base 10: 'x'"),
        (
            "1 + (2 / 0)",
            "in <module>\n    1 + (2 / 0)\n         ~~^~~\n",
            "ZeroDivisionError: division by zero",
        ),
        ("input('name')", "    input('name')\n", f"EOFError: {NO_INPUT}"),
        ("import sys\nsys.stdin.read()", "    sys.stdin.read()\n", f"EOFError: {NO_INPUT}"),
    ],
)
def test_a_traceback_shows_the_cell_and_what_the_error_says_at_its_end(
    archive: Path, code: str, shows: str, says: str
) -> None:
    (cell,) = run(archive, code)["cells"]
    output = cell["outputs"][-1]
    assert output["says"] == says
    assert output["text"].endswith(f"{shows}{says}")
    assert "File" not in output["text"], "no frame but those of cells"


def test_a_check_of_an_exercise_says_what_is_wrong_above_the_traceback(archive: Path) -> None:
    shared = ("helpers.py", "paper.py")
    texts = [(ROOT / "exercises/source" / name).read_text(encoding="utf-8") for name in shared]
    check = "assert f(1) == 2, 'it must be 2'\nchecked(\"f\", f)"
    no_numpy = "class np:\n    ndarray = generic = number = integer = float"  # which it lacks
    without = "\n".join(texts).replace("import numpy as np", no_numpy)
    code = [without, "def f(x):\n    return 3", check, "def f(x):\n    return y", check]
    cells = run(archive, *code)["cells"]
    wrong, broken = cells[2]["outputs"][-1], cells[4]["outputs"][-1]
    assert wrong["text"] == wrong["says"] == "f, Cell 2: it must be 2"
    assert broken["says"] == "f, Cell 4: NameError: name 'y' is not defined"
    assert broken["text"].startswith(f"{broken['says']}\nTraceback")
    assert "Cell 4, line 2, in f" in broken["text"]


def test_no_cell_ends_the_kernel(archive: Path) -> None:
    cells = run(archive, "raise SystemExit(1)", "raise KeyboardInterrupt", "2 + 2")["cells"]
    assert [cell["error"] for cell in cells] == ["SystemExit", "KeyboardInterrupt", ""]
    assert cells[-1]["outputs"][0]["data"]["text/plain"] == "4"


def test_a_loop_that_prints_does_not_fill_the_page(archive: Path) -> None:
    (cell,) = run(archive, "for i in range(100_000):\n    print('many words')")["cells"]
    (output,) = cell["outputs"]
    assert len(output["text"]) < 201_000 and output["text"].endswith("(the rest is left out)\n")


def test_markdown_becomes_html_with_mathematics(archive: Path) -> None:
    code = "from IPython.display import Markdown\nMarkdown('A *beam* of $k < 2$')"
    (cell,) = run(archive, code)["cells"]
    assert cell["outputs"][0]["html"].strip() == (
        '<p>A <em>beam</em> of <span class="math inline">\\(k &lt; 2\\)</span></p>'
    )


def test_widgets_speak_through_messages(archive: Path) -> None:
    code = "import ipywidgets\nslider = ipywidgets.IntSlider()\nslider"
    found = run(archive, code, "slider.value = 7")
    assert "application/vnd.jupyter.widget-view+json" in found["cells"][0]["outputs"][0]["data"]
    assert {message["type"] for message in found["sent"]} == {"comm_open", "comm_msg"}
    assert found["sent"][-1]["data"]["state"] == {"value": 7}


def test_a_cell_that_runs_again_closes_the_widgets_of_its_last_run(archive: Path) -> None:
    code = """from book.live.kernel.run import Kernel
import json
sent = []
kernel = Kernel(lambda text: sent.append(json.loads(text)["type"]), {})
two = "import ipywidgets\\nx = ipywidgets.HTML()\\ny = ipywidgets.Text()"
for cell in ("a", "b", "b", "a"):
    kernel.run(two, "Cell 1", cell)
kernel.run(two, "Cell 1")
from ipywidgets.widgets import widget
print(sent.count("comm_open"), sent.count("comm_close"), len(widget._instances))"""
    (cell,) = run(archive, code)["cells"]
    assert cell["error"] == "", cell
    # Both have a layout and a style, so a run makes six; of five runs two are replaced.
    assert cell["outputs"][0]["text"] == "30 12 18\n"


def test_what_a_cell_needs_is_asked_for(archive: Path) -> None:
    cells = "plot.line_chart(x, y)", "import matplotlib.pyplot", "course.source(f)", "1", "f("
    wanted = run(archive, *cells)["wanted"]
    assert wanted == [["matplotlib"], ["matplotlib"], ["pygments"], [], []]


def test_the_archive_is_the_same_bytes_for_the_same_files(tmp_path: Path) -> None:
    course_zip.write(tmp_path, ROOT)
    first = (tmp_path / course_zip.NAME).read_bytes()
    course_zip.write(tmp_path, ROOT)
    assert (tmp_path / course_zip.NAME).read_bytes() == first


def test_a_cell_that_prints_much_is_told_in_batches(archive: Path) -> None:
    found = run(archive, "for i in range(20_000):\n    print(i)")
    pieces = [item["text"] for news in found["told"] for item in news]
    assert len(pieces) < 1000
    text = found["cells"][0]["outputs"][0]["text"]
    assert text.startswith("".join(pieces)) and text.endswith("19999\n")


def test_a_cell_may_await(archive: Path) -> None:
    first, second = run(archive, "import asyncio\nawait asyncio.sleep(0)\nx = 2", "await x")[
        "cells"
    ]
    assert first["error"] == "" and second["error"] == "TypeError"
    assert "Cell 2, line 1" in second["outputs"][0]["text"]


HABITS = {
    "!pip install torch": "a page installs nothing",
    "x = 1\n%pip install torch": "a page installs nothing",
    "!ls": "a page has no shell",
    "%timeit x": "a page knows no magic commands",
    "%%time\nx = 1": "a page knows no magic commands",
    ">>> x = 1\n>>> x\n1": "begins with the prompt of a Python session",
    "import asyncio\nasyncio.run(main())": "write await main()",
}


def test_pasted_habits_get_a_sentence(archive: Path) -> None:
    for found, (code, said) in zip(run(archive, *HABITS)["cells"], HABITS.items(), strict=True):
        assert found["error"] == "SyntaxError", code
        assert said in found["outputs"][0]["text"], code


def test_the_magic_of_matplotlib_is_ignored_and_said(archive: Path) -> None:
    text = "line = '''\n%matplotlib inline\n!pip'''\nline"
    done = run(archive, "%matplotlib inline\n1 + 1", text)
    first, second = done["cells"]
    assert first["error"] == "" and "%matplotlib is ignored" in first["outputs"][0]["text"]
    assert first["outputs"][1]["data"]["text/plain"] == "2"
    assert "!pip" in second["outputs"][0]["data"]["text/plain"] and len(second["outputs"]) == 1
