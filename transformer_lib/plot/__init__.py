"""What a notebook shows: tables, matrices, bars, line charts, trees, the architecture."""

from transformer_lib.plot.architecture import architecture
from transformer_lib.plot.arcs import arcs
from transformer_lib.plot.arrows import arrows
from transformer_lib.plot.bars import bars
from transformer_lib.plot.clocks import clocks
from transformer_lib.plot.dependency_graph import dependency_graph
from transformer_lib.plot.equation import equation, matrix
from transformer_lib.plot.flow import flow
from transformer_lib.plot.head_arcs import head_arcs
from transformer_lib.plot.heat_map import heat_map
from transformer_lib.plot.line_chart import line_chart, loss_curve
from transformer_lib.plot.markup import Markup, join
from transformer_lib.plot.product import product
from transformer_lib.plot.row import row
from transformer_lib.plot.step_table import step_table
from transformer_lib.plot.stepper import Step, stepper
from transformer_lib.plot.table import table
from transformer_lib.plot.tokens import tokens
from transformer_lib.plot.tree import tree

__all__ = [
    "Markup",
    "Step",
    "architecture",
    "arcs",
    "arrows",
    "bars",
    "clocks",
    "dependency_graph",
    "equation",
    "flow",
    "head_arcs",
    "heat_map",
    "join",
    "line_chart",
    "loss_curve",
    "matrix",
    "product",
    "row",
    "step_table",
    "stepper",
    "table",
    "tokens",
    "tree",
]
