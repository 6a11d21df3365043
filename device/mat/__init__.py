"""A printed mat at the table: dice and cards in its places, held against what the rulebook expects."""

from device.mat.detector import Choice, MatDetector, Places, chosen, layout_for

__all__ = ["Choice", "MatDetector", "Places", "chosen", "layout_for"]
