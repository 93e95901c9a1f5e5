"""Break the code of a room a little, many times, and see its tests fail: `make mutants ROOM=...`.

mutmut does the work in a copy of the tree below `_build/mutants` and goes on where it stopped. A
mutant that no test can tell from the code stands in tests/equivalent_mutants.toml, with the reason.
"""

import argparse
import ast
import difflib
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from book.paths import ROOT

STAGES = ROOT / "_build" / "mutants"
TOOLS = STAGES / "tools"
EQUIVALENT = ROOT / "tests" / "equivalent_mutants.toml"
MUTATED = ["transformer_lib", "exercises"]
COPIED = ["course", "book", "tests", "chapters/models", "pyproject.toml"]


class Room(NamedTuple):
    """Which files are broken and which tests, as pytest takes them, should see it."""

    files: str
    tests: list[str]
    spared: tuple[str, ...] = ()  # files that run in the sandbox, where mutmut is not


class Mutant(NamedTuple):
    """A change of a function and what came of it."""

    file: str
    function: str
    change: str  # the new lines, or what was taken away
    status: str


SHARED = ["tests/test_bad_input.py", "tests/mistakes"]
WHOLE = [
    "tests/model",
    "tests/nn/test_nn_transformer.py",
    "tests/nn/test_nn_masks_and_positions.py",
    "tests/nn/test_nn_recurrent.py",
    "tests/nn/test_nn_parity_with_torch.py",
]
ROOMS = {
    "formulas": Room("transformer_lib/formulas/*.py", ["tests/formulas", *WHOLE, *SHARED]),
    "model": Room("transformer_lib/model/*.py", [*WHOLE, *SHARED]),
    "decoding": Room("transformer_lib/decoding/*.py", ["tests/decoding", *SHARED]),
    "judge": Room(
        "exercises/grader/*.py",
        ["tests/grader", "-m", "not slow"],
        # A sandbox imports the package too; and mutmut writes invalid Python for wording.py.
        (
            *("exercises/grader/sandboxed/*", "exercises/grader/__init__.py"),
            "exercises/grader/wording.py",
        ),
    ),
}
# The exit codes of mutmut: the first test that failed, or time ran out.
STATUS = {0: "survived", 1: "killed", 3: "killed", 5: "no tests", 33: "no tests", None: "not run"}


def settings(room: Room) -> str:
    """Return what the copy of pyproject.toml tells mutmut."""
    values = {
        "source_paths": MUTATED,
        "only_mutate": [room.files],
        "do_not_mutate": room.spared,
        "also_copy": COPIED,
        "pytest_add_cli_args": ["-p", "no:cacheprovider"],
        "pytest_add_cli_args_test_selection": room.tests,
        # Tests read what an error says, but not every letter of it.
        "do_not_mutate_patterns": [r"raise \w+"],
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in values.items()]
    return "\n".join(["", "[tool.mutmut]", *lines, ""])


def stage(name: str) -> Path:
    """Copy the tree; a file that is as it was keeps its time, so that its mutants are not rerun."""
    folder = STAGES / name
    for path in MUTATED + COPIED:
        copy(ROOT / path, folder / path)
    with (folder / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(settings(ROOMS[name]))
    return folder


def copy(source: Path, target: Path) -> None:
    """Make target like source, whether file or folder."""
    if source.is_dir():
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)


def run(folder: Path, nth: int | None = None) -> None:
    """Let mutmut test what is not yet tested, or only the nth mutant of each function."""
    environment = os.environ | {"PYTHONPATH": str(TOOLS), "OMP_NUM_THREADS": "1"}
    chosen = [] if nth is None else [f"*__mutmut_{nth}"]
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", "2", *chosen]
    subprocess.run(command, cwd=folder, env=environment, check=True)


def mutants(folder: Path) -> Iterator[Mutant]:
    """Read from mutmut's files what became of each mutant."""
    for meta in sorted(folder.glob("mutants/**/*.meta")):
        file = meta.with_suffix("")
        functions = sources(file.read_text(encoding="utf-8"))
        codes = json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"]
        for key, code in codes.items():
            name = key.rpartition(".")[2]
            function = name.partition("__mutmut_")[0]
            change = changed(functions[f"{function}__mutmut_orig"], functions[name])
            shown = function.removeprefix("x_").removeprefix("xǁ").replace("ǁ", ".")
            where = str(file.relative_to(folder / "mutants"))
            yield Mutant(where, shown, change, STATUS.get(code, "killed"))


def sources(text: str) -> dict[str, str]:
    """Return the text of each function of a file by its name, without the name."""
    found = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            node.name, node.decorator_list, own = "", [], node.name
            found[own] = ast.unparse(node)
    return found


def changed(right: str, mutant: str) -> str:
    """Return the lines of the mutant that are not those of the function it was made from."""
    lines = list(difflib.ndiff(right.splitlines(), mutant.splitlines()))
    new = [line[2:].strip() for line in lines if line.startswith("+ ")]
    old = [line[2:].strip() for line in lines if line.startswith("- ")]
    return " ".join(new) or f"without {' '.join(old)}"


def retry_survivors(folder: Path) -> None:
    """After a whole run let mutmut forget what lived, which new tests may kill."""
    metas = {
        path: json.loads(path.read_text(encoding="utf-8"))
        for path in folder.glob("mutants/**/*.meta")
    }
    if any(None in meta["exit_code_by_key"].values() for meta in metas.values()):
        return
    for path, meta in metas.items():
        codes = meta["exit_code_by_key"].items()
        kept = {
            key: None if STATUS.get(code, "killed") != "killed" else code for key, code in codes
        }
        path.write_text(json.dumps(meta | {"exit_code_by_key": kept}), encoding="utf-8")


def equivalent() -> set[tuple[str, str, str]]:
    """Return the mutants that do what the code does."""
    named = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["equivalent"]
    return {
        (each["file"], each["function"], change) for each in named for change in each["changes"]
    }


def report(name: str, folder: Path, nth: int | None = None) -> None:
    """Print the score of a room, or of the sample that was tried, and its survivors."""
    found = [m for m in mutants(folder) if nth is None or m.status != "not run"]
    named = equivalent()
    alike = [m for m in found if m.status != "killed" and m[:3] in named]
    left = [m for m in found if m.status != "killed" and m[:3] not in named]
    for mutant in left:
        print(f"{mutant.status}: {mutant.file}, {mutant.function}: {mutant.change}")
    killed = len(found) - len(alike) - len(left)
    share = killed / max(1, killed + len(left))
    print(f"{name}: {killed} of {killed + len(left)} killed, {share:.1%}", end="; ")
    print(f"{len(alike)} more are equivalent to the code")


def main() -> None:
    """Run the rooms that are named, or all."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=f"of {', '.join(ROOMS)}")
    parser.add_argument("--nth", type=int, help="a sample: only the nth mutant of each function")
    given = parser.parse_args()
    chosen = given.rooms or list(ROOMS)
    if unknown := set(chosen) - set(ROOMS):
        parser.error(f"ROOM must be of {', '.join(ROOMS)}, got {', '.join(sorted(unknown))}")
    for name in chosen:
        folder = stage(name)
        retry_survivors(folder)
        try:
            run(folder, given.nth)
        except KeyboardInterrupt:
            print("\nStopped; the same command goes on from here.")
        report(name, folder, given.nth)


if __name__ == "__main__":
    main()
