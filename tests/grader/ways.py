"""Ways to write an answer on paper, and what the judge, JupyterLab and the page say of each.

In a text `hand` stands for the list of 1/8, 2/8 and 5/8, and `pick` for the letters of a choice, of
which "b" is right. "right" is an answer that earns its point; else a part of what is said of it.
"""

from typing import NamedTuple

from exercises.grader.intake.assignment import HIDDEN
from exercises.grader.intake.source import read
from tests.grader import course
from tests.grader.solved import FOLDER


class Way(NamedTuple):
    """This is how one student writes an answer, and what is said of it."""

    text: str
    says: str = "right"
    below: str = ""  # a second cell, below the check
    above: str = ""  # a cell of the student's own above
    lab: str = ""  # what the check says where it runs, if this differs


NUMBERS = [
    Way("hand = [1 / 8, 2 / 8, 5 / 8]"),
    Way("hand = [0.125, .25, 625e-3]"),
    Way("hand = (1 / 8, 2 / 8, 5 / 8)"),
    Way("s = 8\nhand = [1 / s, 2 / s, 5 / s]"),
    Way("parts = [1, 2, 5]\nhand = [part / sum(parts) for part in parts]"),
    Way("hand = [n / (1 + 2 + 5) for n in (1, 2, 5)]"),
    Way("hand = list(n / 8 for n in [1, 2, 5])"),
    Way("hand = list((1 / 8, 1 / 4, 5 / 8))"),
    Way("hand = tuple([1 / 8, 1 / 4, 5 / 8])"),
    Way("hand = [round(1 / 8, 3), round(0.25, ndigits=2), 0.625]"),
    Way("hand = np.array([1, 2, 5]) / 8"),
    Way("hand = np.array([0.125, 0.25, 0.625], dtype=float)"),
    Way("hand = np.asarray([1, 2, 5]) / np.sum([1, 2, 5])"),
    Way("hand = [np.float64(0.125), np.float64(0.25), np.float64(0.625)]"),
    Way("hand = [np.float64(1) / 8, np.round(0.25, 2), np.exp(np.log(0.625))]"),
    Way("from fractions import Fraction\nhand = [Fraction(1, 8), Fraction(2, 8), Fraction(5, 8)]"),
    Way("hand = [F(1, 8), F(1, 4), F(5, 8)]", above="from fractions import Fraction as F"),
    Way("import fractions\nhand = [fractions.Fraction(n, 8) for n in (1, 2, 5)]"),
    Way(
        "from decimal import Decimal\nhand = [Decimal('0.125'), Decimal('0.25'), Decimal('0.625')]"
    ),
    Way("import math\nhand = [math.exp(math.log(n)) / 8 for n in (1, 2, 5)]"),
    Way("from math import *\nhand = [exp(log(1)) / 8, sqrt(4) / 8, 5 / 8]"),
    Way("a, b, c = 1, 2, 5\nhand = [a / 8, b / 8, c / 8]"),
    Way("a, *rest = 1, 2, 5\nhand = [a / 8, *(n / 8 for n in rest)]"),
    Way("hand: list[float] = [1 / 8, 2 / 8, 5 / 8]"),
    Way("hand = [0, 0, 0]\nhand[0] = 1 / 8\nhand[1] = 2 / 8\nhand[2] = 5 / 8"),
    Way("hand = [0] * 3\nhand[:] = [1 / 8, 2 / 8, 5 / 8]"),
    Way("hand = []\nhand.append(1 / 8)\nhand.append(2 / 8)\nhand.append(5 / 8)"),
    Way("hand = []\nfor n in (1, 2, 5):\n    hand.append(n / 8)"),
    Way("hand = [1 / 8]\nhand += [2 / 8, 5 / 8]"),
    Way("hand = [1 / 8] + [2 / 8] + [5 / 8]"),
    Way("hand = [1, 2, 5]\nfor place in range(len(hand)):\n    hand[place] /= 8"),
    Way("if True:\n    hand = [1 / 8, 2 / 8, 5 / 8]"),
    Way("if 1 + 2 + 5 == 8:\n    hand = [1 / 8, 2 / 8, 5 / 8]\nelse:\n    hand = odds"),
    Way("weights = {'one': 1, 'two': 2, 'five': 5}\nhand = [w / 8 for w in weights.values()]"),
    Way("hand = [0.125 if 2 > 1 else 0, min(1, 0.25), abs(-0.625)]"),
    Way("hand = other = [1 / 8, 2 / 8, 5 / 8]"),
    Way("print((hand := [1 / 8, 2 / 8, 5 / 8]))"),
    Way("hand = sorted([5 / 8, 1 / 8, 2 / 8])\nprint(hand, odds)\nhand"),
    Way("def half(x):\n    hand = 3\n    return x\nhand = [1 / 8, 2 / 8, 5 / 8]"),
    Way("hand = odds\nhand = [1 / 8, 2 / 8, 5 / 8]"),
    Way(f"# {'x' * 20_000}\nhand = [1 / 8, 2 / 8, 5 / 8]"),
    Way(
        'raise NotImplementedError("hand is not yet written")',
        above="hand = [1 / 8, 2 / 8, 5 / 8]",
    ),
    Way("hand = [2 / 8, 1 / 8, 5 / 8]", "not the shares", lab="right"),
    Way("hand = [1 / 9, 2 / 9, 6 / 9]", "not the shares", lab="right"),
    Way("hand = [n / 8 for n in odds]", "`odds` gets no value in this cell"),
    Way("hand = [n / 8 for n in odds]", "Write hand = [1 / 8, 1 / 4, 5 / 8]"),
    Way("hand = mine", "`mine` gets no value", above="mine = [1 / 8, 2 / 8, 5 / 8]"),
    Way("hand = [len(STUDENT_ID) / 24, 2 / 8, 5 / 8]", "`STUDENT_ID` gets no value"),
    Way("x = odds[0]\nhand = [x / 8, 2 / 8, 5 / 8]", "`odds` gets no value"),
    Way("hand = [0, 2 / 8, 5 / 8]\nhand[0] = odds[0] / 8", "`odds` gets no value"),
    Way("hand = []\nfor n in odds:\n    hand.append(n / 8)", "`odds` gets no value"),
    Way("def f(n):\n    return n / 8\nhand = [f(1), f(2), f(5)]", "`f` is none of the functions"),
    Way("hand = eval('[1 / 8, 2 / 8, 5 / 8]')", "`eval` is none of the functions"),
    Way("globals().update(hand=[1 / 8, 2 / 8, 5 / 8])", "write the whole answer after hand ="),
    Way("hand = ['1/8', '2/8', '5/8']", "write 1/8 without quotes"),
    Way("hand = ['0,125', 0.25, 0.625]", "write 0.125 without quotes"),
    Way("hand = [0,125, 0,25, 0,625]", "Python reads 0,5 as the two numbers 0 and 5"),
    Way("hand = [0,05, 0,25, 0,7]", "Python cannot read 0,05: if you mean the decimal, write 0.05"),
    Way("hand = [1 / 8, 2 / 8", "'[' was never closed"),
    Way("hand = [1 / 8, 2 / 8]", "must contain 3 numbers, but it contains 2"),
    Way("hand = 1 / 8, 2 / 8, 5 / 8, 1", "must contain 3 numbers, but it contains 4"),
    Way("hand = 0.125", "must be a list of numbers"),
    Way("hand = {1 / 8, 2 / 8, 5 / 8}", "must be a list of numbers"),
    Way("hand = [1 / 8, 2 / 8, None]", "but it contains None"),
    Way(
        "hand = [1 / 8, 2 / 8, 5 / 8]\nhand[0] = 10 ** 40 / 8 / 10 ** 40",
        "only numbers below 10 ** 30",
    ),
    Way("hand = [..., ..., ...]", "not yet written"),
    Way('raise NotImplementedError("hand is not yet written")', "not yet written"),
    Way(
        'raise NotImplementedError("hand is not yet written")\nhand = [1 / 8, 2 / 8, 5 / 8]',
        "stops the cell",
        lab="not yet written",
    ),
    Way(
        "hand = [2 / 8, 1 / 8, 5 / 8]",
        "one of them is below the check",
        below="hand = [1 / 8, 2 / 8, 5 / 8]",
        lab="right",
    ),
    Way("hand = [1 / 8, 2 / 8, 5 / 8]", below="hand = [1 / 8, 2 / 8, 5 / 8]"),
    Way(
        'raise NotImplementedError("hand is not yet written")',
        below="hand = [1 / 8, 2 / 8, 5 / 8]",
        lab="not yet written",
    ),
    Way("hand = [1 / 8, 2 / 8, 5 / 8]", below="hand[0] = 7"),
]
LETTERS = [
    Way('pick = {"guess": "a", "because": "b"}'),
    Way('pick = {"guess": None, "because": "b"}'),
    Way('pick = {"because": "b"}'),
    Way('pick = {"guess": "A", "because": "b"}'),
    Way("pick = dict(guess='a', because='b')"),
    Way('pick = {}\npick["guess"] = "a"\npick["because"] = "b"'),
    Way('pick = {"guess": "a"}\npick |= {"because": "b"}'),
    Way('pick = {"guess": "a"} | {"because": "b"}'),
    Way('pick = {"guess": "a"}\npick.update(because="b")'),
    Way('pick = {**{"guess": "a"}, "because": "b"}'),
    Way('b = "b"\npick = {"guess": "a", "because": b}'),
    Way('letter = "b"\npick = {"guess": "a", "because": f"{letter}"}'),
    Way('pick = {"guess": "a", "because": "ab"[1]}'),
    Way('keys = "guess", "because"\npick = dict(zip(keys, "ab"))'),
    Way('pick = {"guess": "a", "because": "c"}', "not the reason", lab="right"),
    Way('pick = {"guess": "a", "because": letters[1]}', "`letters` gets no value"),
    Way('pick = {"guess": "a", "because": b}', 'write "b" in quotes'),
    Way('pick = {"guess": "a", "because": "B"}', 'write "b"'),
    Way('pick = {"guess": "a", "because": "b:"}', 'write "b"'),
    Way('pick = {"guess": "a", "because": "(b)"}', 'write "b"'),
    Way('pick = {"guess": "a", "because": "b: it is so"}', 'write "b"'),
    Way('pick = {"guess": "a", "because": "\u0430"}', "yours is CYRILLIC SMALL LETTER A"),
    Way('pick = {"guess": "a", "because": "\uff42"}', 'write "b"'),
    Way('pick = {"guess": "a", "because": 2}', "must be one of a, b, c, but it is 2"),
    Way('pick = {"guess": "a", "because": ["b"]}', "must be one of a, b, c"),
    Way('pick = {"guess": "a", "because": "..."}', "must be one of a, b, c"),
    Way('pick = {"guess": "a"}', "has no entry 'because'"),
    Way('pick = {"guess": “a”, "because": “b”}', "Python cannot read the quotes"),
    Way('pick = "b"', "must be a dictionary such as"),
    Way('pick = {"guess": "...", "because": "..."}', "not yet written"),
]
WAYS = {f"hand_{n}": way for n, way in enumerate(NUMBERS)}
WAYS |= {f"pick_{n}": way for n, way in enumerate(LETTERS)}
GIVEN = 'odds = [1, 2, 5]\nletters = deal("ways", "one", "two", "three")\nletters = "abc"'
CHECKS = {
    "hand": """expect_numbers("hand", hand, 3)
### BEGIN HIDDEN TESTS
assert np.allclose(hand, [1 / 8, 2 / 8, 5 / 8], atol=0.001), "these are not the shares"
### END HIDDEN TESTS
checked("hand", hand, hand, 0.001)""",
    "pick": """expect_choices("pick", pick, guess="abc", because="abc")
### BEGIN HIDDEN TESTS
assert pick["because"] == "b", "this is not the reason"
### END HIDDEN TESTS
checked("pick", pick, [pick["because"]])""",
}
SOLVED = "### BEGIN SOLUTION\n{}\n### END SOLUTION"


