"""Toy languages, written here: every probability, and so the least possible loss, is known."""

from course.languages.agreement import AgreementLanguage
from course.languages.facts import FactLanguage
from course.languages.gaps import Gap, GapLanguage
from course.languages.grammar import Grammar
from course.languages.review import ReviewLanguage
from course.languages.synchronous import Pair
from course.languages.translation import TranslationLanguage

__all__ = [
    "AgreementLanguage",
    "FactLanguage",
    "Gap",
    "GapLanguage",
    "Grammar",
    "Pair",
    "ReviewLanguage",
    "TranslationLanguage",
]
