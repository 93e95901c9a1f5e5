import json
import re

import pytest
from bs4 import BeautifulSoup

from course import questions
from course.questions.slip import RIGHT_STEPS, STEPS
from tests.refusals import refusals
from transformer_lib import plot


def tags(markup, name):
    """The attributes of each tag of this name."""
    page = BeautifulSoup(markup.html, "html.parser", multi_valued_attributes=None)
    return [tag.attrs for tag in page.find_all(name)]


def test_numbers_ascend_yes_comes_first_and_the_id_draws_any_other_order():
    def shown(id, *labels):
        first, *rest = labels
        choices = [questions.right(first, ""), *(questions.wrong(each, "") for each in rest)]
        return repr(questions.choose(id, "?", choices)).split("\n( ) ")[1:]

    assert shown("n", "84.9", "−7.1", "28.3") == ["−7.1", "28.3", "84.9"]
    assert shown("n", "5 minutes", "3.2 minutes") == ["3.2 minutes", "5 minutes"]
    assert shown("n", "ten", "two", "four") == ["two", "four", "ten"]
    assert shown("n", "No.", "Yes: both.") == ["Yes: both.", "No."]
    words = ["one row", "each row", "each column", "no row"]
    drawn = [tuple(shown(f"q-{i}", *words)) for i in range(200)]
    assert len(set(drawn)) == 24 and drawn[1] == ("one row", "each row", "no row", "each column")


def axis_question(id="axis"):
    return questions.choose(
        id,
        "What sums to <b>1</b>?",
        [
            questions.right("each row", "One unit."),
            questions.wrong("each column", "That is axis=-2."),
        ],
    )


def test_choice_keeps_the_contract_that_the_browser_tests_rely_on():
    question = axis_question()
    (fieldset,) = tags(question, "fieldset")
    assert (fieldset["class"], fieldset["id"]) == ("tl-question", "axis")
    radios = tags(question, "input")
    assert [(r["type"], r["name"], r["id"], r["data-verdict"]) for r in radios] == [
        ("radio", "axis", "axis-1", "right"),
        ("radio", "axis", "axis-2", "wrong"),
    ]
    assert [label["for"] for label in tags(question, "label")] == ["axis-1", "axis-2"]
    feedback = [d["data-for"] for d in tags(question, "div") if d.get("class") == "tl-feedback"]
    assert feedback == ["axis-1", "axis-2"]
    assert "✓ Right.</b> One unit." in question.html
    assert "✗ Not so.</b> That is axis=-2." in question.html
    assert [b["class"] for b in tags(question, "button")] == ["tl-check"]
    assert question._repr_html_().count("<script>") == 1
    assert "scripts are off" in question.html


def test_text_form_shows_the_question_and_not_the_answer():
    assert repr(axis_question()) == "What sums to 1?\n( ) each row\n( ) each column"
    asked = questions.number("sum", "The sum?", 0.7303, right="1 + 1")
    assert repr(asked) == "The sum?\nYour number: ____"


def test_a_question_shows_and_says_which_objective_it_asks():
    asked = [
        questions.choose("o", ["?", "More."], [questions.right("a", "")] * 2, objective=2),
        questions.number("o", ["?", "More."], 1.0, objective=2),
        questions.pose("dragon-weights", objective=2),
    ]
    for each in asked:
        assert each.html.count('<small class="tl-objective">Objective 2</small>') == 1
        assert each.text.splitlines()[0].endswith("(Objective 2)")


def test_number_carries_its_answer_and_the_mistakes_it_knows():
    asked = questions.number(
        "largest", "The largest?", 0.4711, mistakes={0.5761: 'you left out "√d_k" < 2'}
    )
    (field,) = tags(asked, "input")
    assert field["class"] == "tl-number" and field["data-answer"] == "0.4711"
    assert float(field["data-tolerance"]) == pytest.approx(5e-4, rel=1e-6)
    ((value, said),) = json.loads(field["data-mistakes"])
    assert value == 0.5761 and said == '<b>✗ Not so.</b> you left out "√d_k" < 2'
    assert tags(asked, "output")[0]["class"] == "tl-feedback"
    assert tags(asked, "label")[0]["for"] == field["id"]
    assert asked._repr_html_().count("<script>") == 1


