"""The book's commands: `make NAME`, or `python -m tools NAME` where there is no make."""
