"""Toy languages, written here: every probability, and so the least possible loss, is known."""

from transformer_lib.languages.agreement import AgreementLanguage
from transformer_lib.languages.grammar import Grammar

__all__ = ["AgreementLanguage", "Grammar"]
