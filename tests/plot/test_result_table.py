import re

import numpy as np

from tests.refusals import refusals
from transformer_lib import plot

COLUMNS = {
    "word <s>": ["a", "<b>"],
    "share": [0.25, np.float64(-1.5)],
    "count": [7, np.int64(12_345)],
    "ok": [True, np.bool_(False)],
}


def test_numbers_words_and_truth_values_under_their_names():
    shown = plot.table(COLUMNS, title="Found", decimals=2)
    assert repr(shown).splitlines() == [
        "Found",
        "word <s>  share   count   ok",
        "       a   0.25       7  yes",
        "     <b>  -1.50  12,345   no",
    ]
    assert re.findall(r"<td>([^<]*)</td>", shown.html) == [
        "a", "0.25", "7", "yes", "&lt;b&gt;", "−1.50", "12,345", "no",
    ]  # fmt: skip
    assert "<b>word &lt;s&gt;</b>" in shown.html and "<caption>Found</caption>" in shown.html


def test_without_a_title_there_is_no_caption_but_a_name_for_screen_readers():
    shown = plot.table({"n": [1]})
    assert "<caption>" not in shown.html and 'aria-label="Table"' in shown.html
    assert repr(shown) == "n\n1"


def test_a_title_is_heard_once():
    shown = plot.table({"n": [1]}, title="Found")
    assert shown.html.count("Found") == 1 and 'role="group" aria-label="Table"' in shown.html


test_columns_of_unequal_length_are_refused = refusals(
    *(("columns must be one or more of equal length", c) for c in ({}, {"a": [1], "b": [1, 2]})),
    of=plot.table,
)


def test_a_row_keeps_its_pieces_in_order_and_each_style_once():
    table = plot.table({"n": [1]})
    shown = plot.row("left <b>side</b>", table, table)
    assert re.findall(r"<div>(left <b>side</b>|<div)", shown.html)[0] == "left <b>side</b>"
    assert shown.html.startswith('<div class="tl-row">') and shown.html.count("<table") == 2
    assert repr(shown).splitlines() == ["left side", "n", "1", "n", "1"]
    assert len(shown.head) == len(set(shown.head)) and set(table.head) <= set(shown.head)


def test_words_begin_at_the_left_and_numbers_end_at_the_right() -> None:
    shown = plot.table(
        {"model": ["rnn", "none"], "loss": ["0.5", "12 of 20"], "best": [True, False]}
    )
    assert shown.html.count('class="tl-words"') == 3
    assert '<td class="tl-words">rnn</td><td>0.5</td><td>yes</td>' in shown.html
    assert shown.text.splitlines()[1] == "rnn         0.5   yes"
