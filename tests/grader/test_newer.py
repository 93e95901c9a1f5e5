"""What only a later Python reads is named as such, and costs no points before a person decides."""

import sys

import pytest

from exercises.grader.mark.quoting import plain
from exercises.grader.mark.results import Status
from exercises.grader.run import newer, rewriting
from tests.grader import course, marks

BEFORE_3_12 = pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python reads it")
ALIAS = "type Row = list[float]\n"
WEIGHTS = "def softmax(scores):\n    e = np.exp(scores - scores.max())\n    return e / e.sum()\n"
LATER = {
    'print(f"{d["a"]}")': "3.12",
    'f"{"\\n".join(x)}"': "3.12",
    "f'{x['a']!r:>{w}} {x['b'] = }'": "3.12",
    'f"{x # why }"\n}"': "3.12",
    'f"""{x["""a"""]}"""': "3.12",
    'RF"{x["a"]}\\{y}"': "3.12",
    'f"{{ \\N{BULLET} {x["a"]} }}"': "3.12",
    'f"{x["a"]}" "b" f"{c}" \'d\'': "3.12",
    'f"{f"{f"{1 + 1}"}"}"': "3.12",
    "f'{x != 'a'}{a['b']:%Y-%m-%d}'": "3.12",
    "type X = int": "3.12",
    "type X[T: (int, str), **P] = list[T]": "3.12",
    "type = 3\ntype(x)\ntype X = int": "3.12",
    "def f[T](x: T):\n    return x": "3.12",
    "def f[T: 'A, B]'](x): pass": "3.12",
    "async def f[T](x): pass": "3.12",
    "class C[T]: pass": "3.12",
    "def f[T = int](x): pass": "3.13",
    "class C[*Ts = *tuple[int]]: pass": "3.13",
    "try:\n    a\nexcept A, B:\n    b": "3.14",
    "try:\n    a\nexcept* A, B:\n    b": "3.14",
    'x = t"a{b}"': "3.14",
    'type X = int\nx = t"{y["a"]}"': "3.14",
}
FOR_IPYTHON = {
    "a line for the shell": "!echo don't\ntype X = int",
    "a magic": "%time x = f'{a['b']}'",
    "a magic of the cell": "%%time\nprint(f'{a['b']}')",
    "a question": "x = !ls 'it\ny = f'{a['b']}'\nnp.exp?",
    "inside of a block": "if x:\n    %timeit f(\n    type X = int",
    "a remainder": "x = (5\n% 3, f'{a['b']}')\ny = 5 \\\n% len(x)",
}
NEVER = [
    *("f(", "print 'x'", "x = 'a", 'f"{d["a"]"', "f'{a b[\"c\"]}{d['e']}'", "f'{x['a']!z}'"),
    *('f"{x["a"]} }"', "f'{a['b']:{}}'", "f'{=}'", "f'{a['b']) + (c}'", "f'{a['x']}\\x'"),
    *(
        "f'{x['a'] \\}'",
        "f'{lambda x: 'a'}'",
        "f'{a['b']}\n'",
        "type X = int\nf(",
        "type X = int, s",
    ),
    *("def f[](x): pass", "class C[*T: int]: pass", "try:\n    a\nexcept A, B as c:\n    b"),
]
HERE = ["x = 3", "x = f'{a}'", "raise SyntaxError(f'{a}')", "%time f'{a}'", "return f'{a}'"]


@BEFORE_3_12
@pytest.mark.parametrize("text", LATER)
def test_the_version_that_reads_a_cell_is_found(text):
    assert newer.read(text).needs == LATER[text]
    assert newer.read(f"x = (\n{text}").needs == ""


@BEFORE_3_12
@pytest.mark.parametrize("kind", FOR_IPYTHON)
def test_what_is_for_ipython_does_not_hide_it(kind):
    assert newer.read(FOR_IPYTHON[kind]).needs == "3.12"


@pytest.mark.parametrize("text", [*NEVER, *HERE])
def test_what_no_python_reads_and_what_this_one_reads_needs_none(text):
    assert newer.read(text).needs == ""


