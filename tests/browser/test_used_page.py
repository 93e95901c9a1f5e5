"""Every page once a reader has used all of it: axe-core finds nothing, in both themes and widths.

The pages are shared, so this file comes after those that need them as they were.
"""

from tests.browser.axe import COLORS, use, violations
from tests.browser.visit import Visit


def test_a_used_page_has_no_violation(visit: Visit, theme: str) -> None:
    use(visit.page)
    assert violations(visit.page, [] if theme == "light" else COLORS) == []
    assert visit.errors == []
