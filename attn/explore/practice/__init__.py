"""Practice in a page: ladders, exercises by hand, code in order, recall cards; :mod:`attn.explore` offers them all."""
