"""The built book as one archive that needs nothing else: unpack it anywhere and open its `index.html`."""

import sys
import zipfile

from tools.commands import ARCHIVE, HTML

FOLDER = "attention-by-hand"  # what unpacking makes
LEFT_OUT = {".buildinfo", "objects.inv"}  # for Sphinx: nothing that a reader opens
READ_ME = """Attention by Hand, for reading without the network.

Open index.html in a browser. The figures are alive; nothing is installed, nothing is sent anywhere.

To run the pages' cells of code, type `python3 -m http.server` in this folder and open http://localhost:8000.
"""


def pack(folder, target):
    """Write the archive; return the book's files, in their order."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name not in LEFT_OUT]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr(f"{FOLDER}/READ-ME.txt", READ_ME)
        for path in files:
            archive.write(path, f"{FOLDER}/{path.relative_to(folder).as_posix()}")
    return files


def main():
    files = pack(HTML, ARCHIVE)
    print(f"Packed {ARCHIVE}: {len(files)} files, {ARCHIVE.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
