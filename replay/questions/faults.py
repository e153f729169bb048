"""What is wrong with a question."""

__all__ = ["BadQuestion"]


class BadQuestion(ValueError):
    """Raised when a question can't be put or answered: a sentence for whoever asked it."""
