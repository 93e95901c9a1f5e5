"""Questions that are judged in the page: a choice among answers, or a number to type."""

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from course.style import SCRIPT, STYLE
from transformer_lib.plot.markup import Content, Markup, as_markup, escape, join, parts

# Keeps JupyterLab from taking the keys: arrows would move between cells, Enter would open one.
_KEYS = "data-lm-suppress-shortcuts"
_CHECK = f'<button {_KEYS} type="button" class="tl-check">Check</button>'
_YES = re.compile(r"Yes\b|(It|He|She|They) (is|are|can be) right|They do\b")
_COUNTED = "none one two three four five six seven eight nine ten".split()
_AMOUNT = re.compile(rf"([-−]?\d+(?:\.\d+)?|{'|'.join(_COUNTED)})\b(.*)")
_NO_SCRIPT = "<noscript>A script of this page judges answers, and scripts are off.</noscript>"


class Choice(NamedTuple):
    """One answer offered, whether it is right, and what is said to who chooses it."""

    label: Content
    feedback: str
    is_right: bool


def right(label: Content, feedback: str) -> Choice:
    """Offer a right answer and say why it is right."""
    return Choice(label, feedback, True)


def wrong(label: Content, feedback: str) -> Choice:
    """Offer a wrong answer and say which mistake leads to it."""
    return Choice(label, feedback, False)


def choose(
    id: str, prompt: Content, choices: Sequence[Choice], *, objective: int | None = None
) -> Markup:
    """Ask for one of several answers, judged by Enter or by a button.

    Numbers are shown in ascending order and a yes comes first. Any other order is drawn by the id,
    so the order is the same on every machine and says nothing about which answer is right.

    Args:
        id: letters, digits and hyphens, unique in the page; the ids of the inputs start with it.
        prompt: inline HTML; of a list, the first part is the question and the rest is shown below.
        choices: two or more, made by `right` and `wrong`, at least one of them right.
        objective: the number of the chapter's objective that it asks, which is shown.

    Raises:
        ValueError: the id is no id, or there are too few choices or no right one.
    """
    _check_id(id)
    if len(choices) < 2 or not any(choice.is_right for choice in choices):
        raise ValueError(f"choices of {id} must be two or more, at least one of them right")
    labels = [join(choice.label) for choice in choices]
    order = _order(id, [label.text for label in labels])
    body = "".join(_choice(id, i + 1, labels[i], choices[i]) for i in order)
    asked = f'<div class="tl-answer">{_CHECK}<span class="tl-none" role="status"></span></div>'
    offered = "".join(f"\n( ) {labels[i].text}" for i in order)
    head = tuple(tag for label in labels for tag in label.head)
    return _fieldset(id, asking(prompt, objective), Markup(body + asked, offered, (*head, SCRIPT)))


