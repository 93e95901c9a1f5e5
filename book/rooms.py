"""Draw which room imports which, for docs/architecture.md: `python -m book.rooms`."""

import argparse
import sys
from collections.abc import Sequence
from graphlib import TopologicalSorter
from pathlib import Path

from book import floors
from book.imports import Imports, arrows
from book.paths import ROOT

PICTURE, PAGE = ROOT / "docs" / "rooms.svg", ROOT / "docs" / "architecture.md"
START, END = "<!-- written by python -m book.rooms -->", "<!-- end of what it writes -->"
COLORS = {"transformer_lib": "#dbeafe", "course": "#fde7cf"}
OTHERS = "#eceff1"


def drawings(found: Imports) -> dict[Path, str]:
    """What the picture and the page shall hold.

    Raises:
        graphlib.CycleError: two rooms import each other, directly or by way of others.
    """
    check(found)
    shown = drawn(found)
    graph = {name(room): {name(below) for below in found[room]} for room in shown}
    colors = {name(room): COLORS.get(room.split(".")[0], OTHERS) for room in shown}
    before, rest = PAGE.read_text(encoding="utf-8").split(START)
    page = f"{before}{START}\n\n{table(graph)}\n\n{END}{rest.split(END)[1]}"
    return {PICTURE: floors.svg(graph, colors), PAGE: page}


def check(found: Imports) -> None:
    """Raise graphlib.CycleError where the arrows do not go one way."""
    TopologicalSorter(found).prepare()


def drawn(found: Imports) -> list[str]:
    """The rooms worth a box, the lowest first: a folder that only holds other rooms is none."""
    used = {below for names in found.values() for below in names}
    folders = {room.split(".")[0] for room in found if "." in room}
    shown = [room for room in found if found[room] or room in used or room not in folders]
    return sorted(shown, key=lambda room: (floors.floor(room, found), room))


def table(graph: Imports) -> str:
    """All arrows, from a row to a column; as they go one way, half of the table is empty."""
    rooms = list(graph)
    width = max(map(len, rooms))
    head = " " * (width + 4) + "".join(f"{number:3}" for number in range(1, len(rooms)))
    lines = ["```text", head]
    for number, room in enumerate(rooms, start=1):
        marks = "".join("  ■" if other in graph[room] else "  ·" for other in rooms[: number - 1])
        lines.append(f"{number:2}  {room:{width}}{marks}".rstrip())
    return "\n".join([*lines, "```"])


def name(room: str) -> str:
    """A room by its folder; `tl` is what `import transformer_lib as tl` gives."""
    short = room.removeprefix("transformer_lib.").replace(".", "/")
    return "tl" if short == "transformer_lib" else short


def main(words: Sequence[str] | None = None) -> int:
    """Draw, and say what changed."""
    argparse.ArgumentParser(prog="python -m book.rooms", description=__doc__).parse_args(words)
    for path, text in drawings(arrows()).items():
        same = path.exists() and path.read_text(encoding="utf-8") == text
        path.write_text(text, encoding="utf-8")
        print(f"{path.relative_to(ROOT)}: {'as it was' if same else 'drawn anew'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
