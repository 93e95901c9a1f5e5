"""Build the instructor's edition, every solution run: `python -m book.solutions`."""

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from book import assets, question_sheet
from book.environment import environment
from book.paths import ROOT
from exercises.grader.intake.source import assignments, path_of, read

FOLDER = ROOT / "_build/solutions"
OPENING = """# Solutions

For instructors. The first page has all questions of the chapters with their answers, and six oral
questions. Each exercise stands here with its solution, its hidden tests and the output of a run.
What a student gets is in `exercises/release`.
"""


def settings() -> dict[str, Any]:
    """The configuration of the book, with another title, and every notebook run."""
    config: dict[str, Any] = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    config["title"] = "The Worked Transformer: solutions"
    config["execute"] = {"execute_notebooks": "force", "timeout": 300}
    config["bibtex_bibfiles"] = [str(ROOT / "references.bib")]
    folders = ("assets", "book/live/static")
    config["sphinx"]["config"]["html_static_path"] = [str(ROOT / each) for each in folders]
    config["sphinx"]["config"]["html_extra_path"] = [str(ROOT / "assets/top")]
    config["sphinx"]["config"]["templates_path"] = []
    config["html"]["favicon"] = str(ROOT / config["html"]["favicon"])
    return config


def lay_out(source: Path, folder: Path) -> list[str]:
    """Write the source notebooks into an empty folder beside a table of contents; their names."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    names = [path.name for path in assignments(source)]
    for name in names:
        notebook = read(path_of(source / name))
        (folder / f"{name}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    contents = {
        "format": "jb-book",
        "root": "solutions",
        "chapters": [{"file": name} for name in ["questions", *names]],
    }
    (folder / "solutions.md").write_text(OPENING, encoding="utf-8")
    (folder / "questions.md").write_text(question_sheet.sheet(), encoding="utf-8")
    (folder / "_toc.yml").write_text(yaml.safe_dump(contents, sort_keys=False), encoding="utf-8")
    (folder / "_config.yml").write_text(
        yaml.safe_dump(settings(), sort_keys=False), encoding="utf-8"
    )
    return names


def main(words: Sequence[str] | None = None) -> int:
    """Build the edition and say where it lies."""
    argparse.ArgumentParser(prog="python -m book.solutions", description=__doc__).parse_args(words)
    assets.ensure(ROOT)
    names = lay_out(ROOT / "exercises/source", FOLDER)
    program = [sys.executable, "-m", "book.html.program"]
    command = [*program, "build", str(FOLDER), "--warningiserror", "--keep-going"]
    if subprocess.run(command, cwd=ROOT, env=environment(), check=False).returncode != 0:
        print("The solutions were NOT built: see the warnings above, each counts as an error.")
        return 1
    page = (FOLDER / "_build/html/index.html").relative_to(ROOT)
    print(f"Built the solutions of {len(names)} exercises. Open {page} in a browser.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
