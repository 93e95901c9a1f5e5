"""The ledger's file: complete entries, both verdicts, confirmed slips."""

import numpy as np
import pytest

from course import ledger

LEDGER = ledger.load()
NUMBERS = list(LEDGER.numbers.values())


def test_every_entry_has_both_verdicts_and_a_diagnosis_where_one_is_not_agreement():
    known = {"agrees", "disagrees", "ill-posed"}
    for number in NUMBERS:
        assert {number.verdict, number.chain_verdict} <= known, number.id
        assert number.id.startswith(number.note + "."), number.id
        assert (number.verdict == "ill-posed") == bool(number.ill_posed), number.id
        if {number.verdict, number.chain_verdict} != {"agrees"}:
            assert number.diagnosis, number.id


# Wrong values that are no slip in reckoning; their diagnosis says what they are.
NO_RECKONING = {
    "002.3.length_again",
    "002.decoding.row_3",
    "003.2.3.hidden",
    "003.2.4.constant",
}


def test_a_wrong_value_names_a_slip_or_says_that_none_was_found():
    for number in NUMBERS:
        if number.verdict == "disagrees" and not number.slips and number.id not in NO_RECKONING:
            assert "no slip" in number.diagnosis.lower(), number.id


def test_every_step_starts_from_what_the_earlier_entry_prints():
    for number in NUMBERS:
        for name, earlier in number.after.items():
            assert number.inputs[name] == LEDGER.numbers[earlier].printed, (number.id, name)


SLIPS = [(number, slip) for number in NUMBERS for slip in number.slips]
SLIP_IDS = [f"{number.id}-{slip.compute}" for number, slip in SLIPS]


@pytest.mark.parametrize(("number", "slip"), SLIPS, ids=SLIP_IDS)
def test_a_slip_gives_the_printed_value_where_it_is_wrong(number, slip):
    cells = ledger.agreement(number.printed, ledger.slip_value(slip, number))
    assert cells is not None, "the slip has another shape than the printed value"
    explained = np.asarray(cells)
    if not slip.cells:
        assert number.verdict != "agrees" and explained.all()
    right = np.asarray(ledger.agreement(number.printed, number.step))
    for cell in slip.cells:
        assert explained[tuple(cell)] and not right[tuple(cell)]


def test_a_slip_explains_all_wrong_cells_or_some():
    found = {n.id: ledger.explained(n) for n in NUMBERS if n.verdict == "disagrees"}
    assert found["004.2.1.3.softmax"] == found["002.4a.scaled"] == "whole"
    for again in ("004.3.encoding", "004.4.encoding"):  # with the same formulas beside both
        assert found[again] == "whole", "two slips give it together"
    assert found["002.4c.W_Q_transposed"] == found["002.5.linear_1"] == "part"
    assert found["002.4a.scores"] == ""
    tautology = [n.id for n, slip in SLIPS if slip.compute == "facts.published"]
    assert not tautology, "a figure that is put in comes out: it explains nothing"


def test_the_slips_of_the_attention_chapter():
    found = {slip.compute for _, slip in SLIPS}
    assert {"attention.scaled_cut", "attention.softmax_unscaled", "attention.hardmax"} <= found


def test_the_dragon_weights_are_softmax_without_the_scale_but_for_the_middle_one():
    weights = np.exp([0.0, 1.0, 0.0]) / np.exp([0.0, 1.0, 0.0]).sum()
    printed = LEDGER.numbers["004.2.1.2.softmax"].printed
    assert ledger.agreement(printed, weights.tolist()) == [True, False, True]
    assert f"{1 - 2 * 0.2119:.4f}" == printed[1]
