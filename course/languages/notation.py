"""Rules as a reader types them, with weights, features and alternatives, made plain.

Below, the verb has the number of the noun, and `!` marks the place that matters:

    n = sg pl                      # a feature and its values
    S -> the N[n] V[n]!            # one letter has one value in a rule
    N[sg] -> 2: cat | dog          # a cat is twice as likely
    N[pl] -> cats | dogs
    V[sg] -> sleeps
    V[pl] -> sleep

Sentences begin with the symbol of the first rule. A feature that only the right of a rule has is
drawn, each value with equal probability. Nothing before or after `|` is the empty alternative. A
symbol with a capital letter, a feature or a mark needs a rule, and in quotes, "Ada", it is a word.
"""

import itertools
import math
import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from course.languages.refusals import BOUNDS, says

MARK = "!"
MOST_RULES: int = BOUNDS["rules"]
SYMBOL = re.compile(r'"[^"]+"|([^"!\[\]]+)(?:\[([^"!\[\]]+)\])?!?')
QUOTES = dict.fromkeys(map(ord, "“”„«»"), '"')
"""What phones and word processors write for quotes."""

HIDDEN = dict.fromkeys([0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF])
"""Characters that only say in which direction others are shown."""

Features = dict[str, list[str]]
Alternatives = dict[str, list[tuple[float, tuple[str, ...]]]]


class Line(NamedTuple):
    """A line of the text: its number, from 1, and what it says."""

    number: int
    text: str

    def refused(self, why: str) -> ValueError:
        """Return the error that names this line."""
        return ValueError(says("line", number=self.number, text=self.text, why=why))


class Written(NamedTuple):
    """Plain rules, where they begin, and the first line of each nonterminal."""

    rules: Alternatives
    start: str
    lines: dict[str, Line]


def read(text: str) -> Written:
    r"""Return the plain rules that a text stands for.

    Raises:
        ValueError: the text does not follow the notation; the error names the line and the symbol.

    >>> written = read("n = sg pl \n S -> N[n] \n N[n] -> 3: fish | sheep")
    >>> written.rules["S"], written.rules["N[sg]"]
    ([(0.5, ('N[sg]',)), (0.5, ('N[pl]',))], [(0.75, ('fish',)), (0.25, ('sheep',))])
    """
    lines = list(_lines(text))
    features = _features([line for line in lines if "->" not in line.text])
    rules, of = _all([line for line in lines if "->" in line.text], features)
    start = next(iter(rules), "")
    if "[" in start or not rules:
        raise ValueError(says("start", start=repr(start)))
    used = _reached(rules, start, of)
    for line in itertools.chain.from_iterable(of.values()):
        if not any(line in of.get(name, ()) for name in used):
            raise line.refused(says("unused", start=start))
    return Written(used, start, {name: of[name.removesuffix(MARK)][0] for name in used})


def _lines(text: str) -> Iterator[Line]:
    text = unicodedata.normalize("NFC", text).translate(HIDDEN | QUOTES).replace("→", "->")
    for number, line in enumerate(text.splitlines(), 1):
        said = re.sub(r"\s*,\s*(?=[^\[]*\])", ",", line.split("#")[0]).strip()
        if said:
            yield Line(number, said)


def _features(lines: list[Line]) -> Features:
    found: Features = {}
    for line in lines:
        name, equals, values = map(str.strip, line.text.partition("="))
        if not equals or not values or not re.fullmatch(r"\w+", name):
            raise line.refused(says("neither"))
        found[name] = values.split()
    for line in lines:
        for value in line.text.partition("=")[2].split():
            if value in found:
                raise line.refused(says("both", value=value))
    return found


def _all(lines: list[Line], features: Features) -> tuple[Alternatives, dict[str, list[Line]]]:
    """Return the plain rules of all lines, and the line that each comes from."""
    rules: Alternatives = {}
    of: dict[str, list[Line]] = {}
    for line in lines:
        for name, weight, symbols in _plain(line, features):
            rules.setdefault(name, []).append((weight, symbols))
            of.setdefault(name, []).append(line)
            if sum(map(len, of.values())) > MOST_RULES:
                raise line.refused(says("many"))
    return rules, of


