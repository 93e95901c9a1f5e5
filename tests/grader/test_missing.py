"""An import of a module that the judge lacks costs nothing; its use costs the task, and says so."""

import pytest

from exercises.grader.mark.graded import Graded
from exercises.grader.report.summary import summary
from tests.grader import course, marks

RIGHT = course.SOFTMAX


def judged(tmp_path, fork_server, softmax):
    made = course.submission("ann", {"softmax": softmax})
    result = marks.graded(tmp_path, fork_server, course.submission(""), made)
    return {task.name: task for task in result.tasks}["softmax"], result


@pytest.mark.parametrize(
    ("line", "module"),
    [
        ("import pandas as pd", "pandas"),
        ("from tqdm.auto import tqdm, trange", "tqdm"),
        ("from scipy.special import softmax as theirs", "scipy"),
        ("import google.colab\nfrom google.colab import drive", "google"),
        (
            "try:\n    import cupy\nexcept ImportError:\n    cupy = None\nassert cupy is None",
            "cupy",
        ),
    ],
)
def test_an_import_costs_nothing_and_is_flagged(tmp_path, fork_server, line, module):
    task, result = judged(tmp_path, fork_server, f"{line}\n{RIGHT}")
    assert task.points == 3, task.reason
    assert result.flags == (f"imports {module}, a module that the judge does not have",)


@pytest.mark.parametrize(
    "use",
    [
        "return scipy.special.softmax(scores)",
        "return [x for x in scipy]",
        "return scipy.table[0]",
        "with scipy.x:\n        return scores",
        "return np.asarray(scipy.x)",
    ],
)
def test_a_use_is_an_error_with_the_name_of_the_module(tmp_path, fork_server, use):
    text = f"import numpy as np\nimport scipy.special\ndef softmax(scores):\n    {use}\n"
    task, _ = judged(tmp_path, fork_server, text)
    assert task.points == 0
    assert "scipy" in task.reason or "asarray" in use


def test_the_page_of_the_class_counts_who_imports_it(tmp_path):
    flag = "imports google, a module that the judge does not have"
    class_ = [marks.judged(name)._replace(flags=(flag,)) for name in ("ann", "bob")]
    everybody = [Graded(marks.handed(one.student), one) for one in [*class_, marks.judged("eve")]]
    page = summary("demo", everybody)
    assert "2 students: module google, which the judge does not have." in page
