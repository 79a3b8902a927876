"""ReadAlong: the page gets the weights that were trained, and takes what the model can read; no goal is reached."""

import base64

import numpy as np
import pytest
import traitlets

from attn.data.characters import VOCABULARY, encode, trained_model, trained_weights
from attn.explore import ReadAlong
from attn.explore._share import keeps
from attn.explore.read_along import ALL, FEWEST, MOST, packed
from attn.softmax import softmax


def test_the_page_gets_the_trained_weights():
    """To the last bit, in the order of their names, and in less than 60 KB."""
    numbers = np.frombuffer(base64.b64decode(packed()["halves"]), "<f2")
    start = 0
    for (name, shape), (wanted, array) in zip(packed()["shapes"], trained_weights().items(), strict=True):
        assert name == wanted
        np.testing.assert_array_equal(numbers[start : start + array.size].reshape(shape), array)
        start += array.size
    assert start == len(numbers)
    assert len(trained_weights()) == 30
    assert len(packed()["halves"]) < 60_000


def test_it_shows_one_letter_of_one_head():
    figure = ReadAlong(text="what is the cat", head="2.3", asks=4)
    run = trained_model()(encode("what is the cat"))
    np.testing.assert_array_equal(figure.matrices()["weights"], run.weights[6][4:5])
    np.testing.assert_array_equal(figure.matrices()["weights_1_3"], run.weights[2])
    chances = softmax(run.logits[4])
    best = sorted(range(28), key=lambda letter: -chances[letter])[:5]
    assert figure.expected() == [VOCABULARY[letter] for letter in best]
    np.testing.assert_array_equal(figure.matrices()["expects"][:, 0], chances[best])
    assert figure.alt.startswith("The text 'what is the cat': in layer 2, head 3, the letter ' ' at place 4")


def test_the_loss_is_of_the_letters_that_came():
    text = "what is the cat"
    logits = trained_model()(encode(text)).logits
    each = [-np.log(softmax(logits[i])[VOCABULARY.index(text[i + 1])]) for i in range(len(text) - 1)]
    assert ReadAlong(text=text).scalars()["loss"] == pytest.approx(np.mean(each), abs=1e-12)


def test_in_a_shorter_text_the_last_letter_asks():
    figure = ReadAlong()
    figure.text = "cat"
    assert figure.at == 2
    assert figure.matrices()["weights"].shape == (1, 3)
    assert figure.run().weights[0].shape == (3, 3)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"text": "a"}, "text must have 2 to 24 letters, got 1"),
        ({"text": "a" * 25}, "text must have 2 to 24 letters, got 25"),
        ({"text": "Cat"}, "lower-case letters, apostrophes and spaces, got 'C'"),
        ({"text": "c3po"}, "got '3'"),
        ({"head": "3.1"}, "head"),
        ({"asks": 24}, "asks"),
        ({"asks": -1}, "asks"),
    ],
)
def test_wrong_input(wrong, says):
    with pytest.raises(traitlets.TraitError, match=says):
        ReadAlong(**wrong)


@pytest.mark.parametrize(
    ("text", "good"),
    [("it's", True), ("a" * FEWEST, True), ("a" * MOST, True), ("a", False), ("a" * 25, False), ("", False),
     ("Cat", False), ("no.", False), (7, False)],
)  # fmt: skip
def test_a_link_brings_what_the_model_can_read(text, good):
    assert keeps(ReadAlong().rules["text"], text) == good


def test_a_link_does_not_carry_the_weights():
    assert ReadAlong().state_traits() == ["head", "text", "asks", "opened"]


def test_the_first_state_does_not_answer_the_question():
    """No goal is reached, and the head that is shown does not give most to the letter before; another one does."""
    figure = ReadAlong()
    row = figure.weights[figure.at]
    assert row.argmax() != figure.at - 1
    figure.head = "1.3"
    assert figure.weights[figure.at][figure.at - 1] > 0.9
    assert len(ALL) == 8
