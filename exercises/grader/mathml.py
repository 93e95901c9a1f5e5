"""Formulas in TeX as MathML, which a browser draws itself, without a script or a font from outside.

What the hints of an assignment need is understood; a command that is not known stays as it is.
"""

import re
from html import escape

TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|\d+(?:\.\d+)?|\S", re.DOTALL)
GREEK = "αβγδεζηθικλμνξοπρστυφχψω"
NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma "
    "tau upsilon phi chi psi omega"
)
LETTERS = dict(zip(NAMES.split(), GREEK, strict=True)) | {"varepsilon": "ε", "varphi": "φ"}
SIGNS = {
    **{"cdot": "·", "times": "×", "infty": "∞", "sum": "∑", "prod": "∏", "le": "≤", "ge": "≥"},
    **{"ne": "≠", "approx": "≈", "in": "∈", "to": "→", "top": "⊤", "dots": "…", "ldots": "…"},
    **{"cdots": "⋯", "odot": "⊙", "pm": "±", "mid": "|", "lVert": "‖", "rVert": "‖"},
}
FUNCTIONS = frozenset("log ln exp sin cos tan max min arg softmax".split())
TEXTS = frozenset("text mathrm operatorname textbf mathbf".split())
SPACES = {"\\,": "0.17em", "\\;": "0.28em", "\\:": "0.22em", "\\ ": "0.33em", "\\quad": "1em"}
ACCENTS = {"hat": "^", "bar": "¯", "tilde": "~"}


def mathml(tex: str, block: bool = False) -> str:
    """Return a formula as MathML, with its TeX for whoever copies it."""
    display = ' display="block"' if block else ""
    return f"<math{display}>{_Reader(tex).row()}</math>"


class _Reader:
    """Reads a formula from left to right."""

    def __init__(self, tex: str) -> None:
        # The words of \text{...} keep their blanks, so they are cut out before the rest.
        self.tokens = re.findall(
            rf"\\(?:{'|'.join(TEXTS)})\{{[^{{}}]*\}}|{TOKEN.pattern}", tex, re.DOTALL
        )

    def row(self) -> str:
        """Read up to the end of a group."""
        items = []
        while self.tokens and self.tokens[0] != "}":
            items.append(self.scripted())
        return f"<mrow>{''.join(items)}</mrow>"

    def scripted(self) -> str:
        """Read one item with what stands below and above it."""
        base = self.item()
        scripts = {}
        while self.tokens and self.tokens[0] in "_^":
            side = self.tokens.pop(0)
            scripts[side] = self.item()
        match scripts:
            case {"_": low, "^": high}:
                return f"<msubsup>{base}{low}{high}</msubsup>"
            case {"_": low}:
                return f"<msub>{base}{low}</msub>"
            case {"^": high}:
                return f"<msup>{base}{high}</msup>"
        return base

    def item(self) -> str:
        """Read a letter, a number, a sign, a group or a command."""
        if not self.tokens:
            return "<mrow></mrow>"
        token = self.tokens.pop(0)
        if token == "{":
            inner = self.row()
            del self.tokens[:1]
            return inner
        if token.startswith("\\") and len(token) > 1:
            return self.command(token)
        if token[0].isdigit():
            return f"<mn>{token}</mn>"
        kind = "mi" if token.isalpha() else "mo"
        return f"<{kind}>{escape('−' if token == '-' else token)}</{kind}>"

    def command(self, token: str) -> str:
        """Read what belongs to a command."""
        name, brace, text = token[1:].partition("{")
        if brace:
            return f"<mtext>{escape(text[:-1])}</mtext>"
        if token in SPACES:
            return f'<mspace width="{SPACES[token]}"></mspace>'
        if name == "sqrt":
            return f"<msqrt>{self.item()}</msqrt>"
        if name in ("frac", "tfrac", "dfrac"):
            return f"<mfrac>{self.item()}{self.item()}</mfrac>"
        if name in ACCENTS:
            return f'<mover accent="true">{self.item()}<mo>{ACCENTS[name]}</mo></mover>'
        if name in ("left", "right", "big", "Big", "!"):
            return "<mrow></mrow>"
        if name in LETTERS or name in FUNCTIONS:
            return f"<mi>{LETTERS.get(name, name)}</mi>"
        sign = SIGNS.get(name, name if len(name) == 1 and not name.isalpha() else token)
        return f"<mo>{escape(sign)}</mo>"
