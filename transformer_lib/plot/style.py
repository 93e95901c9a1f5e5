"""The one style of all tables, and the colors: one map a meaning, on white and on dark.

A cell is tinted over whatever the page's background is and its text keeps the page's color, so
both themes read well without knowing which is on. At the strongest tint text still has a contrast
of at least 4.5 on both (a test computes it).
"""

# Mid-tones that differ for color-blind eyes, and whose sign is also printed in the cell.
WEIGHT = (0, 140, 120)
POSITIVE = (40, 110, 200)
NEGATIVE = (210, 95, 0)
STRONGEST = 0.6

_COLORS = "".join(
    f".tl-table .tl-{kind}{{background:rgb({r} {g} {b}/var(--a))}}"
    for kind, (r, g, b) in {"w": WEIGHT, "p": POSITIVE, "n": NEGATIVE}.items()
)

TABLE_STYLE = (
    "<style>"
    ".tl-row{display:flex;flex-wrap:wrap;gap:.4em 1.2em;align-items:center;margin:.4em 0}"
    ".tl-steps{align-items:end}"
    ".tl-box{overflow-x:auto;max-width:100%}"
    ".tl-box .tl-table{border-collapse:separate;border-spacing:1px;border:0;width:auto;"
    "margin:0;color:inherit;background:none;font-size:.875rem;"
    "font-variant-numeric:tabular-nums;line-height:1.3}"
    ".tl-table caption{caption-side:top;text-align:left;color:inherit;padding:0 0 .2em;"
    "font-weight:600}"
    ".tl-table caption small{font-weight:400}"
    ".tl-box .tl-table tr:nth-child(n){background:none;border:0}"
    ".tl-box .tl-table td,.tl-box .tl-table th{border:0;padding:.3em .5em;color:inherit;"
    "text-align:right;white-space:nowrap}"
    ".tl-box .tl-table th{font-weight:400;opacity:.85}"
    ".tl-table .tl-i{background:rgb(128 128 128/.18)}"
    f"{_COLORS}"
    ".tl-box .tl-math{border-spacing:0;border:solid currentColor;border-width:0 1.5px;"
    "border-radius:5px}"
    ".tl-math td.tl-math-cell{padding:.1em .45em!important}"
    ".tl-op{font-size:1.1rem}"
    ".tl-named{display:inline-flex;max-width:100%;flex-direction:column;align-items:center;font-size:.875rem}"
    ".tl-bars .tl-bar{min-width:9em;text-align:left!important}"
    f".tl-bar i{{display:block;height:1em;background:rgb({' '.join(map(str, WEIGHT))}/.85)}}"
    "</style>"
)
