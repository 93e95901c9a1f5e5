"""The checks that a student sees say what went wrong."""

import pytest

from tests.exercises.assignments import answers, grade

SEEN = {
    "02_embeddings": {
        "encode__unknown__unknown_is_zero": "look up the position of <unk>",
        "encode__unknown__skips_the_unknown": "three ids, but encode returned 1",
        "encode__known__each_word_once": "a word that occurs twice gets its id twice",
        "one_hot__places__identity": "the ones are on the diagonal",
        "one_hot__width__as_wide_as_the_largest_id": "the vocabulary has 5 tokens",
        "cosines__lengths__dot_products": "divide each by the lengths of both vectors",
        "cosines__unit__absolute": "but it is 0.231",
        "mended_embed__root_of_the_length": "the length of the sequence must not matter",
        "mended_embed__widths__always_two": "the factor must be 3, but yours is still 2",
    },
    "03_positional_encoding": {
        "encoding__speeds__wrong_exponent": "but it must be 2/8: the exponent is 2i / d_model",
        "encoding__pairs__speeds__exponent_of_columns": "exponent count columns instead of pairs?",
        "encoding__order__counts_from_one": "positions count from 0",
        "encoding__speeds__one_speed": "all clocks have the same speed, but",
        "moved_on__clock__backward": "look at the two signs",
        "moved_on__arcsin": "on which side of the clock is the hand?",
        "likeness__first_clock": "first clock only, but there are four clocks",
        "mended_add_positions__starts_again": "still gets position 0, but it must get position 3",
        "mended_add_positions__pieces__changes_argument": "+= writes into them",
    },
    "05_multi_head_attention": {
        "one_head__every_hth_column": "the columns of a head are next to one another",
        "one_head__weights__scale__uniform": "every token gets the plain mean",
        "merge_heads__one_reshape": "A reshape alone does not bring the outputs",
        "multi_head_attention__weights__scale__split_without_transpose": "Did a reshape mix the",
        "multi_head_attention__scale__root_of_the_model": "the weights are too flat",
        "multi_head_attention__output__no_output_matrix": "W_O has no effect yet",
        "mended_split__fortran_order": "the tens in head 0 are",
    },
    "06_07_masks_and_cross_attention": {
        "decoder_mask__inverted": "true and false are exchanged",
        "decoder_mask__padding__texts__padding_on_queries": "must hide columns (keys), not rows",
        "masked_softmax__weights__large__after": "they were set to 0 after the softmax",
        "masked_softmax__large__after_and_shared_again": "score of 1000 changes the other weights",
        "masked_softmax__empty__added_large_number": "A large negative number instead of -inf",
        "cross_attention__self_attention": "X has dimension 6 and gives both keys and values",
        "cross_attention__causal": "no causal mask belongs here",
        "mended_masked_attention__mask_after_softmax": "the weights of each query must sum to 1",
    },
    "04_attention": {
        "softmax__uniform": "all weights are 1/5, so",
        "softmax__rows__axes__wrong_axis": "each column sums to 1, but each row must",
        "softmax__rows__axes__whole_array": "all 15 weights together",
        "softmax__large__overflow": "scores near 1000 give nan",
        "softmax__no_exponential": "take the exponential",
        "softmax__axes__changes_argument": "changed its argument",
        "attention_of_one_query__uniform": "every key has the weight 1/5, so",
        "attention_of_one_query__scale__unscaled": "the scale is missing",
        "attention_of_one_query__scale__divided_by_width": "must be divided by its square root",
        "attention_of_one_query__scale__divided_by_keys": "number of keys, or by its square root",
        "attention_of_one_query__scale__root_of_keys": "number of keys, or by its square root",
        "attention_of_one_query__wrong_axis": "the weights sum to 5",
        "attention_of_one_query__best_key_alone": "only the value of the best key",
        "attention_of_one_query__mixes_keys": "mix the values, not the keys",
        "attention__uniform": "every key has the weight 1/5, so",
        "attention__scale__unscaled": "the scale is missing",
        "attention__scale__divided_by_width": "must be divided by its square root",
        "attention__scale__divided_by_keys": "number of keys, or by its square root",
        "attention__scale__root_of_keys": "number of keys, or by its square root",
        "attention__wrong_axis": "softmax ran over the queries",
        "attention_of_one_query__query_first": "transpose K, or put K first",
        "attention__swapped": "3 (n_q) columns and the right factor 5|Are Q and K swapped?",
        "attention__not_transposed": "8 (d_k) columns and the right factor 5 (n_k) rows",
        "attention__first_query_only": "all queries have the same output",
    },
    "08_09_feed_forward_and_norm": {
        "feed_forward__relu__gelu__no_bend": "the nonlinearity is missing",
        "feed_forward__relu__bend_at_the_end": "after the second product",
        "feed_forward__gelu__always_relu": "your nonlinearity is still ReLU",
        "one_layer__bias__last_bias": "b is only the last bias",
        "layer_norm__root__unbiased": "divides by d - 1",
        "layer_norm__root__eps_outside": "eps is added outside the square root",
        "layer_norm__center__root__axes__over_the_sequence": "each column has mean 0",
        "layer_norm__root__no_eps": "its variance is 0",
        "through_layers__pre__norm_on_the_path": "the sum contains the normed row",
        "through_layers__post__pre__no_sum": "with post-norm the residual is missing",
        "through_layers__post__norm_of_the_change": "only the output of the sub-layer is normed",
        "through_layers__pre__none__no_last_norm": "the last step must be a norm",
        "mended_rms_norm__whole_array": "still depends on other tokens",
    },
    "10_12_models_and_training": {
        "encoder_block__heads__one_head": "four heads give the same output as one",
        "encoder_block__heads__split_without_transpose": "numbers of different tokens",
        "encoder_block__no_residual": "a residual is missing",
        "encoder_block__residual_of_the_input": "uses the wrong residual",
        "mended_weights__copied": "still attends to the next token",
        "mended_weights__seen__in_place": "np.where makes a new array",
        "shifted__fillers__padding_replaced": "an end token is not a filler",
        "shifted__targets__not_shifted": "the targets are not shifted",
        "shifted__fillers__padding_as_target": "would learn to predict padding",
        "agreement_loop__step__verbs__uphill": "Does the step go against the gradient",
        "agreement_loop__batches__changes_P": "in P: work with copies",
        "agreement_loop__batches__verbs__first_batch": "the gradients of its own batch",
        "agreement_loop__verbs__stops_early": "the verb is right in",
        "encoder_block__head__unscaled": "divide the scores by the square root of d_k",
        "encoder_block__heads__scaled_by_the_width": "divided by the square root of d_model",
        "encoder_block__no_bend": "the ReLU between",
        "overfit__entropy__base_2": "the logarithm with base 2",
        "overfit__entropy__mean_of_lists": "over all eight targets",
        "overfit__entropy__last_word": "and not only the last one",
        "overfit__trained__never_cleared": "Does each step compute new gradients",
    },
    "12_training_in_torch": {
        "torch_loop__cleared__every_other_step": "Are old gradients still in .grad",
    },
    "11_language_model_head": {
        "log_softmax__far__of_a_softmax": "a probability that has become 0",
        "log_softmax__far__overflow": "logits near 5000 give the wrong result",
        "perplexity__text__base_2": "so you must compute a power of e",
        "perplexity__text__mean_of_inverses": "you averaged 1/p, but you must",
        "smoothed_losses__smoothed__on_top": "added on top of the full target",
        "smoothed_losses__smoothed__wrong_tokens_alone": "but the right token must get s / V too",
        "smoothed_losses__smoothed__share_not_divided": "the share s is divided by V",
        "mended_mean_loss__padding_in_the_mean": "still divided by 6",
        "mended_mean_loss__lengths__mean_of_means": "one mean over all positions",
    },
    "19_own_language": {
        "tested_group__text__left_in": "no sentence was removed",
        "tested_group__text__the_list_is_no_string": "`asked` is a list of two strings",
        "tested_group__text__possible_one_only": "remove both sentences of the pair",
        "tested_group__text__first_occurrence": "as often as it occurs",
        "tested_group__text__the_same_words": "it is another sentence and must stay",
        "tested_group__text__changes_argument": "changed its argument text",
        "tested_group__text__each_once": "in the same order",
        "tested_group__seeds__choosing_seeds_test": "that of the seeds that chose the group",
        "tested_group__seeds__all_seeds_for_both": "only the mean over the seeds 0, 1 and 2",
        "tested_group__seeds__new_seeds_choose": "It loses most with the new seeds",
        "tested_group__seeds__luckiest_seed": "or with a single one",
        "tested_group__seeds__largest_size": "its margin grows when it is left out",
        "tested_group__seeds__sign_turned": "the loss has the wrong sign",
        "tested_group__control__none": "loses just as much as the random groups",
        "tested_group__control__mean_without_spread": "use D too",
        "tested_group__control__spread_without_mean": "loses just as much as the random groups",
        "tested_group__control__no_abs": "use abs",
        "tested_group__control__of_the_first_group": "random groups of its own size",
        "tested_group__control__choosing_seeds": "last three seeds for the random groups, too",
        "tested_group__control__spread_of_all_seeds": "First average what each random group",
    },
    "13_decoding": {
        "greedy__highest_id_on_ties": "the one with the lowest id",
        "greedy__end_left_out": "the end token is missing",
        "keep_top_k__ties__every_tie": "3 tokens are kept",
        "draw__temperature__temperature_multiplies": "became flatter",
        "draw__temperature__temperature_of_the_probabilities": "before the softmax",
        "draw__edges__at_least": "token 0 is forbidden",
        "draw__edges__unstable": "make the softmax stable",
        "beam_search__finished__finished_take_no_place": "takes one of the `width` places",
        "beam_search__penalty__no_penalty": "with alpha 4 the longer",
        "beam_search__finished__penalty__stops_at_the_first_end": "Does the search go on",
        "beam_search__finished__cut_in_each_sequence": "is the third and is dropped",
        "beam_search__finished__finished_pushed_out": "do not push it out",
        "mended_top_p__reach__equal__best_token_added": "reaches p is still left out",
        "mended_top_p__equal__no_rounding": "counts as p",
    },
}


