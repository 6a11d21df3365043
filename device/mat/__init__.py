"""A printed mat at the table: dice and cards in its places, held against what the rulebook expects."""

from device.mat.places import Choice, Places, chosen

__all__ = ["Choice", "Places", "chosen", "hand"]
