"""Names that a person should look at, and names that are fine."""

import pytest

from exercises.grader.review import flags

NONE = frozenset()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import scipy.special\n", ["scipy"]),
        ("from scipy import special as s\n", ["scipy"]),
        ("from torch.nn.functional import softmax\n", ["softmax", "torch"]),
        ("def f(x):\n    return x.softmax(-1)\n", ["softmax"]),
        ("y = getattr(torch, 'soft' + 'max')\n", ["getattr"]),
        ("y = helper(torch, 'softmax')\n", ["softmax"]),
        ("import sys\nf = sys._getframe()\n", ["_getframe"]),
        ("!pip install x\nimport scipy\nx = '''", ["scipy"]),
    ],
)
def test_suspicious(text, names):
    assert [flag.split()[1].rstrip(":") for flag in flags([text], NONE)] == names


@pytest.mark.parametrize(
    "text",
    [
        "def softmax(x):\n    return softmax(x)\n",
        "# torch.softmax does it\n'''About scipy and torch.softmax.'''\n",
        "signal = 3\ninspect = signal\n",
        "import numpy as np\nimport math\n",
    ],
)
def test_fine(text):
    assert flags([text], NONE) == []


def test_what_the_instructor_names_is_fine():
    assert flags(["import torch\ny = torch.softmax(x)"], frozenset({"torch"})) == [
        "uses softmax: a library may do the task here"
    ]


@pytest.mark.slow
def test_code_that_breaks_parsers_breaks_nothing():
    assert flags(["(" * 100_000, "a" + ".b" * 60_000, "-" * 100_000 + "1", "\0"], NONE) == []
