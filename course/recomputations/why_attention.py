"""What the notes' figures of a recurrent network count: operations, one after the other."""


def operations_before_state(tokens: list[str]) -> list[float]:
    """Count the longest chain of operations up to each hidden state, its own included.

    A hidden state needs the one before it and the embedding of its own token.
    """
    counts: list[float] = []
    for _ in tokens:
        before = counts[-1] if counts else 0.0
        counts.append(before + 1)
    return counts


def operations_before_embedding(tokens: list[str]) -> list[float]:
    """Count the operations that an embedding waits for: none, wherever it stands."""
    return [0.0 for _ in tokens]


def operations_from_last(tokens: list[str]) -> list[float]:
    """Count the steps along the network between the last embedding and each hidden state."""
    return [float(len(tokens) - position) for position in range(len(tokens))]


def operations_to_own_embedding(tokens: list[str]) -> float:
    """Count the steps between the last token and its own embedding: none."""
    return 0.0
