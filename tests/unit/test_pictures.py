"""Each picture that a notebook stores is drawn again, and is the same mark for mark: a person has looked at those.

Whoever changes a picture on purpose runs `make notebooks`, looks at it, and commits it.
"""

import base64
import io
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from tools.notebooks import CHAPTERS, ROOT, same_picture

NOTEBOOKS = sorted(path.relative_to(CHAPTERS).as_posix() for path in CHAPTERS.rglob("*.ipynb"))


@pytest.mark.slow
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_they_are_drawn_as_they_are_stored(name):
    command = [sys.executable, "-m", "tools.notebooks", "--check", f"chapters/{name}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"{name.rpartition('/')[2]}: same\n"), (
        done.stdout + done.stderr
    )


def png(pixels):
    with io.BytesIO() as file:
        Image.fromarray(pixels).save(file, "PNG")
        return base64.b64encode(file.getvalue()).decode()


@pytest.mark.parametrize("part", [np.s_[3, 4, 0], np.s_[:, 7], np.s_[0, 0, 3]])
def test_one_other_pixel_is_a_difference_and_shading_is_none(part):
    pixels = np.random.default_rng(0).integers(100, 150, (20, 30, 4)).astype(np.uint8)
    other = pixels.copy()
    other[part] = 255
    assert same_picture(png(pixels), png(pixels + np.uint8(20)))
    assert not same_picture(png(pixels), png(other))
