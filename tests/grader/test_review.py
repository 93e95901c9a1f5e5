"""Names that a person should look at, and names that are fine."""

from pathlib import Path

import pytest

import exercises
from exercises.grader.intake import assignment
from exercises.grader.mark.review import flags

KNOWN = frozenset({"numpy"})
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
        ("import google.colab, tqdm as t\n", ["google", "tqdm"]),
        ("!pip install x\nimport scipy\nx = '''", ["scipy"]),
        ("def softmax(x):\n    return softmax(x)\n", []),
        ("# torch.softmax does it\n'''About scipy and torch.softmax.'''\n", []),
        ("signal = 3\ninspect = signal\n", []),
        ("import numpy as np\nimport math\n", []),
    ],
)
def test_what_is_suspicious_and_what_is_fine(text, names):
    found = flags([text], NONE, KNOWN)
    assert sorted(flag.split()[1].rstrip(":,") for flag in found) == names


def test_what_the_instructor_names_is_fine():
    assert flags(
        ["import torch\ny = torch.softmax(x)"], frozenset({"torch"}), KNOWN | {"torch"}
    ) == ["uses softmax: a library may be solving the task here"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("torch.nn.TransformerEncoderLayer(4, 2)", "TransformerEncoderLayer"),
        ("torch.optim.Adam([p])", "Adam"),
        ("torch.nn.functional.cross_entropy(x, y)", "cross_entropy"),
    ],
)
def test_what_only_a_hidden_test_or_an_example_names_is_looked_at(text, name):
    source = Path(exercises.__file__).parent / "source/10_12_models_and_training"
    words = assignment.load(source).of(5).words
    assert flags([f"found = {text}\n"], words, KNOWN) == [
        f"uses {name}: a library may be solving the task here"
    ]


@pytest.mark.slow
def test_code_that_breaks_parsers_breaks_nothing():
    assert flags(["(" * 100_000, "a" + ".b" * 60_000, "-" * 100_000 + "1", "\0"], NONE, KNOWN) == []
