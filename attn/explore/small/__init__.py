"""The small figures of each chapter, a module a chapter; :mod:`attn.explore` offers them all by their names."""

from importlib import import_module
from pkgutil import iter_modules

from attn.explore._small import Small

#: Every small figure, by its name. A module in this folder is found by itself.
FIGURES: dict[str, type[Small]] = {
    name: kind
    for module in sorted(found.name for found in iter_modules(__path__))
    for name, kind in vars(import_module(f"{__name__}.{module}")).items()
    if isinstance(kind, type) and issubclass(kind, Small) and kind is not Small
}
