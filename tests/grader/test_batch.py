"""The command: who is found, what is written, going on after an interruption, one seed a batch."""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from exercises.grader import assignment, batch, cells, intake, results
from exercises.grader.submissions import Submission
from tests.grader import course

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
EDITED = {**course.CHECKS, "double": "print('all is well')", "softmax": "softmax = None"}


def without(kind):
    """Return cells whose nbgrader marks are changed."""
    made = course.submission(kind)
    for cell in made["cells"]:
        marks = cell["metadata"].get("nbgrader")
        if marks is None:
            continue
        if kind == "no_marks":
            cell["metadata"] = {}
        elif kind == "points_changed" and "points" in marks:
            marks["points"] = 1000
        elif kind == "schema_changed":
            marks["schema_version"] = "999"
        elif kind == "ids_changed":
            marks["grade_id"] += "_mine"
        elif kind == "all_solutions":
            marks |= {"solution": True, "grade": False}
    if kind == "no_checks":
        made["cells"] = [
            c for c in made["cells"] if "grade" not in c["metadata"].get("nbgrader", {})
        ]
    if kind == "no_kernel":
        made["metadata"] = {}
    return made


FULL = ["no_marks", "points_changed", "schema_changed", "ids_changed", "all_solutions"]
FULL += ["no_checks", "no_kernel", "checks_edited", "twice", "spread"]


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    root = tmp_path_factory.mktemp("batch")
    course.write_source(root / "source")
    folder = root / "submissions"
    for kind in FULL:
        course.write(folder, kind, without(kind))
    course.write(folder, "checks_edited", course.submission("checks_edited", checks=EDITED))
    twice = course.submission("twice")
    first = course.code(
        "def softmax(scores):\n    return scores", grade_id="softmax", solution=True
    )
    twice["cells"].insert(2, first)
    course.write(folder, "twice", twice)
    spread = course.submission("spread", {"softmax": "def softmax(x):\n    return mine(x)"})
    spread["cells"].insert(2, course.code(course.SOFTMAX.replace("softmax", "mine")))
    course.write(folder, "spread", spread)
    stub = {"softmax": course.UNWRITTEN.format("softmax")}
    course.write(folder, "=cmd|evil", course.submission("somebody else", stub))
    (folder / "flat.ipynb").write_text(json.dumps(course.submission("flat")), encoding="utf-8")
    (folder / "<b>.ipynb").write_text(json.dumps(course.submission("<b>")), encoding="utf-8")
    (folder / os.fsdecode(b"caf\xe9.ipynb")).write_text(
        json.dumps(course.submission("caf\ufffd")), encoding="utf-8"
    )
    course.write(folder, "cut_off", json.dumps(course.submission("cut_off"))[:500])
    course.write(folder, "empty", "")
    course.write(folder, "deep", "[" * 10**5)
    (folder / "link").symlink_to(folder / "no_marks")
    (folder / "linked").mkdir()
    (folder / "linked/demo.ipynb").symlink_to(folder / "no_marks/demo.ipynb")
    (folder / "pipe").mkdir()
    os.mkfifo(folder / "pipe/demo.ipynb")
    (folder / "nothing").mkdir()
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / "notes.txt").touch()
    said = course.grade(root, "--seed", "7")
    return root, course.scores(root), said


@pytest.mark.parametrize("student", [*FULL, "flat", "<b>", "caf\ufffd"])
def test_what_a_student_may_do_to_a_notebook_costs_nothing(graded, student):
    _, rows, _ = graded
    assert course.points(rows[student]) == (2, 3, 1)


@pytest.mark.parametrize(
    ("student", "says"),
    [
        ("cut_off", "not JSON"),
        ("empty", "is empty"),
        ("deep", "nested too deep"),
        ("link", "symbolic link"),
        ("linked", "symbolic link"),
        ("pipe", "not a regular file"),
        ("nothing", "there is no notebook of demo"),
    ],
)
def test_a_bad_file_gets_a_row_with_a_reason(graded, student, says):
    root, rows, _ = graded
    assert course.points(rows[student]) == (0, 0, 0)
    assert says in rows[student]["problem"]
    pages = [
        path.read_text(encoding="utf-8")
        for path in (root / "out/feedback").glob(f"{student}*.html")
    ]
    assert any(says in page for page in pages)


