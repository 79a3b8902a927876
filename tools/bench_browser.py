"""What a reader waits for, in Chromium: until a figure lives, until the picture follows, for how many bytes."""

import functools
import gzip
import statistics
import tempfile
from pathlib import Path

import numpy as np

from tools import find_chromium
from tools.bench_table import Table
from tools.commands import HTML
from tools.server import Handler, serving

LINE = {"offline": False, "latency": 60, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8}
#: What a usual host sends gzipped; fonts and pictures are packed already.
PACKED = (".html", ".css", ".js", ".svg", ".json")
WATCH = """() => {
  window.live = {};
  const look = () => {
    if (document.querySelector(".abh[data-explorable]")) live.hand ??= performance.now();
    const first = document.querySelector('[data-explorable][data-ready="1"]');
    const slots = document.querySelectorAll(".abh-slot").length;
    const all = document.querySelectorAll('[data-explorable][data-ready="1"]').length;
    if (first) live.first ??= performance.now();
    if (slots && all === slots && document.readyState !== "loading") live.all ??= performance.now();
  };
  const what = { subtree: true, childList: true, attributes: true, attributeFilter: ["data-ready"] };
  new MutationObserver(look).observe(document, what);
  document.addEventListener("readystatechange", look);
}"""


class Packed(Handler):
    """Sends text gzipped, as a usual host does, and lets the browser keep files."""

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        if path.suffix not in PACKED or not path.is_file():
            super().do_GET()
            return
        data = packed(path)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def pages(folder):
    """The front page, the chapters and their further pages."""
    folder = Path(folder)
    found = [path for part in ("chapters", "chapters/further") for path in folder.glob(f"{part}/[0-9]*.html")]
    return ["index.html", *sorted(path.relative_to(folder).as_posix() for path in found)]


def with_figures(folder):
    """Those of them that have live figures."""
    return [page for page in pages(folder) if "abh-slot" in Path(folder, page).read_text(encoding="utf-8")]


@functools.cache
def packed(path):
    return gzip.compress(path.read_bytes(), 6, mtime=0)


site = functools.partial(serving, handler=Packed)
chromium = functools.partial(find_chromium.chromium, whole=True)


def live(folder=HTML, visits=7):
    """Time from navigation to live figures, on this machine and on a slow line; first visits.

    A figure can be dragged before it is complete: what is behind its button is built when the browser is at leisure.
    """
    table = Table(
        "From navigation to a live explorable (ms), first visit, medians",
        ["page", "line", "first drag", "first whole", "all whole", "paint", "slowest of all", "first drag ≤"],
        note=(
            "10 Mbit/s with 60 ms a request is emulated by Chromium (Network.emulateNetworkConditions): no lost "
            "packets, no slow start, no name look-up. Each visit has a context, so a cache, of its own."
        ),
    )
    with site(folder) as address, chromium() as browser:
        for path in with_figures(folder):
            for name, line in [("loopback", None), ("10 Mbit/s, 60 ms", LINE)]:
                visit(browser, address + path, line)  # warm-up
                columns = list(
                    zip(*(visit(browser, address + path, line) for _ in range(visits)), strict=True)
                )
                numbers = [*map(statistics.median, columns), max(columns[2])]
                row = [path, name, *(f"{number:.0f}" for number in numbers), "400" if line else ""]
                table.rows.append(row)
    return table


def visit(browser, address, line, tries=4):
    """Milliseconds until the first figure can be dragged, it is whole, all figures are, and the first paint."""
    from playwright.sync_api import TimeoutError as PlaywrightTimeout

    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.add_init_script(f"({WATCH})()")
    if line:
        client = page.context.new_cdp_session(page)
        client.send("Network.enable")
        client.send("Network.emulateNetworkConditions", line)
    page.set_default_timeout(15_000)
    paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
    try:
        page.goto(address, wait_until="domcontentloaded")
        page.wait_for_function(f"() => window.live.all && {paint}")
        return page.evaluate(f"[live.hand, live.first, live.all, {paint}]")
    except PlaywrightTimeout:  # Chromium's throttle now and then never delivers a file
        if tries == 1:
            raise
    finally:
        page.context.close()
    return visit(browser, address, line, tries - 1)


# For each of many slider positions: the time until the picture's elements hold the new numbers and are laid out.
SWEEP = """async (count) => {
  const root = document.querySelector("[data-explorable]");
  const input = root.querySelector("input[type=range][name='nudge'], input[type=range][name='window']");
  const [low, high, step] = [Number(input.min), Number(input.max), Number(input.step)];
  const times = [];
  for (let index = 0; index < count; index++) {
    await new Promise(requestAnimationFrame);
    input.value = low + step * ((index * 7 + 3) % (Math.round((high - low) / step) + 1));
    const start = performance.now();
    input.dispatchEvent(new Event("input", { bubbles: true }));
    root.getBoundingClientRect();
    times.push(performance.now() - start);
  }
  return times;
}"""


def slider(count=300):
    """From a slider's event to the new picture, for 4 to 64 tokens, closed and opened."""
    from attn.explore import Masking
    from bookext.standalone import page as standalone

    table = Table(
        "From a slider's event to the picture (ms), Masking",
        ["tokens", "state", "p50", "p95", "target p95"],
        note=f"{count} positions each, until the browser has laid the page out again.",
    )
    rng = np.random.default_rng(0)
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "figure.html")
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        for n, opened in [(4, False), (4, True), (8, False), (8, True), (16, False), (64, False)]:
            q, k, v = rng.normal(size=(3, n, 4)).round(1)
            extra = {"preset": "window"} if n > 8 else {"order": "after"}
            figure = Masking(tokens=[f"t{i}" for i in range(n)], q=q, k=k, v=v, opened=opened, **extra)
            path.write_text(standalone([figure]), encoding="utf-8")
            page.goto(path.as_uri())
            page.wait_for_selector("[data-ready]")
            page.evaluate(SWEEP, 40)  # warm-up
            shares = np.percentile(page.evaluate(SWEEP, count), [50, 95])
            target = {8: "4", 64: "16"}.get(n, "")
            table.rows.append(
                [str(n), "opened" if opened else "first", *(f"{share:.2f}" for share in shares), target]
            )
    return table


KINDS = ["document", "stylesheet", "script", "font", "image"]  # as Playwright calls them


def weight(folder=HTML):
    """Bytes over the wire for a first visit: what the page really asks for, gzipped as a usual host does."""
    table = Table(
        "A first visit over the wire (KB = 1000 bytes; text gzipped -6)",
        ["page", *KINDS, "other", "requests", "all", "target"],
        note="Headers are not counted.",
    )
    with site(folder) as address, chromium() as browser:
        for path in pages(folder):
            page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
            asked = []
            page.on("requestfinished", lambda one, asked=asked: asked.append(one))
            page.goto(address + path, wait_until="networkidle")
            sizes = [(one.resource_type, one.sizes()["responseBodySize"]) for one in list(asked)]
            page.context.close()
            kinds = [sum(size for kind, size in sizes if kind == wanted) for wanted in KINDS]
            whole = sum(size for _, size in sizes)
            numbers = [f"{size / 1000:.1f}" for size in (*kinds, whole - sum(kinds))]
            table.rows.append([path, *numbers, str(len(sizes)), f"{whole / 1000:.0f}", "300"])
    return table


SECTIONS = [live, slider, weight]
