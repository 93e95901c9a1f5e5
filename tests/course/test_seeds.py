"""What may be claimed of training: the interval over the seeds, and each claim of the chapters."""

import ast
import json
import re
from fnmatch import fnmatch
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from book.live.torch_cells import names
from book.models import FOLDER, digest, run_files
from book.paths import ROOT
from course import seeds as seeds_module
from course.seeds import claim, count_seeds, interval, over_seeds
from transformer_lib.plot import markup
from transformer_lib.training import read_run


@pytest.mark.parametrize(
    ("seeds", "quantile"), [(3, 9.9248), (4, 5.8409), (7, 3.7074), (10, 3.2498), (31, 2.7500)]
)
def test_the_interval_is_that_of_student(seeds, quantile):
    """The quantiles stand in every table of Student's t, at 0.995."""
    low, high = interval(np.linspace(2, 4, seeds))
    error = np.linspace(2, 4, seeds).std(ddof=1) / np.sqrt(seeds)
    assert [low, high] == pytest.approx([3 - quantile * error, 3 + quantile * error], abs=1e-4)


def test_a_claim_is_clear_of_its_threshold_by_the_interval():
    assert claim([1.0, 2.0, 3.0], below=7.8) == "below 7.8"
    assert claim([1.0, 2.0, 3.0], above=-3.8) == "above -3.8"
    for threshold in ({"below": 7.7}, {"above": -3.7}, {"below": 1.0}, {"above": 3.0}):
        with pytest.raises(ValueError, match=r"mean 2\.0000, 99 % interval -3\.7301 to 7\.7301"):
            claim([1.0, 2.0, 3.0], **threshold)


def test_more_seeds_let_more_be_claimed_and_chance_makes_no_claims():
    """With an effect of four deviations the old rule passed 66 % with 3 seeds and 8 % with 10."""
    rng = np.random.default_rng(0)

    def share(seeds: int, effect: float) -> float:
        drawn = rng.normal(effect, 1, size=(1000, seeds))
        return float(np.mean([claim(each, above=0, otherwise="") != "" for each in drawn]))

    assert share(3, 4) < share(5, 4) < share(10, 4)
    assert share(10, 4) == 1
    assert max(share(3, 0), share(10, 0)) < 0.015


def test_what_all_seeds_share_is_counted_and_never_taken_for_certain(unhooked):
    """An RNN was right with three seeds of three, and at chance with the fourth."""
    with pytest.raises(ValueError, match="3 of 3 seeds gave one number, so use count_seeds"):
        claim([1.0, 1.0, 1.0], above=0.98)
    assert claim([1.0, 1.0, 1.0], above=0.98, otherwise="too close") == "too close"
    with pytest.raises(ValueError, match="9 of 10 seeds gave one number"):
        claim([*[1.0] * 9, 0.999], above=0.98)
    assert count_seeds(np.array([1.0, 1.0, 1.0]) > 0.98) == "3 of 3 seeds (17–100 %)"
    assert count_seeds([True] * 7 + [False]) == "7 of 8 seeds (36–100 %)"
    assert count_seeds([0] * 10) == "0 of 10 seeds (0–42 %)"


@pytest.mark.parametrize("seeds", [3, 8, 10])
def test_the_bounds_of_a_count_are_exact(seeds):
    """At the lower end so many or more are as rare as the tail, and at the upper end so few."""
    for hits in range(seeds + 1):
        least = [seeds_module._least(n, seeds) for n in (hits, seeds - hits)]
        for count, share in zip((hits, seeds - hits), least, strict=True):
            chances = [comb(seeds, k) * share**k * (1 - share) ** (seeds - k) for k in range(count)]
            assert 1 - sum(chances) == pytest.approx(0.005 if count else 1, abs=1e-6)


def test_a_claim_of_many_columns_needs_every_one_and_all_of_them_at_once():
    rows = np.array([[1.0, 5.0], [1.2, 5.1], [1.1, 4.9]])
    assert claim(rows, above=0.2, below=6.0) == "above 0.2 and below 6"
    assert claim(rows[:, 0], above=0.5) == "above 0.5"
    with pytest.raises(ValueError, match=r"mean 1\.1000, 99 % interval 0\.2866 to 1\.9134"):
        claim(rows, above=0.3)


