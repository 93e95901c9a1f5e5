"""Checkpoints on disk: there and back, in shards, and what cannot be saved."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

import transformer_lib as tl
from tests.families.checkpoints import CASES, IDS, copy, logits, make, read, write
from transformer_lib import families, nn
from transformer_lib.training import save_model
from transformer_lib.transfer import TagHead, add_adapters, merge_adapters, with_head

pytestmark = pytest.mark.slow  # transformers alone takes seconds to import
every = pytest.mark.parametrize("name", CASES)


def test_the_families_of_the_notes_and_those_after_them_are_there() -> None:
    of_the_notes = {"openai-gpt", "gpt2", "bert", "roberta", "distilbert", "bloom", "t5", "bart"}
    assert of_the_notes | {"marian", "llama", "mistral"} <= set(families.FAMILIES)
    assert {name.split(",")[0] for name in CASES} == set(families.FAMILIES)


@every
def test_what_is_saved_is_loaded_by_both(
    name: str, folders: dict[str, Path], tmp_path: Path
) -> None:
    """Every tensor that transformers keeps comes back from our file as it was."""
    ours = families.load(folders[name])
    families.save(ours, tmp_path / "ours", name.split(",")[0])
    again = families.load(tmp_path / "ours")
    assert again.config == ours.config
    assert torch.equal(logits(again), logits(ours))
    theirs, kept = read(name, tmp_path / "ours").state_dict(), make(name).state_dict()
    for key, value in kept.items():
        if "position" in key and theirs[key].shape == value.shape:
            used = slice(None) if ours.config.max_length == len(value) else slice(2, None)
            assert torch.equal(theirs[key][used], value[used]), key
        else:
            assert torch.equal(theirs[key], value), key


def test_a_dtype_may_be_asked_for(gpt2: Path, tmp_path: Path) -> None:
    assert families.load(gpt2).embedding.tokens.dtype == torch.float32
    double = families.load(gpt2, dtype=torch.float64)
    assert {value.dtype for value in double.parameters()} == {torch.float64}
    families.save(families.load(gpt2, dtype=torch.bfloat16), tmp_path / "half", "gpt2")
    assert (
        json.loads((tmp_path / "half" / "config.json").read_text(encoding="utf-8"))["dtype"]
        == "bfloat16"
    )
    read("gpt2", tmp_path / "half")
    half = families.load(tmp_path / "half").embedding.tokens
    torch.testing.assert_close(half.double(), double.embedding.tokens, rtol=1e-2, atol=1e-2)


def test_a_bare_model_and_old_names_are_understood(gpt2: Path, tmp_path: Path) -> None:
    """As the first files of GPT-2 on the hub: no prefix, and the causal mask as a tensor."""
    tensors = tl.read_safetensors(gpt2 / "model.safetensors")
    bare = {name.removeprefix("transformer."): x for name, x in tensors.items()}
    bare["h.0.attn.bias"] = np.ones((1, 1, 16, 16), np.float32)
    copy(gpt2, tmp_path, bare)
    assert torch.equal(logits(families.load(tmp_path)), logits(families.load(gpt2)))


def without_head(whole: Path, prefixed: bool, to: Path) -> Any:
    """Keep a checkpoint without its head, and return what transformers reads of it."""
    theirs = transformers.AutoModel.from_pretrained(whole)
    theirs.save_pretrained(to)
    if prefixed:
        tensors = tl.read_safetensors(whole / "model.safetensors")
        of_head = re.compile("cls|lm_head|vocab|final_logits")
        copy(whole, to, {name: x for name, x in tensors.items() if not of_head.match(name)})
    return theirs.eval()


def last_rows(theirs: Any, config: tl.Configuration) -> torch.Tensor:
    two = config.kind == "encoder-decoder"
    given = {"input_ids": IDS.flip(1), "decoder_input_ids": IDS} if two else {"input_ids": IDS}
    rows: torch.Tensor = theirs(**given).last_hidden_state.detach()
    return rows


@every
@pytest.mark.parametrize("prefixed", [False, True], ids=["bare", "prefixed"])
def test_a_model_without_its_head_gives_hidden_rows(
    name: str, prefixed: bool, folders: dict[str, Path], tmp_path: Path
) -> None:
    """As most encoders are published; a head that is tied and nothing more is always there."""
    theirs = without_head(folders[name], prefixed, tmp_path / "base")
    ours = families.load(tmp_path / "base")
    source = IDS.flip(1) if ours.config.kind == "encoder-decoder" else None
    expected = last_rows(theirs, ours.config)
    torch.testing.assert_close(ours.hidden(IDS, source), expected, rtol=1e-5, atol=1e-5)
    if ours.config.headless:
        with pytest.raises(
            ValueError, match=r"has no head, .* `hidden` returns the last hidden states"
        ):
            ours(IDS, source)
        arrays = {n: x.numpy() for n, x in ours.state_dict().items()}
        rows = tl.trace(arrays, ours.config, IDS.numpy())[f"{ours.config.kind}.output"]
        torch.testing.assert_close(torch.from_numpy(rows), expected, rtol=1e-5, atol=1e-5)
        assert with_head(ours, TagHead(ours, 7)).trace(IDS)["logits"].shape == (1, 4, 7)
    else:
        assert ours.config.tied and ours(IDS, source).shape == (1, 4, 23)
    tied = theirs.config.tie_word_embeddings
    assert ours.config.headless == (ours.config.kind == "encoder" or not tied)
    families.save(ours, tmp_path / "ours", name.split(",")[0])
    again = transformers.AutoModel.from_pretrained(tmp_path / "ours").eval()
    torch.testing.assert_close(last_rows(again, ours.config), expected)
    assert families.load(tmp_path / "ours").config == ours.config


def test_an_encoder_of_sentences_is_read(tmp_path: Path) -> None:
    """Six layers, a pooler, no head, and the positions as a tensor: as MiniLM is published."""
    fields = CASES["bert"].fields | {"num_hidden_layers": 6, "pad_token_id": 0}
    theirs = transformers.BertModel(transformers.BertConfig(**fields)).eval()
    theirs.save_pretrained(tmp_path)
    tensors = tl.read_safetensors(tmp_path / "model.safetensors")
    copy(tmp_path, tmp_path, tensors | {"embeddings.position_ids": np.arange(18)[None]})
    ids = torch.tensor([[5, 9, 4, 7, 2], [5, 3, 2, 0, 0]])
    mask = ids != 0
    ours = families.load(tmp_path, attention="fused").hidden(ids)
    rows = theirs(input_ids=ids, attention_mask=mask.long()).last_hidden_state
    one, other = ((x * mask[..., None]).sum(1) / mask.sum(1)[:, None] for x in (ours, rows))
    torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-5)


def test_the_encoder_of_a_t5_alone(tmp_path: Path) -> None:
    theirs = transformers.T5EncoderModel(transformers.T5Config(**CASES["t5"].fields)).eval()
    theirs.save_pretrained(tmp_path / "theirs")
    ours = families.load(tmp_path / "theirs")
    rows = theirs(input_ids=IDS).last_hidden_state
    torch.testing.assert_close(ours.hidden(IDS), rows, rtol=1e-5, atol=1e-5)
    families.save(ours, tmp_path / "ours", "t5")
    again = transformers.T5EncoderModel.from_pretrained(tmp_path / "ours").eval()
    torch.testing.assert_close(again(input_ids=IDS).last_hidden_state, rows)


@pytest.mark.parametrize(
    "name", ["BertForSequenceClassification", "LlamaForSequenceClassification"]
)
def test_a_head_that_sorts_texts_is_left_out_by_name(tmp_path: Path, name: str) -> None:
    kind = getattr(transformers, name)
    theirs = kind(kind.config_class(**CASES[name.split("For")[0].lower()].fields, num_labels=3))
    theirs.eval().save_pretrained(tmp_path)
    with pytest.warns(UserWarning, match=r"head is left out.*(classifier|score)\.weight \(3, "):
        ours = families.load(tmp_path)
    rows = theirs.base_model(input_ids=IDS).last_hidden_state
    torch.testing.assert_close(ours.hidden(IDS), rows, rtol=1e-5, atol=1e-5)


def test_old_names_of_norms_are_understood(tmp_path: Path) -> None:
    first = write("bert", tmp_path / "new")
    tensors = tl.read_safetensors(first / "model.safetensors")
    renamed = {
        name.replace("Norm.weight", "Norm.gamma").replace("Norm.bias", "Norm.beta"): x
        for name, x in tensors.items()
    }
    assert sum("gamma" in name for name in renamed) == 6
    copy(first, tmp_path / "old", renamed)
    assert torch.equal(logits(families.load(tmp_path / "old")), logits(families.load(first)))


def test_a_repeated_tensor_must_be_the_same(gpt2: Path, tmp_path: Path) -> None:
    tensors = tl.read_safetensors(gpt2 / "model.safetensors")
    tied = tensors["transformer.wte.weight"]
    copy(gpt2, tmp_path / "same", tensors | {"lm_head.weight": tied})
    families.load(tmp_path / "same")
    copy(gpt2, tmp_path / "other", tensors | {"lm_head.weight": tied + 1})
    with pytest.raises(ValueError, match=r"lm_head.weight must equal transformer.wte.weight"):
        families.load(tmp_path / "other")


def test_a_t5_of_version_1_1_has_a_head_of_its_own(tmp_path: Path) -> None:
    first = write("t5, gated", tmp_path / "first")
    tensors = tl.read_safetensors(first / "model.safetensors")
    tensors["lm_head.weight"] = tensors["shared.weight"][::-1].copy()
    words = {"tie_word_embeddings": False, "scale_decoder_outputs": False}
    copy(first, tmp_path / "new", tensors, **words)
    ours = families.load(tmp_path / "new")
    assert not ours.config.tied and not ours.config.scale_head
    hf_config = {"tie_word_embeddings": False, "num_heads": 8}  # all that the first files say of it
    assert not families.FAMILIES["t5"].configuration(hf_config, ("lm_head.weight",)).scale_head
    families.save(ours, tmp_path / "saved", "t5")
    for folder in (tmp_path / "new", tmp_path / "saved"):
        theirs = read("t5, gated", folder)
        found = theirs(input_ids=IDS, decoder_input_ids=IDS.flip(1)).logits
        torch.testing.assert_close(found, ours(IDS.flip(1), IDS), rtol=1e-5, atol=1e-5)
    del tensors["lm_head.weight"]
    copy(first, tmp_path / "base", tensors, **words)
    base = families.load(tmp_path / "base")
    assert base.config.headless
    torch.testing.assert_close(base.hidden(IDS, IDS), ours.hidden(IDS, IDS))


def of_theirs(name: str, folder: Path, **fields: Any) -> Any:
    """Write a random model with other fields, and return it."""
    made = CASES[name]
    torch.manual_seed(3)
    model = made.architecture(made.config(**(made.fields | fields))).eval()
    with torch.no_grad():
        for value in model.parameters():
            value.add_(torch.randn_like(value), alpha=0.2)
    model.save_pretrained(folder)
    return model


@pytest.mark.parametrize("name", ["bert", "bert, both heads", "roberta", "distilbert"])
def test_an_encoder_with_a_head_of_its_own(tmp_path: Path, name: str) -> None:
    theirs = of_theirs(name, tmp_path / "theirs", tie_word_embeddings=False)
    found = theirs(input_ids=IDS)
    wanted = found.logits if "logits" in found else found.prediction_logits
    ours = families.load(tmp_path / "theirs")
    assert not ours.config.tied
    torch.testing.assert_close(ours(IDS), wanted, rtol=1e-5, atol=1e-5)
    families.save(ours, tmp_path / "ours", name.split(",")[0])
    again = families.load(tmp_path / "ours")
    assert again.config == ours.config
    torch.testing.assert_close(again(IDS), ours(IDS), rtol=0, atol=0)
    # what a tied model would fill in from the embedding
    assert read(name, tmp_path / "ours").get_output_embeddings().weight.equal(ours.head.W.T)


@pytest.mark.parametrize("buckets", [5, 6, 10, 31, 33])
def test_a_t5_of_other_numbers_of_buckets(tmp_path: Path, buckets: int) -> None:
    fields = {"relative_attention_num_buckets": buckets, "relative_attention_max_distance": 20}
    theirs = of_theirs("t5", tmp_path, **fields)
    ids = torch.arange(40)[None] % 20 + 3
    wanted = theirs(input_ids=ids.flip(1), decoder_input_ids=ids).logits
    torch.testing.assert_close(families.load(tmp_path)(ids, ids.flip(1)), wanted)


LLAMA: dict[str, Any] = dict(
    norm="rms", position="rotary", halves=True, activation="swiglu", bias=False, tied=False
)


def small(**changes: Any) -> nn.Transformer:
    fields: dict[str, Any] = dict(kind="decoder", vocabulary_size=5, d_model=8, heads=2, layers=1)
    gpt = dict(place="pre", position="learned", scale_embedding=False, head_bias=False)
    return nn.Transformer(nn.Configuration(**(fields | gpt | {"d_ff": 9} | changes)))


@pytest.mark.parametrize(
    "message,changes",
    [
        ("gpt2 cannot have place = 'post'", {"place": "post"}),
        ("gpt2 does not have the tensors .*W_gate", {"activation": "swiglu"}),
        ("gpt2 does not have the tensors decoder.relative_positions", {"position": "t5"}),
        ("gpt2 cannot have window = 3", {"window": 3}),
    ],
)
def test_what_a_family_cannot_have_is_not_saved(
    message: str, changes: dict[str, Any], tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=message):
        families.save(small(**changes), tmp_path / "new", "gpt2")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "name,changes",
    [
        ("gpt2", {"head_bias": None}),
        ("llama", LLAMA | {"head_bias": None}),
        (
            "bloom",
            dict(
                position="alibi", embedding_norm=True, activation="gelu_tanh", d_ff=32, max_length=9
            ),
        ),
    ],
)
def test_defaults_that_change_no_number_are_saved(
    name: str, changes: dict[str, Any], tmp_path: Path
) -> None:
    """A dropout of 0.1 and 512 positions are what a configuration has where nothing is said."""
    model = small(**changes).eval()
    families.save(model, tmp_path / "new", name)
    again = families.load(tmp_path / "new")
    torch.testing.assert_close(again(IDS % 5), model(IDS % 5))
    theirs = read(name, tmp_path / "new")(input_ids=IDS % 5)
    torch.testing.assert_close(theirs.logits, model(IDS % 5), rtol=1e-5, atol=1e-5)


def test_an_adapter_is_merged_before_a_model_is_saved(tmp_path: Path) -> None:
    model = small()
    add_adapters(model, rank=1)
    says = r"self_attention.W_Q has an adapter: call merge_adapters\(model\) first"
    with pytest.raises(ValueError, match=says):
        families.save(model, tmp_path / "new", "gpt2")
    with pytest.raises(ValueError, match=says):
        save_model(tmp_path / "kept.safetensors", model)
    assert list(tmp_path.iterdir()) == []
    merge_adapters(model)
    families.save(model, tmp_path / "new", "gpt2")


def test_a_model_of_fewer_layers_is_not_saved_as_whole(tmp_path: Path) -> None:
    model = small(layers=2)
    model.decoder.layers = model.decoder.layers[:1]
    with pytest.raises(ValueError, match=r"model must have decoder.layers.1.* its configuration"):
        families.save(model, tmp_path / "new", "gpt2")


def test_a_folder_in_use_and_an_unknown_family_are_refused(tmp_path: Path) -> None:
    model = small()
    families.save(model, tmp_path / "new", "gpt2")
    with pytest.raises(ValueError, match="folder must be new or empty"):
        families.save(model, tmp_path / "new", "gpt2")
    with pytest.raises(ValueError, match=r"family must be one of .* got 'gpt3'"):
        families.save(model, tmp_path / "other", "gpt3")
