"""What may be claimed of training: the margin over the spread, and every claim of the chapters."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from book.models import FOLDER, digest, run_files
from book.paths import ROOT
from course import seeds
from course.seeds import claim, over_seeds
from transformer_lib.plot import markup


def test_the_margin_is_twice_the_spread():
    assert claim([1.0, 2.0, 3.0], below=6.0) == "below 6"
    assert claim([1.0, 2.0, 3.0], above=-2.0) == "above -2"
    for threshold in ({"below": 5.99}, {"above": -1.99}, {"below": 1.0}, {"above": 3.0}):
        with pytest.raises(ValueError, match=r"cannot be claimed: mean 2\.0000, spread 2\.0000"):
            claim([1.0, 2.0, 3.0], **threshold)


def test_without_spread_the_mean_still_has_to_be_beyond_the_threshold():
    assert claim([1.0, 1.0, 1.0], above=0.98) == "above 0.98"
    with pytest.raises(ValueError, match="above 1 cannot be claimed"):
        claim([1.0, 1.0, 1.0], above=1.0)


def test_a_claim_of_many_columns_needs_every_one():
    rows = np.array([[1.0, 5.0], [1.2, 5.1], [1.1, 4.9]])
    assert claim(rows, above=0.5, below=6.0) == "above 0.5 and below 6"
    rows[0, 1] = 3.0
    with pytest.raises(ValueError, match=r"mean 4\.3333, spread 2\.1000, margin 1\.6667"):
        claim(rows, above=0.5, below=6.0)


def test_what_cannot_be_claimed_can_be_said_otherwise():
    assert claim([0.0, 1.0, 2.0], above=0.0, otherwise="too close") == "too close"
    assert claim([4.0, 5.0, 6.0], above=0.0, otherwise="too close") == "above 0"


@pytest.mark.parametrize("each", [[1.0, 1.0], 1.0, []])
def test_three_seeds_are_needed(each, unhooked):
    for call in (lambda: claim(each, above=0.0), lambda: over_seeds(each)):
        with pytest.raises(ValueError, match="three seeds or more"):
            call()
    with pytest.raises(ValueError, match="above or below must be given"):
        claim([1.0, 1.0, 1.0])


def test_the_spread_stands_beside_the_mean():
    assert over_seeds([0.5, 0.25, 0.3], 3) == "0.350 (0.250 to 0.500)"
    assert over_seeds([0.5, 0.25, 0.3], 0, percent=True) == "35 % (25 to 50)"


RUNS = json.loads((FOLDER / "figures.json").read_text(encoding="utf-8"))


def test_every_run_has_its_figures_over_three_seeds_and_they_are_up_to_date():
    assert {path.stem: digest(path) for path in run_files()} == {
        name: run["digest"] for name, run in RUNS.items()
    }
    for run in RUNS.values():
        assert len(run["seeds"]) >= 3
        for figure in run["figures"].values():
            each = np.array(figure["each"])
            assert len(each) == len(run["seeds"])
            assert figure["spread"] == pytest.approx(np.ptp(each, axis=0), abs=1e-4)


def test_kept_models_are_the_first_seed_of_their_figures():
    for story in FOLDER.glob("*.json"):
        beside = any(part in story.name for part in (".checkpoint.", ".tokenizer.", ".units."))
        if story.name != "figures.json" and not beside:
            about = json.loads(story.read_text(encoding="utf-8"))["about"]
            run = RUNS[story.stem]
            assert run["seeds"][0] == about["seed"]
            assert run["figures"]["loss"]["each"][0] == pytest.approx(about["loss"], abs=1e-4)


def code_cells(path: Path) -> list[str]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def needed(cells: list[str]) -> list[str]:
    """The cells that make claims, and those before them that define what they use."""
    kept: list[str] = []
    wanted: set[str] = set()
    for cell in reversed(cells):
        names = [node for node in ast.walk(ast.parse(cell)) if isinstance(node, ast.Name)]
        defined = set(re.findall(r"(?m)^def (\w+)|(?:import|as|,) (\w+)", cell))
        stored = {n.id for n in names if isinstance(n.ctx, ast.Store)} | set().union(*defined)
        if "claim(" in cell or stored & wanted:
            kept.insert(0, cell)
            wanted |= {n.id for n in names if isinstance(n.ctx, ast.Load)}
    return kept


CLAIMING = [
    p for p in sorted(ROOT.glob("chapters/*.ipynb")) if "claim(" in p.read_text(encoding="utf-8")
]


def test_the_chapters_that_quote_training_make_claims():
    expected = ["01", "08", "12", "13", "14", "15", "16", "18"]
    assert [path.stem[:2] for path in CLAIMING] == expected


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("path", CLAIMING, ids=lambda path: path.stem)
def test_every_claim_has_its_margin_and_falls_with_it(path: Path, monkeypatch: Any) -> None:
    made = []

    def recorded(each: Any, **thresholds: Any) -> str:
        made.append((np.array(each), thresholds))
        return claim(each, **thresholds)

    monkeypatch.setattr(seeds, "claim", recorded)
    monkeypatch.setattr(markup, "_shared", set())  # what a chapter shows for all of its outputs
    monkeypatch.chdir(path.parent)
    space: dict[str, Any] = {}
    for cell in needed(code_cells(path)):
        exec(cell, space)
    assert made
    for each, thresholds in made:
        other = thresholds.pop("otherwise", None)
        if other is not None and claim(each, **thresholds, otherwise=other) == other:
            continue
        mean, spread = each.mean(axis=0), np.ptp(each, axis=0)
        for threshold in thresholds.values():
            assert np.all(abs(mean - threshold) >= 2 * spread)
        nearest = min(np.min(abs(mean - threshold)) for threshold in thresholds.values())
        noise = 0.26 * nearest * np.array([-1, *np.zeros(len(each) - 2), 1])
        torn = mean + noise.reshape(-1, *[1] * (each.ndim - 1))
        with pytest.raises(ValueError, match="cannot be claimed"):
            claim(torn, **thresholds)
