"""No stale numbers: what a notebook prints depends on ``attn/``, which the execution cache does not look at.

So the cache lives in a folder named after a hash of ``attn/``, and the hash is a configuration value that Sphinx
watches: when it changes, every page is read again and every notebook runs again.
"""

import hashlib
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "attn"
SOURCES = {".py", ".js", ".css"}


def fingerprint(folder=PACKAGE):
    """Hash of the names and contents of all sources under ``folder``: 16 hexadecimal digits."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.suffix in SOURCES:
            digest.update(
                str(path.relative_to(folder).as_posix()).encode() + b"\0" + path.read_bytes() + b"\0"
            )
    return digest.hexdigest()[:16]


def point_cache(app, config):
    config.attn_fingerprint = fingerprint()
    config.nb_execution_cache_path = str(
        Path(app.srcdir) / "_build" / ".jupyter_cache" / config.attn_fingerprint
    )


def setup(app):
    app.add_config_value("attn_fingerprint", "", "env")
    app.connect("config-inited", point_cache, priority=100)
