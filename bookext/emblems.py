"""The book's mark and each chapter's emblem: a miniature of its idea, drawn from the chapter's own numbers.

A drawing is a list of shapes on a square of 96, each with a role: whose it is (q, k, v), how much (fill), or ink. The
page colors roles by its style sheet, so that a drawing follows light, dark and forced colors. An emblem stands at its
chapter's opening and on its card on the front page. What it shows is a state of the chapter's figure, or a run of what
the chapter trains. Of the mark there are files too, drawn once: ``static/favicon.svg``, two icons, and ``cover.png``
for previews.
"""

import re
from functools import cache

import numpy as np

from attn import explore
from attn.positional import angular_frequencies
from attn.xor import train

SIZE = 96
CHAPTER = re.compile(r"chapters/(\d\d)_\w+$")


# ---------------------------------------------------------------- shapes


def line(points, role, width):
    return {"kind": "line", "points": np.asarray(points, dtype=float), "role": role, "width": float(width)}


def area(points, role):
    return {"kind": "area", "points": np.asarray(points, dtype=float), "role": role}


def box(x, y, width, height, role):
    return area([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], role)


def dot(x, y, r, role):
    return {"kind": "dot", "points": np.array([[x, y]], dtype=float), "role": role, "r": float(r)}


def hatched(x, y, side):
    """A square that may not be looked at."""
    rim = [(x, y), (x + side, y), (x + side, y + side), (x, y + side), (x, y)]
    stripes = [[(x, y + far), (x + far, y)] for far in (side / 2, side)]
    stripes.append([(x + side / 2, y + side), (x + side, y + side / 2)])
    return [line(points, "edge", 1.5) for points in (rim, *stripes)]


def arc(start, end, rise, role, width):
    """A bow between two points, `rise` above the line that joins them (below, if negative)."""
    t = np.linspace(0, 1, 17)[:, None]
    points = (1 - t) * np.array(start, dtype=float) + t * np.array(end, dtype=float)
    points[:, 1] -= rise * 4 * (t * (1 - t))[:, 0]
    return line(points, role, width)


# ---------------------------------------------------------------- the drawings


def plane(points, lowest=-3.0, highest=3.0):
    """Points of a plane on the square, y upward."""
    share = (np.atleast_2d(np.asarray(points, dtype=float)) - lowest) / (highest - lowest)
    return np.stack([SIZE * share[:, 0], SIZE * (1 - share[:, 1])], axis=1)


def mark():
    """The front page's three words, the weights of a query that points between them, and their average."""
    figure = explore.FirstTouch(angle=75.0, length=0.5)
    words, output = plane(figure.k, -2.8, 3.0), plane(figure.output, -2.8, 3.0)[0]
    shapes = [area(words, "hull")]
    for word, weight in zip(words, figure.weights[0], strict=True):
        shapes.append(line([word, output], "fill", 3 + 13 * weight))
    shapes += [dot(*word, 8.5, "k") for word in words]
    return [*shapes, dot(*output, 11, "v")]


def attention():
    """Each word looks at each: lines from queries to keys, as thick as the weights; one word's are in its color."""
    weights = explore.SelfAttention().weights
    heights = [18, 48, 78]
    shapes = []
    for i in (0, 1, 2):
        for j, weight in enumerate(weights[i]):
            role = "q" if i == 2 else "fill"
            shapes.append(line([(20, heights[i]), (76, heights[j])], role, 0.75 + 10 * weight))
    shapes += [dot(20, y, 8, "q") for y in heights]
    return shapes + [dot(76, y, 8, "k") for y in heights]


def positions():
    """The first three waves of an encoding of sixteen numbers, and where every third position falls on them."""
    places = np.linspace(0, 12, 97)
    waves = np.sin(np.outer(places, angular_frequencies(16)))
    shapes = []
    for pair, role in zip(range(3), ("q", "k", "v"), strict=True):
        middle = 17 + 31 * pair
        points = np.stack([6 + 84 * places / 12, middle - 12 * waves[:, pair]], axis=1)
        shapes.append(line(points, role, 3.2))
        for place in range(0, 13, 3):
            shapes.append(dot(*points[8 * place], 3.6, role))
    return shapes


BAR = 38  # as high as a weight of 1


def variance():
    """Eight weights of the same query at d_k = 1024: unscaled, one takes all; over √d_k they stay a mixture."""
    shapes = []
    for top, scale, role in ((6, "none", "k"), (54, "root", "v")):
        shapes.append(line([(6, top + BAR), (90, top + BAR)], "edge", 1.5))
        for j, weight in enumerate(explore.ScoreVariance(d_k=1024, scale=scale).weights[0]):
            tall = max(BAR * weight, 1.2)
            shapes.append(box(8 + 10.4 * j, top + BAR - tall, 7.6, tall, role))
    return shapes


def mask():
    """The chapter's weights under a causal mask: bars where a word may look, a hatch where it may not."""
    figure = explore.Masking()
    weights, side = figure.matrices()["weights"], 21
    shapes = []
    for i in range(4):
        for j in range(4):
            x, y = 4.5 + 22.2 * j, 4.5 + 22.2 * i
            if j > i:
                shapes += hatched(x, y, side)
            else:
                shapes.append(box(x, y, side, side, "ground"))
                tall = side * weights[i, j]
                shapes.append(box(x, y + side - tall, side, tall, "q"))
    return shapes


def heads():
    """Two heads over one sentence: head 1 looks at the word before, head 2 at the first; bows as thick as weights."""
    weights = explore.MultiHead().matrices()["weights"]
    places = [(14, 48), (48, 48), (82, 48)]
    shapes = []
    for head, role, side in ((0, "q", 1), (1, "v", -1)):
        for i in range(3):
            for j in range(3):
                if i != j and weights[head, i, j] > 0.05:
                    rise = side * (14 + 13 * abs(i - j))
                    shapes.append(arc(places[i], places[j], rise, role, 6.5 * weights[head, i, j]))
    return shapes + [dot(*place, 8, "ink") for place in places]


