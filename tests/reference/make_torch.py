"""Run the book's PyTorch snippets and store what they print and compute (how: making.py).

The snippets are the files of chapters/pytorch/, which pages show as they are. What they print, and the tensors and
numbers that they leave behind, go into outputs.json beside them, with a hash of each snippet's text. Tests compare the
numbers with the book's own, and fail on a snippet that was changed and not run again.
"""

import contextlib
import hashlib
import io
import json
from pathlib import Path

import torch

FOLDER = Path(__file__).resolve().parents[2] / "chapters" / "pytorch"


def value_of(thing):
    """A tensor or a number as JSON has it; None for what is neither."""
    if isinstance(thing, torch.Tensor):
        return thing.detach().tolist() if thing.numel() <= 500 else None
    return thing if isinstance(thing, bool | int | float) else None


def run(text):
    """What a snippet prints, and the values that it leaves behind, by name."""
    names, printed = {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(text, "snippet", "exec"), names)
    values = {name: value_of(thing) for name, thing in names.items() if not name.startswith("_")}
    return printed.getvalue(), {name: value for name, value in values.items() if value is not None}


def main():
    stored = {"torch": torch.__version__.partition("+")[0], "snippets": {}}
    for path in sorted(FOLDER.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        printed, values = run(text)
        digest = hashlib.sha256(text.encode()).hexdigest()
        stored["snippets"][path.stem] = {"sha256": digest, "printed": printed, "values": values}
    text = json.dumps(stored, ensure_ascii=False, indent=1, sort_keys=True)
    (FOLDER / "outputs.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
