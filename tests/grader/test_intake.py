"""What is taken from a folder or a zip of strangers, and what is not."""

import io
import json
import os
import stat
import struct
import time
import unicodedata
import zipfile

import pytest

from exercises.grader.identity import settle as identity
from exercises.grader.intake import collect as intake, forms, notebook, unpack
from tests.grader import course, exports
from tests.grader.exports import File


def take(root, demo, files, as_zip=False):
    """Return what is found in these files."""
    place = root / ("all.zip" if as_zip else "in")
    source = (exports.zipped if as_zip else exports.unpacked)(place, files)
    return intake.find(source, demo, root / "bank", root / "unpacked")


def write_zip(path, *entries):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return path


def take_zip(root, demo, *entries):
    """Return what is found in a zip with these entries."""
    source = write_zip(root / "all.zip", *entries)
    return intake.find(source, demo, root / "bank", root / "unpacked")


def other(root):
    """Write a second assignment into the bank; return a notebook of it."""
    made = json.loads(json.dumps(course.submission("ann")).replace("softmax", "layer_norm"))
    for cell in made["cells"]:
        marks = cell["metadata"].get("nbgrader")
        if marks:
            marks["grade_id"] = marks["grade_id"].replace("double", "mean").replace("answer", "sum")
    path = root / "bank/05_norm/05_norm.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(made), encoding="utf-8")
    return made


RIGHT = json.dumps(course.submission("ann"))
NAMES = "demo.IPYNB demo.ipynb.txt demo.ipynb.json demo.json demo.txt demo.Ipynb.Json demo(1).json"
DOWNLOADS = {name: name for name in NAMES.split()} | {
    f"{name} in {kind}": kind
    for name in ("demo.ipynb", "demo.json", "inner/demo.ipynb.txt")
    for kind in ("work.zip", "work.ZIP")
}


def packed(kind, name):
    """Return what a student handed in: a notebook or a zip of it."""
    if not kind.casefold().endswith(".zip"):
        return RIGHT.encode()
    with io.BytesIO() as file:
        write_zip(file, (name.partition(" in ")[0], RIGHT), ("plot.png", "PNG"))
        return file.getvalue()


@pytest.mark.parametrize("place", ["ann_901_assignsubmission_file/", "ann_901_77_", "ann/"])
@pytest.mark.parametrize("as_zip", [True, False])
@pytest.mark.parametrize("name", DOWNLOADS)
def test_a_notebook_is_one_whatever_a_download_made_of_its_name(
    tmp_path, demo, name, as_zip, place
):
    kind = DOWNLOADS[name]
    files = [(f"{place}{kind}", packed(kind, name)), (f"{place}notes.txt", b"Hello")]
    files.append((f"{place.replace('ann', 'bob')}demo.ipynb", RIGHT.encode()))
    for path, raw in files:
        (tmp_path / "in" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / path).write_bytes(raw)
    source = write_zip(tmp_path / "all.zip", *files) if as_zip else tmp_path / "in"
    taken = intake.find(source, demo, tmp_path / "bank", tmp_path / "unpacked")
    one, _ = taken.found
    assert (one.submission.problem, one.claimed) == ("", "ann")
    assert notebook.code_cells(notebook.read_bytes(taken.folder, one.submission.inside))
    assert [why for name, why in taken.left if name.endswith("notes.txt")] == ["not a notebook"]


def test_a_zip_in_a_zip_of_a_student_is_not_opened_and_a_broken_one_is_named(tmp_path, demo):
    inner = packed("work.zip", "demo.ipynb")
    with io.BytesIO() as file:
        write_zip(file, ("deep.zip", inner))
        twice = file.getvalue()
    files = [("ann/work.zip", twice), ("ann/cut.zip", inner[:-30]), ("ann/demo.ipynb", RIGHT)]
    left = dict(take_zip(tmp_path, demo, *files).left)
    assert left["ann/work/deep.zip"] == "it is a zip in a zip in a zip"
    assert left["ann/cut.zip"].startswith("it cannot be unpacked")