def is_judged_right(typed, field):
    """Judge as the script in the page does: doubles, the tolerance included."""
    return abs(float(typed) - float(field["data-answer"])) <= float(field["data-tolerance"])


@pytest.mark.parametrize("tolerance", [5e-4, 5e-3, 0.05])
def test_both_ends_of_the_tolerance_are_right_and_nothing_beyond(tolerance):
    for ten_thousandths in range(-12_000, 12_000, 7):
        answer = ten_thousandths / 10_000
        html = questions.number("n", "?", answer, tolerance=tolerance).html
        field = dict(re.findall(r'(data-\w+)="([^"]*)"', html))
        for sign in (-1, 1):
            assert is_judged_right(f"{answer + sign * tolerance:.4f}", field), answer
            assert not is_judged_right(f"{answer + sign * 1.01 * tolerance:.6f}", field), answer


def test_a_mistake_lies_more_than_two_tolerances_away():
    questions.number("n", "?", 0.5, tolerance=0.125, mistakes={0.7501: "x"})
    with pytest.raises(ValueError, match=r"apart from the answer, got \[0.75\]"):
        questions.number("n", "?", 0.5, tolerance=0.125, mistakes={0.75: "x"})


@pytest.mark.parametrize(
    "question", [axis_question(), questions.number("n", "?", 1.0, mistakes={2.0: "two"})]
)
def test_a_question_is_light_and_asks_no_other_host(question):
    assert len(question.html.encode()) < 1500
    assert "http" not in question._repr_html_()


def test_a_prompt_can_hold_a_matrix_below_its_first_line():
    asked = questions.number("n", ["How large?", plot.matrix([[2.0]], decimals=0)], 2.0)
    assert "<legend>How large?</legend>" in asked.html
    assert repr(asked).splitlines()[:2] == ["How large?", "[2]"]
    assert asked._repr_html_().count("<style>") == 2  # the questions' and the tables'


def test_slip_has_five_steps_in_order_and_each_tag_once():
    asked = [axis_question(f"s-{i}") for i in range(4)] + [questions.number("s-4", "?", 1.0)]
    posed = questions.slip("s", "a row of weights", ["It prints", plot.matrix([[0.5]])], asked)
    assert re.findall(r"Step \d: ([^<]+)", posed.html) == list(STEPS)
    ids = re.findall(r' id="([^"]+)"', posed.html)
    assert len(ids) == len(set(ids)) and {"s", "s-0", "s-3-2", "s-4-number"} <= set(ids)
    page = posed._repr_html_()
    assert page.count("<script>") == 1 and page.count("<style>") == 2
    assert repr(posed).startswith(
        "Right or wrong: a row of weights\n\nIt prints\n[0.5000]\n\n1. Commit"
    )


@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_right_example_has_fewer_steps_and_names_no_slip(count):
    asked = [axis_question(f"s-{i}") for i in range(count)]
    posed = questions.slip("s", "a row", "It prints", asked)
    assert re.findall(r"Step \d: ([^<]+)", posed.html) == list(RIGHT_STEPS[:count])


CHOICES = [questions.right("a", "yes"), questions.wrong("b", "no")]


test_bad_questions_are_named = refusals(
    ("id must be", lambda: questions.choose("4a", "?", CHOICES)),
    ("id must be", lambda: questions.choose("a b", "?", CHOICES)),
    ("two or more", lambda: questions.choose("a", "?", CHOICES[:1])),
    ("one of them right", lambda: questions.choose("a", "?", [CHOICES[1]] * 2)),
    ("finite", lambda: questions.number("a", "?", float("nan"))),
    ("above 0", lambda: questions.number("a", "?", 1.0, tolerance=0.0)),
    ("2 to 5 questions, got 1", lambda: questions.slip("a", "t", "g", [axis_question()])),
)


def test_jupyterlab_leaves_every_key_to_the_inputs():
    asked = questions.number("n", "?", 1.0)
    focusable = [
        each
        for q in (axis_question(), asked)
        for name in ("input", "button")
        for each in tags(q, name)
    ]
    assert len(focusable) == 5
    assert all("data-lm-suppress-shortcuts" in attributes for attributes in focusable)
