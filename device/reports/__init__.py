"""What was played, told again: results, players' figures, dice and landings, as page, PDF, CSV and JSON."""

__all__ = ["asking", "blocks", "content", "gathering", "html", "pdf", "played", "results", "sheet"]
