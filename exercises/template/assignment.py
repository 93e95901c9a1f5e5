# %%
# Write the student id between the quotes under which your course lists you,
# not your name or e-mail address. If you are in no course, leave them empty.
STUDENT_ID = ""

# %% [markdown]
# # TITLE
#
# These are five small tasks, one of each kind. They take about 30 minutes and bring 12 points.
#
# - Enter your id in the cell above. Then replace each `raise NotImplementedError` with your answer
#   to the task.
# - Each answer is followed by a check. Run it as often as you like. If it fails, its first line
#   says what is wrong and in which cell.
# - The tasks do not depend on each other. If you are stuck, open a hint, or continue with another
#   task.
# - Grading runs these checks and additional hidden tests.

# %% given helpers
# %run -i ../helpers.py
# %run -i ../paper.py

# %% [markdown]
# ## Task 1: the mean of each row
#
# *4 points, about 8 minutes*
#
# Write `row_means(X)`.
#
# - `X`: an array of numbers, shape `(n, d)`.
# - It returns the mean of each row, shape `(n,)`. If there are no columns, `d = 0`, each mean is 0.


# %% solution row_means implement
def row_means(X):
    """Return the mean of each row of X (n, d)."""
    ### BEGIN SOLUTION
    return X.sum(axis=1) / max(X.shape[1], 1)
    ### END SOLUTION


# %% example row_means
# The means of 1 and 3, and of 10 and 30.
row_means(np.array([[1.0, 3.0], [10.0, 30.0]]))  # array([ 2., 20.])

# %% [markdown]
# <details><summary>Hint 1: along which axis</summary>
#
# Rows are the first axis. A sum over `axis=1` runs along each row.
#
# </details>
#
# <details><summary>Hint 2: no columns</summary>
#
# A sum of no numbers is 0, but `0 / 0` is not a number. By what can you divide instead?
#
# </details>

# %% check row_means means 3 points
mean_found = row_means(np.array([[1.0, 2.0, 6.0], [0.0, 0.0, 3.0]]))
expect("row_means", mean_found, (2,))
assert np.allclose(mean_found, [3, 1]), f"the means are 3 and 1, but yours are {mean_found}"
### BEGIN HIDDEN TESTS
mean_rng = np.random.default_rng(globals().get("SEED", 1))
for mean_shape in ((1, 4), (5, 2), (3, 7)):
    mean_X = mean_rng.normal(size=mean_shape)
    mean_wanted = np.array([sum(row) / len(row) for row in mean_X])
    mean_found = row_means(mean_X)
    expect("row_means", mean_found, mean_shape[:1])
    assert np.allclose(mean_found, mean_wanted), "the means of other numbers are wrong"
### END HIDDEN TESTS
checked("row_means", row_means)

# %% check row_means no-columns 1 point
with np.errstate(all="ignore"):
    mean_empty = row_means(np.zeros((2, 0)))
expect("row_means", mean_empty, (2,))
assert np.array_equal(mean_empty, [0, 0]), "without columns each mean must be 0"
### BEGIN HIDDEN TESTS
with np.errstate(all="ignore"):
    mean_empty = row_means(np.zeros((5, 0)))
assert np.array_equal(mean_empty, np.zeros(5)), "with another number of rows a mean is not 0"
### END HIDDEN TESTS
checked("row_means", row_means)

# %% [markdown]
# ## Task 2: a dot product by hand
#
# *2 points, about 5 minutes, no calculator*
#
# The cell below draws two vectors from your id. Write down their dot product, and then the squared
# length of the first.

# %% given hand_dot-numbers
hand_rng = draw_for("hand_dot")
hand_u, hand_v = (hand_rng.integers(2, 10, size=3) for _ in range(2))
print("Your vectors: u =", hand_u.tolist(), "and v =", hand_v.tolist())

# %% solution hand_dot by-hand
# Write the dot product and the squared length. You may write a sum such as 2 * 3 + 4 * 5.
# hand_dot = [..., ...]
### BEGIN SOLUTION
hand_dot = [int(hand_u @ hand_v), int(hand_u @ hand_u)]
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: number by number</summary>
#
# Multiply the first numbers of both vectors, then the second ones, then the third ones. Add the
# products.
#
# </details>

# %% check hand_dot 2 points
expect_numbers("hand_dot", hand_dot, 2)
### BEGIN HIDDEN TESTS
hand_products = [a * b for a, b in zip(hand_u, hand_v, strict=True)]
assert hand_dot[0] == sum(hand_products), "this is not the dot product of u and v"
assert hand_dot[1] == sum(a * a for a in hand_u), (
    "the squared length is the dot product of u with itself"
)
### END HIDDEN TESTS
checked("hand_dot", hand_dot, hand_dot)

