"""A pass runs few checks of ours and few frames; `python -m book.measures` counts its calls."""

from pathlib import Path

from book.testing.calls import passes


def test_a_pass_checks_little_and_is_not_deep() -> None:
    for name, calls in passes().items():
        checks = sum(Path(each[0]).stem in ("checks", "checked", "entry") for each in calls)
        assert 0 < checks <= len(calls) / 4, name
        assert max(map(len, calls)) <= 16, name
