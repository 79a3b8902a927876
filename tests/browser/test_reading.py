"""What a reader meets between the figures: code that fits a phone, words that open, code below its picture, PyTorch."""

import pytest

from tests.browser import book

CHAPTERS = [page for page in book.pages() if page.startswith("chapters/")]
WORDY = [page for page in CHAPTERS if "abh-term" in (book.folder() / page).read_text(encoding="utf-8")]
TORCH = [page for page in CHAPTERS if "abh-pytorch" in (book.folder() / page).read_text(encoding="utf-8")]
FOLDED = [page for page in CHAPTERS if "details" in (book.folder() / page).read_text(encoding="utf-8")]
OPEN = """() => {
  for (const box of document.querySelectorAll("details")) box.open = true;
  for (const box of document.querySelectorAll(".toggle-hidden")) box.classList.remove("toggle-hidden");
}"""
CUT = """() => [...document.querySelectorAll(
    ".bd-article :is(pre, .abh-shown figure, .cell_output > .output, .pst-scrollable-table-container)")]
  .filter((node) => node.scrollWidth > node.clientWidth + 1)
  .map((node) => `${node.scrollWidth} of ${node.clientWidth}: ${node.innerText.slice(0, 80)}`)"""
# Lines of code that go on in a second line, with where that begins, in pixels from where the line's first sign stands;
# and those that go on at the left edge.
HANGING = r"""() => {
  const found = { hang: 0, edge: [] };
  for (const pre of document.querySelectorAll(".bd-article .highlight pre")) {
    const texts = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT);
    const edge = pre.getBoundingClientRect().left + parseFloat(getComputedStyle(pre).paddingLeft);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      let place = 0;
      for (const line of text.data.split("\n")) {
        const range = document.createRange();
        range.setStart(text, place);
        range.setEnd(text, place + line.length);
        place += line.length + 1;
        const rows = [...range.getClientRects()].filter((box) => box.width > 0);
        const tops = [...new Set(rows.map((box) => Math.round(box.top)))];
        if (tops.length < 2) continue;
        const second = rows.find((box) => Math.round(box.top) === tops[1]);
        if (second.left > edge + 4) found.hang += 1;
        else found.edge.push(line);
      }
    }
  }
  return found;
}"""


@pytest.mark.last
@pytest.mark.parametrize("page", CHAPTERS)
def test_nothing_is_cut_off_on_a_phone(visit, page):
    """With everything open; and a line of code that goes on in the next one goes on under an indent."""
    view = visit(page, width=360, height=560, again=True)
    view.evaluate(OPEN)
    for width in (390, 360):
        view.set_viewport_size({"width": width, "height": 844})
        assert view.evaluate(CUT) == [], f"cut off at {width} px"
        assert view.evaluate(HANGING)["edge"] == [], f"goes on at the left edge at {width} px"


def test_lines_do_go_on(visit):
    """So the test above sees something; and a laptop shows each line in one piece."""
    view = visit("chapters/03_masking.html", width=360, height=844, own=True)
    view.evaluate(OPEN)
    assert view.evaluate(HANGING)["hang"] > 10
    view.set_viewport_size({"width": 1280, "height": 844})
    assert view.evaluate(HANGING) == {"hang": 0, "edge": []}


COLORED = """() => [...CSS.highlights.entries()].flatMap(([name, ranges]) => [...ranges].map((range) =>
  [name, range.startContainer.data?.slice(range.startOffset, range.endOffset) ?? ""]))"""


def test_long_lines_have_their_colors(visit):
    """A long line is an element of its own: its words are colored as those around it, none is cut."""
    view = visit("chapters/04_multi_head_attention.html", width=390, height=844, own=True)
    view.evaluate(OPEN)
    view.locator(".abh-line", has_text="q, k, v = x @ w_q").first.scroll_into_view_if_needed()
    view.wait_for_function("() => [...(CSS.highlights.get('abh-a') ?? [])].length > 0")
    view.wait_for_function(
        """() => [...CSS.highlights.values()].some((ranges) => [...ranges].some((range) =>
          String(range.startContainer.data).includes("q, k, v = x @ w_q")))"""
    )
    words = [word for _, word in view.evaluate(COLORED)]
    assert "def" in words
    assert all(words)
    comment = next(word for word in words if word.startswith("# (n_heads, n, d_k)"))
    assert comment.rstrip() == "# (n_heads, n, d_k), …"


# Words that open whose full stop, comma or bracket stands on another line.
TORN = r"""() => {
  const walker = document.createTreeWalker(document.querySelector(".bd-article"), NodeFilter.SHOW_TEXT);
  const edges = (node, at) => {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getBoundingClientRect();
  };
  const found = [];
  let [last, word] = [null, null];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const button = node.parentElement.closest("button.abh-term");
    if (node.parentElement.closest("[popover]") || !node.parentElement.checkVisibility() || !node.data) continue;
    if (button && button !== word && last && /[(\[“"]$/.test(last.data)) {
      if (edges(last, last.length - 1).bottom < button.getBoundingClientRect().top + 2) found.push(button.innerText);
    }
    if (word && !button && /^[^\s\w]/.test(node.data)) {
      if (edges(node, 0).top > word.getBoundingClientRect().bottom - 2) found.push(word.innerText + node.data[0]);
    }
    [last, word] = [node, button];
  }
  return found;
}"""


