"""The table and the one thread it works in: frames, edges and requests in, snapshots out."""

from device.table.table import Table, never, no_acts

__all__ = ["Table", "feed", "loop", "never", "no_acts", "reading", "session"]