@pytest.mark.parametrize(
    "form", ["{}_90{}_assignsubmission_file/work.zip", "{}/work.zip", "{}.zip"]
)
@pytest.mark.parametrize("as_zip", [True, False])
@pytest.mark.parametrize("kind", ["empty", "an empty folder", "no zip"])
def test_a_zip_with_nothing_in_it_was_handed_in(tmp_path, demo, kind, as_zip, form):
    with io.BytesIO() as file:
        write_zip(file, *[("work/", "")][: kind == "an empty folder"])
        raw = b"a text" if kind == "no zip" else file.getvalue()
    files = [
        (form.format("ann", 1), raw),
        (form.format("bob", 2), packed("work.zip", "demo.ipynb")),
    ]
    for path, content in files:
        (tmp_path / "in" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / path).write_bytes(content)
    source = write_zip(tmp_path / "all.zip", *files) if as_zip else tmp_path / "in"
    taken = intake.find(source, demo, tmp_path / "bank", tmp_path / "unpacked")
    (one, _), name = taken.found, files[0][0]
    what = "it cannot be unpacked" if kind == "no zip" else "it is a zip without a file in it"
    assert one.submission.problem.startswith(f"there is no notebook of demo; '{name}': {what}")
    assert (
        one.submission.student in ("ann", "ann_901") and "unpacked/" not in one.submission.problem
    )
    assert [why.startswith(what) for left, why in taken.left if left == name] == [True]


def test_a_zip_that_names_nobody_is_no_reason_to_say_that_nothing_was_handed_in(tmp_path, demo):
    moodle = [(f"{file.name}", exports.text_of(file)) for file in exports.moodle()]
    taken = take_zip(tmp_path, demo, *moodle, ("lost.zip", "cut off"))
    assert taken.lost == ["lost.zip"]


def test_an_empty_folder_in_a_zip_was_handed_in_as_one_on_a_disk(tmp_path, demo):
    taken = take_zip(tmp_path, demo, ("bob/", ""), ("ann/demo.ipynb", RIGHT), ("ann/", ""))
    problems = {one.submission.student: one.submission.problem for one in taken.found}
    assert problems == {"ann": "", "bob": "there is no notebook of demo"}


def test_an_anonymous_export_of_canvas_is_refused_or_read_by_the_first_cells(tmp_path, demo):
    files = [File(f"anon_{who}_{n}_04_demo.ipynb", course.submission(f"s-{n}"))
             for n, who in enumerate(("aB3x9", "7Zq1w"))]  # fmt: skip
    with pytest.raises(ValueError, match=r"anonymous export of Canvas.*--form plain --trust-cells"):
        take(tmp_path, demo, files)
    source = exports.unpacked(tmp_path / "in", files)
    taken = intake.find(source, demo, tmp_path / "bank", tmp_path / "unpacked", "plain")
    people = exports.people(tmp_path, "id,name\ns-0,Zoe\ns-1,Jim\n")
    found = identity.settle(taken.found, people, trust=True)
    assert sorted(one.student for one in found) == ["s-0", "s-1"]


@pytest.mark.parametrize("as_zip", [True, False])
def test_a_notebook_of_another_assignment_is_named_as_that(tmp_path, demo, as_zip):
    foreign = other(tmp_path)
    files = [
        File("ann/demo.ipynb", foreign, 9),
        File("bob/demo.ipynb", course.submission("bob")),
        File("bob/norm.ipynb", foreign, 9),
        File("bob/draft.ipynb", course.notebook([]), 9),
    ]
    taken = take(tmp_path, demo, files, as_zip)
    ann, bob = [one.submission for one in taken.found]
    assert "another assignment, 05_norm" in ann.problem
    assert (bob.problem, bob.handed.file) == ("", "demo.ipynb")
    assert dict(taken.left) == {
        "ann/demo.ipynb": "it is the assignment 05_norm",
        "bob/norm.ipynb": "it is the assignment 05_norm",
        "bob/draft.ipynb": "it contains no cell of demo",
    }


@pytest.mark.parametrize("name", ["demo", "demo_exercise", "demo_exercise (1)"])
def test_the_release_may_be_called_so_or_so(tmp_path, demo, name):
    # What is cut off holds no cell that would say whose it is: the name alone does.
    files = [File(f"{who}/{name}.ipynb", "{", 1) for who in ("ann", "bob")]
    files += [File(f"{who}/notes.ipynb", course.notebook([]), 9) for who in ("ann", "bob")]
    taken = take(tmp_path, demo, files)
    assert [one.submission.handed.file for one in taken.found] == [f"{name}.ipynb"] * 2
    only = [file for file in files if "notes" not in file.name]
    taken = take(tmp_path, demo, only, as_zip=True)
    assert [one.submission.student for one in taken.found] == ["ann", "bob"]


