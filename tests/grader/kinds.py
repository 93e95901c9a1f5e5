"""Ways to be unusual: each changes a solved notebook at a place drawn by `luck`; it stays right."""

import unicodedata
from types import FunctionType

from tests.grader.solved import (
    beyond,
    check_of,
    first_names,
    function_of,
    in_front,
    insert,
    marks,
    needing,
    solutions,
)

OUTPUT_LETTERS = 11_000_000


def name_reused(made, luck):
    place = luck.choice(solutions(made))
    name = marks(made["cells"][place])["grade_id"]
    value = luck.choice(["3", "None", "'done'", "lambda *args: 0", "np.zeros(2)"])
    insert(made, beyond(made, place, luck), f"{name} = {value}")


def function_overwritten(made, luck):
    place = luck.choice(solutions(made, True))
    name = function_of(made["cells"][place])
    insert(made, beyond(made, place, luck), f"def {name}(*args):\n    return 0 * args[0]")


def constant_redefined(made, luck):
    place = luck.choice(solutions(made, True))
    name, cell = function_of(made["cells"][place]), made["cells"][place]
    constant = luck.choice(["scale", "eps_own", "K_OWN"])
    insert(made, beyond(made, place, luck), f"{constant} = 7")
    cell["source"] = f"{constant} = 2\n{cell['source']}" + needing(name, f"{constant} == 2")


def helper_redefined(made, luck):
    place = luck.choice(solutions(made, True))
    name = function_of(made["cells"][place])
    later = beyond(made, place, luck)
    insert(made, later, "def own_step(x):\n    raise ValueError('another')")
    made["cells"][place]["source"] += needing(name, "own_step(1) == 1")
    insert(made, place, "def own_step(x):\n    return x")


def example_variable(made, luck):
    """A function reads what an example between it and its check defines without calling it."""
    found = []
    for place in solutions(made, True):
        for cell in made["cells"][place + 1 : check_of(made, place)]:
            if not marks(cell) and function_of(made["cells"][place]) not in cell["source"]:
                found += [(place, name) for name in first_names(cell["source"])]
    if not found:
        return example_edited(made, luck)
    place, variable = luck.choice(found)
    name = function_of(made["cells"][place])
    made["cells"][place]["source"] += needing(name, f"{variable} is not None")


def example_edited(made, luck):
    place = luck.choice(solutions(made, True))
    name = function_of(made["cells"][place])
    insert(made, place + 1, f"tried = np.ones(2)\nprint(tried, {name})")
    made["cells"][place]["source"] += needing(name, "tried.sum() == 2")


def earlier_cell_variable(made, luck):
    functions = solutions(made, True)
    place = luck.choice(functions[1:] or functions)
    before = [c for c in made["cells"][:place] if marks(c).get("grade")]
    names = [name for cell in before for name in first_names(cell["source"])]
    if names:
        name = function_of(made["cells"][place])
        made["cells"][place]["source"] += needing(name, f"{luck.choice(names)} is not None")


def timed(made, luck):
    cell = made["cells"][luck.choice(solutions(made))]
    cell["source"] = luck.choice(["%%time\n", "%%time\n\n", "\n%%time\n"]) + cell["source"]


def captured(made, luck):
    cell = made["cells"][luck.choice(solutions(made))]
    first = luck.choice(["%%capture", "%%capture out", "%%capture --no-stderr"])
    cell["source"] = f"{first}\n{cell['source']}"


def looked_up(made, luck):
    in_front(made, luck, luck.choice(["np.exp?", "?np.exp", "np.exp??", "# what is\nnp.log?"]))


def shell(made, luck):
    lines = ["!ls", "files = !ls\nlen(files)", "!echo {1 + 1}", "!pwd \\\n  -P", "here = %pwd"]
    in_front(made, luck, luck.choice(lines))


def shown(made, luck):
    lines = [
        "display(np.eye(2))",
        "from IPython.display import HTML, display\ndisplay(HTML('<b>x</b>'))",
        "from IPython.display import Markdown as M\nM('**x**')",
        "import IPython\nIPython.display.clear_output()",
        "from IPython.core.display import HTML as H\nH('x')",
        "handle = display('x', display_id=True)\nhandle.update('y')",
    ]
    in_front(made, luck, luck.choice(lines))


