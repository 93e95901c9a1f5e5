"""What of the installed packages a sandbox is shown: those asked for and what they need."""

import pytest

from exercises.grader.intake import assignment
from exercises.grader.run import packages


def test_a_package_is_what_it_can_be_imported_as():
    found = packages.files_of(["numpy.linalg"])
    assert found["numpy"].is_dir()
    assert not [name for name in found if "-info" in name or name in ("..", "__pycache__")]
    with pytest.raises(ValueError, match="the package no_such_package is not installed"):
        packages.files_of(["no_such_package"])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("import numpy", ("numpy",)),
        ("torches = 1", ("numpy",)),
        ("x = 1\nfrom torch import nn", ("numpy", "torch")),
        ("import torch\ntorch.optim.SGD", ("numpy", "torch", "torch._dynamo")),
    ],
)
def test_torch_is_there_where_a_cell_imports_it(text, wanted):
    assert assignment._imports(text) == wanted
