"""What a phone's processor has to do for a page, by Lighthouse, which comes from npm, pinned (bookext/npm.py).

Its times are of this machine slowed down by what it calls a mid-tier phone, and vary from run to run. Three pages are
measured, or those that are named: `make bench ARGS="lighthouse --pages index,chapters/07_pmi"`.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from bookext import npm
from bookext.formulas import node_executable
from tools.bench_browser import chromium, site
from tools.bench_table import Table
from tools.commands import HTML
from tools.find_chromium import find_or_install

PACKAGE = "lighthouse@12.8.2"
AUDITS = {
    "total-blocking-time": "blocked, ms",
    "largest-contentful-paint": "largest paint, ms",
    "cumulative-layout-shift": "shift",
    "dom-size": "elements",
}
RUNS = 3
PAGES = ["index", "chapters/00_attention", "chapters/03_masking"]
LIMIT = 120  # seconds that Lighthouse may take for one run; it takes some twenty
PHONE = {"width": 412, "height": 823}  # as Lighthouse has it
COUNT = "requestAnimationFrame(() => { window.elementsAtPaint = document.querySelectorAll('*').length; });"


def measured(modules, address):
    """What Lighthouse says of a page: its score of 100, and a number for each audit."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        program = [node_executable(), modules / "lighthouse" / "cli" / "index.js", address, "--quiet"]
        options = ["--output=json", f"--output-path={report}", "--only-categories=performance"]
        chrome = "--chrome-flags=--headless=new --no-sandbox --disable-gpu"
        environment = {**os.environ, "CHROME_PATH": find_or_install(whole=True)}
        done = subprocess.run(
            [*program, *options, chrome], capture_output=True, text=True, env=environment, timeout=LIMIT
        )
        if not report.exists():
            raise RuntimeError(f"Lighthouse failed: {done.stderr[-1000:]}")
        said = json.loads(report.read_text(encoding="utf-8"))
    found = [said["audits"][name] for name in AUDITS]
    if troubles := [audit.get("errorMessage") for audit in found if audit.get("numericValue") is None]:
        raise RuntimeError(f"Lighthouse could not measure {address}: {troubles}")
    return [100 * said["categories"]["performance"]["score"], *(audit["numericValue"] for audit in found)]


def at_first_paint(browser, address):
    """How many elements a page has when a phone first shows something of it."""
    page = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True).new_page()
    page.add_init_script(COUNT)
    page.goto(address)
    count = page.wait_for_function("() => window.elementsAtPaint").json_value()
    page.context.close()
    return count


def lighthouse(folder=HTML, names=PAGES):
    """A phone, as Lighthouse emulates it: how long the page is deaf, its elements, the largest paint, shifts."""
    paths = [f"{name.removesuffix('.html')}.html" for name in names]
    if unknown := [path for path in paths if not (Path(folder) / path).is_file()]:
        raise ValueError(f"no page {', '.join(unknown)} in {folder}")
    table = Table(
        f"A phone's processor, by Lighthouse, medians of {RUNS}",
        ["page", "score", *AUDITS.values(), "at first paint", "blocked ≤", "at first paint ≤"],
        note="The pages are served gzipped from this machine.",
    )
    try:
        modules = npm.install("lighthouse", PACKAGE)
    except npm.NotInstalled as error:
        table.note = f"Not measured: {error}"
        return table
    with site(folder) as address, chromium() as browser:
        for path in paths:
            runs = []
            for run in range(1, RUNS + 1):
                print(f"Lighthouse: {path}, run {run} of {RUNS}", file=sys.stderr, flush=True)
                runs.append(measured(modules, address + path))
            medians = map(statistics.median, zip(*runs, strict=True))
            numbers = [f"{x:.3f}" if 0 < x < 1 else f"{x:.0f}" for x in medians]
            first = str(at_first_paint(browser, address + path))
            most = "300" if path == "index.html" else "600"
            table.rows.append([path, *numbers, first, most, "3000"])
    return table
