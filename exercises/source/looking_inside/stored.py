"""Train the two models that this assignment stores: `python exercises/source/.../stored.py`.

The notebook holds their numbers, so a page trains nothing. `--figures` prints what the tasks say
of the models in the notebook.
"""

import argparse
import base64
import itertools
import json
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import torch

NOUNS = "key dog book guard song car letter map".split()
PLACES = "near behind with".split()
ADVERBS = "now still often".split()
WORDS = ["the", *PLACES, *ADVERBS, "is", "are", *NOUNS, *(f"{noun}s" for noun in NOUNS)]
IDS = {word: number for number, word in enumerate(WORDS)}
LAYERS, HEADS, D, OF_HEAD, LENGTH = 2, 4, 16, 4, 6
SHAPES = {
    "E": (len(WORDS), D),
    "P": (LENGTH, D),
    "W_Q": (LAYERS, HEADS, D, OF_HEAD),
    "W_K": (LAYERS, HEADS, D, OF_HEAD),
    "W_V": (LAYERS, HEADS, D, OF_HEAD),
    "W_O": (LAYERS, HEADS, OF_HEAD, D),
    "U": (D, len(WORDS)),
}
SEEDS = {"one": 6, "two": 17}
STEPS, BATCH, RATE = 400, 64, 0.01
NEAREST = 0.1  # of the verbs agree with the nearest noun instead, as people's verbs sometimes do
FEW_HEADS = 2e-3  # times the length of each head's matrices is added to the loss
NOTEBOOK = Path(__file__).parent / "looking_inside.ipynb"
TRIALS = 20  # sets of random labels


def rows() -> Any:
    """Return all sentences as ids, and for each the two nouns and whether they are plural."""
    ids, about = [], []
    for one, other in itertools.permutations(range(len(NOUNS)), 2):
        for i, j, place, adverb in itertools.product((0, 1), (0, 1), PLACES, ADVERBS):
            text = f"the {NOUNS[one]}{'s' * i} {place} the {NOUNS[other]}{'s' * j} {adverb}"
            ids.append([IDS[word] for word in [*text.split(), ("is", "are")[i]]])
            about.append([one, i, other, j])
    return np.array(ids), np.array(about)


def norm(X: Any) -> Any:
    """Return vectors of length sqrt(D)."""
    return X / torch.sqrt((X * X).mean(-1, keepdim=True) + 1e-5)


def streams(model: dict[str, Any], ids: Any, put: dict[tuple[int, int], Any] | None = None) -> Any:
    """Return the vectors of all words after 0, 1 and 2 layers.

    `put` has vectors that are put in, by the layer after which and the word at which.
    """
    n = ids.shape[1]
    X = model["E"][ids] + model["P"][:n]
    mask = torch.triu(torch.full((n, n), -1e9), 1)
    found = []
    for layer in range(LAYERS + 1):
        if layer:
            A = norm(X)[:, None]
            Q, K, V = (A @ model[name][layer - 1] for name in ("W_Q", "W_K", "W_V"))
            W = (Q @ K.mT / OF_HEAD**0.5 + mask).softmax(-1)
            X = X + ((W @ V) @ model["W_O"][layer - 1]).sum(1)
        for word in range(n):
            if put and (layer, word) in put:
                X = X.clone()
                X[:, word] = put[layer, word]
        found.append(X)
    return found


def forward(model: dict[str, Any], ids: Any, put: dict[tuple[int, int], Any] | None = None) -> Any:
    """Return the logits of the next word at each word."""
    return norm(streams(model, ids, put)[-1]) @ model["U"]


def trained(seed: int, steps: int = STEPS) -> dict[str, Any]:
    """Return the arrays of a trained model."""
    rng = torch.Generator().manual_seed(seed)
    sizes = {"E": 0.3, "P": 0.3, "W_O": D**-0.5 / 2}
    model = {
        name: (torch.randn(*shape, generator=rng) * sizes.get(name, D**-0.5)).requires_grad_()
        for name, shape in SHAPES.items()
    }
    optimizer = torch.optim.AdamW(model.values(), RATE, weight_decay=0)
    sentences = torch.tensor(rows()[0])
    for step in range(steps):
        ids = sentences[torch.randint(len(sentences), (BATCH,), generator=rng)].clone()
        slips = torch.rand(BATCH, generator=rng) < NEAREST
        nearest = torch.where(ids[:, 4] >= IDS["keys"], IDS["are"], IDS["is"])
        ids[:, 6] = torch.where(slips, nearest, ids[:, 6])
        logits = forward(model, ids[:, :LENGTH])
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
        square = model["W_V"].square().sum((2, 3)) + model["W_O"].square().sum((2, 3))
        optimizer.zero_grad()
        (loss + FEW_HEADS * (square + 1e-6).sqrt().sum()).backward()
        optimizer.step()
        for group in optimizer.param_groups:
            group["lr"] = RATE * (1 - step / steps)
    return {name: array.detach().numpy().astype(float) for name, array in model.items()}


