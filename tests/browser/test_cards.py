"""Recall cards: by mouse, finger and keyboard; what is known is kept, and what is not comes again."""

from attn.explore import Cards
from tests import tiers
from tests.browser import book
from tests.browser.exercises import CARDS, answer_card

FOCUSED = "() => document.activeElement.dataset.action"


def deck(view):
    return view.locator("[data-explorable=Cards]")


def states(root):
    """Card -> open, right or wrong."""
    found = root.locator("[data-exercise]").evaluate_all(
        "all => all.map((n) => [n.dataset.exercise, n.dataset.state])"
    )
    return dict(found)


def count(root):
    return root.locator("[data-count]").inner_text()


@tiers.SLOW
def test_a_round_by_mouse(mount):
    """The answer stands there after the press, and not before; all cards come once, and those not known again."""
    figure = Cards("3")
    view = mount([figure])
    root, many = deck(view), len(figure.cards)
    names = [card["name"] for card in figure.cards]
    assert count(root) == f"{many} cards: 0 due, {many} new."
    asked, tops = [], set()
    for place, card in enumerate(figure.cards):
        asked.append(root.locator("[data-card]").get_attribute("data-card"))
        assert book.as_shown(card["answer"]) not in root.evaluate(
            "root => root.textContent.split('Answers')[0]"
        )
        tops.add(root.locator(".abh-row").bounding_box()["y"])
        root.locator("[data-action=show]").click()
        tops.add(root.locator(".abh-row").bounding_box()["y"])
        assert root.locator(".abh-tells").inner_text() == book.as_shown(card["answer"])
        root.locator(f"[data-action={'not-yet' if place == 1 else 'knew'}]").click()
        assert count(root) == f"{many} cards: {many - place - (place < 1)} left in this round."
    assert asked == names
    assert len(tops) == 1, "no button jumps from card to card"
    assert root.locator("[data-card]").get_attribute("data-card") == names[1], (
        "what was not known comes again"
    )
    assert states(root) == dict.fromkeys(names, "right") | {names[1]: "wrong"}
    before = view.evaluate(CARDS)[names[1]]
    assert before["step"] == 0
    answer_card(root, known=True)
    assert view.evaluate(CARDS)[names[1]] == before, "a second look in one round counts for nothing"
    assert f"you knew {many - 1} of {many} cards at once" in root.locator(".abh-asks").inner_text()
    assert not root.locator("[data-action=show]").is_visible()
    root.locator("[data-action=again]").click()
    assert root.locator("[data-card]").get_attribute("data-card") == names[0]


def test_by_keyboard(mount):
    """Enter shows, and the focus is then where the next press belongs."""
    view = mount([Cards("0")])
    root = deck(view)
    view.keyboard.press("Tab")
    assert view.evaluate(FOCUSED) == "show"
    for key in ("Enter", "Space"):
        view.keyboard.press(key)
        assert view.evaluate(FOCUSED) == "knew"
        view.keyboard.press("Tab")
        assert view.evaluate(FOCUSED) == "not-yet"
        view.keyboard.press(key)
        assert view.evaluate(FOCUSED) == "show"
    assert sorted(states(root).values()) == ["open"] * 6 + ["wrong"] * 2


def test_a_double_tap_shows_the_answer_and_does_not_judge_it(mount):
    """What a tap brings up takes none for a moment, by a clock that stands; a key may follow at once."""
    view = mount([Cards("1")], width=360, has_touch=True, is_mobile=True)
    root = deck(view)
    first = root.locator("[data-card]").get_attribute("data-card")
    view.clock.install()
    view.clock.pause_at("2040-01-01")
    row = root.locator(".abh-row").bounding_box()
    assert row["height"] >= 40
    places = [(row["x"] + row["width"] * part, row["y"] + row["height"] / 2) for part in (0.1, 0.2, 0.35)]
    for place in places:
        view.touchscreen.tap(*places[0])  # the first one shows, the others come too soon
        view.touchscreen.tap(*place)
        assert root.locator("[data-action=knew]").is_visible()
        assert states(root)[first] == "open"
    view.clock.run_for(500)
    knew = root.locator("[data-action=knew]").bounding_box()
    for _ in range(2):  # the second one does not show the next answer
        view.touchscreen.tap(knew["x"] + knew["width"] / 2, knew["y"] + knew["height"] / 2)
        assert states(root)[first] == "right"
        assert root.locator("[data-action=show]").is_visible()
    assert root.locator("[data-hint]").inner_text() == "It comes again tomorrow."
    root.locator("[data-action=show]").focus()
    view.clock.run_for(500)
    for key in ("Enter", "Enter"):
        view.keyboard.press(key)
    assert sorted(states(root).values()).count("right") == 2


def test_reset_asks_all_again_and_forgets_nothing_and_two_decks_keep_apart(mount):
    view = mount([Cards("4"), Cards("4")])
    root, other = deck(view).all()
    before = other.inner_text(), states(other)
    first = answer_card(root, known=True)
    answer_card(root, known=False)
    assert "right" in states(root).values()
    assert (other.inner_text(), states(other)) == before
    stored = view.evaluate(CARDS)
    assert len(stored) == 2
    root.locator("[data-action=reset]").click()
    assert root.locator("[data-card]").get_attribute("data-card") == first
    assert set(states(root).values()) == {"open"}
    assert root.locator("[data-hint]").inner_text() == ""
    assert view.evaluate(CARDS) == stored
