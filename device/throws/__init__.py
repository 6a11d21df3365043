"""A game's throws one by one, from the journal's rows: read, asked about, answered, corrected, ruled on."""

from device.throws.log import KeptThrows

__all__ = ["KeptThrows"]
