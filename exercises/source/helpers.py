# What the checks use: run this cell once, before the others.
import hashlib
import re
import textwrap
import unicodedata

import numpy as np

VERSION = 5  # of these exercises: by it grading tells what a notebook was made for
CHECKED = {}  # by the name of each check the answer to its task as it was when the check passed
FORM_ONLY = set()  # the checks that have seen the form alone
DIGESTS = {}  # of the right answers to tasks on paper, for a learner without an id
DRAWN = {}  # by the name of each task the id from which its numbers were drawn last
LOOKALIKES = str.maketrans(  # letters of Cyrillic and Greek that look like Latin ones
    "\u0430\u0432\u0441\u0501\u0435\u04bb\u03b1\u03b2", "abcdehab"
)
SIDES, PERHAPS = {}, {}  # what the sizes of an assignment mean, and what two that clash tell
PRODUCT = (
    "Tokens are rows, so a weight matrix is the right factor: X @ W, not W @ X. Or does one of the "
    "factors have to be transposed? Print the shapes of both."
)


def draw_for(task):
    """Return a random generator that belongs to your id and to this task."""
    if not STUDENT_ID:
        print("The first cell contains no id, so everybody without an id gets the same numbers.")
        print("If you are in a course, enter your id there and run all cells again for your own.")
    elif DRAWN.get(task) == "":
        print("You have typed an id, so your numbers and letters have changed: answer again.")
    DRAWN[task] = STUDENT_ID
    student = plain_id(STUDENT_ID)
    return np.random.default_rng(list(hashlib.sha256(f"{student}/{task}".encode()).digest()))


def plain_id(typed):
    """Return an id without what differs when the same one is typed or copied.

    That is upper case, blanks, letters that nobody sees, the kind of a digit or of a dash, and the
    zeros in front of a number.
    """
    text = ""
    for letter in unicodedata.normalize("NFKC", str(typed)).casefold():
        kind = unicodedata.category(letter)
        if kind == "Pd" or letter == "\N{MINUS SIGN}":
            text += "-"
        elif kind[0] not in "CZ":
            text += str(unicodedata.digit(letter)) if kind == "Nd" else letter
    text = unicodedata.normalize("NFKC", text)
    return text.lstrip("0") or text if text.isdecimal() else text


def deal(task, *texts):
    """Print explanations in an order that belongs to your id, and return the letter of each."""
    return deal_each(task, **{"": texts})[""]


def deal_each(task, **questions):
    """Print the choices of several questions as `deal` does; return the letters by question."""
    rng, letters = draw_for(task), {}
    for question, texts in questions.items():
        if question:
            print(f"{question}:")
        letters[question] = [""] * len(texts)
        for letter, place in zip("abcdefgh", rng.permutation(len(texts)), strict=False):
            letters[question][place] = letter
            print(textwrap.fill(f"{letter}: {texts[place]}", 79, subsequent_indent="   "))
    return letters


def expect(name, result, shape):
    """Say what is wrong with the kind or the shape of a result, if anything is."""
    assert result is not None, f"{name} returned None: did you forget the return statement?"
    kind = type(result).__name__
    assert isinstance(result, np.ndarray), (
        f"{name} must return a NumPy array, but it returned a {kind}"
    )
    assert result.shape == shape, (
        f"{name} must return shape {shape} here, but it returned {result.shape}"
    )


def expect_numbers(name, answer, count):
    """Say what is wrong with the form of a list of numbers that you worked out, if anything is."""
    given = PaperValue.plain(answer)
    expect_begun(name, given)
    if not isinstance(given, list | tuple):
        raise PaperForm(f"{name} must be a list of numbers: [..., ...]")
    if len(given) > count:
        raise PaperForm(
            f"{name} must contain {count} numbers, but it contains {len(given)}. If you meant a "
            "decimal comma, write a point: Python reads 0,5 as the two numbers 0 and 5"
        )
    if len(given) < count:
        raise PaperForm(f"{name} must contain {count} numbers, but it contains {len(given)}")
    for number in given:
        if not isinstance(number, int | float):
            raise PaperForm(
                f"{name} must contain numbers such as 3 or 2 / 7{without_quotes(number)}"
            )
    # The checks below go on with Python's own numbers, whatever kind the answer has.
    if name in globals() and repr(given) != repr(answer):
        globals()[name] = given


def expect_begun(name, answer):
    """Say that an answer is not yet written if it holds the dots of the release."""
    if PaperValue.is_open(answer):
        raise NotImplementedError(f"{name} is not yet written")


def without_quotes(number):
    """Say what an answer contains in the place of a number, and how to write one in quotes."""
    said = f", but it contains {number!r}"
    if not isinstance(number, str):
        return said
    text = number.strip().replace(",", ".")
    is_one = re.fullmatch(r"[-+]?[\d.]+( ?/ ?[\d.]+)?", text)
    return f"{said}: write {text} without quotes" if is_one else said


