"""No option of a question shows by its form whether it is right.

When this was first counted, the longest of the options was right in 27.75 of 44 questions, where
chance gives 12.2, and the shortest in 1.25; in 31 of them an option was more than 1.2 times as long
as the next.
"""

from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from tests.exercises import options
from tests.exercises.options import ABSOLUTE, HEDGED, Question

WRITTEN = [question for question in options.dealt() if question.has_form]
EXPLAINED = [question for question in WRITTEN if question.name.endswith(": because")]
GUESSED = [question for question in options.guesses() if question.has_form]
MOST = 1.2  # times as long as the next
Share = Callable[[Question], tuple[float, float]]


def longest(question: Question) -> tuple[float, float]:
    """Return how often picking the longest option is right, and how often by chance."""
    return _extreme(question, max(map(len, question.texts)))


def shortest(question: Question) -> tuple[float, float]:
    """Return how often picking the shortest option is right, and how often by chance."""
    return _extreme(question, min(map(len, question.texts)))


def hedged(question: Question) -> tuple[float, float]:
    """Return whether the right option is hedged, and how many of the options are."""
    found = [bool(HEDGED.search(text)) for text in question.texts]
    return float(found[question.right]), sum(found) / len(found)


def absolute(question: Question) -> tuple[float, float]:
    """Return whether the right option is absolute, and how many of the options are."""
    found = [bool(ABSOLUTE.search(text)) for text in question.texts]
    return float(found[question.right]), sum(found) / len(found)


def _extreme(question: Question, length: int) -> tuple[float, float]:
    """Return the share of the right option in those of a length, and its share by chance."""
    found = [place for place, text in enumerate(question.texts) if len(text) == length]
    return (question.right in found) / len(found), 1 / len(question.texts)


def told(questions: Sequence[Question], share: Share) -> tuple[float, float, float]:
    """Return how often a form is right, how often by chance, and two standard deviations."""
    counts = [share(question) for question in questions]
    right, chance = (sum(each) for each in zip(*counts, strict=True))
    return right, chance, 2 * sum(p * (1 - p) for _, p in counts) ** 0.5


def placed(place: int) -> Share:
    """Return the share of a place, where a question has it."""

    def share(question: Question) -> tuple[float, float]:
        is_there = place < len(question.texts)
        return float(question.right == place), is_there / len(question.texts)

    return share


def test_each_task_with_choices_is_read() -> None:
    """Hold that no question is overlooked: a prediction has a guess and an explanation."""
    kinds = Counter(question.name.partition(": ")[2] for question in options.dealt())
    assert kinds["because"] == len(options.guesses()) == 18
    assert len(options.dealt()) == 68


@pytest.mark.parametrize("question", [*WRITTEN, *GUESSED], ids=lambda each: each.name)
def test_no_option_is_much_longer_or_shorter_than_the_next(question: Question) -> None:
    """Hold that the longest and the shortest option are at most 1.2 times away from the next."""
    lengths = sorted(map(len, question.texts))
    assert lengths[-1] <= MOST * lengths[-2], question.texts
    assert lengths[1] <= MOST * lengths[0], question.texts


@pytest.mark.parametrize("share", [longest, shortest, hedged, absolute])
@pytest.mark.parametrize("questions", [WRITTEN, EXPLAINED], ids=["all", "explanations"])
def test_no_form_is_right_more_often_than_its_share(
    questions: list[Question], share: Share
) -> None:
    """Hold that a reader who knows only this form gets what chance gives."""
    right, chance, deviations = told(questions, share)
    assert abs(right - chance) <= deviations, f"{right:g} of {len(questions)}, {chance:.1f}"


@pytest.mark.parametrize("place", range(3))
def test_no_letter_of_a_guess_is_right_more_often_than_its_share(place: int) -> None:
    """Hold that the letters that are written in a text, and not dealt, are balanced."""
    right, chance, deviations = told(options.guesses(), placed(place))
    assert abs(right - chance) <= deviations, f"{right:g}, by chance {chance:.1f}"


def figures() -> None:
    """Print how often each form is right, how often by chance, and two standard deviations."""
    for questions in (WRITTEN, EXPLAINED):
        print(len(questions), "questions")
        for share in (longest, shortest, hedged, absolute):
            print(f"  {share.__name__}:", *(f"{number:.1f}" for number in told(questions, share)))


if __name__ == "__main__":  # python -m tests.exercises.test_options
    figures()
