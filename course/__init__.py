"""What the chapters of the course pose: the ledger of the notes' numbers, questions and slips."""

from course.style import setup

__all__ = ["setup"]
