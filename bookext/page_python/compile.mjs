// Compiles what the page's Python imports, with that Python itself; run by node: `compile.mjs PYODIDE FOLDER`.
// The folder has three, `library`, `packages` and `book`. Says, as JSON, which modules a page needs
// at once, and which at all.
import { createRequire } from "node:module";
import process from "node:process";

const [, , pyodide, folder] = process.argv;
const { loadPyodide } = createRequire(import.meta.url)(`${pyodide}/pyodide.js`);

const COMPILE = `
import importlib, json, pathlib, sys
given = pathlib.Path("/given")
sys.dont_write_bytecode = True
sys.path += ["/given/packages", "/given/book"]
for name in (
    "gzip", "shutil", "tarfile", "traceback", "numpy", "attn", "attn.show", "page_runtime", "IPython.display",
    "fractions", "json", "numpy.testing", "random", "statistics", "string", "textwrap",  # pages and their readers
):
    importlib.import_module(name)
first = sorted(sys.modules)
for name in ("page_figures", "attn.explore", "attn.check", "hypothesis"):
    importlib.import_module(name)
used = sorted(sys.modules)

import compileall, py_compile, re
version = sys.version_info
site = f"/lib/python{version.major}.{version.minor}/site-packages"
zipped = f"/lib/python{version.major}{version.minor}.zip"
for place, found_at in {"library": zipped, "packages": site, "book": site}.items():
    compileall.compile_dir(
        given / place, maxlevels=20, quiet=2, legacy=True, stripdir=given / place, prependdir=found_at,
        optimize=2 if place == "library" else 0,  # without docstrings
        rx=re.compile(r"check/_engine\\.py$"),  # from its source hypothesis takes which cases come first
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    for path in (given / place).rglob("*.py"):
        if path.with_suffix(".pyc").exists():
            path.unlink()
json.dumps({"first": first, "used": used})
`;

loadPyodide({ stdout: () => {} })
  .then((python) => {
    python.mountNodeFS("/given", folder);
    console.log(python.runPython(COMPILE));
  })
  .catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
