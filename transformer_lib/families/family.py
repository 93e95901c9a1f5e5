"""A family: the configuration of its models, in its keys and in ours, and its table of names."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from transformer_lib.families.keys import refuse_unknown, spelled
from transformer_lib.families.table import Table, only
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import parameter_shapes

HfConfig = Mapping[str, Any]
ACTIVATIONS = {
    "relu": "relu",
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "silu": "silu",
    "swish": "silu",
}
HEADLESS: dict[str, Any] = {
    "headless": True,
    "tied": True,
    "head_transform": False,
    "head_bias": False,
}


def nothing(*_: Any) -> dict[str, Any]:
    """Return no further fields."""
    return {}


@dataclass(frozen=True, kw_only=True)
class Family:
    """A published family of models.

    Args:
        name: the `model_type` of the family in config.json.
        architecture: the class of `transformers` that reads what `save` writes.
        fixed: the fields of `Configuration` that all models of the family share.
        fields: the fields that differ, by our name: the key of config.json and its default.
        supported: keys of config.json with the values that we can compute; others are rejected.
        aliases: other spellings of keys, as `attribute_map` in `transformers`.
        others: further keys of config.json that `read` takes, or that change nothing here.
        table: a function from a configuration to the table of names.
        read: a function from config.json and the names of the tensors to further fields of ours.
        write: a function from a configuration to further keys of config.json.
        prefix: the start of each name in a whole model, which a model without its head leaves out.
        renamed: old endings of names, and the endings that replace them.
        copies: tensors that repeat another tensor to which they are tied, with its name.
        unused: patterns of names that no model reads, such as masks that were saved as tensors.
    """

    name: str
    architecture: str
    fixed: HfConfig
    fields: Mapping[str, tuple[str, Any]]
    supported: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    others: tuple[str, ...] = ()
    table: Callable[[Configuration], Table]
    read: Callable[[HfConfig, Collection[str]], dict[str, Any]] = nothing
    write: Callable[[Configuration], dict[str, Any]] = nothing
    prefix: str = ""
    renamed: Mapping[str, str] = field(default_factory=dict)
    copies: Mapping[str, str] = field(default_factory=dict)
    unused: tuple[str, ...] = ()

    def configuration(self, hf_config: HfConfig, names: Collection[str]) -> Configuration:
        """Return the configuration that config.json gives for a checkpoint with these names.

        Raises:
            ValueError: config.json asks for an unsupported or unknown feature, gives two values for
                a key, or gives a field that is out of its range.
        """
        hf_config = spelled(hf_config, self.aliases)
        keys = {key for key, _ in self.fields.values()} | self.supported.keys() | {*self.others}
        refuse_unknown(self.name, hf_config, keys)
        for key, known in self.supported.items():
            if key in hf_config and hf_config[key] not in known:
                allowed = " or ".join(map(repr, known))
                raise ValueError(
                    f"config.json asks for {key} = {hf_config[key]!r}, which is not supported "
                    f"for {self.name}: it must be {allowed}"
                )
        found = {ours: hf_config.get(key, default) for ours, (key, default) in self.fields.items()}
        found |= self.read(hf_config, names)
        if "activation" in self.fields:
            found["activation"] = _activation(self.fields["activation"][0], found["activation"])
        try:
            return Configuration(**{**self.fixed, **found})
        except (TypeError, ValueError) as error:
            raise ValueError(f"config.json does not describe a model: {error}") from None

    def of_checkpoint(self, hf_config: HfConfig, names: Collection[str]) -> Configuration:
        """Return `configuration`, without a head if no tensor has the name of one.

        A tied head without parameters of its own is in each checkpoint. The number of attention
        heads must be in config.json, because it does not follow from any shape.

        Raises:
            ValueError: config.json does not give the number of heads, or as `configuration`.
        """
        heads, _ = self.fields["heads"]
        if spelled(hf_config, self.aliases).get(heads) is None:
            raise ValueError(f"config.json must give {heads}, the number of heads")
        config = self.configuration(hf_config, names)
        head = [name for name, x in self.names(config).items() if x.ours[0].startswith("head.")]
        if not head or not set(head).isdisjoint(names):
            return config
        return replace(config, **HEADLESS)

    def hf_config(self, config: Configuration) -> dict[str, Any]:
        """Return the contents of config.json for a configuration."""
        found = {key: getattr(config, ours) for ours, (key, _) in self.fields.items()}
        if "activation" in self.fields:
            theirs = {ours: name for name, ours in reversed(ACTIVATIONS.items())}
            key = self.fields["activation"][0]
            found[key] = theirs.get(config.activation, config.activation)
        found = {"model_type": self.name, "architectures": [self.architecture]} | found
        found |= self.write(config)
        if config.headless:
            found["architectures"] = [
                re.sub(r"For\w+|LMHeadModel", "Model", name) for name in found["architectures"]
            ]
            found |= (
                {} if "tie_word_embeddings" in self.supported else {"tie_word_embeddings": False}
            )
        return found

    def names(self, config: Configuration) -> Table:
        """Return the table of a model: each tensor of its checkpoint, with our parameters in it.

        Raises:
            ValueError: no tensor in a checkpoint of this family can contain one of the parameters.
        """
        ours = parameter_shapes(config)
        table = only(self.table(config), ours)
        homeless = set(ours) - {name for entry in table.values() for name in entry.ours}
        if homeless:
            raise ValueError(f"{self.name} does not have the tensors {', '.join(sorted(homeless))}")
        return table


def _activation(key: str, name: Any) -> str:
    if name not in ACTIVATIONS:
        known = ", ".join(ACTIVATIONS)
        raise ValueError(
            f"config.json asks for {key} = {name!r}, which is not supported: "
            f"it must be one of {known}"
        )
    return ACTIVATIONS[name]
