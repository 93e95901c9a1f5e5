"""Run the cells of a page one by one, as a notebook does."""

import ast
import contextlib
import json
import linecache
import sys
from collections.abc import Mapping
from typing import Any

from book.kernel import comms, hashes, widgets
from book.kernel.failure import described, said
from book.kernel.markdown import to_html
from book.kernel.outputs import Outputs, bundle, fingerprint
from book.kernel.packages import wanted, warm_up
from book.kernel.shell import InteractiveShell, Keyboard


class Kernel:
    """The names that the cells of a page share.

    Args:
        send: takes each message of a widget, as JSON.
        brings: names of modules and functions, each with the package that it needs.
    """

    def __init__(self, send: comms.Send, brings: Mapping[str, str]) -> None:
        self.brings = brings
        self.space: dict[str, Any] = {"__name__": "__main__", "__builtins__": __builtins__}
        self.made = widgets.Made()
        comms.connect(send)
        hashes.complete()
        sys.stdin = Keyboard()

    def packages(self, code: str) -> str:
        """Return the packages that a cell needs, as JSON."""
        return json.dumps(sorted(wanted(code, self.brings)))

    def warm_up(self, packages: str) -> None:
        """Import packages, a JSON list, that have just been loaded."""
        warm_up(json.loads(packages))

    def run(self, code: str, name: str, cell: str = "") -> str:
        """Run a cell, called by this name in tracebacks; its outputs, as JSON.

        A cell that has an id, `cell`, takes the place of its last run: its widgets go.
        """
        outputs = InteractiveShell.display_pub.outputs = Outputs()
        # Each line ends, the last one too: else Python sets the marks below it off by one.
        linecache.cache[name] = (len(code), None, f"{code}\n".splitlines(keepends=True), name)
        error = ""
        self.made.begin(cell)
        with (
            contextlib.redirect_stdout(outputs.stream("stdout")),
            contextlib.redirect_stderr(outputs.stream("stderr")),
        ):
            try:
                self.execute(code, name, outputs)
            except BaseException as problem:  # a cell may raise anything, SystemExit too
                error = type(problem).__name__
                outputs.fail(described(problem), said(problem))
        if cell:
            self.made.end(cell)
        return json.dumps({"outputs": [_shown(item) for item in outputs.items], "error": error})

    def execute(self, code: str, name: str, outputs: Outputs) -> None:
        """Execute the statements of a cell and show the value of the last one."""
        # What `ast.parse` calls, which would stand in the traceback of a SyntaxError.
        tree: Any = compile(code, name, "exec", ast.PyCF_ONLY_AST)
        last = tree.body[-1] if tree.body else None
        if not isinstance(last, ast.Expr):
            exec(compile(tree, name, "exec"), self.space)
            return
        del tree.body[-1]
        exec(compile(tree, name, "exec"), self.space)
        value = eval(compile(ast.Expression(last.value), name, "eval"), self.space)
        if value is not None and not code.rstrip().endswith(";"):
            self.space["_"] = value
            outputs.show(bundle(value))

    def receive(self, comm_id: str, text: str) -> None:
        """Take a message of the page to a widget."""
        comms.receive(comm_id, text)


def _shown(item: dict[str, Any]) -> dict[str, Any]:
    item = item | {"print": fingerprint(item)}
    markdown = item.get("data", {}).get("text/markdown")
    if markdown and "text/html" not in item["data"]:
        item["html"] = to_html(markdown)
    return item
