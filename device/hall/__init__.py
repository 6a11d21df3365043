"""The venue's desk: hears the boxes of a hall, keeps what they played, and shows all tables on one page.

`device.venue` is the boxes' end of it.
"""

__all__ = ["broker", "desk", "ingest", "ledger", "organiser", "organiser_page", "tournament"]
