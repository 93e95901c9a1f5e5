"""What TransformerLens finds in the published model: it writes transformer_lens.json.

    python -m tests.course.published.transformer_lens_numbers

The numbers are those of transformer-lens 3.0.0, transformers 5.24.0 and torch 2.13.0 in float64.
TransformerLens is no package of this project: call `make real`, and use an environment made by

    python3.11 -m venv /tmp/lens; /tmp/lens/bin/pip install transformer-lens==3.0.0 \
        transformers==5.24.0 torch==2.13.0 gguf==0.19.0 array-api-compat jaxtyping

All numbers are logits of " are" minus " is" at the last token. Of the run of the plural: `lens`
before each layer and after the last; `embedding`, `heads` (layers, heads) and `feed_forwards` as
what each adds; `silent` with the `silent_head` at zero. `patched` (layers, tokens) is of the run
of the singular, its stream after a layer replaced at a token by that of the plural.
"""

import json
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from course.published import fetch
from course.published.model import START

FILE = Path(__file__).with_name("transformer_lens.json")
SILENT = (27, 1)  # layer and head, counted from 1
PAIRS = [
    ("The key to the cabinet", "The keys to the cabinet"),
    ("The picture of the house", "The pictures of the house"),
    ("Last year the key to the cabinet often", "Last year the keys to the cabinet often"),
]


def hooked(theirs: Any) -> Any:
    """Return a model of transformers as a HookedTransformer, its weights as they are."""
    from transformer_lens import HookedTransformer, HookedTransformerConfig
    from transformer_lens.pretrained.weight_conversions import convert_llama_weights

    c, width = theirs.config, theirs.config.hidden_size // theirs.config.num_attention_heads
    size = {"d_model": c.hidden_size, "d_mlp": c.intermediate_size, "d_vocab": c.vocab_size}
    size |= {"n_layers": c.num_hidden_layers, "d_head": width, "n_ctx": 64, "rotary_dim": width}
    size |= {"n_heads": c.num_attention_heads, "n_key_value_heads": c.num_key_value_heads}
    kind = {"act_fn": c.hidden_act, "gated_mlp": True, "eps": c.rms_norm_eps, "final_rms": True}
    kind |= {"normalization_type": "RMS", "positional_embedding_type": "rotary", "device": "cpu"}
    kind |= {"rotary_base": c.rope_parameters["rope_theta"], "dtype": theirs.dtype}
    model = HookedTransformer(HookedTransformerConfig(**size, **kind))
    as_they_are = ("fold_ln", "center_writing_weights", "center_unembed", "fold_value_biases")
    weights = convert_llama_weights(theirs, model.cfg)
    model.load_and_process_state_dict(weights, **dict.fromkeys(as_they_are, False))
    return model.eval()


def inside(model: Any, run: Any, verb: torch.Tensor) -> dict[str, torch.Tensor]:
    """Return the lens, and what each part adds with the scale of the last norm of this run."""
    stream = run.accumulated_resid(-1, incl_mid=False, pos_slice=-1)
    parts = torch.cat([run.stack_head_results(pos_slice=-1), run.decompose_resid(pos_slice=-1)])
    added = run.apply_ln_to_stack(parts, layer=-1, pos_slice=-1)[:, 0] @ (model.ln_final.w * verb)
    layers, heads = model.cfg.n_layers, model.cfg.n_heads
    rest = added[layers * heads :]  # the embedding, and in turn attention and feed-forward
    return {
        "lens": (model.ln_final(stream) @ verb)[:, 0],
        "embedding": rest[0],
        "heads": added[: layers * heads].view(layers, heads),
        "feed_forwards": rest[2::2],
    }


def compared(model: Any, ids: torch.Tensor, tokens: tuple[int, int]) -> dict[str, Any]:
    """Return all numbers of a pair, (2, n)."""
    from transformer_lens import patching

    def more(logits: torch.Tensor) -> torch.Tensor:
        return logits[0, -1, tokens[0]] - logits[0, -1, tokens[1]]

    def silent(z: torch.Tensor, hook: Any) -> torch.Tensor:
        return z.index_fill(2, torch.tensor(SILENT[1] - 1), 0)

    logits, run = model.run_with_cache(ids[1:])
    verb = model.W_U[:, tokens[0]] - model.W_U[:, tokens[1]]
    hook = (f"blocks.{SILENT[0] - 1}.attn.hook_z", silent)
    found = {"difference": torch.stack([more(model(ids[:1])), more(logits)])}
    found |= inside(model, run, verb)
    found["silent"] = more(model.run_with_hooks(ids[1:], fwd_hooks=[hook]))
    grid = {"activation_name": "resid_post", "index_axis_names": ("layer", "pos")}
    grid |= {"patch_setter": patching.layer_pos_patch_setter}
    found["patched"] = patching.generic_activation_patch(model, ids[:1], run, more, **grid)
    return {name: (10**6 * x.double()).round().div(10**6).tolist() for name, x in found.items()}


def main(dtype: torch.dtype = torch.float64, file: Path = FILE) -> None:
    place = {"pretrained_model_name_or_path": fetch.place().parent, "gguf_file": fetch.place().name}
    theirs = AutoModelForCausalLM.from_pretrained(**place, dtype=torch.float32).to(dtype).eval()
    encode, model, found = AutoTokenizer.from_pretrained(**place).encode, hooked(theirs), []
    tokens = tuple(encode(word, add_special_tokens=False)[0] for word in (" are", " is"))
    for pair in PAIRS:
        rows = [encode(START + sentence, add_special_tokens=False) for sentence in pair]
        ids = torch.tensor(rows)
        with torch.no_grad():
            assert (model(ids) - theirs(ids).logits).abs().max() < 1e-4
            found.append({"sentences": pair, "ids": rows, **compared(model, ids, tokens)})
    whole = {"tokens": tokens, "silent_head": SILENT, "pairs": found}
    file.write_text(json.dumps(whole) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
