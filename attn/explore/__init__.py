"""Explorables: figures whose every weight the reader can move. One thin Python class and one ES module each."""

from attn.explore._base import Explorable
from attn.explore.first_touch import FirstTouch
from attn.explore.induction import Induction
from attn.explore.induction_replay import InductionReplay
from attn.explore.masking import Masking
from attn.explore.multihead import MultiHead
from attn.explore.pmi import PmiTable
from attn.explore.positional import PositionalEncoding
from attn.explore.practice.by_hand import BY_HAND
from attn.explore.practice.cards import Cards
from attn.explore.practice.code_in_order import CodeInOrder
from attn.explore.practice.ladders import LADDERS
from attn.explore.predict import Predict
from attn.explore.read_along import ReadAlong
from attn.explore.rotary import Rotary
from attn.explore.self_attention import SelfAttention
from attn.explore.small import FIGURES
from attn.explore.training import TrainingReplay
from attn.explore.variance import ScoreVariance
from attn.explore.xor import XorLab

__all__ = [
    "Cards",
    "CodeInOrder",
    "Explorable",
    "FirstTouch",
    "Induction",
    "InductionReplay",
    "Masking",
    "MultiHead",
    "PmiTable",
    "PositionalEncoding",
    "Predict",
    "ReadAlong",
    "Rotary",
    "ScoreVariance",
    "SelfAttention",
    "TrainingReplay",
    "XorLab",
]
__all__ += [*FIGURES, *LADDERS, *BY_HAND]
globals().update(FIGURES | LADDERS | BY_HAND)
