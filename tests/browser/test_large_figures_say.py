"""What a large figure says of a state is so there."""

import pytest

from attn.explore import Masking, ScoreVariance

SAID = "(root) => root.querySelector('.abh-answer').innerText.replace(/\\s+/g, ' ').trim()"
TOUCHED = "() => stand.root().classList.add('abh-touched')"  # as after a hand's first move

ROOT, NOT_ALONE = (
    "the root keeps the spread of the scores at 1",
    "temperature and correlation set the scores here, too",
)
ONE, NOBODY = "Only ABIR itself moves", "Nobody moves: nobody may look at ABIR, not even ABIR itself."


@pytest.mark.parametrize(
    ("figure", "said", "unsaid"),
    [
        (ScoreVariance(scale="root"), ROOT, NOT_ALONE),
        (ScoreVariance(scale="none", log2_d_k=2), "drag on", NOT_ALONE),
        (ScoreVariance(scale="none", temperature=32.0, log2_d_k=10), NOT_ALONE, "drag on"),
        (ScoreVariance(scale="root", temperature=0.25, log2_d_k=2), NOT_ALONE, ROOT),
        (ScoreVariance(scale="root", temperature=8.0), NOT_ALONE, "mixture"),
        (ScoreVariance(scale="d_k", temperature=0.25, log2_d_k=5), NOT_ALONE, "about the same"),
        (ScoreVariance(scale="d_k", correlation=1.0, log2_d_k=10), NOT_ALONE, "about the same"),
        (ScoreVariance(scale="d_k", log2_d_k=10), "all keys weigh about the same", NOT_ALONE),
        (Masking(preset="causal", nudge=1.5), ONE, NOBODY),
        (Masking(preset="padding", length=3, nudge=1.5), NOBODY, ONE),
        (Masking(preset="causal+padding", length=3, nudge=1.5), NOBODY, ONE),
        (Masking(preset="none", nudge=1.5), "Whoever may look at ABIR moves", ONE),
    ],
)
def test_a_large_figure_says_a_thing_only_where_it_is_so(stand, figure, said, unsaid):
    stand.put(figure)
    stand.page.evaluate(TOUCHED)
    (text,) = stand.tour([{name: getattr(figure, name) for name in figure.state_traits()}], SAID)
    assert said in text
    assert unsaid not in text
