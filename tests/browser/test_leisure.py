"""What a page leaves for later: little of it stands at the first paint, and all is there when it is asked for."""

import json
import keyword
import re

import pytest

from tests.browser import book

COUNT = "requestAnimationFrame(() => { window.first = document.getElementsByTagName('*').length; });"
NO_LEISURE = "window.requestIdleCallback = () => 0;"
LONG = "chapters/04_multi_head_attention.html"
MOST = 3000  # elements at the first paint
READY = "[...document.querySelectorAll('.abh-slot')].map((slot) => Boolean(slot.querySelector('[data-ready=\"1\"]')))"
NAMES = "slot => [...new Set([...slot.querySelectorAll('[data-matrix]')].map((node) => node.dataset.matrix))]"
LAST = """[...document.querySelectorAll('.abh-slot')]
  .findLastIndex((slot) => slot.checkVisibility({ visibilityProperty: true }))"""


def opened(visit, path, script, **options):
    """A page on which a script runs before its own."""
    view = visit(path, own=True, wait=False, **options)
    view.add_init_script(script)
    view.goto(view.address)
    return view


@pytest.mark.parametrize("page", book.pages())
def test_few_elements_at_the_first_paint(visit, page):
    view = opened(visit, page, COUNT, width=412, height=823)
    assert view.wait_for_function("() => window.first").json_value() < MOST


@pytest.mark.parametrize(
    "page",
    [page for page in book.lively() if len(book.figures(page)) > 2 and "/further/" not in page],
)  # a further page is short: all its figures are near
def test_a_figure_that_is_far_waits_for_leisure(visit, page):
    """Without it the figures at the page's start live, those at its end don't, and none has a closed part."""
    view = opened(visit, page, NO_LEISURE)
    view.wait_for_function("() => document.readyState === 'complete' && probe.roots().length")
    assert view.evaluate("probe.roots().length") < len(book.figures(page))
    assert not view.evaluate(
        "[...document.querySelectorAll('.abh-more')].some((part) => part.childElementCount)"
    )
    # One that comes near comes alive; its closed part is there as soon as somebody opens it.
    index = view.evaluate(LAST)  # a solution that is closed may hold another
    last = view.locator(".abh-slot").nth(index)
    for place in range(
        index + 1
    ):  # as a reader comes: a page that stands still after one jump draws no frame
        view.locator(".abh-slot").nth(place).scroll_into_view_if_needed()
        view.evaluate("new Promise(requestAnimationFrame)")
    last.locator("[data-explorable]").wait_for()
    if last.locator('[data-action="open"]').count():
        last.locator('[data-action="open"]').click()
        assert last.locator("[data-ready]").count() == 1
        figure = book.figures(page)[index]
        assert set(last.evaluate(NAMES)) >= set(figure.widget(opened=True).matrices())


def test_a_link_to_a_state_does_not_wait(visit):
    view = opened(visit, f"{LONG}#state=MultiHead-2&n_tokens=3", NO_LEISURE)
    view.wait_for_function("() => document.readyState === 'complete'")
    figures = [figure for figure in book.figures(LONG) if figure.name == "MultiHead"]
    roots = view.locator('[data-explorable="MultiHead"]')
    assert roots.count() == len(figures) > 1
    second = roots.nth(1).locator('[data-matrix="weights"] tbody').first.locator("tr")
    assert second.count() == 3
    # And one that is followed later.
    view = opened(visit, LONG, NO_LEISURE)
    view.wait_for_function("() => document.readyState === 'complete'")
    assert view.locator('[data-explorable="MultiHead"]').count() < len(figures)
    view.evaluate("location.hash = '#state=MultiHead-2&n_tokens=3'")
    view.wait_for_function("() => document.querySelectorAll('[data-explorable=MultiHead]').length > 1")
    assert roots.count() == len(figures)


def test_paper_does_not_wait(visit):
    view = opened(visit, LONG, NO_LEISURE)
    view.wait_for_function("() => document.readyState === 'complete'")
    view.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert view.evaluate("probe.roots().length") == len(book.figures(LONG))


