"""The data of the front page as scripts: a page that is opened from the disk loads no data.

They hold each weight of its model to the last bit, because a page that rounds them gives other
logits in the sixth digit, and the sentences that refuse a reader's language.
"""

import base64
import json
import zlib
from pathlib import Path

import numpy as np

from course.languages import AgreementLanguage, refusals
from course.languages.grammar import Grammar
from course.languages.presets import PRESETS
from course.next_word import SENTENCES, VERBS, model, vocabulary

NAME, REFUSALS = "flow/weights.js", "flow/refusals.js"
LIMIT = 24
"""The most words of a sentence that the picture of the front page has room for."""


def write(vendor: Path) -> None:
    """Write the scripts, which `assets/flow/transformer.js` and `assets/flow/own/rules.js` read."""
    parameters = model()[0]
    grammar = AgreementLanguage().grammar
    said = {
        "tokens": vocabulary().tokens,
        "verbs": VERBS,
        "limit": LIMIT,
        "pattern": f"^{pattern(grammar, grammar.start)}$",
        "sentences": SENTENCES,
        "arrays": [(name, *array.shape) for name, array in parameters.items()],
        "packed": packed(list(parameters.values())),
    }
    (vendor / NAME).parent.mkdir(parents=True, exist_ok=True)
    (vendor / NAME).write_text(script("tlFlow", said), "utf-8")
    first = {"first": PRESETS["agreement"].rules}  # the language that a reader finds there
    (vendor / REFUSALS).write_text(script("tlRefusals", refusals.DATA | first), "utf-8")


def script(name: str, data: object) -> str:
    """Return a script that gives data a name in the page."""
    return f"window.{name} = {json.dumps(data, separators=(',', ':'))};\n"


def packed(arrays: list[np.ndarray]) -> str:
    """Return arrays of float32 in base 64, compressed with the first byte of each number first."""
    flat = np.concatenate([array.ravel() for array in arrays]).astype("<f4")
    planes = flat.view(np.uint8).reshape(-1, 4).T.tobytes()
    return base64.b64encode(zlib.compress(planes, 9)).decode()


def pattern(grammar: Grammar, symbol: str) -> str:
    r"""Return a regular expression of what a symbol becomes, or begins with where a text ends.

    Words are apart by one space. The grammar must be without recursion, as that of the model's
    language is, with up to six phrases.

    >>> pattern(Grammar({"S": [(0.5, ("the", "cat")), (0.5, ())]}, start="S"), "S")
    '(?:(?:the\\b ?|$)(?:cat\\b ?|$)|)'
    """
    if symbol not in grammar.rules:
        return rf"(?:{symbol}\b ?|$)"
    ways = ["".join(pattern(grammar, s) for s in rule.symbols) for rule in grammar.rules[symbol]]
    return f"(?:{'|'.join(ways)})"
