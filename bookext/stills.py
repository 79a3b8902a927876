"""Pictures that are part of the page: matplotlib's figures as SVG in the page's colors and type (``attn.show.stills``).

The build tells notebooks, by ``ATTN_STILLS``, to send each figure as such a picture. What myst-nb would link as a
file is put into the page itself: so one picture serves light, dark, paper and forced colors, its letters are the
page's, and its panels flow. ``explore.css`` says how. Notebooks keep their PNGs, for GitHub and JupyterLab.
"""

import os
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from attn.show.stills import flowing
from bookext.markup import raw


def file_of(env, image):
    """The SVG file that myst-nb wrote for an image of a notebook; None for any other image."""
    path = Path(env.app.srcdir, image["uri"])
    if path.suffix != ".svg" or "jupyter_execute" not in path.parts or not path.is_file():
        return None
    return path


class Stills(SphinxPostTransform):
    """Put each picture of a notebook into its page."""

    default_priority = 8  # when myst-nb has chosen one output of each bundle
    formats = ("html",)

    def run(self, **_):
        for place, image in enumerate(list(self.document.findall(nodes.image))):
            if path := file_of(self.env, image):
                text = flowing(
                    path.read_text(encoding="utf-8"),
                    image.get("alt", ""),
                    f"s{place}",
                    image.get("above", ""),
                )
                image.parent.replace(image, raw(text))


def tell(app, config):
    os.environ["ATTN_STILLS"] = "1"


def setup(app):
    app.add_post_transform(Stills)
    app.connect("config-inited", tell)