def test_the_same_name_in_two_unicode_forms_is_one_student(tmp_path, demo):
    apart = unicodedata.normalize("NFD", "Zoë")
    files = [
        File("Zoë/demo.ipynb", course.submission("Zoë"), 5),
        File(f"{apart}/demo (2).ipynb", course.submission("Zoë"), 7),
        File("Zoë/.ipynb_checkpoints/demo-checkpoint.ipynb", course.submission("Zoë"), 9),
        File("Zoë (1).ipynb", course.submission("Zoë"), 3),
        File("notes.txt", "hello"),
    ]
    taken = take(tmp_path, demo, files)
    (one,) = taken.found
    assert (one.submission.student, one.claimed) == ("Zoë", "Zoë")
    assert one.submission.handed.file == "demo (2).ipynb"
    assert len(taken.left) == 4
    assert ("notes.txt", "not a notebook") in taken.left


@pytest.mark.parametrize("top", ["", "Abgaben/", "a/b/"])
@pytest.mark.parametrize("inner", ["{}/demo.ipynb", "{}.ipynb"])
def test_a_folder_around_all_students_of_a_zip_is_no_student(tmp_path, demo, top, inner):
    names = ["ann", "bob", "eve"]
    files = [File(top + inner.format(name), course.submission(name)) for name in names]
    taken = take(tmp_path, demo, files, as_zip=True)
    assert [one.submission.student for one in taken.found] == names


def test_names_that_lead_out_of_a_zip_are_not_followed(tmp_path, demo):
    text = json.dumps(course.submission("ann"))
    bad = ["../owned.ipynb", "/tmp/owned.ipynb", "a/../../owned.ipynb", "C:\\owned.ipynb"]
    link = zipfile.ZipInfo("eve/demo.ipynb")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    entries = [*((name, text) for name in bad), (link, "/etc/passwd"), ("ann/demo.ipynb", text)]
    taken = take_zip(tmp_path, demo, *entries)
    assert len(os.listdir(tmp_path / "unpacked")) == 1
    assert not list(tmp_path.rglob("owned*"))
    problems = {one.submission.student: one.submission.problem for one in taken.found}
    assert problems.pop("ann") == ""
    assert problems.pop("eve") == "it is a symbolic link"
    assert set(problems.values()) <= {"its path leads out of the zip"}


def test_a_bomb_is_not_unpacked_to_its_end(tmp_path, demo, monkeypatch):
    monkeypatch.setattr(unpack, "FILE_BYTES", 3 * 2**20)
    bomb = bytes(40 * 2**20)
    taken = take_zip(tmp_path, demo, ("ann/demo.ipynb", bomb), ("ann/more.bin", bomb))
    assert "larger than 3 MB" in taken.found[0].submission.problem
    sizes = [path.stat().st_size for path in (tmp_path / "unpacked").iterdir()]
    assert len(sizes) == 1 and sizes[0] <= 3 * 2**20
    monkeypatch.setattr(unpack, "MOST_BYTES", 5 * 2**20)
    entries = [(f"s{n}/demo.ipynb", bytes(2 * 2**20)) for n in range(7)]
    with pytest.raises(ValueError, match="together"):
        take_zip(tmp_path, demo, *entries)
    assert sum(path.stat().st_size for path in (tmp_path / "unpacked").iterdir()) <= 8 * 2**20


def test_a_size_that_a_zip_claims_is_not_believed(tmp_path, demo, monkeypatch):
    monkeypatch.setattr(unpack, "FILE_BYTES", 2**20)
    source = write_zip(tmp_path / "all.zip", ("ann/demo.ipynb", bytes(5 * 2**20)))
    raw = source.read_bytes().replace(struct.pack("<I", 5 * 2**20), struct.pack("<I", 7))
    source.write_bytes(raw)
    taken = intake.find(source, demo, tmp_path / "bank", tmp_path / "unpacked")
    assert taken.found[0].submission.problem


