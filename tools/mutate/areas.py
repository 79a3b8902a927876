"""The areas of the book, the mutants of each, and the tests that could see a mutant."""

import ast
import json
import re
from functools import cache
from pathlib import Path

from tools.environment import ROOT
from tools.mutate import javascript, prose, python

AREAS = {
    "mathematics": "attn/: the modules of the chapters, attn/xor",
    "checkers": "attn/check",
    "figures": "attn/explore, attn/plots.py, attn/show.py, attn/stills.py: Python",
    "javascript": "attn/explore/js",
    "code": "the chapters' cells of code",
    "prose": "sentences of the pages that have a number or a strong word; the bibliography's years",
    "other prose": "all other sentences of the pages, which no entry quotes",
    "ledger": "the claims ledger, and the entries for sentences",
}
# Of the others, some attack theorems (see `attacks_on`), and the rest are about other things.
SENTENCES = "tests/claims/test_sentences.py"
MAPPED = ["tests/unit", "tests/reference", "tests/seeds", "tests/claims"]
PICTURES = ("plots", "show", "stills")
PAGES = ["chapters/**/*.ipynb", "chapters/**/*.md", "index.md"]
EVERY_CHECKER = "tests/unit/test_every_checker.py"
HINTS = "tests/unit/test_what_hints_say.py"
CHECKERS = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/unit/test_check_*.py"))
UNMAPPED = [EVERY_CHECKER, *CHECKERS]  # which a checker's mutants are shown anyway
CONTROLS = "tests/unit/test_controls_table.py"
PICTURES_DRAWN = "tests/unit/test_pictures.py"
PACKAGE = "tests/unit/test_package.py"  # for a module that does nothing but import and name
BATCH = 40  # tests that are shown a mutant in one run
MOST = 160
PLAIN = ["-x", "-q", "--tb=line", "-p", "no:cacheprovider", "--no-header"]


def files(area):
    """The files of an area, from the top folder."""

    def found(*patterns):
        return sorted({path for pattern in patterns for path in ROOT.glob(pattern)})

    paths = {
        "mathematics": lambda: [
            path for path in found("attn/*.py", "attn/xor/*.py") if path.stem not in PICTURES
        ],
        "checkers": lambda: found("attn/check/**/*.py"),
        "figures": lambda: found("attn/explore/*.py", *(f"attn/{name}.py" for name in PICTURES)),
        "javascript": lambda: found("attn/explore/js/**/*.js"),
        "code": lambda: found("chapters/**/*.ipynb"),
        "prose": lambda: found(*PAGES, "references.bib"),
        "other prose": lambda: found(*PAGES),
        "ledger": lambda: found("ledger/claims.toml", "ledger/sentences/**/*.toml"),
    }[area]()
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def install(area):
    """What an area's mutants need; a sentence if it can't be had."""
    if area == "javascript":
        return javascript.install()
    if area in ("mathematics", "checkers", "figures", "code"):
        python.install()
    return None


def mutants(area, only=""):
    """All mutants of an area, or of those of its files alone whose path the pattern finds."""
    texts = {file: text for file, text in files(area).items() if re.search(only, file)}
    if area == "javascript":
        return javascript.mutants(area, texts)
    if area in ("mathematics", "checkers", "figures"):
        return python.mutants(area, [(file, "", text) for file, text in texts.items()])
    if area == "code":
        return python.mutants(
            area, [(file, *cell) for file, text in texts.items() for cell in code_cells(text)]
        )
    prose_of = {".ipynb": prose.of_notebook, ".bib": prose.of_bibliography, ".toml": prose.of_ledger}
    found = [
        mutant
        for file, text in texts.items()
        for mutant in prose_of.get(Path(file).suffix, prose.mutants)(area, file, text)
    ]
    if area in ("prose", "other prose"):
        return [mutant for mutant in found if prose.is_read(mutant, texts[mutant.file]) == (area == "prose")]
    return found


def code_cells(text):
    """The cells of a notebook that are plain Python: (id, text)."""
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and not re.search(r"^\s*[%!]", source, re.MULTILINE):
            yield cell["id"], source


def makes_sense(mutant):
    """Whether a program could be started with it; prose takes anything."""
    if mutant.area not in ("mathematics", "checkers", "figures", "code"):
        return True
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    if mutant.cell:
        (cell,) = [cell for cell in json.loads(text)["cells"] if cell.get("id") == mutant.cell]
        text = "".join(cell["source"])
    return python.parses(mutant, text)


# ---------------------------------------------------------------- which tests


