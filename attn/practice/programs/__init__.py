"""The programs whose lines a reader puts in order, a module a chapter; :data:`PROGRAMS` has them all by their names."""

from importlib import import_module
from pkgutil import iter_modules

from attn.practice.program import Program

#: Every program, by its exercise's name, in the order of the chapters. A module in this folder is found by itself.
PROGRAMS: dict[str, Program] = {
    program.name: program
    for program in sorted(
        (
            program
            for module in iter_modules(__path__)
            for program in vars(import_module(f"{__name__}.{module.name}")).values()
            if isinstance(program, Program)
        ),
        key=lambda program: program.chapter,
    )
}
