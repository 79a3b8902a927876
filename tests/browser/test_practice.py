"""The page Practice, as built: what is done and due, ten minutes, out, in, away, and the file to hand in."""

import json
import re

import pytest

from attn.check import results
from attn.practice import cards
from bookext.practice import exercises
from tests.browser import book
from tests.browser.axe import all_violations
from tests.browser.conftest import dress

PAGE = "chapters/practice.html"
KEPT = "attention-by-hand:practice"
DAY = {"step": 0, "rated": "2020-01-01T00:00:00Z", "due": "2020-01-02T00:00:00Z"}
TRY = {"passed": True, "tries": 2, "checked": "2020-01-01T10:00:00.000Z"}
TOLD = "document.querySelector('[data-practice-told]').textContent"
REFUSED = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } })"


def kept(*due, **tried):
    names = {card.chapter: card.name for card in reversed(cards.deck(""))}
    return {
        "format": "attn-practice-1",
        "exercises": {name.replace("_", "."): TRY | {"passed": passed} for name, passed in tried.items()},
        "cards": {names[chapter]: DAY for chapter in due},
        "chapters": {},
    }


@pytest.fixture
def practice(visit):
    """Open the page in a tab of its own, with a store as given."""

    def go(store=None, over="http", **options):
        view = visit(PAGE, over=over, own=True, **options)
        if store is not None:
            view.evaluate(f"text => localStorage.setItem('{KEPT}', text)", json.dumps(store))
            view.reload()
            view.wait_for_selector("[data-practice-sum]")
        return view

    return go


def press(view, action):
    view.locator(f"[data-practice-tools] [data-action={action}]").click()


def by_key(root, action):
    """Press a button of the cards by keyboard: what a tap brings up takes no tap for a moment."""
    root.locator(f"[data-action={action}]").press("Enter")


def told(view):
    return view.locator("[data-practice-told]").inner_text()


def saved(view, action):
    """The file that a button writes, as text."""
    with view.expect_download() as download:
        press(view, action)
    return download.value


def test_all_exercises_stand_there_with_links_that_lead_to_them(practice, visit):
    """One item an exercise, one for the cards of a figure; each leads to a figure that lives."""
    view = practice(java_script_enabled=False)
    items = view.evaluate(
        """() => [...document.querySelectorAll("[data-practice]")].map((node) =>
          [node.dataset.practice.split(" "), node.querySelector("a").getAttribute("href"), node.innerText])"""
    )
    assert sorted(name for names, *_ in items for name in names) == sorted(
        entry["name"] for _, entry in exercises()
    )
    for names, href, text in items:
        page, anchor = href.split("#")
        path = (book.folder() / "chapters" / page.partition("?")[0]).resolve()
        assert f'id="{anchor}"' in path.read_text(encoding="utf-8"), names
        assert text.strip()
    other = visit(f"chapters/{items[0][1].split('#')[0]}")
    anchor = items[0][1].split("#")[1]
    inside = "id => [...document.getElementById(id).querySelectorAll('[data-exercise]')].map((n) => n.dataset.exercise)"
    assert set(items[0][0]) <= set(other.evaluate(inside, anchor))


def test_what_is_due_is_said(practice):
    view = practice(kept("0", "3"))
    count = len(cards.deck(""))
    said = view.locator("[data-practice-sum]").inner_text()
    assert said.startswith("Kept on this device only: ")
    assert f"2 cards due, {count - 2} not seen yet." in said
    texts = view.locator("[data-kind=card]").all_inner_texts()
    assert texts[0] == f"{len(cards.deck('0'))} recall cards · 1 due, {len(cards.deck('0')) - 1} new"
    assert "due" not in texts[1]


def test_what_the_figure_of_cards_notes_is_seen_in_the_list_at_once(practice):
    view = practice(kept("0"))
    root = view.locator("[data-explorable=Cards]")
    root.locator("[data-action=show]").click()
    root.locator("[data-action=knew]").click()
    assert "0 cards due" in view.locator("[data-practice-sum]").inner_text()
    assert "next in 3 days" in view.locator("[data-kind=card]").first.inner_text()


