"""The page Practice, as built: what is done and due, ten minutes, out, in, away, and the file to hand in."""

import json
import re

import pytest

from attn.check import results
from attn.practice import cards
from bookext.practice import exercises
from bookext.run import code_exercises
from tests.browser import book
from tests.browser.axe import violations
from tests.browser.exercises import KEPT, REFUSED, reopen

PAGE = "chapters/practice.html"
DAY = {"step": 0, "rated": "2020-01-01T00:00:00Z", "due": "2020-01-02T00:00:00Z"}
TRY = {"passed": True, "tries": 2, "checked": "2020-01-01T10:00:00.000Z"}
STORED = f"() => localStorage.getItem('{KEPT}')"


def kept(*due, opened=(), **tried):
    """A store: chapters with a card that is due, chapters that were opened, exercises that were tried."""
    names = {card.chapter: card.name for card in reversed(cards.deck(""))}
    return {
        "format": "attn-practice-1",
        "exercises": {name.replace("_", "."): TRY | {"passed": passed} for name, passed in tried.items()},
        "cards": {names[chapter]: DAY for chapter in due},
        "chapters": {chapter: {"opened": "2020-01-01T10:00:00.000Z"} for chapter in opened},
    }


def put(view, store):
    """Give the page a store, a text or an object, and open it anew."""
    text = store if isinstance(store, str) else json.dumps(store)
    view.evaluate("([key, text]) => localStorage.setItem(key, text)", [KEPT, text])
    reopen(view)
    view.wait_for_selector("[data-explorable=Cards][data-ready]")


@pytest.fixture
def practice(visit):
    """Open the page in a tab of its own, with a store as given."""

    def go(store=None, **options):
        view = visit(PAGE, **options)
        if store is not None:
            put(view, store)
        return view

    return go


def press(view, action):
    view.locator(f"[data-practice-tools] [data-action={action}]").click()


def by_key(root, action):
    """Press a button of the cards by keyboard: what a tap brings up takes no tap for a moment."""
    root.locator(f"[data-action={action}]").press("Enter")


def told(view):
    return view.locator("[data-practice-told]").inner_text()


def summed(view):
    return view.locator("[data-practice-sum]").inner_text()


def saved(view, action):
    """The file that a button writes."""
    with view.expect_download() as download:
        press(view, action)
    return download.value


def in_code():
    """The checkers of the exercises in code, whose pages check them."""
    pages = (book.ROOT / "chapters").rglob("[0-9]*.ipynb")
    return [name for path in pages for name, *_ in code_exercises(path)]


def test_all_exercises_stand_there_with_links_that_lead_to_them_without_a_script_too(practice):
    """One item an exercise, one for the cards of a figure; each leads to a figure that has it."""
    view = practice(java_script_enabled=False)
    items = view.evaluate(
        """() => [...document.querySelectorAll("[data-practice]")].map((node) =>
          [node.dataset.practice.split(" "), node.querySelector("a").getAttribute("href"), node.innerText])"""
    )
    code = in_code()
    wanted = sorted([*(entry["name"] for _, entry in exercises()), *code])
    assert sorted(name for names, *_ in items for name in names) == wanted
    for names, href, text in items:
        page, anchor = href.split("#")
        path = (book.folder() / "chapters" / page.partition("?")[0]).resolve()
        figure = path.read_text(encoding="utf-8").partition(f'id="{anchor}"')[2].partition("</script>")[0]
        assert names[0].startswith("card.") or names[0] in code or json.dumps(names[0]) in figure, names
        assert figure, names
        assert text.strip()
    assert "With JavaScript" in view.locator("[data-practice-tools]").inner_text()
    assert view.locator("[data-practice-tools] button").count() == 0
    anki = (book.folder() / "chapters" / view.locator("a[download]").get_attribute("href")).resolve()
    assert anki.read_text(encoding="utf-8") == cards.anki()


