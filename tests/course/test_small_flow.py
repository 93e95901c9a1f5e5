"""What is seen of a small decoder: its picture, its stream, and where a word can be read off."""

import numpy as np
import pytest

from course.languages.own import OwnLanguage
from course.probe import readable
from course.small_decoder import Arrays, forward, named, start, stream, unit
from course.small_flow import picture

RULES = """n = sg pl
S -> the N[n] V[n]!
N[sg] -> cat | dog
N[pl] -> cats | dogs
V[sg] -> naps
V[pl] -> nap
"""
LANGUAGE = OwnLanguage(RULES)
WORDS = LANGUAGE.vocabulary


@pytest.fixture
def T() -> Arrays:
    return start(np.random.default_rng(0), len(WORDS))


def test_the_stream_ends_in_what_the_model_says(T: Arrays) -> None:
    ids = np.array(WORDS.encode(["the", "cat"], start=True))
    says = unit(stream(T, ids)[-1])[0] @ T["E"].T
    np.testing.assert_allclose(says, forward(T, ids)[0])


def test_the_picture_has_the_next_words_of_the_model_and_the_weights_of_the_head(
    T: Arrays,
) -> None:
    ids = np.array(WORDS.encode(["the", "cat"], start=True))
    logits, weights = forward(T, ids)[0], named(T, ids)["W"]
    likeliest = WORDS.tokens[int(logits[-1].argmax())]
    for head in (1, 4):
        drawn = picture(T, WORDS, "the cat", head)
        assert drawn.text.split("next: ")[1].startswith(f"{likeliest} ")
        assert f"puts {weights[head - 1, -1].max():.2f} of its attention" in drawn.text
    assert "flow-still" in drawn.html and 'data-open="2 3 4 5"' in drawn.html
    assert "<button type" not in drawn.html
    assert "flow-still" in drawn.head[0]


def test_the_picture_refuses_an_unknown_word_and_a_head_that_is_not_there(T: Arrays) -> None:
    with pytest.raises(ValueError, match="does not know horse"):
        picture(T, WORDS, "the horse")
    with pytest.raises(ValueError, match="head must be from 1 to 4, got 0"):
        picture(T, WORDS, "the cat", 0)


def test_the_number_is_read_at_the_noun_and_not_before_it(T: Arrays) -> None:
    rng = np.random.default_rng(0)
    known, new = ([LANGUAGE.sample(rng) for _ in range(60)] for _ in range(2))
    assert readable(T, LANGUAGE, known, new)[:2] == [1, 1]  # the model is not trained
    always = np.mean([LANGUAGE.judge(each)[1] == ["naps"] for each in new])
    for probability in readable(T, LANGUAGE, known, new, back=2):
        assert probability == pytest.approx(always) or probability == pytest.approx(1 - always)
    for back in (0, 3):
        with pytest.raises(ValueError, match=f"back must leave a word .* got {back}"):
            readable(T, LANGUAGE, known, new, back=back)
