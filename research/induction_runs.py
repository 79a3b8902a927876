"""Learn the drawn network of chapter 9 from ten seeds and store what the figure InductionReplay shows.

`python -m research.induction_runs` takes half a minute and writes attn/data/induction_runs.json: loss and accuracy of
all ten seeds at some steps, and for the first seed the three learned blocks there, in hundredths. Of *look* it has the
places that a word may see. tests/unit/test_figures.py learns one seed again.
"""

import json
import sys
from pathlib import Path

import numpy as np

from attn.induction import History, train

TARGET = Path(__file__).resolve().parent.parent / "attn" / "data" / "induction_runs.json"
SEEDS = range(10)
EVERY = 5
#: Where the loss falls every five steps, elsewhere few.
STEPS = (0, 100, 200, 250, 300, 325, 350, *range(360, 435, 5), 440, 450, 475, 500, 550, 600)


def hundredths(block):
    """A block as whole numbers, row after row."""
    return np.round(100 * np.asarray(block)).astype(int).ravel().tolist()


def run(seed):
    """One seed, recorded where the figure needs it."""
    return train(seed, record_every=EVERY, progress=False)


def stored(histories: list[History]):
    """What goes into the file."""
    first = histories[0]
    shown = [first.blocks[first.steps.tolist().index(step)] for step in STEPS]
    low = np.tril_indices(len(shown[0].look))
    return {
        "steps": list(STEPS),
        "seeds": [history.seed for history in histories],
        "loss": [np.round(history.loss[list(STEPS)], 3).tolist() for history in histories],
        "accuracy": [np.round(history.accuracy[list(STEPS)], 3).tolist() for history in histories],
        "look": [hundredths(blocks.look[low]) for blocks in shown],
        "match": [hundredths(blocks.match) for blocks in shown],
        "say": [hundredths(blocks.say) for blocks in shown],
    }


def main():
    text = json.dumps(stored([run(seed) for seed in SEEDS]), separators=(",", ":"))
    TARGET.write_text(text + "\n", encoding="utf-8", newline="\n")
    print(f"{TARGET.name}: {len(text) / 1000:.0f} KB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
