"""The colors of the book's pictures, in light and in the dark, for those who draw and those who put on a page."""

#: Whose it is. The same values stand in explore.css; a test compares them.
COLORS = {
    "q": "#004c97", "k": "#b8500a", "v": "#007a5e", "ink": "#222832", "soft": "#48566b", "fill": "#8a939f",
    "gray": "#8c8c8c", "raised": "#f3f4f5", "page": "#ffffff", "line": "#c3c9d0", "edge": "#75808d",
    "low": "#b35806", "high": "#2166ac",
}  # fmt: skip
#: The same in the dark, where a page shows a picture on its own ground (``stills``).
DARK = {
    "q": "#6cb0ff", "k": "#ff9f45", "v": "#7fe0c4", "ink": "#ced6dd", "soft": "#a9b1bc", "fill": "#5f6f87",
    "gray": "#8c8c8c", "raised": "#29313d", "page": "#121212", "line": "#48566b", "edge": "#8791a0",
    "low": "#f1a340", "high": "#67a9ff",
}  # fmt: skip
