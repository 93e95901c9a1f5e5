"""Names in a student's code that a person should look at: nothing here costs a point.

A library may do the task for the student. What the instructor's own notebook names is fine. The
code is cut into tokens, never parsed: a parser of hostile code can be made to crash.
"""

import io
import re
import sys
import tokenize
from collections.abc import Iterable

from exercises.grader.sandboxed.ipython import NOT_SHOWN

LIBRARIES = frozenset(
    "scipy torch jax tensorflow keras sklearn transformers transformer_lib cupy numba".split()
)
DOES_THE_TASK = frozenset(
    "softmax log_softmax softmin logsumexp cross_entropy nll_loss layer_norm LayerNorm RMSNorm "
    "rms_norm gelu silu scaled_dot_product_attention multi_head_attention_forward "
    "MultiheadAttention Embedding Transformer TransformerEncoderLayer TransformerDecoderLayer "
    "CrossEntropyLoss Softmax LogSoftmax TransformerEncoder TransformerDecoder "
    "Adam AdamW NAdam RAdam Adamax Adagrad RMSprop SGD clip_grad_norm_".split()
)
MODULES = frozenset(
    "ctypes subprocess socket multiprocessing inspect gc importlib signal pickle resource "
    "exercises".split()
)
IMPORT, MISSING = "import ", "a module that the judge does not have"
BUILT_IN = frozenset("_getframe settrace setprofile __import__ eval exec getattr".split())


def flags(cells: Iterable[str], allowed: frozenset[str], known: frozenset[str]) -> list[str]:
    """Return one sentence for each suspicious name in these cells that is not `allowed`.

    A module is also suspicious if it is not one of Python's own, of those that draw, or `known`.
    """
    found = {name for text in cells for name in _suspects(text)}
    modules = {name.removeprefix(IMPORT) for name in found if name.startswith(IMPORT)}
    names = {name for name in found - allowed if not name.startswith(IMPORT)}
    missing = modules - known - sys.stdlib_module_names - {*NOT_SHOWN, "exercises"}
    return [f"uses {name}: {_why(name)}" for name in sorted(names - missing)] + [
        f"imports {name}, {MISSING}" for name in sorted(missing)
    ]


def _why(name: str) -> str:
    if name in LIBRARIES:
        return "a library that the assignment does not use"
    if name in DOES_THE_TASK:
        return "a library may be solving the task here"
    return "code that reaches beyond the task"


def _suspects(text: str) -> set[str]:
    tokens: list[tokenize.TokenInfo] = []
    try:
        tokens.extend(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError, ValueError):
        # What cannot be cut into tokens may still run after a repair: look at every word.
        words = frozenset(re.findall(r"[A-Za-z_]\w*", text))
        return set(words & (LIBRARIES | MODULES | BUILT_IN))
    found = set()
    before, first = "", ""
    for token in tokens:
        if token.type in (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
            first = ""
            continue
        first = first or token.string
        if token.type == tokenize.NAME:
            found |= _module(token.string, before, first)
            found |= _of_name(token.string, before, first)
        elif token.type == tokenize.STRING:
            found |= {token.string.strip("\"'")} & (LIBRARIES | DOES_THE_TASK | MODULES | BUILT_IN)
        before = token.string
    return found


def _module(name: str, before: str, first: str) -> set[str]:
    is_one = (first == "import" and before in ("import", ",")) or first == before == "from"
    return {f"{IMPORT}{name}"} if is_one else set()


def _of_name(name: str, before: str, first: str) -> set[str]:
    if first in ("import", "from"):
        return {name} & (LIBRARIES | DOES_THE_TASK | MODULES | BUILT_IN)
    # A function of the student may well be called softmax; one of a module has a dot before it.
    return {name} & (DOES_THE_TASK | BUILT_IN if before == "." else BUILT_IN)
