"""A training that a reader starts, watches and stops: the loss, an exam and sampled sentences."""

import asyncio
import itertools
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

import ipywidgets
import numpy as np

from course.asked import Asked
from course.small_decoder import Arrays, Batch, forward, start, train
from transformer_lib import Vocabulary, softmax
from transformer_lib.formulas import checks
from transformer_lib.plot.line_chart import LINES
from transformer_lib.plot.markup import Markup, as_markup
from transformer_lib.plot.table import table
from transformer_lib.widgets.box import Box, shown_or_refused

Words = Sequence[str]
Judge = Callable[[Words], tuple[int, Collection[str], Collection[str]]]
Exam = Mapping[str, Sequence[Words]]
CHUNK, LOOK = 10, 50
"""Steps until the chart is drawn again, and until the model takes the exam again."""
BATCH, SAMPLES, LONGEST = 16, 3, 48


class State(NamedTuple):
    """What is known of a training of `steps` so far; a sample is possible in it, or it is not."""

    steps: int
    losses: list[float]
    shares: dict[str, float]
    samples: list[tuple[str, bool]]


def train_view(
    language: Any, exam: Exam, judge: Judge, *, caption: str, title: str, steps: int = 400
) -> Box:
    """Let the reader train a small decoder with a learning rate, a dimension, a seed and steps.

    Where a notebook is executed, the view begins with the end of a training, and in a page, whose
    Python is slower, with the first steps of one.

    Args:
        language: has `vocabulary`, `sample`, `log_probability` and `entropy_per_token`.
        exam: sentences by the name of their kind.
        judge: gives of a sentence the position that matters, and the words right and wrong there.
        caption: what to change and what to notice, in inline HTML.
        title: of the table of the exam.
        steps: of a training, until the reader types another number.

    Raises:
        ValueError: steps is no integer of 1 or more. What is typed later never raises: the view
            says what is wrong with it.
    """
    checks.count(1, steps=steps)
    entropy = language.entropy_per_token()
    rate = ipywidgets.FloatText(value=0.01, description="learning rate")
    d_model = ipywidgets.Dropdown(options=[16, 32, 64], value=32, description="dimension")
    seed = ipywidgets.BoundedIntText(value=0, min=0, max=9999, description="seed")
    length = ipywidgets.BoundedIntText(
        value=steps, min=1, max=max(steps, 9999), description="steps"
    )
    begin, end = (ipywidgets.Button(description=name) for name in ("Train", "Stop"))
    said, curve, seen = (ipywidgets.HTML() for _ in range(3))
    said.add_class("tl-said")
    said.layout = {"min_height": "6em"}  # so that the chart stays where it is
    now: dict[str, Any] = {}
    asked = Asked([rate, d_model, seed, length], "Train")

    def states() -> Iterator[State]:
        if not 0 < rate.value <= 1:
            raise ValueError(f"learning rate must be above 0 and at most 1, got {rate.value}")
        typed = {"rate": rate.value, "d_model": d_model.value, "seed": seed.value}
        return training(language, exam, judge, steps=length.value, **typed)

    def show(state: State) -> None:
        curve.value = chart(state.losses, entropy, state.steps)
        seen.value = answers(state, title)

    async def run(mine: Iterator[State]) -> None:
        for state in mine:
            show(state)
            await asyncio.sleep(0)  # a press of Stop is heard here
            if now["states"] is not mine or curve.comm is None:
                break
        if now["states"] in (mine, None):
            said.value = ended(state, entropy)

    def begun() -> Markup:
        now["states"] = mine = states()
        now["task"] = asyncio.get_running_loop().create_task(run(mine))
        asked.note()
        return as_markup("<p>Training has begun.</p>")

    begin.on_click(lambda _: setattr(said, "value", shown_or_refused(begun)))
    end.on_click(lambda _: now.update(states=None))
    in_page = sys.platform == "emscripten"
    *_, state = itertools.islice(states(), 1 if in_page else None)
    show(state)
    said.value = "<p>Press Train.</p>" if in_page else ended(state, entropy)
    if not in_page:
        asked.note()
    row = ipywidgets.HBox(
        [rate, d_model, seed, length, begin, end], layout={"flex_flow": "row wrap"}
    )
    for field, width in zip(row.children, (11, 9, 7, 7, 5, 5), strict=True):
        field.layout, field.style.description_width = {"width": f"{width}em"}, "initial"
    about = ipywidgets.HTML(f"<p>{caption}</p>")
    return Box([about, row, asked, said, curve, seen], "training, live")


