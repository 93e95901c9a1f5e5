"""Pose somebody's worked solution, right or wrong, its values taken from the ledger."""

import re
import tomllib
from pathlib import Path
from typing import Any

from course.ledger import recomputation
from course.ledger.entries import PATH, Ledger, load
from course.questions.question import asking, choose, right, wrong
from course.questions.slip import slip
from transformer_lib.plot.markup import Markup

SLIPS = PATH.with_name("slips.toml")
OWN = PATH.with_name("own_slips.toml")
FORMS = {"name", "impossible", "repair", "right"}
_PLACEHOLDER = re.compile(r"\{(printed|step|chain|slip|mistake [\w.]+) ([\w.-]+)\}")


def pose(id: str, path: Path | str | None = None, *, objective: int | None = None) -> Markup:
    """Pose one slip of `chapters/slips.toml` or `own_slips.toml` in its steps.

    Args:
        id: the slip's id.
        path: the file of slips, those of this repository unless given.
        objective: as in `choose`.

    Raises:
        ValueError: there is no such slip, or it names an entry that does not exist.
    """
    every = slips(path) if path else [*slips(), *slips(OWN)]
    found = [question for question in every if question["id"] == id]
    if not found:
        raise ValueError(f"id must be a slip of slips.toml, got {id!r}")
    (question,) = found
    ledger = load()
    steps = [
        choose(
            f"{id}-{i}",
            fill(step["ask"], ledger),
            [
                (right if choice.get("right") else wrong)(
                    fill(choice["text"], ledger), fill(choice["says"], ledger)
                )
                for choice in step["choices"]
            ],
        )
        for i, step in enumerate(question["steps"], start=1)
    ]
    title = asking(fill(question["title"], ledger), objective)
    given = fill(question["given"], ledger)
    return slip(id, title, given, steps, optional=question.get("optional", False))


def slips(path: Path | str | None = None) -> list[dict[str, Any]]:
    """Return all slips of the file, as they are written there."""
    return list(tomllib.loads(Path(path or SLIPS).read_text(encoding="utf-8"))["slips"])


def fill(text: str, ledger: Ledger) -> str:
    """Replace each placeholder by a value of the ledger.

    `{printed ID}` is what the note prints, `{step ID}` and `{chain ID}` what we compute,
    `{slip ID}` what the first slip that the entry names computes, and
    `{mistake FILE.FUNCTION ID}` what another mistaken formula computes from the same inputs.

    Raises:
        ValueError: a placeholder names no entry or no function.

    >>> fill("They print {printed 002.4a.d_k}.", load())
    'They print 2.'
    """

    def value(match: re.Match[str]) -> str:
        kind, id = match[1], match[2]
        if id not in ledger.numbers:
            raise ValueError(f"{match[0]} must name an entry of the ledger")
        number = ledger.numbers[id]
        if kind == "slip":
            return shown(recomputation.slip_value(number.slips[0], number))
        if kind.startswith("mistake"):
            mistaken = recomputation.function(kind.split()[1])
            inputs = recomputation.numbers_of(number.inputs)
            return shown(recomputation.nested(mistaken(**inputs)))
        return shown(getattr(number, kind))

    return _PLACEHOLDER.sub(value, text)


def shown(value: Any) -> str:
    """Write a number, or numbers nested in lists, on one line.

    >>> shown([["0.28", "0.22"], [0.541234, 1.0]])
    '[0.28, 0.22; 0.5412, 1]'
    """
    if isinstance(value, list):
        inner = [shown(item) for item in value]
        if value and isinstance(value[0], list):
            return "[" + "; ".join(row[1:-1] for row in inner) + "]"
        return "[" + ", ".join(inner) + "]"
    if isinstance(value, str):
        return value.replace("-", "−")
    return f"{value:.4f}".rstrip("0").rstrip(".").replace("-", "−")
