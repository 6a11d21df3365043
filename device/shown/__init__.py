"""What is shown, as one message, and the words for dice in it: the leaf that everything above draws from."""

__all__ = [
    "calls",
    "questions",
    "snapshot",
    "throws",
    "words",
]
