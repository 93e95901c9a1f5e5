"""The interface of a tokenizer, and a wrapper for tokenizers of the package `tokenizers`."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class Tokenizer(Protocol):
    """The interface that all code requires of a tokenizer."""

    @property
    def digest(self) -> str:
        """Sixteen characters that tell this tokenizer from any other."""

    def __len__(self) -> int:
        """Return the number of tokens."""

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text."""

    def encode_iterable(self, blocks: Iterable[str]) -> Iterator[int]:
        """Yield the ids of a text that is given in blocks."""

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text that the ids represent."""


class ForeignTokenizer:
    """A tokenizer of the package `tokenizers` with the method names of our tokenizers.

    Args:
        tokenizer: a `tokenizers.Tokenizer`.
    """

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer

    def __len__(self) -> int:
        return int(self.tokenizer.get_vocab_size())

    @property
    def digest(self) -> str:
        """Sixteen characters that tell this tokenizer from any other."""
        return hashlib.sha256(self.tokenizer.to_str().encode()).hexdigest()[:16]

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text, without any ids that a template adds."""
        return list(self.tokenizer.encode(text, add_special_tokens=False).ids)

    def encode_iterable(self, blocks: Iterable[str]) -> Iterator[int]:
        """Yield the ids of a text that is given in blocks, which are joined first.

        The blocks are joined because it is unknown where such a tokenizer allows a text to be cut.
        """
        yield from self.encode("".join(blocks))

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text that the ids represent, including special tokens."""
        return str(self.tokenizer.decode([int(i) for i in ids], skip_special_tokens=False))


def as_tokenizer(tokenizer: Any) -> Tokenizer:
    """Return a tokenizer of ours as it is, and wrap one of the package `tokenizers`.

    Args:
        tokenizer: a tokenizer of ours or of the package `tokenizers`.

    Raises:
        ValueError: tokenizer is neither of these.
    """
    if isinstance(tokenizer, Tokenizer):
        return tokenizer
    if hasattr(tokenizer, "get_vocab_size") and hasattr(tokenizer, "encode"):
        return ForeignTokenizer(tokenizer)
    raise ValueError(
        "tokenizer must be one of transformer_lib.text or of the package tokenizers, "
        f"got {type(tokenizer).__name__}"
    )