def expect_choices(name, answer, **options):
    """Say what is wrong with the form of the letters that you picked, if anything is."""
    if not isinstance(answer, dict):
        example = ", ".join(f'"{key}": "a"' for key in options)
        raise PaperForm(f"{name} must be a dictionary such as {{{example}}}")
    expect_begun(name, answer)
    for key, letters in options.items():
        if key == "guess":
            continue  # it costs nothing, so it may also be missing
        if key not in answer:
            raise PaperForm(f"{name} has no entry {key!r}")
        if answer[key] not in list(letters):
            raise PaperForm(
                f"{name}[{key!r}] must be one of {', '.join(letters)}, but it is "
                f"{answer[key]!r}{letter_meant(answer[key], letters)}"
            )


def letter_meant(typed, letters):
    """Return what to write in the place of what was typed, "" if that is not clear."""
    text = unicodedata.normalize("NFKC", str(typed)).casefold().translate(LOOKALIKES)
    found = re.match(r"\W*([a-h])(\W|$)", text)
    if not found or found[1] not in letters:
        return ""
    odd = [unicodedata.name(letter, "") for letter in str(typed) if letter.isalpha()]
    script = f" (yours is {odd[0]})" if odd and not odd[0].startswith("LATIN") else ""
    return f': write "{found[1]}"{script}'


def call(name, function, *arguments):
    """Call a function; where the shapes of two arrays do not fit, say what that means."""
    try:
        return function(*arguments)
    except (ValueError, RuntimeError) as error:
        sentence = of_product(str(error)) or of_lost_axis(str(error))
        if not sentence:
            raise
        raise AssertionError(f"{name}: {sentence}") from error


def of_product(message):
    """Return what an error says about a matrix product, in words; "" if it is about none."""
    # The widths that met are, in the order of the message: left and right, or right and left.
    for pattern, swap in (
        (r"matmul.*size (\d+) is different from (\d+)", True),
        (r"not aligned: (\d+) \(dim \d+\) != (\d+)", False),
        (r"shapes cannot be multiplied \(\d+x(\d+) and (\d+)x\d+\)", False),
    ):
        if sizes := re.search(pattern, message):
            left, right = sizes.groups()[::-1] if swap else sizes.groups()
            return (
                f"in a matrix product the left factor has {SIDES.get(int(left), left)} columns and "
                f"the right factor {SIDES.get(int(right), right)} rows; the two must be equal. "
                + PERHAPS.get((left, right), PRODUCT)
            )
    return ""


def of_lost_axis(message):
    """Return what an error says about shapes that do not go together; "" if it is about none."""
    shapes = re.search(r"broadcast together with shapes \(([\d,]*)\) \(([\d,]*)\)", message)
    if shapes:
        one, other = (tuple(map(int, re.findall(r"\d+", group))) for group in shapes.groups())
        long, short = sorted((one, other), key=len, reverse=True)
        for axis in range(len(long)):
            if long[:axis] + long[axis + 1 :] == short:
                kept = (*long[:axis], 1, *long[axis + 1 :])
                return (
                    f"the shapes {one} and {other} do not fit. A sum, mean or max over an axis "
                    f"drops this axis; keepdims=True keeps it, and {short} becomes {kept}."
                )
        return f"the shapes {one} and {other} do not fit: NumPy compares the last axes first."
    if re.search(r"size of tensor a \(\d+\) must match the size of tensor b", message):
        return f"{message} Did you forget keepdim=True in a sum, mean or max over an axis?"
    return ""


def checked(check, answer, parts=(), within=0.0):
    """Say that the check of a task passed, and note the answer for the tally.

    Args:
        check: the name of the task, and of its part after a hyphen.
        answer: what stands under this name.
        parts: numbers or letters in the answer that decide; none if the checks have seen all.
        within: how far each number may be from the right one.
    """
    task = check.partition("-")[0]
    cells = globals().get("In", [""])  # what has run here, in JupyterLab and in the page
    # The instructor's own solutions may compute; where nothing is recorded, grading looks.
    is_own = not any(re.search("^#{3} BEGIN S", text, re.MULTILINE) for text in cells)
    if parts and is_own and task in cells[-1]:
        expect_written(task, answer, cells)
    parts = PaperValue.plain(list(parts))
    CHECKED[check] = answer
    FORM_ONLY.discard(check)
    # The id is read by its name in a string: by this a task does not come to depend on it.
    if not parts:
        print(f"{task}: the checks pass.")
    elif globals().get("STUDENT_ID") or task not in DIGESTS:
        FORM_ONLY.add(check)
        print(
            f"{task}: not judged yet. Its form is right; grading shows whether the answer is right."
        )
        if "In" in globals() and task in DIGESTS and is_of_nobody(task, parts, within):
            print(
                "These are the right numbers of a notebook without an id. If you answered before "
                "you typed your id, your numbers have changed: run all cells again and answer "
                "again."
            )
    else:
        told = enumerate(with_digests(task, parts, within), 1)
        wrong = [n for n, (part, far, right) in told if not agrees(task, part, far, right)]
        if not wrong:
            print(f"{task}: right.")
            return
        del CHECKED[check]
        which = f" in part {', '.join(map(str, wrong))}" if len(parts) > 1 else ""
        print(f"{task}: not yet right{which}.")


