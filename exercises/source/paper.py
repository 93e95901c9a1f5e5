# How an answer on paper is read: from the text of its cell, without running anything.
import ast
import builtins
import decimal
import fractions
import math
import operator
import re

import numpy as np


class PaperForm(AssertionError):
    """An answer has a form that cannot be judged; whether it is right remains open."""

    is_form = True


class PaperOutside(PaperForm):
    """An answer takes more than what its own cell contains."""


class PaperValue:
    """This is what is known of the value of an answer."""

    LARGEST = 10**30  # of the numbers in an answer on paper
    SIZE = 500  # of the values that it may hold
    NUMBER = int | float | fractions.Fraction | decimal.Decimal | np.number

    @staticmethod
    def plain(value):
        """Return an answer in lists and numbers of Python itself."""
        value = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
        if isinstance(value, dict):
            return {PaperValue.plain(key): PaperValue.plain(part) for key, part in value.items()}
        if isinstance(value, list | tuple):
            return type(value)([PaperValue.plain(part) for part in value])
        return float(value) if isinstance(value, fractions.Fraction | decimal.Decimal) else value

    @staticmethod
    def same(one, other):
        """Say whether two answers are equal, up to the rounding of floats."""
        one, other = PaperValue.plain(one), PaperValue.plain(other)
        if isinstance(one, dict) and isinstance(other, dict):
            pairs = [(one[key], other.get(key)) for key in one]
            return one.keys() == other.keys() and all(PaperValue.same(*pair) for pair in pairs)
        if isinstance(one, list | tuple) and isinstance(other, list | tuple):
            return len(one) == len(other) and all(map(PaperValue.same, one, other))
        if isinstance(one, int | float) and isinstance(other, int | float):
            return math.isclose(one, other, abs_tol=1e-12) or (one != one and other != other)
        return type(one) is type(other) and one == other

    @staticmethod
    def is_open(value):
        """Say whether all parts of an answer are the dots of the release."""
        if isinstance(value, dict | list | tuple):
            parts = list(value.values() if isinstance(value, dict) else value)
            return bool(parts) and all(map(PaperValue.is_open, parts))
        return value is ... or value == "..."

    @staticmethod
    def is_number(value):
        """Say whether a value is a finite number."""
        return isinstance(value, int | float) and math.isfinite(value)

    @staticmethod
    def as_written(number):
        """Return a number as one writes it on paper: as a fraction of small numbers if it is one.

        >>> [PaperValue.as_written(number) for number in (0.7, 3.0, 0.123456789)]
        ['7 / 10', '3', '0.123457']
        """
        ratio = fractions.Fraction(number).limit_denominator(1000)
        if abs(float(ratio) - number) > 1e-12 * max(1, abs(number)):
            return f"{number:.6g}"
        return str(ratio).replace("/", " / ")

    @staticmethod
    def advice(task, ran):
        """Return how to write an answer that is made of numbers, in numbers."""
        value = PaperValue.plain(ran)
        if isinstance(value, list | tuple) and value and all(map(PaperValue.is_number, value)):
            told = ", ".join(map(PaperValue.as_written, value))
            line = f"{task} = [{told}]"
            return f" Write {line}: your values are numbers, only their form is not allowed."
        return ""

    @staticmethod
    def weight(value):
        """Return how many values there are, those in lists and in letters too, up to a few more."""
        count, found = 0, [value]
        while found and count <= PaperValue.SIZE:
            value = found.pop()
            count += 1
            if isinstance(value, dict):
                found += [*value.keys(), *value.values()][: PaperValue.SIZE + 1]
            elif isinstance(value, list | tuple | set):
                found += list(value)[: PaperValue.SIZE + 1]
            elif isinstance(value, str | np.ndarray):
                count += np.size(value) if isinstance(value, np.ndarray) else len(value) // 20
        return count

    @staticmethod
    def is_large(value):
        """Say whether a number has more digits than one writes on paper."""
        if isinstance(value, fractions.Fraction):
            return max(abs(value.numerator), value.denominator) >= PaperValue.LARGEST
        if isinstance(value, int | np.integer | decimal.Decimal):
            return not abs(value) < PaperValue.LARGEST
        return isinstance(value, np.ndarray) and value.dtype.kind not in "biuf"

    @staticmethod
    def is_far(values):
        """Say whether one of these numbers would make rounding or counting endless."""
        return any(isinstance(each, int) and abs(each) > 99 for each in values[-1:])


