"""The venue's desk: hears the boxes of a hall, keeps what they played, and shows all tables on one page.

`device.venue` is the boxes' end of it. The word "desk" alone means a game's desk elsewhere in `device`.
"""

__all__ = ["broker", "desk", "ingest", "ledger", "tournament"]
