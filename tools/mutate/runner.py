"""Shows mutants to tests: a copy of the book for each process, so that the book itself is only read."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tools.environment import ROOT
from tools.mutate.areas import PLAIN, trials

PLACE = ROOT / "_build" / "mutate"
SECONDS = 120  # of processor time: a run that takes more does not end
FAILED = re.compile(r"^(?:FAILED|ERROR) ([^\[\n]+?(?:\[.*\])?)(?: - .*)?$", re.MULTILINE)


def copy_of_the_book(folder):
    """All files that belong to the book, in `folder`."""
    shutil.rmtree(folder, ignore_errors=True)
    answer = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in filter(None, answer.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


# What the tests of an area import, beside what all do: imported once.
WARM = {
    "mathematics": ["matplotlib.pyplot"],
    "figures": ["matplotlib.pyplot", "anywidget"],
    "javascript": ["matplotlib.pyplot", "anywidget", "playwright.sync_api"],
}


class Runner:
    """One copy of the book, and a process that runs tests on it."""

    def __init__(self, area, number):
        self.folder = copy_of_the_book(PLACE / f"book-{area}-{number}")
        self.html = None
        if area == "javascript":
            self.html = PLACE / f"html-{number}"
            shutil.rmtree(self.html, ignore_errors=True)
            shutil.copytree(ROOT / "_build" / "html", self.html)
        self.sound = {}  # a failed test, or a run -> whether it passes without a mutant
        settings = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        settings |= {
            "PYTHONPATH": str(self.folder),  # goes before the installed package
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        # The worker's own text comes from the book, all else that it imports from its copy.
        self.process = subprocess.Popen(
            [sys.executable, "-P", Path(__file__).with_name("worker.py"), *WARM.get(area, [])],
            cwd=self.folder,
            env=settings,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def close(self):
        self.process.stdin.close()
        self.process.wait()

    def run(self, arguments):
        """Run pytest on the copy: its exit code (None: it did not end), and what it printed."""
        where = ["--rootdir", str(self.folder), "-c", str(self.folder / "pyproject.toml")]
        variables = {"ATTN_BOOK_HTML": str(self.html)} if self.html else {}
        order = {"run": [*PLAIN, *where, *arguments], "seconds": SECONDS, "variables": variables}
        print(json.dumps(order), file=self.process.stdin, flush=True)
        found = json.loads(self.process.stdout.readline())
        return found["code"], found["said"]

    def passes(self, arguments):
        """Whether a run passes without a mutant: one that fails all the same sees nothing."""
        key = tuple(arguments)
        if key not in self.sound:
            self.sound[key] = self.run(arguments)[0] == 0
        return self.sound[key]

    def write(self, mutant, text):
        (self.folder / mutant.file).write_text(text, encoding="utf-8")

    def show(self, mutant, record):
        """What sees the mutant: a test's name, or "" for a survivor; and tests that fail without a mutant, too."""
        text = (self.folder / mutant.file).read_text(encoding="utf-8")
        changed = mutant.applied(text)
        pages = pages_with(self.html, mutant, text, changed) if self.html else {}
        broken, waiting = [], trials(mutant, record)
        while waiting:
            arguments = waiting.pop(0)
            self.write(mutant, changed)
            for path, (_, new) in pages.items():
                path.write_text(new, encoding="utf-8")
            try:
                code, said = self.run(arguments)
            finally:
                self.write(mutant, text)
                for path, (old, _) in pages.items():
                    path.write_text(old, encoding="utf-8")
            if code in (0, 5):  # all passed; none was chosen
                continue
            failed = FAILED.findall(said)
            if code is None and self.passes(arguments):
                return "does not end", broken
            one = bool(failed) and failed[0].startswith("tests/")
            if self.passes(failed[:1] if one else arguments):
                return failed[0] if failed else f"pytest's exit code {code}", broken
            broken.append(failed[0] if failed else " ".join(arguments))
            if one and len(broken) < 5:  # the tests behind it have not been asked
                waiting.insert(0, [*arguments, "--deselect", failed[0]])
        return "", broken


def joined(text):
    """A module's text as the pages carry it."""
    from attn.explore import _base

    return _base._DEFAULT.sub("return ", _base._EXPORT.sub("", _base._IMPORT.sub("", text)))


def pages_with(html, mutant, text, changed):
    """The scripts of the built book that hold a module, as {path: (text before, text with the mutant)}."""
    if not mutant.file.endswith(".js"):
        return {}
    before, after = joined(text), joined(changed)
    found = {}
    for path in sorted(html.glob("_static/explorables.*.js")):
        script = path.read_text(encoding="utf-8")
        if before in script:
            found[path] = script, script.replace(before, after)
    if not found:
        raise SystemExit(f"{mutant.file} is not in the built book as it stands: run `make book` first")
    return found
