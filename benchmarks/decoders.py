"""One decoder as several libraries have it, with the same numbers in it where that can be."""

import importlib.util
import tempfile
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import torch

from benchmarks import training
from benchmarks.plain import from_gpt2
from benchmarks.plain_llama import PlainLlama
from transformer_lib import families, nn

NOT_REGISTERED = {"minGPT": "it is in no package registry"}
PEERS = {"transformers": "transformers", "x-transformers": "x_transformers"}


class Decoder(NamedTuple):
    """A model, its logits and its greedy continuation."""

    model: Any
    logits: Callable[[torch.Tensor], torch.Tensor]
    greedy: Callable[[torch.Tensor, int], Any]


def absent() -> dict[str, str]:
    """Return the peers that are not measured here, with the reason."""
    missing = {n: "not installed" for n, m in PEERS.items() if importlib.util.find_spec(m) is None}
    return NOT_REGISTERED | missing


def decoders(vocabulary: int, length: int, d: int, heads: int, layers: int) -> dict[str, Decoder]:
    """Return every decoder there is, the reference first; all but x-transformers' are one model.

    Raises:
        AssertionError: two of them give other logits.
    """
    import transformers

    transformers.logging.disable_progress_bar()
    given = transformers.GPT2Config(
        vocab_size=vocabulary,
        n_positions=length,
        n_embd=d,
        n_head=heads,
        n_layer=layers,
        **dict.fromkeys(("resid_pdrop", "embd_pdrop", "attn_pdrop"), 0.0),
        **dict.fromkeys(("bos_token_id", "eos_token_id"), None),
    )
    torch.manual_seed(0)
    theirs = transformers.GPT2LMHeadModel(given)
    plain = from_gpt2(theirs)
    explicit, fused = ours(theirs)
    found = {
        "plain torch": Decoder(plain, plain, plain.greedy),
        "ours, explicit": Decoder(explicit, explicit, partial(continued, explicit)),
        "ours, fused": Decoder(fused, fused, partial(continued, fused)),
        "transformers": Decoder(
            theirs, lambda ids: theirs(ids, use_cache=False).logits, partial(generated, theirs)
        ),
    }
    agree(found, torch.randint(vocabulary, (2, 16)))
    if importlib.util.find_spec("x_transformers"):
        found["x-transformers"] = x_decoder(vocabulary, length, d, heads, layers)
    return found


def llamas(
    vocabulary: int, length: int, d: int, heads: int, layers: int
) -> dict[str, Callable[..., Any]]:
    """Return greedy continuations of one LLaMA, of ids and a mask that says which are tokens.

    Plain torch, the first, takes no mask.

    Raises:
        AssertionError: they continue differently.
    """
    import transformers

    torch.manual_seed(0)
    theirs = transformers.LlamaForCausalLM(
        transformers.LlamaConfig(
            vocab_size=vocabulary,
            max_position_embeddings=length,
            hidden_size=d,
            intermediate_size=3 * d,
            num_attention_heads=heads,
            num_key_value_heads=heads // 4,
            num_hidden_layers=layers,
            **dict.fromkeys(("bos_token_id", "eos_token_id", "pad_token_id"), None),
        )
    ).eval()
    _, fused = ours(theirs)
    plain = PlainLlama(theirs)
    found = {"transformers": partial(generated, theirs), "ours, fused": partial(continued, fused)}
    ids, mask = torch.randint(vocabulary, (2, 8)), torch.ones(2, 8, dtype=torch.bool)
    assert torch.equal(plain.greedy(ids, 8), found["transformers"](ids, 8, mask))
    mask[0, :3] = False
    expected, other = (greedy(ids, 8, mask) for greedy in found.values())
    assert [tuple(row) for row in expected[:, 8:].tolist()] == list(other.tokens)
    return {"plain torch": plain.greedy} | found


def ours(theirs: Any) -> list[nn.Transformer]:
    """Return the same model as ours, with explicit and with fused attention."""
    with tempfile.TemporaryDirectory() as folder:
        theirs.save_pretrained(folder)
        return [families.load(folder, attention=kind) for kind in ("explicit", "fused")]


def continued(
    model: nn.Transformer, ids: torch.Tensor, count: int, mask: torch.Tensor | None = None
) -> Any:
    """Return what ours adds to the ids."""
    return nn.generate(model, ids, max_new_tokens=count, mask=mask)


def generated(
    model: Any, ids: torch.Tensor, count: int, mask: torch.Tensor | None = None
) -> torch.Tensor:
    """Return what a model of transformers makes of the ids, with nothing to stop it."""
    mask = torch.ones_like(ids) if mask is None else mask.long()
    options = {"max_new_tokens": count, "do_sample": False, "pad_token_id": 0, "eos_token_id": None}
    made: torch.Tensor = model.generate(ids, attention_mask=mask, **options)
    return made


def x_decoder(vocabulary: int, length: int, d: int, heads: int, layers: int) -> Decoder:
    """Return the decoder of x-transformers of the same sizes, with its own initial numbers."""
    from x_transformers import AutoregressiveWrapper, Decoder as Layers, TransformerWrapper

    body = Layers(dim=d, depth=layers, heads=heads, attn_dim_head=d // heads, attn_flash=True)
    model = TransformerWrapper(
        num_tokens=vocabulary, max_seq_len=length, attn_layers=body, tie_embedding=True
    )
    wrapped = AutoregressiveWrapper(model)
    return Decoder(model, model, partial(x_generated, wrapped))


def x_generated(model: Any, ids: torch.Tensor, count: int) -> torch.Tensor:
    """Return what x-transformers makes of the ids, greedily and with its cache."""
    made: torch.Tensor = model.generate(ids, count, temperature=0.0, cache_kv=True)
    return made


def agree(found: dict[str, Decoder], ids: torch.Tensor) -> None:
    """Raise AssertionError where logits differ."""
    with torch.no_grad():
        expected, *others = (each.logits(ids) for each in found.values())
    for other in others:
        torch.testing.assert_close(other, expected, rtol=1e-4, atol=1e-4)


def step(decoder: Decoder, ids: torch.Tensor) -> Callable[[], None]:
    """Return a step of training on the tokens that follow."""
    decoder.model.train()
    return training.step(decoder.model, partial(training.next_loss, decoder.logits, ids))
