"""Right or wrong: small questions about somebody's worked example."""

from collections.abc import Sequence

from transformer_lib.plot.markup import Content, Markup, join

STEPS = (
    "Commit to an answer",
    "A cheap check",
    "Where is it?",
    "Name it",
    "Does the final answer change?",
)
RIGHT_STEPS = ("Commit to an answer", "A cheap check", "Why does it hold?", "What would change it?")
"""A right example has no slip to locate and name, and two steps may be enough."""


def slip(
    id: str, title: Content, given: Content, steps: Sequence[Markup], *, optional: bool = False
) -> Markup:
    """Pose a worked example in steps, each shown once the one before is answered.

    Args:
        id: letters, digits and hyphens, unique in the page.
        title: what the example is, in inline HTML.
        given: the example as printed; inline HTML, tables of `plot`, or a list of both.
        steps: questions of `choose` or `number`: of a wrong example five, in the order of `STEPS`
            (commit, check, locate, name, final answer); of a right one two to four, in that of
            `RIGHT_STEPS`.
        optional: whether the title says that a reader may leave it out.

    Raises:
        ValueError: there are fewer than two steps or more than five.

    Source: McLaren, Adams, Mayer (2015), "Delayed learning effects with erroneous examples".
    """
    if not 2 <= len(steps) <= len(STEPS):
        raise ValueError(f"steps of {id} must be 2 to {len(STEPS)} questions, got {len(steps)}")
    shown, name = join(given), join(title)
    kind = "Optional: right or wrong" if optional else "Right or wrong"
    labels = STEPS if len(steps) == len(STEPS) else RIGHT_STEPS
    numbered = [(i, *each) for i, each in enumerate(zip(labels, steps, strict=False), start=1)]
    # How many steps follow would say whether the example is right.
    items = "".join(
        f"<li><small>Step {i}: {label}</small>{step.html}</li>" for i, label, step in numbered
    )
    html = (
        f'<div class="tl-slip" id="{id}" role="group" aria-labelledby="{id}-title">'
        f'<p id="{id}-title"><b>{kind}: {name.html}</b></p>'
        f"{shown.html}<ol>{items}</ol></div>"
    )
    asked = [f"{i}. {label}\n{step.text}" for i, label, step in numbered]
    text = "\n\n".join([f"{kind}: {name.text}", shown.text, *asked])
    head = dict.fromkeys(tag for part in (shown, *steps) for tag in part.head)
    return Markup(html, text, tuple(head))
