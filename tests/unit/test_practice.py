"""The page Practice: its exercises, and how ten minutes are drawn. Where they stand: tests/browser/test_practice.py."""

import re

from bookext import practice
from tests.unit.stored import page


def test_the_chapter_of_a_page():
    chapters = {"chapters/03_masking": "3", "chapters/practice/10_x": "10", "chapters/further/00_a": "0"}
    chapters |= dict.fromkeys(["chapters/practice", "chapters/teaching/03_masking", "index"])
    assert {page: practice.chapter_of(page) for page in chapters} == chapters


def test_each_chapter_has_exercises_of_each_kind_with_names_of_their_own():
    found = [entry for _, entry in practice.exercises()]
    assert len({entry["name"] for entry in found}) == len(found)
    for kind in set(practice.KINDS) - {"code"}:  # those stand in the notebooks
        assert {entry["chapter"] for entry in found if entry["kind"] == kind} == set("0123456789"), kind
    for entry in found:
        assert set(entry) == {"name", "title", "chapter", "kind"}
        prefix = entry["kind"].replace(" ", "-")
        assert re.fullmatch(rf"{prefix}\.[a-z0-9_.-]{{1,70}}", entry["name"]), "as js/draw/kept.js takes it"


def test_kinds_are_the_same_in_the_list_and_in_the_script():
    assert page("Object.keys(MINUTES)", module="draw/practice") == list(practice.KINDS)


DAY = {"step": 0, "rated": "2026-03-01T10:00:00Z"}
DUE, LATER = DAY | {"due": "2026-03-05T00:00:00Z"}, DAY | {"due": "2026-03-20T00:00:00Z"}
TRIED = {"passed": False, "tries": 2, "checked": "2026-03-01T10:00:00Z"}
SOLVED = TRIED | {"passed": True}


def deck(chapter, count):
    return {"kind": "card", "chapter": chapter, "names": [f"card.{chapter}.{k}" for k in range(count)]}


def exercise(kind, chapter, name):
    return {"kind": kind, "chapter": chapter, "names": [name]}


def drawn(items, *, lot="() => 0", **kept):
    """What is drawn, as (name or chapter of the deck, minutes, how many cards)."""
    start = {"format": "attn-practice-1", **kept}
    found = page(f"tenMinutes(items, {lot}, noon)", start=start, module="draw/practice", items=items)
    return [
        (
            one["item"]["chapter"] if one["item"]["kind"] == "card" else one["item"]["names"][0],
            one["minutes"],
            one["count"],
        )
        for one in found
    ]


def test_cards_that_are_due_come_first():
    items = [exercise("by hand", "0", "a"), deck("0", 6), deck("1", 4)]
    cards = {f"card.0.{k}": (DUE if k < 3 else LATER) for k in range(6)} | {
        f"card.1.{k}": DUE for k in range(4)
    }
    assert drawn(items, cards=cards) == [("0", 1.5, 3), ("1", 2, 4), ("a", 3, 0)]


def test_more_due_cards_than_there_is_time_for_are_cut_at_ten_minutes():
    items = [deck("0", 30), exercise("report", "1", "a")]
    assert drawn(items, cards={f"card.0.{k}": DUE for k in range(30)}) == [("0", 10, 20)]


def test_tried_ones_come_before_untried_ones_and_solved_ones_not_at_all():
    items = [exercise("by hand", str(k), name) for k, name in enumerate(["new", "solved", "tried", "fresh"])]
    exercises = {"tried": TRIED, "solved": SOLVED}
    assert [name for name, *_ in drawn(items, exercises=exercises)] == ["tried", "new", "fresh"]
    assert [name for name, *_ in drawn(items[1:2], exercises=exercises)] == []


def test_no_two_in_a_row_from_one_chapter_where_it_can_be_helped():
    items = [exercise("report", chapter, f"{chapter}.{k}") for chapter in "012" for k in range(4)]
    seen = [name.split(".")[0] for name, *_ in drawn(items)]
    assert len(seen) == 10
    assert all(one != other for one, other in zip(seen[:6], seen[1:6], strict=False))
    alone = [exercise("report", "0", f"x{k}") for k in range(3)]
    assert len(drawn(alone)) == 3


def test_it_is_ten_minutes_at_most_and_draws_by_lot():
    kinds = ["by hand", "ladder", "order", "report"]
    items = [exercise(kinds[k % 4], str(k % 5), f"e{k}") for k in range(20)] + [deck("0", 8)]
    found = page(
        """Array.from({ length: 30 }, (_, seed) => {
          let x = seed + 1;
          return tenMinutes(items, () => (x = (x * 16807) % 2147483647) / 2147483647, noon);
        })""",
        module="draw/practice",
        items=items,
    )
    for drawn_once in found:
        assert 9 < sum(one["minutes"] for one in drawn_once) <= 10
        assert len({one["item"]["names"][0] for one in drawn_once}) == len(drawn_once)


def test_the_lot_decides():
    items = [exercise("by hand", str(k), f"e{k}") for k in range(8)]
    up, down = (
        drawn(items, lot=f"(() => {{ let x = 0; return () => (x += {step}); }})()") for step in (0.01, -0.01)
    )
    assert [name for name, *_ in up] == ["e0", "e1", "e2"]
    assert [name for name, *_ in down] == ["e7", "e6", "e5"]


def test_of_a_ladder_the_lowest_puzzle_comes_first():
    """And those that were tried; which of the others is drawn is no matter of luck."""
    rungs = [exercise("ladder", "0", f"ladder.x.{n}") for n in range(1, 8)]
    for lot in ("() => 0", "(() => { let x = 0; return () => (x -= 0.01); })()"):
        assert [name for name, *_ in drawn(rungs, lot=lot)] == ["ladder.x.1"]
        exercises = {"ladder.x.1": SOLVED, "ladder.x.2": TRIED, "ladder.x.3": SOLVED}
        assert [name for name, *_ in drawn(rungs, lot=lot, exercises=exercises)] == [
            "ladder.x.2",
            "ladder.x.4",
        ]


def test_chapters_that_were_not_met_are_left_out():
    items = [exercise("report", str(k), f"report.{k}") for k in range(5)] + [deck("5", 3)]
    start = {
        "format": "attn-practice-1",
        "chapters": {"1": {"opened": "2026-03-01T10:00:00Z"}},
        "exercises": {"report.3": TRIED},
        "cards": {"card.5.0": LATER},
    }
    found = page(
        "metOf(items).map(({ chapter }) => chapter)", start=start, module="draw/practice", items=items
    )
    assert found == ["1", "3", "5"]
    assert page("metOf(items)", module="draw/practice", items=items) == []


def test_cards_not_seen_yet_fill_what_is_left():
    items = [deck("0", 8), deck("1", 8), deck("2", 8), exercise("by hand", "0", "a")]
    assert drawn(items) == [("a", 3, 0), ("0", 4, 8), ("1", 3, 6)]
    assert drawn([], exercises={}) == []
