"""When does a computed value agree with the characters that a note prints?"""

import math
from decimal import ROUND_HALF_EVEN, Decimal

import pytest
from hypothesis import assume, given, strategies as st

from course.ledger import printed

FLOATS = st.floats(-1000, 1000, allow_nan=False)
DECIMALS = st.integers(1, 6)


def shown(x: float, decimals: int) -> str:
    unit = Decimal(1).scaleb(-decimals)
    return format(Decimal(x).quantize(unit, rounding=ROUND_HALF_EVEN), "f")


@given(FLOATS, DECIMALS)
def test_the_correctly_rounded_decimal_agrees(x, decimals):
    assert printed.agrees(shown(x, decimals), x)


@given(FLOATS, DECIMALS, st.sampled_from([-1, 1]))
def test_a_decimal_one_unit_off_disagrees_unless_x_is_a_tie(x, decimals, direction):
    unit = Decimal(1).scaleb(-decimals)
    other = Decimal(shown(x, decimals)) + direction * unit
    assume(abs(abs(Decimal(x) - other) - unit / 2) > Decimal("1e-8"))
    assert not printed.agrees(format(other, "f"), x)


@given(st.integers(-999, 999), DECIMALS)
def test_a_tie_agrees_with_both_neighbors_and_no_other(n, decimals):
    unit = Decimal(1).scaleb(-decimals)
    tie = float(n * unit + unit / 2)
    for neighbor, agrees in ((n - 1, False), (n, True), (n + 1, True), (n + 2, False)):
        assert printed.agrees(format(neighbor * unit, "f"), tie) is agrees


def test_the_noise_of_floats_does_not_decide_a_tie():
    below, above = 0.5 * 0.3, 0.1 * 1.5
    assert below != above
    assert all(printed.agrees(text, x) for text in ("0.1", "0.2") for x in (below, above))


@given(st.integers(-99, 99), st.floats(1e-6, 0.4))
def test_an_integer_must_be_exact(n, difference):
    assert printed.agrees(str(n), float(n))
    assert not printed.agrees(str(n), n + difference)


@pytest.mark.parametrize(
    ("text", "x", "agrees"),
    [
        ("0.155", 0.22 / math.sqrt(2), False),
        ("0.156", 0.22 / math.sqrt(2), True),
        ("-0.42", -0.4161, True),
        ("-0.4161", -0.41614, True),
        ("0.50", 0.496, True),
        ("0.50", 0.494, False),
        ("0", -0.0, True),
        ("97%", 0.9701, True),
        ("97%", 0.976, False),
        ("110 million", 117e6, False),
        ("117 million", 116_534_784.0, True),
        ("1.5 billion", 1_542e6, True),
        ("-inf", -math.inf, True),
        ("-inf", -1e300, False),
        ("0.5", -math.inf, False),
        ("0.5", math.nan, False),
        ("1/sqrt(3)", 1 / math.sqrt(3), True),
        ("1/sqrt(3)", 0.5774, False),
        ("-10^5", -1e5, True),
        ("cat", "cat", True),
        ("cat", "sat", False),
        ("cat", 1.0, False),
    ],
)
def test_every_kind_of_printed_value(text, x, agrees):
    assert printed.agrees(text, x) is agrees


@pytest.mark.parametrize(
    ("text", "number"),
    [("0.50", 0.5), ("97%", 0.97), ("10000^0", 1.0), ("2/4^(1/2)", 1.0), ("exp(0)", 1.0)],
)
def test_what_printed_characters_stand_for(text, number):
    assert printed.value(text) == pytest.approx(number)


def test_words_stay_words_and_no_code_is_run():
    assert printed.value("the cat") == "the cat"
    assert printed.value("__import__('os')") == "__import__('os')"
