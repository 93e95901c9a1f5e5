"""The one style of all tables, and the colors: one map per meaning, for both themes of a page.

A cell is tinted over the page's background, and its text keeps the page's color. Tables are
therefore legible in the light and the dark theme. Even at the strongest tint, text has a contrast
of at least 4.5 in both (a test computes it).
"""

import re
from pathlib import Path

# Mid-tones that differ for color-blind eyes, and whose sign is also printed in the cell. The
# drawings take them from here, the tables from tables.css.
WEIGHT = (112, 66, 184)
WEIGHT_IN_THE_DARK = (160, 112, 250)  # lighter: a tint on black shows by its light
POSITIVE = (40, 110, 200)
NEGATIVE = (210, 95, 0)
# Lines of charts and boxes of the model: far from the colors of query, key, value and weight.
RASPBERRY = (200, 36, 108)
OLIVE = (125, 125, 0)
SLATE = (100, 128, 154)
STRONGEST = 0.6


def style_tag(path: Path) -> str:
    """Return a file of CSS as a style tag, without its comments and line breaks."""
    css = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    one_line = re.sub(r"\s*\n\s*", "", css)
    return f"<style>{one_line}</style>"


TABLE_STYLE = style_tag(Path(__file__).with_name("tables.css"))
PARTS_STYLE = style_tag(Path(__file__).with_name("parts.css"))
DRAWINGS_STYLE = style_tag(Path(__file__).with_name("drawings.css"))
PARTS_SCRIPT = f"<script>\n{Path(__file__).with_name('parts.js').read_text('utf-8')}</script>"
