"""Classic Transformer bugs: each a mutant of a right function, and the predicate that kills it.

One catalog in one file, longer than a module of the library may be, so that it can be read through.
A predicate takes any implementation with the signature of the right one and returns whether it
behaves; exercises can judge with it. Bugs that share a predicate share a topic.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F

import transformer_lib as tl


class Bug(NamedTuple):
    right: Callable[..., Any]
    mutant: Callable[..., Any]
    is_right: Callable[[Callable[..., Any]], Any]


RNG = np.random.default_rng(7)
X, MEMORY = RNG.normal(size=(3, 8)), RNG.normal(size=(3, 8))
W_Q, W_K, W_V, W_O = RNG.normal(size=(4, 8, 8))
ROW, MASK = np.zeros((1, 4)), np.array([[True, False, True, False]])


def close(a: Any, b: Any) -> bool:
    return np.shape(a) == np.shape(b) and np.allclose(a, b, atol=1e-6)


# attention


def unstable_softmax(x, axis=-1):
    with np.errstate(all="ignore"):
        return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)


def rows_sum_to_one(softmax):
    return close(softmax(X).sum(axis=-1), np.ones(3))


def survives_large_scores(softmax):
    return close(softmax(np.array([[1e4, 0.0]])), [[1, 0]])


def scores_are_divided_by_sqrt_d_k(attention):
    # d_k = 4: the scores 2 log 9 and 0 become log 9 and 0, so the weights are 0.9 and 0.1.
    Q = np.array([[2.0, 0.0, 0.0, 0.0]])
    K = np.array([[math.log(9), 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
    return close(attention(Q, K, np.array([[1.0], [0.0]])), [[0.9]])


def keeps_masked_keys_out(attention):
    V = np.eye(4)
    return close(attention(ROW, np.zeros((4, 4)), V, MASK) > 0, MASK)


def weights_sum_to_one_under_a_mask(attention):
    return close(attention(ROW, np.zeros((4, 4)), np.ones((4, 1)), MASK), [[1]])


def nothing_to_attend_to_gives_zero(attention):
    return close(attention(ROW, np.zeros((4, 4)), np.ones((4, 1)), MASK & False), [[0]])


def mask_after_softmax(Q, K, V, mask):
    return (tl.attention_steps(Q, K, V).weights * mask) @ V


def finite_mask(Q, K, V, mask):
    return tl.softmax(np.where(mask, Q @ K.mT / math.sqrt(Q.shape[-1]), -1e9)) @ V


# heads


def multi_head(attend, X, M):
    return tl.multi_head_attention(X, M, W_Q, W_K, W_V, W_O, h=2, attend=attend)


def each_head_attends_on_its_own(function):
    heads = [
        tl.attention(X @ W_Q[:, c], MEMORY @ W_K[:, c], MEMORY @ W_V[:, c])
        for c in (slice(0, 4), slice(4, 8))
    ]
    return close(function(X, MEMORY), np.concatenate(heads, axis=-1) @ W_O)


def heads_are_groups_of_columns(split):
    return close(split(X, 2), [X[:, :4], X[:, 4:]])


def heads_stand_side_by_side(merge):
    return close(merge(np.stack([X, MEMORY])), np.concatenate([X, MEMORY], axis=-1))


def keys_from_the_decoder(X, M):
    return tl.attention(X @ W_Q, X @ W_K, M @ W_V)


def order_of_the_memory_does_not_matter(cross_attention):
    return close(cross_attention(X, MEMORY[::-1].copy()), cross_attention(X, MEMORY))


def the_memory_is_read(cross_attention):
    return not close(cross_attention(X, 2 * MEMORY), cross_attention(X, MEMORY))


# masks and positions


def causal(n, offset=0):
    return tl.causal_mask(n, like=X, offset=offset)


def sees_itself_and_the_past_only(mask):
    return close(mask(3), [[1, 0, 0], [1, 1, 0], [1, 1, 1]])


def the_newest_token_sees_the_whole_cache(mask):
    return close(mask(1, 3), [[1, 1, 1, 1]])


def padding_is_attended_by_nobody(mask):
    shown = np.broadcast_to(mask(np.array([5, 6, 0]), 0), (3, 3))
    return close(shown, [[1, 1, 0]] * 3)


def sinusoidal(n, d_model, offset=0):
    return tl.sinusoidal(n, d_model, like=X, offset=offset)


def wrong_exponent(n, d_model, offset=0):
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(d_model // 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


def sines_then_cosines(n, d_model, offset=0):
    right = sinusoidal(n, d_model)
    return np.concatenate([right[:, ::2], right[:, 1::2]], axis=-1)


def is_the_encoding_of_the_paper(encoding):
    expected = [[0, 1, 0, 1], [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)]]
    return close(encoding(2, 4), expected)


def one_at_a_time_equals_all_at_once(encoding):
    return close(np.concatenate([encoding(1, 4, offset=i) for i in range(3)]), encoding(3, 4))


# embedding, norm, residual


def embeddings_are_scaled_by_sqrt_d_model(embed):
    return close(embed(np.array([1]), np.ones((2, 9))), np.full((1, 9), 3.0))


def standardized(X, axis=-1, ddof=0, inside=1e-5, outside=0.0):
    spread = np.sqrt(X.var(axis=axis, ddof=ddof, keepdims=True) + inside) + outside
    return (X - X.mean(axis=axis, keepdims=True)) / spread


def variance_divides_by_the_width(norm):
    return np.allclose(norm(np.array([[1.0, 3.0]])), [[-1, 1]], atol=1e-4)


def eps_is_added_to_the_variance(norm):
    return np.allclose(norm(np.array([[0.0, 2e-3]])), 1e-3 / math.sqrt(1.1e-5) * np.array([-1, 1]))


def each_token_is_normed_alone(norm):
    return close(norm(X)[:1], norm(X[:1]))


def pre_norm(X, f):
    return tl.sublayer(X, f, tl.layer_norm, "pre")


def norm_on_the_residual_path(X, f):
    return tl.layer_norm(X) + f(tl.layer_norm(X))


def a_sublayer_that_adds_nothing_changes_nothing(sublayer):
    return close(sublayer(X, np.zeros_like), X)


# loss and training

IDS = np.array([2, 0, 1, 3, 0, 2])


def next_token_loss(logits, ids):
    return tl.cross_entropy(logits[:-1], ids[1:])


def rewards_the_next_token_not_the_same(loss):
    knows_next = 9 * np.eye(4)[np.roll(IDS, -1)]
    return loss(knows_next, IDS) < 0.01 and loss(9 * np.eye(4)[IDS], IDS) > 1


def loss_without_padding(logits, ids, pad_id):
    return tl.cross_entropy(logits, ids, ignore_index=pad_id)


def averaged_over_all_places(logits, ids, pad_id):
    return tl.cross_entropy_steps(logits, ids, ignore_index=pad_id).losses.mean()


def padding_changes_no_loss(loss):
    logits, ids = X[:, :4], np.array([1, 2, 3])
    padded = np.concatenate([logits, np.ones((2, 4))]), np.array([1, 2, 3, 0, 0])
    return close(loss(*padded, 0), loss(logits, ids, 0))


def smoothing_on_top(logits, targets, label_smoothing):
    plain = tl.cross_entropy(logits, targets)
    return plain - label_smoothing * tl.log_softmax(logits).mean()


def a_smoothed_target_still_sums_to_one(loss):
    return close(loss(np.zeros((2, 5)), np.array([0, 3]), label_smoothing=0.1), math.log(5))


def log_of_softmax(x):
    with np.errstate(all="ignore"):
        return np.log(tl.softmax(x))


def improbable_tokens_keep_a_finite_logarithm(log_softmax):
    return close(log_softmax(np.array([[1e4, 0.0]])), [[0, -1e4]])


def a_uniform_model_is_as_perplexed_as_it_has_tokens(perplexity):
    return close(perplexity(np.zeros((2, 5)), np.array([0, 3])), 5)


def dropout_without_rescaling(x, p, training):
    return F.dropout(x, p, training) * (1 - p if training else 1)


def evaluation_drops_nothing(dropout):
    return close(dropout(torch.ones(50), 0.5, training=False), np.ones(50))


def dropout_keeps_the_mean(dropout):
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return abs(float(dropout(torch.ones(10_000), 0.5, training=True).mean()) - 1) < 0.1


def the_head_learns_with_the_embedding(tie):
    E = torch.nn.Parameter(torch.from_numpy(X.copy()))
    head = tie(E)
    with torch.no_grad():
        E += 1.0
    return close(head(torch.ones(8).double()).detach(), (X + 1).sum(axis=-1))


# decoding


def kept(logits):
    return np.flatnonzero(np.isfinite(logits)).tolist()


def nucleus(logits, p, last=0, limit=None):
    """Keep what totals p, with the number of tokens off by `last` or at most `limit`."""
    order = np.argsort(-logits, kind="stable")[:limit]
    count = int((np.cumsum(tl.softmax(logits)[order]) < p - 1e-9).sum()) + 1 + last
    result = np.full_like(logits, -np.inf)
    result[order[:count]] = logits[order[:count]]
    return result


def is_the_smallest_set_that_totals_p(top_p):
    logits = np.log([0.1, 0.4, 0.3, 0.2])
    return [kept(top_p(logits, p)) for p in (0.3, 0.6, 0.9)] == [[1], [1, 2], [1, 2, 3]]


def looks_at_the_whole_vocabulary(top_p):
    return len(kept(top_p(np.zeros(200), 0.9))) == 180


def at_least_the_kth_largest(logits, k):
    return np.where(logits >= np.sort(logits)[-k], logits, -np.inf)


def exactly_k_stay_on_a_tie(top_k):
    return kept(top_k(np.array([1.0, 0.0, 1.0, 1.0]), 2)) == [0, 2]


def low_temperature_sharpens(temper):
    return tl.softmax(temper(np.array([1.0, 0.0]), 0.1))[0] > 0.99


def first_reached(probabilities, rng):
    return np.searchsorted(np.cumsum(probabilities), rng.random(), side="left")


class Zero(np.random.Generator):
    """A generator that gives the smallest number a generator may give."""

    def random(self, size=None):
        return np.zeros(() if size is None else size)


def the_impossible_is_never_drawn(draw):
    return draw(np.array([0.0, 1.0]), Zero(np.random.PCG64(0))) == 1


CHAIN = np.log([[0.1, 0.45, 0.45], [1 / 3, 1 / 3, 1 / 3], [0.05, 0.05, 0.9]])

ALWAYS_THE_END = np.log([[0.1, 0.8, 0.1]] * 3)


def beam(alpha, chain=CHAIN, end=1, forget=False):
    found = tl.beam_search(
        lambda ids: chain[ids[-1]], [0], width=2, end=end, max_new_tokens=4, alpha=alpha
    )
    return next(h.tokens for h in found.hypotheses if not (forget and h.finished))


def greedy(alpha, chain=CHAIN, end=1):
    return tl.greedy_search(lambda ids: chain[ids[-1]], [0], end=end, max_new_tokens=4).tokens


def the_best_short_sequence_wins(search):
    return search(0.0) == (1,)


def long_sequences_win_once_normalized(search):
    return search(2.0) == (2, 2, 2, 2)


def nothing_follows_the_end_token(search):
    return search(0.0, ALWAYS_THE_END) == (1,)


# recurrent


def lstm(x, h, c, W_x, W_h):
    return tl.lstm_step(x, h, c, W_x, W_h).hidden


def gates_swapped(x, h, c, W_x, W_h):
    order = np.r_[3:6, 0:3, 6:12]
    return lstm(x, h, c, W_x[:, order], W_h[:, order])


def gates_are_in_the_order_of_torch(step):
    cell = torch.nn.LSTMCell(2, 3, bias=False, dtype=torch.float64)
    weights = np.linspace(-1, 1, 60).reshape(12, 5)
    cell.load_state_dict(
        {
            "weight_ih": torch.from_numpy(weights[:, :2].copy()),
            "weight_hh": torch.from_numpy(weights[:, 2:].copy()),
        }
    )
    x, h, c = RNG.normal(size=2), RNG.normal(size=3), RNG.normal(size=3)
    expected, _ = cell(torch.from_numpy(x), (torch.from_numpy(h), torch.from_numpy(c)))
    return close(step(x, h, c, weights[:, :2].T, weights[:, 2:].T), expected.detach())


own = partial(multi_head, tl.attention_steps)

BUGS = {
    "softmax over the wrong axis": Bug(
        tl.softmax, lambda x: tl.softmax(x, axis=0), rows_sum_to_one
    ),
    "softmax without subtracting the largest": Bug(
        tl.softmax, unstable_softmax, survives_large_scores
    ),
    "scores not scaled": Bug(
        tl.attention, partial(tl.attention, divisor=1.0), scores_are_divided_by_sqrt_d_k
    ),
    "scores divided by d_k": Bug(
        tl.attention, partial(tl.attention, divisor=4.0), scores_are_divided_by_sqrt_d_k
    ),
    "sqrt(d_model) for sqrt(d_k)": Bug(
        own,
        partial(multi_head, partial(tl.attention_steps, divisor=math.sqrt(8))),
        each_head_attends_on_its_own,
    ),
    "mask after softmax": Bug(tl.attention, mask_after_softmax, weights_sum_to_one_under_a_mask),
    "mask inverted": Bug(
        tl.attention, lambda Q, K, V, m: tl.attention(Q, K, V, ~m), keeps_masked_keys_out
    ),
    "mask forgotten": Bug(
        tl.attention, lambda Q, K, V, m: tl.attention(Q, K, V), keeps_masked_keys_out
    ),
    "mask of -1e9, so a padded row attends to padding": Bug(
        tl.attention, finite_mask, nothing_to_attend_to_gives_zero
    ),
    "heads split without transpose": Bug(
        tl.split_heads, lambda X, h: X.reshape(h, 3, 4), heads_are_groups_of_columns
    ),
    "heads merged without transpose": Bug(
        tl.merge_heads, lambda H: H.reshape(3, 16), heads_stand_side_by_side
    ),
    "output projection forgotten": Bug(
        own,
        lambda X, M: tl.multi_head_attention(X, M, W_Q, W_K, W_V, np.eye(8), h=2),
        each_head_attends_on_its_own,
    ),
    "cross-attention keys from the decoder": Bug(
        own, keys_from_the_decoder, order_of_the_memory_does_not_matter
    ),
    "cross-attention that is self-attention": Bug(own, lambda X, M: own(X, X), the_memory_is_read),
    "causal mask that shows the next token": Bug(
        causal, lambda n: np.tri(n, k=1, dtype=bool), sees_itself_and_the_past_only
    ),
    "causal mask that hides the token itself": Bug(
        causal, lambda n: np.tri(n, k=-1, dtype=bool), sees_itself_and_the_past_only
    ),
    "causal mask not offset with a cache": Bug(
        causal,
        lambda n, offset: np.tri(n, n + offset, dtype=bool),
        the_newest_token_sees_the_whole_cache,
    ),
    "padding mask on queries instead of keys": Bug(
        tl.padding_mask, lambda ids, pad: (ids != pad)[:, None], padding_is_attended_by_nobody
    ),
    "wrong exponent in the encoding": Bug(sinusoidal, wrong_exponent, is_the_encoding_of_the_paper),
    "sines and cosines not interleaved": Bug(
        sinusoidal, sines_then_cosines, is_the_encoding_of_the_paper
    ),
    "positions counted from 1": Bug(
        sinusoidal, lambda n, d: sinusoidal(n, d, offset=1), is_the_encoding_of_the_paper
    ),
    "positions not offset with a cache": Bug(
        sinusoidal, lambda n, d, offset=0: sinusoidal(n, d), one_at_a_time_equals_all_at_once
    ),
    "embeddings not scaled": Bug(
        partial(tl.embed, scale=True), tl.embed, embeddings_are_scaled_by_sqrt_d_model
    ),
    "unbiased variance": Bug(
        tl.layer_norm, partial(standardized, ddof=1), variance_divides_by_the_width
    ),
    "eps outside the root": Bug(
        tl.layer_norm,
        partial(standardized, inside=0.0, outside=1e-5),
        eps_is_added_to_the_variance,
    ),
    "norm over the sequence": Bug(
        tl.layer_norm, partial(standardized, axis=0), each_token_is_normed_alone
    ),
    "norm over sequence and width": Bug(
        tl.layer_norm, partial(standardized, axis=None), each_token_is_normed_alone
    ),
    "residual forgotten": Bug(
        pre_norm,
        lambda X, f: f(tl.layer_norm(X)),
        a_sublayer_that_adds_nothing_changes_nothing,
    ),
    "norm on the residual path": Bug(
        pre_norm, norm_on_the_residual_path, a_sublayer_that_adds_nothing_changes_nothing
    ),
    "no shift of targets": Bug(
        next_token_loss, tl.cross_entropy, rewards_the_next_token_not_the_same
    ),
    "targets shifted the wrong way": Bug(
        next_token_loss,
        lambda logits, ids: tl.cross_entropy(logits[1:], ids[:-1]),
        rewards_the_next_token_not_the_same,
    ),
    "padding counted in the loss": Bug(
        loss_without_padding,
        lambda logits, ids, pad: tl.cross_entropy(logits, ids),
        padding_changes_no_loss,
    ),
    "padding counted in the mean": Bug(
        loss_without_padding, averaged_over_all_places, padding_changes_no_loss
    ),
    "smoothing added, not shared": Bug(
        tl.cross_entropy, smoothing_on_top, a_smoothed_target_still_sums_to_one
    ),
    "logarithm of a rounded softmax": Bug(
        tl.log_softmax, log_of_softmax, improbable_tokens_keep_a_finite_logarithm
    ),
    "perplexity to the wrong base": Bug(
        tl.perplexity,
        lambda logits, ids: 2 ** tl.cross_entropy(logits, ids),
        a_uniform_model_is_as_perplexed_as_it_has_tokens,
    ),
    "dropout at evaluation": Bug(
        F.dropout, lambda x, p, training: F.dropout(x, p, True), evaluation_drops_nothing
    ),
    "dropout without rescaling": Bug(F.dropout, dropout_without_rescaling, dropout_keeps_the_mean),
    "tying that copies": Bug(
        lambda E: lambda hidden: tl.tied_logits(hidden, E),
        lambda E: partial(tl.tied_logits, E=E.clone()),
        the_head_learns_with_the_embedding,
    ),
    "top-p without the token that reaches p": Bug(
        tl.keep_top_p, partial(nucleus, last=-1), is_the_smallest_set_that_totals_p
    ),
    "top-p with one token too many": Bug(
        tl.keep_top_p, partial(nucleus, last=1), is_the_smallest_set_that_totals_p
    ),
    "top-p among the fifty best only": Bug(
        tl.keep_top_p, partial(nucleus, limit=50), looks_at_the_whole_vocabulary
    ),
    "top-k that keeps every tie": Bug(
        tl.keep_top_k, at_least_the_kth_largest, exactly_k_stay_on_a_tie
    ),
    "temperature that multiplies": Bug(
        tl.apply_temperature, lambda logits, T: logits * T, low_temperature_sharpens
    ),
    "draw of a token with probability 0": Bug(
        tl.draw, first_reached, the_impossible_is_never_drawn
    ),
    "beam without length handling": Bug(
        beam, lambda alpha: beam(0.0), long_sequences_win_once_normalized
    ),
    "beam that forgets finished sequences": Bug(
        beam, partial(beam, forget=True), the_best_short_sequence_wins
    ),
    "beam that does not stop at the end token": Bug(
        beam, partial(beam, end=None), nothing_follows_the_end_token
    ),
    "greedy search that does not stop at the end token": Bug(
        greedy, partial(greedy, end=None), nothing_follows_the_end_token
    ),
    "LSTM gates in another order": Bug(lstm, gates_swapped, gates_are_in_the_order_of_torch),
}
