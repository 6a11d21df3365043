"""Places on the table: what lies in a printed mat's regions.

The mat is found by its corner tags, or by the camera's calibration.
"""

from vision.places.layout import Layout, LayoutError, Region, list_packaged, load_layout, load_packaged
from vision.places.regions import (
    CARD_MM,
    CARD_TAGS,
    TAG_CENTER_MM,
    TAG_MM,
    Ground,
    MatReading,
    Placed,
    SeenTag,
    Surveyor,
    draw_tag,
)

__all__ = [
    "CARD_MM",
    "CARD_TAGS",
    "TAG_CENTER_MM",
    "TAG_MM",
    "Ground",
    "Layout",
    "LayoutError",
    "MatReading",
    "Placed",
    "Region",
    "SeenTag",
    "Surveyor",
    "draw_tag",
    "list_packaged",
    "load_layout",
    "load_packaged",
]
