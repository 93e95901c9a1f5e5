"""Storage: the recomputed fields of the ledger's file, written beside those typed by hand."""

import json
import re
from pathlib import Path
from typing import Any

from course.ledger.entries import PATH, load
from course.ledger.recomputation import Result, recompute

WRITTEN = ("step", "chain", "counted", "verdict", "chain_verdict")
_WRITTEN_LINE = re.compile(rf"({'|'.join(WRITTEN)}) = ")
_HEADER = re.compile(r"\[\[(numbers|statements)\]\]\s*")


def write(path: Path | str | None = None) -> int:
    """Recompute every entry and rewrite the file; comments, order and typed fields stay.

    Returns:
        The number of entries.
    """
    file = Path(path or PATH)
    ledger = load(file)
    results = iter([recompute(number, ledger) for number in ledger.numbers.values()])
    blocks = _blocks(file.read_text(encoding="utf-8"))
    lines = [
        line
        for kind, block in blocks
        for line in (_rewritten(block, next(results)) if kind == "numbers" else block)
    ]
    file.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
    return len(ledger.numbers)


def differences(path: Path | str | None = None) -> list[str]:
    """Recompute every entry and name each field that the file holds otherwise."""
    ledger = load(path)
    pairs = [(number, recompute(number, ledger)) for number in ledger.numbers.values()]
    return [
        f"{number.id}: {name} is {getattr(number, name)!r} in the file, {getattr(result, name)!r} "
        "recomputed"
        for number, result in pairs
        for name in WRITTEN
        if getattr(number, name) != getattr(result, name)
    ]


def _blocks(text: str) -> list[tuple[str, list[str]]]:
    """Cut the file before every [[...]] header; what comes before the first has the kind ''."""
    blocks: list[tuple[str, list[str]]] = [("", [])]
    for line in text.splitlines():
        if header := _HEADER.fullmatch(line):
            blocks.append((header[1], []))
        blocks[-1][1].append(line)
    return blocks


def _rewritten(block: list[str], result: Result) -> list[str]:
    typed = [line for line in block if not _WRITTEN_LINE.match(line)]
    end = len(typed)
    # Blank lines and comments at the end lead to the next entry and stay behind the fields.
    while not typed[end - 1].strip() or typed[end - 1].startswith("#"):
        end -= 1
    values = {name: getattr(result, name) for name in WRITTEN}
    fields = [f"{name} = {_toml(value)}" for name, value in values.items() if value is not None]
    return typed[:end] + fields + typed[end:]


def _toml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_toml(item) for item in value)}]"
    return json.dumps(value) if isinstance(value, str) else repr(value)