def trials(mutant, record):
    """Runs of pytest (lists of arguments), in the order in which they are likely to see a mutant."""
    if mutant.area == "checkers":
        return by_name(mutant)
    if mutant.area == "mathematics":
        return by_line(mutant, record)
    if mutant.area == "figures":
        tables = [[CONTROLS], [SENTENCES, "-k", "beside_the_pages"]] if "explore" in mutant.file else []
        return tables + by_line(mutant, record) + by_picture(mutant)
    if mutant.area == "javascript":
        return by_figure(mutant)
    claims = reading_tests(mutant.file)
    if Path(mutant.file).suffix == ".bib":
        return [["tests/claims/test_citations.py"], claims]
    if "ledger/sentences" in mutant.file:
        return [[SENTENCES, "-k", Path(mutant.file).stem]]
    if mutant.file.endswith("claims.toml"):
        return [["tests/claims/test_claims.py", "tests/claims/test_numbers_of_claims.py"], claims]
    if mutant.area in ("prose", "other prose"):
        return [[SENTENCES, "-k", Path(mutant.file).stem], claims]
    if mutant.area == "code":
        nbval = ["-p", "nbval.plugin", "--nbval", "--nbval-current-env", "--nbval-cell-timeout", "300"]
        return [[mutant.file, *nbval], claims]
    return [claims]


