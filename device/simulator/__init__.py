"""The simulated table: pictures of dice, a hand, a tray, a mat or an End Zone that were never there."""

__all__ = ["player", "table"]