def test_too_many_files_are_refused(tmp_path, demo, monkeypatch):
    entries = [(f"s{n}/demo.ipynb", "x") for n in range(30)]
    monkeypatch.setattr(unpack, "MOST_FILES", 29)
    with pytest.raises(ValueError, match="30 files, more than 29"):
        take_zip(tmp_path, demo, *entries)
    monkeypatch.setattr(unpack, "INDEX_BYTES", 1000)
    with pytest.raises(ValueError, match="lists too many files"):
        take_zip(tmp_path, demo, *entries)


@pytest.mark.parametrize("spoil", ["no zip at all", "half", "version"])
def test_a_spoiled_zip_is_refused(tmp_path, demo, spoil):
    source = write_zip(tmp_path / "all.zip", ("ann/demo.ipynb", "{}"), ("bob/demo.ipynb", "{}"))
    raw = bytearray(source.read_bytes())
    raw[raw.index(b"PK\1\2") + 6] = 200  # the version that unpacks it
    spoiled = {"no zip at all": b"hello", "half": raw[: len(raw) // 2], "version": raw}
    source.write_bytes(spoiled[spoil])
    with pytest.raises(ValueError, match=r"all\.zip cannot be read as a zip"):
        intake.find(source, demo, tmp_path / "bank", tmp_path / "unpacked")


@pytest.mark.parametrize(
    "method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
)
def test_a_spoiled_entry_stops_nothing_but_itself(tmp_path, demo, method):
    source = tmp_path / "all.zip"
    with zipfile.ZipFile(source, "w", method) as archive:
        for name in ("ann", "bob"):
            archive.writestr(f"{name}/demo.ipynb", json.dumps(course.submission(name)))
    raw = bytearray(source.read_bytes())
    raw[200:230] = bytes(30)
    source.write_bytes(raw)
    taken = intake.find(source, demo, tmp_path / "bank", tmp_path / "unpacked")
    ann, bob = [one.submission for one in taken.found]
    assert (ann.problem[:20], bob.problem) == ("it cannot be unpacke", "")
    assert ann.original == "ann/demo.ipynb"


def test_an_entry_without_a_name_stops_nothing(tmp_path, demo):
    text = json.dumps(course.submission("ann"))
    source = write_zip(tmp_path / "all.zip", ("Qx", text), ("ann/demo.ipynb", text))
    source.write_bytes(source.read_bytes().replace(b"Qx", b"\0x"))  # a name ends at a zero
    taken = intake.find(source, demo, tmp_path / "bank", tmp_path / "unpacked")
    assert [one.submission.student for one in taken.found] == ["ann"]
    assert dict(taken.left) == {"": "it has no name"}


def test_an_umlaut_that_a_zip_does_not_declare_is_read(tmp_path, demo):
    text = json.dumps(course.submission("Jörg"))
    source = write_zip(tmp_path / "all.zip", ("Jörg/demo.ipynb", text))
    raw = source.read_bytes()
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        assert archive.infolist()[0].flag_bits & 0x800
    raw = raw.replace(b"PK\x03\x04\x14\x00\x00\x08", b"PK\x03\x04\x14\x00\x00\x00")
    raw = raw.replace(b"PK\x01\x02\x14\x03\x14\x00\x00\x08", b"PK\x01\x02\x14\x03\x14\x00\x00\x00")
    source.write_bytes(raw)
    with zipfile.ZipFile(source) as archive:
        assert not archive.infolist()[0].flag_bits & 0x800
    taken = intake.find(source, demo, tmp_path / "bank", tmp_path / "unpacked")
    assert [one.submission.student for one in taken.found] == ["Jörg"]


@pytest.mark.parametrize("part", ["_1", "1", "a_", "(1", "_1_", "late ", "1a_"])
def test_a_hostile_name_takes_no_time(tmp_path, demo, part):
    # As long as a zip allows; a pattern that tries every way to cut it would run for hours.
    names = [f"{part * (30000 // len(part))}/x{n}.ipynb" for n in range(5)]
    start = time.process_time()
    taken = take_zip(tmp_path, demo, *[(name, "x") for name in names])
    assert time.process_time() - start < 2
    assert "too long" in taken.found[0].submission.problem


def test_no_such_place_is_an_error(tmp_path, demo):
    with pytest.raises(ValueError, match="must be a folder or a zip"):
        intake.find(tmp_path / "none", demo, tmp_path / "bank", tmp_path / "unpacked")


def test_folders_lie_so_deep_and_no_deeper(tmp_path):
    deep = tmp_path / "in" / "/".join(["a"] * unpack.MOST_FOLDERS)
    (deep / "b").mkdir(parents=True)
    (deep / "demo.ipynb").touch()
    _, files = unpack.listed(tmp_path / "in", tmp_path / "unpacked")
    assert [(file.name[-6:], file.problem) for file in files] == [
        *(("a/a/b/", "it is nested too deeply"), (".ipynb", ""))
    ]


def test_a_folder_around_moodles_names_is_none_of_them():
    name = "all of them/Ann Lee_12_assignsubmission_file_/my demo.ipynb"
    (around,) = {forms.layout([name], "moodle", is_zip).around for is_zip in (False, True)}
    made = forms.read(name.removeprefix(around), "moodle")
    assert (made.name, made.number, made.file) == ("Ann Lee", "12", "my demo.ipynb")


MOODLE = "{}_7_assignsubmission_file_/demo.ipynb"
TITLED = ["A_title_of_7/a/Lee_Ann_al_3/x.ipynb", "A_title_of_7/b/Li_Bo_bl_4/x.ipynb"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (
            [MOODLE.format("Ann"), "bob/demo.ipynb"],
            "file_/' has the form of moodle, but 'bob/' does",
        ),
        ([MOODLE.format("Ann"), "lee_4_9_demo.ipynb"], "'lee_4_9_demo.ipynb' does not"),
        (["lee_4_9_demo.ipynb", "bob.ipynb"], "has the form of canvas, but 'bob.ipynb' does not"),
        ([f"all/{MOODLE.format(name)}" for name in "ab"], "'all/' looks like moodle"),
        (
            ["all/ann/demo.ipynb", "all/bob/demo.ipynb"],
            "'all/' may contain a class or be the folder",
        ),
        ([f"group {n}/{MOODLE.format(n)}" for n in (1, 2)], "may be the folder of a student insi"),
        (TITLED, "'Lee_Ann_al_3' may be the folder of a student inside another folder"),
    ],
)
def test_names_that_may_be_of_two_systems_are_refused(tmp_path, demo, names, said):
    files = [File(name, course.submission("ann")) for name in names]
    with pytest.raises(ValueError, match=r"nothing was graded.* --form") as caught:
        take(tmp_path, demo, files)
    assert said in str(caught.value)


def test_what_a_student_calls_a_file_hides_nobody(tmp_path, demo):
    names = ["lee_4_9_a\\b.ipynb", "li_5_8_\\.b.ipynb", "__MACOSX\\lo_6_7_c.ipynb"]
    files = [File(name, course.submission("ann")) for name in names]
    found = take(tmp_path, demo, files, as_zip=True).found
    said = [(one.submission.handed[:3], one.submission.problem) for one in found]
    assert said == [(("canvas", "lee_4", "4"), ""), (("canvas", "li_5", "5"), "a hidden file")]


def test_what_a_person_puts_beside_an_export_changes_nothing():
    names = ["lee_4_9_demo.ipynb", "li_LATE_5_text.html", "roster.csv"]
    assert forms.layout(names) == ("canvas", "")
    assert forms.read(names[1], "canvas")[1:3] == ("li_5", "5")
    assert forms.layout(["Lee_Ann_al_3/inner/demo.ipynb"]) == ("ilias", "")  # a class of one
    with pytest.raises(ValueError, match="--form is ilias, but no folder or file"):
        forms.layout(names, "ilias")


def test_a_link_to_a_notebook_is_not_read(tmp_path, demo):
    course.write(tmp_path / "elsewhere", "bob", course.submission("bob"))
    (tmp_path / "in/ann").mkdir(parents=True)
    (tmp_path / "in/ann/demo.ipynb").symlink_to(tmp_path / "elsewhere/bob/demo.ipynb")
    taken = intake.find(tmp_path / "in", demo, tmp_path / "bank", tmp_path / "unpacked")
    (one,) = taken.found
    assert (one.submission.problem, one.claimed) == (unpack.LINK, "")


def test_a_file_that_is_too_large_is_not_read_either(tmp_path, demo, monkeypatch):
    text = json.dumps(course.submission("bob")) + " " * 2**20
    monkeypatch.setattr(unpack, "FILE_BYTES", 2**20)
    (one,) = take_zip(tmp_path, demo, ("ann/demo.ipynb", text)).found
    assert one.submission.problem == "the file is larger than 1 MB"
    assert one.claimed == ""
