"""What `make bench` measures: `python -m benchmarks` runs each of `MODULES`, or those that are named."""

MODULES = [
    "photos",
    "accepted",
    "leaks",
    "drawn",
    "speed",
    "sharp",
    "earlier",
    "latency",
    "engine",
    "watch",
    "touched",
    "history",
    "unread",
    "films",
    "landing",
    "tables",
    "fouls",
    "slides",
    "departures",
    "throws",
    "evening",
    "secret_bets",
    "crowd",
    "set_up",
]
"""Each is a module (or package) benchmarks/NAME and has `main() -> None`, which prints a table."""
