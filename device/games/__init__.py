"""Games begin, wait and go on, one after the other in an evening; each gets the parts of the box it needs."""

__all__ = ["beginning", "called", "evening", "parts", "results", "signing"]
