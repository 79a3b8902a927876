"""The exercises by hand of each chapter, a module a chapter; :mod:`attn.explore` offers them all by their names."""

from importlib import import_module
from pkgutil import iter_modules

from attn.explore.practice._by_hand import ByHand

#: Every exercise by hand, by its name. A module in this folder is found by itself.
BY_HAND: dict[str, type[ByHand]] = {
    name: kind
    for module in sorted(found.name for found in iter_modules(__path__))
    for name, kind in vars(import_module(f"{__name__}.{module}")).items()
    if isinstance(kind, type) and issubclass(kind, ByHand) and kind is not ByHand
}
