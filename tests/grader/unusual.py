"""Right notebooks made unusual: a kernel that runs from the top gives them full points."""

import copy
import json
import random

from tests.grader.kinds import KINDS, LAST, marks_lost
from tests.grader.solved import solved


def notebooks(name, count, seed=11):
    """Yield that many unusual notebooks of an assignment, with the kinds that each combines."""
    luck = random.Random(f"{seed}/{name}")
    plain, waiting = solved(name), []
    for _ in range(count):
        kinds = []
        while len(kinds) < 3:
            waiting = waiting or luck.sample(KINDS, len(KINDS))
            kind = waiting.pop()
            if kind not in kinds:
                kinds.append(kind)
        kinds.sort(key=lambda kind: kind in LAST)
        if luck.random() < 0.15:
            kinds.append(marks_lost)
        made = copy.deepcopy(plain)
        for kind in kinds:
            kind(made, luck)
        yield " + ".join(kind.__name__ for kind in kinds), made


def handed_in(made):
    """Return the file that the student hands in."""
    ours = {"whole", "is_function"}
    cells = [{key: cell[key] for key in cell if key not in ours} for cell in made["cells"]]
    return json.dumps({**made, "cells": cells}).encode()
