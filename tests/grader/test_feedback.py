"""What a student reads: their line, the input, the hint that is named; nothing that poses as us."""

import re
from html.parser import HTMLParser

import pytest

from exercises.grader.mark.quoting import html, plain, quote
from exercises.grader.mark.results import Result, Status, TaskResult
from exercises.grader.report.feedback import feedback
from exercises.grader.report.prose import inline, prose
from exercises.grader.run import isolation, sandbox
from exercises.grader.sandboxed.limits import Limits
from tests.exercises.assignments import NAMES, notebook
from tests.grader import course, marks

FAKE = "right.\n20 of 20 points: right.</p></section><section class='right'>"
TURNED = "\u202etnedutS\u2066\u200b"


@pytest.fixture(scope="module")
def fork_server():
    made = sandbox.ForkServer(isolation.kit(Limits(), ("numpy",), sandboxed=False))
    yield made
    made.close()


def tasks_of(tmp_path, fork_server, answers, checks=course.CHECKS, tags=(), hints=None):
    source = course.submission("", checks=checks)
    for cell in source["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            cell["metadata"]["tags"] = list(tags)
        if hints and "Hint 1" in cell["source"]:
            cell["source"] = hints
    result = marks.graded(tmp_path, fork_server, source, course.submission("ann", answers))
    return {task.name: task for task in result.tasks}, feedback("demo", result)


class Reader(HTMLParser):
    """Collects the text outside and inside of quotations, and the sections."""

    def __init__(self, page):
        super().__init__()
        self.inside, self.ours, self.theirs, self.sections = 0, "", "", []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.inside += tag == "bdi"
        if tag == "section":
            self.sections.append(dict(attrs)["class"])

    def handle_endtag(self, tag):
        self.inside -= tag == "bdi"

    def handle_data(self, data):
        if self.inside:
            self.theirs += data
        else:
            self.ours += data


POSING = {
    "an error": f"def double(x):\n    raise ValueError({FAKE + TURNED!r})\n",
    "the name of an error": f"class E(Exception): pass\nE.__name__ = {FAKE + TURNED!r}[:50]\n"
    "def double(x):\n    raise E('x')\n",
    "not written": f"def double(x):\n    raise NotImplementedError({FAKE + TURNED!r})\n",
    "what is printed": f"print({FAKE!r})\n"
    f"def double(x):\n    print({TURNED + FAKE!r})\n    return 5\n",
    "a failing cell": f"def double(x):\n    return 0\nraise RuntimeError({FAKE + TURNED!r})\n",
    "a result": "class R(str): pass\ndef double(x):\n    return " + repr(FAKE + TURNED) + "\n",
    "our own marks": "def double(x):\n    raise ValueError('\\x03' + "
    + repr(FAKE + TURNED)
    + ")\n",
}
TELLS = {
    **course.CHECKS,
    "double": 'found = double(2)\nassert found == 4, f"it is {found}, not 4"\n',
}


@pytest.mark.parametrize("how", POSING)
def test_code_cannot_pose_as_the_judge(tmp_path, fork_server, how):
    tasks, page = tasks_of(tmp_path, fork_server, {"double": POSING[how]}, TELLS)
    assert tasks["double"].status in (Status.WRONG, Status.UNWRITTEN)
    read = Reader(page)
    assert read.sections == ["lost", "right", "right"]
    assert "20 of 20" not in read.ours
    assert "0 of 2 points" in read.ours
    assert not any(letter in page for letter in "\u202e\u2066\u200b\x02\x03")
    if how in ("an error", "not written", "a result", "our own marks"):
        assert "20 of 20 points" in read.theirs
        assert "\\u202e" in read.theirs


def test_a_quotation_is_isolated_and_plain_elsewhere():
    said = f"it is {quote('<b>' + TURNED)}, not 4"
    assert html(said) == (
        'it is <bdi class="quoted">&lt;b&gt;\\u202etnedutS\\u2066\\u200b</bdi>, not 4'
    )
    assert plain(said) == "it is “<b>\\u202etnedutS\\u2066\\u200b”, not 4"
    assert html(said[:8]).count("<bdi") == html(said[:8]).count("</bdi") == 1
    assert quote("") == ""


def test_the_error_stands_with_its_line_and_its_task_and_the_call(tmp_path, fork_server):
    own = "import numpy as np\n\n\ndef softmax(scores):\n    return scores @ np.ones(7)\n"
    tasks, page = tasks_of(tmp_path, fork_server, {"softmax": own})
    assert "in line 5 of your cell softmax: " in plain(tasks["softmax"].reason)
    assert tasks["softmax"].line == "return scores @ np.ones(7)"
    assert tasks["softmax"].given == "softmax(array([0.    , 0.6931, 1.6094]))"
    assert "return scores @ np.ones(7)" in Reader(page).theirs


HIDES = "def double(x):\n    return 4\n"


@pytest.mark.parametrize(("tags", "given"), [((), ""), (("show-input",), "double(21)")])
def test_a_hidden_input_is_shown_where_the_task_allows_it(tmp_path, fork_server, tags, given):
    tasks, page = tasks_of(tmp_path, fork_server, {"double": HIDES}, tags=tags)
    assert tasks["double"].given == given
    assert ("double(21)" in page) == bool(given)


THREE = "".join(
    f"<details><summary>Hint {n}: part {n}</summary>\n\nText {n} with $x_{n}$.\n\n</details>\n"
    for n in (1, 2, 3)
)


@pytest.mark.parametrize(("says", "shown"), [("small (hint 3)", 3), ("small", 1), ("hint 7", 1)])
def test_the_hint_is_the_one_that_the_message_names(tmp_path, fork_server, says, shown):
    checks = {**course.CHECKS, "double": f"assert double(2) == 4, {says!r}\n"}
    wrong = {"double": "def double(x):\n    return 0\n"}
    tasks, page = tasks_of(tmp_path, fork_server, wrong, checks, hints=THREE)
    assert tasks["double"].hint.startswith(f"Hint {shown}: part {shown}\n")
    assert f"<summary>Hint {shown}: part {shown}</summary>" in page
    assert f"<msub><mi>x</mi><mn>{shown}</mn></msub>" in page


def test_a_formula_is_drawn_and_one_that_cannot_be_read_stays_as_it_is():
    assert "<msub><mi>d</mi><mi>k</mi></msub>" in inline("$d_k$")
    assert inline("$x_<$ and $y_$").endswith('and <span class="math inline"><code>y_</code></span>')


@pytest.mark.parametrize("name", NAMES)
def test_every_hint_is_typeset(name):
    texts = [cell.source for cell in notebook(name).cells if cell.id.endswith("-hints")]
    for text in texts:
        for hint in re.findall(r"</summary>(.*?)</details>", text, re.DOTALL):
            made = prose(hint)
            outside = re.sub(r"<code>.*?</code>", "", made, flags=re.DOTALL)
            assert "$" not in outside and "\\" not in outside, outside
            assert made.count("<math") == len(re.findall(r"\$\$?[^$]+\$\$?", hint))
            Reader(made)


def test_prose_keeps_code_lists_and_paragraphs_and_nothing_raw():
    text = "One `a * b` and *two*, **three**.\n\n- x\n- y\n\n```\n1 < 2\n```\n\n<script>"
    assert prose(text).splitlines() == [
        "<p>One <code>a * b</code> and <em>two</em>, <strong>three</strong>.</p>",
        "<ul>",
        "<li>x</li>",
        "<li>y</li>",
        "</ul>",
        "<pre><code>1 &lt; 2",
        "</code></pre>",
        "<p>&lt;script&gt;</p>",
    ]


def test_the_page_asks_nobody_for_anything():
    task = TaskResult("a", "A $x$", 0, 1, Status.WRONG, "no", "Hint 1: b\nsee [c](http://d.org)")
    page = feedback("demo", Result("ann", (task,)))
    assert "http" not in page.replace("http-equiv", "")


def test_the_page_says_its_letters_and_its_width_and_a_formula_in_a_line_is_none_apart():
    page = feedback("demo", Result("ann", ()))
    assert '<head><meta charset="utf-8"><meta name="viewport"' in page
    assert '<math display="inline">' in inline("$x$") and '"block"' in prose("$$x$$")


def failed(name, reason="the rows are lost", hint="Hint 1: rows\nSee.", **more):
    return TaskResult(name, f"Part {name}", 0, 1, Status.WRONG, reason, hint, **more)


def test_parts_that_fail_alike_share_one_reason_and_one_hint():
    parts = [failed(f"a-{n}", line="x = 1", given=f"a({n // 2})") for n in range(3)]
    page = feedback("demo", Result("ann", (*parts, failed("b", hint="Hint 1: other"))))
    assert re.findall(r"<h2>(.*?)</h2>\n<p>(.*?)</p>", page) == [
        (f"Part {name}", "0 of 1 points: wrong.") for name in ("a-0", "a-1", "a-2", "b")
    ]
    assert page.count("<section") == page.count("the rows are lost") == 2
    assert page.count("x = 1") == page.count("Hint 1: rows") == 1
    assert (page.count("a(0)"), page.count("a(1)")) == (1, 1)


def test_parts_that_fail_otherwise_have_their_reasons_and_no_hint_twice():
    parts = failed("a-1"), failed("a-2", "others"), marks.right(failed("a-3"))
    page = feedback("demo", Result("ann", parts))
    assert page.count("<section") == 3
    assert (
        page.count("the rows are lost") == page.count("others") == page.count("Hint 1: rows") == 1
    )


def test_what_stops_the_whole_notebook_is_said_once():
    parts = failed("a", "it is not JSON", ""), failed("b", "it is not JSON", "")
    page = feedback("demo", Result("ann", parts, "it is not JSON"))
    assert page.count("it is not JSON") == 1


def test_what_is_not_judged_yet_is_open_and_not_lost():
    found = [
        TaskResult("a", "A", 2, 2, Status.RIGHT),
        TaskResult("b", "B", 0, 3, Status.NOT_JUDGED, reason=f"Not judged yet: {quote('why')}"),
        TaskResult("c", "C", 0, 1, Status.NOT_JUDGED),
        TaskResult("d", "D", 0, 1, Status.WRONG),
    ]
    read = Reader(feedback("demo", Result("ann", tuple(found))))
    assert read.sections == ["right", "open", "open", "lost"]
    assert "ann: not judged yet. 2 points of 7 are sure, and 4 are open." in read.ours
    assert "Not judged yet; 3 points are open." in read.ours
    assert "Not judged yet; 1 point is open." in read.ours
