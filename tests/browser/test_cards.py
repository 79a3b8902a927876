"""Recall cards: by mouse, finger and keyboard; what is known is kept, and what is not comes again."""

import json

import pytest

from attn.explore import Cards
from tests import tiers
from tests.browser import book
from tests.browser.axe import all_violations

KEPT = "attention-by-hand:practice"
STORED = f"() => JSON.parse(localStorage.getItem('{KEPT}'))?.cards ?? {{}}"


def deck(view):
    """The figure, and shown(action): the button of that action if it is in sight."""
    return view.locator("[data-explorable=Cards]")


def answered(root, known):
    """Look and judge the card that is asked, by the buttons; return its name."""
    name = root.locator("[data-card]").get_attribute("data-card")
    root.locator("[data-action=show]").click()
    root.locator(f"[data-action={'knew' if known else 'not-yet'}]").click()
    return name


def states(root):
    return dict(
        root.evaluate(
            "root => [...root.querySelectorAll('[data-exercise]')].map((n) => [n.dataset.exercise, n.dataset.state])"
        )
    )


@tiers.SLOW
def test_a_round_by_mouse(mount):
    """The answer stands there after the press, and not before; all cards come once, and those not known again."""
    figure = Cards("3")
    view = mount([figure])
    root = deck(view)
    names = [card["name"] for card in figure.cards]
    by_name = {card["name"]: card for card in figure.cards}
    assert set(states(root)) == set(names)
    asked = []
    for place in range(len(names)):
        name = root.locator("[data-card]").get_attribute("data-card")
        answer = book.as_shown(by_name[name]["answer"])
        assert answer not in root.evaluate("root => root.textContent.split('Answers')[0]")
        root.locator("[data-action=show]").click()
        assert root.locator(".abh-tells").inner_text() == answer
        root.locator(f"[data-action={'not-yet' if place == 1 else 'knew'}]").click()
        asked.append(name)
    assert asked == names
    assert root.locator("[data-card]").get_attribute("data-card") == names[1], (
        "what was not known comes again"
    )
    assert states(root) == dict.fromkeys(names, "right") | {names[1]: "wrong"}
    assert view.evaluate(STORED)[names[1]]["step"] == 0
    before = view.evaluate(STORED)[names[1]]
    answered(root, known=True)
    assert view.evaluate(STORED)[names[1]] == before, "a second look in one round counts for nothing"
    assert "you knew 7 of 8 cards at once" in root.locator(".abh-asks").inner_text()
    assert "tomorrow" in root.locator(".abh-asks").inner_text()
    assert not root.locator("[data-action=show]").is_visible()
    root.locator("[data-action=again]").click()
    assert root.locator("[data-card]").get_attribute("data-card") == names[0]


def test_by_keyboard(mount):
    """Enter shows, and the focus is then where the next press belongs."""
    view = mount([Cards("0")])
    root = deck(view)
    focused = "() => document.activeElement.dataset.action"
    view.keyboard.press("Tab")
    assert view.evaluate(focused) == "show"
    for key in ("Enter", "Space"):
        view.keyboard.press(key)
        assert view.evaluate(focused) == "knew"
        view.keyboard.press("Tab")
        assert view.evaluate(focused) == "not-yet"
        view.keyboard.press(key)
        assert view.evaluate(focused) == "show"
        assert "comes again" in root.locator("[data-hint]").inner_text()
    assert sorted(states(root).values()) == ["open"] * 6 + ["wrong"] * 2


def test_by_finger(mount):
    view = mount([Cards("1")], width=360, has_touch=True, is_mobile=True)
    root = deck(view)
    name = root.locator("[data-card]").get_attribute("data-card")
    for action in ("show", "knew"):
        button = root.locator(f"[data-action={action}]")
        assert button.bounding_box()["height"] >= 40
        button.tap()
    assert states(root)[name] == "right"
    assert root.locator("[data-hint]").inner_text() == "It comes again tomorrow."


def test_a_double_tap_shows_the_answer_and_does_not_judge_it(mount):
    """What a tap brings up takes none for a moment, by a clock that stands; a key may follow at once."""
    view = mount([Cards("1")], own=True, width=360, has_touch=True, is_mobile=True)
    root = deck(view)
    first = root.locator("[data-card]").get_attribute("data-card")
    view.clock.install()
    view.clock.pause_at("2040-01-01")
    row = root.locator(".abh-row").bounding_box()
    places = [(row["x"] + row["width"] * part, row["y"] + row["height"] / 2) for part in (0.1, 0.2, 0.35)]
    for place in places:
        view.touchscreen.tap(*places[0])  # the first one shows, the others come too soon
        view.touchscreen.tap(*place)
        assert root.locator("[data-action=knew]").is_visible()
        assert states(root)[first] == "open"
    view.clock.run_for(500)
    knew = root.locator("[data-action=knew]").bounding_box()
    middle = knew["x"] + knew["width"] / 2, knew["y"] + knew["height"] / 2
    for _ in range(2):  # the second one does not show the next answer
        view.touchscreen.tap(*middle)
        assert states(root)[first] == "right"
        assert root.locator("[data-action=show]").is_visible()
    root.locator("[data-action=show]").focus()
    view.clock.run_for(500)
    for key in ("Enter", "Enter"):
        view.keyboard.press(key)
    assert sorted(states(root).values()).count("right") == 2


