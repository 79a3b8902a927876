"""A plugin of pytest, `-p tools.nbval_of_build`: nbval compares what the build's run of each notebook printed.

nbval runs a notebook and compares each cell's outputs, to the letter, with those that the file stores. In `make test`
the build has run each notebook a moment before, in a new kernel, for its page. A second run takes a minute of two
cores and says the same; so here a kernel's place is taken by a record of the build's run. Which outputs count, and what
makes two of them equal, is nbval's own. `pytest --nbval chapters` runs the notebooks itself, as always.
"""

from queue import Empty

import nbformat
from jupyter_cache import get_cache
from nbval.plugin import IPyNbFile

from bookext import stale
from tools.environment import ROOT

# What the build sends for a page (bookext/stills.py), where a notebook has a PNG.
STILL = '<svg xmlns="http://www.w3.org/2000/svg"><g class="abh-'
HEADS = {"metadata": {}, "transient": {}}  # what a kernel sends with an output, and a file may leave out


class Record:
    """A run of a notebook that is over; to nbval, a kernel that answers with what that run printed."""

    def __init__(self, cells):
        self.cells, self.asked, self.messages = cells, 0, []

    def execute_cell_input(self, source, allow_stdin=None):
        """Take up the next cell that was run, which must be this one; return the number of the request."""
        cell = self.cells[self.asked]
        assert cell.source == source, f"The build ran another cell:\n{cell.source}"
        assert cell.execution_count is not None, "The build did not run this cell."
        self.asked += 1
        for output in cell.outputs:
            data = output.get("data", {})
            if data.get("image/svg+xml", "").startswith(STILL):
                data["image/png"] = data.pop("image/svg+xml")
        kinds = [(output.output_type, {**HEADS, **output}) for output in cell.outputs]
        for kind, content in [*kinds, ("status", {"execution_state": "idle"})]:
            self.messages.append(
                {"msg_type": kind, "parent_header": {"msg_id": self.asked}, "content": content}
            )
        return self.asked

    def get_message(self, stream, timeout=None):
        """The next of the messages; those of a request are all there when it has been made."""
        if not self.messages:
            raise Empty
        return self.messages.pop(0)

    def await_reply(self, request, timeout=None):
        pass

    def await_idle(self, request, timeout):
        self.messages.clear()

    def is_alive(self):
        return True

    def interrupt(self):
        pass

    stop = interrupt


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def record(path, cache=None):
    """The record of the notebook in the cache of the build; an error if the build has not run it as it is."""
    notebook = nbformat.read(path, as_version=4)
    cache = get_cache(cache or stale.folder(ROOT))
    try:
        run = cache.get_cache_bundle(cache.match_cache_notebook(notebook).pk).nb
    except KeyError:
        raise LookupError(
            f"The build has not run {path} as it is now: run `make test` or `make book`."
        ) from None
    return Record(code_cells(run))


class Recorded(IPyNbFile):
    """A notebook whose cells are compared with a record."""

    def setup(self):
        self.kernel = record(self.path)
        self.setup_sanitize_files()


def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".ipynb":
        return Recorded.from_parent(parent, path=file_path)
    return None
