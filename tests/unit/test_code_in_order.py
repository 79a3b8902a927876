"""Code in order: each verdict is what a run of those lines gives, and what is right is right by `attn`."""

import json
import random
import zlib
from types import SimpleNamespace

import numpy as np
import pytest

from attn import masks, multihead, pmi, positional
from attn.attention import scaled_dot_product_attention
from attn.explore import CodeInOrder
from attn.explore.practice.code_in_order import shuffled
from attn.induction import hand_set
from attn.practice.arrangements import table_of
from attn.practice.program import Meaning, Program
from attn.practice.programs import PROGRAMS
from attn.rotary import rotary_attention
from attn.softmax import softmax
from attn.xor import XOR
from tests.unit.node import answer, view_of

DRAWN = 300  # arrangements of each program


def slope(f, x, step=1e-6):
    """Central differences."""
    return np.array([(f(x + step * e) - f(x - step * e)) / (2 * step) for e in np.eye(len(x))])


def trained(q, k, v, wanted, **_):
    loss = lambda q: 0.5 * ((softmax(k @ q) @ v - wanted) ** 2).sum()  # noqa: E731
    return q - 0.1 * slope(loss, q)


#: What each program should return, by the package; nothing here runs a line of it.
RIGHT = {
    "order.self-attention": lambda x, w_q, w_k, w_v, **_: scaled_dot_product_attention(
        x @ w_q, x @ w_k, x @ w_v
    )[0],
    "order.positional-encoding": lambda n, d, **_: positional.sinusoidal_encoding(n, d),
    "order.scaled-weights": lambda q, k, **_: scaled_dot_product_attention(q, k, k)[1],
    "order.causal-attention": lambda q, k, v, **_: scaled_dot_product_attention(
        q, k, v, masks.causal_mask(4)
    )[0],
    "order.split-heads": lambda x, n_heads, **_: multihead.split_heads(x, n_heads),
    "order.merge-heads": lambda heads, w_o, **_: multihead.merge_heads(heads) @ w_o,
    "order.xor-by-hand": lambda **_: XOR == 1,
    "order.training-step": trained,
    "order.pmi": lambda counts, **_: pmi.pmi(counts / counts.sum(), base=np.e),
    "order.rotary-attention": lambda q, k, v, p, clocks, **_: rotary_attention(
        q, k, v, p, frequencies=clocks
    )[0],
    "order.induction-head": lambda x, beta, **_: (
        hand_set(float(beta), beta_1=60.0)(x.argmax(axis=1)).logits  # so sharp that layer 1 is exact
    ),
}


@pytest.fixture(params=PROGRAMS.values(), ids=list(PROGRAMS))
def program(request):
    return request.param


def run(program, lines):
    """Run the lines as a program of their own: ("returns", value), ("lacks", name) or ("stops", at, error)."""
    texts, scope = list(program.all_lines.values()), program.given()
    with np.errstate(all="ignore"):
        for line in lines:
            try:
                exec(texts[line], scope)
            except Exception as error:
                return "stops", line, error
    (name,) = program.returns
    return ("returns", scope[name]) if name in scope else ("lacks", name)


def right(program, value):
    wanted = RIGHT[program.name](**program.given())
    near = 1e-8 if program.name == "order.training-step" else 1e-12  # central differences
    return np.shape(value) == wanted.shape and np.allclose(value, wanted, rtol=near, atol=near)


def drawn(program):
    """Arrangements of some of the lines, and ways from the right one: a line out, in, elsewhere or for another."""
    rng, n, own = random.Random(program.name), len(program.all_lines), list(range(len(program.lines)))
    yield own
    for _ in range(DRAWN):
        if rng.random() < 0.4:
            yield rng.sample(range(n), rng.randint(0, n))
            continue
        lines = own.copy()
        for _ in range(rng.randint(1, 3)):
            others = [line for line in range(n) if line not in lines]
            if lines and rng.random() < 0.6:
                others.append(lines.pop(rng.randrange(len(lines))))
            if others and rng.random() < 0.8:
                lines.insert(rng.randint(0, len(lines)), rng.choice(others))
        yield lines


def judged(program, *ways):
    """What the page says of some lines in an order, for each of several ways."""
    code = "ways.map((lines) => judge(table, lines))"
    said = answer(view_of("code_in_order", "judge"), code, table=table_of(program), ways=ways)
    return [SimpleNamespace(**one) for one in said]


def kinds_of(program, *ways):
    return [said.kind for said in judged(program, *ways)]


def test_each_verdict_is_what_a_run_gives(program):
    ways, kinds = list(drawn(program)), set()
    for lines, said in zip(ways, judged(program, *ways), strict=True):
        kinds.add(said.kind)
        match run(program, lines):
            case "stops", line, error:
                assert (said.kind, said.at) == ("stops", line), lines
                if isinstance(error, NameError):
                    assert said.says == f"`{error.name}` is not there yet."
                else:
                    assert said.says.startswith("The shapes don't fit: "), lines
            case "lacks", name:
                assert (said.kind, said.says) == ("other", f"But it makes no `{name}` to return."), lines
            case "returns", value:
                assert right(program, value) == (said.kind in ("right", "idle")), (lines, said)
    assert kinds >= {"right", "stops", "other"}


