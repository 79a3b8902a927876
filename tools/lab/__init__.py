"""What `make lab` opens: a reader's own copies of the chapters in JupyterLab, in the book's type, alive when opened."""
