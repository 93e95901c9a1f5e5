"""Rewrite what later versions of Python brought to what Python 3.11 reads.

The text is hostile: each step consumes a letter of it, and what is nested too deeply for Python is
given up. Python's own reader of tokens is of no use: it knows only the strings of its version.
"""

import ast
import re
import warnings

from exercises.grader.sandboxed.ipython import TIMED

DEEPEST = 150  # f-strings and braces inside one another, about as in Python itself
BRACKETS = 200  # inside one another, as in Python itself
FORMATTED = {"f": (3, 12), "rf": (3, 12), "fr": (3, 12)}
FORMATTED |= {"t": (3, 14), "rt": (3, 14), "tr": (3, 14)}
QUOTE = re.compile(r'"""|\'\'\'|"|\'')
ENDS = {
    '"': re.compile(r'(?:[^\\"\n]|\\.)*+"', re.DOTALL),
    "'": re.compile(r"(?:[^\\'\n]|\\.)*+'", re.DOTALL),
    '"""': re.compile(r'(?:[^\\]|\\.)*?"""', re.DOTALL),
    "'''": re.compile(r"(?:[^\\]|\\.)*?'''", re.DOTALL),
}
WORD, SPACE, REST = re.compile(r"\w+"), re.compile(r"[ \t\f\r]+"), re.compile(r"[^\n]*")
OF_SHELL = re.compile(r"[%!?](?:[^\n\\]|\\\n|\\)*+")  # a line for IPython, as it goes on
ASSIGNED = re.compile(r"([\w ,.\t]+=[ \t]*)[%!][^\n]*")
ASKED = re.compile(r"\?+[ \t\r]*(?=\n|\Z)")
GENERIC = re.compile(r"([ \t]+\w+)[ \t]*\[")
ALIAS = re.compile(r"[ \t]+(\w+)[ \t]*(?=[=\[])")
PARAMETER = re.compile(r"\s*\*{0,2}\s*[^\W\d]\w*\s*")
SHOWN = re.compile(r"(?<![=!<>:])=\s*\Z")  # `{x = }` writes the expression too
UNPACKED = re.compile(r"\A\s*\*(?!\*)")  # the default of several types
INSIDE = {1: ("'", '"'), 3: ("'", '"', "\n")}  # what may stand in a literal, by its quote
# Letters of an f-string, doubled braces and escapes. A brace behind a backslash opens a field all
# the same, except in the name of a letter.
LETTERS = re.compile(r"(?:[^{}\\\n\"']|\{\{|\}\}|\\(?:[^{}]|(?=[{}])))++", re.DOTALL)
NAMED = re.compile(r"(?:[^{}\\\n\"']|\{\{|\}\}|\\N\{[^{}\n]*\}|\\(?:[^{}]|(?=[{}])))++", re.DOTALL)
CONVERSION = re.compile(r"[rsa]\s*(?=[:}])")


class Unreadable(Exception):
    """No Python that we know reads this text."""


