"""Points that a person sets: read with care, shown beside the judge's, counted everywhere."""

import pytest

from exercises.grader.mark import overrides
from exercises.grader.mark.graded import Graded, mean
from exercises.grader.mark.lateness import IN_TIME, UNKNOWN, Lateness
from exercises.grader.mark.results import Result, Status, TaskResult
from exercises.grader.report import gradebook
from exercises.grader.report.feedback import feedback
from exercises.grader.report.summary import summary
from tests.grader import marks

HEAD = "student,task,points,why\n"


def read(root, text, students=("ann", "bob")):
    path = root / "marks.csv"
    path.write_text(text, "utf-8")
    return overrides.read(path, marks.demo(root), [marks.handed(name) for name in students])


def test_a_table_of_a_spreadsheet_is_read(tmp_path):
    text = "\ufeffWhy;Student;Points;Task;x\nher proof is right;ann;2,5;softmax;\n;;;;\n"
    (one,) = read(tmp_path, text)
    assert one == ("ann", "softmax", 2.5, "her proof is right")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("eve,softmax,1,x", "no student in this class has the id 'eve'"),
        ("ann,soft,1,x", "'soft' is not a task; the tasks are double, softmax, answer"),
        ("ann,softmax,3.5,x", "points must be from 0 to 3 for softmax, got '3.5'"),
        ("ann,softmax,-1,x", "points must be from 0 to 3"),
        ("ann,softmax,nan,x", "points must be from 0 to 3"),
        ("ann,softmax,1,", "why must give the reason"),
        ("bob,answer,0,again", "'bob' has two rows with points for answer"),
        ("twin,answer,0,x", "2 submissions have the id 'twin'"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, line, says):
    text = f'{HEAD}bob,answer,1,"two\nlines"\n{line}\n'
    with pytest.raises(ValueError, match=r"marks.csv, line 4: ") as caught:
        read(tmp_path, text, ["ann", "bob", "twin", "twin"])
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("lines", "line", "says"),
    [
        ('ann,answer,1,"good\nbob,answer,1,fine\n', 2, "unexpected end of data"),
        ('ann,answer,1,"good\nbob,answer,1,"fine"\n', 2, "expected after"),
        ('ann,answer,1,x\nann,double,1,"good\nbob,answer,1,fine"\n', 3, "in column why continues"),
        ('ann,answer,1,"good\nbob,answer,1,"\n', 2, "in column why continues"),
        ('ann,"answer\n",1,good\n', 2, "in column task continues"),
        (f"ann,answer,1,{'x' * 200_000}\n", 2, "field larger than field limit"),
    ],
)
def test_a_quotation_mark_that_is_not_closed_swallows_no_row(tmp_path, lines, line, says):
    with pytest.raises(ValueError, match=f"marks.csv, line {line}: .*{says}"):
        read(tmp_path, HEAD + lines)


def test_an_id_without_its_zeros_is_found_as_a_roster_finds_it(tmp_path):
    line = f"{HEAD}12345,softmax,2,good\n"
    assert read(tmp_path, line, ["0012345", "12346"])[0].student == "0012345"
    assert read(tmp_path, line, ["0012345", "12345"])[0].student == "12345"
    said = "line 2: '12345' may mean '0012345' or '012345': write the whole id"
    with pytest.raises(ValueError, match=said):
        read(tmp_path, line, ["0012345", "012345"])


def test_a_table_without_its_columns_is_refused(tmp_path):
    with pytest.raises(
        ValueError, match="must have a column why, but it has 'student, task, points'"
    ):
        read(tmp_path, "student,task,points\n")
    with pytest.raises(ValueError, match="has two columns points: rename one of them"):
        read(tmp_path, "student,task,points,why,Points\n")
    with pytest.raises(ValueError, match="cannot be read"):
        overrides.read(tmp_path / "none.csv", marks.demo(tmp_path), [])


def changed(task="softmax", points=2.0, late=IN_TIME, **statuses):
    chosen = {task: overrides.Override("ann", task, points, "the proof <b>is</b> right")}
    statuses = statuses or {"softmax": Status.WRONG}
    return Graded(marks.handed("ann"), marks.judged("ann", **statuses), chosen, late)


def test_the_points_of_a_person_count_and_those_of_the_judge_stay():
    one = changed()
    assert (one.earned, one.judged.earned, one.by_judge) == (5, 3, 3)
    assert one.remarks == [
        "The task softmax: Set by hand to 2 points, whereas the judge gave 0: "
        "the proof <b>is</b> right."
    ]


def test_points_for_a_task_that_the_judge_could_not_judge():
    one = changed(softmax=Status.NOT_JUDGED)
    assert (one.points, one.by_judge) == (5, "not judged")
    assert "the judge gave nothing" in one.remarks[0]
    assert changed("double", 1.0, softmax=Status.NOT_JUDGED).points == "not judged"


def test_points_for_somebody_who_handed_in_nothing():
    assert changed(**marks.ABSENT).points == 2
    nothing = Graded(marks.handed("ann"), marks.judged("ann", **marks.ABSENT))
    assert (nothing.points, nothing.by_judge, nothing.earned) == ("", "", None)
    assert mean([changed(**marks.ABSENT), nothing]) == 2


