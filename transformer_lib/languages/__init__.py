"""Toy languages, written here: every probability, and so the least possible loss, is known."""

from transformer_lib.languages.agreement import AgreementLanguage
from transformer_lib.languages.grammar import Grammar
from transformer_lib.languages.synchronous import Pair
from transformer_lib.languages.translation import TranslationLanguage

__all__ = ["AgreementLanguage", "Grammar", "Pair", "TranslationLanguage"]
