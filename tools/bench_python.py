"""What a reader waits for who runs a cell in the page: until its output stands, and for how many megabytes."""

import statistics
import threading
import time

from tools.bench_browser import Packed, chromium
from tools.bench_table import Table
from tools.commands import HTML
from tools.server import serving

PAGE, RATE, LATENCY = (
    "chapters/03_masking.html",
    10e6 / 8,
    0.06,
)  # bytes a second, and seconds before an answer
PRESS = """async (n) => {
  const bar = document.querySelectorAll(".abh-run")[n];
  for (let part = bar; part; part = part.parentElement) if (part.localName === "details") part.open = true;
  const begun = performance.now();
  bar.querySelector("button").click();
  const says = () => bar.closest(".cell").querySelector(".abh-ran-says")?.textContent ?? "";
  while (!says().startsWith("Ran here")) {
    if (/ended|failed/.test(says()) || performance.now() - begun > 180_000) throw new Error(says());
    await new Promise((next) => setTimeout(next, 5));
  }
  return [performance.now() - begun, 1000 * Number(/in ([\\d.]+) s/.exec(says())[1])];
}"""


class Line(Packed):
    """A slow line: 10 Mbit/s for all answers together, and 60 ms before each. A worker's requests take it, too."""

    lock, free, sent = threading.Lock(), 0.0, 0
    slow = True

    def do_GET(self):
        if self.slow:
            time.sleep(LATENCY)
        super().do_GET()

    def copyfile(self, source, outputfile):
        while part := source.read(16_384):
            self.wait(len(part))
            outputfile.write(part)

    @classmethod
    def wait(cls, size):
        with cls.lock:
            cls.sent += size
            cls.free = max(cls.free, time.monotonic()) + (size / RATE if cls.slow else 0)
            until = cls.free
        time.sleep(max(until - time.monotonic(), 0))


def python(folder=HTML, visits=3):
    """From a press on *Run* to the cell's output, on a new device and on one that has been here before."""
    table = Table(
        "Python in the page: seconds from a press on Run to the output, medians",
        ["line", "visit", "MB sent", "first cell", "≤", "next cell", "of it Python"],
        note="The first cell runs what stands before it on the page. MB are of all files that Python brings.",
    )
    for name, slow, goals in [("loopback", False, ("", "3")), ("10 Mbit/s, 60 ms", True, ("12", ""))]:
        Line.slow = slow
        first, again = [], []
        with serving(folder, handler=Line) as address, chromium() as browser:
            for _ in range(visits):
                context = browser.new_context(viewport={"width": 1280, "height": 800})
                for found in (first, again):
                    page = context.new_page()
                    page.set_default_timeout(240_000)
                    page.goto(address + PAGE, wait_until="networkidle")
                    before = Line.sent
                    cold = page.evaluate(PRESS, 1)
                    sent = (Line.sent - before) / 1e6
                    found.append((sent, cold[0], *page.evaluate(PRESS, 2)))
                    page.close()
                context.close()
        for visit, found, goal in zip(("first", "next"), (first, again), goals, strict=True):
            sent, press, following, own = (statistics.median(column) for column in zip(*found, strict=True))
            row = [f"{sent:.1f}", f"{press / 1000:.1f}", goal, f"{following / 1000:.2f}", f"{own / 1000:.2f}"]
            table.rows.append([name, visit, *row])
    return table


SECTIONS = [python]
