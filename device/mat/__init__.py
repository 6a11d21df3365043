"""A printed mat at the table: dice and cards in its places, held against what the rulebook expects."""

from device.mat.umpire import Choice, MatUmpire, Places, chosen, layout_for

__all__ = ["Choice", "MatUmpire", "Places", "chosen", "layout_for"]