def number(
    id: str,
    prompt: Content,
    answer: float,
    *,
    tolerance: float = 5e-4,
    right: str = "",
    wrong: str = "",
    mistakes: Mapping[float, str] | None = None,
    objective: int | None = None,
) -> Markup:
    """Ask for a number, judged by Enter or by a button.

    It may be typed as a fraction or a product, and with a decimal comma: 3/4, 2*3, 0,75.

    Args:
        id: letters, digits and hyphens, unique in the page.
        prompt: inline HTML that also says how many decimals to give; a list as in `choose`.
        answer: the right number.
        tolerance: how far from it a right answer may be, both ends included.
        right: what is said of the right number.
        wrong: what is said of any other number; if it is empty, the page gives a hint that fits.
        mistakes: what is said of the numbers that known mistakes lead to.
        objective: as in `choose`.

    Raises:
        ValueError: the id is no id, the answer is not finite, the tolerance is not positive, or a
            mistake would be judged right.
    """
    _check_id(id)
    if not math.isfinite(answer) or not 0 < tolerance < math.inf:
        raise ValueError(f"answer and tolerance of {id} must be finite, the tolerance above 0")
    near = [value for value in mistakes or {} if abs(value - answer) <= 2 * tolerance]
    if near:
        raise ValueError(f"mistakes of {id} must lie apart from the answer, got {near}")
    said = [[float(value), _verdict(False, text)] for value, text in (mistakes or {}).items()]
    data = {
        "answer": f"{float(answer):.10g}",
        # The last digit that binary numbers cannot hold must not cost a right answer.
        "tolerance": f"{tolerance * (1 + 1e-9):.12g}",
        "right": _verdict(True, right),
        "wrong": _verdict(False, wrong),
        "mistakes": json.dumps(said, ensure_ascii=False, allow_nan=False),
    }
    attributes = " ".join(f'data-{key}="{escape(value)}"' for key, value in data.items())
    body = (
        f'<div class="tl-answer"><label for="{id}-number">Your number</label>'
        f'<input {_KEYS} type="text" inputmode="decimal" autocomplete="off" class="tl-number" '
        f'id="{id}-number" {attributes}>{_CHECK}'
        f'<output class="tl-feedback" for="{id}-number"></output></div>'
    )
    return _fieldset(id, asking(prompt, objective), Markup(body, "\nYour number: ____", (SCRIPT,)))


def asking(prompt: Content, objective: int | None) -> list[str | Markup]:
    """Say which objective of its chapter a question asks, at the end of its first part.

    >>> asking("What sums to 1?", 2)
    [What sums to 1? (Objective 2)]
    """
    first, *below = parts(prompt)
    if objective is None:
        return [first, *below]
    shown, said = as_markup(first), f"Objective {objective}"
    html = f'{shown.html} <small class="tl-objective">{said}</small>'
    return [Markup(html, f"{shown.text} ({said})", shown.head), *below]


def _check_id(id: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9-]*", id):
        raise ValueError(f"id must be small letters, digits and hyphens, letter first, got {id!r}")


def _order(id: str, labels: Sequence[str]) -> list[int]:
    """The places of the choices, in the order in which they are shown."""
    found = [_AMOUNT.fullmatch(label) for label in labels]
    amounts = [(_value(amount[1]), amount[2]) for amount in found if amount]
    if len(amounts) == len(labels) and len({unit for _, unit in amounts}) == 1:
        return sorted(range(len(labels)), key=amounts.__getitem__)
    drawn = [hashlib.sha256(f"{id}-{i}".encode()).digest() for i in range(len(labels))]
    return sorted(range(len(labels)), key=lambda i: (not _YES.match(labels[i]), drawn[i]))


def _value(amount: str) -> float:
    return _COUNTED.index(amount) if amount in _COUNTED else float(amount.replace("−", "-"))


def _choice(id: str, i: int, label: Markup, choice: Choice) -> str:
    own = f"{id}-{i}"
    verdict = "right" if choice.is_right else "wrong"
    return (
        f'<div class="tl-choice"><input {_KEYS} type="radio" name="{id}" id="{own}" '
        f'data-verdict="{verdict}"><label for="{own}">{label.html}</label>'
        f'<div role="status"><div class="tl-feedback" data-for="{own}">'
        f"{_verdict(choice.is_right, choice.feedback)}</div></div></div>"
    )


def _verdict(is_right: bool, feedback: str) -> str:
    return f"<b>{'✓ Right.' if is_right else '✗ Not so.'}</b> {feedback}".rstrip()


def _fieldset(id: str, prompt: Content, body: Markup) -> Markup:
    first, *below = parts(prompt)
    legend, shown = as_markup(first), join(below)
    html = (
        f'<fieldset class="tl-question" id="{id}">'
        f"<legend>{legend.html}</legend><div>{shown.html}</div>{body.html}{_NO_SCRIPT}</fieldset>"
    )
    text = "\n".join(part.text for part in (legend, shown) if part.text) + body.text
    head = dict.fromkeys((STYLE, *legend.head, *shown.head, *body.head))
    return Markup(html, text, tuple(head))
