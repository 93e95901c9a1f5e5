"""A sentence written downward, with arcs between its words on both sides."""

from collections.abc import Mapping, Sequence

from transformer_lib.plot.line_chart import LINES
from transformer_lib.plot.markup import Markup, escape
from transformer_lib.plot.numbers import largest

Arcs = Mapping[tuple[int, int], float]

_DECIMALS = 4  # strengths that agree so far are equally strong
_LINE, _TOP, _SIDE, _WORDS = 22, 34, 105, 112  # pixels: a word's line, heading, arcs, words


def arcs(words: Sequence[str], left: Arcs, right: Arcs, *, names: tuple[str, str]) -> Markup:
    """Draw arcs between words as inline SVG; the words form a column to fit a narrow page.

    Args:
        words: the sentence.
        left: pairs of word indices to be joined on the left, each with a strength from 0 to 1.
        right: the same for the right.
        names: what the arcs on the left and those on the right are called.

    Raises:
        ValueError: no word is given, a pair does not name two different words, or a strength is
            not from 0 to 1.

    >>> arcs(["They", "are"], {(0, 1): 1.0}, {}, names=("steps", "looks"))
    They are
    steps: They-are
    looks: none
    """
    if not words:
        raise ValueError("words must be one or more")
    for name, pairs in zip(("left", "right"), (left, right), strict=True):
        _check(name, pairs, len(words))
    center, height = _SIDE + _WORDS / 2, _TOP + _LINE * len(words)
    body = "".join(
        f'<text x="{center:g}" y="{_middle(i) + 5:g}" text-anchor="middle">{escape(word)}</text>'
        for i, word in enumerate(words)
    )
    for name, pairs, sign, (color, _, _) in zip(names, (left, right), (-1, 1), LINES, strict=False):
        body += _heading(name, center + sign * (_WORDS + _SIDE) / 2, color)
        body += _paths(pairs, sign, center, color)
    text = "\n".join([" ".join(words), *map(_listed, names, (left, right), [words] * 2)])
    svg = (
        f'<svg role="img" aria-label="{escape(_described(words, names, left, right))}" '
        f'viewBox="0 0 {2 * _SIDE + _WORDS} {height}" fill="currentColor" font-size="14" '
        f'style="width:100%;max-width:24rem;height:auto">{body}</svg>'
    )
    return Markup(svg, text)


def _check(name: str, pairs: Arcs, count: int) -> None:
    for pair, strength in pairs.items():
        if len(set(pair)) != 2 or not all(0 <= i < count for i in pair):
            raise ValueError(f"{name} must join two of {count} words, got {pair}")
        if not 0 <= strength <= 1:
            raise ValueError(f"{name} must have strengths from 0 to 1, got {strength} for {pair}")


def _middle(i: int) -> float:
    return _TOP + _LINE * (i + 0.5)


def _heading(name: str, x: float, color: str) -> str:
    """Write a name in the page's color, for contrast, over a line in the color of its arcs."""
    return (
        f'<text x="{x:g}" y="15" text-anchor="middle" font-weight="600">{escape(name)}</text>'
        f'<path d="M{x - 40:g} 22h80" stroke="{color}" stroke-width="2"/>'
    )


def _paths(pairs: Arcs, sign: int, center: float, color: str) -> str:
    """Draw all arcs of one strength in one path, the strongest last and on top."""
    curves: dict[float, list[str]] = {}
    rounded = {pair: round(strength, _DECIMALS) for pair, strength in pairs.items()}
    for (i, j), strength in sorted(rounded.items(), key=lambda item: item[1]):
        start = center + sign * _WORDS / 2
        reach = start + sign * min(18 + 10 * abs(i - j), 4 / 3 * (_SIDE - 4))
        curve = f"M{start:g} {_middle(i):g}C{reach:g} {_middle(i):g} {reach:g} {_middle(j):g} "
        curves.setdefault(strength, []).append(f"{curve}{start:g} {_middle(j):g}")
    return "".join(
        f'<path d="{"".join(parts)}" fill="none" stroke="{color}" stroke-opacity="{strength:g}" '
        f'stroke-width="{1 + strength:g}"/>'
        for strength, parts in curves.items()
    )


def _listed(name: str, pairs: Arcs, words: Sequence[str]) -> str:
    """Name the strongest arcs; faint ones are only a background."""
    joined = list(pairs)
    strongest = [joined[k] for k in largest(pairs.values(), _DECIMALS)]
    said = [f"{words[i]}-{words[j]}" for i, j in strongest]
    return f"{name}: {', '.join(said) or 'none'}"


def _described(words: Sequence[str], names: tuple[str, str], left: Arcs, right: Arcs) -> str:
    counted = [
        f"{len(pairs)} arc{'s' * (len(pairs) != 1)} on the {side}, {_listed(name, pairs, words)}"
        for side, name, pairs in zip(("left", "right"), names, (left, right), strict=True)
    ]
    return f"{' '.join(words)}: {'; '.join(counted)}."
