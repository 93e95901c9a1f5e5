"""Tokens in boxes: blanks and broken bytes are seen, and ids stand below their tokens."""

from bs4 import BeautifulSoup

from tests.refusals import refusals
from transformer_lib import plot


def boxes(shown):
    page = BeautifulSoup(shown.html, "html.parser")
    return [[part.text for part in box.find_all(["b", "small"])] for box in page.select("span")]


def test_each_token_has_its_box_with_signs_for_blanks_and_numbers_for_broken_bytes():
    shown = plot.tokens([b"def", " f\n", b"\t", b"\xe2\x82", "<b>", "é".encode()])
    assert boxes(shown) == [["def"], ["␣f↵"], ["⇥"], ["E2 82"], ["<b>"], ["é"]]
    assert shown.text == "def|␣f↵|⇥|E2 82|<b>|é"


def test_ids_stand_below_their_tokens():
    shown = plot.tokens(["a", "b"], [7, 30], title="Two & more")
    assert boxes(shown) == [["a", "7"], ["b", "30"]]
    assert shown.text == "Two & more\na|b\n7 30"
    assert "Two &amp; more" in shown.html


test_nothing_to_show_and_ids_that_do_not_fit_are_refused = refusals(
    *(("ids must be one for each", given) for given in (([], None), (["a"], [1, 2]), (["a"], []))),
    of=lambda given: plot.tokens(*given),
)
