"""One function a command; the first line of its docstring is what `make help` says about it."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time

from tools import environment, progress, pythons
from tools.environment import ROOT, python, run, scripts, variables

BUILT = ROOT / "_build"
#: Where JavaScript is.
HOUSE = ("attn", "bookext", "tests", "tools")
HTML = BUILT / "html"
PDF = "attention-by-hand.pdf"  # in the book's folder, where pages link it
ARCHIVE = BUILT / "attention-by-hand.zip"
COUNTED = ["-o", "console_output_style=count"]
STRICT = ["--offline", "--quiet", "--persona=pedantic", "--format=github"]  # zizmor: a line a finding
CACHES = [".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".jupyter_cache"]


def setup(arguments):
    """make .venv and fill it from requirements.txt (all other commands do this by themselves)"""


def serve(arguments):
    """build the book and show it at an address of this machine (PORT=… if not 8000)"""
    from tools import server

    parser = argparse.ArgumentParser(prog="serve")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    options = parser.parse_args(arguments)
    if build() != 0:
        if not (HTML / "index.html").exists():
            return 1
        print("The book is shown as far as it was built.")
    return server.serve(HTML, options.port, browser=not options.no_browser)


def book(arguments):
    """build the book into _build/html; a warning is an error"""
    return build(*arguments)


def pdf(arguments):
    """build the book, print it to a PDF, which its pages link, and test that"""
    if code := build(*arguments, pdf=True) or run(python(), "-m", "tools.pdf"):
        return code
    os.environ |= {"ATTN_PRINTED": str(HTML / PDF), "ATTN_BOOK_HTML": str(HTML), "ATTN_ALL": "1"}
    return run(python(), "-m", "pytest", "-q", "tests/paper")


def offline(arguments):
    """build the book and pack it into one archive, to be read anywhere"""
    return build(*arguments) or run(python(), "-m", "tools.archive")


def build(*arguments, output=ROOT, quiet=False, pdf=False):
    """Build all pages and return the exit code; on failure, print the warnings.

    With `pdf` the pages link the book's PDF, which is printed afterwards.

    All pages, each time: Sphinx tells a page's warnings only when it reads that page, so a second build after
    a failed one would pass. Notebooks that have not changed come from the cache all the same.
    """
    start = time.perf_counter()
    folder = output / "_build"
    folder.mkdir(parents=True, exist_ok=True)
    settings = {**variables(), "ATTN_PDF": PDF if pdf else ""}
    log, warnings = folder / "book.log", folder / "book-warnings.log"
    strict = ["--all", "-W", "-n", "--keep-going"]
    command = [scripts() / "jupyter-book", "build", ROOT, "--path-output", output, *strict, *arguments]
    with log.open("w", encoding="utf-8") as out, warnings.open("w", encoding="utf-8") as err:
        code = progress.build([str(part) for part in command], out, err, cwd=ROOT, env=settings, quiet=quiet)
    seconds = time.perf_counter() - start
    if code:
        print(complaints(warnings.read_text(encoding="utf-8")), file=sys.stderr)
        print(f"The book has errors or warnings; all of the log is in {log}", file=sys.stderr, flush=True)
    elif not quiet:
        print(
            *re.findall(
                r"^(?:Python in the page|Search): .*\n", log.read_text(encoding="utf-8"), re.MULTILINE
            ),
            sep="",
            end="",
        )
        print(f"Built {(folder / 'html' / 'index.html')} in {seconds:.0f} s", flush=True)
    return code


def complaints(text):
    """What a writer can use of a build's warnings: not where in Jupyter Book the build stopped."""
    text = re.sub(r"\x1b\[[0-9;]*m|^\[IPKernelApp\].*\n", "", text, flags=re.MULTILINE)
    warnings = re.split(r"^Traceback ", text, maxsplit=1, flags=re.MULTILINE)[0]
    cell = re.search(r"An error occurred while executing.*?(?=\nThe above exception)", text, re.DOTALL)
    return "\n\n".join(filter(None, [warnings.strip(), cell and cell.group().strip()])) or text


def test(arguments):
    """lint, build, test; ALL=1 everything; ARGS="tests/unit -k mask" that alone; ENGINES=all|some"""
    parser = argparse.ArgumentParser(prog="test", add_help=False, allow_abbrev=False)
    parser.add_argument("--engines", choices=["some", "all"])
    parser.add_argument("--all", action="store_true")
    options, arguments = parser.parse_known_args(arguments)
    if options.all:
        os.environ["ATTN_ALL"] = "1"
    if options.engines:
        os.environ["ATTN_ENGINES"] = options.engines
    engines = [] if options.engines else ["--ignore", "tests/engines"]
    parts = progress.parts(*([] if arguments else ["Lint"]), "Build", "Browser", "Tests")
    if arguments and not any(re.search("browser|engines", argument) for argument in arguments):
        return run(python(), "-m", "pytest", *arguments)
    if not arguments:
        next(parts)
        if lint([]):
            return 1
    next(parts)
    # At night each notebook runs anew; else the last run of the same sources is compared.
    if options.all:
        shutil.rmtree(BUILT / ".jupyter_cache", ignore_errors=True)
    if build():
        return 1
    next(parts)
    # Found, and installed if need be, once and here: the tests run in several processes.
    search = [python(), "-m", "tools.find_chromium"]
    browser = subprocess.run(search, cwd=ROOT, env=variables(), stdout=subprocess.PIPE, text=True)
    if browser.returncode:
        return 1
    print(f"Browser: {browser.stdout.strip()}", flush=True)
    os.environ["ATTN_CHROMIUM"] = browser.stdout.strip()
    os.environ["ATTN_BOOK_HTML"] = str(HTML)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # more threads than cores wait for each other
    # One more than cores: a test in a browser waits for its frames most of the time.
    workers = min(6, (os.cpu_count() or 2) + 1)
    everything = ["tests", *engines, "--numprocesses", workers, "--dist", "loadscope"]
    next(parts)
    return run(python(), "-m", "pytest", *COUNTED, *(arguments or everything))


