"""Find the slip: small questions about somebody's worked solution, wrong or right."""

from collections.abc import Sequence

from transformer_lib.plot.markup import Content, Markup, join

STEPS = (
    "Commit to an answer",
    "A cheap check",
    "Where is it?",
    "Name it",
    "Does the final answer change?",
)


def slip(
    id: str, title: str, given: Content, steps: Sequence[Markup], labels: Sequence[str] = STEPS
) -> Markup:
    """Pose a worked solution in two to five steps, each shown once the one before is answered.

    Args:
        id: letters, digits and hyphens, unique in the page.
        title: what the example is, in inline HTML.
        given: the example as printed; inline HTML, tables of `plot`, or a list of both.
        steps: questions of `choose` or `number`.
        labels: what each step is for; those that are left over are not shown.

    Raises:
        ValueError: there are not two to five steps.

    Source: McLaren, Adams, Mayer (2015), "Delayed learning effects with erroneous examples".
    """
    if not 2 <= len(steps) <= len(labels):
        raise ValueError(f"steps of {id} must be 2 to {len(labels)} questions, got {len(steps)}")
    shown = join(given)
    numbered = list(zip(range(1, len(steps) + 1), labels, steps, strict=False))
    items = "".join(
        f"<li><small>Step {i} of {len(steps)}: {name}</small>{step.html}</li>"
        for i, name, step in numbered
    )
    html = (
        f'<div class="tl-slip" id="{id}" role="group" aria-labelledby="{id}-title">'
        f'<p id="{id}-title"><b>Find the slip: {title}</b></p>{shown.html}<ol>{items}</ol></div>'
    )
    asked = [f"{i}. {name}\n{step.text}" for i, name, step in numbered]
    text = "\n\n".join([f"Find the slip: {join(title).text}", shown.text, *asked])
    head = dict.fromkeys(tag for part in (shown, *steps) for tag in part.head)
    return Markup(html, text, tuple(head))
