"""The table and the one thread it works in: frames, edges and requests in, snapshots out."""

from device.table.table import Table

__all__ = ["Table", "feed", "loop", "reading", "session"]
