"""An input that changes is found, or survives with a reason; a row that must hold can be false."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from book import comparisons, conditions, refresh, ties, untied
from book.changes import changes
from book.text import prose

CODE = {"cell_type": "code", "metadata": {}, "outputs": []}
TEXT = {"cell_type": "markdown", "metadata": {}}
PAGE = {
    "cells": [
        CODE | {"id": "c1", "source": "pair = [2.5, 4]\nname = 'fire'\nprint(pair)"},
        CODE | {"id": "c2", "source": "factor = 10"},
        CODE | {"id": "c3", "source": "sizes = [factor * x for x in pair]\nprint(sizes)"},
        TEXT | {"id": "c4", "source": 'The <span data-tie="less">first is less</span>.'},
        CODE | {"id": "c5", "source": "assert pair[0] < 5\nprint(name, 3)"},
    ]
}
ROWS = {"less": {"holds": "sizes[0] < sizes[1] < 10 * pair[1] + 1"}}


def found(notebook: dict[str, Any], rows: dict[str, dict[str, str]]) -> dict[str, str]:
    """What finds each change, by what stands there."""
    kept = dict[str, list[str]]()
    list(untied.untied("04_attention", notebook, rows, kept))
    return {place.split(", ", 2)[2]: " ".join(what) for place, what in kept.items()}


@pytest.fixture(scope="module")
def verdicts() -> dict[str, str]:
    return found(PAGE, ROWS)


def test_a_change_that_makes_a_row_false_is_found(verdicts: dict[str, str]) -> None:
    assert verdicts["[2.5, 4]"] == "row less"


def test_a_cell_that_nothing_changed_reaches_runs_where_one_below_needs_it(
    verdicts: dict[str, str],
) -> None:
    # c2 gives the factor that c3 needs.
    assert verdicts["2.5"] == "survives c1 c3"


def test_a_change_that_nothing_finds_survives(verdicts: dict[str, str]) -> None:
    assert verdicts["4"] == "survives c1 c3"
    without = {"cells": [cell for cell in PAGE["cells"] if cell["id"] != "c4"]}
    assert found(without, {})["[2.5, 4]"] == "survives c1 c3"


def test_a_row_that_is_false_as_it_stands_is_refused() -> None:
    with pytest.raises(SystemExit, match="or a row of it is false"):
        found(PAGE, {"less": {"holds": "sizes[1] < sizes[0]"}})


def test_a_cell_that_runs_late_leaves_what_was_given_anew() -> None:
    sources = ["x = 5", "kept, given = 1, 1", "given = x", "end = (kept, given)\nprint(end)"]
    cells = [CODE | {"id": f"c{at}", "source": source} for at, source in enumerate(sources)]
    rows = {"less": {"holds": "end == (1, x)", "after": "c3"}}
    mark = TEXT | {"id": "c4", "source": 'It <span data-tie="less">holds</span>.'}
    verdicts = dict[str, list[str]]()
    list(untied.untied("04_attention", {"cells": [*cells, mark]}, rows, verdicts))
    assert verdicts["c0, line 1:5, 5"] == ["survives", "c3"]


def test_what_is_only_shown_changes_nothing(verdicts: dict[str, str]) -> None:
    assert verdicts["'fire'"] == "same"


def test_a_change_that_stops_a_cell_is_found() -> None:
    notebook = copy.deepcopy(PAGE)
    notebook["cells"][0]["source"] = "pair = [4.5, 7]"
    assert found(notebook, ROWS)["4.5"] == "cell c5 fails"


def test_an_input_in_what_draws_is_none() -> None:
    assert [c.old for c in changes("x = [1]\nplot.table(x + [2], rows=['a'])")] == ["1"]


def test_a_digest_follows_the_cells_that_a_row_needs() -> None:
    path = refresh.chapters(["08"])[0]
    notebook = prose.read(path)
    before = conditions.digests(path.stem, notebook)
    cell = next(c for c in notebook["cells"] if "def with_bias" in "".join(c["source"]))
    cell["source"] = "".join(cell["source"]) + "\n# another"
    after = conditions.digests(path.stem, notebook)
    assert before["unit-answers"] != after["unit-answers"]


@pytest.mark.parametrize("path", conditions.chapters(), ids=lambda path: path.stem)
def test_each_row_that_must_hold_is_false_for_a_known_change(path: Path) -> None:
    assert conditions.unshown(path.stem, prose.read(path)) == [], "run make chapter"


@pytest.mark.parametrize("path", conditions.chapters(), ids=lambda path: path.stem)
def test_one_change_in_ten_survives_and_has_a_reason(
    path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code = untied.main([path.stem])
    assert code == 0, capfd.readouterr().out


def test_a_new_row_that_no_change_makes_false_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conditions, "FILE", tmp_path / "conditions.json")
    monkeypatch.setattr(ties, "rows", lambda chapter: ROWS | {"less": {"holds": "pair"}})
    conditions.FILE.write_text("{}", encoding="utf-8")
    assert conditions.unshown("04_attention", PAGE) == ["less"]
    conditions.keep("04_attention", PAGE, {"c1, line 1:8": ["row less"]})
    assert conditions.unshown("04_attention", PAGE) == []
    kept = json.loads(conditions.FILE.read_text(encoding="utf-8"))
    assert kept["04_attention"]["less"]["change"] == "c1, line 1:8"


def test_a_comparison_beside_an_output_is_listed_until_it_has_a_tie() -> None:
    text = 'The first is <span data-tie="less">less</span>. The second is larger. Both are rows.'
    note = "<!-- slide: 1 min. Ask for the smaller one. -->"
    shown = CODE | {"id": "c2", "source": "2 < 3", "outputs": [{"data": {"text/plain": "True"}}]}
    notebook = {"cells": [TEXT | {"id": "c1", "source": f"{note} {text} It ends."}, shown]}
    listed = list(comparisons.comparisons(notebook))
    assert listed == ["c1: The second is larger.", "c1: Both are rows."]
    assert not list(comparisons.comparisons({"cells": notebook["cells"][:1]}))