def _plain(line: Line, features: Features) -> Iterator[tuple[str, float, tuple[str, ...]]]:
    """Give the rules of a line, one for each choice of values."""
    left, right = map(str.strip, line.text.split("->", 1))
    if len(left.split()) != 1 or not (found := SYMBOL.fullmatch(left)) or not found[1]:
        raise line.refused(says("left", left=repr(left)))
    if left.endswith(MARK):
        raise line.refused(says("marked", left=left))
    for option in right.split("|"):
        weight, symbols = _weighed(line, option)
        names = dict.fromkeys(n for s in (left, *symbols) for n in _named(line, s, features))
        drawn = [len(features[n]) for n in names if n not in _named(line, left, features)]
        for values in itertools.product(*(features[n] for n in names)):
            chosen = dict(zip(names, values, strict=True))
            name, *others = (_filled(s, chosen) for s in (left, *symbols))
            yield name, weight / math.prod(drawn), tuple(others)


def _weighed(line: Line, option: str) -> tuple[float, list[str]]:
    typed = re.match(r'\s*([^\s":]+):', option)
    if not typed:
        return 1.0, option.split()
    if not re.fullmatch(r"\d+(\.\d+)?", typed[1]) or not float(typed[1]):
        raise line.refused(says("weight", typed=typed[1]))
    if float(typed[1]) > BOUNDS["weight"]:  # a sum of such may be infinite
        raise line.refused(says("heavy", typed=typed[1]))
    return float(typed[1]), option[typed.end() :].split()


def _named(line: Line, symbol: str, features: Features) -> list[str]:
    """Return the features of a symbol that have no value yet."""
    if habit := _habit(symbol):
        raise line.refused(habit)
    if not (found := SYMBOL.fullmatch(symbol)):
        raise line.refused(says("symbol", symbol=symbol))
    parts = found[2].split(",") if found[2] else []
    values = list(dict.fromkeys(itertools.chain.from_iterable(features.values())))
    for part in parts:
        if part not in features and part not in values:
            known = {"features": list(features), "values": values}
            raise line.refused(says("value", part=part, symbol=symbol, **known))
    return [part for part in parts if part in features]


def _habit(symbol: str) -> str:
    """Return what to write instead of a symbol that other notations have; nothing for ours."""
    if re.fullmatch(r"'[^']+'", symbol):
        return says("quotes", symbol=symbol, word=symbol[1:-1])
    if re.fullmatch(r"\d+([.,]\d+)?", symbol):
        return says("number", symbol=symbol)
    if symbol.count("[") > symbol.count("]"):
        return says("comma", symbol=symbol)
    return ""


def _filled(symbol: str, chosen: dict[str, str]) -> str:
    name, bracket, rest = symbol.partition("[")
    if symbol.startswith('"') or not bracket:
        return symbol
    inside, end, mark = rest.partition("]")
    return f"{name}[{','.join(chosen.get(part, part) for part in inside.split(','))}{end}{mark}"


def _reached(rules: Alternatives, start: str, of: dict[str, list[Line]]) -> Alternatives:
    """Return the rules that can be used, with probabilities, and words without their quotes."""
    found: Alternatives = {}
    names = [start]
    for name in names:
        plain = name.removesuffix(MARK)
        given = rules[plain] if plain == name else [(1.0, (plain,))]
        total = math.fsum(weight for weight, _ in given)
        found[name] = [(w / total, tuple(s.strip('"') for s in symbols)) for w, symbols in given]
        for (_, symbols), line in zip(given, of[plain], strict=False):
            for symbol in symbols:
                if _needs_rule(symbol, rules, line) and symbol not in names:
                    names.append(symbol)
    return found


def _needs_rule(symbol: str, rules: Alternatives, line: Line) -> bool:
    plain = symbol.removesuffix(MARK)
    if plain.strip('"') != plain and plain.strip('"') in rules:
        raise line.refused(says("name", symbol=plain))
    if plain not in rules and plain != symbol and not (symbol[0].isupper() or "[" in plain):
        raise line.refused(says("plain", symbol=plain))
    if plain not in rules and (symbol[0].isupper() or "[" in plain):
        is_name = symbol[0].isupper() and plain.isalpha()
        raise line.refused(says("missing", symbol=plain) + says("capital") * is_name)
    return plain in rules
