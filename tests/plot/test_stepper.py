"""A stepper: every step is in the page, one of them in focus, and its ids are stable."""

from tests.refusals import refusals
from transformer_lib import plot

STEPS = [("given", "A <b>number</b>.", "6"), plot.Step("halved", "Half of it.", plot.matrix([3.0]))]


def test_every_step_is_in_the_page_and_in_the_text():
    shown = plot.stepper("Half of 6", STEPS)
    assert shown.html.count("<section>") == shown.html.count('type="radio"') == 2
    assert shown.html.count("checked") == 1
    assert shown.text.splitlines() == [
        "Half of 6",
        "1 given: A number.",
        "6",
        "2 halved: Half of it.",
        "[3.0000]",
    ]


def test_two_steppers_of_a_page_do_not_share_their_tabs():
    first, again, other = (
        plot.stepper(title, STEPS).html for title in ("Half of 6", "Half of 6", "Half of six")
    )
    assert first == again and first != other


def test_as_many_steps_as_the_style_knows():
    shown = plot.stepper("All", STEPS * 6)
    assert "nth-of-type(12):checked" in shown._repr_html_()


test_fewer_and_more_are_refused = refusals(
    ("steps must be from 2 to 12, got 1", STEPS[:1]),
    ("steps must be from 2 to 12, got 14", STEPS * 7),
    of=lambda steps: plot.stepper("Steps", steps),
)