def test_every_right_line_is_needed(program):
    own = range(len(program.lines))
    assert "right" not in kinds_of(program, *([line for line in own if line != left] for left in own))


def test_every_wrong_line_does_some_harm(program):
    """There is a place for it, or a line that it stands for, where something else is computed."""
    own, n = list(range(len(program.lines))), len(program.all_lines)
    for line in range(len(program.lines), n):
        ways = [[*own[:at], line, *own[at:]] for at in range(len(own) + 1)]
        ways += [[line if other == at else other for other in own] for at in own]
        kinds = set(kinds_of(program, *ways))
        assert kinds & {"other", "stops"}
        assert "right" not in kinds


#: Right but for one bug: what stands in place of what, and what has to be said of it.
SAID = {
    "order.self-attention": [
        ("scores", "turned", "Keys ask and queries answer"),
        ("weights", "columns", "down the columns"),
        ("scores", "plain", "`q` is 3 × 4 and `k` is 3 × 4"),
    ],
    "order.positional-encoding": [
        ("pairs", "columns", "the exponent is twice the paper's"),
        ("positions", "flat", "`pos` is 5 long and `i` is 4 long"),
        ("table", "whole", "cuts every sine and cosine"),
    ],
    "order.scaled-weights": [
        ("size", "rows", "`d` is the number of queries here"),
        ("scale", "full", "Divided by d in place of its root"),
        ("shift", None, "an exponential overflows from about 710 on"),
        ("scale", None, "Not scaled"),
    ],
    "order.causal-attention": [
        ("sees", "upside", "the mask upside down"),
        ("hide", "added", "makes some of them larger by one. It hides no word."),
        ("hide", None, "Nothing is hidden"),
    ],
    "order.split-heads": [
        ("cut", "blocks", "a head owns one word and a half in place of half of the columns"),
        ("turn", "last", "the numbers of a head to the front"),
        ("turn", None, "words come first, then heads. `x` is 3 × 2 × 4; it should be 2 × 3 × 4."),
        ("cut", None, "The shapes don't fit: `x` is 3 × 8."),
    ],
    "order.merge-heads": [
        ("join", "straight", "numbers of two different words in place of one word's two heads"),
        ("join", "mean", "The heads are averaged"),
        ("output", "half", "The first head speaks alone"),
    ],
    "order.xor-by-hand": [
        ("vote", "sum", "that is OR. `answer[3]` is True; it should be False."),
        ("weights", "columns", "over the four pairs"),
        ("answer", "line", "at most three of the four pairs right"),
    ],
    "order.training-step": [
        ("ds", "jacobian", "The softmax's Jacobian is left out"),
        ("ds", "diagonal", "Half of the softmax's Jacobian"),
        ("step", "uphill", "up the slope"),
        ("step", None, "No step is taken"),
    ],
    "order.pmi": [
        ("log", "bits", "gives bits"),
        ("ratio", "undivided", "not divided by their sum"),
        ("rows", "swapped", "Both margins are sums of columns"),
    ],
    "order.rotary-attention": [
        ("angles", "mixed", "turn by two angles"),
        ("k", "halves", "takes the partner from half a row on"),
        ("q", "v", "`asks` is not there yet"),
    ],
    "order.induction-head": [
        ("back", "ahead", "Layer 1 looks one place ahead"),
        ("scores", "own", "a duplicate-token head"),
        ("output", "lane", "what was asked for comes back"),
        ("hide", None, "a word sees those after it too"),
    ],
}


def verdict_of(name, *keys):
    """What is said of a program's lines, by their names."""
    places = {key: place for place, key in enumerate(PROGRAMS[name].all_lines)}
    return judged(PROGRAMS[name], [places[key] for key in keys])[0]


@pytest.mark.parametrize(
    ("name", "key", "other", "says"), [(name, *row) for name, rows in SAID.items() for row in rows]
)
def test_each_bug_is_told_by_its_own_sentence(name, key, other, says):
    lines = [other if own == key else own for own in PROGRAMS[name].lines if own != key or other]
    verdict = verdict_of(name, *lines)
    assert verdict.kind in ("stops", "other")
    assert says in verdict.says
    others = [row[2] for row in SAID[name] if row[2] != says and row[2] in verdict.says]
    assert others in ([], ["Nothing is hidden"])  # which an added mask does too


def test_a_mask_that_comes_late_and_one_upside_down_are_told_where_they_are_used():
    name = "order.causal-attention"
    late = ("sees", "scores", "weights", "late")
    assert verdict_of(name, *late, "output").says.startswith("The mask comes after the softmax")
    scope = PROGRAMS[name].given()
    for key in late:
        exec(PROGRAMS[name].all_lines[key], scope)
    sums = scope["weights"].sum(axis=1)
    assert (sums[:-1] < 1).all()  # as the sentence says
    assert sums[-1] == pytest.approx(1)  # the last row hides no word
    for keys in (("hide", "weights"), ("weights", "late"), ("hide", "weights", "late")):
        says = verdict_of(name, "upside", "scores", *keys, "output").says
        assert says.count("the mask upside down") == 1
    for keys in (("added", "weights"), ("weights",)):
        says = verdict_of(name, "upside", "scores", *keys, "output").says
        assert "Nothing is hidden" in says
        assert "upside down" not in says


