"""A query that learns to look, by the name that pages import it by."""

from attn.data.looking import *
