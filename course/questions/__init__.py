"""Questions that are judged in the page, and slips: worked examples that went wrong."""

from course.questions.question import choose, number, right, wrong
from course.questions.slip import slip
from course.questions.slips import pose, slips

__all__ = ["choose", "number", "pose", "right", "slip", "slips", "wrong"]
