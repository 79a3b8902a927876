"""A part of what stands in for IPython."""