def test_what_is_due_is_said_and_what_the_cards_note_is_seen_at_once(practice):
    view = practice(kept("0", "3"))
    count, first = len(cards.deck("")), len(cards.deck("0"))
    assert f"2 cards due, {count - 2} not seen yet." in summed(view)
    texts = view.locator("[data-kind=card]").all_inner_texts()
    assert texts[0] == f"{first} recall cards · 1 due, {first - 1} new"
    assert "due" not in texts[1]
    root = view.locator("[data-explorable=Cards]")
    by_key(root, "show")
    by_key(root, "knew")
    assert "1 cards due" in summed(view).replace("1 card due", "1 cards due")
    assert "next in 3 days" in view.locator("[data-kind=card]").first.inner_text()


def test_exercises_are_said_to_be_solved_or_tried(practice):
    view = practice()
    count = sum(entry["kind"] != "card" for _, entry in exercises()) + len(in_code())
    solved, tried, neither = view.locator("[data-kind=report]").all()[:3]
    names = {node.get_attribute("data-practice"): node is solved for node in (solved, tried)}
    put(view, kept() | {"exercises": {name: TRY | {"passed": passed} for name, passed in names.items()}})
    texts = [node.inner_text().partition(" · ")[2] for node in (solved, tried, neither)]
    assert texts == ["✓ solved", "tried 2 times, not solved yet", ""]
    assert [node.get_attribute("data-state") for node in (solved, tried, neither)] == [
        "right",
        "wrong",
        "open",
    ]
    assert f"1 of {count} exercises solved; " in summed(view)


def test_nothing_is_drawn_from_chapters_that_were_not_opened(practice):
    """Who opened none is told so, and may draw from all."""
    view = practice()
    press(view, "ten")
    assert told(view).startswith("You have not opened a chapter yet")
    assert view.locator("[data-ten] li").count() == 0
    press(view, "ten-of-all")
    assert view.locator("[data-ten] li").count() > 2
    assert not view.locator("[data-action=ten-of-all]").is_visible()
    root = view.locator("[data-explorable=Cards]")
    assert "You have not opened a chapter yet" in root.locator("[data-card]").inner_text()
    assert not root.locator("[data-action=again]").is_visible()
    assert root.locator("[data-action=any]").is_visible()
    put(view, kept(opened="2"))
    press(view, "ten")
    hrefs = view.locator("[data-ten] a").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    assert {re.search(r"(?:^|/)(\d\d)_", href)[1] for href in hrefs} == {"02"}
    by_key(root, "again")
    names = {card.name for card in cards.deck("2")}
    for _ in names:
        assert root.locator("[data-card]").get_attribute("data-card") in names
        assert root.locator("[data-from] a").get_attribute("href").endswith("chapters/02_qk_variance.html")
        by_key(root, "show")
        by_key(root, "knew")
    assert root.locator("[data-card]").inner_text().startswith("That was the round")


def test_to_read_a_chapter_s_page_is_to_open_it(visit):
    view = visit("chapters/practice/03_masking.html")
    met = f"() => Object.keys(JSON.parse(localStorage.getItem('{KEPT}') ?? '{{}}').chapters ?? {{}})"
    assert view.evaluate(met) == [], "its exercises are not the chapter"
    view.goto(view.url.replace("practice/", ""))
    view.wait_for_selector("[data-ready]")
    assert view.evaluate(met) == ["3"]


def test_ten_minutes_are_gone_through_from_one_to_the_next(practice):
    """A line at the screen's foot leads on, to another page or to another figure of this one, and back at the end."""
    view = practice(kept("3", opened="34"), width=390, height=844)
    press(view, "ten")
    links = view.locator("[data-ten] a")
    texts = links.all_inner_texts()
    hrefs = links.evaluate_all("all => all.map((one) => one.href)")
    assert len(texts) > 3
    assert view.locator("[data-ten] li").first.inner_text().startswith("1 card of 3 · ")
    links.first.click()
    bar = view.locator(".abh-session-bar")
    for place in range(len(texts)):
        view.wait_for_url(hrefs[place])
        view.wait_for_function(
            f"() => document.querySelector('.abh-session-bar')?.innerText.startsWith('{place + 1} of {len(texts)}')"
        )
        box = bar.bounding_box()
        assert box["y"] + box["height"] == pytest.approx(844, abs=1)
        assert box["height"] < 100
        if place + 1 < len(texts):
            assert f"Next: {texts[place + 1]}" in bar.inner_text()
        bar.locator("a").click()
    view.wait_for_url("**/practice.html")
    assert links.count() == len(texts)
    links.first.click()
    bar.locator("button").click()
    assert bar.count() == 0
    reopen(view)
    assert bar.count() == 0


