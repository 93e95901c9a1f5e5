"""One mistake costs once where a student calls their own function, and nobody gains more by it."""

import json

import pytest

from exercises.answers import load, text_of
from exercises.grader.mark import carried
from exercises.grader.mark.results import Status
from exercises.grader.report.feedback import feedback
from tests.grader import course, marks
from tests.grader.solved import FOLDER, find, solved, task_set

pytestmark = course.SANDBOXED
NAME = "04_attention"
PLAIN = "np.exp(scores)", "sum(axis=-1, keepdims=True)"
EXP = "np.exp(scores - scores.max(axis=-1, keepdims=True))"
MISTAKES = {
    "no maximum": PLAIN,
    "no keepdims in the sum": (EXP, "sum(axis=-1)"),
    "no keepdims in the maximum": ("np.exp(scores - scores.max(axis=-1))", PLAIN[1]),
    "one maximum": ("np.exp(scores - scores.max())", PLAIN[1]),
    "a sum over axis 0": (EXP, "sum(axis=0)"),
}
OF_IT = ("no maximum", "one maximum")  # the mistakes that mended_attention is about
REUSE = {
    "attention_of_one_query": "(q, K, V):\n    return softmax(K @ q / np.sqrt(len(q))) @ V",
    "attention": "(Q, K, V):\n    return softmax(Q @ K.T / np.sqrt(Q.shape[-1])) @ V",
    "mended_attention": "(Q, K, V):\n    return softmax(Q @ K.T / np.sqrt(Q.shape[-1])) @ V",
}
NO_SCALE = "(Q, K, V):\n    return softmax(Q @ K.T) @ V"


def of(kind):
    """Return a softmax with one of the mistakes."""
    exponentials, total = MISTAKES[kind]
    return f"def softmax(scores):\n    e = {exponentials}\n    return e / e.{total}"


def judged(graded_alone, softmax, tags=(), **answers):
    """Return the results of the functions of a notebook whose other functions call this softmax."""
    made = solved(NAME)
    find(made, "softmax")["source"] = softmax
    for task, text in (REUSE | answers).items():
        find(made, task)["source"] = text if text.startswith("\n") else f"def {task}{text}"
    for name in tags:
        find(made, name)["metadata"]["tags"] += ["carries-softmax", "carries-attention"]
    tasks = task_set(NAME).tasks
    known = {task.name: marks.right(task) for task in tasks if not task.functions}
    return graded_alone(NAME, json.dumps(made).encode(), known=known)


def lost(result):
    """Return the tasks that lost points."""
    return {task.name: task for task in result.tasks if task.points < task.possible}


@pytest.mark.parametrize("kind", MISTAKES)
def test_a_mistake_in_a_softmax_used_everywhere_costs_three_points_at_most(graded_alone, kind):
    result = judged(graded_alone, of(kind))
    assert 1 <= result.possible - result.points <= 3
    for task in result.tasks:
        if not task.name.startswith("softmax"):
            assert not task.hint
            assert "with a correct softmax" in task.reason or task.points == task.possible
    assert any(flag.startswith(carried.CARRIED) for flag in result.flags)
    assert "because the mistake in your softmax has cost its points there" in feedback(NAME, result)
    # Whoever cannot keep exp from overflowing has mended nothing.
    assert ("mended_attention-own" in lost(result)) == (kind in OF_IT)


def test_who_has_no_point_in_a_task_carries_nothing(graded_alone):
    result = judged(graded_alone, "def softmax(scores):\n    return scores")
    assert {name.partition("-")[0] for name in lost(result)} == {"softmax", *REUSE}
    assert not any(flag.startswith(carried.CARRIED) for flag in result.flags)


def test_a_task_that_is_not_written_carries_nothing(graded_alone):
    unwritten = 'def softmax(scores):\n    raise NotImplementedError("softmax is not yet written")'
    assert len(lost(judged(graded_alone, unwritten))) == 9


def test_another_mistake_is_never_mended(graded_alone):
    """No solution of attention is ever run, and the one of softmax knows no scale."""
    result = judged(
        graded_alone,
        of("no keepdims in the sum"),
        attention=NO_SCALE,
        mended_attention="\nmended_attention = attention",
        attention_of_one_query="(q, K, V):\n    return attention(q[None], K, V)[0]",
    )
    found = set(lost(result)) - {"softmax-rows", "softmax-axes"}
    wrong = {"attention-scale", "attention_of_one_query-scale"}
    assert found == wrong | {"mended_attention-others", "mended_attention-own"}


def test_tags_of_the_student_count_for_nothing(graded_alone):
    names = [f"mended_attention-check-{part}" for part in ("others", "own")]
    names += ["attention-check-scale", "mended_attention", "softmax-check-large"]
    result = judged(graded_alone, of("no maximum"), names, attention=NO_SCALE)
    assert set(lost(result)) == {"softmax-large", "attention-scale", "mended_attention-own"}


