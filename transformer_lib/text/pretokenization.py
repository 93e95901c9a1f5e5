"""GPT-2's pattern, which cuts a text into pieces whose borders no token crosses."""

import functools
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from operator import itemgetter

from transformer_lib.formulas import checks as range_checks
from transformer_lib.text import checks

# White_Space of the Unicode standard. Python's own \s takes four control characters more.
SPACE = r"\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
NEAR_END = 4096
PLANE = 1 << 16  # characters of the lowest plane of Unicode, in which nearly all texts are
ABOVE = re.compile(r"[\U00010000-\U0010ffff]")


def pieces(text: str) -> list[str]:
    """Cut a text into the pieces of GPT-2, which can be joined to give the text again.

    A word includes the space before it; numbers and punctuation are separate pieces, and so are the
    endings 's, 't, 're, 've, 'm, 'll, 'd. Letters are defined by Python's Unicode data, so another
    version of Python may cut differently at a character that a newer Unicode has added.

    Args:
        text: any text.

    Raises:
        ValueError: text is not a string.

    Source: Radford et al. (2019), section 2.2 and the pattern in their published code.

    >>> pieces("It's 2 cats,  isn't it?")
    ['It', "'s", ' 2', ' cats', ',', ' ', ' isn', "'t", ' it', '?']
    """
    checks.text(text=text)
    return in_pieces(text)


def in_pieces(text: str, *, digits_apart: bool = False) -> list[str]:
    """Do as `pieces` does; with `digits_apart`, each digit is a piece, without a space before it.

    The classes of all characters are slow to search. Few texts have any above the lowest plane, and
    the others are cut with the classes of that plane.
    """
    every = ABOVE.search(text) is not None
    return gpt2_pattern(digits_apart=digits_apart, every=every).findall(text)


@functools.cache
def gpt2_pattern(*, digits_apart: bool = False, every: bool = True) -> re.Pattern[str]:
    r"""Return the published pattern, rewritten for Python's `re`.

    With `digits_apart`, each digit is a separate piece, without the space before it. Without
    `every`, the pattern is for texts with no character above the lowest plane.

    It was published for the package `regex`, which knows \p{L}, letters, and \p{N}, numbers:
    's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
    """
    letter, number = (_class_of(category, every=every) for category in "LN")
    numbers, ends = (f"[{number}]", number) if digits_apart else (f" ?[{number}]+", "")
    words = rf"'(?:s|t|re|ve|m|ll|d)| ?[{letter}]+|{numbers}| ?[^{SPACE}{letter}{number}]+"
    return re.compile(rf"{words}|[{SPACE}]+(?![^{SPACE}{ends}])|[{SPACE}]+")


@functools.cache
def _class_of(category: str, *, every: bool = True) -> str:
    """Return the ranges of characters whose Unicode category begins so, or of the lowest plane."""
    known = _categories() if every else _categories()[:PLANE]
    ranges = re.finditer(f"{category}+", known)
    return "".join(f"\\U{each.start():08x}-\\U{each.end() - 1:08x}" for each in ranges)


@functools.cache
def _categories() -> str:
    """Return the first letter of the Unicode category of each character, in the order of codes."""
    found = map(unicodedata.category, map(chr, range(sys.maxunicode + 1)))
    return "".join(map(itemgetter(0), found))


@functools.cache
def _boundary() -> re.Pattern[str]:
    """Match where pieces end whatever follows: after a word or a number, and before a space."""
    letter, number = _class_of("L"), _class_of("N")
    after = rf"(?<=[{letter}])(?![{letter}])|(?<=[{number}])(?![{number}])"
    return re.compile(rf"(?:{after}|(?<=[^{SPACE}])(?=[{SPACE}]))(?!\Z)")


def special_pattern(special_tokens: Iterable[str]) -> re.Pattern[str] | None:
    """Return a pattern for any special token, longest first, or None if none are given."""
    longest_first = sorted(special_tokens, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first))) if longest_first else None


def whole_pieces(
    blocks: Iterable[str], special_tokens: Iterable[str] = (), *, block_size: int = 1 << 16
) -> Iterator[str]:
    """Rejoin the blocks of a long text and yield parts that split no piece and no special token.

    A tokenizer therefore returns the same ids for the parts, one after another, as for the whole
    text, while only one part and one block are in memory.

    Args:
        blocks: the text in parts, cut anywhere, such as the lines of an open file.
        special_tokens: the strings that must not be cut.
        block_size: the number of characters to collect before a cut.

    Raises:
        ValueError: a block is not a string, or block_size is not a positive integer.

    >>> list(whole_pieces(["It is", "n't r", "aining."], block_size=1))
    ['It', " isn't", ' raining', '.']
    """
    range_checks.count(1, block_size=block_size)
    specials = tuple(special_tokens)
    pattern, longest = special_pattern(specials), max(map(len, specials), default=0)
    held: list[str] = []
    size, enough = 0, block_size
    for block in checks.texts(blocks=blocks):
        held.append(block)
        size += len(block)
        if size >= enough:
            rest = "".join(held)
            cut = _safe_cut(rest, pattern, longest)
            if cut:
                yield rest[:cut]
            held, size = [rest[cut:]], len(rest) - cut
            enough = max(
                block_size, 2 * size
            )  # looking at one endless word again and again takes long
    if size:
        yield "".join(held)


def _safe_cut(text: str, special: re.Pattern[str] | None, longest: int) -> int:
    """Return the last place where the text can be cut, or 0 where there is none."""
    # A special token that begins before `end` is in the text to its last character.
    end = len(text) - longest
    cut = _last_boundary(text, max(0, end - NEAR_END), end) or _last_boundary(text, 0, end)
    for match in special.finditer(text) if special else ():
        if match.start() < cut < match.end():
            return match.start()
    return cut


def _last_boundary(text: str, start: int, end: int) -> int:
    found = (match.start() for match in _boundary().finditer(text, start))
    return max((place for place in found if place <= end), default=0)
