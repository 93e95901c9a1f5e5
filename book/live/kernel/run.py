"""Run the cells of a page one by one, as a notebook does; an error names the cells."""

import ast
import contextlib
import importlib
import inspect
import json
import linecache
import re
import sys
import traceback
from collections.abc import Coroutine, Mapping
from html import escape
from typing import Any

from book.live.kernel import comms, habits, hashes, versions, widgets
from book.live.kernel.outputs import Outputs, bundle, fingerprint
from book.live.kernel.packages import wanted, warm_up
from book.live.kernel.shell import InteractiveShell, Keyboard

KERNEL = "/book/live/kernel/"
ROOT = "/course/"
"""Where the page's files lie: a path is shown from there."""
OPEN, CLOSE = {False: r"\(", True: r"\["}, {False: r"\)", True: r"\]"}


def ignored(text: str) -> None:
    """Take what nobody asks for."""


class Kernel:
    """The names that the cells of a page share.

    Args:
        send: takes each message of a widget, as JSON.
        brings: names of modules and functions, each with the package that it needs.
        tell: takes what a cell puts out while it runs, as JSON.
    """

    def __init__(
        self, send: comms.Send, brings: Mapping[str, str], tell: comms.Send = ignored
    ) -> None:
        self.brings, self.tell = brings, tell
        self.space: dict[str, Any] = {"__name__": "__main__", "__builtins__": __builtins__}
        self.made = widgets.Made()
        comms.connect(send)
        hashes.complete()
        sys.stdin = Keyboard()

    def packages(self, code: str) -> str:
        """Return the packages that a cell needs, as JSON."""
        return json.dumps(sorted(wanted(habits.cleaned(code)[0], self.brings)))

    def warm_up(self, packages: str) -> None:
        """Import packages, a JSON list, that have just been loaded."""
        warm_up(json.loads(packages))

    def run(self, code: str, name: str, cell: str = "") -> str | Coroutine[Any, Any, str]:
        """Run a cell, called by this name in tracebacks; its outputs, as JSON.

        A cell that has an id, `cell`, takes the place of its last run: its widgets go. Of a cell
        that says await outside of its functions the outputs are to be awaited.
        """
        try:
            running = self._outputs(code, name, cell)
            if waits(habits.cleaned(code)[0]):
                return running
            running.send(None)
        except StopIteration as done:
            return str(done.value)
        except KeyboardInterrupt as stop:  # before the cell's first line
            outputs = Outputs()
            return _finished(_failed(stop, outputs), outputs)
        raise RuntimeError("a cell that does not wait has waited")

    async def _outputs(self, code: str, name: str, cell: str) -> str:
        outputs = InteractiveShell.display_pub.outputs = Outputs(self._news)
        try:
            error = await self._run(code, name, cell, outputs)
        except KeyboardInterrupt as stop:  # before the cell's first line or after its last
            error = _failed(stop, outputs)
        return _finished(error, outputs)

    def _news(self, items: list[dict[str, Any]]) -> None:
        self.tell(json.dumps([_drawn(item) for item in items]))

    async def _run(self, code: str, name: str, cell: str, outputs: Outputs) -> str:
        """Run a cell into these outputs; the name of its error, "" if there is none."""
        # Each line ends, the last one too: else Python sets the marks below it off by one.
        linecache.cache[name] = (len(code), None, f"{code}\n".splitlines(keepends=True), name)
        self.space.setdefault("In", []).append(code)  # as in Jupyter, for a check of an answer
        error = ""
        self.made.begin(cell)
        with (
            contextlib.redirect_stdout(outputs.stream("stdout")),
            contextlib.redirect_stderr(outputs.stream("stderr")),
        ):
            try:
                await self.execute(code, name, outputs)
                if "matplotlib.pyplot" in sys.modules:
                    importlib.import_module("book.live.kernel.figures").show()
            except BaseException as problem:  # a cell may raise anything, SystemExit too
                error = _failed(problem, outputs, self._of_check(code, problem))
        if cell:
            self.made.end(cell)
        return error

    def _of_check(self, code: str, problem: BaseException) -> tuple[str, BaseException | None]:
        """What an exercise says of the error of a check, and the error to trace below it."""
        if tell := self.space.get("failed_check"):
            names = [name for name in linecache.cache if name.startswith("Cell ")]
            cells = {name: "".join(linecache.getlines(name)) for name in names}
            return tell(code, cells, problem)  # type: ignore[no-any-return]
        return "", problem

    async def execute(self, code: str, name: str, outputs: Outputs) -> None:
        """Execute the statements of a cell and show the value of the last one."""
        code, said = habits.cleaned(code)
        if said:
            print(said, file=sys.stderr)
        tree = parsed(code, name)
        versions.refuse(code, tree, name)
        habits.refuse(tree, code, name)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        await self._evaluate(tree, name, "exec")
        if last is None:
            return
        value = await self._evaluate(ast.Expression(last.value), name, "eval")
        if value is not None and not code.rstrip().endswith(";"):
            self.space["_"] = value
            outputs.show(bundle(value))

    async def _evaluate(self, tree: Any, name: str, mode: str) -> Any:
        """Run a part of a cell, which waits where it says await."""
        code = compile(tree, name, mode, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        value = eval(code, self.space)
        return await value if code.co_flags & inspect.CO_COROUTINE else value

    def receive(self, comm_id: str, text: str) -> None:
        """Take a message of the page to a widget."""
        comms.receive(comm_id, text)


def parsed(code: str, name: str) -> Any:
    """The statements of a cell; an error says what a page does not share with other notebooks."""
    try:
        # What `ast.parse` calls, which would stand in the traceback of a SyntaxError.
        return compile(code, name, "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError as error:
        habits.explain(error, code, name)
        raise


def waits(code: str) -> bool:
    """Whether a cell says await outside of its functions.

    >>> waits("await x"), waits("x = 1"), waits("(")
    (True, False, False)
    """
    try:
        made = compile(code, "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except (SyntaxError, ValueError):
        return False
    return bool(made.co_flags & inspect.CO_COROUTINE)


def _failed(
    problem: BaseException, outputs: Outputs, told: tuple[str, BaseException | None] | None = None
) -> str:
    sentence, below = told or ("", problem)
    parts = [sentence, described(below) if below else ""]
    outputs.fail("\n".join(filter(None, parts)), sentence or said(problem))
    return type(problem).__name__


def _finished(error: str, outputs: Outputs) -> str:
    items = [_drawn(item) | {"print": fingerprint(item)} for item in outputs.items]
    return json.dumps({"outputs": items, "error": error})


def _drawn(item: dict[str, Any]) -> dict[str, Any]:
    markdown = item.get("data", {}).get("text/markdown")
    if markdown and "text/html" not in item["data"]:
        return item | {"html": to_html(markdown)}
    return item


def to_html(text: str) -> str:
    """Return Markdown as HTML that MathJax typesets as it does that of the book."""
    # Imported here because few cells show any.
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    def math(formula: str, options: dict[str, bool]) -> str:
        display = options["display_mode"]
        return f"{OPEN[display]}{escape(formula)}{CLOSE[display]}"

    reader = MarkdownIt("commonmark").enable("table")
    reader.use(dollarmath_plugin, renderer=math, allow_labels=False)
    return str(reader.render(text))


def described(error: BaseException) -> str:
    """Return the traceback of an error in a cell, without the frames of the kernel."""
    summary = traceback.TracebackException.from_exception(error)
    for each in chain(summary):
        own = [frame for frame in each.stack if KERNEL not in frame.filename]
        each.stack = traceback.StackSummary.from_list(own)
    return named("".join(summary.format()))


def said(error: BaseException) -> str:
    """Return what an error says, which is the end of its traceback."""
    return named("".join(traceback.format_exception_only(error)))


def named(text: str) -> str:
    """Call the cells by their names and the files by their places in the course."""
    text = re.sub(r'File "(Cell \d+)", line', r"\1, line", text)
    return text.replace(f'"{ROOT}', '"').rstrip("\n")


def chain(summary: traceback.TracebackException) -> list[traceback.TracebackException]:
    """An error with those that led to it."""
    before = [each for each in (summary.__cause__, summary.__context__) if each is not None]
    return [summary, *(deeper for each in before for deeper in chain(each))]
