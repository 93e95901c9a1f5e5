"""What the notes' embeddings come to: how many tokens, which token, which numbers."""

from transformer_lib.formulas.checks import Array


def length(tokens: list[str]) -> float:
    """Count the tokens of a sequence."""
    return float(len(tokens))


def token(tokens: list[str], position: float) -> str:
    """Return the token at a position, counted from 0."""
    return tokens[int(position)]


def shape(matrix: Array) -> list[float]:
    """Return the rows and columns of a matrix."""
    return [float(n) for n in matrix.shape]
