"""Run the chapters anew and store them so that the same numbers give the same file, byte for byte.

What changes from run to run, or from one Python to the next, is taken out: time stamps, version numbers,
widget states, and the widgets' random ids (the picture and the text beside them stay). What the page hides, or opens at
a press, such as a solution, is marked to be folded in JupyterLab.
"""

import argparse
import base64
import concurrent.futures
import io
import json
import os
import re
import sys
import tempfile
from pathlib import Path

import nbformat
import numpy as np
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError
from PIL import Image

from ledger import prose

ROOT = Path(__file__).resolve().parent.parent
CHAPTERS = ROOT / "chapters"
CELL_SECONDS = 300
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
LANGUAGE = {
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "pygments_lexer": "ipython3",
}
#: What a tag hides on the page is folded in JupyterLab.
FOLDS = {
    "hide-input": {"source_hidden"},
    "remove-input": {"source_hidden"},
    "hide-output": {"outputs_hidden"},
    "hide-cell": {"source_hidden", "outputs_hidden"},
    "remove-cell": {"source_hidden", "outputs_hidden"},
}
NOT_KEPT = ["ExecuteTime", "collapsed", "execution", "scrolled", "trusted", "vscode"]
PNG = "image/png"
SHADE = 48  # of 255
WIDGET = "application/vnd.jupyter.widget-view+json"


def execute(notebook, folder):
    """Run all cells in a new kernel of this environment, with `folder` as the working folder."""
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=CELL_SECONDS,
        startup_timeout=CELL_SECONDS,
        iopub_timeout=CELL_SECONDS,  # else what comes 4 s after its cell has ended is lost
        resources={"metadata": {"path": str(folder)}},
        record_timing=False,
        store_widget_state=False,
        extra_arguments=["--log-level=ERROR"],
    )
    return client.execute()


def clean(notebook):
    """Take out, in place, what is not the same in each run, and fold what the page hides, solutions too.

    Doing it twice changes nothing more.
    """
    kept = {key: value for key, value in notebook.metadata.items() if key not in (*NOT_KEPT, "widgets")}
    notebook.metadata = nbformat.from_dict({**kept, "kernelspec": KERNEL, "language_info": LANGUAGE})
    in_solution = False
    for cell in notebook.cells:
        for key in (*NOT_KEPT, "jupyter"):
            cell.metadata.pop(key, None)
        if cell.cell_type == "markdown":
            for gate in re.findall(r"^`{3,}\{solution-(start|end)\}", cell.source, re.MULTILINE):
                in_solution = gate == "start"
        if cell.cell_type == "code":
            tags = ["hide-cell"] if in_solution else cell.metadata.get("tags", [])
            if folded := sorted(set().union(*(FOLDS.get(tag, ()) for tag in tags))):
                cell.metadata["jupyter"] = dict.fromkeys(folded, True)
            cell.outputs = merge_streams(cell.outputs)
            for output in cell.outputs:
                output.get("data", {}).pop(WIDGET, None)
    return notebook


def merge_streams(outputs):
    """Join neighboring pieces of one stream: how a text is cut up depends on the machine's haste."""
    merged = []
    for output in outputs:
        last = merged[-1] if merged else None
        if last and output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            merged.append(output)
    return merged


def text_of(notebook):
    """The file's text: keys sorted, one space a level, a newline at the end."""
    return nbformat.writes(notebook, version=4).rstrip("\n") + "\n"


def differences(old, new):
    """Sentences that say which cells' sources, outputs or pictures differ."""
    found = []
    if len(old.cells) != len(new.cells):
        return ["the number of cells"]
    for number, (before, after) in enumerate(zip(old.cells, new.cells, strict=True), start=1):
        if _comparable(before) != _comparable(after):
            found.append(f"cell {number}: {before.source.splitlines()[0] if before.source else '(empty)'}")
        elif not all(map(same_picture, _pictures(before), _pictures(after))):
            found.append(f"the picture of cell {number}: {before.source.splitlines()[0]}")
    if not found and old.metadata != new.metadata:
        found.append("the notebook's metadata")
    return found


def _comparable(cell):
    cell = json.loads(json.dumps(cell))
    for output in cell.get("outputs", []):
        if PNG in output.get("data", {}):
            output["data"][PNG] = "a picture"
    return cell


def _pictures(cell):
    return [output["data"][PNG] for output in cell.get("outputs", []) if PNG in output.get("data", {})]


def same_picture(old, new):
    """Whether two pictures (PNG in base64) show the same: rounding elsewhere may shade an edge's pixel, and no more."""
    old, new = (
        np.asarray(Image.open(io.BytesIO(base64.b64decode(png))).convert("RGBA"), dtype=int)
        for png in (old, new)
    )
    return old.shape == new.shape and bool((abs(old - new) <= SHADE).all())


