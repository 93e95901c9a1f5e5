"""The TOML file that says what a run of the command line trains, on what and how."""

import tomllib
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from transformer_lib.formulas import checks
from transformer_lib.languages import (
    AgreementLanguage,
    FactLanguage,
    GapLanguage,
    TranslationLanguage,
)
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.files import AnyConfiguration
from transformer_lib.model.recurrent import BLOCKS, RecurrentConfiguration
from transformer_lib.training.data import Language
from transformer_lib.training.real_text import RealText
from transformer_lib.training.settings import Settings

LANGUAGES: dict[str, Any] = {
    "agreement": AgreementLanguage,
    "facts": FactLanguage,
    "gaps": GapLanguage,
    "translation": TranslationLanguage,
}
SECTIONS = ({"language", "model", "training"}, {"text", "model", "training"})
FILES = ("path", "tokenizer")
CHOICES = {"attention": ("explicit", "fused"), "keep": ("float32", "float16")}
Made = TypeVar("Made")


class Run(NamedTuple):
    """What is trained, on what and how."""

    language: Language | RealText
    config: AnyConfiguration
    settings: Settings
    attention: str = "explicit"
    keep: str = "float32"
    seeds: int = 3


def read_run(path: str | Path) -> Run:
    """Read a run from TOML: [language] or [text], [model] and [training].

    [language] has a `kind`, "agreement", "facts", "gaps" or "translation", and the language's
    arguments. [text] has the fields of a `RealText`; its files are looked for beside the run file.
    [model] has the fields of a `Configuration`, or those of a `RecurrentConfiguration`; the sizes
    of the vocabularies and the padding are those of the language or the text. [training] has the
    fields of `Settings`, and may choose the `attention` of a Transformer, "explicit" or "fused",
    and how the weights are kept once they are trained, `keep`, "float32" or "float16". It may also
    say for how many `seeds` the run is to be measured, where its figures are compared.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is no TOML, or a section or a field of it is missing, unknown or out of
            its range.
    """
    try:
        told = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is not TOML: {error}") from None
    if set(told) not in SECTIONS or not all(isinstance(part, dict) for part in told.values()):
        raise ValueError(
            f"{path} must have the sections [language] or [text], [model] and [training], "
            f"got {sorted(told)}"
        )
    source = _text if "text" in told else _language
    language = source(path, dict(told.get("text") or told.get("language") or {}))
    training = dict(told["training"])
    choices = {name: training.pop(name, either[0]) for name, either in CHOICES.items()}
    for name, value in choices.items():
        if value not in CHOICES[name]:
            raise ValueError(
                f"{path}, [training]: {name} must be one of {CHOICES[name]}, got {value!r}"
            )
    seeds = training.pop("seeds", Run._field_defaults["seeds"])
    checks.count(1, **{f"{path}, [training]: seeds": seeds})
    settings = _made(f"{path}, [training]", Settings, training)
    if settings.batch_size is None:
        raise ValueError(f"{path}, [training]: batch_size must be given")
    config = _config(path, dict(told["model"]), language)
    return Run(language, config, settings, **choices, seeds=seeds)


def _language(path: str | Path, fields: dict[str, Any]) -> Language:
    kind = fields.pop("kind", None)
    if kind not in LANGUAGES:
        raise ValueError(f"{path}, [language]: kind must be one of {list(LANGUAGES)}, got {kind!r}")
    language: Language = _made(f"{path}, [language]", LANGUAGES[kind], fields)
    return language


def _text(path: str | Path, fields: dict[str, Any]) -> RealText:
    """Make the text of a run; its files are named from where the run file is."""
    names = {name: fields[name] for name in FILES if isinstance(fields.get(name), str)}
    beside = {name: str(Path(path).parent / file) for name, file in names.items()}
    return _made(f"{path}, [text]", RealText, fields | beside)


def _config(
    path: str | Path, fields: dict[str, Any], language: Language | RealText
) -> AnyConfiguration:
    where, kind = f"{path}, [model]", fields.get("kind")
    kinds = _kinds(language)
    if kind not in kinds:
        raise ValueError(f"{where}: kind must be one of {kinds} for this language, got {kind!r}")
    if isinstance(language, RealText):
        fields["vocabulary_size"] = language.vocabulary_size
    elif isinstance(language, TranslationLanguage):
        fields["vocabulary_size"] = len(language.target_vocabulary)
        fields["source_vocabulary_size"] = len(language.source_vocabulary)
        fields["padding_id"] = language.source_vocabulary.padding_id
    else:
        fields["vocabulary_size"] = len(language.vocabulary)
    if isinstance(language, GapLanguage):
        fields["padding_id"] = language.vocabulary.padding_id
    if kind in BLOCKS:
        return _made(where, RecurrentConfiguration, fields)
    return _made(where, Configuration, fields)


def _kinds(language: Language | RealText) -> list[str]:
    if isinstance(language, GapLanguage) and language.marks == "each":
        return ["encoder"]
    if isinstance(language, GapLanguage | TranslationLanguage):
        return ["encoder-decoder"]
    return ["decoder", *BLOCKS]


def _made(where: str, make: Callable[..., Made], fields: dict[str, Any]) -> Made:
    """Call `make`, and say where its fields came from if they do not fit."""
    known = list(signature(make).parameters)
    if unknown := [name for name in fields if name not in known]:
        raise ValueError(f"{where}: {unknown[0]} is unknown; it may have {', '.join(known)}")
    try:
        return make(**fields)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{where}: {error}") from None
