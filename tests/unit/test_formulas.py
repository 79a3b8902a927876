"""Formulas as MathML: what TeX says is there, in as few elements as it takes, and long ones in parts."""

import re
from xml.etree import ElementTree

import pytest

from bookext import formulas


def parts(tex, **options):
    """The parts of a formula, each as a tree, and the TeX that stands with it."""
    inner, source = formulas.formula(tex, **options)
    assert source == tex
    return [ElementTree.fromstring(part) for part in inner.split(formulas.GAP)]


def shown(tree):
    return "".join(tree.itertext())


def form_of(tex, sign):
    (tree,) = parts(tex)
    return [node.get("form") for node in tree.iter("mo") if node.text == sign]


@pytest.mark.parametrize(
    ("tex", "elements", "text"),
    [
        ("d_k", ["math", "msub", "mi", "mi"], "dk"),
        (r"\sqrt{d_k}", ["math", "msqrt", "msub", "mi", "mi"], "dk"),
        (r"\sqrt{a+b}", ["math", "msqrt", "mi", "mo", "mi"], "a+b"),
        ("8/16", ["math", "mn"], "8/16"),
        (r"\frac{1}{n}", ["math", "mfrac", "mn", "mi"], "1n"),
        ("x'", ["math", "mrow", "mi", "mo"], "x′"),
        (r"\operatorname{softmax}(x)", ["math", "mi", "mo", "mi", "mo"], "softmax(x)"),
    ],
)
def test_no_element_too_many(tex, elements, text):
    (tree,) = parts(tex)
    assert [node.tag for node in tree.iter()] == elements
    assert shown(tree) == text


def test_a_name_has_room_where_no_bracket_follows():
    (tree,) = parts(r"2\log x")
    assert [node.tag for node in tree] == ["mn", "mspace", "mi", "mspace", "mi"]
    (tree,) = parts(r"\log(x)")
    assert "mspace" not in [node.tag for node in tree]


@pytest.mark.parametrize(
    ("tex", "forms"),
    [("(-a)", ["prefix"]), ("-a", ["prefix"]), ("b=-a", ["prefix"]), ("b-a", [None]), ("(b)-a", [None])],
)
def test_a_sign_is_told_from_a_difference(tex, forms):
    assert form_of(tex, "−") == forms


def test_signs_in_an_exponent_stand_close():
    (tree,) = parts("e^{a-b}-c")
    assert [node.get("lspace") for node in tree.iter("mo")] == ["0", None]


@pytest.mark.parametrize(
    ("tex", "ends"),
    [
        (r"\mathrm{Var}(s)=d_k\sigma_q^2+\mu_q^2-c", ["=", "+", "−", "c"]),
        (r"\operatorname{E}[(q\cdot k)(q\cdot k')]=-c", ["=", "c"]),
        (r"\left(a+b+c+d+e+f+g+h+i+j+k+l\right)^2", ["2"]),
        ("a+b=c", ["c"]),  # short
    ],
)
def test_a_long_formula_may_end_a_line_behind_its_relations(tex, ends):
    found = parts(tex)
    assert [shown(part)[-1] for part in found] == ends
    for part in found[:-1]:
        assert part[-1].get("form") == "infix", "it keeps the room of an operator between two terms"


def test_an_equation_of_its_own_is_large_in_each_part():
    found = parts(r"\frac{a}{b}=\frac{c}{d}", display=True)
    assert [part.get("displaystyle") for part in found] == ["true", "true"]


def test_columns_stand_as_tex_has_them():
    (tree,) = parts(r"\begin{aligned}a&=b\\c&=d\end{aligned}", display=True)
    aligns = [re.search(r"text-align:(\w+)", cell.get("style"))[1] for cell in tree.iter("mtd")]
    assert aligns == ["right", "left"] * 2


@pytest.mark.parametrize(
    ("tex", "letter"), [(r"\mathbf{W}", "𝐖"), (r"\mathbb{R}", "ℝ"), (r"\mathcal{L}", "ℒ"), (r"\mathbb{1}", "𝟙")]
)
def test_letters_of_other_alphabets_are_their_own_characters(tex, letter):
    """Browsers know no mathvariant but "normal"."""
    (tree,) = parts(tex)
    assert shown(tree) == letter
    assert not tree.findall(".//*[@mathvariant]")


def test_an_upright_letter_says_so():
    (tree,) = parts(r"\mathrm{e}")
    assert tree[0].get("mathvariant") == "normal"


def test_characters_that_a_font_must_have():
    text = "<p>Z <math><msqrt><mi>h</mi></msqrt><mi>xy</mi><mo>&lt;</mo><mi mathvariant='normal'>e</mi></math> W</p>"
    found = formulas.characters(text)
    assert found == {"h", "ℎ", "x", "y", "<", "e", "√"}
    assert {"𝑑", "𝜋"} <= formulas.characters("<math><mi>d</mi><mi>π</mi></math>")


def test_broken_tex_is_an_error():
    with pytest.raises(Exception, match="KaTeX parse error"):
        formulas.formula(r"\frac{1")
