"""The checks of exercises 08 to 13 say what went wrong."""

import pytest

from tests.exercises.assignments import answers, grade

FEED_FORWARD, HEAD = "08_09_feed_forward_and_norm", "11_language_model_head"
DECODING, TRAINING = "13_decoding", "10_12_models_and_training"


@pytest.mark.parametrize(
    ("name", "mistake", "seen"),
    [
        (FEED_FORWARD, "feed_forward__no_bend", "the bend is missing"),
        (FEED_FORWARD, "feed_forward__bend_at_the_end", "after the second product"),
        (FEED_FORWARD, "feed_forward__always_relu", "your bend is still ReLU"),
        (FEED_FORWARD, "one_layer__last_bias", "b is the last bias alone"),
        (FEED_FORWARD, "layer_norm__unbiased", "divides by d - 1"),
        (FEED_FORWARD, "layer_norm__eps_outside", "eps stands outside of the root"),
        (FEED_FORWARD, "layer_norm__over_the_sequence", "each column has mean 0"),
        (FEED_FORWARD, "layer_norm__no_eps", "its variance is 0"),
        (FEED_FORWARD, "through_layers__norm_on_the_path", "the normed row goes into the sum"),
        (FEED_FORWARD, "through_layers__no_sum", "with post-norm the residual is missing"),
        (FEED_FORWARD, "through_layers__norm_of_the_change", "change is normed alone"),
        (FEED_FORWARD, "through_layers__no_last_norm", "the last step is a norm"),
        (FEED_FORWARD, "mended_rms_norm__whole_array", "tokens still see each other"),
        (HEAD, "log_softmax__of_a_softmax", "a probability that has become 0"),
        (HEAD, "log_softmax__overflow", "logits near 5000"),
        (HEAD, "perplexity__base_2", "that of e, not of 2"),
        (HEAD, "perplexity__mean_of_inverses", "you averaged 1/p"),
        (HEAD, "smoothed_losses__on_top", "added on top"),
        (HEAD, "smoothed_losses__wrong_tokens_alone", "the right one gets s / V back"),
        (HEAD, "smoothed_losses__share_not_divided", "the share s is divided by V"),
        (HEAD, "mended_mean_loss__padding_in_the_mean", "still divided by 6"),
        (HEAD, "mended_mean_loss__mean_of_means", "one mean over all places"),
        (DECODING, "greedy__highest_id_on_ties", "the one with the lowest id"),
        (DECODING, "greedy__end_left_out", "the end token is missing"),
        (DECODING, "keep_top_k__every_tie", "3 tokens are kept"),
        (DECODING, "draw__temperature_multiplies", "became flatter"),
        (DECODING, "draw__temperature_of_the_probabilities", "before the softmax"),
        (DECODING, "draw__at_least", "token 0 is forbidden"),
        (DECODING, "draw__unstable", "make the softmax stable"),
        (DECODING, "beam_search__finished_take_no_place", "takes one of the `width` places"),
        (DECODING, "beam_search__no_penalty", "with alpha 4 the longer"),
        (DECODING, "beam_search__stops_at_the_first_end", "Does the search go on"),
        (DECODING, "beam_search__cut_in_each_sequence", "is the third and is dropped"),
        (DECODING, "beam_search__finished_pushed_out", "do not push it out"),
        (DECODING, "mended_top_p__best_token_added", "reaches p is still left out"),
        (DECODING, "mended_top_p__no_rounding", "counts as p"),
        (TRAINING, "encoder_block__one_head", "two heads give the same as one"),
        (TRAINING, "encoder_block__split_without_transpose", "numbers of different tokens"),
        (TRAINING, "encoder_block__no_residual", "a residual is missing"),
        (TRAINING, "encoder_block__residual_of_the_input", "the wrong residual"),
        (TRAINING, "mended_weights__copied", "still looks at the next one"),
        (TRAINING, "mended_weights__in_place", "masked_fill_ does not"),
        (TRAINING, "shifted__padding_replaced", "an end token is no filler"),
        (TRAINING, "shifted__not_shifted", "the targets are not shifted"),
        (TRAINING, "shifted__padding_as_target", "would learn to say it"),
        (TRAINING, "clipped__each_on_its_own", "each tensor is clipped on its own"),
        (TRAINING, "clipped__each_number", "changes the direction"),
        (TRAINING, "clipped__small_number_added", "added to the length counts here"),
        (TRAINING, "adam_step__no_correction", "the correction is missing"),
        (TRAINING, "adam_step__eps_inside", "stands outside of the root"),
        (TRAINING, "gradients__none", "so it must be zeros"),
    ],
)
def test_the_visible_check_names_the_mistake(name, mistake, seen):
    task = mistake.partition("__")[0]
    mutant = answers(name, "mutants")[mistake]
    _, errors = grade(name, {task: mutant}, kind="release", only=task)
    assert seen in str(errors[f"{task}-check"])


@pytest.mark.parametrize("task", ["greedy", "beam_search"])
def test_a_question_past_the_end_is_answered_in_words(task):
    def asks_too_much(table, *arguments):
        return table[(0,) * 99]

    _, errors = grade(DECODING, {task: asks_too_much}, kind="release", only=task)
    assert f"{task} asked the table what comes after" in str(errors[f"{task}-check"])


def test_the_norm_that_is_given_is_no_answer_to_task_3():
    def given(X, gain, bias, eps):
        return (X - X.mean(axis=-1, keepdims=True)) / X.std(axis=-1, keepdims=True)

    assert grade(FEED_FORWARD, {"layer_norm": given}, only="layer_norm")[0] == {"layer_norm": 0.0}
