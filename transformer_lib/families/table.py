"""The table of a family: which of our parameters each tensor of a checkpoint contains, and how."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import torch  # a table of names is read without it

Tensors = tuple["torch.Tensor", ...]


class Layout(NamedTuple):
    """How one tensor of a checkpoint contains one or more of our parameters."""

    split: Callable[["torch.Tensor", int], Tensors]  # into so many of ours
    join: Callable[[Tensors], "torch.Tensor"]


class Entry(NamedTuple):
    """The parameters of ours that a tensor contains, and its layout."""

    ours: tuple[str, ...]
    layout: Layout


Table = dict[str, Entry]


def _beside(xs: Tensors) -> "torch.Tensor":
    import torch

    return torch.cat(xs, dim=-1)


SAME = Layout(lambda x, n: (x,), lambda xs: xs[0])
TRANSPOSED = Layout(lambda x, n: (x.T,), lambda xs: xs[0].T)  # (out, in), as torch's Linear has it
SIDE_BY_SIDE = Layout(lambda x, n: x.chunk(n, dim=-1), _beside)
ONE_ROW = Layout(lambda x, n: (x[0],), lambda xs: xs[0][None])


def after(rows: int) -> Layout:
    """Return the layout of a table whose first `rows` rows are not used by any position."""

    def join(xs: Tensors) -> "torch.Tensor":
        import torch

        return torch.cat([xs[0].new_zeros(rows, *xs[0].shape[1:]), xs[0]])

    return Layout(lambda x, n: (x[rows:],), join)


def by_head(heads: int) -> Layout:
    """Return the layout of BLOOM: for each head, the rows of its queries, keys and values."""

    def split(x: "torch.Tensor", n: int) -> Tensors:
        parts = x.reshape(heads, n, -1, *x.shape[1:]).unbind(1)
        return tuple(_turned(part.reshape(-1, *x.shape[1:])) for part in parts)

    def join(xs: Tensors) -> "torch.Tensor":
        import torch

        rows = [_turned(x) for x in xs]
        parts = [x.reshape(heads, -1, *x.shape[1:]) for x in rows]
        return torch.stack(parts, dim=1).reshape(-1, *rows[0].shape[1:])

    return Layout(split, join)


def _turned(x: "torch.Tensor") -> "torch.Tensor":
    return x.T if x.ndim == 2 else x  # a bias stands as it is


def same(theirs: str, ours: str) -> Table:
    """Return the entry of a tensor that equals one of our parameters."""
    return {theirs: Entry((ours,), SAME)}


def norm(theirs: str, ours: str) -> Table:
    """Return the entries of a norm."""
    return same(f"{theirs}.weight", f"{ours}.gain") | same(f"{theirs}.bias", f"{ours}.bias")


def dense(theirs: str, ours: str, letters: str, layout: Layout = TRANSPOSED) -> Table:
    """Return the entries of a linear map, or of several in one tensor, with a letter for each."""
    weights = tuple(f"{ours}.W_{x}" for x in letters.split())
    biases = tuple(f"{ours}.b_{x}" for x in letters.split())
    beside = SAME if len(biases) == 1 else layout
    return {f"{theirs}.weight": Entry(weights, layout), f"{theirs}.bias": Entry(biases, beside)}


def head(theirs: str) -> Table:
    """Return the entries of a head that is not tied."""
    return {
        f"{theirs}.weight": Entry(("head.W",), TRANSPOSED),
        f"{theirs}.bias": Entry(("head.b",), SAME),
    }


def scores(theirs: str, tied: bool) -> Table:
    """Return the entries of a head whose bias has a second name, used if its matrix is its own."""
    own = head(f"{theirs}.decoder")
    return same(f"{theirs}.bias", "head.b") if tied else own


def under(table: Table, theirs: str, ours: str = "") -> Table:
    """Return a table with a prefix on their names and one on ours."""
    return {
        theirs + name: Entry(tuple(ours + x for x in entry.ours), entry.layout)
        for name, entry in table.items()
    }


def layers(table: Table, count: int, theirs: str, ours: str) -> Table:
    """Return the table of one layer repeated `count` times: `theirs`i. and `ours`layers.i."""
    whole: Table = {}
    for i in range(count):
        whole |= under(table, f"{theirs}{i}.", f"{ours}layers.{i}.")
    return whole


def only(table: Table, ours: Mapping[str, tuple[int, ...]]) -> Table:
    """Return the entries whose parameters a model has, so without biases if it has none."""
    return {name: entry for name, entry in table.items() if set(entry.ours) <= set(ours)}


def shapes(table: Table, ours: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    """Return the shape of every tensor of a checkpoint, computed without any values."""
    import torch

    empty = {name: torch.empty(shape, device="meta") for name, shape in ours.items()}
    return {
        name: tuple(entry.layout.join(tuple(empty[x] for x in entry.ours)).shape)
        for name, entry in table.items()
    }