def training(
    language: Any, exam: Exam, judge: Judge, *, steps: int, rate: float, d_model: int, seed: int
) -> Iterator[State]:
    """Train a new decoder, and give the state after each chunk of steps."""
    words, rng, writer = language.vocabulary, *map(np.random.default_rng, (seed, seed))
    T = start(rng, len(words), d_model)

    def draw() -> Batch:
        return batch_of(words, [language.sample(rng) for _ in range(BATCH)])

    losses: list[float] = []
    for loss in train(T, draw, steps=steps, rate=rate):
        losses.append(float(loss))
        if len(losses) in (CHUNK, steps) or not len(losses) % LOOK:
            shares = {kind: share(T, words, each, judge) for kind, each in exam.items()}
            texts = sampled(T, words, writer)
            samples = [(" ".join(t), language.log_probability(t) > -np.inf) for t in texts]
        if len(losses) == steps or not len(losses) % CHUNK:
            yield State(steps, losses, shares, samples)


def batch_of(words: Vocabulary, sentences: Sequence[Words]) -> Batch:
    """Return the ids of sentences and the next words, -1 where there is none."""
    whole = np.array(words.pad([words.encode(each, start=True, end=True) for each in sentences]))
    return whole[:, :-1], np.where(whole == words.padding_id, -1, whole)[:, 1:]


def share(T: Arrays, words: Vocabulary, sentences: Sequence[Words], judge: Judge) -> float:
    """Return the share of sentences where the right words are likelier than the wrong ones."""
    chances, right = softmax(forward(T, batch_of(words, sentences)[0])[0]), []
    for row, each in zip(chances, sentences, strict=True):
        place, *sides = judge(each)
        fits, others = (row[place, words.encode(side)].sum() for side in sides)
        right.append(fits > others)
    return float(np.mean(right))


def sampled(T: Arrays, words: Vocabulary, rng: np.random.Generator) -> list[list[str]]:
    """Return a few sentences that the model generates, side by side."""
    ids = np.full((SAMPLES, 1), words.start_id)
    while ids.shape[1] <= LONGEST and not (ids == words.end_id).any(-1).all():
        chances = softmax(forward(T, ids)[0][:, -1])
        following = (chances.cumsum(-1) < rng.random((SAMPLES, 1))).sum(-1, keepdims=True)
        ids = np.hstack([ids, np.minimum(following, len(words) - 1)])
    rows = (words.decode(row)[1:] for row in ids)
    return [row[: row.index("</s>")] if "</s>" in row else row for row in rows]


def ended(state: State, entropy: float) -> str:
    """Say in one sentence where a training has ended."""
    times, right = mean(state.losses) / entropy, np.mean([*state.shares.values()])
    when = "After" if len(state.losses) == state.steps else "Stopped after"
    return (
        f"<p>{when} {len(state.losses)} steps: the loss is {times:.2f} times the entropy, and the "
        f"model is right in {right:.0%} of the sentences.</p>"
    )


def mean(losses: Sequence[float]) -> float:
    """Return the mean of the last chunk of losses."""
    return float(np.mean(losses[-CHUNK:]))


def chart(losses: Sequence[float], entropy: float, steps: int) -> str:
    """Draw the loss over axes that do not move, and the entropy as a line, as HTML.

    `plot.line_chart` would load matplotlib into the page, ten megabytes, before a training begins.
    """
    top = int(losses[0]) + 1

    def at(step: float, height: float) -> str:
        return f"{26 + 354 * step / steps:.1f},{190 - 180 * min(height, top) / top:.1f}"

    ends = range(min(CHUNK, len(losses)), len(losses) + 1, CHUNK)
    curve = " ".join(at(end, mean(losses[:end])) for end in ends)
    ticks = "".join(
        f'<path d="M{at(0, y)} {at(steps, y)}" stroke="currentColor" opacity="0.2"/>'
        f'<text x="20" y="{194 - 180 * y / top:.0f}" text-anchor="end">{y}</text>'
        for y in range(top + 1)
    )
    said = f"step {len(losses)}: loss {mean(losses):.2f}, entropy {entropy:.2f}"
    loss, floor = (line[0] for line in LINES[:2])
    return (
        f'<figure class="tl-chart"><figcaption>{said}</figcaption>'
        f'<svg role="img" aria-label="Line chart. {said}" viewBox="0 0 390 215" fill="none" '
        f'style="width:100%;max-width:34rem" font-size="11"><g fill="currentColor">{ticks}'
        f'<text x="26" y="206">0</text><text x="322" y="206">step {steps}</text>'
        '<text x="300" y="22">nats per token</text></g>'
        f'<path d="M{at(0, entropy)} {at(steps, entropy)}" stroke="{floor}" stroke-width="2" '
        f'stroke-dasharray="6 4"/><polyline points="{curve}" stroke="{loss}" stroke-width="2"/>'
        "</svg></figure>"
    )


def answers(state: State, title: str) -> str:
    """Show the marks of the exam and the sampled sentences, as HTML that keeps its height."""
    marks = table({kind: [right] for kind, right in state.shares.items()}, title=title, decimals=2)
    lines = (
        f"<li>{'possible' if fits else 'impossible'}: {escape(text)}</li>"
        for text, fits in state.samples
    )
    kept = f'<ul tabindex="0" style="height:9em;overflow:auto">{"".join(lines)}</ul>'
    return f"{marks._repr_html_()}<p>Sampled from the model:</p>{kept}"
