"""A clock for tests that must not wait."""


class Clock:
    """Time that passes only when somebody waits; in milliseconds, as cameras want it."""

    def __init__(self, now_ms: float = 1000.0) -> None:
        self.now_ms = now_ms

    def __call__(self) -> float:
        """The time."""
        return self.now_ms

    def wait(self, span_ms: float) -> None:
        """Let time pass."""
        self.now_ms += span_ms