def test_student_and_instructor_read_both_numbers_and_the_reason():
    one = changed(late=Lateness(0.1, "5 hours late: 10 % of the points taken off."))
    page = feedback("demo", one.result, one.late)
    assert "ann: 4.5 of 6 points" in page
    assert "2 of 3 points: set by hand" in page
    assert "the judge gave 0: the proof &lt;b&gt;is&lt;/b&gt; right." in page
    assert "10 % of the points taken off. Before the deduction: 5 points." in page
    table = summary("demo", [one])
    assert "by hand, judge: 0<br>the proof &lt;b&gt;is&lt;/b&gt; right" in table
    assert "4.5<small>judge: 3</small>" in table


def test_the_judges_reason_is_told_apart_and_full_points_need_no_hint():
    judged = marks.judged("ann", softmax=Status.WRONG)
    tasks = [t._replace(reason="a row is lost", hint="Hint 1: rows") for t in judged.tasks]
    for points, hint in ((2.0, "Hint 1: rows"), (3.0, "")):
        chosen = {"softmax": overrides.Override("ann", "softmax", points, "it is right")}
        task = overrides.apply(judged._replace(tasks=tuple(tasks)), chosen).tasks[1]
        assert task.comment.endswith(": it is right.")
        assert task.reason == "The judge's reason was: a row is lost"
        assert task.hint == hint


def test_a_student_does_not_read_that_no_time_is_known():
    one = changed(late=Lateness(0.0, UNKNOWN))
    assert one.remarks[-1] == UNKNOWN and UNKNOWN not in feedback("demo", one.result, one.late)
    for table in (gradebook.moodle([one], "demo"), gradebook.ilias([one], "demo")):
        assert UNKNOWN not in str(table) and "Set by hand to 2" in str(table)
    assert [line[2] for line in gradebook.changes([one])] == ["what", "softmax"]


def test_every_export_says_what_was_changed():
    one = changed(late=Lateness(0.1, "5 hours late."))
    head, line = gradebook.moodle([one], "demo")
    assert line[head.index("Grade")] == 4.5
    comment = line[head.index("Feedback comments")]
    assert (
        "Set by hand to 2 points, whereas the judge gave 0" in comment
        and "5 hours late." in comment
    )
    head, line = gradebook.ilias([one], "demo")
    assert (line[head.index("mark")], line[head.index("comment")]) == (4.5, comment)
    _, *lines = gradebook.changes([one])
    assert [line[2:5] for line in lines] == [["softmax", 0, 2], ["deadline", 5, 4.5]]


def test_canvas_has_the_possible_points_in_its_second_row():
    rows = gradebook.canvas([Graded(marks.handed("ann"), marks.judged("ann"))], "demo")
    assert (rows[1][0], rows[1][-1], rows[2][-1]) == ("    Points Possible", 6, 6)


def parted(root):
    """The tasks of the demo, with softmax in two parts."""
    demo = marks.demo(root)
    double, softmax, answer = demo.tasks
    parts = [
        softmax._replace(name=f"softmax-{part}", points=points)
        for part, points in (("rows", 1.0), ("large", 2.0))
    ]
    return demo._replace(tasks=(double, *parts, answer))


def test_a_row_may_name_a_task_with_all_its_parts(tmp_path):
    path = tmp_path / "marks.csv"
    handed = [marks.handed(name) for name in ("ann", "bob", "cleo")]
    path.write_text(
        f"{HEAD}ann,softmax,1.5,half\nbob,softmax,,well said\ncleo,softmax-large,0.5,x\n", "utf-8"
    )
    assert overrides.read(path, parted(tmp_path), handed) == [
        ("ann", "softmax-rows", 1.0, "half"),
        ("ann", "softmax-large", 0.5, "half"),
        ("bob", "softmax-rows", None, "well said"),
        ("cleo", "softmax-large", 0.5, "x"),
    ]
    for line, says in {
        "ann,softmax,3.5,x": "points must be from 0 to 3 for softmax, got '3.5'",
        "ann,softmax,1,x\nann,softmax-large,1,y": "two rows with points for softmax-large",
    }.items():
        path.write_text(f"{HEAD}{line}\n", "utf-8")
        with pytest.raises(ValueError, match=says):
            overrides.read(path, parted(tmp_path), handed)


def page_of(root, rows):
    """What ann reads after these rows, where both parts of softmax fail alike."""
    task_set = parted(root)
    tasks = [
        TaskResult(task.name, f"The task {task.name}", 0, task.points, Status.WRONG, "a row", "H 1")
        if task.cell == "softmax"
        else marks.right(task)
        for task in task_set.tasks
    ]
    path = root / "marks.csv"
    path.write_text(HEAD + rows, "utf-8")
    made = overrides.read(path, task_set, [marks.handed("ann")])
    chosen = {one.task: one for one in made}
    return feedback("demo", Graded(marks.handed("ann"), Result("ann", tuple(tasks)), chosen).result)


def test_a_comment_on_a_whole_task_is_read_once_and_parts_stay_together(tmp_path):
    page = page_of(tmp_path, "ann,softmax,,well said\n")
    assert page.count("A comment of your instructor: well said") == page.count(">a row<") == 1
    page = page_of(tmp_path, "ann,softmax,0.5,half\n")
    assert page.count("whereas the judge gave 0: half.") == 2
    assert page.count("The judge&#x27;s reason was: a row") == 1 == page.count("<summary>H 1")