def test_exercises_are_said_to_be_solved_or_tried(practice):
    """The list is changed before the script reads it, so that it has exercises of kinds that anybody can solve."""
    view = practice(kept(x_0=True, x_1=False))
    html = (book.folder() / PAGE).read_text(encoding="utf-8")
    for name in ("x.0", "x.1", "x.2"):
        new = f'data-practice="{name}" data-kind="report"'
        html = re.sub(r'data-practice="card[^"]*" data-kind="card"', new, html, count=1)
    view.route(f"**/{PAGE}", lambda route: route.fulfill(body=html, content_type="text/html"))
    view.reload()
    view.wait_for_selector("[data-practice-sum]")
    new = [view.locator(f"[data-practice='x.{i}']") for i in range(3)]
    texts = [node.inner_text() for node in new]
    assert [text.partition(" · ")[2] for text in texts] == ["✓ solved", "tried 2 times, not solved yet", ""]
    assert [node.get_attribute("data-state") for node in new] == ["right", "wrong", "open"]
    count = sum(entry["kind"] != "card" for _, entry in exercises()) + 3
    assert f"1 of {count} exercises solved; " in view.locator("[data-practice-sum]").inner_text()


def opened(*chapters):
    """A store of somebody who opened these chapters."""
    return {chapter: {"opened": "2020-01-01T10:00:00.000Z"} for chapter in chapters}


def test_ten_minutes_are_links(practice):
    view = practice(kept("0", "0", "3"))
    press(view, "ten")
    lines = view.locator("[data-ten] li")
    assert lines.nth(0).inner_text() == "1 card of 0 · Meet attention (half a minute)"
    assert lines.nth(1).inner_text().startswith("1 card of 3 · ")
    href = lines.nth(0).locator("a").get_attribute("href")
    assert href.startswith("practice/00_attention.html#figure-")
    lines.nth(0).locator("a").click()
    view.wait_for_url("**/practice/00_attention.html*")
    assert view.locator("[data-explorable=Cards]").is_visible()


def test_nothing_is_drawn_from_chapters_that_were_not_opened(practice):
    """Not one of them in a hundred draws; who opened none is told so, and may draw from all."""
    view = practice()
    press(view, "ten")
    assert told(view).startswith("You have not opened a chapter yet")
    assert view.locator("[data-ten] li").count() == 0
    press(view, "ten-of-all")
    assert view.locator("[data-ten] li").count() > 2
    assert not view.locator("[data-action=ten-of-all]").is_visible()
    view.evaluate(
        "([key, text]) => localStorage.setItem(key, text)",
        [KEPT, json.dumps(kept() | {"chapters": opened("3", "7")})],
    )
    hrefs = view.evaluate(
        """() => { const found = [];
          for (let k = 0; k < 100; k += 1) {
            document.querySelector("[data-action=ten]").click();
            found.push(...[...document.querySelectorAll("[data-ten] a")].map((a) => a.getAttribute("href")));
          }
          return found; }"""
    )
    assert {re.search(r"/(\d\d)_", href)[1] for href in hrefs} == {"03", "07"}
    rungs = {re.search(r"ladder[^#]*", href)[0] for href in hrefs if "puzzle=" in href}
    assert rungs == {"ladder.masking.1", "ladder.pmi.1"}, "the lowest puzzle first"


def test_any_twenty_are_of_chapters_that_were_opened_and_cards_name_theirs(practice):
    view = practice(kept())
    root = view.locator("[data-explorable=Cards]")
    assert "You have not opened a chapter yet" in root.locator("[data-card]").inner_text()
    assert not root.locator("[data-action=again]").is_visible()
    assert root.locator("[data-action=any]").is_visible()
    view.evaluate(
        "([key, text]) => localStorage.setItem(key, text)",
        [KEPT, json.dumps(kept() | {"chapters": opened("2")})],
    )
    view.reload()
    view.wait_for_selector("[data-explorable=Cards][data-ready]")
    by_key(root, "again")
    deck = {card.name for card in cards.deck("2")}
    for _ in range(len(deck)):
        assert root.locator("[data-card]").get_attribute("data-card") in deck
        link = root.locator("[data-from] a")
        assert link.inner_text() == "Chapter 2"
        assert link.get_attribute("href").endswith("chapters/02_qk_variance.html")
        by_key(root, "show")
        by_key(root, "knew")
    assert root.locator("[data-card]").inner_text().startswith("That was the round")
    link = f"{view.url.rsplit('/', 1)[0]}/02_qk_variance.html"
    assert view.request.get(link).ok


