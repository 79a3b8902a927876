"""The ladder of each chapter; :mod:`attn.explore` offers them all by their names."""

from importlib import import_module
from pkgutil import iter_modules

from attn.explore.practice._ladder import Ladder

#: Every ladder, by its name, in the order of the chapters. A module in this folder is found by itself.
LADDERS: dict[str, type[Ladder]] = dict(
    sorted(
        (
            (name, kind)
            for module in sorted(found.name for found in iter_modules(__path__))
            for name, kind in vars(import_module(f"{__name__}.{module}")).items()
            if isinstance(kind, type) and issubclass(kind, Ladder) and kind is not Ladder
        ),
        key=lambda item: item[1].chapter,
    )
)
