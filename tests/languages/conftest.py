"""What the tests of the languages share."""

from hypothesis import settings

# The same examples at every run, as in the tests of the formulas.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable")
