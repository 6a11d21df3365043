"""What `make bench` measures: `python -m benchmarks` runs each of `MODULES`, or those that are named."""

MODULES = ["photos", "latency", "engine", "watch"]
"""Each stands in benchmarks/NAME.py and has `main() -> None`, which prints a table."""
