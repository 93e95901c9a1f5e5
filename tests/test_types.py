"""What a type checker says to a caller: an array is asked for, of either library."""

import subprocess
import sys
from pathlib import Path

import pytest

from book.paths import ROOT

RIGHT = """
import numpy as np
import torch
import transformer_lib as tl

tl.attention(np.eye(2), np.eye(2), np.eye(2))
tl.attention(torch.eye(2), torch.eye(2), torch.eye(2), torch.ones(2, 2, dtype=torch.bool))
tl.layer_norm(np.eye(2), gain=np.ones(2))
"""
WRONG = """
import transformer_lib as tl

tl.attention("a", 3, None)
tl.softmax([1.0, 2.0])
"""


@pytest.mark.slow
def test_strict_mypy_refuses_what_is_no_array(tmp_path: Path) -> None:
    for name, text in (("right", RIGHT), ("wrong", WRONG)):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", tmp_path / "right.py", tmp_path / "wrong.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    errors = [line for line in done.stdout.splitlines() if "error:" in line]
    assert len(errors) == 4 and all("wrong.py" in line for line in errors), done.stdout
    assert sum("wrong.py:4" in line for line in errors) == 3, done.stdout
