"""--write and --check: what is stored is what is recomputed, and nothing typed is lost."""

import pytest

from course import ledger

SMALL = """# about this file

# one half
[[numbers]]
id = "000.half"
note = "000"
chapter = "04_attention"
where = "half of one"
printed = ["0.5", "0.5"]   # two cells
inputs = {scaled = [
  "0", "0",
]}
compute = "attention.softmax"
verdict = "disagrees"

# what follows it
[[numbers]]
id = "000.next"
note = "000"
chapter = "04_attention"
where = "the next step"
printed = ["0.2"]
inputs = {weights = ["0.3", "0.5"], V = [["1"], ["0"]]}
after = {weights = "000.half"}
compute = "attention.output"

# a sentence
[[statements]]
id = "000-01"
note = "000"
chapter = "04_attention"
where = "a sentence"
problem = "loose"
correct = "this"
source = "derivation"
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SMALL, encoding="utf-8")
    return path


def test_step_and_chain_are_written_with_both_verdicts(file):
    assert ledger.write(file) == 2
    half, following = ledger.load(file).numbers.values()
    assert (half.step, half.verdict, half.chain_verdict) == ([0.5, 0.5], "agrees", "agrees")
    assert (following.step, following.chain) == ([0.3], [0.5])
    assert (following.verdict, following.chain_verdict) == ("disagrees", "disagrees")


def test_writing_keeps_every_typed_line_and_is_stable(file):
    ledger.write(file)
    once = file.read_text(encoding="utf-8")
    typed = [line for line in SMALL.splitlines() if not line.startswith("verdict")]
    assert [line for line in once.splitlines() if line in typed] == typed
    assert once.index("# what follows it") > once.index('chain_verdict = "agrees"')
    ledger.write(file)
    assert file.read_text(encoding="utf-8") == once


def test_the_chain_uses_unrounded_values(file):
    text = SMALL.replace('"0", "0",', '"0", "1",').replace('["0.2"]', '["0.2689414214"]')
    file.write_text(text, encoding="utf-8")
    ledger.write(file)
    assert ledger.load(file).numbers["000.next"].chain_verdict == "agrees"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('id = "000.next"', 'id = "000.half"', "two entries"),
        ('where = "the next step"', "", "too few"),
        ('where = "the next step"', 'wehre = "x"\nwhere = "y"', "wehre"),
        ('chapter = "04_attention"', 'chapter = "4"', "which does not exist"),
        ("attention.softmax", "attention.softmaks", "must name a function"),
        ("attention.softmax", "nothing.softmax", "must name a function"),
        ('after = {weights = "000.half"}', 'after = {weights = "000.h"}', "no entry"),
        ('after = {weights = "000.half"}', 'after = {weights = "000.next"}', "back to itself"),
    ],
)
def test_an_entry_that_is_malformed_or_points_nowhere_is_refused(file, old, new, message):
    file.write_text(SMALL.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        ledger.write(file)
