"""Which report is right: who rules is judged at the first move. Each on its page, and its words: test_predict.py."""

import attn.explore
from attn.practice.reports import REPORTS
from tests.browser.exercises import TRIED, move_control

ONE = REPORTS["report.mask-after-softmax"]


def told(root):
    return root.locator("[data-hint]").inner_text()


def state(root):
    return root.get_attribute("data-exercise"), root.get_attribute("data-state")


def test_who_drags_first_has_not_ruled_and_after_reset_one_may_rule_again(mount):
    view = mount([getattr(attn.explore, ONE.figure)(report=ONE.name)], width=390, height=844)
    root = view.locator("[data-explorable]")
    move_control(root)
    assert state(root)[1] == "open"
    assert told(root).startswith("The answer: a bug.")
    assert view.evaluate(TRIED) == {}
    root.locator("[data-action=reset]").click()
    for count, (option, passed) in enumerate(((1, False), (0, True), (1, True)), 1):
        root.locator(f"[data-option='{option}']").click()
        # Nobody rules again, or is judged, before the control has moved.
        assert root.locator("[data-option]:enabled").count() == 0
        assert sum(entry["tries"] for entry in view.evaluate(TRIED).values()) == count - 1
        move_control(root)
        assert state(root) == (ONE.name, "wrong" if option else "right")
        kept = view.evaluate(TRIED)[ONE.name]
        assert (kept["tries"], kept["passed"]) == (count, passed)
        root.locator("[data-action=reset]").click()
        assert (state(root)[1], told(root)) == ("open", "")
        assert bool(root.locator(".abh-noted").inner_text()) == passed  # what was ruled right is remembered
