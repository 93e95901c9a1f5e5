"""The model of the front page as a script: a page that is opened from the disk loads no data.

It holds each weight to the last bit: a page that rounds them gives other logits in the sixth digit.
"""

import base64
import json
import zlib
from pathlib import Path

import numpy as np

from course.languages import AgreementLanguage
from course.languages.grammar import Grammar
from course.next_word import SENTENCES, VERBS, model, vocabulary

NAME = "flow/weights.js"
LIMIT = 24
"""The most words of a sentence that the picture of the front page has room for."""


def write(vendor: Path) -> None:
    """Write the script, which `assets/flow/transformer.js` reads."""
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
    file = vendor / NAME
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"window.tlFlow = {json.dumps(said, separators=(',', ':'))};\n", "utf-8")


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
