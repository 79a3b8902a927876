"""Open a reader's copies in JupyterLab, or with `--edit` the chapters themselves. Other arguments are JupyterLab's."""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools.lab import copies, pages

ROOT, HERE = pages.ROOT, Path(__file__).parent
#: Nothing asks another server; config/ has that no question about news is put.
QUIET = [
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
]


def extension(target):
    """The book's extension of JupyterLab with its type, in a folder below `target`, which JupyterLab is told."""
    shutil.copytree(HERE / "extension", target / "attention-by-hand", dirs_exist_ok=True)
    for font in [*(ROOT / "bookext" / "type").iterdir(), *(ROOT / "bookext" / "math").glob("*.woff2")]:
        shutil.copy(font, target / "attention-by-hand" / "static")
    return f"--LabApp.extra_labextensions_path={target}"


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="lab", description=__doc__, add_help=False, allow_abbrev=False)
    parser.add_argument("--edit", action="store_true", help="the chapters themselves")
    parser.add_argument("--folder", type=Path, default=ROOT / "my_notebooks", help="where the copies are")
    options, others = parser.parse_known_args(arguments)
    command = [sys.executable, "-m", "jupyterlab", *QUIET, extension(ROOT / "_build" / "lab")]
    if options.edit:
        return subprocess.run(
            [*command, "--LabApp.default_url=/lab/tree/chapters", *others], cwd=ROOT
        ).returncode
    folder = options.folder.resolve()
    for sentence in copies.renew(folder):
        print(sentence, flush=True)
    own, configured = folder / copies.OWN, filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")])
    variables = {
        **os.environ,
        "ATTN_RESULTS": str(own / "checked.jsonl"),
        "JUPYTERLAB_WORKSPACES_DIR": str(own / "workspaces"),
        "JUPYTER_CONFIG_PATH": os.pathsep.join([str(HERE / "config"), *configured]),
    }
    again = (own / "workspaces").exists()  # then what was open opens again
    start = "/lab" if again else f"/lab/tree/{pages.START}"
    command += [f"--ServerApp.root_dir={folder}", f"--LabApp.default_url={start}", *others]
    return subprocess.run(command, cwd=folder, env=variables).returncode


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
