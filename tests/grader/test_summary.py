"""The page of the class: tasks as columns, what to look at, nothing from elsewhere."""

import base64
import hashlib
import re

import pytest

from exercises.grader.mark import overrides
from exercises.grader.mark.graded import Graded
from exercises.grader.mark.lateness import Lateness
from exercises.grader.mark.results import Status
from exercises.grader.report.summary import histogram, summary
from tests.grader import marks


def graded(student="ann", **statuses):
    return Graded(marks.handed(student), marks.judged(student, **statuses))


def rows_of(page):
    """The cells of the table of students, one list per student."""
    body = page.partition("<h2>Students</h2>")[2].partition("<tbody>")[2].partition("</tbody>")[0]
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in body.split("</tr>")]
    return [row for row in rows if row]


@pytest.mark.parametrize("status", [Status.BROKEN, Status.TIMED_OUT, Status.NOT_JUDGED])
def test_what_a_person_must_look_at_says_so_in_task_and_row(status):
    page = summary("demo", [graded(softmax=status), graded("bob", softmax=Status.WRONG)])
    ann, bob = rows_of(page)
    assert ann[2] == f"{status} in &#x27;The task softmax&#x27;"
    assert f'<small class="bad">{status}</small>' in ann[4]
    assert (bob[2], bob[4]) == ("", "0")


def test_the_judges_own_flag_is_not_said_twice():
    one = graded(softmax=Status.TIMED_OUT)
    flag = "timed out in 'The task softmax'"
    assert one._replace(judged=one.judged._replace(flags=(flag,))).look_at == [flag]


def test_tasks_are_columns_that_sort_by_number():
    page = summary("demo", [graded(), graded("bob", double=Status.WRONG)])
    for name in ("double", "softmax", "answer"):
        assert f'<th scope="col" class="number"><span title="The task {name}">{name}<' in page
    assert '<td data-key="0" class="number">0</td>' in page
    assert '<td data-key="6" class="number">6</td>' in page


def test_who_is_not_judged_is_in_no_average_and_no_bar():
    class_ = [graded(), graded("bob", double=Status.NOT_JUDGED)]
    assert sum(histogram([one for one in class_ if one.earned is not None])) == 1
    page = summary("demo", class_)
    assert "2 submissions, 6 of 6 points on average. 1 not judged." in page
    assert "softmax</th><td" in page and "1 of 1" in page


def test_a_file_that_cannot_be_read_is_in_no_average(tmp_path):
    broken = Graded(marks.handed("bob"), marks.unread(marks.demo(tmp_path), "bob"))
    page = summary("demo", [graded(softmax=Status.WRONG), broken])
    assert "2 submissions, 3 of 6 points on average. 1 could not be graded." in page
    assert "0 to 10 %: 0," in page and "0 of 1" in page
    points = {"double": overrides.Override("bob", "double", 1.0, "read on paper")}
    page = summary("demo", [graded(softmax=Status.WRONG), broken._replace(overrides=points)])
    assert "2 submissions, 2 of 6 points on average.<" in page


def test_who_got_points_without_a_file_handed_in_nothing_all_the_same():
    points = {"double": overrides.Override("bob", "double", 1.0, "said it")}
    one = Graded(
        marks.handed("bob")._replace(inside=""), marks.judged("bob", **marks.ABSENT), points
    )
    page = summary("demo", [graded(), one])
    assert "1 submissions, 3.5 of 6 points on average. 1 more handed in nothing.<" in page


def test_only_the_page_s_own_script_may_run():
    page = summary("demo", [graded("<script>alert(1)</script>")])
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'" in page
    assert "://" not in page


def test_a_deadline_has_a_column_where_there_is_one():
    late = graded()._replace(late=Lateness(0.1, "a day late"))
    pages = [summary("demo", [one]) for one in (graded(), late)]
    assert ["deadline" in page.partition("<h2>Students</h2>")[2] for page in pages] == [False, True]
    assert rows_of(pages[1])[0][3] == "a day late"


def test_who_handed_in_nothing_has_empty_tasks():
    one = Graded(marks.handed("bob")._replace(inside=""), marks.judged("bob", **marks.ABSENT))
    assert rows_of(summary("demo", [one]))[0][3:] == ["", "", ""]
