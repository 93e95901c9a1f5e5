"""What a batch left behind and is read again: what is spoiled counts for nothing."""

import pytest

from exercises.grader import batch, results


@pytest.mark.parametrize("text", ["[]", "{}", '{"assignment": "demo", "seed": "x"}'])
def test_a_spoiled_record_of_the_batch_is_refused(tmp_path, text):
    (tmp_path / "batch.json").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="does not hold the seed"):
        batch.seed_of(tmp_path, "demo", None)


def test_a_spoiled_result_counts_for_nothing(tmp_path):
    task = results.TaskResult("a", "A", "1000", 1.0, results.Status.RIGHT)
    results.save(results.Result("ann", (task,)), tmp_path / "ann.json")
    assert results.load(tmp_path / "ann.json") is None
    (tmp_path / "ann.json").write_text("[" * 10**5, encoding="utf-8")
    assert results.load(tmp_path / "ann.json") is None


def test_what_is_saved_is_what_is_read(tmp_path):
    task = results.TaskResult("a", "A", 0.5, 1.0, results.Status.BROKEN, "why", "hint")
    one = results.Result("ann", (task,), notes=("n",), flags=("f",), seconds=1.5, made_from="x")
    results.save(one, tmp_path / "ann.json")
    assert results.load(tmp_path / "ann.json") == one
