"""Two texts to count words in, by the name that pages import them by."""

from attn.data.corpus import *
