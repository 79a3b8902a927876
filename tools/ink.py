"""What is printed on the pages of a PDF: where there is ink, and how much of a page is left empty."""

import numpy as np
import pypdfium2

#: Dots a point in which a page is looked at.
SCALE = 0.5
#: A strip without ink that is higher than this (in points) is emptiness, not the space between two paragraphs.
SPACE = 24
MM = 72 / 25.4


def pages(path):
    """Each page of a PDF as an array of gray, 0 black and 255 white, with `SCALE` rows a point."""
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            yield np.asarray(page.render(scale=SCALE, grayscale=True).to_numpy()).squeeze()


def rows(gray, left=0.0, right=1.0):
    """Which rows of a page have ink, between two shares of its width."""
    width = gray.shape[1]
    return (gray[:, int(left * width) : int(np.ceil(right * width))] < 200).any(axis=1)


def empty(inked, top, bottom):
    """The share of a page between two rows that is empty: all strips without ink that are higher than `SPACE`."""
    inked = inked[top:bottom]
    edges = np.flatnonzero(np.diff(np.concatenate([[True], inked, [True]]).astype(int)))
    strips = edges.reshape(-1, 2) @ [-1, 1]
    return strips[strips > SPACE * SCALE].sum() / len(inked)


def emptiness(path):
    """For each page, from 1: how much of the room for text, 25 mm from the top to 27 from the foot, is empty."""
    top, bottom = (round(millimeters * MM * SCALE) for millimeters in (25, 297 - 27))
    return {number: float(empty(rows(page), top, bottom)) for number, page in enumerate(pages(path), 1)}


def thin(path, firsts, more_than=0.25):
    """The pages of which more than this share is empty, though no chapter ends there; `firsts` begin chapters."""
    shares = emptiness(path)
    ends = {first - 1 for first in firsts} | {len(shares)}
    return [
        number
        for number in shares
        if number >= min(firsts) and number not in ends and shares[number] > more_than
    ]
