"""Mutation testing: random small changes to the book, and which share of them its tests see.

``make mutate`` draws mutants from each area, shows each to the tests that could see it, and says what share was caught,
with the survivors. Python's mutants come from mutmut and JavaScript's from Stryker, both pinned here and installed
into ``_build/mutate`` when the command first runs; prose's and the ledger's are ``prose.py``'s own, since no library
knows that a book may say "rows" for "columns". The runner is the book's own too: mutmut copies functions into a
switchboard that the checkers' tables of mistakes and NumPy's in-place buffers don't survive, and Stryker has no runner
for tests that are written in Python.
"""