def test_out_away_and_in(practice, tmp_path):
    """What was exported comes back after it was erased, and erasing asks first; a file of something else is refused."""
    store = kept("0", "5", by_hand=True)
    view = practice(store)
    file = saved(view, "export")
    assert file.suggested_filename == "attention-by-hand-practice.json"
    path, other = tmp_path / "practice.json", tmp_path / "other.json"
    file.save_as(path)
    assert json.loads(path.read_text(encoding="utf-8")) == store
    for content in (b"\x89PNG\r\n", b"[" * 50_000, b'{"format": "attn-results-1"}'):
        other.write_bytes(content)
        view.evaluate("() => { document.querySelector('[data-practice-told]').textContent = ''; }")
        view.locator("#abh-import").set_input_files(other)
        view.wait_for_function("() => document.querySelector('[data-practice-told]').textContent !== ''")
        assert "no practice of this book" in told(view)
        assert json.loads(view.evaluate(STORED)) == store
    press(view, "erase")
    assert view.evaluate("document.activeElement.dataset.action") == "erase-no"
    press(view, "erase-no")
    assert json.loads(view.evaluate(STORED)) == store
    press(view, "erase")
    press(view, "erase-yes")
    assert view.evaluate(STORED) is None
    assert "0 cards due" in summed(view)
    view.locator("#abh-import").set_input_files(path)
    view.wait_for_function(
        "() => document.querySelector('[data-practice-told]').textContent.startsWith('Taken')"
    )
    assert told(view) == "Taken over: 1 exercise and 2 cards."
    assert json.loads(view.evaluate(STORED)) == store


def test_the_file_to_hand_in_passes_the_check_of_notebooks(practice, tmp_path):
    view = practice(kept("0"))
    press(view, "hand-in")
    assert told(view).startswith("Nothing to hand in yet"), "cards alone"
    put(view, kept("0", by_hand=True, order=False))
    view.locator("#abh-name").fill("Ada Łovelace")
    path = tmp_path / "ada.json"
    saved(view, "hand-in").save_as(path)
    found = results.read(path)
    assert found["name"] == "Ada Łovelace"
    passed = [(entry["exercise"], entry["passed"]) for entry in found["exercises"]]
    assert passed == [("by.hand", True), ("order", False)]


@pytest.mark.parametrize("over", ["http", "file"])
def test_where_the_store_is_refused_it_works_and_the_console_is_silent(practice, over):
    """What the cards note is known to the page as long as it stands."""
    view = practice(over=over)
    reopen(view, REFUSED)
    assert summed(view).startswith("This window keeps nothing")
    root = view.locator("[data-explorable=Cards]")
    for action in ("any", "show", "knew"):
        by_key(root, action)
    count = len(cards.deck(""))
    assert f"{count - 1} not seen yet" in summed(view)
    press(view, "erase")
    press(view, "erase-yes")
    assert f"{count} not seen yet" in summed(view)


@pytest.mark.parametrize(("width", "dark"), [(360, False), (1280, True)])
def test_it_can_be_read_and_reached_by_keyboard_and_stands_on_paper(practice, width, dark):
    view = practice(kept("0"), width=width, dark=dark)
    view.locator("[data-action=ten]").focus()
    view.keyboard.press("Enter")
    assert view.locator("[data-ten] li").count() > 0
    erase = view.locator("[data-practice-tools] [data-action=erase]")
    erase.focus()
    view.keyboard.press("Space")
    view.keyboard.press("Enter")  # "Keep it" has the focus
    assert told(view) == "Kept."
    assert view.evaluate("document.activeElement.dataset.action") == "erase"
    press(view, "erase")
    assert view.evaluate("probe.wide()") == []
    view.emulate_media(media="print")
    assert not view.locator("[data-practice-tools]").is_visible()
    assert view.locator("[data-practice]").first.is_visible()
    view.emulate_media(media="screen")
    assert violations(view) == []
