"""A printed mat at the table: dice and cards in its places, held against what the rulebook expects."""

from device.mat.places import Choice, Places, chosen, layout_for
from device.mat.umpire import MatUmpire

__all__ = ["Choice", "MatUmpire", "Places", "chosen", "layout_for"]