@tiers.SLOW
def test_the_count_says_what_is_left(mount):
    view = mount([Cards("0")])
    root, many = deck(view), len(Cards("0").cards)
    assert root.locator("[data-count]").inner_text() == f"{many} cards: 0 due, {many} new."
    for left in (many - 1, many - 2):
        answered(root, known=True)
        assert root.locator("[data-count]").inner_text() == f"{many} cards: {left} left in this round."
    answered(root, known=False)  # it comes again in this round
    assert root.locator("[data-count]").inner_text() == f"{many} cards: {left} left in this round."
    for _ in range(left):
        answered(root, known=True)
    assert root.locator("[data-count]").inner_text() == f"{many} cards: none left in this round."
    root.locator("[data-action=again]").click()
    assert root.locator("[data-count]").inner_text() == f"{many} cards: {many} left in this round."


@tiers.SLOW
def test_what_was_known_comes_on_its_day(mount):
    """Opened anew, a round takes what is due, then what is new, and leaves what has its day still to come."""
    figure = Cards("2")
    names = [card["name"] for card in figure.cards]
    view = mount([figure], own=True)
    root = deck(view)
    for _ in names[:6]:
        answered(root, known=True)
    learned = view.evaluate(STORED)[names[5]]  # it comes again tomorrow
    old = {"step": 1, "rated": "2020-01-01T00:00:00Z"}
    kept = {
        "format": "attn-practice-1",
        "cards": {
            names[0]: old | {"due": "2999-01-01T00:00:00Z"},  # by a wrong clock
            names[3]: old | {"due": "2020-01-04T00:00:00Z"},
            names[5]: learned,
        },
    }
    view.add_init_script(f"localStorage.setItem('{KEPT}', {json.dumps(json.dumps(kept))});")
    view.reload()
    assert root.locator("[data-count]").inner_text() == "8 cards: 2 due, 5 new."
    asked = [answered(root, known=True) for _ in range(7)]
    assert asked == [names[0], names[3], *(names[k] for k in (1, 2, 4, 6, 7))]
    assert view.evaluate(STORED)[names[3]]["step"] == 2
    assert view.evaluate(STORED)[names[5]] == learned


@tiers.SLOW
def test_the_whole_book_asks_what_is_due(mount):
    figure = Cards()
    view = mount([figure], own=True)
    view.evaluate("localStorage.clear()")  # pages of files share one store
    view.reload()
    root = deck(view)
    assert "not opened a chapter yet" in root.locator(".abh-asks").inner_text()
    card = {"step": 0, "rated": "2020-01-01T00:00:00Z", "due": "2020-01-02T00:00:00Z"}
    names = [figure.cards[k]["name"] for k in (3, 40)]
    kept = {"format": "attn-practice-1", "cards": dict.fromkeys(names, card)}
    kept["chapters"] = {str(number): {"opened": "2020-01-01T00:00:00Z"} for number in range(10)}
    view.add_init_script(f"localStorage.setItem('{KEPT}', {json.dumps(json.dumps(kept))});")
    view.reload()
    assert [answered(root, known=True) for _ in names] == names
    assert "The next one is due in 3 days." in root.locator(".abh-asks").inner_text()
    root.locator("[data-action=again]").click()
    seen = [answered(root, known=True) for _ in range(20)]
    assert len(set(seen)) == 20
    assert "20 of 20" in root.locator(".abh-asks").inner_text()


def test_reset_asks_all_again_and_forgets_nothing(mount):
    view = mount([Cards("4")])
    root = deck(view)
    first = answered(root, known=True)
    stored = view.evaluate(STORED)
    root.locator("[data-action=reset]").click()
    assert root.locator("[data-card]").get_attribute("data-card") == first
    assert set(states(root).values()) == {"open"}
    assert root.locator("[data-hint]").inner_text() == ""
    assert view.evaluate(STORED) == stored


def test_two_decks_keep_apart(mount):
    """One goes on while the other stays; each knows at its next round what was noted."""
    view = mount([Cards("4"), Cards("4")])
    one, two = deck(view).all()
    before = two.inner_text(), states(two)
    answered(one, known=True)
    answered(one, known=False)
    assert (two.inner_text(), states(two)) == before
    assert "right" in states(one).values()


@tiers.SLOW
def test_where_nothing_is_kept_it_works_the_same(mount):
    """The console stays silent, too: the fixture sees to it."""
    view = mount([Cards("5")], own=True)
    view.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } })"
    )
    view.reload()
    root = deck(view)
    names = [answered(root, known=True) for _ in range(8)]
    assert len(set(names)) == 8
    assert "you knew 8 of 8 cards" in root.locator(".abh-asks").inner_text()
    assert "due" not in root.locator(".abh-asks").inner_text()


def test_no_day_is_named_where_nothing_is_kept(mount):
    view = mount([Cards("5")], own=True)
    said = {}
    for kept in (True, False):
        if not kept:
            view.add_init_script(
                "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } })"
            )
            view.reload()
        root = deck(view)
        for known in (True, False):
            answered(root, known=known)
            said[kept, known] = root.locator("[data-hint]").inner_text()
    assert said == {
        (True, True): "It comes again tomorrow.",
        (True, False): "It comes again at the end of this round, and tomorrow.",
        (False, True): "It comes again when you open this page anew: nothing can be kept here.",
        (False, False): "It comes again at the end of this round.",
    }


@tiers.SLOW
@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_moves(mount, width):
    """The room of the longest texts is kept: no button jumps from card to card."""
    view = mount([Cards("6")], width=width)
    root = deck(view)
    place = "root => Math.round(root.querySelector('.abh-row').getBoundingClientRect().top)"
    before = root.evaluate(place)
    for _ in range(8):
        root.locator("[data-action=show]").click()
        assert root.evaluate(place) == before
        root.locator("[data-action=knew]").click()
        assert root.evaluate(place) == before


@pytest.mark.parametrize("dark", [False, True])
def test_axe_is_content_with_an_answer(mount, dark):
    view = mount([Cards("6")], width=360, dark=dark)
    root = deck(view)
    answered(root, known=False)
    root.locator("[data-action=show]").click()
    assert all_violations(view) == []