def test_what_cannot_be_claimed_can_be_said_otherwise():
    assert claim([0.0, 1.0, 2.0], above=0.0, otherwise="too close") == "too close"
    assert claim([6.0, 7.0, 8.0], above=0.0, otherwise="too close") == "above 0"


@pytest.mark.parametrize("each", [[1.0, 1.0], 1.0, []])
def test_three_seeds_are_needed(each, unhooked):
    for call in (
        lambda: claim(each, above=0.0),
        lambda: over_seeds(each),
        lambda: count_seeds(each),
    ):
        with pytest.raises(ValueError, match="three seeds or more"):
            call()
    with pytest.raises(ValueError, match="above or below must be given"):
        claim([1.0, 1.0, 1.0])


def test_the_spread_stands_beside_the_mean():
    assert over_seeds([0.5, 0.25, 0.3], 3) == "0.350 (0.250 to 0.500)"
    assert over_seeds([0.5, 0.25, 0.3], 0, percent=True) == "35 % (25 to 50)"


RUNS = json.loads((FOLDER / "figures.json").read_text(encoding="utf-8"))


def test_every_run_has_its_figures_over_its_seeds_and_they_are_up_to_date():
    assert {path.stem: (digest(path), read_run(path).seeds) for path in run_files()} == {
        name: (run["digest"], len(run["seeds"])) for name, run in RUNS.items()
    }
    for run in RUNS.values():
        assert len(run["seeds"]) >= 3
        for figure in run["figures"].values():
            each = np.array(figure["each"])
            assert len(each) == len(run["seeds"])
            assert figure["spread"] == pytest.approx(np.ptp(each, axis=0), abs=1e-4)


def test_stored_models_are_the_first_seed_of_their_figures():
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


WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
SAID = re.compile(rf"\b({'|'.join(WORDS)}) seeds\b", re.IGNORECASE)


@pytest.mark.parametrize("path", sorted(ROOT.glob("chapters/*.ipynb")), ids=lambda path: path.stem)
def test_a_chapter_says_as_many_seeds_as_the_runs_have_that_it_reads(path: Path) -> None:
    apart = json.loads((FOLDER / "experiments/figures.json").read_text(encoding="utf-8"))
    code = "\n".join(code_cells(path))
    quoted = re.findall(r'"([a-z_]\w*\*?)"', code)
    seeds = {
        len(run["seeds"])
        for name, run in {**RUNS, **apart}.items()
        if any(fnmatch(name, each) for each in quoted)
    }
    source = [cell["source"] for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]
    if "read_figures" in code or "read_study" in code:
        assert {WORDS[each.lower()] for each in SAID.findall(str(source))} <= seeds


def needed(cells: list[str]) -> list[str]:
    """The cells that make claims, and those before them that define what they use."""
    kept: list[str] = []
    wanted: set[str] = set()
    for cell in reversed(cells):
        taken, left = names(ast.parse(cell))
        if "claim(" in cell or left & wanted:
            kept.insert(0, cell)
            wanted |= taken
    return kept


CLAIMING = [
    p for p in sorted(ROOT.glob("chapters/*.ipynb")) if "claim(" in p.read_text(encoding="utf-8")
]


def test_the_chapters_that_quote_training_make_claims():
    expected = ["08", "12", "14", "15", "16", "18", "own", "recurrent", "training"]
    assert [path.stem.split("_")[0] for path in CLAIMING] == expected


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("path", CLAIMING, ids=lambda path: path.stem)
def test_every_claim_has_its_margin_and_falls_with_it(path: Path, monkeypatch: Any) -> None:
    made = []

    def recorded(each: Any, **thresholds: Any) -> str:
        made.append((np.array(each), thresholds))
        return claim(each, **thresholds)

    monkeypatch.setattr(seeds_module, "claim", recorded)
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
        columns = each.reshape(len(each), -1).T
        ends = np.array([interval(column, 0.005 / len(columns)) for column in columns])
        for threshold in thresholds.values():
            assert (np.sign(ends - threshold) == np.sign(each.mean() - threshold)).all()
        nearest = min(np.min(abs(each.mean(axis=0) - at)) for at in thresholds.values())
        torn = each + nearest * (np.arange(len(each)) - (len(each) - 1) / 2).reshape(
            -1, *[1] * (each.ndim - 1)
        )
        with pytest.raises(ValueError, match="cannot be claimed"):
            claim(torn, **thresholds)