def with_digests(task, parts, within):
    """Return each part of an answer with how far it may be off and the digest of the right one."""
    return zip(parts, np.broadcast_to(within, len(parts)), DIGESTS[task], strict=True)


def is_of_nobody(task, parts, within):
    """Say whether numbers are right for a notebook without an id; letters may be by chance."""
    if not all(map(PaperValue.is_number, parts)):
        return False
    return all(agrees(task, *told) for told in with_digests(task, parts, within))


def expect_written(task, answer, cells):
    """Say what is wrong if the cells do not write an answer on paper, or write another one."""
    written = Paper.on_paper(task, cells, ran=answer)
    if not PaperValue.same(written, answer):
        raise PaperForm(
            f"{task}: the cell with your answer says {written}, but the notebook has {answer}: "
            "run that cell again, and do not change the answer in another cell"
        )


def failed_check(code, cells, error):
    """Return what a failed check says of the reader's cell, and the error to trace below or None.

    Of a cell that is no check, with this code, it is "" and the error. `cells` are texts by name.
    """
    check = re.search(r'checked\(\s*"(\w+)', code)
    if not check:
        return "", error
    task, below = check[1], error.__cause__ or error
    is_missing = isinstance(error, NameError) and error.name == task
    if is_missing or isinstance(error, NotImplementedError):
        return unwritten(task, cells), None
    where = [f", {name}" for name in own_cells(task, cells)]
    kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
    kind = "not judged yet, because of its form: " if isinstance(error, PaperForm) else kind
    sentence = str(error).removeprefix(f"{task}: ")
    return f"{task}{(where or [''])[-1]}: {kind}{sentence}", None if isinstance(
        below, AssertionError
    ) else below


def own_cells(task, cells):
    """Return the names and texts of the cells that write a task, in their order."""
    own = rf"^(?:def {task}\(|{task} *=)"
    return {name: text for name, text in cells.items() if re.search(own, text, re.MULTILINE)}


def unwritten(task, cells):
    """Return why the answer to a task is missing."""
    stub = f'raise NotImplementedError("{task} is not yet written")'
    own = own_cells(task, cells)
    written = [name for name, text in own.items() if stub not in text]
    if not written:
        return f"{task} is not yet written, or its cell has not run."
    if (last := [*own][-1]) != written[-1]:
        return (
            f"{task} is written in {written[-1]}, but {last} has replaced it, because it still "
            "says `raise NotImplementedError`: write the answer into that cell."
        )
    try:
        PaperText.parsed(own[last])
    except PaperForm as refusal:
        return f"{task}, {last}: {refusal}."
    return f"{task} is not yet written, or its cell has not run."


def show_error(shell, kind, error, trace, tb_offset=None):
    """Show an error in JupyterLab; a check says in a sentence what is wrong, above a traceback."""
    cells = {f"Cell In[{n}]": text for n, text in enumerate(shell.user_ns["In"])}
    sentence, below = failed_check(shell.user_ns["In"][-1], cells, error)
    render = shell.InteractiveTB.structured_traceback
    traced = render(type(below), below, below.__traceback__) if below else []
    shell._showtraceback(kind, error, [sentence] * bool(sentence) + traced)


if "get_ipython" in globals():  # the page asks failed_check itself
    get_ipython().set_custom_exc((Exception,), show_error)


def agrees(task, part, within, right):
    """Say whether a number or some letters have this digest."""
    if isinstance(part, str):
        return digest(task, part) == right
    near = range(-3, 4) if np.isfinite(part) else []
    return any(digest(task, grid(part, within) + step) == right for step in near)


def grid(part, within):
    """Return a number rounded to a quarter of how far it may be off, as a whole number."""
    return round(4 * part / within)


def digest(task, part):
    """Return a slow digest, so that guessing takes longer than thinking. It is no secret."""
    return hashlib.pbkdf2_hmac("sha256", str(part).encode(), task.encode(), 20_000).hex()[:16]


def tally(*checks):
    """Say how many tasks have passed all their checks with the answers that stand there now."""
    task_of = {check: check.partition("-")[0] for check in checks}
    done = {check for check in checks if check in CHECKED}
    now = {check for check in done if CHECKED[check] is globals().get(task_of[check])}
    open_tasks = {task_of[check] for check in checks if check not in now}
    form = {task_of[check] for check in FORM_ONLY & now} - open_tasks
    whole = set(task_of.values())
    more = f", {len(form)} not judged yet" if form else ""
    count = len(whole - open_tasks - form)
    print(f"{count} of {len(whole)} tasks checked{more}; hidden tests judge the rest.")
    if changed := [check for check in checks if check in done - now]:
        print(f"Changed since their check, so check them again: {', '.join(changed)}.")
    if still := [check for check in checks if check not in done]:
        print(f"Not yet checked: {', '.join(still)}.")
