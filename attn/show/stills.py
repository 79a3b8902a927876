"""A matplotlib figure as pictures that are part of a page: SVG whose colors and letters are the page's own.

The built book shows these in place of PNGs. Each color is a role of the palette, written as the variable that the
page's style sheet sets for it in light and in dark, ``var(--abh-q, #004c97)``; text is text, in the page's typeface.
Each panel (matplotlib's axes) is a picture of its own, so that panels stand side by side where there is room and below
each other on a phone; panels too wide for a phone are laid out a second time, for a narrow column.
"""

import html
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, Bbox, Transform

from attn._numbers import INDEXED
from attn.show.palette import COLORS

DPI = 96  # a pixel of a page
PHONE = 410  # px: a panel that is wider has letters below 11 px in a phone's column, and is laid out again
LEAST = 0.76  # of its size, down to which a panel shrinks before the next one goes below it
LINES = 250  # px: how high a plot of lines is on a phone
PAD = 6  # px around what is drawn: the page's own letters stand a little higher than those that it was measured with
#: What a page puts a number of its own in place of: ids must be unique on it.
MARK = "abh-still-id"
_ROOT = re.compile(r"^<svg xmlns=[^>]*>(.*)</svg>\s*$", re.DOTALL)
_PANEL = re.compile(r"<svg style=.*?</svg>", re.DOTALL)
_ROLES = {color: role for role, color in COLORS.items()}
_SCRIPTS = str.maketrans("0123456789-\N{MINUS SIGN}", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻")
#: The curves of matplotlib's own circle, by which a round marker is told.
_CIRCLE = np.shape(Path.unit_circle().vertices)
#: The stripes of the live figures, what may not be seen.
_STRIPES = "M-2 2L2 -2M0 8L8 0M6 10L10 6"


def color(value: Any) -> str:
    """A color as the page has it: the variable of its role, with its value in light beside.

    Raises
    ------
    ValueError
        If it is none of the palette: in the dark nobody could tell what it becomes.
    """
    given = to_hex(value)
    if given not in _ROLES:
        raise ValueError(f"a color must be one of attn.show.plots.COLORS, got {given}")
    return f"var(--abh-{_ROLES[given]},{given})"


def plain(math: str) -> str:
    """The words of matplotlib's own formulas: the ticks of a logarithmic scale, 10⁴, and d_k and σ_q, as they are.

    Raises
    ------
    ValueError
        For any other formula.
    """
    text = re.sub(r"\\mathdefault\{(.*)\}", r"\1", math.replace("$", ""))
    text = re.sub(r"\^\{(.*?)\}", lambda match: match[1].translate(_SCRIPTS), text)
    if re.search(r"[\\{}^_]", INDEXED.sub("", text)):
        raise ValueError(f"a still has plain text, powers, d_k and the like alone, got {math}")
    return text.replace("-", "\N{MINUS SIGN}")


def indexed(text: str) -> str:
    """Text of an SVG, in which d_k and σ_q get their index; what comes after it is back on the line."""
    letter = r'<tspan font-style="italic">\1</tspan>'
    index = r'<tspan class="abh-index" dy=".3em" font-size="75%">\2</tspan>'
    return INDEXED.sub(letter + index + '<tspan dy="-.225em">\N{ZERO WIDTH SPACE}</tspan>', text)


def _short(value: float) -> str:
    """A length, to a tenth of a pixel."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def _faint(what: str, opacity: float) -> str:
    return f'{what}opacity="{opacity:.2g}" ' if opacity < 1 else ""


class _Renderer(RendererBase):
    """Writes what matplotlib draws as a few SVG elements: neighbors of one look become one path."""

    def __init__(self, width: float, height: float) -> None:
        super().__init__()
        self.width, self.height = width, height
        self.parts: list[str] = []
        self.clips: dict[str, str] = {}
        self.hatched = False
        self._look, self._data = "", ""
        self._together = False  # while the points of one curve are drawn

    def points_to_pixels(self, points: Any) -> Any:
        return points * DPI / 72

    def get_canvas_width_height(self) -> tuple[float, float]:
        return self.width, self.height

    def flipy(self) -> bool:
        return True

    def _flush(self) -> None:
        if self._data:
            self.parts.append(f'<path {self._look}d="{self._data}"/>')
        self._look, self._data = "", ""

    def _add(self, look: str, data: str, whole: bool) -> None:
        """Add a path; one that is seen through must not be joined with what it lies on."""
        whole = whole or self._together
        if look != self._look or not whole:
            self._flush()
        self._look, self._data = look, self._data + data
        if not whole:
            self._flush()

    def _clip(self, gc: Any, box: Bbox | None) -> str:
        """The attribute that cuts off what sticks out of the axes; "" if nothing does."""
        frame = gc.get_clip_rectangle()
        if frame is None:
            return ""
        x0, y0, x1, y1 = frame.extents
        if (
            box is not None
            and box.x0 >= x0 - 1
            and box.y0 >= y0 - 1
            and box.x1 <= x1 + 1
            and box.y1 <= y1 + 1
        ):
            return ""
        size = f'width="{_short(x1 - x0)}" height="{_short(y1 - y0)}"'
        rect = f'<rect x="{_short(x0)}" y="{_short(self.height - y1)}" {size}/>'
        name = self.clips.setdefault(rect, f"{MARK}-c{len(self.clips)}")
        return f'clip-path="url(#{name})" '

    def _stroke(self, gc: Any) -> str:
        """The attributes of a line: color, width, dashes, ends; "" if there is none."""
        width = self.points_to_pixels(gc.get_linewidth())
        rgb = gc.get_rgb()
        opacity = gc.get_alpha() if gc.get_forced_alpha() or len(rgb) < 4 else rgb[3]
        if width == 0 or opacity == 0:
            return ""
        look = f'stroke="{color(rgb[:3])}" stroke-width="{_short(width)}" '
        offset, dashes = gc.get_dashes()
        if dashes is not None:
            look += f'stroke-dasharray="{" ".join(_short(self.points_to_pixels(d)) for d in dashes)}" '
            if offset:
                look += f'stroke-dashoffset="{_short(self.points_to_pixels(offset))}" '
        if gc.get_capstyle() == "round":
            look += 'stroke-linecap="round" '
        return look + 'stroke-linejoin="round" ' + _faint("stroke-", opacity)

    @staticmethod
    def _fill(gc: Any, face: Any) -> str:
        """The attributes of an area; "" if there is none."""
        if face is None:
            return ""
        opacity = gc.get_alpha() if gc.get_forced_alpha() or len(face) < 4 else face[3]
        crisp = "" if gc.get_antialiased() else 'shape-rendering="crispEdges" '
        return f'fill="{color(face[:3])}" {crisp}{_faint("fill-", opacity)}' if opacity else ""

    def _path(self, path: Path, transform: Transform | None, clip: tuple | None) -> tuple[str, Bbox | None]:
        """The path's data, with the height turned round, and what it covers."""
        data, seen, last = "", [], None
        flip = Affine2D().scale(1, -1).translate(0, self.height)
        for points, code in path.iter_segments(
            (transform + flip) if transform is not None else flip, clip=clip, simplify=None, curves=True
        ):
            pairs = np.asarray(points, dtype=float).reshape(-1, 2)
            if code == Path.CLOSEPOLY:
                data += "Z"
                continue
            if not np.isfinite(pairs).all():
                continue
            text = " ".join(f"{_short(x)} {_short(y)}" for x, y in pairs)
            step = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C"}[code]
            if step == "L" and text == last:
                continue  # nothing that a pixel shows
            data += step + text
            last = text
            seen.append(pairs)
        if not seen:
            return "", None
        x0, y0 = np.vstack(seen).min(axis=0)
        x1, y1 = np.vstack(seen).max(axis=0)
        return data, Bbox([[x0, self.height - y1], [x1, self.height - y0]])

    def draw_path(
        self,
        gc: Any,
        path: Path,
        transform: Transform,
        rgbFace: Any = None,  # noqa: N803
    ) -> None:
        fill, stroke, hatch = self._fill(gc, rgbFace), self._stroke(gc), gc.get_hatch()
        if not (fill or stroke or hatch):
            return
        if not (fill or hatch) and len(np.asarray(path.vertices)) > 50:  # what no pixel shows is left out
            path = Path(path.vertices, path.codes)
            path.should_simplify, path.simplify_threshold = True, 0.8
        data, box = self._path(path, transform, None if fill or hatch else (-1e4, -1e4, 1e4, 1e4))
        if not data:
            return
        cut = self._clip(gc, box)
        if fill or stroke:
            look = (fill or 'fill="none" ') + stroke
            self._add(cut + look, data, whole="opacity" not in look)
        if hatch:
            self.hatched = True
            self._add(f'{cut}fill="url(#{MARK}-h)" ', data, whole=True)

    def draw_markers(
        self,
        gc: Any,
        marker_path: Path,
        marker_trans: Transform,
        path: Path,
        trans: Transform,
        rgbFace: Any = None,  # noqa: N803
    ) -> None:
        """The points of a curve are one path; round ones without an edge are dots, the round ends of no line."""
        places = trans.transform(path.vertices)
        places = np.unique(places[np.isfinite(places).all(axis=1)].round(1), axis=0)
        edge = self.points_to_pixels(gc.get_linewidth()) if self._stroke(gc) else 0
        round_ = np.shape(marker_path.vertices) == _CIRCLE and rgbFace is not None
        if not round_ or edge and to_hex(gc.get_rgb()[:3]) != to_hex(rgbFace[:3]):
            self._together = True
            for x, y in places:
                self.draw_path(gc, marker_path, marker_trans + Affine2D().translate(x, y), rgbFace)
            self._together = False
            return
        opacity = gc.get_alpha() if gc.get_forced_alpha() or len(rgbFace) < 4 else rgbFace[3]
        dots = "".join(f"M{_short(x)} {_short(self.height - y)}h0" for x, y in places)
        wide = marker_path.get_extents(marker_trans).width + edge
        look = (
            f'fill="none" stroke="{color(rgbFace[:3])}" stroke-width="{_short(wide)}" stroke-linecap="round" '
        )
        box = Bbox([places.min(axis=0), places.max(axis=0)]) if len(places) else None
        self._add(self._clip(gc, box) + look + _faint("stroke-", opacity), dots, whole=True)

    def draw_text(
        self,
        gc: Any,
        x: float,
        y: float,
        s: str,
        prop: Any,
        angle: float,
        ismath: Any = False,
        mtext: Any = None,
    ) -> None:
        self._flush()
        said = plain(s) if ismath else s
        if not said.strip():
            return
        size = self.points_to_pixels(prop.get_size_in_points())
        look, turn = f'font-size="{_short(size)}" fill="{color(gc.get_rgb()[:3])}"', ""
        if str(prop.get_weight()) in ("bold", "700", "600"):
            look += ' font-weight="700"'
        wide, _, _ = self.get_text_width_height_descent(s, prop, ismath)
        side = mtext.get_ha() if mtext is not None and "\n" not in mtext.get_text() else "left"
        share = {"left": 0.0, "center": 0.5, "right": 1.0}[side]
        along = np.deg2rad(
            angle
        )  # the anchor is where matplotlib aligned the words, whatever the typeface's width
        x, y = x + share * wide * np.cos(along), y - share * wide * np.sin(along)
        if share:
            look += f' text-anchor="{"middle" if share == 0.5 else "end"}"'
        if angle:
            turn = f' transform="rotate({_short(-angle)} {_short(x)} {_short(y)})"'
        self.parts.append(
            f'<text x="{_short(x)}" y="{_short(y)}" {look}{turn}>{indexed(escape(said))}</text>'
        )

    def svg(self, box: tuple[float, float, float, float]) -> str:
        """What was drawn inside a box (left, top, width, height), as one element."""
        self._flush()
        defs = "".join(f'<clipPath id="{name}">{rect}</clipPath>' for rect, name in self.clips.items())
        if self.hatched:
            stripe = f'<path d="{_STRIPES}" stroke="{color(COLORS["edge"])}" stroke-width="1.1"/>'
            size = 'width="8" height="8" patternUnits="userSpaceOnUse"'
            defs += f'<pattern id="{MARK}-h" {size}>{stripe}</pattern>'
        left, top, width, height = (round(value) for value in box)
        room = f'width="{width}" height="{height}" viewBox="{left} {top} {width} {height}"'
        return f"<svg {room}>{f'<defs>{defs}</defs>' if defs else ''}{''.join(self.parts)}</svg>"


@contextmanager
def _pixels_of_a_page(figure: Figure) -> Iterator[None]:
    """The figure in pixels of a page; put back afterwards."""
    dpi = figure.dpi
    figure.dpi = DPI
    try:
        yield
    finally:
        figure.dpi = dpi


@contextmanager
def _one_below_the_other(figure: Figure, heights: Mapping[Axes, float]) -> Iterator[None]:
    """The panels in a column as wide as a phone's, each with words and numbers of its own; put back afterwards.

    What panels of a row share stands beside the first alone.
    """
    inches = figure.get_size_inches()
    column = GridSpec(len(heights), 1, figure=figure, height_ratios=list(heights.values()))
    back: list[Callable[[], Any]] = [partial(figure.set_size_inches, *inches)]
    figure.set_size_inches(PHONE / DPI, sum(heights.values()) / DPI)
    for place, ax in enumerate(heights):
        if (spec := ax.get_subplotspec()) is not None:
            back.append(partial(ax.set_subplotspec, spec))
            ax.set_subplotspec(column[place])
        for axis, side, siblings in (
            (ax.xaxis, "labelbottom", ax.get_shared_x_axes().get_siblings(ax)),
            (ax.yaxis, "labelleft", ax.get_shared_y_axes().get_siblings(ax)),
        ):
            if len(siblings) == 1:
                continue
            before: dict[str, Any] = {side: axis.get_tick_params().get(side, True)}
            back.append(partial(axis.set_tick_params, "major", False, **before))
            axis.set_tick_params("major", False, **{side: True})
            said = {getattr(each, axis.axis_name + "axis").label.get_text() for each in siblings} - {""}
            if said and not axis.label.get_text():
                back.append(partial(axis.set_label_text, ""))
                axis.set_label_text(said.pop())
                axis.label.set_visible(True)
    try:
        yield
    finally:
        for step in reversed(back):
            step()


def _rows(figure: Figure) -> list[list[Axes]]:
    """The panels as they stand: from the top down, each row from left to right."""
    rows: list[list[Axes]] = []
    shown = [ax for ax in figure.axes if ax.get_visible()]
    for ax in sorted(shown, key=lambda ax: (-round(ax.get_position().y1, 2), ax.get_position().x0)):
        box = ax.get_position()
        if (
            rows
            and min(box.y1, rows[-1][0].get_position().y1) - max(box.y0, rows[-1][0].get_position().y0) > 0
        ):
            rows[-1].append(ax)
        else:
            rows.append([ax])
    return [sorted(row, key=lambda ax: ax.get_position().x0) for row in rows]


def _extent(ax: Axes, renderer: RendererBase | None = None) -> Bbox:
    """What a panel covers, with its words."""
    box = ax.get_tightbbox(renderer)
    assert box is not None
    return Bbox.from_extents(*box.extents)


def _panels(figure: Figure) -> list[list[tuple[str, int]]]:
    """Each row's panels as (svg, width in pixels); those of a row have one height, so that their frames stay level."""
    width, height = figure.bbox.size
    figure.draw_without_rendering()
    found = []
    for row in _rows(figure):
        boxes, drawn = [], []
        for ax in row:
            renderer = _Renderer(width, height)
            boxes.append(_extent(ax, renderer))
            ax.draw(renderer)
            drawn.append(renderer)
        low, high = min(box.y0 for box in boxes) - PAD, max(box.y1 for box in boxes) + PAD
        row_found = []
        for box, renderer in zip(boxes, drawn, strict=True):
            left, wide = box.x0 - PAD, box.width + 2 * PAD
            row_found.append((renderer.svg((left, height - high, wide, high - low)), round(wide)))
        found.append(row_found)
    return found


def _layout(rows: list[list[tuple[str, int]]], kind: str) -> str:
    lines = []
    for row in rows:
        cells = "".join(
            svg.replace("<svg ", f'<svg style="flex:{wide} 1 {LEAST * wide:.0f}px;max-width:{wide}px" ', 1)
            for svg, wide in row
        )
        lines.append(f"<g>{cells}</g>")
    return f'<g class="{kind}">{"".join(lines)}</g>'


def _apart(ax: Axes) -> bool:
    """Whether a panel says less where it does not stand beside its neighbors."""
    shares = (ax.get_shared_x_axes(), ax.get_shared_y_axes())
    return any(len(group.get_siblings(ax)) > 1 for group in shares)


def still(figure: Figure) -> str:
    """The figure as one SVG: a group for a laptop, ``abh-wide``, and where need be one for a phone, ``abh-narrow``.

    A group has a group for each row of panels, and that an ``<svg>`` for each panel. ``bookext/stills.py`` makes of
    them what flows on a page. Panels small enough need no second layout: on a phone they stand in rows of fewer.
    """
    with _pixels_of_a_page(figure):
        rows = _panels(figure)
        layouts = _layout(rows, "abh-wide")
        axes = [ax for row in _rows(figure) for ax in row]
        most = max((width for row in rows for _, width in row), default=0)
        if most > PHONE or any(map(_apart, axes)):
            heights = {}
            for ax in axes:
                box = _extent(ax)
                square = ax.get_aspect() != "auto"
                heights[ax] = min(PHONE * box.height / box.width, PHONE) if square else LINES
            with _one_below_the_other(figure, heights):
                layouts += _layout(_panels(figure), "abh-narrow")
    return f'<svg xmlns="http://www.w3.org/2000/svg">{layouts}</svg>'


def flowing(svg: str, alt: str, name: str, above: str = "") -> str:
    """The HTML of a picture: its layouts as boxes that hold a row of panels each.

    Parameters
    ----------
    svg : str
        As :func:`still` writes it.
    alt : str
        What it shows, in words.
    name : str
        What its parts are called after: they must be unique on a page.
    above : str
        HTML that stands over the picture.
    """
    found = _ROOT.match(svg.strip())
    if not found:
        raise ValueError(f"svg must be what still() writes, got {svg[:40]!r}")
    count = iter(range(10_000))
    inner = _PANEL.sub(
        lambda match: match[0].replace(MARK, f"{name}-{next(count)}"), found[1].replace("\n", " ")
    )
    boxes = inner.replace("<g", "<div").replace("</g>", "</div>")
    return f'<div class="abh-still" role="img" aria-label="{html.escape(alt)}">{above}{boxes}</div>'