def test_a_version_that_is_already_here_is_none_to_wait_for(monkeypatch):
    monkeypatch.setattr(newer.sys, "version_info", (3, 14, 0))
    assert not any(newer.read(text).needs for text in LATER)


def test_what_a_cell_defines_is_read_too():
    lines = f'import numpy as np\n{ALIAS}def f[T](x: T):\n    return f"{{x["a"]}}"'
    assert [type(node).__name__ for node in newer.read(lines).body][-1] == "FunctionDef"
    assert len(newer.read(lines).body) == 3


REPEATED = [
    *('f"{', 'f"""{', 'f"{d["a"]}" ', 'f"{x:{y}', "f\"{f'{", "f'{a!r:", "f'\\N{", "t''", '"""'),
    *("{{", "(", "\\\n", "!\\\n", "? ", "a = ", "type X[", "type X = int;", "except A, ", "a\n"),
]


@pytest.mark.parametrize("text", REPEATED)
def test_hostile_text_takes_few_steps_for_each_letter(text):
    steps = 0

    def count(frame, event, argument):
        nonlocal steps
        steps += frame.f_code.co_filename == rewriting.__file__

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        newer.read((ALIAS + text * newer.LONGEST)[: newer.LONGEST])
    finally:
        sys.setprofile(before)
    assert steps < 40 * newer.LONGEST


def test_a_longer_text_is_not_read():
    assert newer.read(f"{ALIAS}{' ' * newer.LONGEST}") == newer.Read()


def graded(tmp_path, fork_server, answers, change=lambda cells: None):
    handed_in = course.submission("ann", answers)
    change(handed_in["cells"])
    source = course.submission("")
    result = marks.graded(tmp_path, fork_server, source, handed_in)
    return result, {task.name: task for task in result.tasks}


LATE = ALIAS + WEIGHTS


def without_marks(cells):
    for cell in cells:
        cell["metadata"] = {}


STUB = course.UNWRITTEN.format("softmax")


def pasted(*texts):
    def change(cells):
        for text in texts[::-1]:
            cells.insert(2, course.code(text))

    return change


@BEFORE_3_12
@course.BUBBLEWRAP
@pytest.mark.parametrize("marked", [True, False])
def test_a_task_in_a_later_python_is_not_judged_and_flagged(tmp_path, fork_server, marked):
    change = (lambda cells: None) if marked else without_marks
    result, tasks = graded(tmp_path, fork_server, {"softmax": LATE}, change)
    task, label = tasks["softmax"], "your cell softmax" if marked else "code cell 5"
    assert (task.status, task.earned, task.hint, result.earned) == (
        Status.NOT_JUDGED,
        None,
        "",
        None,
    )
    assert task.reason == (
        f"{label[0].upper()}{label[1:]} is written for Python 3.12 or newer, but grading runs "
        "Python 3.11, so this task is not judged yet: your instructor decides."
    )
    flags = [flag for flag in result.flags if "3.12" in flag]
    assert flags == [f"not judged yet: {task.question}"] and "--overrides" in flags[0]
    assert [tasks[name].points for name in ("double", "answer")] == [2, 1]


@BEFORE_3_12
@course.in_sandbox
def test_a_function_that_a_later_python_defines_elsewhere(tmp_path, fork_server):
    change = pasted(LATE.replace("softmax", "weights"))
    own = {"softmax": "def softmax(scores):\n    return weights(scores)\n"}
    _, tasks = graded(tmp_path, fork_server, own, change)
    assert tasks["softmax"].status == Status.NOT_JUDGED
    assert "Code cell 3 is written for Python 3.12" in tasks["softmax"].reason
    _, tasks = graded(tmp_path, fork_server, {"softmax": "def softmax(x):\n    return x"}, change)
    assert (tasks["softmax"].status, tasks["softmax"].points) == (Status.WRONG, 0)


