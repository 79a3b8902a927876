"""A small trained model, by the name that pages import it by."""

from attn.data.characters import *
