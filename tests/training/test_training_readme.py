"""The lines of the library's README that lead from a text file to a sample."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

README = Path(__file__).parents[2] / "transformer_lib" / "README.md"
WHO = ("The cat", "The dog", "A bird", "The old man", "A child")
DID = ("sat on", "ran to", "looked at", "slept by")
WHAT = ("the mat", "a tree", "the house", "the river")


def lines() -> str:
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    (found,) = [block for block in blocks if "my.txt" in block]
    return str(found)


def ran(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run the lines beside a small text; the names that they define."""
    rng = np.random.default_rng(0)
    sentences = [" ".join(rng.choice(part) for part in (WHO, DID, WHAT)) for _ in range(400)]
    (folder / "my.txt").write_text(".\n".join(sentences), encoding="utf-8")
    monkeypatch.chdir(folder)
    names: dict[str, Any] = {}
    exec(compile(lines(), "README.md", "exec"), names)
    return names


def test_they_are_about_fifteen() -> None:
    statements = [line for line in lines().splitlines() if line and "import" not in line]
    assert len(statements) <= 15


def test_the_loss_falls_and_a_sample_comes_out_each_time_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ran(tmp_path, monkeypatch)
    losses = names["history"].losses
    assert losses[0] > 5 and np.mean(losses[-10:]) < 1
    said, sample = capsys.readouterr().out.split("The loss fell", 1)[1].split("\n", 1)
    assert said == f" from {losses[0]:.2f} to {losses[-1]:.2f}."
    known = set(" ".join(WHO + DID + WHAT).split())
    words = re.findall(r"\w+", sample)
    assert len(words) > 20 and sum(word in known for word in words) > 0.8 * len(words), sample
    again = ran(tmp_path, monkeypatch)  # the lines give each seed
    assert again["history"].losses == losses and again["found"].tokens == names["found"].tokens
