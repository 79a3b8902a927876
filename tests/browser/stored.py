"""What a page keeps on the reader's device, and a browser that keeps nothing."""

#: JavaScript: the exercises that were tried, by their names.
TRIED = "(JSON.parse(localStorage.getItem('attention-by-hand:practice')) ?? { exercises: {} }).exercises"
#: JavaScript for a page's start: reading and writing are refused, as in some private windows and frames.
REFUSED = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("refused", "SecurityError"); },
});"""
