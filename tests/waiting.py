"""Waiting for what another thread, process or page brings about: patiently, and never by the clock."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE_S = 180.0
"""A guard against waiting for ever, not a measure: what takes longer has failed, on the busiest machine."""
LOOK_S = 0.02


def eventually(look: Callable[[], T], what: str) -> T:
    """Look again and again until something true is found; returns it, or fails and says what was not seen."""
    end_s = time.monotonic() + PATIENCE_S
    while not (found := look()):
        assert time.monotonic() < end_s, f"never seen: {what}; at last {found!r}"
        time.sleep(LOOK_S)
    return found