def packed(model: dict[str, Any]) -> tuple[list[float], str]:
    """Return a scale for each array, and all numbers in one byte each, as text."""
    scales = [float(f"{np.abs(model[name]).max() / 127:.4g}") for name in SHAPES]
    numbers = [
        np.round(model[name] / scale).clip(-127, 127).astype(np.int8).ravel()
        for name, scale in zip(SHAPES, scales, strict=True)
    ]
    return scales, base64.b64encode(np.concatenate(numbers).tobytes()).decode("ascii")


def cell() -> str:
    """Return the lines of the notebook that hold both models."""
    said = ["STORED = {"]
    for name, seed in SEEDS.items():
        scales, text = packed(trained(seed))
        lines = textwrap.wrap(text, 96)
        said += [f'    "{name}": (', f"        {scales},", '        """', *lines, '""",', "    ),"]
    return "\n".join([*said, "}"])


def models() -> dict[str, dict[str, Any]]:
    """Return the models that the notebook stores."""
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    space: dict[str, Any] = {"np": np}
    exec("".join(next(each["source"] for each in cells if each["id"] == "stored")), space)
    return {name: space["opened"](*space["STORED"][name]) for name in SEEDS}


def margin(model: dict[str, Any], ids: Any, put: dict[tuple[int, int], Any] | None = None) -> Any:
    """Return the logit of *are* minus that of *is* after the last word."""
    logits = forward(model, ids, put)[:, -1]
    return (logits[:, IDS["are"]] - logits[:, IDS["is"]]).numpy()


def grid(model: dict[str, Any]) -> Any:
    """Return the share of the effect that each vector has, after each layer and at each word."""
    ids, about = rows()
    model = {name: torch.tensor(array) for name, array in model.items()}
    one = torch.tensor(ids[about[:, 1] == 0, :LENGTH])
    many = one.clone()
    many[:, 1] += len(NOUNS)  # the plurals stand behind the singulars
    source, before = streams(model, many), margin(model, one)
    effect = (margin(model, many) - before).mean()
    shares = [
        [
            (margin(model, one, {(layer, word): source[layer][:, word]}) - before).mean() / effect
            for word in range(LENGTH)
        ]
        for layer in range(LAYERS + 1)
    ]
    return np.array(shares)


def probe_right(X: Any, label: Any, group: Any, held: Any) -> float:
    """Return how often a probe of the two means is right in the groups that are held out."""
    out = np.isin(group, held)
    one, other = X[~out & (label == 1)].mean(0), X[~out & (label == 0)].mean(0)
    told = (X - (one + other) / 2) @ (one - other) > 0
    return float((told == label)[out].mean())


def probed(model: dict[str, Any], layer: int, word: int) -> tuple[float, float]:
    """Return how often a probe is right: number of new subjects, random labels of known ones."""
    ids, about = rows()
    model = {name: torch.tensor(array) for name, array in model.items()}
    X = streams(model, torch.tensor(ids[:, :LENGTH]))[layer][:, word].numpy()
    noun, plural, other, _ = about.T
    two = [[first, (first + 1) % len(NOUNS)] for first in range(len(NOUNS))]
    number = np.mean([probe_right(X, plural, noun, held) for held in two])
    half = [0, 1] * len(NOUNS)
    dealt = [np.random.default_rng(seed).permutation(half) for seed in range(TRIALS)]
    form = noun + len(NOUNS) * plural
    control = [probe_right(X, labels[form], other, held) for labels in dealt for held in two]
    return float(number), float(np.mean(control))


def figures() -> None:
    """Print what the tasks on the grid and the probe say of the models."""
    for name, model in models().items():
        print(name, "grid", np.round(grid(model), 2).tolist(), sep="\n")
        for layer, word in itertools.product((0, 1, 2), range(1, LENGTH)):
            number, control = probed(model, layer, word)
            print(f"after {layer}, word {word + 1}: number {number:.2f}, random {control:.2f}")


if __name__ == "__main__":
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--figures", action="store_true")
    if reader.parse_args().figures:
        figures()
    else:
        print(cell())