def named(name, text):
    """Return a text with the name of a task in it."""
    return text.replace(name.partition("_")[0], name) if text else text


def helpers():
    """Return the text of the helpers, as a release holds it."""
    cells = read(FOLDER / "04_attention/04_attention.ipynb")["cells"]
    return next(cell["source"] for cell in cells if cell["id"] == "helpers")


def notebook(is_source):
    """Return the bank's notebook, or the one that is handed in."""
    cells = [course.code('STUDENT_ID = "ann"')]
    cells.append(course.code(helpers(), grade_id="helpers", locked=True))
    cells.append(course.code(GIVEN, grade_id="given", locked=True))
    for name, way in WAYS.items():
        kind = name.partition("_")[0]
        text = SOLVED.format({"hand": NUMBERS, "pick": LETTERS}[kind][0].text)
        answer = course.code(
            named(name, text if is_source else way.text), grade_id=name, solution=True
        )
        answer["metadata"]["tags"] = ["by-hand"]
        check = named(name, CHECKS[kind])
        check = check if is_source else HIDDEN.sub("", check)
        checks = course.code(check, grade_id=f"{name}-check", grade=True, points=1)
        loose = {where: named(name, getattr(way, where)) for where in ("above", "below")}
        around = {} if is_source else {w: [course.code(t)] for w, t in loose.items() if t}
        cells += [*around.get("above", []), answer, checks, *around.get("below", [])]
    return course.notebook(cells)
