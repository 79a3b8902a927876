"""One page that holds explorables and nothing else: for the browser tests and for measurements.

The page carries its script, its stylesheet and the state of its figures, so it works from any address and from a file.
"""

from pathlib import Path

from attn.explore._base import stylesheet
from attn.show.stills import still
from bookext.explorables import bundle, close_slot, model_of, open_slot, spoken
from bookext.stills import flowing

BOOK_CSS = Path(__file__).parent / "static" / "book.css"


def page(widgets, *, pictures=False):
    """Return the text of a self-contained HTML page with a live figure for each of ``widgets``.

    Parameters
    ----------
    widgets : list of attn.explore.Explorable
    pictures : bool
        Put each figure's still picture into its slot, as the book does; without them the page is made sooner.
    """
    slots = []
    for widget in widgets:
        picture, state = "", model_of(widget.get_state())
        if pictures:
            picture = flowing(still(widget.still()), widget.alt, len(slots), spoken(state))
        slots.append(open_slot(widget.view) + picture + close_slot(state))
    views = {widget.view for widget in widgets}
    # Without a figure there is nothing that the loader could mount, nor what it shares with figures.
    script = bundle(views).replace("</script", "<\\/script") if views else ""
    style = f"{BOOK_CSS.read_text(encoding='utf-8')}\n{stylesheet()}"
    return f"""<!DOCTYPE html>
<html lang="en" data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Explorables</title>
<link rel="icon" href="data:,">
<style>
body {{ margin: 0 auto; padding: 1rem; max-width: 46rem; font-family: system-ui, sans-serif; background: #fff; }}
html[data-theme="dark"] body {{ background: #14181e; color: #ced6dd; }}
{style}
</style>
</head>
<body>
<main>
<h1>Explorables</h1>
{"".join(slots)}
</main>
<script>{script}</script>
</body>
</html>
"""