def refresh(path, *, check):
    """Run one notebook and write it, or with `check` compare; return what to print, and whether all is well."""
    name = path.name
    old_text = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(old_text, as_version=4)
    try:
        execute(notebook, path.parent)
    except (CellExecutionError, CellTimeoutError) as error:
        return [f"{name}: {error}"], False
    nbformat.validate(clean(notebook))
    if check:
        found = differences(nbformat.reads(old_text, as_version=4), notebook)
        return [f"{name}: differs in {difference}" for difference in found] or [f"{name}: same"], not found
    moved = moved_sentences(nbformat.reads(old_text, as_version=4), notebook)
    put_into(notebook, moved)
    lacking = lacks(notebook)
    said = [f"  − {old}\n  + {new}" for old, new in moved] + [f"  ! {one}" for one in lacking]
    new_text = text_of(notebook)
    if new_text == old_text:
        return [f"{name}: unchanged", *said], not lacking
    path.write_text(new_text, encoding="utf-8", newline="\n")
    return [f"{name}: written", *said], not lacking


def lacks(notebook):
    """What the notebook prints that its text, or that of the page for which it prints it, does not say."""
    own, found = prose.running_of(notebook.cells), []
    for line in printed_by(notebook):
        other = prose.OF_PAGE.match(line)
        text = prose.running(other[1]) if other else own
        words = line[other.end() if other else 0 :]
        if prose.missing([prose.even(words)], text):
            found.append(f"{other[1] if other else 'its text'} lacks: {words}")
    return found


def printed_by(notebook):
    """What the cells tagged says have printed, line by line."""
    cells = [cell for cell in notebook.cells if "says" in cell.metadata.get("tags", [])]
    return [line for cell in cells for output in cell.outputs for line in output.text.splitlines()]


def moved_sentences(old, new):
    """The sentences that a notebook printed and prints otherwise now: pairs."""
    before, after = printed_by(old), printed_by(new)
    return [
        pair for pair in zip(before, after, strict=False) if len(before) == len(after) and pair[0] != pair[1]
    ]


NUMBER = re.compile(r"−?\d(?:[\d,.]*\d)?")


LINKS = r"(?:\[|\]\([^)]*\)|<[^>]+>)*"  # what stands in the text between two words and isn't printed
GAP = r"""(?:\s|["'])+"""  # in a cell of code a sentence may be cut into strings


def _words(text):
    """A pattern of a text, whatever its line ends, links and spans are."""
    return LINKS.join(GAP if one.isspace() else re.escape(one) for one in re.findall(r"\s+|\w+|.", text))


def put_into(notebook, moved):
    """Put the numbers of sentences that moved into the text, in place, with links, spans and line ends kept.

    A line for another page ("[index] …"), or one whose words changed, is left to its author.
    """
    for old, new in moved:
        numbers = NUMBER.findall(new)
        if NUMBER.split(old) != NUMBER.split(new):
            continue
        first, *others = map(_words, NUMBER.split(old))
        pattern = first
        for at, (number, after) in enumerate(zip(NUMBER.findall(old), others, strict=True)):
            pattern += f"{LINKS}(?P<n{at}>{re.escape(number)}){LINKS}{after}"
        pattern = rf"(?<![\w.,−]){pattern}(?!\w)"
        for cell in notebook.cells:
            if "says" not in cell.metadata.get("tags", []) and (found := re.search(pattern, cell.source)):
                for at in reversed(range(len(numbers))):
                    start, end = found.span(f"n{at}")
                    cell.source = cell.source[:start] + numbers[at] + cell.source[end:]


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="notebooks", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; tell what would change")
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all chapters")
    options = parser.parse_args(arguments)
    paths = [path.resolve() for path in options.notebooks] or [
        path for path in sorted(CHAPTERS.rglob("*.ipynb")) if ".ipynb_checkpoints" not in path.parts
    ]
    if missing := [str(path) for path in options.notebooks if not path.is_file()]:
        parser.error(f"there is no notebook {', '.join(missing)}: chapters/03_masking.ipynb is one")
    all_well = True
    with tempfile.TemporaryDirectory() as own_settings:
        # What someone has set for IPython and matplotlib at home must not show in the outputs.
        os.environ["IPYTHONDIR"] = own_settings
        os.environ["MATPLOTLIBRC"] = str(Path(own_settings, "matplotlibrc"))
        Path(own_settings, "matplotlibrc").touch()
        os.environ.pop("MPLBACKEND", None)
        with concurrent.futures.ProcessPoolExecutor(max_workers=2) as pool:
            jobs = [pool.submit(refresh, path, check=options.check) for path in paths]
            for job in concurrent.futures.as_completed(jobs):
                lines, well = job.result()
                print("\n".join(lines), flush=True)
                all_well &= well
    return 0 if all_well else 1


if __name__ == "__main__":
    sys.exit(main())
