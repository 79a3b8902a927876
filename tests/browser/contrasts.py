"""How far two colors are apart for an eye, and how far they must be, by WCAG 2."""

import numpy as np

TEXT = 4.5  # 1.4.3
PARTS = 3.0  # 1.4.11


def rgb(text):
    """Three bytes from #rrggbb, #rgb or rgb(…)."""
    if text.startswith("#"):
        text = text if len(text) == 7 else "#" + "".join(2 * digit for digit in text[1:])
        return [int(text[i : i + 2], 16) for i in (1, 3, 5)]
    return [float(part) for part in text.split("(")[1].rstrip(")").split(",")[:3]]


def luminance(colors):
    """Of colors (n, 3), or of one (3,), in bytes."""
    share = np.asarray(colors, dtype=float) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(one, other):
    """Of two colors, three bytes each or #rrggbb: 1 for two alike, 21 for black on white."""
    light = [float(luminance(rgb(color) if isinstance(color, str) else color)) for color in (one, other)]
    return (max(light) + 0.05) / (min(light) + 0.05)


def system_colors(view):
    """The two colors that the reader's system gives a page where colors are forced: ground and ink."""
    return view.evaluate("""() => ["Canvas", "CanvasText"].map((color) => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = color;
      const found = getComputedStyle(probe).color;
      probe.remove();
      return found;
    })""")