def test_to_read_a_chapter_s_page_is_to_open_it(visit):
    view = visit("chapters/practice/03_masking.html", own=True)
    met = f"() => Object.keys(JSON.parse(localStorage.getItem('{KEPT}') ?? '{{}}').chapters ?? {{}})"
    assert view.evaluate(met) == [], "its exercises are not the chapter"
    view.goto(view.url.replace("practice/", ""))
    view.wait_for_selector("[data-ready]")
    assert view.evaluate(met) == ["3"]


def test_ten_minutes_are_gone_through_from_one_to_the_next(practice):
    """A line at the screen's foot leads on, to another page or to another figure of this one, and back at the end."""
    view = practice(kept("3") | {"chapters": opened("3", "4")}, width=390, height=844)
    press(view, "ten")
    texts = [link.inner_text() for link in view.locator("[data-ten] a").all()]
    hrefs = view.locator("[data-ten] a").evaluate_all("all => all.map((one) => one.href)")
    assert len(texts) > 3
    view.locator("[data-ten] a").first.click()
    bar = view.locator(".abh-session-bar")
    for place in range(len(texts)):
        view.wait_for_url(hrefs[place])
        view.wait_for_function(
            f"() => document.querySelector('.abh-session-bar')?.innerText.startsWith('{place + 1} of')"
        )
        assert bar.inner_text().startswith(f"{place + 1} of {len(texts)}")
        box = bar.bounding_box()
        assert box["y"] + box["height"] == pytest.approx(844, abs=1)
        assert box["height"] < 100
        if place + 1 < len(texts):
            assert f"Next: {texts[place + 1]}" in bar.inner_text()
        bar.locator("a").click()
    view.wait_for_url("**/practice.html")
    assert view.locator("[data-ten] li").count() == len(texts)
    view.locator("[data-ten] a").first.click()
    bar.locator("button").click()
    assert bar.count() == 0
    view.reload()
    view.wait_for_selector("[data-ready]")
    assert bar.count() == 0


@pytest.mark.parametrize(
    ("zone", "day"),
    [("Europe/Berlin", "2026-03-26"), ("America/New_York", "2026-03-05"), ("Asia/Tokyo", "2026-03-26")],
)
def test_a_week_over_the_change_of_the_clock_is_seven_days(practice, zone, day):
    """In March a week has 167 hours where summer time begins. On its day the card comes, from midnight on."""
    name = cards.deck("0")[0].name
    store = kept() | {"cards": {name: DAY | {"step": 1}}}
    view = practice(store, timezone_id=zone)
    view.clock.set_fixed_time(f"{day}T20:00:00Z")
    view.reload()
    root = view.locator("[data-explorable=Cards][data-ready]")
    by_key(root, "show")
    by_key(root, "knew")
    assert root.locator("[data-hint]").inner_text() == "It comes again in 7 days."
    assert "next in 7 days" in view.locator("[data-kind=card]").first.inner_text()
    due = json.loads(view.evaluate(f"localStorage.getItem('{KEPT}')"))["cards"][name]["due"]
    local = view.evaluate("due => [new Date(due).getHours(), new Date(due).getMinutes()]", due)
    assert local == [0, 0]


def test_out_away_and_in(practice, tmp_path):
    """What was exported comes back after it was erased, and erasing asks first."""
    store = kept("0", "5", by_hand=True)
    view = practice(store)
    file = saved(view, "export")
    assert file.suggested_filename == "attention-by-hand-practice.json"
    path = tmp_path / "practice.json"
    file.save_as(path)
    assert json.loads(path.read_text(encoding="utf-8")) == store
    stored = f"() => localStorage.getItem('{KEPT}')"
    press(view, "erase")
    assert view.evaluate("document.activeElement.dataset.action") == "erase-no"
    press(view, "erase-no")
    assert told(view) == "Kept."
    assert json.loads(view.evaluate(stored)) == store
    press(view, "erase")
    press(view, "erase-yes")
    assert told(view) == "Erased."
    assert view.evaluate(stored) is None
    assert "0 cards due" in view.locator("[data-practice-sum]").inner_text()
    view.locator("#abh-import").set_input_files(path)
    view.wait_for_function(f"() => {TOLD}.startsWith('Taken')")
    assert told(view) == "Taken over: 1 exercise and 2 cards."
    assert json.loads(view.evaluate(stored)) == store


