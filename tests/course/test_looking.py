"""Which heads of the book's own model agreement needs."""

import numpy as np
import pytest

from course.languages import AgreementLanguage
from course.looking import effect, margins, pairs_of, right
from course.next_word import FINDER, model

LANGUAGE = AgreementLanguage()
PAIRS = pairs_of(LANGUAGE, np.random.default_rng(0), 30)


def test_the_sentences_of_a_pair_differ_in_the_number_of_the_subject_alone():
    for one, many in PAIRS:
        place = int(one[0] == "the")
        assert one[:place] + one[place + 1 :] == many[:place] + many[place + 1 :]
        assert len(one) > place + 1
        for words, verb, wrong in ((one, "is", "are"), (many, "are", "is")):
            assert LANGUAGE.log_probability([*words, verb, "tired"]) > -np.inf
            assert LANGUAGE.log_probability([*words, wrong, "tired"]) == -np.inf


def test_plurals_are_lost_without_the_head_that_finds_the_subject():
    layer, head = FINDER
    whole = margins(*model(), LANGUAGE, PAIRS)
    without = margins(*model(), LANGUAGE, PAIRS, [(layer + 1, head + 1)])
    other = margins(*model(), LANGUAGE, PAIRS, [(layer + 1, head)])
    assert right(whole).tolist() == right(other).tolist() == [1, 1]
    assert right(without).tolist() == [1, 0]
    assert effect(without) < 0.1 < 10 < effect(whole)


def test_a_padded_row_is_read_at_its_own_end():
    together = margins(*model(), LANGUAGE, PAIRS, [(1, 3)])
    alone = [margins(*model(), LANGUAGE, [pair], [(1, 3)])[0] for pair in PAIRS[:5]]
    np.testing.assert_allclose(together[:5], alone, atol=1e-4)


@pytest.mark.parametrize("head", [(3, 1), (0, 1), (1, 5), (1, 0)])
def test_a_head_that_is_not_there_is_refused(head):
    with pytest.raises(ValueError, match=f"there is no head {head[1]} in layer {head[0]}"):
        margins(*model(), LANGUAGE, PAIRS, [head])
