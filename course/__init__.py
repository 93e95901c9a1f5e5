"""What the chapters of the course pose: the ledger of the notes' numbers, questions and slips."""

from course.place import here, our_sentence
from course.root import FOLDER
from course.source import source
from course.style import setup

__all__ = ["FOLDER", "here", "our_sentence", "setup", "source"]
