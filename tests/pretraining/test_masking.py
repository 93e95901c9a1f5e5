"""Masking: who is chosen, what becomes of them, and what the model is asked."""

import numpy as np

from tests.refusals import refusals
from transformer_lib.pretraining import IGNORED, mask_tokens

MASK, WORDS = 4, range(8, 30)


def masked(ids, seed=0, **options):
    return mask_tokens(
        ids, mask_id=MASK, word_ids=WORDS, rng=np.random.default_rng(seed), **options
    )


def many(n=200_000):
    return np.random.default_rng(1).integers(8, 30, (2, n // 2))


def test_special_tokens_are_never_chosen_nor_drawn():
    ids = np.tile([2, 9, 1, 3, 5], (400, 1))
    found = masked(ids, share=1.0, masked=0.0, random=1.0)
    assert (found.ids[:, [0, 2, 3, 4]] == ids[:, [0, 2, 3, 4]]).all()
    assert (found.targets[:, [0, 2, 3, 4]] == IGNORED).all()
    assert set(found.ids[:, 1].tolist()) == set(WORDS)


def test_targets_are_the_words_that_were_there_and_only_chosen_places_change():
    ids = many()
    found = masked(ids)
    chosen = found.targets != IGNORED
    assert (found.targets[chosen] == ids[chosen]).all()
    assert (found.ids[~chosen] == ids[~chosen]).all()


def test_the_shares_are_15_and_of_these_80_10_and_10_percent():
    ids = many()
    found = masked(ids)
    chosen = found.targets != IGNORED
    n = chosen.sum()
    hidden, same = found.ids == MASK, found.ids == ids
    # A word that is drawn is the same again once in 22 times.
    expected = {"chosen": 0.15, "mask": 0.8, "other": 0.1 * 21 / 22, "same": 0.1 + 0.1 / 22}
    got = {
        "chosen": n / ids.size,
        "mask": hidden.sum() / n,
        "other": (chosen & ~hidden & ~same).sum() / n,
        "same": (chosen & same).sum() / n,
    }
    for name, share in expected.items():
        trials = ids.size if name == "chosen" else n
        # Five standard deviations of a count of that many throws; the seed is fixed.
        assert abs(got[name] - share) < 5 * np.sqrt(share * (1 - share) / trials), name


def test_the_counts_of_a_seed_stay():
    found = masked(np.full((10, 100), 8))
    chosen = found.targets != IGNORED
    counts = [int(x.sum()) for x in (chosen, found.ids == MASK, chosen & (found.ids == 8))]
    assert counts == [131, 109, 11]


def test_the_ids_stay_and_all_or_none_may_be_chosen():
    ids = many(100)
    before = ids.copy()
    assert (masked(ids, share=0.0).ids == ids).all()
    assert (masked(ids, share=1.0, masked=1.0, random=0.0).ids == MASK).all()
    assert (ids == before).all()


test_what_is_refused = refusals(
    ("share must be between 0 and 1", lambda: masked(many(10), share=1.5)),
    ("masked must be between 0 and 1", lambda: masked(many(10), masked=-0.1)),
    ("both must be between 0 and 1", lambda: masked(many(10), masked=0.8, random=0.3)),
    ("rng", lambda: mask_tokens(many(10), mask_id=MASK, word_ids=WORDS, rng=0)),  # a seed is none
)
