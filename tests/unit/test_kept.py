"""What a page keeps of practice: growing intervals, out, in and away, and no harm by nonsense in a store or a file."""

import json
import re
from datetime import UTC, datetime, timedelta
from functools import reduce

import pytest

from attn.check import results
from attn.explore._base import module_source
from tests.unit.node import answer
from tests.unit.stored import PAGE, page

NOTHING = {"format": "attn-practice-1", "exercises": {}, "cards": {}, "chapters": {}}
TRY = {"passed": True, "tries": 2, "checked": "2026-03-01T10:00:00.000Z"}
CARD = {"step": 2, "rated": "2026-03-01T10:00:00.000Z", "due": "2026-03-08T00:00:00.000Z"}
OPENED = {"opened": "2026-03-01T10:00:00.000Z"}
GOOD = NOTHING | {"exercises": {"by-hand.a": TRY}, "cards": {"card.a.b": CARD}, "chapters": {"3": OPENED}}


def test_a_card_that_is_known_comes_again_after_growing_intervals():
    """Each time on its day: 1, 3, 7, 21, 60 days, and 60 from then on."""
    found = page(
        """(() => { let now = noon; const days = [];
          for (let k = 0; k < 7; k += 1) {
            days.push(rate("card.a.b", true, now));
            now += days.at(-1) * DAY;
          }
          return days; })()"""
    )
    assert found == [1, 3, 7, 21, 60, 60, 60]


def test_a_card_that_is_not_known_starts_anew():
    days = page(
        """[[true, 0], [true, 1], [true, 4], [false, 11], [true, 12], [true, 15]]
          .map(([knew, day]) => rate("card.a.b", knew, noon + day * DAY))"""
    )
    assert days == [1, 3, 7, 1, 3, 7]


def test_to_look_twice_in_a_day_moves_no_card_on():
    """Known before its day, it keeps its day; not known before its day, it starts anew."""
    assert page(
        """(() => { rate("c", true, noon); rate("c", true, noon + DAY); const due = cardSeen("c").due;
          const early = rate("c", true, noon + 2 * DAY), same = cardSeen("c").due === due;
          return [early, same, cardSeen("c").step, rate("c", false, noon + 2 * DAY), cardSeen("c").step]; })()"""
    ) == [2, True, 1, 1, 0]


@pytest.mark.parametrize(
    ("hours", "due"), [(0.001, True), (24, True), (-0.001, False), (-60 * 24, False), (-70 * 24, True)]
)
def test_a_card_is_due_from_its_day_on(hours, due):
    """One that a wrong clock put further ahead than any interval is due now, not in a hundred years."""
    when = (datetime(2026, 3, 10, 12, tzinfo=UTC) - timedelta(hours=hours)).isoformat(timespec="seconds")
    assert page("isDue({ due: when }, noon)", when=when.replace("+00:00", "Z")) is due


def test_the_day_begins_at_midnight():
    """What is learned late in the evening is due the next morning."""
    assert page(
        """(() => { const late = new Date(2026, 2, 10, 23, 30).getTime(), morning = new Date(2026, 2, 11, 7).getTime();
          const days = rate("c", true, late);
          return [days, isDue(cardSeen("c"), late + 60000), isDue(cardSeen("c"), morning)]; })()"""
    ) == [1, False, True]


ZONES = [
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Africa/Cairo",
    "Pacific/Auckland",
    "UTC",
]


@pytest.mark.parametrize("zone", ZONES)
def test_days_are_counted_by_the_calendar_where_the_reader_is(monkeypatch, zone):
    """On each day of a year, in the morning, at noon and late: days of 23 or 25 hours are days."""
    monkeypatch.setenv("TZ", zone)
    found = page(
        """(() => { const wrong = [];
          for (let day = 0; day < 365; day += 1)
            for (const [hour, minute] of [[0, 5], [2, 30], [12, 0], [23, 55]])
              for (const days of INTERVALS) {
                const now = new Date(2026, 0, 1 + day, hour, minute).getTime();
                const due = dayAfter(now, days);
                if (daysUntil(due, now) !== days) wrong.push([new Date(now).toString(), days, daysUntil(due, now)]);
                if (isDue({ due }, Date.parse(due) - 1) || !isDue({ due }, Date.parse(due))) wrong.push(due);
              }
          const offsets = [1, 182].map((day) => new Date(2026, 0, day).getTimezoneOffset());
          return [wrong.slice(0, 5), offsets[0] !== offsets[1]]; })()"""
    )
    assert found == [[], zone != "UTC"]