def parsed(text: str) -> ast.Module:
    """Return the statements of a text, without a word about its odd escapes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


class Rewriter:
    """A cell, the place in it that is read next, and what was found before it."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.depth = text, 0, 0
        self.parts: list[str] = []  # expressions that stood inside of literals or type parameters
        self.needs: set[tuple[int, int]] = set()

    def cell(self) -> str:
        """Return the whole cell rewritten."""
        if found := re.match(r"\s*%%[^\n]*", self.text):
            self.at = found.end()
        return self.code("")

    def code(self, ends: str) -> str:
        """Return code rewritten, up to one of these letters outside of brackets, which is next."""
        made: list[str] = []
        brackets, begins, line = 0, not ends, 0
        while self.at < len(self.text):
            letter = self.text[self.at]
            if not brackets and letter in ends and not self._is_comparison():
                return "".join(made)
            if space := self._take(SPACE):
                made.append(space)
                continue
            if letter == "#":
                self._take(REST)
                continue
            if begins:
                line = len(made)
                if (said := self._statement()) is not None:
                    made.append(said)
                    begins = False
                    continue
            if letter == "?" and not (brackets or ends) and self._take(ASKED):
                made[line:] = ["pass"]
                continue
            begins = not (brackets or ends) and letter in "\n;"
            brackets += (letter in "([{") - (letter in ")]}")
            if not 0 <= brackets <= BRACKETS:
                raise Unreadable
            made.append(self._token())
        if ends:
            raise Unreadable
        return "".join(made)

    def _take(self, pattern: re.Pattern[str]) -> str:
        """Return what a pattern finds at this place, and go on behind it."""
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found[0] if found else ""

    def _is_comparison(self) -> bool:
        """Whether a letter belongs to `!=` or `==` instead of ending an expression."""
        return self.text[self.at : self.at + 2] in ("!=", "==")

    def _token(self) -> str:
        """Return the next word, literal or letter, rewritten."""
        if word := self._take(WORD):
            if quote := QUOTE.match(self.text, self.at):
                return self._literal(word, quote[0])
            if word in ("def", "class") and (found := GENERIC.match(self.text, self.at)):
                self.at = found.end()
                self._parameters()
                return word + found[1]
            return word
        if quote := QUOTE.match(self.text, self.at):
            return self._literal("", quote[0])
        is_pair = self._is_comparison() or self.text.startswith("\\\n", self.at)
        return self._step(2 if is_pair else 1)

    def _step(self, size: int = 1) -> str:
        """Return so many letters, and go on behind them."""
        self.at += size
        return self.text[self.at - size : self.at]

    def _statement(self) -> str | None:
        """Return the beginning of a statement where it is one to rewrite, None elsewhere."""
        if timed := TIMED.match(self.text[self.at : self.at + 80]):
            self.at += timed.end()
            return ""
        if self._take(OF_SHELL):
            return "pass"
        if found := ASSIGNED.match(self.text, self.at):
            self.at = found.end()
            return f"{found[1]}get_ipython()"
        word = WORD.match(self.text, self.at)
        if word and word[0] == "except":
            self.at = word.end()
            return self._except()
        if word and word[0] == "type" and (found := ALIAS.match(self.text, word.end())):
            self.at = found.end()
            if self._take(re.compile(r"\[")):
                self._parameters()
            if not self._take(re.compile(r"\s*=(?!=)")):
                raise Unreadable
            self.needs.add((3, 12))
            return f"{found[1]}: "  # takes one expression, as an alias does
        return None

    def _except(self) -> str:
        """Return the head of a handler, in which several kinds of errors have parentheses."""
        parts = [self.code(",:")]
        while self.text[self.at] == ",":
            self.at += 1
            parts.append(self.code(",:"))
        if len(parts) == 1:
            return f"except{parts[0]}"
        if re.search(r"\bas\b", parts[-1]):
            raise Unreadable
        self.needs.add((3, 14))
        star, kinds = re.fullmatch(r"(\s*\*?)(.*)", ",".join(parts), re.DOTALL).groups()  # type: ignore[union-attr]
        return f"except{star} ({kinds})"

    def _parameters(self) -> None:
        """Read the type parameters of a definition, behind their opening bracket."""
        self.needs.add((3, 12))
        while True:
            name = self.code(",:=]")
            if not PARAMETER.fullmatch(name) or ("*" in name and self.text[self.at] == ":"):
                raise Unreadable
            if self.text[self.at] == ":":
                self._part(",=]")
            if self.text[self.at] == "=":
                self.needs.add((3, 13))
                self._part(",]")
            self.at += 1
            if self.text[self.at - 1] == "]" or self._take(re.compile(r"\s*\]")):
                return

    def _part(self, ends: str) -> None:
        """Read an expression behind the letter at this place."""
        self.at += 1
        said = (SHOWN if "}" in ends else UNPACKED).sub("", self.code(ends))
        if not said.strip():
            raise Unreadable
        self.parts.append(said)

    def _literal(self, prefix: str, quote: str) -> str:
        """Return a string; one that this Python cannot read becomes its letters alone."""
        kind, start = prefix.lower(), self.at - len(prefix)
        self.at += len(quote)
        if kind not in FORMATTED:
            if not self._take(ENDS[quote]):
                raise Unreadable
            return self.text[start : self.at]
        known, needs = len(self.parts), set(self.needs)
        letters = self._letters(quote, "r" in kind)
        whole = self.text[start : self.at]
        if not self.depth and is_read(whole):
            del self.parts[known:]
            self.needs = needs
            return whole
        self.needs.add(FORMATTED[kind])
        return f"{'r' if 'r' in kind else ''}{quote}{letters}{quote}"

    def _letters(self, quote: str, raw: bool) -> str:
        """Return what stands in an f-string outside of its braces."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unreadable
        made = []
        while not self.text.startswith(quote, self.at):
            if letters := self._take(LETTERS if raw else NAMED):
                made.append(letters)
            elif self.text.startswith("{", self.at):
                self._field(quote)
                made.append(" ")
            elif self.text.startswith(INSIDE[len(quote)], self.at):
                made.append(self._step())
            else:
                raise Unreadable
        self.at += len(quote)
        self.depth -= 1
        return "".join(made)

    def _field(self, quote: str) -> None:
        """Read what stands in braces: an expression, a conversion, a format with more braces."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unreadable
        self._part("}!:")
        if self._take(re.compile("!")) and not self._take(CONVERSION):
            raise Unreadable
        if self._take(re.compile(":")):
            while not self.text.startswith("}", self.at):
                letter = self.text[self.at : self.at + 1]
                if not letter or self.text.startswith(quote, self.at):
                    raise Unreadable
                if letter == "{":
                    self._field(quote)
                else:
                    self.at += 1
        self.at += 1
        self.depth -= 1


def is_read(literal: str) -> bool:
    """Return whether this Python reads a literal."""
    try:
        parsed(literal)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
