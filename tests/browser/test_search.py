"""The search: what an engineer would type leads to the section that answers it, over http and from a file.

The queries were written down before any result was looked at.
"""

import re

import pytest

from tests.browser import book

# Query, and the page with the anchor of the section. Where two sections answer equally well, both stand there.
QUERIES = [
    ("fp16", "further/03_half_precision#compute-in-half-precision-fp16-bf16"),
    ("float16 overflow", "further/03_half_precision#scores-above-65-504"),
    ("half precision softmax", "further/03_half_precision#the-softmax-in-float32"),
    (
        "flash attention",
        "further/03_other_shapes#fewer-queries-than-keys-the-cache what_you_can_read#read-on",
    ),
    ("attention NaN", "symptoms#nan 03_masking#the-empty-row-nan"),
    ("padding mask NaN", "symptoms#nan 03_masking#the-empty-row-nan"),
    ("logits at initialization", "further/02_start_and_learn#what-real-models-start-with"),
    ("RoPE", "08_rotary_positions#turn-the-pairs-rotary-positions-rope"),
    ("rope permutation hf meta", "08_rotary_positions#halves-and-loaded-which-layout"),
    ("rotate_half", "08_rotary_positions#halves-and-loaded-which-layout"),
    ("rope scaling long context", "further/08_stretching#stretch-the-context-rope-scaling-by-pi-ntk-yarn"),
    ("induction head", "09_induction_heads#complete-the-pattern-induction-heads"),
    ("kv cache offset", "further/03_other_shapes#fewer-queries-than-keys-the-cache"),
    ("attention sink", "further/05_which_way_beats_what#a-token-to-fall-back-on-the-attention-sink"),
    ("grouped query attention", "what_you_can_read#the-block-of-a-real-model"),
    ("qk norm", "further/02_sharp_and_flat#another-answer-normalize-q-and-k"),
    ("causal mask bottom right", "further/03_other_shapes#fewer-queries-than-keys-the-cache"),
    ("temperature", "further/02_sharp_and_flat#temperature-is-the-same-knob"),
    ("alibi", "further/08_without_turning#alibi-a-price-for-each-step"),
    (
        "why divide by sqrt d_k",
        "02_qk_variance#why-the-derivation 02_qk_variance#why-the-root-and-not-an-average",
    ),
    ("sliding window", "further/03_other_shapes#windows-and-prefixes"),
    ("future leak test", "further/03_measure_a_leak#a-test-for-both-faults"),
    ("key_padding_mask", "further/03_other_shapes#what-does-true-mean"),
    ("-1e9 instead of -inf", "further/03_minus_infinity#e9-in-place-of"),
    ("prune heads", "further/04_pack_and_prune#prune-a-head"),
    ("reshape without transpose", "04_multi_head_attention#reshape-without-transpose"),
    ("pointwise mutual info", "07_pmi#measure-association-with-pmi-pointwise-mutual-information"),
    ("t5 relative bias", "further/08_without_turning#t5-a-number-for-each-distance"),
    (
        "softmax twice cross entropy",
        "06_learning_xor#the-wrong-loss-probabilities-in-place-of-log-probabilities",
    ),
    ("word2vec negative sampling", "further/07_relatives#negative-sampling-and-word2vec"),
]

# What is found for a query: where the entries lead, and what they say.
FOUND = """query => {
  const field = document.querySelector(".abh-found input");
  field.value = query;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  return [...document.querySelectorAll("#search-results li")].map((entry) => ({
    href: entry.querySelector("a").getAttribute("href").replace(/^chapters\\/|\\.html/g, ""),
    words: entry.querySelector("p").textContent,
    marked: [...entry.querySelectorAll("mark")].map((mark) => mark.textContent),
  }));
}"""


def test_each_query_has_a_section_that_is_there():
    assert len(QUERIES) == 30
    for _, targets in QUERIES:
        for target in targets.split():
            page, anchor = target.split("#")
            text = (book.folder() / f"chapters/{page}.html").read_text(encoding="utf-8")
            assert f'id="{anchor}"' in text, target


def test_what_an_engineer_types_is_answered_in_the_first_three_hits(visit):
    view = visit("search.html")
    first = {query: [hit["href"] for hit in view.evaluate(FOUND, query)[:3]] for query, _ in QUERIES}
    missed = {query: first[query] for query, targets in QUERIES if not {*targets.split()} & {*first[query]}}
    assert len(missed) <= 3, missed


def test_names_of_the_same_thing_find_the_same_first(visit):
    view = visit("search.html")
    for names in (
        ("fp16", "float16", "half precision"),
        ("flash attention", "FlashAttention", "flash-attention"),
    ):
        firsts = [{hit["href"] for hit in view.evaluate(FOUND, name)[:3]} for name in names]
        assert len(set.intersection(*firsts)) >= 2, firsts


@pytest.mark.parametrize(
    "query", ["softmax", "float16", "rotate_half", "Vaswani", "vaswani attention is all you need"]
)
def test_the_bibliography_is_no_better_than_what_teaches(visit, query):
    found = [hit["href"].split("#")[0] for hit in visit("search.html").evaluate(FOUND, query)]
    assert found
    assert "bibliography" not in found[:3], found


@pytest.mark.parametrize("query", ["softmax", "padding mask NaN", "rotate_half", "float16"])
def test_excerpts_are_the_section_own_words(visit, query):
    """No explanation of a term stands in them but as a hit of its own, no TeX, and what was found is marked."""
    notation = (book.folder() / "chapters/notation.html").read_text(encoding="utf-8")
    meanings = re.findall(r'<dt id="term-.*?<dd>\s*<p>([^<]{20})', notation, re.DOTALL)
    assert len(meanings) > 50
    hits = visit("search.html").evaluate(FOUND, query)
    assert hits[0]["marked"]
    for hit in hits:
        if not hit["href"].startswith("notation"):
            assert [meaning for meaning in meanings if meaning in hit["words"]] == []
        assert "\\" not in hit["words"], hit
        assert len(hit["words"]) < 300


def test_a_hit_leads_to_its_section_from_a_file(visit):
    """By the button of any page, with the keyboard alone; nothing of the search is there before."""
    view = visit("chapters/03_masking.html", over="file")
    assert view.evaluate("document.querySelectorAll('script[src*=search]').length") == 0
    view.keyboard.press("Control+k")
    view.keyboard.type("padding mask NaN")
    view.keyboard.press("Enter")
    hit = view.locator("#search-results a").first
    hit.wait_for()
    assert "NaN" in view.locator("#search-results li").first.inner_text()
    hit.focus()
    view.keyboard.press("Enter")
    view.wait_for_url("**/chapters/symptoms.html#nan")
    heading = view.locator("#nan h2")
    view.wait_for_function(
        "node => Math.abs(node.getBoundingClientRect().top) < 200", arg=heading.element_handle()
    )


@pytest.mark.parametrize("query", ["RoPE", "kv cache offset", "fp16"])
def test_a_file_finds_what_a_server_finds(visit, query):
    one, other = (visit("search.html", over=over).evaluate(FOUND, query) for over in ("http", "file"))
    assert one
    assert one == other