def test_chapters_are_met_by_their_page_or_by_what_was_tried():
    assert page(
        """(() => { const before = isMet("3", ["by-hand.a", "card.x.y"]);
          noteOpened("3"); const one = stored.get(KEPT); noteOpened("3");
          record("by-hand.b", false); rate("card.c.d", true, noon);
          const met = [["3"], ["4", "by-hand.b"], ["5", "card.c.d"], ["6", "by-hand.z"], ["constructor"]]
            .map(([chapter, ...names]) => isMet(chapter, names));
          return [before, stored.get(KEPT) !== one, met, Object.keys(JSON.parse(exported()).chapters)]; })()"""
    ) == [False, True, [True, True, True, False, False], ["3"]]


def test_what_has_passed_once_stays_passed():
    assert page(
        """(() => { for (const passed of [false, true, false]) record("x", passed);
          return [seen("x").passed, seen("x").tries]; })()"""
    ) == [True, 3]


@pytest.mark.parametrize("name", ["constructor", "tostring", "hasownproperty", "0"])
def test_a_name_that_objects_have_too_is_a_name(name):
    assert page(
        "(() => { const none = [seen(name) ?? null, cardSeen(name) ?? null]; record(name, true); rate(name, true);"
        " return [...none, seen(name).tries, cardSeen(name).step]; })()",
        name=name,
    ) == [None, None, 1, 0]


# ---------------------------------------------------------------- out, in, away


def test_what_is_exported_can_be_imported_elsewhere():
    text = page("exported()", start=GOOD)
    assert json.loads(text) == GOOD
    counts, after = page("[imported(text), (imported(text), JSON.parse(exported()))]", text=text)
    assert counts == {"exercises": 1, "cards": 1}
    assert after == GOOD, "a second time changes nothing more"
    assert page("imported(text)", text=text + " " * 1_000_000) is None, "too large"
    many = NOTHING | {"exercises": {f"x{k}": TRY for k in range(6000)}}
    assert page("Object.keys(soundly(many).exercises).length", many=many) == 5000


def test_an_imported_file_is_added_to_what_is_there():
    """Of a card the later answer counts; an exercise that passed on either device has passed."""
    earlier, later = "2026-02-01T10:00:00.000Z", "2026-03-05T10:00:00.000Z"
    mine = NOTHING | {
        "exercises": {"a": TRY | {"passed": False, "tries": 5, "checked": later}, "b": TRY, "mine": TRY},
        "cards": {"c": CARD | {"rated": later, "step": 0}, "d": CARD | {"rated": earlier}},
    }
    theirs = NOTHING | {
        "exercises": {"a": TRY, "b": TRY | {"passed": False, "checked": later}, "theirs": TRY},
        "cards": {"c": CARD, "d": CARD | {"step": 4}, "e": CARD},
    }
    after = page("(imported(text), JSON.parse(exported()))", start=mine, text=json.dumps(theirs))
    assert after["exercises"] == {
        "a": {"passed": True, "tries": 5, "checked": later},
        "b": {"passed": True, "tries": 2, "checked": later},
        "mine": TRY,
        "theirs": TRY,
    }
    assert after["cards"] == {"c": mine["cards"]["c"], "d": theirs["cards"]["d"], "e": CARD}


def test_erasing_erases():
    found = page(
        "(erase(), [stored.size, JSON.parse(exported()), seen('by-hand.a') ?? null, told])", start=GOOD
    )
    assert found == [0, NOTHING, None, 1]


@pytest.mark.parametrize("start", [None, GOOD])
def test_where_nothing_can_be_stored_it_lasts_as_long_as_the_page(start):
    """A full store lets itself be read and not be written: what came last counts, and erasing erases it, too."""
    found = page(
        """(() => { record("n", true); rate("card.n", true, noon);
          const now = [seen("n").passed, cardSeen("card.n").step, lasts()];
          erase();
          return [...now, seen("n") ?? null, cardSeen("card.n") ?? null]; })()""",
        start=start,
        full=True,
    )
    assert found == [True, 0, False, None, None]


