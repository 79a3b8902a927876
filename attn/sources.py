"""What two public notebooks print, by the name that pages import it by."""

from attn.data.sources import *
