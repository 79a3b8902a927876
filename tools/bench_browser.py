"""What a reader waits for, in Chromium: until a figure lives, until the picture follows, for how many bytes."""

import functools
import gzip
import statistics
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

from tools.bench_table import Table
from tools.commands import HTML
from tools.find_chromium import FLAGS, find_or_install
from tools.server import Handler, Server

LINE = {"offline": False, "latency": 60, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8}
PACKED = {
    ".html",
    ".css",
    ".js",
    ".svg",
    ".json",
}  # what a usual host sends gzipped; fonts and pictures are packed
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


@contextmanager
def site(folder):
    with Server(("127.0.0.1", 0), functools.partial(Packed, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextmanager
def chromium():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_or_install(whole=True), args=FLAGS)
        yield browser
        browser.close()


def live(folder=HTML, visits=7):
    """Time from navigation to live figures, on this machine and on a slow line; first visits.

    A figure can be dragged before it is complete: what is behind its button is built when the browser is at leisure.
    """
    table = Table(
        "From navigation to a live explorable (ms), first visit, medians",
        ["page", "line", "first drag", "first whole", "all whole", "slowest of all", "paint", "first drag ≤"],
        note=(
            "10 Mbit/s with 60 ms a request is emulated by Chromium (Network.emulateNetworkConditions): no lost "
            "packets, no slow start, no name look-up. Each visit has a context, so a cache, of its own."
        ),
    )
    with site(folder) as address, chromium() as browser:
        for path in with_figures(folder):
            for name, line in [("loopback", None), ("10 Mbit/s, 60 ms", LINE)]:
                visit(browser, address + path, line)  # warm-up
                times = [visit(browser, address + path, line) for _ in range(visits)]
                hand, first, every, paint = (statistics.median(column) for column in zip(*times, strict=True))
                slowest, target = max(time[2] for time in times), "400" if line else ""
                table.rows.append([path, name, hand, first, every, slowest, paint, target])
                table.rows[-1] = [cell if isinstance(cell, str) else f"{cell:.0f}" for cell in table.rows[-1]]
    return table


def visit(browser, address, line, tries=4):
    """Milliseconds until the first figure can be dragged, it is whole, all figures are, and the first paint.

    Chromium's throttle now and then never delivers a file: such a visit is made again.
    """
    from playwright.sync_api import TimeoutError as PlaywrightTimeout

    for _ in range(tries - 1):
        try:
            return visit_once(browser, address, line)
        except PlaywrightTimeout:
            pass
    return visit_once(browser, address, line)


def visit_once(browser, address, line):
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.add_init_script(f"({WATCH})()")
    if line:
        client = context.new_cdp_session(page)
        client.send("Network.enable")
        client.send("Network.emulateNetworkConditions", line)
    page.set_default_timeout(15_000)
    page.goto(address, wait_until="domcontentloaded")
    paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
    page.wait_for_function(f"() => window.live.all && {paint}")
    result = page.evaluate(f"[live.hand, live.first, live.all, {paint}]")
    context.close()
    return result


# For each of many slider positions: the time that the event's listeners take, that is until the picture's elements
# hold the new numbers; then the same with the layout that the browser owes; and when the next frame comes.
SWEEP = """async (count) => {
  const root = document.querySelector("[data-explorable]");
  const input = root.querySelector("input[type=range][name='nudge'], input[type=range][name='window']");
  const [low, high, step] = [Number(input.min), Number(input.max), Number(input.step)];
  const steps = Math.round((high - low) / step);
  const values = Array.from({ length: count }, (_, index) => low + step * ((index * 7 + 3) % (steps + 1)));
  const [sync, laid, framed] = [[], [], []];
  for (const value of values) {
    await new Promise(requestAnimationFrame);
    input.value = value;
    const start = performance.now();
    input.dispatchEvent(new Event("input", { bubbles: true }));
    sync.push(performance.now() - start);
    root.getBoundingClientRect();
    laid.push(performance.now() - start);
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    framed.push(performance.now() - start);
  }
  return [sync, laid, framed];
}"""


def slider(count=300):
    """From a slider's event to the new picture, for 4 to 64 tokens, closed and opened."""
    from attn.explore import Masking
    from bookext.standalone import page as standalone

    table = Table(
        "From a slider's event to the picture (ms), Masking",
        ["tokens", "state", "p50", "p95", "with layout p50", "p95", "next frame p50", "target p95"],
        note=f"{count} positions each. 'With layout' is until the browser has laid the page out again.",
    )
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        for n, opened in [(4, False), (4, True), (8, False), (8, True), (16, False), (64, False)]:
            q, k, v = rng.normal(size=(3, n, 4)).round(1)
            extra = {"preset": "window"} if n > 8 else {"order": "after"}
            figure = Masking(tokens=[f"t{i}" for i in range(n)], q=q, k=k, v=v, opened=opened, **extra)
            path = Path(folder) / f"{n}.html"
            path.write_text(standalone([figure]), encoding="utf-8")
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.goto(path.as_uri())
            page.wait_for_selector("[data-ready]")
            page.evaluate(SWEEP, 40)  # warm-up
            sync, laid, framed = page.evaluate(SWEEP, count)
            page.close()
            row = [f"{np.percentile(times, share):.2f}" for times in (sync, laid) for share in (50, 95)]
            target = {8: "4", 64: "16"}.get(n, "")
            table.rows.append(
                [str(n), "opened" if opened else "first", *row, f"{np.percentile(framed, 50):.1f}", target]
            )
    return table


# While the search runs: how long each turn of the page takes in which it works.
SEARCH = """async () => {
  const button = document.querySelector("[data-action=search]");
  const turns = [];
  button.click();
  while (button.textContent === "Stop") {
    const start = performance.now();
    await new Promise((done) => setTimeout(done));
    turns.push(performance.now() - start);
  }
  return turns;
}"""


def search():
    """How long the page is busy at a time while XorLab tries 20,000 networks."""
    from attn.explore import XorLab
    from bookext.standalone import page as standalone

    table = Table(
        "While XorLab tries 20,000 random networks: from one turn of the page to the next (ms)",
        ["switches", "turns", "p50", "p90", "longest", "target p90"],
    )
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        for switches in [{}, {"ffn": True, "second_head": True, "position": True}]:
            path = Path(folder) / "xor.html"
            path.write_text(standalone([XorLab(opened=True, **switches)]), encoding="utf-8")
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.goto(path.as_uri())
            page.wait_for_selector("[data-ready]")
            page.evaluate(SEARCH)  # warm-up
            turns = page.evaluate(SEARCH)
            page.close()
            shares = [f"{np.percentile(turns, share):.1f}" for share in (50, 90, 100)]
            table.rows.append([", ".join(switches) or "none", str(len(turns)), *shares, "50"])
    return table


KINDS = {
    "HTML": [".html"],
    "CSS": [".css"],
    "JavaScript": [".js"],
    "fonts": [".woff2", ".woff", ".ttf"],
    "pictures": [".png", ".svg", ".ico", ".webp"],
}


def weight(folder=HTML):
    """Bytes over the wire for a first visit: what the page really asks for, gzipped as a usual host does."""
    table = Table(
        "A first visit over the wire (KB = 1000 bytes; text gzipped -6)",
        ["page", *KINDS, "other", "requests", "all", "after a scroll", "target"],
        note="'After a scroll' adds the pictures that load when they come near. Headers are not counted.",
    )
    with site(folder) as address, chromium() as browser:
        for path in pages(folder):
            context = browser.new_context(viewport={"width": 1280, "height": 800})
            page = context.new_page()
            asked = {}
            page.on("request", lambda request, asked=asked: asked.setdefault(request.url.split("#")[0]))
            page.goto(address + path, wait_until="networkidle")
            at_first = sizes(folder, asked, address)
            page.evaluate("""async () => {
              for (let y = 0; y < document.body.scrollHeight; y += 600) {
                scrollTo(0, y);
                await new Promise((done) => setTimeout(done, 30));
              }
            }""")
            page.wait_for_load_state("networkidle")
            at_last = sizes(folder, asked, address)
            context.close()
            by_kind = {kind: sum(n for suffix, n in at_first if suffix in KINDS[kind]) for kind in KINDS}
            total = sum(n for _, n in at_first)
            numbers = [*by_kind.values(), total - sum(by_kind.values())]
            table.rows.append(
                [path, *(f"{n / 1000:.1f}" for n in numbers), str(len(at_first)), f"{total / 1000:.0f}"]
                + [f"{sum(n for _, n in at_last) / 1000:.0f}", "300"]
            )
    return table


def sizes(folder, asked, address):
    """(suffix, bytes on the wire) of each file asked for."""
    found = []
    for url in asked:
        if not url.startswith(address):
            continue
        path = Path(folder) / urlsplit(url).path.lstrip("/")
        size = len(packed(path)) if path.suffix in PACKED else path.stat().st_size
        found.append((path.suffix, size))
    return found


SECTIONS = [live, slider, search, weight]
