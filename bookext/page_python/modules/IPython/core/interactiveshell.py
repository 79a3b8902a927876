"""A part of what stands in for IPython: there is no shell."""


class InteractiveShell:
    """Never made."""

    @staticmethod
    def initialized():
        """Whether there is a shell: no."""
        return False
