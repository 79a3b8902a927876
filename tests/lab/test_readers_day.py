"""A reader's day in `make lab`: her copies are alive when opened, and nothing of hers is lost, in an update neither."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import tiers
from tests.lab.running import IDLE, Notebook, ask, own_folders, running
from tools.lab import copies

pytestmark = [pytest.mark.lab, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
MINE = "lab.order = 'after'\nprint(lab.nudge, type(lab.weights).__name__, lab.weights.shape)"
WRONG, RIGHT = (
    f"def inputs_and_targets(tokens):\n    return np.stack([tokens[:-1], {targets}])\n\n\n"
    "check.inputs_and_targets(inputs_and_targets)"
    for targets in ("np.roll(tokens, 1)[1:]", "tokens[1:]")
)
ALL_STAND = """() => ![...document.querySelectorAll(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-MarkdownCell")]
  .some((cell) => !cell.querySelector(".myst")?.textContent)"""
FOLDED = """() => {
  const cells = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-CodeCell";
  const seen = (what, text) => [...document.querySelectorAll(`${cells} ${what}`)]
    .some((node) => node.textContent.includes(text) && node.checkVisibility());
  return !seen("td", "0.269") && !seen(".cm-content", "sliding_window_mask(4, 2)");
}"""
LAB = '.jp-CodeCell:has-text("lab = Masking(opened=True)") [data-explorable="Masking"][data-ready="1"]'


def git(folder, *arguments):
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    return subprocess.run(
        ["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True
    ).stdout


@pytest.fixture
def clone(tmp_path):
    folder = tmp_path / "book"
    skip = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
    for part in ("attn", "bookext", "chapters", "tools"):
        shutil.copytree(ROOT / part, folder / part, ignore=skip)
    for part in (".gitignore", "references.bib"):
        shutil.copy(ROOT / part, folder / part)
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "The book")
    return folder


@tiers.SLOW
def test_a_readers_day(chromium, clone, tmp_path):
    mine = clone / "my_notebooks"
    variables = own_folders(tmp_path) | {"PYTHONPATH": str(clone)}
    lab, log = [sys.executable, "-m", "tools.lab"], tmp_path / "lab.log"
    page = chromium.new_page(viewport={"width": 1200, "height": 1400})
    with running(lab, clone, log, **variables) as address:
        work(page, address)
        (kernel,) = [one["kernel"]["id"] for one in ask(f"{address}/api/sessions") if "03" in one["path"]]
        ask(f"{address}/api/kernels/{kernel}/restart", method="POST")
        page.close()
    update(clone)
    written = (mine / "03_masking.ipynb").read_bytes()
    cells = json.loads(written)["cells"]
    assert {MINE, RIGHT} <= {"".join(cell["source"]) for cell in cells}
    with running(lab, clone, log, **variables) as address:
        assert "03_masking.ipynb has your changes and stays as it is" in log.read_text()
        assert (mine / "03_masking.ipynb").read_bytes() == written
        page = chromium.new_page(viewport={"width": 1200, "height": 1400})
        look_again(page, address)
        page.close()
    (beside,) = mine.glob("03_masking (edition of *).ipynb")
    assert "Newer words." in beside.read_text(encoding="utf-8")
    assert "Newer words." in (mine / "04_multi_head_attention.ipynb").read_text(encoding="utf-8")
    # The checked answers: the wrong one and the right one are hers, stubs and solutions are not.
    program = "import json\nfrom attn.check import results\nprint(json.dumps(results.seen()))"
    kept = {"ATTN_RESULTS": str(mine / copies.OWN / "checked.jsonl"), "PYTHONPATH": str(clone)}
    seen = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **kept},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    told = [(entry["exercise"], entry["passed"], entry["tries"]) for entry in json.loads(seen)]
    assert told == [("inputs_and_targets", True, 2)]
    assert git(clone, "status", "--porcelain") == ""


def work(page, address):
    """Open, drag, set a trait, read the weights, answer wrongly and rightly, save."""
    page.goto(address, timeout=60_000)
    page.wait_for_selector(
        '[data-explorable="FirstTouch"][data-ready="1"]', timeout=120_000
    )  # it ran by itself
    page.get_by_role("link", name="3 · Hide the future with a mask").click()
    page.wait_for_selector(LAB, timeout=240_000, state="attached")
    page.wait_for_function(IDLE, timeout=240_000)
    notebook = Notebook(page)
    page.wait_for_function(ALL_STAND, timeout=120_000)
    text = page.evaluate(
        "[...document.querySelectorAll('.jp-MarkdownCell .myst')].map((one) => one.textContent).join()"
    )
    assert "(Vaswani et al., 2017)" in text
    for raw in ("```{", "{cite:", ":label:", "Unknown Directive"):
        assert raw not in text
    page.wait_for_function(FOLDED, timeout=240_000)  # when all cells have run

    page.locator(LAB).scroll_into_view_if_needed()
    slider = page.locator(LAB).locator('input[name="nudge"]').first
    for _ in range(5):
        slider.press("ArrowRight")
    assert float(slider.input_value()) == 0.5
    own = notebook.cell("heard = []")
    notebook.write(own, MINE)
    notebook.run_until(own, r"(\S+) (\w+) (\(4, 4\))", ("0.5", "ndarray", "(4, 4)"))
    assert page.locator(LAB).locator('input[name="order"][value="after"]').first.is_checked()
    stub = notebook.cell("pairs = ...")
    for answer, said in ((WRONG, "(not yet)"), (RIGHT, "(passed)")):
        notebook.write(stub, answer)
        notebook.run(stub)
        notebook.printed(stub, f"inputs_and_targets: {said}")
    page.keyboard.press("ControlOrMeta+s")
    page.wait_for_function("() => !document.querySelector('.lm-mod-current.jp-mod-dirty')", timeout=60_000)


def update(clone):
    """The book's next edition: other words in chapters 3 and 4."""
    for name in ("03_masking", "04_multi_head_attention"):
        source = clone / "chapters" / f"{name}.ipynb"
        notebook = json.loads(source.read_text(encoding="utf-8"))
        notebook["cells"][0]["source"].append("\n\nNewer words.")
        source.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    git(clone, "commit", "--quiet", "-am", "Newer words")


def look_again(page, address):
    """What was open opens again, and the figure stands as she left it, before anything runs."""
    page.goto(address, timeout=60_000)
    page.wait_for_selector(LAB, timeout=120_000, state="attached")
    figure = page.locator(LAB)
    assert float(figure.locator('input[name="nudge"]').first.input_value()) == 0.5
    assert figure.locator('input[name="order"][value="after"]').first.is_checked()
