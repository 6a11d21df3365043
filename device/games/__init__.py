"""Games begin, wait and go on, one after the other in an evening, and their results are signed off."""

__all__ = ["detectors", "games", "results"]
