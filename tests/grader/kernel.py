"""`python -m tests.grader.kernel FILE`: what a kernel that runs from the top gives to notebooks.

The file holds a list of notebooks, each a list of cells [text, whether it is a check]. The answer
is, for each notebook, the list of what its checks say.
"""

import contextlib
import io
import json
import sys
import warnings
from pathlib import Path

import matplotlib
from IPython.core.interactiveshell import InteractiveShell

matplotlib.use("Agg")


class Shell(InteractiveShell):
    """The shell of a kernel, with no window system."""

    def enable_gui(self, gui=None):
        """Do what a kernel does for pictures in the page: nothing."""


def run(cells, shell):
    """Return what each check says in a fresh namespace, "" where it passes."""
    shell.reset(new_session=True)
    said = []
    for text, is_check in cells:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            result = shell.run_cell(text)
        if is_check:
            error = result.error_before_exec or result.error_in_exec
            said.append("" if error is None else f"{type(error).__name__}: {error}")
    return said


def main():
    """Run each notebook of the file and print what its checks say."""
    warnings.simplefilter("ignore")
    shell = Shell.instance()
    shell.history_manager.enabled = False
    found = [
        run(cells, shell) for cells in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    ]
    print(json.dumps(found))


if __name__ == "__main__":
    main()
