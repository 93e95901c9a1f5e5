"""The learner's folder `my/`: copies that are never overwritten, and a page to start from."""

import hashlib
import json
import re
from pathlib import Path
from typing import NamedTuple

import pybtex  # type: ignore[import-untyped]

from book import toc
from book.paths import ROOT

RECORD = ".copies.json"  # what was brought, so that a copy of something older is known
START = "start.md"
RELEASE = "exercises/release"
OPENING = """# The Worked Transformer

Open [the warm-up](00_warm_up.ipynb) first, then go on from the top. In a chapter, run a cell with
Shift and Enter, change a number, and run it again.

An exercise follows its chapter. Write your answer where it says `raise NotImplementedError` and run
it, then run the check below it; a click on the three dots unfolds the check. The tally at the end
says how far you are. Then `make grade-mine FILE=my/.../....ipynb` judges it as in a class.

This folder is yours: nothing but this page is overwritten.
"""
# The book has a front page and a page of all functions, JupyterLab has neither.
FRONT = re.compile(r"\[([^\]\[]+)\]\((?:\.\./intro|api)\.md\)")
FUNCTION = re.compile(r"\[([^\]\[]+)\]\(#transformer_lib[^)]*\)")


class Brought(NamedTuple):
    """The copies that were made, those of something that has changed since, those as they came."""

    new: list[Path]
    kept: list[Path]
    stale: list[Path]
    unchanged: list[Path]


def bring(root: Path = ROOT) -> Brought:
    """Write into `my/` what is not there yet and the start page; overwrite nothing else."""
    my, done = root / "my", Brought([], [], [], [])
    my.mkdir(exist_ok=True)
    record = _record(my)
    for name, text in contents(root).items():
        target, digest = my / name, hashlib.sha256(text.encode()).hexdigest()
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
            record[name] = digest
            done.new.append(target)
        else:
            done.kept.append(target)
            if record.get(name) != digest:
                done.stale.append(target)
        if target.read_text(encoding="utf-8") == text:
            done.unchanged.append(target)
    (my / RECORD).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    (my / START).write_text(start_page(root), encoding="utf-8", newline="\n")
    return done


def _record(my: Path) -> dict[str, str]:
    try:
        kept: dict[str, str] = json.loads((my / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept


def contents(root: Path) -> dict[str, str]:
    """What a learner works on and looks up, by its path in `my/`, with links that lead there."""
    found = {}
    for path in sorted([*root.glob("chapters/*.ipynb"), *root.glob("chapters/*.md")]):
        if path.stem not in ("api", "references", "course"):
            found[path.name] = _with_links(path.read_text(encoding="utf-8"))
    for path in sorted((root / RELEASE).glob("*/*.ipynb")):
        name = f"exercises/{path.relative_to(root / RELEASE).as_posix()}"
        found[name] = path.read_text(encoding="utf-8")
    if (root / "references.bib").is_file():
        found["references.md"] = references(root / "references.bib")
    return found


def _with_links(text: str) -> str:
    return FRONT.sub(r"\1", FUNCTION.sub(r"\1", text)).replace(f"../{RELEASE}/", "exercises/")


def references(file: Path) -> str:
    """The list of references, which the book makes with a directive of its own."""
    text: str = pybtex.format_from_file(str(file), style="plain", output_backend="markdown")
    return f"# References\n\n{text}"


def start_page(root: Path) -> str:
    """What to open first, and everything else in the order of the book."""
    lines, names = [OPENING], contents(root)
    for page in toc.pages(root):
        path = Path(page)
        if page.startswith(RELEASE):
            name = f"exercises/{path.parent.name}/{path.name}.ipynb"
            lines.append(f"  - [{_title(root, page)}]({name})")
        for name in (f"{path.name}.ipynb", f"{path.name}.md"):
            if path.parent.name == "chapters" and name in names:
                lines.append(f"- [{_title(root, page)}]({name})")
    return "\n".join(lines) + "\n"


def _title(root: Path, page: str) -> str:
    notebook, text = root / f"{page}.ipynb", root / f"{page}.md"
    if notebook.is_file():
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        whole = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    else:
        whole = text.read_text(encoding="utf-8")
    return next(line[2:] for line in whole.splitlines() if line.startswith("# "))
