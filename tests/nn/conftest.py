"""Fixtures of the module tests."""

from hypothesis import settings

# Draw the same examples at every run, and never fail for time: machines are busy.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable")
