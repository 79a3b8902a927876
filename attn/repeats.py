"""Models trained on letters that repeat, by the name that pages import them by."""

from attn.data.repeats import *
