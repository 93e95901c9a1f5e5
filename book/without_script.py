"""One line on each page that says what scripts are needed for, where they are off."""

import re

NEEDS = {
    'class="tl-question"': "judge answers",
    'class="tl-frames"': "move its pictures",
    'class="tl-vector"': "move its arrows",
    'class="tl-moves"': "go on by a button",
    'class="cell_input docutils container"': "run its code",
    'id="tl-catalogue"': "search its list",
}
"""What is found in a page that needs a script, and what it then cannot do."""

_TITLE = re.compile(r"(<article\b.*?</h1>)", re.DOTALL)


def say(page: str) -> str:
    """The page with a line below its title, where it has something that needs a script.

    >>> "to move its pictures." in say('<article><h1>A</h1><div class="tl-frames"></div></article>')
    True
    """
    needs = [what for found, what in NEEDS.items() if found in page]
    if not needs:
        return page
    listed = " and ".join(filter(None, [", ".join(needs[:-1]), needs[-1]]))
    line = f"Scripts are off: this page needs them to {listed}."
    return below_title(page, f'<noscript><p class="tl-noscript">{line}</p></noscript>')


def below_title(page: str, note: str) -> str:
    """The page with a note right below the title of its article."""
    return _TITLE.sub(lambda match: match[1] + note, page, count=1)
