"""The checks of exercise 04 say what went wrong."""

import pytest

from tests.exercises.assignments import answers, code_cells, grade, marks_of, points

NAME = "04_attention"


def test_the_softmax_that_is_given_is_no_answer_to_task_1():
    namespace = {}
    for cell in code_cells(NAME):
        if marks_of(cell).get("grade_id") in ("helpers", "given-softmax"):
            exec(cell.source, namespace)
    scored, errors = grade(NAME, {"softmax": namespace["given_softmax"]})
    assert scored == points(NAME) | {"softmax": 0.0}
    assert "scores near 1000 give nan" in str(errors["softmax-check"])


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("softmax__uniform", "all weights are 1/5"),
        ("softmax__wrong_axis", "each column sums to 1"),
        ("softmax__whole_array", "all 15 weights together"),
        ("softmax__overflow", "scores near 1000 give nan"),
        ("softmax__no_exponential", "take the exponential"),
        ("softmax__changes_argument", "changed its argument"),
        ("attention_of_one_query__uniform", "every key has the weight 1/5"),
        ("attention_of_one_query__unscaled", "the scale is missing"),
        ("attention_of_one_query__divided_by_width", "divide by its square root"),
        ("attention_of_one_query__divided_by_keys", "n_k or its root, the number of keys"),
        ("attention_of_one_query__root_of_keys", "n_k or its root, the number of keys"),
        ("attention_of_one_query__wrong_axis", "the weights sum to 5"),
        ("attention_of_one_query__best_key_alone", "the best key alone"),
        ("attention_of_one_query__mixes_keys", "mix the values, not the keys"),
        ("attention__uniform", "every key has the weight 1/5"),
        ("attention__unscaled", "the scale is missing"),
        ("attention__divided_by_width", "divide by its square root"),
        ("attention__divided_by_keys", "n_k or its root, the number of keys"),
        ("attention__root_of_keys", "n_k or its root, the number of keys"),
        ("attention__wrong_axis", "softmax ran over the queries"),
        ("attention_of_one_query__query_first", "transpose K, or put K first"),
        ("attention__swapped", "3 (n_q) columns and the right factor 5 (n_k) rows"),
        ("attention__swapped", "Are Q and K swapped?"),
        ("attention__not_transposed", "8 (d_k) columns and the right factor 5 (n_k) rows"),
        ("attention__first_query_only", "all queries have the same output"),
    ],
)
def test_the_visible_check_names_the_mistake(name, seen):
    task = name.partition("__")[0]
    _, errors = grade(NAME, {task: answers(NAME, "mutants")[name]}, kind="release")
    assert seen in str(errors[f"{task}-check"])
