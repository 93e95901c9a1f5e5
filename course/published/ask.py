"""Ask a published model: `python -m course.published.ask "What is the capital of France?"`."""

import argparse
import functools

import torch

from course.published import fetch
from course.published.model import END, prompt
from transformer_lib import families, nn
from transformer_lib.model.gguf import read_metadata
from transformer_lib.text import BytePairTokenizer, tokenizer_of_gguf


@functools.cache
def model_and_tokenizer() -> tuple[nn.Transformer, BytePairTokenizer]:
    """The model and its tokenizer, read once.

    Raises:
        SystemExit: the file is not there.
    """
    path = fetch.place()
    if not fetch.is_there():
        raise SystemExit(f"{path} is not there: make real or course.published.fetch gets it.")
    return families.load(path, attention="fused"), tokenizer_of_gguf(read_metadata(path))


def answer(question: str, tokens: int = 100) -> str:
    """What the model says, each token the most probable one.

    Args:
        question: in English.
        tokens: the most that the answer may have.
    """
    model, tokenizer = model_and_tokenizer()
    ids = prompt(question, tokenizer)
    end = tokenizer.special_ids[END]
    made = nn.generate(model, torch.tensor([ids]), max_new_tokens=tokens, end=end)
    return tokenizer.decode([token for token in made.tokens[0] if token != end])


def main() -> None:
    """Answer the question of the command."""
    parser = argparse.ArgumentParser(prog="python -m course.published.ask", description=__doc__)
    parser.add_argument("question", help="in English")
    parser.add_argument("--tokens", type=int, default=100, help="the most that the answer may have")
    asked = parser.parse_args()
    print(answer(asked.question, asked.tokens))


if __name__ == "__main__":
    main()
