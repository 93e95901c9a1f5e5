"""The three verdicts, on steps and on chains."""

import pytest

from course import ledger
from course.ledger import Ledger, Number


def entry(name="000.a", **fields):
    fields = {"printed": ["0.27", "0.73"], "inputs": {"scaled": ["0", "1"]}} | fields
    fields = {"compute": "attention.softmax"} | fields
    return Number(id=name, note="000", chapter="04_attention", where="", **fields)


def judged(*numbers):
    book = Ledger({number.id: number for number in numbers}, {})
    result = ledger.recompute(numbers[-1], book)
    return result.verdict, result.chain_verdict


def test_every_verdict():
    assert judged(entry()) == ("agrees", "agrees")
    assert judged(entry(printed=["0.26", "0.73"])) == ("disagrees", "disagrees")
    assert judged(entry(printed=["0.27", "0.73", "0"])) == ("ill-posed", "ill-posed")
    assert judged(entry(printed=[["0.27", "0.73"]])) == ("ill-posed", "ill-posed")
    assert judged(entry(printed="0.27")) == ("ill-posed", "ill-posed")
    wide = {"weights": [["1", "0", "0"]], "V": [["1", "2"], ["3", "4"]]}
    assert judged(entry(inputs=wide, compute="attention.output")) == ("ill-posed", "ill-posed")
    assert judged(entry(inputs={}, compute="", ill_posed="W is missing"))[0] == "ill-posed"


def test_a_copied_error_is_right_as_a_step_and_wrong_as_a_chain():
    first = entry(printed=["0.30", "0.70"])
    again = entry(
        "000.b",
        printed=["0.30", "0.70"],
        inputs={"printed": ["0.30", "0.70"]},
        after={"printed": "000.a"},
        compute="attention.restated",
    )
    assert judged(first, again) == ("agrees", "disagrees")


def test_what_follows_an_ill_posed_step_has_an_ill_posed_chain():
    first = entry(printed=["0.27", "0.73"], inputs={}, compute="")
    again = entry("000.b", after={"scaled": "000.a"})
    assert judged(first, again) == ("agrees", "ill-posed")


def test_half_of_a_row_that_can_be_computed_decides_if_it_is_wrong():
    assumed = entry("000.assumed", printed="5", inputs={}, compute="")
    first = entry("000.first", printed="3", inputs={"printed": "2"}, compute="attention.restated")
    inputs = {"a": "3", "b": "5", "c": "1"}
    row = {"printed": ["3", "5", "1"], "inputs": inputs, "compute": "attention.entries"}
    both = entry("000.both", after={"a": "000.first", "b": "000.assumed"}, **row)
    one = entry("000.one", after={"b": "000.assumed"}, **row)
    book = Ledger({number.id: number for number in (assumed, first, both, one)}, {})
    results = [ledger.recompute(number, book) for number in (both, one)]
    assert [result.chain_verdict for result in results] == ["disagrees", "ill-posed"]
    assert [result.chain for result in results] == [[2.0, "?", 1.0], [3.0, "?", 1.0]]
    assert "<td>?</td>" in ledger.show("002.4d.concatenated").html


@pytest.mark.parametrize("missing", [("nothing",), ("004.2.1.2.softmax", "nothing")])
def test_showing_an_unknown_entry_is_refused(missing):
    with pytest.raises(ValueError, match="nothing"):
        ledger.show(*missing)


def test_an_entry_is_shown_as_text_and_as_html_with_its_mark_in_words():
    shown = ledger.show("004.2.1.2.softmax", "004.2.1.2.scores")
    html = shown._repr_html_()
    for text in (html, repr(shown)):
        for piece in ("0.5762", "0.4711", "✗ disagrees", "✓ agrees", "before scaling"):
            assert piece in text
    assert html.count("<del>") == 3
    assert "<style>" in html and "004." not in repr(shown)