class PaperText:
    """This is what the text of a cell tells before its values are known."""

    LONGEST = 100_000  # letters of the cell that holds one
    KNOWN = {
        "": "list tuple dict set sum round min max abs len sorted range zip enumerate reversed "
        "int float str pow",
        "math": "log log2 log10 exp sqrt pow fsum prod floor ceil comb factorial pi e",
        "numpy": "array asarray float32 float64 int32 int64 round around log log2 log10 exp sqrt "
        "sum mean prod pi e",
        "fractions": "Fraction",
        "decimal": "Decimal",
    }
    CHANGES = frozenset(
        "append extend insert pop remove reverse sort clear update add setdefault fill".split()
    )
    OWN_NAMES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)

    @staticmethod
    def quoted(node):
        """Return the text of a piece of Python, shortened."""
        try:
            text = ast.unparse(node).partition("\n")[0]
        except RecursionError:
            return "…"
        return text if len(text) <= 40 else f"{text[:40]} …"

    @staticmethod
    def inner(node):
        """Return a piece of Python and its parts, but no names that only a part of it knows."""
        found = [node]
        for part in found:
            if isinstance(part, ast.comprehension):
                found += [part.iter, *part.ifs]
            elif not isinstance(part, PaperText.OWN_NAMES):
                found += ast.iter_child_nodes(part)
        return found

    @staticmethod
    def bound(node):
        """Return the names that a statement gives a value to."""
        names = [part for part in PaperText.inner(node) if isinstance(part, ast.Name)]
        kinds = PaperText.OWN_NAMES[:3]
        own = {part.name for part in PaperText.inner(node) if isinstance(part, kinds)}
        return own | {part.id for part in names if isinstance(part.ctx, ast.Store | ast.Del)}

    @staticmethod
    def changed(node):
        """Return the names of lists and dictionaries in which a statement may change something."""
        names = set()
        for part in PaperText.inner(node):
            is_place = isinstance(getattr(part, "ctx", None), ast.Store | ast.Del)
            if is_place or (isinstance(part, ast.Attribute) and part.attr in PaperText.CHANGES):
                while isinstance(part, ast.Subscript | ast.Attribute):
                    part = part.value
                names |= {part.id} if isinstance(part, ast.Name) else set()
        return names

    @staticmethod
    def imported(node):
        """Return what the names that an import makes stand for."""
        start = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        names = {name.asname or name.name: start + name.name for name in node.names}
        if names.pop("*", None):
            names |= {name: start + name for name in PaperText.KNOWN.get(start[:-1], "").split()}
        return names

    @staticmethod
    def imports(text):
        """Return what the names that a cell imports stand for."""
        try:
            nodes = PaperText.parsed(text) if "import" in text else []
        except PaperForm:
            return {}
        found = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
        return {name: full for node in found for name, full in PaperText.imported(node).items()}

    @staticmethod
    def parsed(text):
        """Return the statements of a cell.

        Raises:
            PaperForm: the cell is too long or no Python, and why.
        """
        text = re.sub(r"^[ \t]*[%!].*$", "", text, flags=re.MULTILINE)
        if len(text) > PaperText.LONGEST:
            raise PaperForm(f"its cell has more than {PaperText.LONGEST:,} letters")
        try:
            return PaperText.of_magic(ast.parse(text).body)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise PaperForm(PaperText.unreadable(text, error)) from None

    @staticmethod
    def of_magic(nodes):
        """Return the statements of a cell, which JupyterLab keeps as a call if it has %%time."""
        call = nodes[0].value if len(nodes) == 1 and isinstance(nodes[0], ast.Expr) else None
        name = PaperText.quoted(call.func) if isinstance(call, ast.Call) else ""
        if name == "get_ipython().run_cell_magic":
            texts = [part.value for part in call.args if isinstance(part, ast.Constant)]
            return ast.parse(texts[-1]).body if len(texts) == 3 else nodes
        return nodes

    @staticmethod
    def unreadable(text, error):
        """Return why Python cannot read a cell, in words."""
        if comma := re.search(r"\b\d+,0\d+", text):
            point = comma[0].replace(",", ".")
            return f"Python cannot read {comma[0]}: if you mean the decimal, write {point}"
        if quotes := re.search("[\u2018-\u201f\u00ab\u00bb]", text):
            return f'Python cannot read the quotes {quotes[0]}: write straight ones, "a"'
        said = getattr(error, "msg", "") or str(error) or "it is nested too deeply"
        return f"Python cannot read its cell: {said}"

    @staticmethod
    def writes(task, text):
        """Say whether a cell gives the answer to a task."""
        try:
            nodes = PaperText.parsed(text) if task in text else []
            return any(task in PaperText.bound(node) for node in nodes)
        except PaperForm:
            return bool(re.search(rf"^[ \t]*{task}[ \t]*(\||:|\+)?=", text, re.MULTILINE))


