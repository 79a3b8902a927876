"""No stale numbers: what a notebook prints depends on ``attn/`` and on NumPy, and the execution cache looks at neither.

So the cache lives in a folder named after a hash of ``attn/`` and of the pinned packages, and the hash is a
configuration value that Sphinx watches: when it changes, every page is read again and every notebook runs again.
Nothing that an earlier build wrote stays: all pages are written anew.
"""

import hashlib
import multiprocessing
import os
import shutil
from pathlib import Path

from jupyter_cache import get_cache
from jupyter_cache.cache.db import NbProjectRecord
from jupyter_cache.executors.basic import ExecutionWorkerLocalMProc, ProcessData
from jupyter_cache.executors.utils import single_nb_execution
from sphinx.util import logging

logger = logging.getLogger(__name__)

PACKAGE = Path(__file__).parent.parent / "attn"
PINS = PACKAGE.parent / "requirements.txt"
KEPT = 4  # runs of earlier states of attn/ that stay, some 200 MB each, for whoever goes to and fro
MADE = {".pyc", ".pyo"}  # what Python makes of the sources


def fingerprint(folder=PACKAGE):
    """Hash of the names and contents of all files under ``folder``, data too, and of PINS: 16 hexadecimal digits."""
    digest = hashlib.sha256(PINS.read_bytes())
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.is_file() and path.suffix not in MADE and not hidden:
            digest.update(
                str(path.relative_to(folder).as_posix()).encode() + b"\0" + path.read_bytes() + b"\0"
            )
    return digest.hexdigest()[:16]


def folder(source, mark=None):
    """Where the runs of the notebooks of a book are kept, with ``attn/`` as it is now."""
    return Path(source) / "_build" / ".jupyter_cache" / (mark or fingerprint())


def point_cache(app, config):
    config.attn_fingerprint = fingerprint()
    here = folder(app.srcdir, config.attn_fingerprint)
    config.nb_execution_cache_path = str(here)
    others = [path for path in here.parent.glob("*") if path != here]
    for old in sorted(others, key=lambda path: path.stat().st_mtime)[:-KEPT]:
        shutil.rmtree(old, ignore_errors=True)


def clear(app):
    """Empty the folder of an earlier build; Sphinx then writes each page, as it was read."""
    if (Path(app.outdir) / ".buildinfo").exists():
        shutil.rmtree(app.outdir)
        Path(app.outdir).mkdir()


class Patient(ExecutionWorkerLocalMProc):
    """Runs a notebook where it lies, and waits for a busy machine: for the kernel, and for what a cell prints.

    By itself a kernel has 60 s to start, and what comes later than 4 s after its cell has ended is lost.
    """

    @staticmethod
    def execute(project_nb, data):
        return single_nb_execution(
            project_nb.nb,
            cwd=str(Path(project_nb.uri).parent),
            timeout=data.timeout,
            allow_errors=data.allow_errors,
            startup_timeout=data.timeout,
            iopub_timeout=data.timeout,
            shutdown_kernel="immediate",  # what a notebook says has arrived; nobody waits for its kernel's farewell
        )


def run_together(app, env, names):
    """Run the notebooks that are not in the cache, one on each core, before Sphinx would run them one by one.

    The last chapters go first: they train models, and at the end one core would wait for the other.
    One that fails is left out of the cache: Sphinx runs it again, and tells the error as it always does.
    """
    paths = [
        path for name in sorted(names, reverse=True) if (path := str(env.doc2path(name))).endswith(".ipynb")
    ]
    if app.config.nb_execution_mode != "cache" or len(paths) < 2:
        return
    cache = get_cache(app.config.nb_execution_cache_path)
    for path in paths:
        cache.add_nb_to_project(path)
    missing = cache.list_unexecuted(filter_uris=paths)
    if len(missing) < 2:
        return
    NbProjectRecord.remove_tracebacks([record.pk for record in missing], cache.db)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # more threads than cores wait for each other
    seconds = app.config.nb_execution_timeout
    tasks = [ProcessData(record.pk, record.uri, cache, seconds, False) for record in missing]
    logger.info("running notebooks... [  0%%] %d of them", len(tasks))
    # One more than cores: each waits now and then, for its kernel to start or to answer.
    with multiprocessing.Pool((os.cpu_count() or 1) + 1) as pool:
        # As the cache's own "local-parallel", which does not tell how far it is.
        for done, (_, path) in enumerate(pool.imap_unordered(Patient(), tasks), 1):
            logger.info("running notebooks... [%3d%%] %s", 100 * done // len(tasks), Path(path).stem)


def setup(app):
    app.add_config_value("attn_fingerprint", "", "env")
    app.connect("config-inited", point_cache, priority=100)
    app.connect("builder-inited", clear, priority=100)
    app.connect("env-before-read-docs", run_together)
