"""What a phone's processor has to do for a page, by Lighthouse, beside a stock Jupyter Book with the same text.

Lighthouse comes from npm, pinned (tools/npm.py). Its times are of this machine slowed down by what it
calls a mid-tier phone, and vary from run to run: so each page of the book is measured in turn with its stock twin.
Three pages are measured, or those that are named: `make bench ARGS="lighthouse --pages index,chapters/07_pmi"`.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

from bookext.formulas import node_executable
from tools import npm
from tools.bench_browser import chromium, site
from tools.bench_table import Table
from tools.commands import HTML
from tools.environment import ROOT, scripts
from tools.find_chromium import find_or_install

PACKAGES = ["lighthouse@12.8.2", "mathjax@3.2.2"]  # the second is what a stock page gets from elsewhere
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


def stock(modules, target):
    """Build the book's text with Jupyter Book as it comes: without the extension, with the outputs that are stored."""
    settings = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    settings["execute"] = {"execute_notebooks": "off"}
    del settings["html"]
    settings["sphinx"] = {
        "extra_extensions": ["sphinx_exercise"],
        "config": {
            "bibtex_reference_style": "author_year",
            "html_static_path": ["from_npm"],
            "mathjax_path": "mathjax/tex-mml-chtml.js",  # the same file, from this machine
        },
    }
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "book"
        shutil.copytree(ROOT / "chapters", source / "chapters")
        shutil.copytree(modules / "mathjax" / "es5", source / "from_npm" / "mathjax")
        for name in ("index.md", "_toc.yml", "references.bib"):
            shutil.copy(ROOT / name, source)
        (source / "_config.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
        # It warns of the book's own directives.
        command = [scripts() / "jupyter-book", "build", source, "--quiet", "--path-output", target]
        done = subprocess.run(command, capture_output=True, text=True)
    html = target / "_build" / "html"
    if not (html / "index.html").exists():
        raise RuntimeError(f"the stock book was not built: {done.stderr[-1000:]}")
    return html


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
        "A phone's processor, by Lighthouse, medians of 3; and beside it a stock Jupyter Book of the same text",
        ["page", "book", "score", *AUDITS.values(), "at first paint", "blocked ≤", "at first paint ≤"],
        note="Both are served gzipped from this machine. The stock book's figures are still pictures.",
    )
    try:
        modules = npm.install("lighthouse", *PACKAGES)
    except npm.NotInstalled as error:
        table.note = f"Not measured: {error}"
        return table
    with tempfile.TemporaryDirectory() as work:
        stock_book = stock(modules, Path(work))
        with site(folder) as ours, site(stock_book) as theirs, chromium() as browser:
            for path in paths:
                books = {"ours": ours + path, "stock": theirs + path}
                runs = {name: [] for name in books}
                for place in range(RUNS):
                    for name, address in books.items():
                        print(
                            f"Lighthouse: {path}, {name}, run {place + 1} of {RUNS}",
                            file=sys.stderr,
                            flush=True,
                        )
                        runs[name].append(measured(modules, address))
                for name, address in books.items():
                    medians = map(statistics.median, zip(*runs[name], strict=True))
                    numbers = [f"{x:.3f}" if 0 < x < 1 else f"{x:.0f}" for x in medians]
                    most = ["300" if path == "index.html" else "600", "3000"] if name == "ours" else ["", ""]
                    table.rows.append([path, name, *numbers, str(at_first_paint(browser, address)), *most])
    return table


SECTIONS = [lighthouse]