def asked(made, luck):
    lines = [
        "get_ipython().run_line_magic('matplotlib', 'inline')",
        "shell = get_ipython()\nprint(type(shell).__name__, shell.user_ns.get('x'))",
        "if get_ipython() is not None:\n    %matplotlib inline",
        "get_ipython().run_cell_magic('capture', '', 'x = 1')",
        "%load_ext autoreload\n%autoreload 2",
        "%config InlineBackend.figure_format = 'svg'",
        "%timeit -n 1 -r 1 np.exp(1)\n%time np.exp(1)\n%precision 3",
    ]
    in_front(made, luck, luck.choice(lines))


def plotted(made, luck):
    lines = [
        "plt.plot([1, 2])\nplt.title('x')\nplt.show()",
        "plt.rcParams['figure.figsize'] = (4, 3)\nplt.rcParams.update({'font.size': 9})",
        "fig, axes = plt.subplots(2, 2)\nfor ax in axes.flat:\n    ax.plot([1])\naxes[0, 1].grid()",
        "line, = plt.plot([1, 2])\nline.set_linewidth(2 * line.get_linewidth())",
        "counts, edges, bars = plt.hist([1, 2, 2])\nprint(counts.sum(), len(bars))",
        "ax = plt.gca()\nlow, high = ax.get_ylim()\nax.set_ylim(low - 1, 1.1 * high)\nhigh > low",
        "colors = plt.cm.viridis(np.linspace(0, 1, 2))\nplt.scatter([1, 2], [1, 2], c=colors)",
        "fig = plt.figure()\nax = fig.add_subplot(1, 1, 1)\nwith plt.style.context('ggplot'):\n"
        "    im = ax.imshow(np.eye(3))\nfig.colorbar(im, ax=ax)\nprint(f'{ax.get_ylim()[0]:.2f}')",
        "fig, (left, right) = plt.subplots(1, 2)\nfig.suptitle('x')\nleft.bar([1], [2])\nfig",
        "ax = plt.gca()\nax.set_xticks(range(2), ['a', 'b'])\nif ax.lines:\n    len(ax.lines)",
    ]
    first = luck.choice(["", "%matplotlib inline\n"]) + "import matplotlib.pyplot as plt\n"
    in_front(made, luck, first + luck.choice(lines))


def drawn_by_others(made, luck):
    lines = [
        "import ipywidgets as widgets\nslider = widgets.IntSlider(value=3)\nslider",
        "from ipywidgets import interact\n@interact(x=(0, 3))\ndef seen(x=1):\n    return x",
        "import matplotlib\nmatplotlib.use('Agg')\nfrom matplotlib import pyplot",
        "from matplotlib.ticker import MaxNLocator\nMaxNLocator(integer=True)",
        "from mpl_toolkits.mplot3d import Axes3D",
        "import matplotlib as mpl\nmpl.rcParams['lines.linewidth'] = 2\nmpl.rc('font', size=9)",
    ]
    in_front(made, luck, luck.choice(lines))


def large_outputs(made, luck):
    data = {"output_type": "display_data", "metadata": {}}
    data["data"] = {"image/png": "x" * OUTPUT_LETTERS}
    luck.choice(made["cells"])["outputs"] = [data]


def accents_apart(made, luck):
    in_front(made, luck, "größe = {'Zürich': 2}['Zürich']\nassert größe == 2  # naïve")
    for cell in made["cells"]:
        for key in {"source", "whole"} & set(cell):
            cell[key] = unicodedata.normalize("NFD", cell[key])


def marks_lost(made, luck):
    for cell in made["cells"]:
        cell["metadata"] = {}


KINDS = [
    each
    for each in vars().values()
    if isinstance(each, FunctionType) and each.__module__ == __name__ and each is not marks_lost
]
LAST = [timed, captured, accents_apart]
"""These look at a cell as a whole, so they come after the others."""
