"""What a batch left behind and is read again: what is spoiled counts for nothing."""

import pytest

from exercises.grader import command
from exercises.grader.mark import results
from exercises.grader.run import batch
from tests.grader import course

DEEP = "[" * 10**5


@pytest.mark.parametrize("text", ["[]", "{}", '{"assignment": "demo", "seed": "x"}', "{", DEEP])
def test_a_spoiled_record_of_the_batch_is_refused(tmp_path, text):
    (tmp_path / "batch.json").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"batch\.json does not contain"):
        batch.seed_of(tmp_path, "demo", None)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[]", "marking.json does not contain what a run writes: it is a list"),
        (DEEP, "marking.json does not contain what a run writes"),
        ('{"late": 5}', "marking.json does not contain what a run writes: late is 5"),
        ('{"roster": ["a.csv"]}', "roster is ['a.csv']"),
    ],
)
def test_spoiled_options_of_the_last_run_stop_the_next(tmp_path, capsys, text, says):
    course.write_source(tmp_path / "bank")
    course.write(tmp_path / "in", "ann", course.submission("ann"))
    (tmp_path / "out").mkdir()
    (tmp_path / "out/marking.json").write_text(text, encoding="utf-8")
    words = ["demo", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--no-sandbox"]
    assert command.main([*words, "--source", str(tmp_path / "bank")]) == 2
    assert says in capsys.readouterr().err


def test_a_spoiled_result_counts_for_nothing(tmp_path):
    task = results.TaskResult("a", "A", "1000", 1.0, results.Status.RIGHT)
    results.save(results.Result("ann", (task,)), tmp_path / "ann.json")
    assert results.load(tmp_path / "ann.json") is None
    (tmp_path / "ann.json").write_text(DEEP, encoding="utf-8")
    assert results.load(tmp_path / "ann.json") is None


def test_what_is_saved_is_what_is_read(tmp_path):
    task = results.TaskResult("a", "A", 0.5, 1.0, results.Status.BROKEN, "why", "hint")
    one = results.Result("ann", (task,), notes=("n",), flags=("f",), seconds=1.5, made_from="x")
    results.save(one, tmp_path / "ann.json")
    assert results.load(tmp_path / "ann.json") == one
