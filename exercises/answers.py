"""Load mistakes and other right answers: functions TASK__WHAT in the folder of an assignment."""

import ast
import importlib.util
import inspect
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from exercises.grader.intake.source import path_of, read

CHOSEN = {
    "slip": '{q: own["abcdef".index(p)] for (q, own), p in zip(slip_letters.items(), "PLACES")}',
    "prediction": (
        '{"guess": "PLACES"[0], "because": prediction_letters["abcdef".index("PLACES"[1])]}'
    ),
}
CONSTANT = bool | int | float | str | tuple | list | dict | set


class Picked(NamedTuple):
    """This is an answer to choose: the text of its cell, in a notebook that deals the letters."""

    text: str

    def __call__(self, given: dict[str, Any]) -> Any:
        """Return the answer with the letters of this notebook."""
        return eval(self.text, dict(given))


Answer = FunctionType | Picked


class Given:
    """This is a function that a notebook gives; an answer may call it and does not contain it."""

    def __init__(self, beside: str, cell: str, name: str) -> None:
        """Find a function by the file that calls it, and by its cell, which needs NumPy alone."""
        cells = read(path_of(Path(beside).parent))["cells"]
        space: dict[str, Any] = {"np": np}
        exec(next(each["source"] for each in cells if each["id"] == cell), space)
        self.function = space[name]

    def __call__(self, *arguments: Any) -> Any:
        """Call the function."""
        return self.function(*arguments)


def load(folder: Path, kind: str) -> dict[str, Answer]:
    """Return the answers of `mutants*.py` or `alternatives*.py`, CATALOGUE and PICKED included."""
    found: dict[str, Answer] = {}
    for path in sorted(folder.glob(f"{kind}*.py")):
        spec = importlib.util.spec_from_file_location(f"{path.stem}_{folder.name}", path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for task, mistakes in getattr(module, "CATALOGUE", {}).items():
            found |= {f"{task}__{what}": mistake for what, mistake in mistakes.items()}
        for key, places in getattr(module, "PICKED", {}).items():
            found[key] = Picked(CHOSEN[task_of(key)].replace("PLACES", places))
        found |= {key: value for key, value in vars(module).items() if "__" in key.strip("_")}
    return found


def task_of(name: str) -> str:
    """Return the task that TASK__WHAT answers."""
    return name.partition("__")[0]


def text_of(function: Answer, task: str, is_function: bool) -> str:
    """Return the text of a cell that gives an answer, with all functions that it calls.

    Args:
        function: replaces the task's own function, or is called with the names of the
            notebook and returns the answer.
        task: the name to define.
        is_function: which of the two.
    """
    if isinstance(function, Picked):
        return f"{task} = {function.text}"
    *needed, text = _texts(function, {}).values()
    if is_function:
        text = text.replace(f"{function.__name__}(", f"{task}(")  # it may call itself
    else:
        text += f"\n\n{task} = {function.__name__}(globals())"
    return "\n\n".join([*needed, text])


def _texts(function: FunctionType, found: dict[str, str]) -> dict[str, str]:
    """Return what a function needs of its file, by name, and last its own text."""
    text = inspect.getsource(function)
    for node in ast.walk(ast.parse(text)):
        name = node.id if isinstance(node, ast.Name) else ""
        value = function.__globals__.get(name)
        if inspect.ismodule(value):
            found[name] = f"import {value.__name__} as {name}"
        elif inspect.isclass(value) or inspect.isbuiltin(value):
            found[name] = f"from {value.__module__} import {value.__name__} as {name}"
        elif isinstance(value, CONSTANT):
            found[name] = f"{name} = {value!r}"
        if inspect.isfunction(value) and value is not function and name not in found:
            _texts(value, found)
    found[function.__name__] = text
    return found