class PaperReader:
    """This works out what a cell says; of names it knows only those that the cell gives a value."""

    STEPS = 5_000  # that reading it may take
    MODULES = {"math": math, "numpy": np, "fractions": fractions, "decimal": decimal}
    METHODS = {
        list: "append extend insert pop remove reverse sort copy index count",
        dict: "update get keys values items copy setdefault pop",
        set: "add update",
        str: "lower upper strip split join",
        np.ndarray: "tolist round sum mean copy item",
        fractions.Fraction: "limit_denominator",
    }
    OPERATIONS = {
        ast.Add: operator.add,
        ast.Sub: operator.sub,
        ast.Mult: operator.mul,
        ast.Div: operator.truediv,
        ast.FloorDiv: operator.floordiv,
        ast.Mod: operator.mod,
        ast.Pow: operator.pow,
        ast.BitOr: operator.or_,
        ast.USub: operator.neg,
        ast.UAdd: operator.pos,
        ast.Not: operator.not_,
        ast.Eq: operator.eq,
        ast.NotEq: operator.ne,
        ast.Lt: operator.lt,
        ast.LtE: operator.le,
        ast.Gt: operator.gt,
        ast.GtE: operator.ge,
        ast.In: lambda one, other: one in other,
        ast.NotIn: lambda one, other: one not in other,
        ast.Is: operator.is_,
        ast.IsNot: operator.is_not,
    }
    ENDLESS = (round, np.round, np.around, math.comb, math.factorial)  # for some numbers
    VIEWS = type({}.keys()) | type({}.values()) | type({}.items())
    FORMAT = re.compile(r"[<>=^+ ,-]*\d{0,2}(\.\d{1,2})?[bcdeEfFgGnosxX%]?")
    CANNOT = (ArithmeticError, ValueError, TypeError, LookupError, AttributeError, RecursionError)

    def __init__(self, aliases):
        """Begin a cell; `aliases` are the names of modules and functions that are imported."""
        self.names, self.aliases, self.steps = {}, dict(aliases), 0

    def run(self, nodes):
        """Work out statements; return the one that raises an error, if there is one."""
        for node in nodes:
            try:
                if stop := getattr(self, f"do_{type(node).__name__}", self.do_other)(node):
                    return stop
            except PaperForm as refusal:
                self.lose(node, refusal)
            except self.CANNOT as error:
                text = PaperText.quoted(node)
                self.lose(node, PaperForm(f"`{text}` cannot be computed: {error}"))
        return None

    def lose(self, node, refusal):
        """Note of all names that a statement may have changed why their values are not known."""
        lost = PaperText.bound(node) | (PaperText.changed(node) & self.names.keys())
        self.names |= dict.fromkeys(lost, refusal)

    def do_other(self, node):
        """Take a statement for which there is no rule here as one that nobody can read."""
        self.lose(node, PaperOutside(f"`{PaperText.quoted(node)}` would have to run"))

    def do_Pass(self, node):
        """Do nothing."""

    do_Assert = do_Global = do_Pass

    def do_Raise(self, node):
        """Stop, as the cell does here."""
        return node

    def do_Import(self, node):
        """Note under which names modules are known."""
        self.aliases |= PaperText.imported(node)

    do_ImportFrom = do_Import

    def do_Assign(self, node):
        """Give one value to one or more targets."""
        value = self.value(node.value)
        for target in node.targets:
            self.bind(target, value)

    def do_AnnAssign(self, node):
        """Give a value to a name that has a type, if there is one."""
        if node.value:
            self.bind(node.target, self.value(node.value))

    def do_AugAssign(self, node):
        """Change a value: a list and a dictionary grow where they are."""
        before, more = self.value(node.target), self.value(node.value)
        if isinstance(before, list) and isinstance(node.op, ast.Add):
            before.extend(more)
        elif isinstance(before, dict | set) and isinstance(node.op, ast.BitOr):
            before.update(more)
        else:
            self.bind(node.target, self.computed(node, type(node.op), before, more))
        self.value(node.target)  # it may have grown too large

    def do_Expr(self, node):
        """Let a method change its list or dictionary; what is only shown needs no value."""
        for part in PaperText.inner(node):
            if isinstance(part, ast.NamedExpr):
                self.value(part)
        if (PaperText.changed(node) - PaperText.bound(node)) & self.names.keys():
            self.value(node.value)

    def do_If(self, node):
        """Take one of two branches."""
        return self.run(node.body if self.value(node.test) else node.orelse)

    def do_For(self, node):
        """Repeat statements for each of some values."""
        if any(isinstance(part, ast.Break | ast.Continue) for part in PaperText.inner(node)):
            raise PaperOutside("a loop that is left early would have to run")
        for value in list(self.value(node.iter)):
            self.bind(node.target, value)
            if stop := self.run(node.body):
                return stop
        return self.run(node.orelse)

    def bind(self, target, value):
        """Give a value to a name, to a place, or to several of them."""
        if isinstance(target, ast.Name):
            self.names[target.id] = value
        elif isinstance(target, ast.Subscript):
            self.value(target.value)[self.value(target.slice)] = value
            self.value(target.value)  # it may have grown too large
        elif isinstance(target, ast.List | ast.Tuple):
            self.unpack(target.elts, list(value))
        else:
            raise PaperOutside(f"`{PaperText.quoted(target)}` would have to run")

    def unpack(self, targets, values):
        """Give values to several targets, of which one may take a whole list."""
        stars = [n for n, target in enumerate(targets) if isinstance(target, ast.Starred)]
        if stars:
            rest = len(values) - len(targets) + 1
            taken = values[stars[0] : stars[0] + rest]
            values = [*values[: stars[0]], taken, *values[stars[0] + rest :]]
            targets = [getattr(target, "value", target) for target in targets]
        for target, value in zip(targets, values, strict=True):
            self.bind(target, value)

    def value(self, node):
        """Return the value of an expression, read and not run."""
        self.steps += 1
        if self.steps > self.STEPS:
            raise PaperForm(f"it takes more than {self.STEPS:,} steps")
        rule = getattr(self, f"of_{type(node).__name__}", None)
        if rule is None:
            raise PaperOutside(f"`{PaperText.quoted(node)}` is not made of numbers and letters")
        value = rule(node)
        if PaperValue.weight(value) > PaperValue.SIZE or PaperValue.is_large(value):
            raise PaperForm(
                f"`{PaperText.quoted(node)}` is too large: only numbers below 10 ** 30 and up to "
                f"{PaperValue.SIZE} values are read"
            )
        return value

    def of_Constant(self, node):
        """Return a number, a string, or None."""
        if not isinstance(node.value, int | float | str | None | type(...)):
            raise PaperForm(f"`{PaperText.quoted(node)}` is neither a number nor a string")
        return node.value

    def of_Name(self, node):
        """Return the value that this cell has given to a name, or a constant such as pi."""
        if node.id not in self.names:
            if node.id in self.aliases:
                return self.of_Attribute(node)
            quotes = f': write "{node.id}" in quotes' if len(node.id) == 1 else ""
            raise PaperOutside(f"`{node.id}` gets no value in this cell{quotes}")
        value = self.names[node.id]
        if isinstance(value, PaperForm):
            raise value
        return value

    def of_NamedExpr(self, node):
        """Return a value that also gets a name."""
        self.bind(node.target, value := self.value(node.value))
        return value

    def of_List(self, node):
        """Return a list."""
        values = []
        for part in node.elts:
            is_row = isinstance(part, ast.Starred)
            values += list(self.value(part.value)) if is_row else [self.value(part)]
        return values

    def of_Tuple(self, node):
        """Return a tuple."""
        return tuple(self.of_List(node))

    def of_Set(self, node):
        """Return a set."""
        return set(self.of_List(node))

    def of_Dict(self, node):
        """Return a dictionary."""
        made = {}
        for key, value in zip(node.keys, node.values, strict=True):
            made |= {self.value(key): self.value(value)} if key else self.value(value)
        return made

    def of_UnaryOp(self, node):
        """Return a number with a sign, or the opposite of a truth value."""
        return self.OPERATIONS[type(node.op)](self.value(node.operand))

    def of_BinOp(self, node):
        """Return a sum, a product or the like."""
        return self.computed(node, type(node.op), self.value(node.left), self.value(node.right))

    def computed(self, node, operation, one, other):
        """Return the result of an operation of a size that occurs on paper."""
        texts = [value for value in (one, other) if isinstance(value, str | list | tuple)]
        if operation is ast.Mult and texts:
            times = other if texts[0] is one else one
            is_small = not isinstance(times, int)
            is_small = is_small or PaperValue.weight(texts[0]) * times <= PaperValue.SIZE
        else:
            is_power = operation is ast.Pow
            is_small = not is_power or (isinstance(other, PaperValue.NUMBER) and abs(other) < 99)
            is_small = is_small and not (operation is ast.Mod and texts)
        if operation not in self.OPERATIONS or not is_small:
            raise PaperForm(f"`{PaperText.quoted(node)}` is too large or no arithmetic")
        return self.OPERATIONS[operation](one, other)

    def of_BoolOp(self, node):
        """Return the value that decides among several."""
        stops = isinstance(node.op, ast.Or)
        for part in node.values:
            if bool(value := self.value(part)) is stops:
                break
        return value

    def of_Compare(self, node):
        """Return whether each of some values stands in its relation to the next."""
        values = [self.value(part) for part in (node.left, *node.comparators)]
        pairs = zip(node.ops, values[:-1], values[1:], strict=True)
        return all(self.OPERATIONS[type(op)](one, other) for op, one, other in pairs)

    def of_IfExp(self, node):
        """Return one of two values."""
        return self.value(node.body if self.value(node.test) else node.orelse)

    def of_Subscript(self, node):
        """Return an entry of a list or of a dictionary."""
        return self.value(node.value)[self.value(node.slice)]

    def of_Slice(self, node):
        """Return the part of a list that is asked for."""
        return slice(*(part and self.value(part) for part in (node.lower, node.upper, node.step)))

    def of_Attribute(self, node):
        """Return a constant of a module, such as math.pi."""
        value = self.known(node)
        if not isinstance(value, float):
            raise PaperOutside(f"`{PaperText.quoted(node)}` is not made of numbers and letters")
        return value

    def of_JoinedStr(self, node):
        """Return a string with values in it."""
        return "".join(map(str, map(self.value, node.values)))

    def of_FormattedValue(self, node):
        """Return a value as a string writes it."""
        form = self.value(node.format_spec) if node.format_spec else ""
        if not self.FORMAT.fullmatch(form) or node.conversion != -1:
            raise PaperForm(f"`{form}` is a form of a number that is not read here")
        return format(self.value(node.value), form)

    def of_ListComp(self, node):
        """Return a list that is made step by step."""
        outer, made = dict(self.names), []
        self.repeat(node.generators, lambda: made.append(self.value(node.elt)))
        self.names = outer
        return made

    of_GeneratorExp = of_ListComp

    def of_SetComp(self, node):
        """Return a set that is made step by step."""
        return set(self.of_ListComp(node))

    def of_DictComp(self, node):
        """Return a dictionary that is made step by step."""
        pair = ast.Tuple([node.key, node.value], ast.Load())
        return dict(self.of_ListComp(ast.ListComp(pair, node.generators)))

    def repeat(self, loops, step):
        """Take a step for each value of the loops of a comprehension, the outer ones first."""
        if not loops:
            step()
            return
        for value in list(self.value(loops[0].iter)):
            self.bind(loops[0].target, value)
            if all(self.value(test) for test in loops[0].ifs):
                self.repeat(loops[1:], step)

    def of_Call(self, node):
        """Return what one of the known functions or methods says about values."""
        values, named = self.of_List(ast.List(node.args)), {}
        for word in node.keywords:
            if word.arg != "dtype":
                part = self.value(word.value)
                named |= {word.arg: part} if word.arg else part
        if isinstance(node.func, ast.Attribute) and not self.of_module(node.func.value):
            return self.method(node.func, values, named)
        function, name = self.known(node.func), PaperText.quoted(node.func)
        if function is range and len(range(*values)) > PaperValue.SIZE:
            raise PaperForm(f"`{PaperText.quoted(node)}` is too large")
        if function in (pow, math.pow):
            return self.computed(node, ast.Pow, *values)
        if function in self.ENDLESS and PaperValue.is_far(values):
            raise PaperForm(f"`{name}` cannot be computed with these numbers")
        made = function(*values, **named)
        return list(made) if isinstance(made, range | zip | enumerate | reversed) else made

    def method(self, node, values, named):
        """Return what a method of a list, a dictionary or a string makes of it."""
        of = self.value(node.value)
        allowed = "".join(words for kind, words in self.METHODS.items() if isinstance(of, kind))
        if node.attr not in allowed.split() or named.keys() & {"key"}:
            raise PaperOutside(f"`{PaperText.quoted(node)}` is none of the functions that are read")
        made = getattr(of, node.attr)(*values, **named)
        self.value(node.value)  # the list may have grown
        return list(made) if isinstance(made, self.VIEWS) else made

    def of_module(self, node):
        """Return the module that a name stands for, "" if it stands for none."""
        name = node.id if isinstance(node, ast.Name) and node.id not in self.names else ""
        full = self.aliases.get(name, "")
        return full if full in self.MODULES else ""

    def known(self, node):
        """Return a function or a constant of the list above, by its name or its import."""
        module = self.of_module(node.value) if isinstance(node, ast.Attribute) else ""
        if isinstance(node, ast.Name) and node.id not in self.names:
            module, _, name = self.aliases.get(node.id, f".{node.id}").rpartition(".")
        else:
            name = node.attr if module else ""
        if name not in PaperText.KNOWN.get(module, "").split() or not name:
            raise PaperOutside(f"`{PaperText.quoted(node)}` is none of the functions that are read")
        return getattr(self.MODULES.get(module, builtins), name)


