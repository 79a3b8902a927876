"""What a page leaves for later: all of it is there when it is asked for, or comes near."""

import pytest

from attn.explore.practice.ladders import LADDERS
from tests.browser import book
from tests.browser.explorables import DRAWN, EXPLORABLES, SMALL
from tests.browser.hand import differences, read, roots

NO_LEISURE = "window.requestIdleCallback = () => 0;"
LONG = "chapters/04_multi_head_attention.html"
READY = "[...document.querySelectorAll('.abh-slot')].map((slot) => Boolean(slot.querySelector('[data-ready=\"1\"]')))"
LAST = """[...document.querySelectorAll('.abh-slot')]
  .findLastIndex((slot) => slot.checkVisibility({ visibilityProperty: true }))"""


@pytest.fixture
def busy(visit):
    """Open a page in a browser that is never at leisure."""

    def open_it(path):
        view = visit(path, wait=False)
        view.add_init_script(NO_LEISURE)
        view.goto(view.address)
        view.wait_for_function("() => document.readyState === 'complete' && probe.roots().length")
        return view

    return open_it


@pytest.mark.parametrize(
    "page", [page for page in book.lively() if len(book.figures(page)) > 2 and "/further/" not in page]
)  # a further page is short: all its figures are near
def test_a_figure_that_is_far_waits_for_leisure(busy, page):
    """Without it the figures at the page's start live, those at its end don't, and none has a closed part."""
    view = busy(page)
    assert view.evaluate("probe.roots().length") < len(book.figures(page))
    assert not view.evaluate(
        "[...document.querySelectorAll('.abh-more')].some((part) => part.childElementCount)"
    )
    # One that comes near comes alive.
    index = view.evaluate(LAST)  # a solution that is closed may hold another
    for place in range(
        index + 1
    ):  # as a reader comes: a page that stands still after one jump draws no frame
        view.locator(".abh-slot").nth(place).scroll_into_view_if_needed()
        view.evaluate("new Promise(requestAnimationFrame)")
    view.locator(".abh-slot").nth(index).locator("[data-explorable]").wait_for()


def test_a_link_to_a_state_and_paper_do_not_wait(busy):
    view = busy(f"{LONG}#state=MultiHead-2&n_tokens=3")
    count = sum(figure.name == "MultiHead" for figure in book.figures(LONG))
    heads = view.locator('[data-explorable="MultiHead"]')
    assert heads.count() == count > 1
    assert heads.nth(1).locator('[data-matrix="weights"] tbody').first.locator("tr").count() == 3
    view = busy(LONG)
    assert view.locator('[data-explorable="MultiHead"]').count() < count
    view.evaluate("location.hash = '#state=MultiHead-2&n_tokens=3'")
    view.wait_for_function(
        f"() => document.querySelectorAll('[data-explorable=MultiHead]').length === {count}"
    )
    view.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert view.evaluate("probe.roots().length") == len(book.figures(LONG))


def test_the_front_page_waits_for_nothing(busy):
    assert busy("index.html").evaluate(READY) == [True]


# A question and a small figure have no closed part, and the front page's is small: it is built at once. So is a
# ladder's where its first puzzle is solved with a control from there.
@pytest.mark.parametrize("name", [name for name in DRAWN if name not in ("FirstTouch", *SMALL, *LADDERS)])
def test_a_closed_part_is_there_when_somebody_opens_it(mount, name):
    """Where the browser is never at leisure it is not built before, and then at once, with all of its numbers."""
    widget = EXPLORABLES[name].example()
    view = mount([widget], wait=False)
    view.add_init_script(NO_LEISURE)
    view.goto(view.address)
    (root,) = roots(view)
    look = "root => [root.querySelector('.abh-more').childElementCount > 0, root.dataset.ready ?? '']"
    assert root.evaluate(look) == [False, ""]
    root.query_selector('[data-action="open"]').click()
    assert root.evaluate(look) == [True, "1"]
    assert list(differences(widget, read(root))) == []
