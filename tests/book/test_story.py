"""The page that tells how the model of real text was made says what the files beside it say."""

from book import story


def test_the_story_is_that_of_the_run_the_log_and_the_figures() -> None:
    assert story.PAGE.read_text(encoding="utf-8") == story.written(), "run `python -m book.story`"