def rope():
    """The four pairs on the segment, and a line to tell unequal from equal: the middle lies between the ends."""
    read = explore.XorLab().matrices()["read"][:, 0]  # of the pairs 00, 10, 01, 11
    share = (read - read.min()) / (read.max() - read.min())
    start, middle, _, end = np.stack([12 + 72 * share, 84 - 72 * share], axis=1)
    between, across = (middle + end) / 2, np.array([20.0, 20.0])
    return [
        line([start, end], "edge", 2.5),
        line([between - across, between + across], "ink", 3.5),
        dot(*start, 9, "ring"),
        dot(*end, 9, "ring"),
        dot(*middle, 9, "v"),
    ]


@cache
def learning():
    """Loss over training, from three seeds each: one head stays where it is, two heads come down."""
    shapes = [line([(8, 6), (8, 88), (92, 88)], "edge", 2)]
    for n_heads, role in ((1, "k"), (2, "v")):
        for seed in range(3):
            run = train(seed, n_heads=n_heads)
            kept = np.unique(np.round(np.linspace(0, 1, 28) ** 2 * (len(run.steps) - 1)).astype(int))
            x = 8 + 84 * np.sqrt(np.asarray(run.steps)[kept] / 1000)
            y = 88 - 80 * np.clip(np.asarray(run.loss)[kept], 0, 1)
            shapes.append(line(np.stack([x, y], axis=1), role, 3))
    return shapes


def association():
    """The joint table as a mosaic: rows as high as their share, tiles as wide as p(column | row); dashed, the prior."""
    figure = explore.PmiTable()
    weights, margin, prior = (figure.matrices()[name] for name in ("weights", "margin", "prior"))
    shapes, top = [], 6.0
    for share, (first, _) in zip(margin[:, 0], weights, strict=True):
        height = 84 * share - 2
        shapes.append(box(6, top, 84 * first - 1.5, height, "q"))
        shapes.append(box(6 + 84 * first + 1.5, top, 84 * (1 - first) - 1.5, height, "fill"))
        top += height + 4
    x = 6 + 84 * prior[0, 0]
    return [*shapes, *(line([(x, y), (x, y + 7)], "ink", 3) for y in np.arange(3, 90, 11.5))]


def turning():
    """A clock at two starts: the query's hand and the key's have turned on, and the angle between them is the same."""
    shapes = []
    for start, (x, y) in ((0, (25, 48)), (1, (71, 48))):
        turned = explore.Rotary(start=start).matrices()
        q, k = turned["turned_q"][0, 2:], turned["turned_k"][1, 2:]  # clock 1; the `very` two words back
        rim = np.linspace(0, 2 * np.pi, 41)
        shapes.append(line(np.stack([x + 18 * np.cos(rim), y - 18 * np.sin(rim)], axis=1), "edge", 2))
        for hand, role in ((q, "q"), (k, "k")):
            tip = (x + 18 * hand[0] / np.hypot(*hand), y - 18 * hand[1] / np.hypot(*hand))
            shapes += [line([(x, y), tip], role, 4), dot(*tip, 5, role)]
    return shapes


def pattern():
    """The weights of the two looks over `A 1 B 0 A`: below, each word at the one before; above, the last `A` at `1`."""
    first, second = explore.Induction(turn=1.0).weights
    places = [(10 + 19 * place, 48) for place in range(5)]
    shapes = []
    for i in range(1, 5):  # place 0 is BOS
        for j in range(i):
            if first[i + 1, j + 1] > 0.05:
                shapes.append(arc(places[i], places[j], -16 * (i - j), "k", 5.5 * first[i + 1, j + 1]))
    for j in range(4):
        if second[5, j + 1] > 0.05:
            shapes.append(arc(places[4], places[j], 12 * (4 - j), "q", 6.5 * second[5, j + 1]))
    return shapes + [dot(*place, 7, "v" if j == 1 else "ink") for j, place in enumerate(places)]


#: By the chapter's number.
EMBLEMS = {
    0: attention,
    1: positions,
    2: variance,
    3: mask,
    4: heads,
    5: rope,
    6: learning,
    7: association,
    8: turning,
    9: pattern,
}


def number_of(docname):
    """The number of a chapter's core page, or None."""
    found = CHAPTER.fullmatch(docname)
    return int(found[1]) if found else None


def drawing(number):
    """The emblem of a chapter; the mark for one that has none of its own yet."""
    return EMBLEMS.get(number, mark)()


# ---------------------------------------------------------------- SVG


def written(value):
    return f"{value:.1f}".removesuffix(".0")


def element(shape):
    """One shape as SVG."""
    role, pairs = shape["role"], [",".join(map(written, point)) for point in shape["points"]]
    if shape["kind"] == "dot":
        (x, y), r = shape["points"][0], shape["r"]
        return f'<circle class="e-{role}" cx="{written(x)}" cy="{written(y)}" r="{written(r)}"/>'
    if shape["kind"] == "area":
        return f'<polygon class="e-{role}" points="{" ".join(pairs)}"/>'
    width = written(shape["width"])
    return f'<polyline class="e-l e-{role}" stroke-width="{width}" points="{" ".join(pairs)}"/>'


def svg(shapes):
    """A drawing to stand in a page, where the style sheet colors it. Beside it stand the words: it needs no name."""
    inside = "".join(map(element, shapes))
    return f'<svg class="abh-emblem" aria-hidden="true" viewBox="0 0 {SIZE} {SIZE}">{inside}</svg>'
