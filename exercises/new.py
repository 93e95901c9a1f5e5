"""Begin an assignment: a folder in your bank with one small worked task of each kind."""

import argparse
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
TEMPLATE = HERE / "template"
NAME = re.compile(r"[A-Za-z0-9]\w*")


def new(name: str, bank: Path) -> list[Path]:
    """Write BANK/NAME and, if the bank has none, BANK/helpers.py; return the files.

    Raises:
        ValueError: the name is none for a folder, or the folder is there already.
    """
    if not NAME.fullmatch(name):
        raise ValueError(f"NAME must be letters, digits and _ such as 01_vectors, it is {name!r}")
    if name.startswith(("mutants", "alternatives")):
        raise ValueError(f"NAME must not begin as the files beside it do, it is {name!r}")
    folder = bank / name
    if folder.exists():
        raise ValueError(f"{folder} is there already")
    folder.mkdir(parents=True)
    made = [folder / f"{name}.py"]
    title = name.replace("_", " ").strip()
    text = (TEMPLATE / "assignment.py").read_text(encoding="utf-8").replace("TITLE", title)
    made[0].write_text(text, encoding="utf-8", newline="\n")
    for file in ("mutants.py", "alternatives.py"):
        made.append(Path(shutil.copyfile(TEMPLATE / file, folder / file)))
    helpers = bank / "helpers.py"
    if not helpers.exists():
        made.append(Path(shutil.copyfile(HERE / "source" / "helpers.py", helpers)))
    return made


def main(words: Sequence[str] | None = None) -> int:
    """Begin an assignment and say what comes next; return 0, or 2 and say why nothing was made."""
    reader = argparse.ArgumentParser(prog="python -m exercises.new", description=__doc__)
    reader.add_argument("name", metavar="NAME", help="such as 01_vectors")
    words_of_bank = "the folder of your assignments, made if it is not there"
    reader.add_argument("--bank", metavar="FOLDER", type=Path, required=True, help=words_of_bank)
    given = reader.parse_args(words)
    try:
        made = new(given.name, given.bank)
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
