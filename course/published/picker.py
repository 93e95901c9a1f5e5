"""A map of buttons, one row for each layer; a style writes into them and shades them."""

from collections.abc import Iterable

STYLE = """
.NAME { max-height: 24rem; overflow: auto; align-items: flex-start; }
.NAME > div:last-child {
  display: grid; grid-template-columns: repeat(COLUMNS, WIDTH); gap: 1px;
  padding-left: 1.8rem; counter-reset: layer;
}
.NAME button.widget-toggle-button {
  position: relative; width: auto; height: 1.6rem; margin: 0; padding: 0; font-size: 0;
  line-height: 0; color: inherit; box-shadow: none; overflow: visible; white-space: nowrap;
  background: color-mix(in srgb, var(--c, #2a78b8) calc(var(--s, 0) * 0.55%), transparent);
  print-color-adjust: exact;
}
.NAME button::after {
  display: block; overflow: hidden; text-overflow: ellipsis;
  font-size: 0.75rem; line-height: 1.6rem;
}
.NAME button:nth-child(COLUMNSn + 1) { counter-increment: layer; }
.NAME button:nth-child(COLUMNSn + 1)::before {
  content: counter(layer); position: absolute; right: calc(100% + 0.4rem); font-size: 0.75rem;
  line-height: 1.6rem;
}
.NAME button.mod-active { outline: 2px solid; outline-offset: -2px; font-weight: 700; }
.NAME button:focus-visible { outline: 3px solid #2a78b8; outline-offset: -1px; }
"""
OTHER = "#c8641e"
"""The color of what is below 0."""


def style(name: str, columns: int, width: str = "2.1rem") -> str:
    """Return the CSS of a map: its class, the number of its columns, and the width of one."""
    filled = STYLE.replace("NAME", name).replace("COLUMNS", str(columns))
    return filled.replace("WIDTH", width)


def filled(name: str, cells: Iterable[tuple[str, float] | None]) -> str:
    """Return the CSS of what the buttons of a map show, each a text and a shade up to 100.

    A shade below 0 has another color, and None is an empty button.

    >>> filled("tl-pick", [("7", 7), None])
    '.tl-pick button:nth-child(1){--s:7}.tl-pick button:nth-child(1)::after{content:"7"}'
    """
    found = []
    for n, cell in enumerate(cells, 1):
        if cell is not None:
            button, (text, shade) = f".{name} button:nth-child({n})", cell
            color = f";--c:{OTHER}" if shade < 0 else ""
            found.append(f"{button}{{--s:{min(abs(shade), 100):.0f}{color}}}")
            found.append(f"{button}::after{{content:{quoted(text)}}}")
    return "".join(found)


def quoted(text: str) -> str:
    r"""Return a text as a CSS string: what could end it, or the style, is written as its number.

    >>> print(quoted('is"'))
    "is\22 "
    """
    return '"' + "".join(c if c.isalnum() else f"\\{ord(c):x} " for c in text) + '"'