@pytest.mark.parametrize(
    "content",
    [b"", b"\x89PNG\r\n", b"[" * 50_000, b'{"format": "attn-results-1"}', b'{"format": "attn-practice-1"}'],
)
def test_a_file_of_something_else_changes_nothing(practice, tmp_path, content):
    store = kept("0")
    view = practice(store)
    path = tmp_path / "x.json"
    path.write_bytes(content)
    view.locator("#abh-import").set_input_files(path)
    view.wait_for_function(f"() => {TOLD} !== ''")
    assert told(view) == "That file holds no practice of this book. Nothing was changed."
    assert json.loads(view.evaluate(f"() => localStorage.getItem('{KEPT}')")) == store


def test_the_file_to_hand_in_passes_the_check_of_notebooks(practice, tmp_path):
    view = practice(kept("0", by_hand=True, order=False))
    view.locator("#abh-name").fill("Ada Łovelace")
    path = tmp_path / "ada.json"
    saved(view, "hand-in").save_as(path)
    assert told(view) == "attention-by-hand-results.json: 1 of 2 exercises passed."
    found = results.read(path)
    assert found["name"] == "Ada Łovelace"
    passed = [(entry["exercise"], entry["passed"]) for entry in found["exercises"]]
    assert passed == [
        ("by.hand", True),
        ("order", False),
    ]


def test_cards_alone_are_nothing_to_hand_in(practice):
    view = practice(kept("0"))
    press(view, "hand-in")
    assert told(view).startswith("Nothing to hand in yet")


@pytest.mark.parametrize("over", ["http", "file"])
def test_where_the_store_is_refused_it_works_and_the_console_is_silent(visit, over):
    """The visitor fails on any message; what the cards note is known to the page as long as it stands."""
    view = visit(PAGE, over=over, own=True, wait=False)
    view.add_init_script(REFUSED)
    view.goto(view.address)
    view.wait_for_selector("[data-explorable=Cards][data-ready]")
    assert view.locator("[data-practice-sum]").inner_text().startswith("This window keeps nothing")
    root = view.locator("[data-explorable=Cards]")
    root.locator("[data-action=any]").click()
    root.locator("[data-action=show]").click()
    root.locator("[data-action=knew]").click()
    count = len(cards.deck(""))
    assert f"{count - 1} not seen yet" in view.locator("[data-practice-sum]").inner_text()
    press(view, "erase")
    press(view, "erase-yes")
    assert f"{count} not seen yet" in view.locator("[data-practice-sum]").inner_text()


@pytest.mark.parametrize(
    "text", ["", "null", "[" * 100_000, '{"format":"attn-practice-1","cards":[1]}', "\0"]
)
def test_nonsense_in_the_store_does_no_harm(practice, text):
    view = practice()
    view.evaluate(f"text => localStorage.setItem('{KEPT}', text)", text)
    view.reload()
    view.wait_for_selector("[data-explorable=Cards][data-ready]")
    assert "0 cards due" in view.locator("[data-practice-sum]").inner_text()


def test_by_keyboard(practice):
    view = practice(kept("0"))
    view.locator("[data-action=ten]").focus()
    view.keyboard.press("Enter")
    assert view.locator("[data-ten] li").count() > 0
    view.locator("[data-practice-tools] [data-action=erase]").focus()
    view.keyboard.press("Space")
    view.keyboard.press("Enter")  # "Keep it" has the focus
    assert told(view) == "Kept."
    assert view.evaluate("document.activeElement.dataset.action") == "erase"


@pytest.mark.parametrize(("width", "dark"), [(360, False), (1280, True)])
def test_it_can_be_read_and_reached(practice, width, dark):
    view = practice(kept("0"), width=width, dark=dark)
    press(view, "ten")
    press(view, "erase")
    assert view.evaluate("probe.wide()")[0] <= 0
    assert all_violations(view) == []


def test_without_script_it_says_what_script_would_do(practice):
    view = practice(java_script_enabled=False)
    text = view.locator("[data-practice-tools]").inner_text()
    assert "With JavaScript" in text
    assert view.locator("[data-practice-tools] button").count() == 0


def test_on_paper_the_list_stands_and_the_buttons_are_gone(practice):
    view = practice(kept("0"))
    dress(view, media="print")
    assert not view.locator("[data-practice-tools]").is_visible()
    assert view.locator("[data-practice]").first.is_visible()


def test_anki_s_file_is_linked_and_is_the_cards(practice):
    view = practice()
    href = view.locator("a[download]").get_attribute("href")
    path = (book.folder() / "chapters" / href).resolve()
    assert path.read_text(encoding="utf-8") == cards.anki()
