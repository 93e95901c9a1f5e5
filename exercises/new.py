"""Begin an assignment in your bank: one small task of each kind, or a copy of one of ours.

The helpers of a new bank draw other numbers from an id than ours do, so our public solutions are
wrong there.
"""

import argparse
import json
import re
import secrets
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
SOURCE, TEMPLATE = HERE / "source", HERE / "template"
DRAWN = 'f"{student}/{task}"'  # what helpers.py draws a student's numbers from
NAME = re.compile(r"[A-Za-z0-9]\w*")


def new(name: str, bank: Path, copied: str = "") -> list[Path]:
    """Write BANK/NAME and, if the bank has none, its helpers; return the files.

    Args:
        name: the name of the new assignment.
        bank: the folder of all assignments.
        copied: the assignment of ours that is copied.

    Raises:
        ValueError: the name cannot be used, the folder already exists, or there is no assignment
            to copy.
    """
    if copied and not (SOURCE / copied / f"{copied}.ipynb").is_file():
        raise ValueError(f"--from must name a folder of exercises/source, got {copied!r}")
    if not NAME.fullmatch(name):
        raise ValueError(f"NAME must be letters, digits and _ such as 01_vectors, got {name!r}")
    if name.startswith(("mutants", "alternatives")):
        raise ValueError(f"NAME must not begin like the files in the same folder, got {name!r}")
    folder = bank / name
    if folder.exists():
        raise ValueError(f"{folder} already exists")
    folder.mkdir(parents=True)
    made = _copy(folder, copied) if copied else _begin(folder)
    helpers = bank / "helpers.py"
    if not helpers.exists():
        text = (SOURCE / "helpers.py").read_text(encoding="utf-8")
        own = DRAWN.replace("task}", f"task}}/{secrets.token_hex(4)}")
        helpers.write_text(text.replace(DRAWN, own), encoding="utf-8", newline="\n")
        made.append(helpers)
    if not (bank / "paper.py").exists():
        made.append(Path(shutil.copyfile(SOURCE / "paper.py", bank / "paper.py")))
    return made


def _copy(folder: Path, copied: str) -> list[Path]:
    """Copy all but the digests, which are of the numbers that our helpers draw."""
    book = json.loads((SOURCE / copied / f"{copied}.ipynb").read_text(encoding="utf-8"))
    book["cells"] = [cell for cell in book["cells"] if cell["id"] != "digests"]
    made = [folder / f"{folder.name}.ipynb"]
    made[0].write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    others = sorted(file for file in (SOURCE / copied).iterdir() if file.suffix == ".py")
    return [*made, *(Path(shutil.copyfile(file, folder / file.name)) for file in others)]


def _begin(folder: Path) -> list[Path]:
    name = folder.name
    made = [folder / f"{name}.py"]
    title = name.replace("_", " ").strip()
    text = (TEMPLATE / "assignment.py").read_text(encoding="utf-8").replace("TITLE", title)
    made[0].write_text(text, encoding="utf-8", newline="\n")
    for file in ("mutants.py", "alternatives.py"):
        made.append(Path(shutil.copyfile(TEMPLATE / file, folder / file)))
    return made


def main(words: Sequence[str] | None = None) -> int:
    """Begin an assignment and print the next step; return 0, or 2 if nothing was made."""
    reader = argparse.ArgumentParser(prog="python -m exercises.new", description=__doc__)
    reader.add_argument("name", metavar="NAME", help="such as 01_vectors")
    words_of_bank = "the folder of your assignments, made if it is not there"
    reader.add_argument("--bank", metavar="FOLDER", type=Path, required=True, help=words_of_bank)
    said = "begin with a copy of an assignment of ours, such as 04_attention"
    reader.add_argument("--from", dest="copied", metavar="OURS", default="", help=said)
    given = reader.parse_args(words)
    try:
        made = new(given.name, given.bank, given.copied)
    except (ValueError, OSError) as error:
        print(f"new: {error}", file=sys.stderr)
        return 2
    for file in made:
        print(file)
    print(f"Now edit {made[0]}; exercises/GUIDE.md says how. Then try it:")
    print(f"python -m exercises.trial {given.name} --source {given.bank}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
