"""What `make bench` measures is one model, and its tables hold what was measured."""

import re
from pathlib import Path

import pytest
import torch

from benchmarks import attention, bench, decoders, marian, operations, rounds, training, works
from book.paths import ROOT
from transformer_lib.nn import Transformer
from transformer_lib.training.loss import batch_loss

pytest.importorskip("transformers")


def test_bodies_take_turns_and_the_first_changes() -> None:
    called: list[str] = []
    bodies = {name: lambda n=name: called.append(n) for name in "abc"}
    times = rounds.interleaved(bodies, rounds=3, warm_up=1)  # type: ignore[arg-type]
    assert "".join(called) == "abc" + "bca" + "cab" + "abc"
    assert {name: len(spent) for name, spent in times.items()} == dict.fromkeys("abc", 3)


def test_a_ratio_compares_what_ran_in_the_same_round() -> None:
    times = {"base": [1.0, 10.0, 2.0], "ours": [3.0, 20.0, 5.0]}
    assert rounds.ratio(times, "ours", "base") == 2.5  # of 3, 2 and 2.5
    assert "| ours | 4000.00 | 5000.00 | 12500.00 | 2.50 |" in rounds.table(times, "base")


def test_all_decoders_give_the_same_logits_and_the_same_continuation() -> None:
    made = decoders.decoders(vocabulary=23, length=17, d=12, heads=3, layers=2)
    same = {name: each for name, each in made.items() if name != "x-transformers"}
    assert same.keys() == {"plain torch", "ours, explicit", "ours, fused", "transformers"}
    ids = torch.tensor([[3, 1, 4], [1, 5, 9]])
    for each in same.values():
        each.model.eval()
    expected = same["plain torch"].greedy(ids, 6)
    assert expected.shape == (2, 9)
    assert torch.equal(same["transformers"].greedy(ids, 6), expected)
    for name in ("ours, explicit", "ours, fused"):
        added = torch.as_tensor([list(tokens) for tokens in same[name].greedy(ids, 6).tokens])
        assert torch.equal(added[:, -6:], expected[:, 3:]), name


def test_a_step_of_training_moves_every_decoder_alike() -> None:
    made = decoders.decoders(vocabulary=23, length=17, d=12, heads=3, layers=2)
    ids = torch.randint(23, (2, 9), generator=torch.Generator().manual_seed(5))
    for each in made.values():
        decoders.step(each, ids)()
    made.pop("x-transformers", None)
    decoders.agree(made, ids)


def test_absent_peers_are_named() -> None:
    assert decoders.absent()["minGPT"] == "it is in no package registry"
    assert "transformers" not in decoders.absent()


def test_the_results_say_what_they_rest_on() -> None:
    text = bench.FILE.read_text(encoding="utf-8")
    assert re.search(r"^- \d{4}-\d\d-\d\d, Python 3\.\d+\.\d+, torch ", text, re.MULTILINE)
    assert "minGPT" in text and "load of the machine" in text
    compiled = "torch.compile, there is no compiler" not in text
    assert text.count("lower quartile, ms") == 15 + compiled
    # Memory, growth and what was missed have tables of their own kind.
    assert text.count("\n## ") == 18 + compiled and "| megabytes |" in text
    assert text.count("| slope |") == 5 and text.count("| submissions | seconds |") == 1


def test_what_was_missed_has_its_profile() -> None:
    text = bench.FILE.read_text(encoding="utf-8")
    missed = text.partition("\n## Targets missed\n")[2]
    assert text.count(" (missed)") == missed.count("| operation |")
    assert ("None." in missed) == ("| operation |" not in missed)


def test_a_target_is_met_at_what_is_printed() -> None:
    work = works.Work("it", "base", {}, targets={"ours": 0.9, "both": 1.0})
    times = {"base": [1.0, 1.0], "ours": [0.904, 0.904], "both": [1.006, 1.006]}
    assert works.missed(work, times) == ["both"]
    assert "ours at most 0.9 (met), both at most 1 (missed)" in works.told(work, times)
    assert works.told(work._replace(targets={}), times) == ""


def test_a_profile_names_the_operation_that_costs_most() -> None:
    x = torch.ones(300, 300)
    text = operations.table("ours", lambda: x @ x @ x, "base", lambda: x @ x)
    first = text.splitlines()[2]
    assert first.startswith("| `aten::mm` | 2 |") and "| 1 |" in first


def test_marian_has_as_many_parameters_and_the_same_loss_of_equal_logits() -> None:
    theirs, ours = marian.model(), Transformer(training.CONFIG)
    trained = sum(p.numel() for p in theirs.parameters() if p.requires_grad)
    assert trained == sum(p.numel() for p in ours.parameters())
    with torch.no_grad():
        for model in (theirs, ours):
            for values in model.parameters():
                values.zero_()
    batch = training.batch_of(3, 8)
    expected = batch_loss(ours, batch)
    torch.testing.assert_close(marian.loss(theirs, batch), expected)


@pytest.mark.parametrize("case", attention.CASES)
def test_what_computes_attention_gives_the_same(case: str) -> None:
    outputs = [body(*attention.inputs(case)) for body in attention.BODIES.values()]
    for output in outputs:
        torch.testing.assert_close(output, outputs[0], rtol=1e-4, atol=1e-5)


def test_the_peers_are_pinned_apart_from_all_else() -> None:
    lines = (ROOT / "requirements" / "peers.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert pins and all("==" in pin for pin in pins)
    locked = Path(ROOT / "requirements" / "lock.txt").read_text(encoding="utf-8").splitlines()
    assert set(pins).isdisjoint(locked)