def lint(arguments):
    """check style, type hints and the workflow; FIX=1 mends what can be mended"""
    parser = argparse.ArgumentParser(prog="lint")
    parser.add_argument("--fix", action="store_true", help="mend what can be mended")
    fix = parser.parse_args(arguments).fix
    ruff = [python(), "-m", "ruff"]
    checked = run(*ruff, "check", "--quiet", *(["--fix"] if fix else []))
    formatted = run(*ruff, "format", "--quiet", *([] if fix else ["--check", "--diff"]))
    linted = run(scripts() / "oxlint", "--quiet", *(["--fix"] if fix else []), *HOUSE)
    shaped = run(scripts() / "oxfmt", *([] if fix else ["--list-different"]), *HOUSE)
    # What an outsider could abuse in the workflow; it asks nobody, so it says the same tomorrow.
    abused = run(scripts() / "zizmor", *STRICT, ROOT / ".github")
    typed = run(python(), "-m", "mypy", "--no-error-summary")
    if any((checked, formatted, linted, shaped, abused, typed)):
        print("Lint: not clean. `make lint FIX=1` mends what can be mended.", file=sys.stderr)
        return 1
    print("Lint: clean", flush=True)
    return 0


def notebooks(arguments):
    """run all chapters anew and store their outputs, cleaned; CHECK=1 only tells the differences"""
    return run(python(), "-m", "tools.notebooks", *arguments)


def lab(arguments):
    """open copies of the chapters in JupyterLab, yours to change; ARGS=--edit the chapters themselves"""
    return run(python(), "-m", "tools.lab", *arguments)


def bench(arguments):
    """measure, and print tables; ARGS=heads measures that part alone"""
    return run(python(), "-m", "tools.bench", *arguments)


def corpus(arguments):
    """freeze the book's prose, which chapter 7 counts"""
    return run(python(), "-m", "tools.corpus", *arguments)


def sentences(arguments):
    """count the sentences that nobody has read; PAGE=… shows them"""
    return run(python(), "-m", "tools.sentences", *arguments)


def worksheet(arguments):
    """write by-hand worksheets and keys to print; SEED=… draws the numbers, CHAPTER=…, COUNT=…"""
    return run(python(), "-m", "attn.practice.worksheets", "--folder", BUILT / "worksheets", *arguments)


def tally(arguments):
    """print who passed what, from files that were handed in: FILES="a.json b.json", CSV=class.csv"""
    return run(python(), "-m", "tools.tally", *arguments)


def lock(arguments):
    """compile requirements.txt from pyproject.toml; UPGRADE=1 moves to the newest versions"""
    target = ["--universal", "--python-version", pythons.versions()[-1]]
    style = ["--no-header", "--annotation-style", "line"]
    command = [python(), "-m", "uv", "pip", "compile", "--quiet", *target, *style, *arguments]
    if run(*command, "-", "--group", "dev", "-o", "requirements.txt", input=b"-e .\n"):
        return 1
    environment.ensure()
    return 0


def clean(arguments):
    """remove what was built, and caches; ALL=1 removes .venv too"""
    parser = argparse.ArgumentParser(prog="clean")
    parser.add_argument("--all", action="store_true", help="remove .venv too")
    everything = parser.parse_args(arguments).all
    for name in ["_build", "mutants", *CACHES]:
        shutil.rmtree(ROOT / name, ignore_errors=True)
    for folder, names, _ in os.walk(ROOT):
        names[:] = [name for name in names if name not in (".venv", ".git", "my_notebooks")]
        for name in [name for name in names if name in ("__pycache__", ".ipynb_checkpoints", *CACHES)]:
            shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
            names.remove(name)
    if everything:
        shutil.rmtree(ROOT / ".venv", ignore_errors=True)
    return 0


def help(arguments=()):  # noqa: A001 - the command's name
    """say what the commands are"""
    print("make NAME, or without make: python -m tools NAME")
    for aim, functions in GROUPS.items():
        print(f"\n{aim}")
        for command in functions:
            print(f"  {command.__name__:<10} {command.__doc__.splitlines()[0]}")


GROUPS = {  # by what a person wants
    "Read": (serve, lab, worksheet, tally),
    "Change": (notebooks, sentences, corpus),
    "Check": (test, lint, bench),
    "Publish": (book, pdf, offline),
    "Keep house": (setup, lock, clean, help),
}
COMMANDS = {command.__name__: command for functions in GROUPS.values() for command in functions}


def main(arguments=None):
    """Run the command that the arguments name; return an exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    name, *rest = arguments or ["help"]
    if name not in COMMANDS:
        help()
        print(f"\nThere is no command {name!r}.", file=sys.stderr)
        return 2
    try:
        if name not in ("clean", "help"):
            environment.ensure()
        return COMMANDS[name](rest) or 0
    except environment.SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print()
        return 130
