"""The exercises by hand of each chapter, a module a chapter; pages ask them, and worksheets print them."""

from importlib import import_module
from pkgutil import iter_modules

from attn.practice.exercise import Exercise

#: Every exercise by hand, by its name, in the order of the chapters. A module in this folder is found by itself.
EXERCISES: dict[str, type[Exercise]] = {
    name: kind
    for module in sorted(found.name for found in iter_modules(__path__))
    for name, kind in vars(import_module(f"{__name__}.{module}")).items()
    if isinstance(kind, type) and issubclass(kind, Exercise) and kind is not Exercise
}
