"""Toy languages, written here: every probability, and so the least possible loss, is known."""

from transformer_lib.languages.agreement import AgreementLanguage
from transformer_lib.languages.facts import FactLanguage
from transformer_lib.languages.gaps import Gap, GapLanguage
from transformer_lib.languages.grammar import Grammar
from transformer_lib.languages.review import ReviewLanguage
from transformer_lib.languages.synchronous import Pair
from transformer_lib.languages.translation import TranslationLanguage

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
