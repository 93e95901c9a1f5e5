"""Deadlines: a rule in words, extensions, the times of each system, and what nobody knows."""

import datetime
import re
import time

import pytest

from exercises.grader.intake import tables
from exercises.grader.mark import lateness
from exercises.grader.mark.lateness import Rule, Terms
from tests.grader import marks

RULE = "10% per day, grace 30 minutes, floor 50%"
END = tables.moment("2026-03-02T12:00", "here")


def after(**parts):
    return datetime.timedelta(**parts)


@pytest.mark.parametrize(
    ("late", "share"),
    [
        (after(), 0),
        (after(minutes=30), 0),
        (after(minutes=30, seconds=1), 0.1),
        (after(days=1), 0.1),
        (after(days=1, seconds=1), 0.2),
        (after(days=3), 0.3),
        (after(days=90), 0.5),
    ],
)
def test_each_day_begun_costs_after_the_grace_and_not_below_the_floor(late, share):
    assert lateness.rule(RULE).taken(late) == pytest.approx(share, abs=1e-12)


def test_a_rule_in_few_words():
    assert lateness.rule("2.5 % per hour").taken(after(minutes=61)) == 0.05
    assert lateness.rule("Floor 20%,100% per week").taken(after(minutes=1)) == 0.8
    assert Rule().taken(after(days=9)) == 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("10 points per day", "'10 points per day' is not understood"),
        ("", "is not understood"),
        ("grace 5 minutes", "must take off"),
        ("200% per day", "must take off"),
        ("10% per day, floor 120%", "must take off"),
        ("10% per day, 5% per hour", "'5% per hour' is a second one"),
        (f"10% per day, grace {10**12} days", "a grace of 1000000000000 days is too long"),
        (f"10% per day, grace {'9' * 5000} days", "is too long"),
    ],
)
def test_another_rule_is_refused(text, says):
    with pytest.raises(ValueError, match="--late must") as caught:
        lateness.rule(text)
    assert says in str(caught.value)


@pytest.fixture
def berlin(monkeypatch):
    """The clock of a machine in Berlin, whatever zones it knows."""
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("text", "says", "first", "second"),
    [
        ("2026-10-25T02:30", "twice", "2026-10-25T02:30+02:00", "2026-10-25T02:30+01:00"),
        ("2026-03-29T02:30", "never", "2026-03-29T01:30+01:00", "2026-03-29T03:30+02:00"),
        ("Sunday, 25 October 2026, 2:30 AM", "twice", "2026-10-25T02:30+02:00", "2026-10"),
    ],
)
def test_a_deadline_in_a_change_of_the_clock_is_asked_about(
    berlin, tmp_path, text, says, first, second
):
    said = re.escape(f"--deadline: {text!r} happens {says}, because") + ".*"
    with pytest.raises(ValueError, match=said + re.escape(f" {first} or {second}")):
        tables.moment(text, "--deadline")
    # Nobody chooses when their file arrives, and no export names the zone: the earlier time counts.
    assert tables.moment("2026-10-25", "--deadline")  # another hour of the day needs no zone
    handed_in = terms(tmp_path, "", f'student,submitted\nann,"{text}"\n', [marks.handed("ann")])
    assert handed_in.times == {"ann": datetime.datetime.fromisoformat(first)}


def terms(root, extensions="", times="", class_=(), text=RULE):
    (root / "more.csv").write_text(f"student,deadline,why\n{extensions}", "utf-8")
    (root / "times.csv").write_text(times or "student,submitted\n", "utf-8")
    later = lateness.extensions(root / "more.csv", class_, END)
    return Terms(END, lateness.rule(text), later, lateness.times(root / "times.csv", class_))


@pytest.mark.parametrize(
    ("extension", "handed_in", "share", "says"),
    [
        ("bob,2026-03-03T12:00,ill", "2026-03-04T13:00", 0.3, "2 days 1 hour late: 30 % of {}."),
        (
            *("ann,2026-03-03T12:00,ill", "2026-03-04T13:00", 0.2),
            "1 day 1 hour late: 20 % of {}. The deadline was 2026-03-03 12:00: ill.",
        ),
        ("", "2026-03-02T12:00", 0, ""),
        (
            "",
            "2026-03-02T12:29:30",
            0,
            "30 minutes late, within the grace period: nothing taken off.",
        ),
    ],
)
def test_what_lateness_costs_is_said(tmp_path, extension, handed_in, share, says):
    class_ = [marks.handed("ann"), marks.handed("bob")]
    made = terms(tmp_path, extension, f"student,submitted\nann,{handed_in}\n", class_)
    assert made.of(class_[0]).share == pytest.approx(share, abs=1e-12)
    assert made.of(class_[0]).said == says.format("the points taken off")


@pytest.mark.parametrize(
    ("form", "late", "says"),
    [
        ("canvas", True, "not by how much, so no points were taken off."),
        ("ilias", False, ""),
        ("moodle", False, "The time at which it was handed in is not known."),
        ("plain", False, "The time at which it was handed in is not known."),
    ],
)
def test_what_nobody_knows_is_said_and_costs_nothing(tmp_path, form, late, says):
    found = terms(tmp_path).of(marks.handed("ann", form, late))
    assert found.share == 0
    assert found.said.endswith(says) and bool(found.said) == bool(says)


@pytest.mark.parametrize(
    ("extensions", "times", "says"),
    [
        ("eve,2026-03-03,ill\n", "", "more.csv, line 2: no student in this class has the id 'eve'"),
        ("ann,soon,ill\n", "", "more.csv, line 2: 'soon' must be a time"),
        ("ann,2026-03-02T11:59,x\n", "", "line 2: the deadline of 'ann' must not be before"),
        ("ann,2026-03-03,\n" * 2, "", "more.csv, line 3: 'ann' has two deadlines"),
        ("", "student,submitted\n\neve,2026-03-03\n", "times.csv, line 3: no student"),
        ("", "student,when\n", "times.csv must have a column submitted"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, extensions, times, says):
    with pytest.raises(ValueError, match="csv") as caught:
        terms(tmp_path, extensions, times, [marks.handed("ann")])
    assert says in str(caught.value)
