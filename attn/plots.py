"""Pictures, by the name that pages import them by."""

from attn.show.plots import *