def test_code_to_take_along_has_all_matrices(visit):
    view = opened(visit, LONG, NO_LEISURE)
    view.locator('[data-action="share"]').first.click()
    assert not view.evaluate(READY)[0]
    view.locator('[data-action="copy-widget"]').first.click()
    assert view.evaluate(READY)[0]


def test_the_front_page_waits_for_nothing(visit):
    view = opened(visit, "index.html", NO_LEISURE)
    view.wait_for_function("() => document.readyState === 'complete'")
    assert view.evaluate(READY) == [True]


def cells_of(page):
    """The code of a chapter's cells, from its notebook."""
    path = book.ROOT / page.replace(".html", ".ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


#: Pages whose code is shown: a page of practice shows none.
WITH_CODE = [page for page in book.lively() if book.is_notebook(page) and "/practice/" not in page]


@pytest.mark.parametrize(
    ("page", "scripts"),
    [(page, True) for page in WITH_CODE] + [(page, False) for page in WITH_CODE],
)
def test_code_is_whole_with_and_without_scripts(visit, page, scripts):
    options = {"again": True} if scripts else {"java_script_enabled": False}
    view = visit(page, **options)
    shown = view.evaluate(
        "[...document.querySelectorAll('.cell_input pre')].map((node) => node.textContent.trim())"
    )
    cells = {cell.strip() for cell in cells_of(page)}
    assert len(shown) > 5
    assert set(shown) <= cells
    within = ".highlight pre > :not(.abh-line, .abh-blank), :is(.abh-line, .abh-blank) > :not(.abh-aside)"
    assert view.locator(within).count() == 0


def test_code_has_its_colors(visit):
    """Each `def` of the page, and no name, has the color of keywords: words are told from Python's own list."""
    page = "chapters/02_qk_variance.html"
    view = visit(page)
    assert view.evaluate("CSS.highlights.size") == 0, "no code is near"
    view.locator(".cell_input pre[data-runs]:visible").first.scroll_into_view_if_needed()
    view.wait_for_function("() => CSS.highlights.size > 0")
    before, after = view.evaluate("""() => {
      const count = () => [...CSS.highlights.values()].reduce((sum, set) => sum + set.size, 0);
      const near = count();
      dispatchEvent(new Event("beforeprint"));
      return [near, count()];
    }""")
    assert 0 < before < after
    words = view.evaluate("""() => Object.fromEntries([...CSS.highlights].map(([name, ranges]) => [name,
      [...ranges].map((range) => range.startContainer.data.slice(range.startOffset, range.endOffset))]))""")
    (name,) = [name for name, found in words.items() if "def" in found]
    found = " ".join(words[name]).split()
    exceptions = {word for word in found if word.endswith(("Error", "Exception", "Warning"))}
    assert set(found) - exceptions <= set(keyword.kwlist)
    code = "\n".join(
        view.evaluate("[...document.querySelectorAll('.cell_input pre')].map((node) => node.textContent)")
    )
    for word in ("def", "return", "import"):
        assert found.count(word) >= len(re.findall(rf"^\s*{word}\b", code, re.MULTILINE)) > 0
    color = (
        "(name) => getComputedStyle(document.querySelector('.cell_input pre'), `::highlight(${name})`).color"
    )
    assert view.evaluate(color, name) != view.evaluate(
        "getComputedStyle(document.querySelector('.cell_input pre')).color"
    )


def test_who_copies_text_gets_its_tex(visit):
    view = visit("chapters/02_qk_variance.html", own=True)
    text = view.evaluate("""async () => {
      const long = [...document.querySelectorAll(".bd-article p")]
        .find((node) => node.querySelector("span.math") && node.querySelector("math.math"));
      getSelection().selectAllChildren(long);
      document.execCommand("copy");
      const formulas = [...long.querySelectorAll("[data-tex]")].map((node) => node.dataset.tex);
      return [await navigator.clipboard.readText(), formulas, long.textContent];
    }""")
    copied, formulas, shown = text
    assert len(formulas) > 1
    place = -1
    for tex in formulas:
        place = copied.index(f"${tex}$", place + 1)  # in their order
    assert "\u200b" not in copied
    assert copied.split("$")[0].strip() == shown[: len(copied.split("$")[0])].strip(), (
        "the words are as they were"
    )
