"""Find the slip: five small questions about a worked example that went wrong."""

from collections.abc import Sequence

from transformer_lib.plot.markup import Content, Markup, join

STEPS = (
    "Commit to an answer",
    "A cheap check",
    "Where is it?",
    "Name it",
    "Does the final answer change?",
)


def slip(id: str, title: str, given: Content, steps: Sequence[Markup]) -> Markup:
    """Pose a wrong worked example in five steps, each shown once the one before is answered.

    Args:
        id: letters, digits and hyphens, unique in the page.
        title: what the example is, in inline HTML.
        given: the example as printed; inline HTML, tables of `plot`, or a list of both.
        steps: five questions of `choose` or `number`, in the order of `STEPS`: commit, check,
            locate, name (cause unknown is an answer too), final answer.

    Raises:
        ValueError: there are not five steps.

    Source: McLaren, Adams, Mayer (2015), "Delayed learning effects with erroneous examples".
    """
    if len(steps) != len(STEPS):
        raise ValueError(f"steps of {id} must be {len(STEPS)} questions, got {len(steps)}")
    shown = join(given)
    numbered = list(zip(range(1, 6), STEPS, steps, strict=True))
    items = "".join(
        f"<li><small>Step {i} of 5: {name}</small>{step.html}</li>" for i, name, step in numbered
    )
    html = (
        f'<div class="tl-slip" id="{id}" role="group" aria-labelledby="{id}-title">'
        f'<p id="{id}-title"><b>Find the slip: {title}</b></p>{shown.html}<ol>{items}</ol></div>'
    )
    asked = [f"{i}. {name}\n{step.text}" for i, name, step in numbered]
    text = "\n\n".join([f"Find the slip: {join(title).text}", shown.text, *asked])
    head = dict.fromkeys(tag for part in (shown, *steps) for tag in part.head)
    return Markup(html, text, tuple(head))