def test_a_browser_that_refuses_its_store_does_no_harm():
    """In a private window to name it may throw already."""
    script = "Object.defineProperty(globalThis, 'localStorage', { get() { throw new Error('refused'); } });"
    found = answer(
        PAGE.replace("START", "{}").replace("FULL", "false")
        + script
        + "\n".join(map(module_source, ["draw/stored", "draw/kept"])),
        "(record('x', true), rate('c', false), [seen('x').tries, cardSeen('c').step, lasts(), imported('{}'), told])",
    )
    assert found == [1, 0, False, None, 2]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        (" Ada Łovelace ", "Ada Łovelace"), ("مهدی\u200cزاده", "مهدی\u200cزاده"), ("\tAda\tL\u00a0\x07", "Ada L"),
        ("Ada\u2028L\u202e", "Ada L"), ("\u00ad \x00", None), ("", None),
    ],
)  # fmt: skip
def test_the_file_to_hand_in_is_one_that_the_checkers_read(tmp_path, typed, name):
    """It has exercises, and no cards."""
    path = tmp_path / "ada.json"
    said = page("JSON.stringify(handedIn(typed, '0.1.0'))", start=GOOD, typed=typed)
    path.write_text(said, encoding="utf-8")
    found = results.read(path)
    written = datetime.fromisoformat(found.pop("written"))
    assert abs(datetime.now(UTC) - written) < timedelta(hours=1)
    assert found == {
        "format": "attn-results-1", "name": name, "attn": "0.1.0", "python": None,
        "exercises": [{"exercise": "by-hand.a", **TRY}],
    }  # fmt: skip


# ---------------------------------------------------------------- nonsense


JUNK = [
    TRY, CARD, None, True, -1, 0, 9, 1e308, 1.5, "", "x", [], {}, [1, 2], {"a": {}}, "2026-13-40T99:99:99Z", "9" * 400,
    "\ud800", {"passed": "yes", "tries": -1, "checked": 3}, {"step": 9, "rated": "now", "due": "never"}, "<img src=x>",
]  # fmt: skip


def places(value, path=()):
    """The ways to all entries of nested dicts, and to ones that are not there, with names that are none."""
    if isinstance(value, dict):
        for key in [*value, "__proto__", "constructor", "A B", "", "x" * 200]:
            yield (*path, key)
            yield from places(value.get(key), (*path, key))


def spoiled():
    """Texts that a store or a file could hold: a sound one with nonsense in each place, or cut, or something else."""
    sound = json.dumps(GOOD)
    for *path, last in places(GOOD):
        for junk in JUNK:
            whole = json.loads(sound)
            reduce(dict.get, path, whole)[last] = junk
            yield json.dumps(whole)
    yield from (sound[:end] for end in range(0, len(sound), 9))
    yield from map(json.dumps, [[GOOD], *JUNK])
    yield from ["[" * 100_000, '{"format":"attn-practice-1"}']


TEXTS = list(spoiled())


def is_a_time(text):
    return datetime.fromisoformat(text) is not None


SOUND = {
    "exercises": {
        "passed": lambda x: isinstance(x, bool),
        "tries": lambda x: isinstance(x, int),
        "checked": is_a_time,
    },
    "cards": {"step": lambda x: x in range(5), "rated": is_a_time, "due": is_a_time},
    "chapters": {"opened": is_a_time},
}


def is_sound(kept):
    assert set(kept) == {"format", *SOUND}
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9_.-]{0,79}", name) for name in kept["exercises"] | kept["cards"])
    for part, rules in SOUND.items():
        for entry in kept[part].values():
            assert set(entry) == set(rules)
            assert all(rules[key](value) for key, value in entry.items()), entry


def test_a_thousand_texts_in_the_store_do_no_harm():
    """Whatever stands there, a try and an answer can be noted, and what is then stored is sound."""
    found = page(
        """texts.map((text) => { stored.set(KEPT, text); record("new", false); rate("card.new", true, noon);
          handedIn("x", "0"); return [JSON.parse(stored.get(KEPT)), seen("new").passed, ({}).polluted ?? null]; })""",
        texts=TEXTS,
    )
    for kept, passed, polluted in found:
        is_sound(kept)
        assert {"new"} <= set(kept["exercises"])
        assert (passed, polluted) == (False, None)
    untouched = [kept for kept, _, _ in found if "by-hand.a" in kept["exercises"]]
    assert 50 < len(untouched) < len(TEXTS) - 50, "the nonsense is not of all kinds"


def test_a_thousand_files_do_no_harm():
    """What is sound in them is added, what is there already stays, and a file with nothing in it changes nothing."""
    found = page(
        """texts.map((text) => { stored.set(KEPT, before); const counts = imported(text);
          return [counts, JSON.parse(stored.get(KEPT)), stored.get(KEPT) === before]; })""",
        texts=TEXTS,
        before=json.dumps(NOTHING | {"exercises": {"mine": TRY}, "cards": {"card.mine": CARD}}),
    )
    for counts, kept, same in found:
        is_sound(kept)
        assert kept["exercises"]["mine"] == TRY
        assert kept["cards"]["card.mine"] == CARD
        assert same == (counts is None)
    taken = sum(counts is not None for counts, _, _ in found)
    assert 50 < taken < len(TEXTS)
