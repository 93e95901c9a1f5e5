"""Build the book: `python -m book.build [FOLDER]`."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from book import assets, corpus
from book.environment import environment
from book.html import address, finish, flow_weights
from book.live import course_zip, page_cells, published, wheels
from book.paths import ROOT, html_folder
from book.testing import inputs

MARK = ".built-from"
RUNTIME = "assets/vendor/runtime.js"
BEFORE = "window.tlRuntime = "


def build(root: Path = ROOT) -> bool:
    """Build the pages that the sources ask for; True when they are right.

    Nothing is done when the sources are those of the last good build. Otherwise all pages are made
    anew: Sphinx forgets the warnings of a page that it does not read again.
    """
    assets.ensure(root)
    put_runtime(root)
    html = html_folder(root)
    key = os.environ.get(address.VARIABLE, "") + inputs.digest(root, inputs.PAGES)
    if (html / MARK).exists() and (html / MARK).read_text(encoding="utf-8") == key:
        print("Nothing changed since the last build.")
        return True
    for folder in (html, root / "_build/.doctrees", root / "_build/jupyter_execute"):
        shutil.rmtree(folder, ignore_errors=True)
    if run_jupyter_book(root) != 0:
        return False
    finish.finish(root)
    (html / MARK).write_text(key, encoding="utf-8")
    return True


def put_runtime(root: Path) -> None:
    """Put all that a page runs with into assets/vendor, and why it cannot run, or nothing."""
    vendor = root / "assets" / "vendor"
    reason = wheels.ensure(vendor / "pyodide")
    corpus.ensure(vendor)
    course_zip.write(vendor, root)
    published.write(vendor)
    page_cells.write(vendor, root)
    flow_weights.write(vendor)
    # A script, because a page that was opened from the disk may load one and nothing else.
    said = f"{BEFORE}{json.dumps({'reason': reason})};\n"
    (root / RUNTIME).write_text(said, encoding="utf-8")


def why_not_running(root: Path) -> str:
    """Why the pages of the last build cannot run, or nothing, as `put_runtime` wrote it."""
    said = (root / RUNTIME).read_text(encoding="utf-8")
    reason: str = json.loads(said.removeprefix(BEFORE).rstrip(";\n"))["reason"]
    return reason


def run_jupyter_book(root: Path) -> int:
    """Call Jupyter Book with warnings as errors; its exit status."""
    options = ["--warningiserror", "--nitpick", "--keep-going"]
    # The front page imports the library of this folder, whatever is installed.
    env = environment() | {"PYTHONPATH": str(root)}
    command = [sys.executable, "-m", "book.html.program", "build", str(root), *options]
    return subprocess.run(command, cwd=root, env=env, check=False).returncode


def main(words: Sequence[str] | None = None) -> int:
    """Build and say in one line what happened."""
    reader = argparse.ArgumentParser(prog="python -m book.build", description=__doc__)
    reader.add_argument("folder", nargs="?", type=Path, default=ROOT, help="default: this one")
    root = reader.parse_args(words).folder.resolve()
    start = time.perf_counter()
    if not build(root):
        print("The book was NOT built: see the warnings above, each of them counts as an error.")
        return 1
    page = os.path.relpath(html_folder(root) / "index.html")
    seconds = time.perf_counter() - start
    print(f"Built in {seconds:.0f} s. Open {page} in a browser to read,")
    # At the end, because Sphinx has written a thousand lines since it was found out.
    if reason := why_not_running(root):
        print(f"or serve it with `make serve`. Its pages will not run their code: {reason}")
    else:
        print("or serve it with `make serve`: then each page runs its code, too.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
