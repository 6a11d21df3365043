"""Feeds damaged and hostile input to Callbox by the thousand and tallies what it does with each.

    python -m tests.fuzz [NAME...] [--cases N] [--seed N]        (or `make fuzz`)

A target is a module of this package with `CASES`, the cases of a full run, and `fuzz(cases, seed)`, which
yields one outcome for each case: a word for the tally ("told", "harmless"), or `FAULT: ` with the case and
what happened; "skipped" for all where a program is missing that it needs. `test_fuzz.py` runs a few cases of
each in `make test`.
"""
