"""The ledger's statements: complete, and those that say "a test" have one here."""

import numpy as np

from course import ledger
from transformer_lib.formulas.attention import attention
from transformer_lib.formulas.mask import causal_mask
from transformer_lib.formulas.normalization import layer_norm
from transformer_lib.formulas.softmax import softmax

STATEMENTS = ledger.load().statements
RNG = np.random.default_rng(20)
N, D, M = 5, 3, 4
Q, K, V = RNG.normal(size=(N, D)), RNG.normal(size=(N, D)), RNG.normal(size=(N, M))


def test_every_statement_is_complete_and_quotes_eight_words_at_most():
    for statement in STATEMENTS.values():
        assert statement.id.startswith(statement.note + "-")
        assert 0 < len(statement.where.split()) <= 8, statement.id
        for text in (statement.problem, statement.correct, statement.source):
            assert text.strip(), statement.id


def columns(scores, axis):
    return (V.T @ softmax(scores, axis=axis)).T


def test_000_10_without_the_mask_the_newest_output_changes_from_the_second_layer_on():
    assert "000-10" in STATEMENTS
    layers = [RNG.normal(size=(3, D, D)) for _ in range(2)]

    def newest(count, mask):
        rows = Q
        for W_Q, W_K, W_V in layers[:count]:
            rows = rows + attention(rows @ W_Q, rows @ W_K, rows @ W_V, mask=mask)
        return rows[-1]

    causal = causal_mask(N, like=Q)
    np.testing.assert_allclose(newest(1, None), newest(1, causal), atol=1e-12)
    assert np.abs(newest(2, None) - newest(2, causal)).max() > 0.1


def test_001_01_with_tokens_as_columns_the_printed_order_mixes_the_wrong_side():
    assert "001-01" in STATEMENTS
    right, scale = attention(Q, K, V), np.sqrt(D)
    np.testing.assert_allclose(columns(K @ Q.T / scale, 0), right, atol=1e-12)
    for axis in (0, 1):
        assert not np.allclose(columns(Q @ K.T / scale, axis), right, atol=0.1)


def test_001_07_the_printed_mask_lets_a_token_see_the_future_and_not_the_past():
    assert "001-07" in STATEMENTS
    hidden = np.where(causal_mask(N, like=Q), 0.0, -np.inf)

    def printed(values):
        return (values.T @ softmax(Q @ K.T + hidden, axis=0)).T

    changed = V.copy()
    changed[2] += 1
    moved = ~np.isclose(printed(V), printed(changed)).all(axis=1)
    assert moved.tolist() == [True, True, True, False, False]


def test_001_13_a_finite_mask_inside_the_root_leaks():
    said = STATEMENTS["001-13"].correct
    outside, inside = (softmax(np.array([0.0, -20 / scale]))[1] for scale in (1, np.sqrt(64)))
    assert f"{outside:.0e}".replace("e-0", "e-") in said and f"{inside:.4f}" in said
    assert softmax(np.array([0.0, -np.inf / np.sqrt(64)]))[1] == 0


def test_002_18_the_rows_that_the_note_leaves_out():
    masked = STATEMENTS["002-18"].correct
    for row in ([0.6, 0.5], [0.4, 0.3, 0.6], [0.3, 0.4, 0.5, 0.6]):
        weights = softmax(np.array(row))
        assert " ".join(f"{weight:.4f}" for weight in weights) in masked


def test_002_22_the_layer_norm_of_two_numbers_is_always_minus_one_and_one():
    assert "002-22" in STATEMENTS
    for x, sublayer in (([2.0, 4.0], [1.0, 3.0]), ([2.0, 4.0], [0.0, 0.0]), ([-9.0, 5.0], [1, 1])):
        z = np.array(x) + np.array(sublayer)
        np.testing.assert_allclose(layer_norm(z, eps=0.0), [-1, 1], atol=1e-12)
    z = np.array([3.0, 7.0])
    unbiased, without_root = ((z[1] - z.mean()) / size for size in (z.std(ddof=1), z.var()))
    for mistaken in (f"{unbiased:.4f}", f"{without_root:.1f}"):
        assert f"{mistaken} in place of 1" in STATEMENTS["002-22"].correct


def test_002_29_the_projection_after_two_heads_as_wide_as_the_model():
    heads, width, d_model = 2, 4, 4
    concatenated = RNG.normal(size=(N, heads * width))
    shape = (heads * width, d_model)
    assert str(shape) in STATEMENTS["002-29"].correct
    assert (concatenated @ RNG.normal(size=shape)).shape == (N, d_model)


def test_003_01_two_layers_multiply_their_weights():
    assert "003-01" in STATEMENTS
    first, second = softmax(RNG.normal(size=(N, N))), softmax(RNG.normal(size=(N, N)))
    product = np.einsum("ij,jk->ik", second, first)
    np.testing.assert_allclose(second @ (first @ V), product @ V, atol=1e-12)
    np.testing.assert_allclose(second.sum(axis=1), 1)


def test_003_10_setting_weights_to_zero_is_not_masking():
    assert "003-10" in STATEMENTS
    scores, allowed = Q @ K.T, causal_mask(N, like=Q)
    zeroed = np.where(allowed, softmax(scores), 0)
    masked = softmax(np.where(allowed, scores, -np.inf))
    assert not np.allclose(zeroed, masked, atol=0.01)
    np.testing.assert_allclose(zeroed / zeroed.sum(axis=1, keepdims=True), masked, atol=1e-12)


def test_003_09_the_spread_of_a_dot_product_grows_as_the_root_of_the_width():
    assert "003-09" in STATEMENTS
    for width in (4, 64):
        products = (RNG.normal(size=(20000, width)) * RNG.normal(size=(20000, width))).sum(axis=1)
        assert abs(products.std() / np.sqrt(width) - 1) < 0.05
        assert abs(products.mean()) < 0.05 * np.sqrt(width)


def test_004_08_word_by_word_and_all_at_once_are_the_same():
    identity = np.eye(3)
    one, all_words = attention(identity[1:2], identity, identity), attention(*[identity] * 3)
    np.testing.assert_allclose(one[0], all_words[1])
    assert ", ".join(f"{weight:.4f}" for weight in one[0]) in STATEMENTS["004-08"].correct


def test_004_25_the_softmax_of_one_score_is_one():
    assert "004-25" in STATEMENTS
    for score in (-3.0, 0.0, 0.5774):
        np.testing.assert_array_equal(softmax(np.array([score])), [1.0])


def test_004_27_sixty_percent_faster_is_not_sixty_percent_less_time():
    time = 1 / (1 + 0.60)
    assert f"1/1.6 = {time:g}" in STATEMENTS["004-27"].correct
    assert f"{1 - time:.0%} less time" in STATEMENTS["004-27"].correct


def test_a_source_that_speaks_of_a_test_has_one():
    spoken = {s.id for s in STATEMENTS.values() if "a test" in s.source}
    written = {name[5:11].replace("_", "-") for name in globals() if name.startswith("test_00")}
    assert spoken <= written