def test_nobody_else_is_graded(graded):
    _, rows, said = graded
    assert len(rows) == len(FULL) + 11
    assert said.stdout.startswith(f"{len(rows)} submissions in ")
    assert "7 could not be graded" in said.stdout
    assert f"{len(rows)} of {len(rows)} graded" in said.stderr


@pytest.mark.parametrize(
    ("student", "says"),
    [
        ("checks_edited", "the cell double-check was edited"),
        ("points_changed", "the points of softmax-check were changed"),
        ("no_checks", "the cell answer-check is missing"),
        ("twice", "2 cells are called softmax"),
        ("ids_changed", "no cell is called softmax"),
    ],
)
def test_the_feedback_says_what_was_odd(graded, student, says):
    root, *_ = graded
    assert says in (root / "out/feedback" / f"{student}.html").read_text(encoding="utf-8")


def test_a_wrong_id_is_reported_and_a_name_is_no_formula(graded):
    root, rows, _ = graded
    row = rows["=cmd|evil"]
    assert "'somebody else'" in row["review"][0]
    assert row["tasks"]["softmax"]["status"] == "not yet written"
    assert row["tasks"]["answer"]["points"] == 0  # the numbers of somebody else
    with (root / "out/scores.csv").open(newline="", encoding="utf-8") as file:
        table = list(csv.reader(file))
    assert table[0][:6] == ["student", "double", "softmax", "answer", "points", "possible"]
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in table for cell in row)
    assert "'=cmd|evil" in [row[0] for row in table]


def test_the_class_page(graded):
    root, *_ = graded
    page = (root / "out/summary.html").read_text(encoding="utf-8")
    assert "<b>" not in page.split("</h1>")[1].replace("&lt;b&gt;", "")
    assert page.count("<rect") == 10
    assert page.index("The task answer") < page.index("The task double")


def test_the_same_command_again_starts_nothing_and_keeps_the_seed(graded):
    root, rows, _ = graded
    start = time.monotonic()
    course.grade(root)
    assert time.monotonic() - start < 5
    assert course.scores(root) == rows
    assert json.loads((root / "out/batch.json").read_text(encoding="utf-8"))["seed"] == 7