class Paper:
    """This finds and reads the answer to a task on paper."""

    RULE = (
        "An answer on paper must follow from the numbers and the letters that its own cell "
        "contains. Names of other cells, of this notebook and of your id do not count; functions "
        "such as list, dict, sum, round, Fraction, math.log and np.array do, wherever they are "
        "imported."
    )
    ALIASES = {"np": "numpy", "math": "math", "fractions": "fractions"}
    ALIASES |= {"Fraction": "fractions.Fraction", "Decimal": "decimal.Decimal"}

    @staticmethod
    def on_paper(task, cells, below=(), ran=None):
        """Return an answer on paper as the last of these cells writes it; None if no cell does.

        What a notebook computes is right whoever has handed it in, so the text decides. Cells
        `below` the check count where none above has the answer; `ran` is what the notebook has
        computed.
        """
        try:
            aliases = dict(Paper.ALIASES)
            for text in (*cells, *below):
                aliases |= PaperText.imports(text)
            value, last = Paper.read(task, cells, aliases), Paper.read(task, below, aliases)
            if value is not None and last is not None and not PaperValue.same(value, last):
                raise PaperForm("two cells give an answer, and one of them is below the check")
            value = last if value is None else value
            if value is None and ran is not None and not PaperValue.is_open(ran):
                raise PaperForm(f"write the whole answer after {task} = in one cell")
        except PaperForm as refusal:
            rule = f" {Paper.RULE}" if isinstance(refusal, PaperOutside) else ""
            raise PaperForm(f"{task}: {refusal}.{PaperValue.advice(task, ran)}{rule}") from None
        if value is not None and PaperValue.is_open(value):
            raise NotImplementedError(f"{task} is not yet written")
        return value

    @staticmethod
    def read(task, cells, aliases):
        """Return what the last of these cells that gives an answer gives; None if no cell does."""
        found = [text for text in cells if PaperText.writes(task, text)]
        if not found:
            return None
        reader = PaperReader(aliases)
        stop = reader.run(PaperText.parsed(found[-1]))
        if task not in reader.names:
            line = PaperText.quoted(stop)
            raise PaperForm(f"the line `{line}` above it stops the cell: delete this line")
        if isinstance(reader.names[task], PaperForm):
            raise reader.names[task]
        return PaperValue.plain(reader.names[task])
