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


def files_of(folder):
    """All files of the book, in a fixed order."""
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name not in LEFT_OUT]


def pack(folder, target):
    """Write the archive: the same book gives the same file, byte for byte. Return the number of files."""
    if not (folder / "index.html").is_file():
        raise FileNotFoundError(f"expected a built book in {folder}; there is no index.html")
    target.parent.mkdir(parents=True, exist_ok=True)
    files = files_of(folder)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:

        def add(name, data):
            entry = zipfile.ZipInfo(f"{FOLDER}/{name}", date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, data)

        add("READ-ME.txt", READ_ME)
        for path in files:
            add(path.relative_to(folder).as_posix(), path.read_bytes())
    return len(files)


def main():
    count = pack(HTML, ARCHIVE)
    print(f"Packed {ARCHIVE}: {count} files, {ARCHIVE.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
