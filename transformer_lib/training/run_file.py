"""The TOML file that says what a run of the command line trains, on what and how."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from transformer_lib.languages import AgreementLanguage, TranslationLanguage
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.files import AnyConfiguration
from transformer_lib.model.recurrent import BLOCKS, RecurrentConfiguration
from transformer_lib.training.data import Language
from transformer_lib.training.settings import Settings

LANGUAGES: dict[str, Any] = {"agreement": AgreementLanguage, "translation": TranslationLanguage}
SECTIONS = {"language", "model", "training"}
Made = TypeVar("Made")


class Run(NamedTuple):
    """What is trained, on what and how."""

    language: Language
    config: AnyConfiguration
    settings: Settings
    attention: str = "explicit"


def read_run(path: str | Path) -> Run:
    """Read a run from TOML: [language], [model] and [training].

    [language] has a `kind`, "agreement" or "translation", and the language's arguments. [model] has
    the fields of a `Configuration`, or those of a `RecurrentConfiguration`; the sizes of the
    vocabularies and the padding are those of the language. [training] has the fields of `Settings`,
    and may choose the `attention` of a Transformer, "explicit" or "fused".

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is no TOML, or a section or a field of it is missing, unknown or out of
            its range.
    """
    try:
        told = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is not TOML: {error}") from None
    if set(told) != SECTIONS or not all(isinstance(part, dict) for part in told.values()):
        raise ValueError(f"{path} must have the sections {sorted(SECTIONS)}, got {sorted(told)}")
    language = _language(path, dict(told["language"]))
    training = dict(told["training"])
    attention = training.pop("attention", "explicit")
    if attention not in ("explicit", "fused"):
        raise ValueError(
            f"{path}, [training]: attention must be 'explicit' or 'fused', got {attention!r}"
        )
    settings = _made(f"{path}, [training]", Settings, training)
    if settings.batch_size is None:
        raise ValueError(f"{path}, [training]: batch_size must be given")
    return Run(language, _config(path, dict(told["model"]), language), settings, attention)


def _language(path: str | Path, fields: dict[str, Any]) -> Language:
    kind = fields.pop("kind", None)
    if kind not in LANGUAGES:
        raise ValueError(f"{path}, [language]: kind must be one of {list(LANGUAGES)}, got {kind!r}")
    language: Language = _made(f"{path}, [language]", LANGUAGES[kind], fields)
    return language


def _config(path: str | Path, fields: dict[str, Any], language: Language) -> AnyConfiguration:
    where, kind = f"{path}, [model]", fields.get("kind")
    translates = isinstance(language, TranslationLanguage)
    kinds = ["encoder-decoder"] if translates else ["decoder", *BLOCKS]
    if kind not in kinds:
        raise ValueError(f"{where}: kind must be one of {kinds} for this language, got {kind!r}")
    if isinstance(language, TranslationLanguage):
        fields["vocabulary_size"] = len(language.target_vocabulary)
        fields["source_vocabulary_size"] = len(language.source_vocabulary)
        fields["padding_id"] = language.source_vocabulary.padding_id
    else:
        fields["vocabulary_size"] = len(language.vocabulary)
    if kind in BLOCKS:
        return _made(where, RecurrentConfiguration, fields)
    return _made(where, Configuration, fields)


def _made(where: str, make: Callable[..., Made], fields: dict[str, Any]) -> Made:
    """Call `make`, and say where its fields came from if they do not fit."""
    try:
        return make(**fields)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{where}: {error}") from None