@pytest.mark.parametrize("page", WORDY)
def test_no_line_begins_with_the_full_stop_of_a_word_that_opens(visit, page):
    view = visit(page, width=1280, height=800)
    view.evaluate(OPEN)
    for width in (1280, 1140, 900, 768, 430, 412, 390, 375, 360):
        view.set_viewport_size({"width": width, "height": 800})
        assert view.evaluate(TORN) == [], width


@pytest.mark.parametrize("page", WORDY)
def test_a_word_opens_what_it_means(visit, page):
    """Within the screen of a phone, by a finger; and beside the word on a laptop, by the keyboard."""
    phone = visit(page, width=390, height=844, has_touch=True, is_mobile=True, own=True)
    words = phone.locator("button.abh-term:visible")
    targets = phone.locator("button.abh-term").evaluate_all(
        "nodes => nodes.map((node) => document.getElementById(node.getAttribute('popovertarget'))?.innerText ?? '')"
    )
    assert targets
    assert phone.evaluate(
        """() => [...document.querySelectorAll(".abh-meaning")].every((box) =>
          box.querySelector("strong") && box.textContent.length > 25 && box.matches("[popover]"))"""
    )
    words.first.scroll_into_view_if_needed()
    words.first.tap()
    box = phone.locator(".abh-meaning:popover-open")
    box.wait_for()
    place = box.bounding_box()
    assert place["x"] >= 0
    assert place["x"] + place["width"] <= 390.5
    assert 0 <= place["y"] <= place["y"] + place["height"] <= 844.5
    phone.touchscreen.tap(195, 40)
    box.wait_for(state="hidden")


def test_a_word_opens_beside_it_and_closes_by_the_keyboard(visit):
    view = visit("chapters/03_masking.html", width=1280, height=800, own=True)
    word = view.locator("button.abh-term").nth(3)
    word.scroll_into_view_if_needed()
    word.focus()
    view.keyboard.press("Enter")
    box = view.locator(".abh-meaning:popover-open")
    box.wait_for()
    here, there = word.bounding_box(), box.bounding_box()
    below = there["y"] - here["y"] - here["height"]
    above = here["y"] - there["y"] - there["height"]
    assert -2 < max(below, above) < 40
    assert abs(there["x"] - here["x"]) < there["width"]
    view.keyboard.press("Escape")
    box.wait_for(state="hidden")


@pytest.mark.parametrize("page", FOLDED)
def test_code_of_a_picture_stands_below_it(visit, page):
    """Under one small word, at the right."""
    view = visit(page, width=1280, height=800, again=True)
    folded = view.evaluate(
        """() => [...document.querySelectorAll("div.cell details.hide")].map((box) => ({
          word: box.querySelector("summary").textContent.trim(), label: box.querySelector("summary").ariaLabel,
          last: box.parentElement.lastElementChild === box,
          width: box.querySelector("summary").offsetWidth }))"""
    )
    for box in folded:
        assert box["word"].startswith("code")
        assert box["label"] is None
        assert box["last"]
        assert box["width"] < (90 if box["word"] == "code" else 120)  # "code and table"


@pytest.mark.parametrize("page", TORCH)
def test_pytorch_is_a_tap_away(visit, page):
    view = visit(page, width=390, height=844, own=True)
    box = view.locator("details.abh-pytorch").first
    assert not box.locator("pre").first.is_visible()
    box.locator("summary").click()
    assert "import torch" in box.locator("pre").first.inner_text()
    assert box.locator(".output pre").inner_text().strip()


@pytest.mark.parametrize("page", CHAPTERS)
def test_no_page_says_that_its_reader_has_not_solved_something(page):
    assert "not solved yet" not in (book.folder() / page).read_text(encoding="utf-8")


def test_a_link_in_a_dropdowns_title_opens_it_and_one_to_it_too(visit):
    """In "Solution to Exercise …": the first press opens, the next leads to the exercise; the console says nothing."""
    view = visit("chapters/03_masking.html", own=True)
    shut = view.locator(".admonition.toggle-hidden:has(> .admonition-title a)").first
    name = shut.get_attribute("id")
    box = view.locator(f"[id='{name}']")
    link = box.locator("> .admonition-title a")
    link.click()
    assert "toggle-hidden" not in box.get_attribute("class")
    assert "#" not in view.url
    link.click()
    view.wait_for_url("**#*")
    assert "toggle-hidden" not in box.get_attribute("class")
    view.goto(f"{view.address}?anew#{name}")
    view.wait_for_function("name => !document.getElementById(name).matches('.toggle-hidden')", arg=name)