@cache
def reading_tests(file):
    """The tests of the ledger, and those that read what this chapter says."""
    found = []
    for path in sorted((ROOT / "tests" / "claims").glob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        named = re.findall(r"\w+\.ipynb", text)  # a test of one chapter says which
        if re.search(r"ledger|pages|ipynb", text) and (
            not named or Path(file).name in named or "glob" in text
        ):
            found.append(path.relative_to(ROOT).as_posix())
    return found


def by_line(mutant, record):
    """The tests that ran its line when the map was made, the most particular first; else those of its file."""
    lines = record["lines"].get(mutant.file, {})
    here = {test for line in mutant.lines for test in lines.get(str(line), ())}
    near = {test for tests in lines.values() for test in tests} - here
    share = {}
    for other in record["lines"].values():
        for tests in other.values():
            for test in tests:
                share[test] = share.get(test, 0) + 1

    def order(tests):
        return sorted(
            tests, key=lambda test: (record["seconds"][test] > 5, share[test], record["seconds"][test])
        )

    chosen = [record["tests"][test] for test in (order(here) + order(near))[:MOST]] or [PACKAGE]
    return [chosen[start : start + BATCH] for start in range(0, len(chosen), BATCH)] + attacks_on(mutant.file)


@cache
def attacks_on(file):
    """The files of tests/falsify that import from a module, or from its package: a run for each, since they search."""
    module = ".".join(Path(file).with_suffix("").parts).removesuffix(".__init__")
    package = module.rpartition(".")[0]
    names = [module] if package == "attn" else [module, package]
    word = re.compile(rf"\b({'|'.join(map(re.escape, names))})\b")
    found = sorted((ROOT / "tests" / "falsify").glob("test_*.py"))
    return [
        [path.relative_to(ROOT).as_posix()] for path in found if word.search(path.read_text(encoding="utf-8"))
    ]


FIGURE = re.compile(r"^(?:def|class) (\w+)", re.MULTILINE)
FEW = 4


def by_picture(mutant):
    """The notebooks whose pictures its function or class draws: those that name it; else some that draw anything."""
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    heads = [match for line in text.splitlines()[: mutant.line] if (match := FIGURE.match(line))]
    every = FIGURE.findall(text)
    codes = {
        path: "\n".join(source for _, source in code_cells(text))
        for path, text in files("code").items()
    }  # fmt: skip
    for names in ([heads[-1][1]] if heads else [], every):
        word = re.compile(rf"\b({'|'.join(names)})\b") if names else None
        found = [path for path, code in codes.items() if word and word.search(code)]
        if found:
            break
    else:
        found = [path for path, code in codes.items() if "show" in code]
    return [["-k", " or ".join(path.rpartition("/")[2] for path in found[:FEW]), PICTURES_DRAWN]]


@cache
def checkers_of(file):
    """The names of the checkers that a module of attn.check defines; of a shared one, three that need all of it."""
    from attn import check

    names = re.findall(r"^def (\w+)\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    return [name for name in names if name in check.__all__] or ["masked_softmax", "leaks", "pmi_from_counts"]


def by_name(mutant):
    """The tests of the module's checkers: their own file, then the one that asks all of them."""
    names = checkers_of(mutant.file)
    own = [
        file for file in CHECKERS if any(name in (ROOT / file).read_text(encoding="utf-8") for name in names)
    ]
    if Path(mutant.file).name in ("results.py", "_engine.py", "_exercise.py"):
        own.insert(0, "tests/unit/test_check_results.py")
    if Path(mutant.file).name == "__init__.py":
        own.insert(0, PACKAGE)
    words = " or ".join(names)
    return [sorted(set(own)), [HINTS], [EVERY_CHECKER, "-k", words]]


DEFINED = re.compile(r"(?:export )?(?:async )?(?:function|const|class) (\w+)")


@cache
def views_of(file, name):
    """The figures that use a function of a module of JavaScript, directly or through another."""
    from attn.explore._base import view_names as views

    texts = {path: path.read_text(encoding="utf-8") for path in (ROOT / "attn/explore/js").rglob("*.js")}
    if Path(file).stem in views():
        return [Path(file).stem]
    names, users = {name}, set()
    for _ in range(4):
        word = re.compile(rf"\b({'|'.join(names)})\b")
        for path, text in texts.items():
            if path.stem in views():
                users |= {path.stem} if word.search(text) else set()
                continue
            for piece in re.split(
                r"^(?=(?:export )?(?:async )?(?:function|const|class) )", text, flags=re.MULTILINE
            ):
                head = re.match(r"(?:export )?(?:async )?(?:function|const|class) (\w+)", piece)
                if head and word.search(piece):
                    names.add(head[1])
    return sorted(users)


def page_with(view):
    """The first built page that holds a figure, those of the core before further ones."""
    html = ROOT / "_build" / "html"
    pages = [path.relative_to(html) for path in html.rglob("*.html") if path.parent.name != "explore"]
    found = [path for path in pages if f'data-view="{view}"' in (html / path).read_text(encoding="utf-8")]
    return min(found, key=lambda path: (len(path.parts), path)).as_posix()


GESTURES = "tests/browser/test_gestures.py"
#: Tests that see what a figure computes and draws, the quickest and sharpest first.
COMPUTED = ["explore", "small_numbers", "ladders", "by_hand"]
SEEN = [
    "small", "ladders", "by_hand", "marks", "lamps", "round_trips", "mounted", "once", "reorder", "equality",
    "lengths", "stories", "apart", "controls", "share", "predict", "steady", "sight", "alive",
]  # fmt: skip
DRAWN = [
    "small",
    "marks",
    "ladders",
    "equality",
]  # those of all figures, for a module that many figures share
MANY = 5
SHARED = ("core", "number")  # modules that all tests in Node are shown


@cache
def without_parameters(path):
    """The tests of a file that stand alone: no figure and no page is in their names."""
    defined = ast.parse((ROOT / path).read_text(encoding="utf-8")).body
    tests = [node for node in defined if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    return [
        f"{path}::{node.name}"
        for node in tests
        if "parametrize" not in "".join(map(ast.dump, node.decorator_list))
    ]


def by_figure(mutant):
    """The tests that run JavaScript in Node, then those of a figure in a browser, alone and on its page."""
    text = (ROOT / mutant.file).read_text(encoding="utf-8").splitlines()[: mutant.line]
    heads = [match[1] for line in text if (match := DEFINED.match(line))]
    users = views_of(mutant.file, heads[-1] if heads else "draw")
    names = ["".join(part.capitalize() for part in user.split("_")) for user in users]
    computed = [f"tests/unit/test_{name}.py" for name in COMPUTED]
    seen = [f"tests/browser/test_{name}.py" for name in SEEN]
    stem = Path(mutant.file).stem

    def of_its_own(folder, words, but, must=""):
        words = re.compile(rf"\b({'|'.join(words)})\b")
        texts = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / folder).glob("test_*.py"))}
        found = {path.relative_to(ROOT).as_posix(): text for path, text in texts.items() if must in text}
        every = must and stem in SHARED
        return [path for path, text in found.items() if path not in but and (every or words.search(text))]

    runs = [
        of_its_own("tests/unit", [*names[:1], *users[:1], stem], computed, "tests.unit.node"),
        [*computed, "-k", " or ".join(names[:3])] if users else [],
        [*seen, "-k", names[0]] if users else [],
        [test for path in seen for test in without_parameters(path)] if users else [],
        of_its_own("tests/browser", [*names[:1], *users[:1]], [*seen, GESTURES]) if users else [],
        [f"tests/browser/test_{name}.py" for name in DRAWN] if len(users) > MANY else [],
        [*seen, "-k", page_with(users[0])] if users else [],
        [GESTURES, "-k", f"{page_with(users[0])} or {names[0]}"] if users else [],
    ]
    runs = [run for run in runs if run]
    own = f"tests/browser/test_{stem}.py"  # draw/sentences.js has one of its own
    return [[own], *runs] if (ROOT / own).exists() else runs
