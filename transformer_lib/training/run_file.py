"""The TOML file that describes a run of the command line: the data, the model and the settings."""

import tomllib
from abc import ABC, abstractmethod
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from transformer_lib import moved
from transformer_lib.formulas import checks
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.files import AnyConfiguration
from transformer_lib.model.recurrent import BLOCKS, RecurrentConfiguration
from transformer_lib.training.batches import Batch, DrawBatch
from transformer_lib.training.settings import Settings

SECTIONS = {"text": "transformer_lib.training.real_text", "language": "course.training"}
"""What a run trains on, by its section, with the module whose `read_data` reads that section."""
CHOICES = {"attention": ("explicit", "fused"), "keep": ("float32", "float16")}
Made = TypeVar("Made")


class Data(ABC):
    """The data that a run trains on and is measured on.

    `kinds` are the kinds of models that fit, `sizes` are the fields of a configuration that follow
    from the data, and `digest` identifies the data. `draws` returns the function that `train`
    samples batches with, `looks` returns the validation batches, and `measures` returns the figures
    that are saved with a model.
    """

    @property
    @abstractmethod
    def kinds(self) -> list[str]: ...  # noqa: D102
    @property
    @abstractmethod
    def sizes(self) -> dict[str, int]: ...  # noqa: D102
    @property
    @abstractmethod
    def digest(self) -> str: ...  # noqa: D102
    @abstractmethod
    def draws(self, batch_size: int) -> DrawBatch: ...  # noqa: D102
    @abstractmethod
    def looks(self) -> list[Batch]: ...  # noqa: D102
    @abstractmethod
    def measures(self, model: Any) -> dict[str, float]: ...  # noqa: D102


class Run(NamedTuple):
    """A run: the data, the configuration of the model, and the settings of its training."""

    data: Data
    config: AnyConfiguration
    settings: Settings
    attention: str = "explicit"
    keep: str = "float32"
    seeds: int = 3

    @property
    def language(self) -> Any:
        """The toy language itself, or the text."""
        return getattr(self.data, "language", self.data)


def read_run(path: str | Path) -> Run:
    """Read a run from TOML: [language] or [text], [model] and [training].

    [language] has a `kind`, "agreement", "facts", "gaps" or "translation", and the language's
    arguments. [text] has the fields of a `RealText`; its paths are relative to the run file's
    folder. [model] has the fields of a `Configuration` or of a `RecurrentConfiguration`; the sizes
    of the vocabularies and the padding are those of the language or the text. [training] has the
    fields of `Settings`. It may also choose the `attention` of a Transformer, "explicit" or
    "fused", how to `keep` the trained weights, "float32" or "float16", and for how many `seeds` the
    run is to be measured if its figures are compared.

    Raises:
        FileNotFoundError: the file does not exist.
        ValueError: the file is not valid TOML, or a section or a field of it is missing, unknown or
            out of its range.
    """
    try:
        tables = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is not TOML: {error}") from None
    section = next((name for name in SECTIONS if name in tables), "")
    are_tables = all(isinstance(part, dict) for part in tables.values())
    if set(tables) != {section, "model", "training"} or not are_tables:
        raise ValueError(
            f"{path} must have the sections [language] or [text], [model] and [training], "
            f"got {sorted(tables)}"
        )
    data: Data = moved.module(SECTIONS[section]).read_data(path, dict(tables[section]))
    training = dict(tables["training"])
    choices = {name: training.pop(name, either[0]) for name, either in CHOICES.items()}
    for name, value in choices.items():
        if value not in CHOICES[name]:
            raise ValueError(
                f"{path}, [training]: {name} must be one of {CHOICES[name]}, got {value!r}"
            )
    seeds = training.pop("seeds", Run._field_defaults["seeds"])
    checks.count(1, **{f"{path}, [training]: seeds": seeds})
    settings = made(f"{path}, [training]", Settings, training)
    if settings.batch_size is None:
        raise ValueError(f"{path}, [training]: batch_size must be given")
    config = _config(f"{path}, [model]", dict(tables["model"]), data)
    return Run(data, config, settings, **choices, seeds=seeds)


def _config(where: str, fields: dict[str, Any], data: Data) -> AnyConfiguration:
    kind = fields.get("kind")
    if kind not in data.kinds:
        raise ValueError(
            f"{where}: kind must be one of {data.kinds} for this language, got {kind!r}"
        )
    if kind in BLOCKS:
        return made(where, RecurrentConfiguration, fields | data.sizes)
    return made(where, Configuration, fields | data.sizes)


def made(where: str, make: Callable[..., Made], fields: dict[str, Any]) -> Made:
    """Call `make` on the fields; an error message names the section that they came from."""
    known = list(signature(make).parameters)
    if unknown := [name for name in fields if name not in known]:
        raise ValueError(f"{where}: {unknown[0]} is unknown; it may have {', '.join(known)}")
    try:
        return make(**fields)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{where}: {error}") from None