@pytest.mark.parametrize(
    ("name", "mutant", "seen"),
    [(name, *row) for name, mutants in SEEN.items() for row in mutants.items()],
)
def test_the_visible_check_names_the_mistake(name, mutant, seen):
    task = mutant.partition("__")[0]
    given = {task: answers(name, "mutants")[mutant]}
    _, errors = grade(name, given, kind="release", only=task)
    messages = " ".join(str(error) for cell, error in errors.items() if "-check" in cell)
    assert all(words in messages for words in seen.split("|"))


@pytest.mark.parametrize("task", ["greedy", "beam_search"])
def test_a_question_past_the_end_is_answered_in_words(task):
    def asks_too_much(table, *arguments):
        return table[(0,) * 99]

    _, errors = grade("13_decoding", {task: asks_too_much}, kind="release", only=task)
    messages = " ".join(str(error) for cell, error in errors.items() if "-check" in cell)
    assert f"{task} used the key (0, 0, 0" in messages


def test_the_norm_that_is_given_earns_neither_root_nor_gain_of_task_3():
    def given(X, gain, bias, eps):
        return (X - X.mean(axis=-1, keepdims=True)) / X.std(axis=-1, keepdims=True)

    gained, _ = grade("08_09_feed_forward_and_norm", {"layer_norm": given}, only="layer_norm")
    assert {part for part, points in gained.items() if not points} == {
        "layer_norm-root",
        "layer_norm-gain",
    }
