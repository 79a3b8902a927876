"""Mutmut's operators: texts go in as JSON, and for each a list of its changes, (kind, start, end, new text), comes out.

A program of its own, since mutmut lies beside the environment (see ``python.py``).
"""

import json
import sys

import libcst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.file_mutation import MutationVisitor
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode


class Visitor(MutationVisitor):
    """Mutmut's, which also goes into decorated functions: nothing is copied here, so nothing is called twice."""

    def _skip_node_and_children(self, node):
        if isinstance(node, libcst.FunctionDef):
            return False
        if isinstance(node, libcst.Import | libcst.ImportFrom):
            return True
        return super()._skip_node_and_children(node)


def edits(text):
    """All changes of one place of a module; docstrings and annotations stay what they are."""
    wrapper = MetadataWrapper(libcst.parse_module(text))
    visitor = Visitor(mutation_operators, IgnoredCode(set(), set(), set()))
    module = wrapper.visit(visitor)
    places = wrapper.resolve(PositionProvider)
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for mutation in visitor.mutations:
        place = places[mutation.original_node]
        start = starts[place.start.line - 1] + place.start.column
        end = starts[place.end.line - 1] + place.end.column
        old, new = (module.code_for_node(node) for node in (mutation.original_node, mutation.mutated_node))
        if old != text[start:end]:  # the node carries its parentheses or the room around it
            whole = text.find(old, max(0, start - 3))
            if whole < 0 or whole > start:
                continue
            start, end = whole, whole + len(old)
        yield type(mutation.original_node).__name__, start, end, new


if __name__ == "__main__":
    json.dump([list(edits(text)) for text in json.load(sys.stdin)], sys.stdout)
