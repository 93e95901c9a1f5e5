# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in the warm-up: TASK__MISTAKE stands in for TASK and must lose its points."""

# What is picked, by the places in the source.
PICKED = {
    "slip__outer_numbers": "aa",  # Compare the outer numbers.
    "slip__only_squares": "ca",
    "slip__weights_first": "bc",  # Transpose in place of exchanging.
}


def sum_shape__swapped(names):
    """Give the sizes in the other order."""
    return [names["shape_columns"], names["shape_rows"]]


def sum_shape__of_the_first(names):
    """Take the shape of A."""
    return [names["shape_rows"], 1]


def sum_shape__added(names):
    """Add the sizes."""
    return [names["shape_rows"] + 1, names["shape_columns"] + 1]


def shares__columns(X):
    """Divide each column by its sum."""
    return X / X.sum(axis=0)


def shares__one_sum(X):
    """Divide by the sum of all numbers."""
    return X / X.sum()


def shares__drops_the_axis(X):
    """Forget keepdims."""
    return X / X.sum(axis=-1)
