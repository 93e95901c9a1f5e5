"""Compute the points of an answer: the judge, and what a person and a deadline change."""
