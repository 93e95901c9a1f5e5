"""What a run of real text adds: accumulation, validation, dropout of attention, bfloat16, a log."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.training.small import draw, logged, model_of, settings
from transformer_lib.training import (
    Batch,
    csv_log,
    flops_per_token,
    mean_loss,
    tensorboard_log,
    token_loss,
    train,
)

OTHER = [draw(np.random.default_rng(seed)) for seed in (100, 101)]


def joined(rng: np.random.Generator) -> Batch:
    """Three batches as one, padded to the longest."""
    parts = [draw(rng) for _ in range(3)]
    longest = max(part.ids.shape[1] for part in parts)

    def whole(rows: list[torch.Tensor], filler: int) -> torch.Tensor:
        grown = [torch.nn.functional.pad(x, (0, longest - x.shape[1]), value=filler) for x in rows]
        return torch.cat(grown)

    return Batch(whole([p.ids for p in parts], 0), whole([p.targets for p in parts], -100))


def test_batches_that_add_up_are_one_large_batch() -> None:
    # No biases: the gradient of the keys' is 0 but for rounding, which Adam makes large.
    one, many = (model_of(dropout=0.0, bias=False).double() for _ in range(2))
    a = train(one, joined, settings(steps=8, batch_size=18), progress=False)
    b = train(many, draw, settings(steps=8, accumulate=3), progress=False)
    assert b.losses == pytest.approx(a.losses, abs=1e-12)
    assert b.norms == pytest.approx(a.norms, abs=1e-12)
    assert b.tokens == a.tokens
    for p, q in zip(one.parameters(), many.parameters(), strict=True):
        torch.testing.assert_close(p, q, rtol=1e-9, atol=1e-11)


def test_the_loss_of_batches_counts_tokens_and_not_batches() -> None:
    model = model_of()
    counts = [int((batch.targets >= 0).sum()) for batch in OTHER]
    assert counts[0] != counts[1]
    expected = np.average([mean_loss(model, batch) for batch in OTHER], weights=counts)
    assert token_loss(model, OTHER) == pytest.approx(float(expected), abs=1e-7)
    with pytest.raises(ValueError, match="batches must contain at least one token"):
        token_loss(model, [])


def test_training_ends_early_and_the_model_is_the_best() -> None:
    asked = settings(steps=400, rate=0.3, validate_every=2, patience=3)
    model = model_of(dropout=0.0)
    history = train(model, draw, asked, progress=False, validation=OTHER)
    losses = history.validation_losses
    assert history.steps < 400
    assert losses.index(min(losses)) == len(losses) - 4
    assert history.validation_steps == [2.0 * (i + 1) for i in range(len(losses))]
    assert token_loss(model, OTHER) == min(losses) < losses[-1]


def test_a_run_too_short_to_be_looked_at_keeps_what_it_learned() -> None:
    model = model_of()
    before = mean_loss(model, OTHER[0])
    train(model, draw, settings(patience=1, steps=30), progress=False, validation=OTHER)
    assert mean_loss(model, OTHER[0]) < before


@pytest.mark.parametrize("stop", [3, 7, 11])
def test_all_of_it_resumes_to_the_last_bit(stop: int, tmp_path: Path) -> None:
    options: dict[str, Any] = dict(
        rate=0.1,
        accumulate=2,
        weight_decay=0.1,
        attention_dropout=0.3,
        validate_every=2,
        patience=4,
    )
    whole, parts = model_of(), model_of()
    a = train(whole, draw, settings(steps=14, **options), progress=False, validation=OTHER)
    given: Any = dict(checkpoint=tmp_path / "run.json", progress=False, validation=OTHER)
    train(parts, draw, settings(steps=stop, **options), **given)
    parts = model_of(seed=5)
    b = train(parts, draw, settings(steps=14, **options), **given)
    assert (a.losses, a.validation_losses, a.tokens) == (b.losses, b.validation_losses, b.tokens)
    for p, q in zip(whole.parameters(), parts.parameters(), strict=True):
        assert torch.equal(p, q)
    done = train(parts, draw, settings(steps=5, **options), **given)
    assert done.losses == b.losses, "a run that is over takes no step"


def test_a_falling_rate_does_not_resume_with_another_end(tmp_path: Path) -> None:
    path, options = tmp_path / "run.json", dict(rate=0.1, schedule="cosine", warm_up=2)
    train(model_of(), draw, settings(steps=5, **options), progress=False, checkpoint=path)
    with pytest.raises(ValueError, match="its settings has steps = 5, but this one has 9"):
        train(model_of(), draw, settings(steps=9, **options), progress=False, checkpoint=path)


@pytest.mark.parametrize("attention", ["explicit", "fused"])
def test_attention_drops_out_while_training_alone(attention: str) -> None:
    from transformer_lib import nn

    fields: Any = dict(vocabulary_size=9, d_model=8, heads=2, layers=1, d_ff=12, dropout=0.0)
    model = nn.Transformer(nn.Configuration(kind="decoder", **fields), attention=attention)
    block = model.decoder.layers[0].self_attention
    torch.manual_seed(3)
    # So many rows that the mean of a column strays by hundredths.
    X = torch.randn(4000, 6, 8)
    whole = block(X)
    block.attention_dropout = 0.5
    dropped = block(X)
    assert not torch.allclose(dropped, whole)
    # What is left is made larger, so that the mean stays.
    torch.testing.assert_close(dropped.mean(0), whole.mean(0), atol=0.1, rtol=0)
    assert torch.equal(block.eval()(X), whole)


def test_the_share_is_set_for_the_run_only() -> None:
    model, seen = model_of(dropout=0.0), []
    block = model.decoder.layers[0].self_attention
    block.register_forward_hook(lambda *_: seen.append(block.attention_dropout))
    plain, dropped = (
        train(model_of(dropout=0.0), draw, settings(steps=3, attention_dropout=p), progress=False)
        for p in (0.0, 0.4)
    )
    assert plain.losses != dropped.losses
    train(model, draw, settings(steps=3, attention_dropout=0.4), progress=False)
    assert set(seen) == {0.4} and block.attention_dropout == 0.0


@pytest.mark.parametrize("kind", ["decoder", "lstm"])
def test_bfloat16_learns_nearly_the_same(kind: str) -> None:
    losses = {}
    for precision in ("float32", "bfloat16"):
        model = model_of(kind, **(dict(dropout=0.0) if kind == "decoder" else {}))
        asked = settings(steps=20, rate=0.003, precision=precision)
        losses[precision] = np.array(train(model, draw, asked, progress=False).losses)
        assert {p.dtype for p in model.parameters()} == {torch.float32}
    assert not np.array_equal(losses["float32"], losses["bfloat16"])
    # bfloat16 has eight bits: two to three digits of a product.
    np.testing.assert_allclose(losses["bfloat16"], losses["float32"], rtol=0.01)


def test_the_log_has_a_line_a_step_also_when_resumed(tmp_path: Path) -> None:
    path, options = tmp_path / "log.csv", dict(validate_every=4, checkpoint_every=5)
    given: Any = dict(progress=False, validation=OTHER, checkpoint=tmp_path / "run.json")
    train(model_of(), draw, settings(steps=7, **options), log=csv_log(path), **given)
    with path.open(
        "a", encoding="utf-8"
    ) as file:  # as a run that was killed after its last checkpoint
        file.write("8,1,1,1,,1,1\n9,1,1,1,,1,1\n")
    history = train(model_of(), draw, settings(steps=12, **options), log=csv_log(path), **given)
    lines = logged(path)
    assert [int(line["step"]) for line in lines] == [*range(1, 13)]
    assert [float(line["loss"]) for line in lines] == history.losses
    looked = {int(line["step"]): line["validation_loss"] for line in lines}
    assert [step for step, loss in looked.items() if loss] == [4, 8, 12]
    assert int(lines[-1]["tokens"]) == history.tokens
    assert history.tokens_per_second == history.tokens / history.seconds
    train(model_of(), draw, settings(steps=2), progress=False, log=csv_log(path))
    assert len(logged(path)) == 2


def test_tensorboard_itself_reads_the_curves_of_a_run_that_was_killed(tmp_path: Path) -> None:
    # Imported here because it takes seconds.
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    whole = train(model_of(), draw, settings(steps=9), progress=False)
    first = tensorboard_log(tmp_path)
    for step in range(1, 7):  # those of 5 and 6 were written after the checkpoint
        first({"step": step, "loss": 10.0 * step if step > 4 else whole.losses[step - 1]})
    again = tensorboard_log(tmp_path)
    for step in range(5, 10):
        again({"step": step, "loss": whole.losses[step - 1], "validation_loss": None})
    found = EventAccumulator(str(tmp_path)).Reload()
    assert found.Tags()["scalars"] == ["loss"]
    assert [event.step for event in found.Scalars("loss")] == [*range(1, 10)]
    read = [event.value for event in found.Scalars("loss")]
    np.testing.assert_allclose(read, whole.losses, rtol=1e-6)  # it keeps float32


def test_operations_are_counted_for_each_token() -> None:
    model = torch.nn.Linear(3, 5)
    assert flops_per_token(model, 10) == 6 * 20
    decoder = model_of()  # one layer of width 8
    parameters = sum(p.numel() for p in decoder.parameters())
    assert flops_per_token(decoder, 10) == 6 * parameters + 12 * 8 * 10
