"""Which files are the book's."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def tracked():
    """Files that are, or would be, in the repository."""
    answer = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True
    )
    if answer.returncode:
        pytest.fail("this test asks git which files belong to the book, and git does not answer here")
    paths = (ROOT / name for name in answer.stdout.decode().split("\0") if name)
    return [path for path in paths if path.is_file()]
