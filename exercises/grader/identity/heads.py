"""Find the columns of a roster, whatever the system that wrote it calls them.

The heads of Canvas are those of its `lib/gradebook_exporter.rb`, those of ILIAS of its
`class.ilMemberExport.php`; both write a column that no student knows beside the id of the course.
"""

from collections.abc import Mapping, Sequence

from exercises.grader.intake import tables

IDS = (
    "id",
    "student id",
    "student_id",
    "studentid",
    "student number",
    "id number",  # of Moodle
    "idnumber",
    "id-nummer",
    "matrikelnummer",  # of ILIAS, and of German universities
    "matrikelnr",
    "matrikelnr.",
    "matrikel-nr.",
    "matriculation number",
    "matriculation",
    "roster_identifier",  # of GitHub Classroom, in its table of grades
)
OTHERS = {  # what a roster of our own calls a column: what the systems call it
    "name": ("full name", "vollständiger name", "student"),
    "firstname": ("first name", "vorname"),
    "lastname": ("last name", "surname", "nachname"),
    "email": ("email address", "e-mail address", "e-mail-adresse", "e-mail"),
    "login": ("sis login id", "username", "anmeldename", "benutzername", "github_username"),
    "moodle": (),
    "canvas": (),
    "ilias": ("usr_id",),
    "group": (),
}
TEST_STUDENT = "student, test"  # whom Canvas shows a teacher as a student


def meaning(heads: Sequence[str]) -> dict[str, str]:
    """Return the head of each column that a roster of ours has, by what ours calls it.

    Raises:
        ValueError: several columns may be the id, or two have the same head.
    """
    names = [tables.folded(head) for head in heads]
    found = {"id": _id(heads, names)} | _numbers(names)
    for ours, theirs in OTHERS.items():
        if there := next((one for one in (ours, *theirs) if one in names), ""):
            found.setdefault(ours, there)
            _check_twice(names, there)
    return {ours: there for ours, there in found.items() if there}


def _numbers(names: Sequence[str]) -> dict[str, str]:
    """Return the column with the number by which a system knows a student."""
    if _is_canvas(names) and "id" in names:
        return {"canvas": "id"}
    if tables.is_german_moodle(names):
        return {"moodle": "id"}
    is_worksheet = "identifier" in names and "github_username" not in names
    return {"moodle": "identifier"} if is_worksheet else {}


def _id(heads: Sequence[str], names: Sequence[str]) -> str:
    ids, taken = [*IDS], set(_numbers(names).values())
    if "canvas" not in names:  # beside the id of our own roster it is one name more
        ids.append("sis user id")
    if "github_username" in names:
        ids.append("identifier")
    if _is_canvas(names) and "sis user id" not in names:
        taken = set()  # whoever exported it may not see another one
    places = [n for n, name in enumerate(names) if name in ids and name not in taken]
    if len(places) > 1:
        said = " and ".join(repr(heads[n]) for n in places)
        raise ValueError(f"the columns {said} may both be the id: rename all of them but one")
    return names[places[0]] if places else ""


def _is_canvas(names: Sequence[str]) -> bool:
    is_sis = "sis login id" in names or ("sis user id" in names and "student" in names)
    return is_sis and "canvas" not in names


def _check_twice(names: Sequence[str], name: str) -> None:
    if names.count(name) > 1:
        raise ValueError(f"{names.count(name)} columns are called {name!r}: rename all but one")


def is_student(columns: Mapping[str, str]) -> bool:
    """Return whether a row is a student, which the rows below the head of Canvas are not."""
    if not _is_canvas([name for name in columns if name != "canvas"]):
        return True
    apart = f"{columns.get('lastname', '')}, {columns.get('firstname', '')}".strip(", ")
    who = tables.folded(columns.get("student") or apart)
    is_known = any(columns.get(name) for name in ("id", "canvas", "login"))
    return who != TEST_STUDENT and (is_known or who not in ("", "points possible"))
