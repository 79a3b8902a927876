"""The colors of the book's pictures in light, for those who draw and those who put on a page."""

#: Whose it is. The same values stand in explore.css; a test compares them.
COLORS = {
    "q": "#004c97", "k": "#b8500a", "v": "#007a5e", "ink": "#222832", "soft": "#48566b", "fill": "#8a939f",
    "gray": "#8c8c8c", "raised": "#f3f4f5", "page": "#ffffff", "line": "#c3c9d0", "edge": "#75808d",
    "low": "#b35806", "high": "#2166ac",
}  # fmt: skip