SAYS = """(Q, K, V):
    code = softmax.__code__
    words = f"{code.co_consts} {code.co_names} {code.co_varnames} {code.co_code.hex()} secret"
    print(words)
    if "shifted" in code.co_varnames:
        raise ValueError(words)
    return softmax(Q @ K.T / np.sqrt(Q.shape[-1])) @ V"""


def test_no_page_shows_what_the_code_saw_of_the_solution(graded_alone):
    result = judged(graded_alone, of("no keepdims in the sum"), attention=SAYS)
    assert {"attention-mix", "attention-scale"} <= set(lost(result))
    said = feedback(NAME, result) + repr(result)
    assert "shifted" not in said and "secret" not in said


KEEPS = """(Q, K, V):
    import builtins, os
    if "shifted" in softmax.__code__.co_varnames:
        builtins.kept = softmax
        open("/tmp/seen", "w").close()
    return softmax(Q @ K.T / np.sqrt(Q.shape[-1])) @ V"""
USES = """(Q, K, V):
    import builtins, os
    mine = getattr(builtins, "kept", lambda scores: scores)
    if os.path.exists("/tmp/seen"):
        mine = softmax
    return mine(Q @ K.T / np.sqrt(Q.shape[-1])) @ V"""


def test_a_solution_does_not_outlive_the_test_that_needed_it(graded_alone):
    spoiled = of("no keepdims in the sum")
    result = judged(graded_alone, spoiled, attention=KEEPS, mended_attention=USES)
    assert set(lost(result)) == {
        *("softmax-rows", "softmax-axes", "mended_attention-others", "mended_attention-own")
    }


def test_an_early_copy_of_the_own_function_is_replaced_too(graded_alone):
    early = "(Q, K, V, mine=softmax):\n    return mine(Q @ K.T / np.sqrt(Q.shape[-1])) @ V"
    result = judged(graded_alone, of("no keepdims in the sum"), attention=early)
    assert set(lost(result)) == {"softmax-rows", "softmax-axes"}


SHORTCUT = """def softmax(scores):
    e = np.exp(scores - scores.max())
    return e / e.sum()"""


def test_what_a_cheater_gains_at_most(graded_alone):
    """A softmax spoiled on purpose loses two points of its own for the three of the next task."""
    spoiled = judged(graded_alone, SHORTCUT)
    honest = judged(graded_alone, of("one maximum"))
    assert spoiled.points - honest.points == 1


OTHERS = {
    "17_tokens": (
        "merge__places__drops_the_last",
        "encode",
        "(word, merges):\n    tokens = list(word)\n    for pair in merges:\n"
        "        tokens = merge(tokens, tuple(pair))\n    return tokens",
    ),
    "08_09_feed_forward_and_norm": (
        "layer_norm__center__root__axes__over_the_sequence",
        "through_layers",
        "(X, weights, place):\n    def norm(X):\n        ones = np.ones(X.shape[-1])\n"
        "        return layer_norm(X, ones, 0 * ones, 0)\n    for W in weights:\n"
        "        X = norm(X + given_sublayer(X, W)) if place == 'post' else "
        "X + given_sublayer(norm(X), W)\n    return norm(X) if place == 'pre' else X",
    ),
    "02_embeddings": (
        "one_hot__width__as_wide_as_the_largest_id",
        "mended_embed",
        "(ids, E):\n    return one_hot(ids, len(E)) @ E * np.sqrt(E.shape[1])",
    ),
}


def of_two(graded_alone, name, wrong, answer):
    """Return the result of a wrong function that the function of another task calls."""
    made, (_, task, text) = solved(name), OTHERS[name]
    find(made, wrong)["source"] = answer
    find(made, task)["source"] = f"def {task}{text}"
    tasks = task_set(name).tasks
    known = {each.name: marks.right(each) for each in tasks if each.cell not in (wrong, task)}
    return graded_alone(name, json.dumps(made).encode(), known=known)


@pytest.mark.parametrize("name", OTHERS)
def test_a_mistake_costs_no_more_than_its_task(graded_alone, name):
    mistake = OTHERS[name][0]
    wrong = mistake.partition("__")[0]
    answer = text_of(load(FOLDER / name, "mutants")[mistake], wrong, True)
    result = of_two(graded_alone, name, wrong, answer)
    worth = sum(task.points for task in task_set(name).tasks if task.cell == wrong)
    assert result.possible - result.points <= worth
    free = [task for task in result.tasks if carried.CARRIED in task.reason]
    assert free and all(task.status == Status.RIGHT for task in free)


def test_a_merge_that_merges_nothing_earns_nothing(graded_alone):
    nothing = "def merge(tokens, pair):\n    return list(tokens)"
    result = of_two(graded_alone, "17_tokens", "merge", nothing)
    assert {name.partition("-")[0] for name in lost(result)} == {"merge", "encode"}
    assert not any(task.points for task in lost(result).values())
    assert sum(task.name.startswith(("merge", "encode")) for task in lost(result).values()) == 6
