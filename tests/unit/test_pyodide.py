"""What Python in the page is made of, by hash: tests/browser/test_python.py asks what becomes of it."""

import hashlib

import pytest

from bookext import pyodide


def test_bytes_that_are_not_what_the_hash_names_are_refused():
    right = hashlib.sha256(b"right").hexdigest()
    assert pyodide.checked("numpy.whl", b"right", right) == b"right"
    with pytest.raises(pyodide.NotGot, match=rf"numpy.whl: expected the SHA-256 {right}, got \w{{64}}"):
        pyodide.checked("numpy.whl", b"wrong", right)
