"""The checks that a student sees in exercises 02 to 07 say what went wrong."""

import pytest

from tests.exercises.assignments import answers, grade

SEEN = {
    "02_embeddings": {
        "encode__unknown_is_zero": "look up where <unk> stands",
        "encode__skips_the_unknown": "six words must give six ids, got 4",
        "encode__each_word_once": "a word that comes twice gets its id twice",
        "one_hot__identity": "the ones stand on the diagonal",
        "one_hot__as_wide_as_the_largest_id": "the vocabulary has 5 tokens",
        "cosines__dot_products": "divide each by the lengths of both vectors",
        "cosines__absolute": "it is 0.231",
        "mended_embed__root_of_the_length": "the length of the text must not matter",
        "mended_embed__always_two": "with width 9 the factor is 3, yours is still 2",
    },
    "03_positional_encoding": {
        "encoding__wrong_exponent": "it must be 2/8: the exponent is 2i / d_model",
        "encoding__exponent_of_columns": "does your exponent count columns instead of pairs?",
        "encoding__counts_from_one": "positions count from 0",
        "encoding__one_speed": "all clocks have the same speed",
        "moved_on__backward": "look at the two signs",
        "moved_on__arcsin": "which side of the clock is it?",
        "likeness__first_clock": "the first clock alone, and there are four",
        "mended_add_positions__starts_again": "still gets position 0",
        "mended_add_positions__changes_argument": "+= writes into them",
    },
    "05_multi_head_attention": {
        "one_head__every_hth_column": "the columns of a head stand side by side",
        "one_head__uniform": "it still gets the plain mean",
        "merge_heads__one_reshape": "A reshape alone does not bring the pieces",
        "multi_head_attention__split_without_transpose": "do the tokens stay apart?",
        "multi_head_attention__root_of_the_model": "the weights are too flat",
        "multi_head_attention__no_output_matrix": "W_O has no effect yet",
        "mended_split__fortran_order": "the tens in head 0 are",
    },
    "06_07_masks_and_cross_attention": {
        "decoder_mask__inverted": "true and false are exchanged",
        "decoder_mask__padding_on_queries": "padding takes out columns (keys), not rows (queries)",
        "masked_softmax__after": "they were set to 0 after the softmax",
        "masked_softmax__after_and_shared_again": "a hidden score of 1000 disturbs the others",
        "masked_softmax__added_large_number": "A large negative number instead of -inf does this",
        "cross_attention__self_attention": "X has width 6 and gives both keys and values",
        "cross_attention__causal": "no causal mask belongs here",
        "mended_masked_attention__mask_after_softmax": "the weights of each query must sum to 1",
    },
}


@pytest.mark.parametrize(
    ("name", "mutant", "seen"),
    [(name, mutant, seen) for name, mutants in SEEN.items() for mutant, seen in mutants.items()],
)
def test_the_visible_check_names_the_mistake(name, mutant, seen):
    task = mutant.partition("__")[0]
    given = {task: answers(name, "mutants")[mutant]}
    _, errors = grade(name, given, kind="release", only=task)
    assert seen in str(errors[f"{task}-check"])
