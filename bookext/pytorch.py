"""``{pytorch} NAME``: what a passage says in NumPy, said in PyTorch, in a box that opens.

The code is the file ``chapters/pytorch/NAME.py`` as it stands; what it prints was stored when somebody last ran it
(``tests/reference/make_torch.py``). Neither the book nor its tests need PyTorch. The directive's text stands above
the code.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from bookext.markup import raw

FOLDER = Path(__file__).parent.parent / "chapters" / "pytorch"
STORED = FOLDER / "outputs.json"


class Pytorch(SphinxDirective):
    has_content = True
    required_arguments = 1

    def run(self):
        name = self.arguments[0]
        path = FOLDER / f"{name}.py"
        stored = json.loads(STORED.read_text(encoding="utf-8"))
        if not path.is_file() or name not in stored["snippets"]:
            raise ExtensionError(f"{self.env.docname}: no snippet {name} in {FOLDER}, or it was never run")
        for file in (path, STORED):
            self.env.note_dependency(str(file))
        box = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, box)
        code = path.read_text(encoding="utf-8")
        box += nodes.literal_block(code, code, language="python")
        printed = stored["snippets"][name]["printed"]
        box += nodes.literal_block(printed, printed, language="none", classes=["output"])
        box += nodes.paragraph(
            "",
            f"Run with PyTorch {stored['torch']}; a test compares its numbers with this book's.",
            classes=["abh-small"],
        )
        start = '<details class="abh-pytorch"><summary>In PyTorch</summary>\n'
        return [raw(start), *box.children, raw("</details>\n")]


def setup(app):
    app.add_directive("pytorch", Pytorch)
