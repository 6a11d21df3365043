"""A copy of all that a box has learnt and played, in one file; and the way back.

In it: the journal, the pictures of readings, the taught dice and shapes with their lessons, calibrations and
locks, and films where they are asked for. Not in it, for a backup is carried about: people and PINs
(`people.json`, `persons.json`, `pins.json`), keys and certificates, settings, and journals that were put
aside. They stay as they are when a backup is brought back.
"""

from device.backup.packing import BackupError, Contents, look_into, pack
from device.backup.unpacking import Replaced, bring_back, would_replace

__all__ = ["BackupError", "Contents", "Replaced", "bring_back", "look_into", "pack", "would_replace"]
