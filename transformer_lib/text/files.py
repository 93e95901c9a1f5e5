"""Tokenizers on disk, in the file formats of the package `tokenizers` and of GGUF."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from transformer_lib.text.bpe import BytePairTokenizer, Merge
from transformer_lib.text.byte_alphabet import from_printable, printable

CONTROL = 3  # of a token's type in a GGUF file
PIECES = {"type": "ByteLevel", "add_prefix_space": False}
BYTE_LEVEL = {**PIECES, "trim_offsets": True}
PLAIN = {"single_word": False, "lstrip": False, "rstrip": False}
OPTIONS = {  # of their model, as they must be for our tokenizer to give the same ids
    "dropout": None,
    "unk_token": None,
    "continuing_subword_prefix": None,
    "end_of_word_suffix": None,
    "fuse_unk": False,
    "byte_fallback": False,
    "ignore_merges": False,
}


def save_tokenizer(path: str | Path, tokenizer: BytePairTokenizer) -> None:
    """Write a tokenizer to a file that the package `tokenizers` can read.

    Args:
        path: the file, such as tokenizer.json, in an existing folder.
        tokenizer: a tokenizer of bytes and merges.

    Raises:
        ValueError: tokenizer is of another kind, separates digits or has missing bytes, or a
            special token looks like another token in the file.

    Source: the format of Hugging Face's `tokenizers`, its file tokenizer.json.
    """
    if not isinstance(tokenizer, BytePairTokenizer):
        raise ValueError(f"tokenizer must be a BytePairTokenizer, got {type(tokenizer).__name__}")
    if tokenizer.digits_apart or tokenizer.missing_bytes:
        raise ValueError(
            "tokenizer must have all 256 bytes and keep digits together, as GPT-2's does"
        )
    special = {i: text for text, i in tokenizer.special_ids.items()}
    written = (special.get(i) or printable(token) for i, token in enumerate(tokenizer.vocabulary))
    vocabulary = {token: i for i, token in enumerate(written)}
    if len(vocabulary) < len(tokenizer):
        raise ValueError("special_tokens must not look like other tokens as GPT-2 writes them")
    merges = [[printable(left), printable(right)] for left, right in tokenizer.merges]
    added = [
        {"id": i, "content": special[i], **PLAIN, "normalized": False, "special": True}
        for i in sorted(special)
    ]
    content = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": None,
        "pre_tokenizer": {**BYTE_LEVEL, "use_regex": True},
        "post_processor": None,
        "decoder": {**BYTE_LEVEL, "use_regex": True},
        "model": {"type": "BPE", **OPTIONS, "vocab": vocabulary, "merges": merges},
    }
    Path(path).write_text(
        json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )


def load_tokenizer(path: str | Path) -> BytePairTokenizer:
    """Read a tokenizer that `save_tokenizer` or the package `tokenizers` wrote.

    Args:
        path: the file, such as tokenizer.json.

    Raises:
        FileNotFoundError: the file does not exist.
        ValueError: the file is of another kind, or its tokenizer uses a feature that ours does not
            support, so the ids would differ.

    Source: the format of Hugging Face's `tokenizers`, its file tokenizer.json.
    """
    content = _object(path)
    model, before = content.get("model"), content.get("pre_tokenizer")
    if not isinstance(model, dict) or not {"vocab", "merges"} <= set(model):
        raise ValueError(
            f"{path} must contain a model with vocab and merges, as tokenizers writes it"
        )
    _same(path, "pre_tokenizer", before, {**PIECES, "use_regex": True})
    _same(path, "model", model, {"type": "BPE", **OPTIONS})
    for part in ("normalizer", "truncation", "padding"):
        if content.get(part) is not None:
            raise ValueError(
                f"{path}: {part} must be null to give the same ids here, got {content[part]!r}"
            )
    if _adds(content.get("post_processor")):
        raise ValueError(
            f"{path}: post_processor must add no tokens to give the same ids here, "
            f"got {content['post_processor']!r}"
        )
    added = content.get("added_tokens") or []
    for token in added:
        _same(path, f"added token {token.get('content')!r}", token, PLAIN)
    kinds = [[x["content"] for x in added if bool(x.get("normalized")) is k] for k in (False, True)]
    if met := [(a, b) for a in kinds[0] for b in kinds[1] if _meet(a, b)]:
        raise ValueError(
            f"{path}: added tokens that share text must have the same normalized to give the same "
            f"ids here, got {met[0][0]!r} without and {met[0][1]!r} with"
        )
    specials = {token["content"]: token["id"] for token in added}
    words = dict(model["vocab"]) | specials
    return _tokenizer(path, words, model["merges"], list(specials))


def tokenizer_of_gguf(metadata: Mapping[str, Any]) -> BytePairTokenizer:
    """Return the tokenizer that the metadata of a GGUF file describes.

    Args:
        metadata: the metadata that `transformer_lib.model.gguf.read_metadata` returns.

    Raises:
        ValueError: a key is missing, or the metadata describes a tokenizer other than one of bytes
            and merges with GPT-2's pieces, with or without separate digits.

    Source: the description of the format in the repository of ggml, docs/gguf.md; for the pieces of
    SmolLM, its published tokenizer.json.

    >>> words = [*map(printable, (bytes([byte]) for byte in range(256))), "ab"]
    >>> found = {"model": "gpt2", "pre": "gpt-2", "tokens": words, "merges": ["a b"]}
    >>> found["token_type"] = [1] * len(words)
    >>> tokenizer = tokenizer_of_gguf({f"tokenizer.ggml.{k}": v for k, v in found.items()})
    >>> tokenizer.encode("aba")
    [256, 97]
    """
    keys = ("model", "pre", "tokens", "token_type", "merges")
    found = {key: metadata.get(f"tokenizer.ggml.{key}") for key in keys}
    if missing := [f"tokenizer.ggml.{key}" for key, value in found.items() if value is None]:
        raise ValueError(f"metadata must contain {', '.join(missing)}")
    kind, pieces, words, types, merges = (metadata[f"tokenizer.ggml.{key}"] for key in keys)
    if not all(isinstance(each, list) for each in (words, types, merges)):
        raise ValueError("metadata must contain lists of tokens, token_type and merges")
    if kind != "gpt2" or pieces not in ("gpt-2", "smollm"):
        raise ValueError(
            "metadata must describe the tokenizer 'gpt2' with the pieces of 'gpt-2' or 'smollm', "
            f"got {kind!r} with {pieces!r}"
        )
    numbered = {word: i for i, word in reversed([*enumerate(words)])}
    special = [word for word, type_ in zip(words, types, strict=False) if type_ == CONTROL]
    asked = {"digits_apart": pieces == "smollm", "all_bytes": False}
    return _tokenizer("metadata", numbered, merges, special, **asked)


def _tokenizer(
    path: str | Path, words: Mapping[str, Any], merges: Any, special_tokens: Any, **options: bool
) -> BytePairTokenizer:
    try:
        vocabulary = {
            i: word.encode() if word in special_tokens else from_printable(word)
            for word, i in words.items()
        }
        pairs = [_merge(pair) for pair in merges]
        tokenizer = BytePairTokenizer(vocabulary, pairs, special_tokens, **options)
        for word, i in tokenizer.special_ids.items():
            if words.get(word, i) != i:
                raise ValueError(f"{word!r} is token {words[word]} and has the bytes of {i}")
        return tokenizer
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path} contains no byte-pair tokenizer: {error}") from None


def _merge(pair: Any) -> Merge:
    parts = pair.split(" ") if isinstance(pair, str) else pair  # as older versions wrote it
    if len(parts) != 2:
        raise ValueError(f"a merge must be of two tokens, got {pair!r}")
    return from_printable(parts[0]), from_printable(parts[1])


def _same(path: str | Path, name: str, content: Any, ours: Mapping[str, Any]) -> None:
    """Raise ValueError where a part of the file asks for something that we do not do."""
    theirs = content if isinstance(content, dict) else {}
    for key, value in ours.items():
        found = theirs.get(key, value if key != "type" else None)
        if (found or None) != (value or None):  # files write null, false, 0 and "" alike
            raise ValueError(
                f"{path}: {name} must have {key} = {value!r} to give the same ids here, "
                f"got {theirs.get(key)!r}"
            )


def _meet(a: str, b: str) -> bool:
    """Whether both may claim a piece of one text; `tokenizers` then asks which is normalized."""
    ends = any(a.endswith(b[:k]) or b.endswith(a[:k]) for k in range(1, min(len(a), len(b))))
    return a in b or b in a or ends


def _adds(after: Any) -> bool:
    """Whether a post-processor adds tokens, or may: those of bytes move offsets alone."""
    if after is None:
        return False
    kind = after.get("type") if isinstance(after, dict) else None
    if kind == "Sequence":
        return any(map(_adds, after.get("processors", [None])))
    if kind == "TemplateProcessing":
        return any("Sequence" not in part for part in after.get("single", [{}]))
    return kind != "ByteLevel"


def _object(path: str | Path) -> dict[str, Any]:
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not text in UTF-8: it contains no tokenizer") from None
    except (json.JSONDecodeError, RecursionError):
        raise ValueError(f"{path} is not JSON: it contains no tokenizer") from None
    if not isinstance(content, dict):
        raise ValueError(f"{path} must contain a JSON object, got {type(content).__name__}")
    return content
