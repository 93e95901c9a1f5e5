"""Published families of models, each a configuration and a table of names: load and save them."""

from transformer_lib.families.family import Family
from transformer_lib.families.files import load, save
from transformer_lib.families.registry import FAMILIES
from transformer_lib.families.sizes import SIZES

__all__ = ["FAMILIES", "SIZES", "Family", "load", "save"]
