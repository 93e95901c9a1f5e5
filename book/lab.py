"""Open JupyterLab on copies of the chapters and exercises: `python -m book.lab`."""

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import nbformat
from nbformat.sign import NotebookNotary

from book.copies import START, Brought, bring
from book.paths import ROOT

CONFIGURATION = ROOT / "book" / "jupyter"  # nbgrader's menu off, pages shown as pages


def report(done: Brought, my: Path) -> str:
    """Say what was brought, and which copies are older than what they were made from."""
    text = f"my/ holds your copies: {len(done.new)} new, {len(done.kept)} kept as you left them."
    if done.stale:
        names = "\n".join(f"  my/{path.relative_to(my).as_posix()}" for path in done.stale)
        text += (
            f"\nThe course has changed since these were copied:\n{names}\n"
            "To get the new one, move yours elsewhere and call make lab again."
        )
    return text


def trust(copies: Sequence[Path]) -> None:
    """Sign unchanged copies, because JupyterLab shows the style of outputs that it trusts."""
    notary = NotebookNotary()  # type: ignore[no-untyped-call]
    for path in copies:
        if path.suffix == ".ipynb":
            notary.sign(nbformat.read(path, as_version=4))  # type: ignore[no-untyped-call]


def environment(given: Mapping[str, str]) -> dict[str, str]:
    """The kernels import the library of this folder; JupyterLab reads our configuration too."""
    paths = [str(CONFIGURATION), given.get("JUPYTER_CONFIG_PATH", "")]
    path = os.pathsep.join(filter(None, paths))
    return {**given, "PYTHONPATH": str(ROOT), "JUPYTER_CONFIG_PATH": path}


def main(words: Sequence[str] | None = None) -> int:
    """Copy, say so, and open JupyterLab on the page to start from."""
    reader = argparse.ArgumentParser(prog="python -m book.lab", description=__doc__)
    reader.add_argument("options", nargs="*", help="of jupyter lab, after --, such as --no-browser")
    options = reader.parse_args(words).options
    my = ROOT / "my"
    done = bring(ROOT)
    print(report(done, my), flush=True)
    trust(done.unchanged)
    program = Path(sys.executable).with_name("jupyter")
    # In a container one often is root, and JupyterLab then refuses to start without the option.
    root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    command = [str(program), "lab", START, *root, *options]
    try:
        return subprocess.run(command, cwd=my, env=environment(os.environ), check=False).returncode
    except KeyboardInterrupt:
        print("JupyterLab is closed; your copies stay in my/.")
        return 0


if __name__ == "__main__":
    sys.exit(main())