# %% [markdown]
# ## Task 3: twice as large
#
# *2 points, about 5 minutes*
#
# Every number of a vector is doubled. What happens to its length? First guess. Then run the two
# cells below and choose an explanation. The points are for the explanation, so a wrong guess costs
# nothing.
#
# Guess:
#
# - a: it doubles
# - b: it becomes four times as large
#
# Explanation: choose one of the three that the first of the two cells prints. Their order, and
# therefore their letters, depend on your id.

# %% given prediction-choices
prediction_letters = deal(
    "prediction of TITLE",
    "each square becomes twice as large, and so does their sum",
    "each square becomes four times as large, and the root of 4 is 2",
    "a sum with more terms is larger",
)

# %% example prediction
doubled = np.array([3.0, 4.0])
print(np.linalg.norm(doubled), np.linalg.norm(2 * doubled))

# %% solution prediction prediction
# prediction = {"guess": "...", "because": "..."}
### BEGIN SOLUTION
prediction = {"guess": "a", "because": prediction_letters[1]}
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: one number</summary>
#
# What is the square of twice a number?
#
# </details>

# %% check prediction 2 points
expect_choices("prediction", prediction, guess="ab", because="abc")
### BEGIN HIDDEN TESTS
assert prediction["because"] == prediction_letters[1], (
    "this explanation is not right: what is the square of 2 x?"
)
### END HIDDEN TESTS
checked("prediction", prediction, prediction["because"])

# %% [markdown]
# ## Task 4: a bug that square arrays hide
#
# *2 points, about 7 minutes*
#
# The function below should subtract from each row its mean. Run it with a square array and with an
# array of shape `(2, 3)`, find the error, and write the corrected function `mended_center(X)`.
#
# - `X`: shape `(n, d)`, with at least one column.
# - It returns an array of the same shape in which each row has the mean 0.


# %% given broken_center
def broken_center(X):
    return X - X.mean(axis=1)


# %% solution mended_center bug
def mended_center(X):
    """Subtract from each row of X (n, d) its mean."""
    ### BEGIN SOLUTION
    return X - X.mean(axis=1, keepdims=True)
    ### END SOLUTION


# %% [markdown]
# <details><summary>Hint 1: shapes</summary>
#
# The means have the shape `(n,)`. With which axis of `X` does NumPy align them?
#
# </details>

# %% check mended_center 2 points
center_found = mended_center(np.array([[1.0, 3.0], [10.0, 30.0]]))
expect("mended_center", center_found, (2, 2))
assert np.allclose(center_found, [[-1, 1], [-10, 10]]), (
    "subtract from each row its own mean, here 2 and 20"
)
### BEGIN HIDDEN TESTS
center_rng = np.random.default_rng(globals().get("SEED", 2))
for center_shape in ((2, 3), (4, 1), (3, 3)):
    center_X = center_rng.normal(size=center_shape)
    center_wanted = np.array([row - sum(row) / len(row) for row in center_X])
    center_found = mended_center(center_X)
    expect("mended_center", center_found, center_shape)
    assert np.allclose(center_found, center_wanted), "the result for other shapes is wrong"
### END HIDDEN TESTS
checked("mended_center", mended_center)

# %% [markdown]
# ## Task 5: find the error
#
# *2 points, about 5 minutes*
#
# A student writes: "The vectors $(1, 2)$ and $(2, -1)$ have the dot product
# $1 \cdot 2 + 2 \cdot 1 = 4$. It is not 0, so they are not at a right angle."
#
# Where is the error? Answer under `where`.
#
# Which statement about the angle is true? Answer under `angle`.
#
# The cell below prints the choices. Their order, and therefore their letters, depend on your id.

# %% given slip-choices
slip_letters = deal_each(
    "slip of TITLE",
    where=["in the dot product", "in the conclusion from it", "there is no error"],
    angle=["the angle is right", "the angle is not right"],
)

# %% solution slip slip
# slip = {"where": "...", "angle": "..."}
### BEGIN SOLUTION
slip = {"where": slip_letters["where"][0], "angle": slip_letters["angle"][0]}
### END SOLUTION

# %% [markdown]
# <details><summary>Hint 1: signs</summary>
#
# Write the two products down with their signs.
#
# </details>

# %% check slip 2 points
expect_choices("slip", slip, where="abc", angle="ab")
### BEGIN HIDDEN TESTS
assert slip["where"] == slip_letters["where"][0], (
    "this is not the error: compute both products with their signs"
)
assert slip["angle"] == slip_letters["angle"][0], "the right dot product is 0"
### END HIDDEN TESTS
checked("slip", slip, slip["where"] + slip["angle"])
