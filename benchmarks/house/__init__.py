"""The house in figures: how the source is built, what a frame passes on its way, and what the checks say.

`python -m benchmarks.house` (or `make house`) prints them beside those of the release before; docs/house.md
says what each one counts.
"""
