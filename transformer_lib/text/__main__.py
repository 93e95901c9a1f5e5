"""Train a tokenizer from the shell: `python -m transformer_lib.text train --vocabulary 4096`."""

import argparse
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from transformer_lib.text.bpe_training import train_bpe
from transformer_lib.text.corpus import END, load_corpus, read_blocks
from transformer_lib.text.files import save_tokenizer
from transformer_lib.text.pretokenization import whole_pieces


def main(arguments: list[str] | None = None) -> int:
    """Train a tokenizer on the corpus of the book, or on a file or folder, and save it."""
    asked = _parser().parse_args(arguments)
    start = time.perf_counter()
    try:
        tokenizer = train_bpe(
            _texts(asked.text),
            vocabulary_size=asked.vocabulary,
            special_tokens=[END],
            ties=asked.ties,
        )
        save_tokenizer(asked.out, tokenizer)
    except (ValueError, OSError) as error:
        print(f"Stopped: {error}", file=sys.stderr)
        return 2
    seconds = time.perf_counter() - start
    print(f"{asked.out}: {len(tokenizer)} tokens, {tokenizer.digest}, in {seconds:.0f} s")
    return 0


def _texts(path: Path | None) -> Iterable[str]:
    if path is None:
        return load_corpus().parts.train
    return whole_pieces(read_blocks(path), [END])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m transformer_lib.text", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="train")
    train = commands.add_parser("train", help="learn the merges of byte-pair encoding")
    train.add_argument("--vocabulary", type=int, default=4096, help="tokens, 4096 if not given")
    train.add_argument("--text", type=Path, help="a file or folder; the book's corpus if not given")
    train.add_argument("--ties", default="lowest ids", help='"lowest ids" or "greatest"')
    train.add_argument("--out", type=Path, default=Path("tokenizer.json"), help="where to write")
    return parser


if __name__ == "__main__":
    sys.exit(main())