def test_a_changed_submission_alone_is_graded_again(graded):
    root, *_ = graded
    times = {path: path.stat().st_mtime_ns for path in (root / "out/results").iterdir()}
    course.write(root / "submissions", "spread", course.submission("spread"))
    course.grade(root)
    changed = [path.name for path, then in times.items() if path.stat().st_mtime_ns != then]
    assert changed == ["spread.json"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_after_an_interruption_it_goes_on(tmp_path, number):
    course.write_source(tmp_path / "source")
    for name in ("s0", "s1", "s2", "s3"):
        course.write(tmp_path / "submissions", name, course.submission(name))
    # The last one hangs for longer than this test may take: the signal always comes in time.
    hangs = course.submission("s3", {"double": "while True:\n    pass"})
    course.write(tmp_path / "submissions", "s3", hangs)
    command = [sys.executable, "-m", "exercises.grader", "demo", str(tmp_path / "submissions")]
    command += ["--out", str(tmp_path / "out"), "--source", str(tmp_path / "source")]
    command += ["--workers", "1", "--call-seconds", "300", "--total-seconds", "600"]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    kept = tmp_path / "out/results"
    while not kept.is_dir() or sum(result_of(path) for path in kept.glob("*.json")) < 3:
        time.sleep(0.01)
    running.send_signal(number)
    _, said = running.communicate()
    assert running.returncode == 130
    assert "goes on from here" in said
    times = {path: path.stat().st_mtime_ns for path in kept.glob("*.json") if result_of(path)}
    assert len(times) == 3
    seed = json.loads((tmp_path / "out/batch.json").read_text(encoding="utf-8"))["seed"]
    course.write(tmp_path / "submissions", "s3", course.submission("s3"))
    subprocess.run(command, check=True, capture_output=True)
    assert [course.points(row) for row in course.scores(tmp_path).values()] == [(2, 3, 1)] * 4
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert json.loads((tmp_path / "out/batch.json").read_text(encoding="utf-8"))["seed"] == seed


def result_of(path):
    result = results.load(path)
    return result is not None and bool(result.made_from)


def test_python_that_drops_assertions_still_tests(tmp_path, monkeypatch):
    course.write_source(tmp_path / "source")
    wrong = course.submission("ann", {"softmax": "def softmax(scores):\n    return scores\n"})
    course.write(tmp_path / "submissions", "ann", wrong)
    monkeypatch.setenv("PYTHONOPTIMIZE", "1")
    course.grade(tmp_path)
    assert course.points(course.scores(tmp_path)["ann"]) == (2, 0, 1)


@pytest.mark.parametrize("name", ["secrets", "csv", "multiprocessing", "numpy"])
def test_no_file_of_a_student_is_imported(tmp_path, monkeypatch, name):
    course.write_source(tmp_path / "source")
    course.write(tmp_path / "submissions", "ann", course.submission("ann"))
    (tmp_path / f"submissions/{name}.py").write_text(
        f"open({str(tmp_path / 'owned')!r}, 'w')", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path / "submissions")
    course.grade(tmp_path)
    assert not (tmp_path / "owned").exists()
    assert course.points(course.scores(tmp_path)["ann"]) == (2, 3, 1)


def test_two_commands_do_not_share_their_results(graded):
    root, *_ = graded
    with batch.locked(root / "out"):
        said = course.grade(root, check=False)
    assert (said.returncode, said.stdout) == (2, "")
    assert "another command writes to" in said.stderr
    assert course.grade(root).returncode == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--source", "/nowhere"], "there is no assignment demo"),
        (["--workers", "0"], "--workers must be at least 1"),
        (["--out", "{root}/submissions/out"], "--out must not lie in"),
    ],
)
def test_a_command_that_cannot_be_carried_out_says_why(graded, words, says):
    root, *_ = graded
    said = course.grade(root, *[word.replace("{root}", str(root)) for word in words], check=False)
    assert said.returncode == 2
    assert said.stderr.startswith("grade: ")
    assert says in said.stderr


def test_without_bubblewrap_it_refuses(graded, monkeypatch, tmp_path):
    root, *_ = graded
    monkeypatch.setenv("PATH", str(tmp_path))
    said = course.grade(root, check=False)
    assert said.returncode == 2
    assert "bubblewrap" in said.stderr
    assert "--no-sandbox" in said.stderr


def test_no_sandbox_warns_and_grades(tmp_path):
    course.write_source(tmp_path / "source")
    course.write(tmp_path / "submissions", "me", course.submission("me"))
    said = course.grade(tmp_path, "--no-sandbox")
    assert "all your rights" in said.stderr
    assert course.points(course.scores(tmp_path)["me"]) == (2, 3, 1)


def test_another_assignment_does_not_mix_in(graded):
    root, *_ = graded
    other = course.submission("")
    path = root / "source/other/other.ipynb"
    path.parent.mkdir()
    path.write_text(json.dumps(other), encoding="utf-8")
    (root / "more").mkdir()
    (root / "more/ann.ipynb").write_text(json.dumps(course.submission("ann")), encoding="utf-8")
    words = ["other", str(root / "more"), "--out", str(root / "out"), "--source"]
    command = [sys.executable, "-m", "exercises.grader", *words, str(root / "source")]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (said.returncode, "take another --out" in said.stderr) == (2, True)


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


def find(root):
    """Find the submissions in root/in."""
    demo = assignment.load(course.write_source(root / "source") / "demo")
    return intake.find(root / "in", demo, root / "source", root / "unpacked").found


def test_an_empty_folder_is_an_error(tmp_path):
    (tmp_path / "in").mkdir()
    with pytest.raises(ValueError, match="holds no submission"):
        find(tmp_path)


def test_names_become_harmless_file_names():
    keys = {
        Submission("x", name).key for name in ("a/demo.ipynb", "..", ".a", "é" * 200, "é" * 201)
    }
    assert len(keys) == 5
    assert all(len(key) < 150 and not key.startswith(".") and "/" not in key for key in keys)


