"""Published families of models, each a configuration and a table of names: load and save them."""

from transformer_lib.families.family import Family
from transformer_lib.families.files import load, save
from transformer_lib.families.registry import FAMILIES

__all__ = ["FAMILIES", "Family", "load", "save"]
