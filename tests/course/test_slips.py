"""The questions "find the slip": five steps, one right answer each, numbers that recompute."""

import re

import pytest

from course import ledger, questions
from course.questions.slips import FORMS, OWN as OWN_FILE, fill

LEDGER = ledger.load()
SLIPS = questions.slips()
OWN = questions.slips(OWN_FILE)
SUM = re.compile(r"((?:\d+(?:\.\d+)? [·+−/] )+\d+(?:\.\d+)?) = (−?\d+(?:\.\d+)?)(?![\d…])")


def every_text(slip):
    yield from (slip["title"], slip["given"])
    for step in slip["steps"]:
        yield step["ask"]
        for choice in step["choices"]:
            yield from (choice["text"], choice["says"])


def test_about_half_of_the_solutions_are_right():
    """Or "it is wrong" would be a safe guess."""
    right = sum(slip["form"] == "right" for slip in SLIPS)
    assert 0.4 <= right / len(SLIPS) <= 0.6


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip["id"])
def test_no_answer_is_followed_by_what_the_notes_print(slip):
    assert not re.search(r"\b(notes?|slides?)\b", " ".join(every_text(slip)), re.IGNORECASE)
    assert "unknown" not in " ".join(c["text"] for s in slip["steps"] for c in s["choices"])


def test_each_slip_has_a_name_of_its_own_and_a_chapter_that_exists():
    assert len({slip["id"] for slip in [*SLIPS, *OWN]}) == len(SLIPS) + len(OWN)
    assert {slip["chapter"] for slip in [*SLIPS, *OWN]} <= set(ledger.CHAPTERS)


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip["id"])
def test_a_wrong_solution_has_five_steps(slip):
    assert slip["form"] in FORMS
    # A right solution needs no search for its slip.
    assert len(slip["steps"]) in ((2, 3, 4) if slip["form"] == "right" else (5,))


@pytest.mark.parametrize("slip", [*SLIPS, *OWN], ids=lambda slip: slip["id"])
def test_every_step_has_one_right_answer_and_feedback(slip):
    for step in slip["steps"]:
        assert [bool(choice.get("right")) for choice in step["choices"]].count(True) == 1
        assert len(step["choices"]) >= 2 and all(choice["says"] for choice in step["choices"])


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip["id"])
def test_it_is_about_an_entry_of_the_ledger_and_says_rightly_whether_it_agrees(slip):
    if "statement" in slip:
        assert slip["form"] == "repair" and slip["statement"] in LEDGER.statements
        return
    number = LEDGER.numbers[slip["entry"]]
    if slip["form"] == "right":
        # What is shown as right is what we compute, or what is printed where it agrees.
        shown = "step" if "{step" in slip["given"] else "printed"
        assert f"{{{shown} {slip['entry']}}}" in slip["given"]
        assert shown == "step" or number.verdict == "agrees"
        return
    if slip["id"] != "norm-two-numbers":  # an example that is right and shows too little
        assert "agrees" != number.verdict or "agrees" != number.chain_verdict
    # A slip is asked for by name only where one is known that gives what is printed.
    assert slip["form"] != "name" or number.slips


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip["id"])
def test_numbers_come_from_the_ledger_and_sums_in_the_text_are_right(slip):
    for text in every_text(slip):
        filled = fill(text, LEDGER)
        assert "{" not in filled
        for left, right in SUM.findall(re.sub(r"<[^>]+>", "", filled)):
            value = eval(left.translate(str.maketrans("·−", "*-")))
            printed = right.replace("−", "-")
            decimals = len(printed.partition(".")[2])
            assert abs(value - float(printed)) <= 0.5 * 10**-decimals + 1e-9, (left, right)


def test_a_wrong_sum_in_a_text_is_found():
    assert SUM.findall("0.80 · 0.3 + 1.04 · 0.6 = 0.864.") == [("0.80 · 0.3 + 1.04 · 0.6", "0.864")]


def test_an_unknown_slip_and_an_unknown_entry_are_refused():
    with pytest.raises(ValueError, match=r"slip of slips\.toml"):
        questions.pose("no-such-slip")
    with pytest.raises(ValueError, match="must name an entry"):
        fill("{printed 999.x}", LEDGER)


def test_the_page_holds_the_values_and_not_the_placeholders():
    html = questions.pose("dragon-weights")._repr_html_()
    assert "[0.2645, 0.4711, 0.2645]" in html
    assert html.count('data-verdict="right"') == 5