@pytest.mark.parametrize(
    ("name", "shown"),
    [("a\nann,9", "a\ufffdann,9"), ("ann\u200b", "ann\ufffd"), ("Zoe\u0308", "Zo\xeb")],
)
def test_a_name_shows_all_its_letters(tmp_path, name, shown):
    (tmp_path / "in").mkdir()
    (tmp_path / f"in/{name}.ipynb").touch()
    (found,) = find(tmp_path)
    assert found.submission.student == shown
    assert (tmp_path / "in" / found.submission.inside).exists()


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\t=1", "＝1"])
def test_formulas_are_quoted(text):
    assert cells.harmless(text) == f"'{text}"


def test_a_new_seed_changes_only_what_was_wrong_somewhere(tmp_path):
    course.write_source(tmp_path / "source")
    lucky = "def double(x):\n    return 2 * x if x < 22 else 0\n"
    sometimes = course.SOFTMAX.replace(
        "return shifted", "return 0 if scores.sum() > 3 else shifted"
    )
    course.write(tmp_path / "submissions", "right", course.submission("right"))
    answers = {"double": lucky, "softmax": sometimes}
    course.write(tmp_path / "submissions", "wrong", course.submission("wrong", answers))
    for seed in ("1", "2", "3"):
        course.grade(tmp_path, "--seed", seed)
        rows = course.scores(tmp_path)
        assert course.points(rows["right"]) == (2, 3, 1)
        assert course.points(rows["wrong"])[::2] == (2, 1)
        assert json.loads((tmp_path / "out/batch.json").read_text(encoding="utf-8"))["seed"] == int(
            seed
        )


def test_many_cells_that_hang_do_not_eat_the_time_of_the_tasks(tmp_path):
    course.write_source(tmp_path / "source")
    made = course.submission("a")
    for place in range(20):
        made["cells"].insert(1 + place, course.code("while True:\n    pass"))
    course.write(tmp_path / "submissions", "a", made)
    course.grade(tmp_path, "--call-seconds", "1", "--task-seconds", "2", "--total-seconds", "12")
    assert course.points(course.scores(tmp_path)["a"]) == (2, 3, 1)


def test_a_time_out_by_the_clock_is_judged_again_and_one_that_remains_is_flagged(tmp_path):
    course.write_source(tmp_path / "source")
    wait = "import time\ndef double(x):\n    time.sleep({})\n    return 2 * x\n"
    loop = "def double(x):\n    while True:\n        pass\n"
    for name, text in {
        "held_up": wait.format(1.3),
        "asleep": wait.format(99),
        "loop": loop,
    }.items():
        course.write(tmp_path / "submissions", name, course.submission(name, {"double": text}))
    course.grade(tmp_path, "--call-seconds", "1")
    rows = course.scores(tmp_path)
    assert course.points(rows["held_up"]) == (2, 3, 1)
    assert rows["held_up"]["review"] == []
    for name in ("asleep", "loop"):
        assert course.points(rows[name]) == (0, 3, 1)
        assert rows[name]["tasks"]["double"]["status"] == "timed out"
        assert rows[name]["review"] == ["timed out in 'The task double'"]
    assert "timed out" in (tmp_path / "out/summary.html").read_text(encoding="utf-8")


STUCK = """import signal, time
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
time.sleep(100)
"""


def test_a_test_that_hangs_keeps_what_was_judged_before_and_the_next_one(tmp_path):
    course.write_source(tmp_path / "source")
    source = tmp_path / "source/demo/demo.ipynb"
    stuck = course.SOFTMAX_CHECK.replace("expect(", "if STUDENT_ID == 'a':\n    {}\nexpect(", 1)
    lines = STUCK.strip().replace("\n", "\n    ")
    checks = {**course.CHECKS, "softmax": stuck.replace("{}", lines)}
    source.write_text(json.dumps(course.submission("", checks=checks)), encoding="utf-8")
    for name in ("a", "b"):
        course.write(tmp_path / "submissions", name, course.submission(name))
    course.grade(tmp_path, "--total-seconds", "3", "--workers", "1")
    rows = course.scores(tmp_path)
    assert course.points(rows["a"]) == (2, 0, 1)
    assert rows["a"]["review"] == ["graded in part: the time is over"]
    assert course.points(rows["b"]) == (2, 3, 1)
