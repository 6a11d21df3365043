"""A box of a venue: what it tells the venue's desk over a broker, by which keys, and how it was paired.

`device.hall` is the other end. Nothing here is loaded unless the settings say `venue.publish`.
"""

__all__ = ["broker_link", "membership", "messages", "pairing", "publishing", "uplink"]
