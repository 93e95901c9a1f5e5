"""Many entries as lines of one table."""

import pytest

from course import ledger


def test_every_entry_is_one_line_with_its_mark_in_words():
    shown = ledger.compact("002.decoding")
    numbers = [n for n in ledger.load().numbers.values() if n.id.startswith("002.decoding.")]
    assert len(repr(shown).splitlines()) == len(numbers) > 20
    html = shown._repr_html_()
    assert html.count("tl-mark") - html.count(".tl-mark") == len(numbers)
    assert html.count("✗ disagrees") == sum(n.chain_verdict == "disagrees" for n in numbers) > 0
    assert html.count("<table") == 1 + 2 * sum(isinstance(n.printed, list) for n in numbers)


def test_what_disagrees_is_struck_and_says_why():
    html = ledger.compact("002.decoding.row_3")._repr_html_()
    assert "<del>0.85</del>" in html and "0.8416" in html
    assert "The row sums to 1.01" in html


def test_an_unknown_id_is_refused():
    with pytest.raises(ValueError, match=r"'002\.nothing'"):
        ledger.compact("002.nothing")
