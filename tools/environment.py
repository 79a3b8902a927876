"""Set-up: one virtual environment, .venv, that holds exactly what requirements.txt says.

Done once; done again when requirements.txt or pyproject.toml changes (by content, not by date), when the
folder has moved, or when PYTHON names another Python. Needs the standard library alone.
"""

import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

from tools import pythons

ROOT = Path(__file__).resolve().parent.parent
WINDOWS = os.name == "nt"


class SetupError(Exception):
    """Something that the person at the keyboard can mend; the message says how."""


def scripts():
    """The folder of the environment's programs."""
    return ROOT / ".venv" / ("Scripts" if WINDOWS else "bin")


def python():
    """The environment's Python."""
    return scripts() / ("python.exe" if WINDOWS else "python")


def variables():
    """Environment variables for programs that run inside the environment."""
    return {
        **{name: value for name, value in os.environ.items() if name != "ATTN_RESULTS"},  # a reader's answers
        "PATH": f"{scripts()}{os.pathsep}{os.environ.get('PATH', '')}",
        "VIRTUAL_ENV": str(ROOT / ".venv"),
        "JUPYTER_PREFER_ENV_PATH": "1",  # this environment's kernel, not one of the same name elsewhere
        "JUPYTER_PLATFORM_DIRS": "1",
        "PYTHONDONTWRITEBYTECODE": "",  # each notebook and each process of tests would compile all of it anew
    }


def run(*command, **options):
    """Run a program inside the environment, from the top folder; return its exit code."""
    options = {"env": variables(), **options}
    return subprocess.run([str(part) for part in command], cwd=ROOT, **options).returncode


def fingerprint():
    """What the environment depends on: its place, its Python, and the content of the two files."""
    digest = hashlib.sha256()
    for name in ("requirements.txt", "pyproject.toml"):
        digest.update((ROOT / name).read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return {
        "place": str(ROOT),
        "python": "{}.{}".format(*sys.version_info[:2]),
        "packages": digest.hexdigest(),
    }


def ensure():
    """Bring .venv in step with requirements.txt; print a line for each step, and nothing if there is none."""
    stamp = ROOT / ".venv" / "attn-setup.json"
    wanted = fingerprint()
    done = _read(stamp)
    moved = done and done["place"] != wanted["place"]
    another = done and os.environ.get("PYTHON") and done["python"] != wanted["python"]
    if not _usable() or moved or another:
        _create(wanted["python"])
        done = None
    elif done:
        wanted["python"] = done["python"]
    if not done or done["packages"] != wanted["packages"]:
        stamp.unlink(missing_ok=True)
        _install()
        stamp.write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")


def _read(stamp):
    try:
        return json.loads(stamp.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _usable():
    test = "import sys, pip; print('{}.{}'.format(*sys.version_info[:2]))"
    try:
        answer = subprocess.run([python(), "-c", test], capture_output=True, text=True)
    except OSError:
        return False
    return answer.returncode == 0 and answer.stdout.strip() in pythons.versions()


def _create(version):
    if importlib.util.find_spec("ensurepip") is None:
        raise SetupError(
            f"{sys.executable} can't make virtual environments: its module ensurepip is missing.\n"
            f"On Debian and Ubuntu: apt-get install python{version}-venv"
        )
    if WINDOWS and Path(sys.prefix) == ROOT / ".venv":
        raise SetupError(
            "Run this with your own Python, not with the one in .venv, which is to be made anew."
        )
    _say(f"making .venv with Python {version}")
    try:
        venv.EnvBuilder(with_pip=True, clear=True, symlinks=not WINDOWS).create(ROOT / ".venv")
    except (OSError, subprocess.CalledProcessError) as error:
        raise SetupError(f"Could not make .venv: {error}") from error


def _install():
    lock = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    uv = re.search(r"^uv==(\S+)", lock, re.MULTILINE)[1]
    answer = subprocess.run([python(), "-m", "uv", "--version"], capture_output=True, text=True)
    if answer.stdout.split()[1:2] != [uv]:
        _say(f"installing uv {uv}")
        pip = [python(), "-m", "pip", "--disable-pip-version-check", "install", "-qq"]
        if run(*pip, f"uv=={uv}"):
            raise SetupError("pip could not install uv (see above). Is the package index reachable?")
    _say("installing what requirements.txt lists")
    # Compiled here, once: where Python may not write what it compiles, each program would begin with seconds of it.
    sync = [python(), "-m", "uv", "pip", "sync", "--quiet", "--compile-bytecode", "--python", python()]
    if run(*sync, "requirements.txt"):
        raise SetupError("uv could not install requirements.txt (see above).")


def _say(step):
    print(f"Set-up: {step} …", flush=True)
