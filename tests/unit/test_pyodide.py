"""What Python in the page is made of, by hash: tests/browser/test_python.py asks what becomes of it."""

import hashlib
import re

import pytest

from bookext import pyodide


def test_bytes_that_are_not_what_the_hash_names_are_refused():
    right = hashlib.sha256(b"right").hexdigest()
    assert pyodide.checked("numpy.whl", b"right", right) == b"right"
    with pytest.raises(pyodide.NotGot, match=rf"numpy.whl: expected the SHA-256 {right}, got \w{{64}}"):
        pyodide.checked("numpy.whl", b"wrong", right)


def test_each_file_that_is_taken_has_a_hash():
    lock = pyodide.pins()
    assert set(lock["files"]) >= {"pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm", "pyodide-lock.json"}
    assert all(
        re.fullmatch(r"[0-9a-f]{64}", sha256) for sha256 in [*lock["files"].values(), lock["editor_sha256"]]
    )
    pinned = (pyodide.PINS / "requirements.txt").read_text(encoding="utf-8")
    for block in re.split(r"\n(?=\w)", pinned)[1:]:  # the first is a remark
        assert re.search(r"^[\w-]+==[\w.]+ ", block, re.MULTILINE)
        assert "--hash=sha256:" in block