def test_a_reshape_alone_mixes_words_as_the_sentences_say():
    given = PROGRAMS["order.split-heads"].given()
    n, d = given["x"].shape
    words = np.repeat(np.arange(n), d).reshape(given["n_heads"], n, -1)
    assert [(head.ravel() == word).sum() / d for head, word in zip(words, (0, 2), strict=True)] == [1, 1]
    assert [(head.ravel() == 1).sum() / d for head in words] == [0.5, 0.5]
    heads, n, d = PROGRAMS["order.merge-heads"].given()["heads"].shape
    rows = np.tile(np.repeat(np.arange(n), d), heads).reshape(n, -1)
    assert all(len(set(row)) == 2 for row in rows)


def test_every_bug_and_every_wrong_result_has_a_sentence(program):
    assert set(program.wrong) - {key for meaning in program.means for key in meaning.uses} <= {
        "plain",
        "flat",
    }  # these don't run
    table = table_of(program)
    for told, entry in table["says"]:
        assert told or entry.startswith("But it makes no"), entry
        assert entry.endswith(".")
    used = {meaning for told, _ in table["says"] for meaning in told}
    assert used == set(range(len(program.means))), "a sentence that no program has"


def test_a_line_that_changes_nothing_is_named():
    """A softmax down the columns, then one along the rows: right, and one line too many."""
    keys = ["q", "k", "v", "scores", "columns", "weights", "output"]
    verdict = verdict_of("order.self-attention", *keys)
    place = list(PROGRAMS["order.self-attention"].all_lines).index("columns")
    assert (verdict.kind, verdict.at) == ("idle", place)


def test_a_table_is_a_few_kilobytes(program):
    text = json.dumps(table_of(program), separators=(",", ":")).encode()
    assert len(text) < 8_000
    assert len(zlib.compress(text)) < 2_000


def test_the_given_order_is_wrong_and_has_all_lines_above_return(program):
    order = shuffled(program)
    n = len(program.all_lines)
    assert sorted(order) == list(range(n + 1))
    assert order[-1] == n
    own = [line for line in order if line < len(program.lines)]
    assert "right" not in kinds_of(program, order[:-1], own)
    assert shuffled(program) == order


# ---------------------------------------------------------------- the widget


def test_lines_below_return_are_left_out():
    program = PROGRAMS["order.pmi"]
    own, n = list(range(len(program.lines))), len(program.all_lines)
    wrong = list(range(len(program.lines), n))
    figure = CodeInOrder("order.pmi")
    figure.order = [*own, n, *wrong]
    assert "Left out: pmi = np.log2(ratio);" in figure.alt


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (
            lambda: CodeInOrder("order.nothing"),
            "exercise must be one of order.self-attention, .* got 'order.nothing'",
        ),
        (lambda: CodeInOrder(order=[0, 1]), r"order must be a permutation of 0 … 8, got \[0, 1\]"),
        (lambda: CodeInOrder("order.pmi", order=[0] * 9), "order must be a permutation of 0 … 8"),
    ],
)
def test_wrong_input(make, says):
    with pytest.raises(ValueError, match=says):
        make()


def small(lines, wrong=(), **given):
    return Program(
        name="order.test", title="T", chapter="0", asks="A.", head="def f():", lines=lines, wrong=dict(wrong),
        returns=("y",), given=lambda: given, means=(Meaning("Twice.", uses=("twice",)),),
    )  # fmt: skip


def test_lines_that_do_not_run_in_their_own_order_are_refused():
    with pytest.raises(
        ValueError, match=r"order.test: its right lines must run in their order, got '`x` is not"
    ):
        table_of(small({"y": "y = x", "x": "x = 1"}))


def test_a_line_that_writes_into_an_array_leaves_the_other_ways_alone():
    """The array that one way writes into is another way's, too."""
    program = small({"x": "x[0] = 1", "y": "y = x + 0"}, {"twice": "x[1] = 2"}.items(), x=np.zeros(2))
    right, twice, early = judged(program, [0, 1], [2, 0, 1], [1, 0])
    assert right.kind == "right"
    assert twice.says == "Twice. `y[1]` is 2; it should be 0."
    assert early.says == "`y[0]` is 0; it should be 1."


def test_infinity_is_not_near_a_number():
    program = small(
        {"x": "x = np.array([1.0, 2.0])", "y": "y = x"}, {"twice": "x = x * np.inf"}.items(), np=np
    )
    right, infinite = judged(program, [0, 1], [0, 2, 1])
    assert right.kind == "right"
    assert infinite.says == "`y` holds infinity."