@BEFORE_3_12
@course.in_sandbox
def test_a_later_python_below_the_stub_waits_and_above_it_was_replaced(tmp_path, fork_server):
    def below(cells):
        cells.insert([cell["source"] for cell in cells].index(STUB) + 1, course.code(LATE))

    for change, status in ((below, Status.NOT_JUDGED), (pasted(LATE), Status.UNWRITTEN)):
        _, tasks = graded(tmp_path, fork_server, {"softmax": STUB}, change)
        assert tasks["softmax"].status == status
    assert tasks["softmax"].reason.startswith("Code cell 3 above also defines softmax, but your")


@course.BUBBLEWRAP
def test_a_missing_bracket_is_wrong_and_the_message_names_the_python(tmp_path, fork_server):
    result, tasks = graded(tmp_path, fork_server, {"softmax": f"{ALIAS}x = (\n{WEIGHTS}"})
    assert (tasks["softmax"].status, tasks["softmax"].points) == (Status.WRONG, 0)
    assert f" (grading runs Python {newer.running()})" in plain(tasks["softmax"].reason)
    assert not any("not judged" in flag for flag in result.flags)


@BEFORE_3_12
@course.in_sandbox
def test_the_command_waits_for_a_person(tmp_path):
    course.hand_in(tmp_path, ann={"softmax": LATE}, bob={})
    said = course.grade(tmp_path, ends=(3,))
    assert "submissions in Python 3.11 " in said.stdout
    page = (tmp_path / "out/summary.html").read_text("utf-8")
    assert (
        "not judged yet: the cell softmax needs Python 3.12, but grading runs Python 3.11" in page
    )
    assert page.count("The submissions ran in Python 3.11.") == 1
    row = course.scores(tmp_path)["ann"]
    assert (row["points"], row["tasks"]["softmax"]["status"]) == (None, "not judged")
    (tmp_path / "marks.csv").write_text("student,task,points,why\nann,softmax,3,read\n", "utf-8")
    course.grade(tmp_path, "--overrides", str(tmp_path / "marks.csv"), ends=(0,))
    assert course.scores(tmp_path)["ann"]["points"] == 6


@course.BUBBLEWRAP
def test_a_stub_that_replaced_the_answer_above_is_named(tmp_path, fork_server):
    change = pasted("%matplotlib inline\ndef double(x):\n    return 2 * x\n\n\n" + WEIGHTS)
    result, tasks = graded(tmp_path, fork_server, {"softmax": STUB}, change)
    task = tasks["softmax"]
    assert (task.status, task.points, task.hint) == (Status.UNWRITTEN, 0, "")
    assert task.reason == (
        "Code cell 3 above also defines softmax, but your cell softmax below it, which still says "
        "raise NotImplementedError, replaced the definition: write the answer into that cell."
    )
    said = "code cell 3 defines softmax, but a cell below it that is not written replaced each"
    assert [*result.flags] == [f"{said} definition"]


@course.in_sandbox
def test_all_that_one_cell_has_lost_is_one_flag(tmp_path, fork_server):
    double = course.UNWRITTEN.format("double")
    change = pasted(f"def double(x):\n    return 2 * x\n\n\n{WEIGHTS}")
    result, _ = graded(tmp_path, fork_server, {"softmax": STUB, "double": double}, change)
    (flag,) = result.flags
    assert flag.startswith("code cell 3 defines double, softmax, but a cell below")


@course.in_sandbox
@pytest.mark.parametrize("upper", [STUB, "print('softmax')", "def softmax(x):\n    return x ="])
def test_a_stub_below_no_answer_is_just_not_written(tmp_path, fork_server, upper):
    result, tasks = graded(tmp_path, fork_server, {"softmax": STUB}, pasted(upper))
    assert tasks["softmax"].status == Status.UNWRITTEN
    assert "softmax is not yet written" in plain(tasks["softmax"].reason)
    assert not any("softmax" in flag for flag in result.flags)


@course.BUBBLEWRAP
def test_an_answer_on_paper_above_its_stub_counts(tmp_path, fork_server):
    stub = '# answer = ...\nraise NotImplementedError("answer is not yet written")'
    change = pasted(course.ANSWER)
    _, tasks = graded(tmp_path, fork_server, {"answer": stub}, change)
    assert (tasks["answer"].status, tasks["answer"].points) == (Status.RIGHT, 1)
