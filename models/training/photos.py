"""Loads the real photographs that may be trained on, with what is known of the dice in them.

They lie beside the project (`../shared/photos`) and are no part of it. For some only the values are known,
not the places; what a first network finds there is taken for true where it agrees with the values
(`models.training.real`).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import cv2
import numpy as np

from calibration.arrays import Picture, Singles

PHOTOS = Path(__file__).parents[3] / "shared" / "photos"
SOURCES = (
    "nell_byler",
    "damiantab",
    "jamiekee_lime",
    "rune55_trays",
    "rune55_round",
    "epanemu_dice3",
    "lurig_d4",
    "lurig_d6_numeral",
    "burks_tower_numeral",
    "tomitomi3_cup",
)
"""The sources that may be learnt from (BSD-3-Clause, Apache-2.0, MIT, CC BY 4.0 and CC0); no other source is
trained on."""
MORE_SOURCES = (
    "burks_barrel_d4_d12_d20",
    "lurig_d20_numeral",
    "neg_coins_euro",
)
"""More that may be learnt from (MIT, and CC0), which finder and face reader do not learn from."""
HELD_FROM: Mapping[str, tuple[str, ...]] = {
    "upper": ("rune55_trays", "rune55_round", "epanemu_dice3", "lurig_d4", "lurig_d6_numeral"),
    "lower": ("nell_byler", "damiantab", "jamiekee_lime", "tomitomi3_cup", "burks_tower_numeral"),
}
"""The sources that a network learns without, so that it can be measured on them; by the network's name."""
SURFACES = {
    "polyhaven_ambientcg": "",
    "rune55_patches": "rune55_trays",
    "epanemu_patches": "epanemu_dice3",
    "lurig_patches": "lurig_d4",
}
"""Real surfaces without dice, and the photographs that they were cut out of, if any (CC0 and CC BY 4.0)."""
STRANGERS = ("symbol", "numeral", "numeral_d8", "numeral_d10")
"""Dice of kinds that are not read."""
CORRECTED = {
    ("IMG_20191209_095439.jpg", (317.4, 371.6)): 4,
    ("IMG_20191209_095555.jpg", (141.5, 244.6)): 6,
    ("PXL_20240219_191525482.jpg", (273, 367)): 4,
    ("PXL_20240219_191703482.jpg", (289, 245)): 1,
    ("PXL_20240219_192009089.jpg", (296, 540)): 3,
    ("PXL_20240219_192106262.jpg", (146, 460)): 5,
    ("PXL_20240219_192106262.jpg", (181, 467)): 5,
    ("PXL_20240219_192106262.jpg", (317, 245)): 4,
    ("PXL_20240219_192123058.jpg", (387, 374)): 5,
    ("dice_432.jpg", (70, 254)): 5,
}
"""Labels of nell_byler, rune55_trays and epanemu_dice3 that the pictures contradict: the picture and the
box's corner, with the value that is plainly seen. Readings that contradicted a label were looked at one by
one; where a person could doubt what the picture shows, the label stands."""
WITHOUT_LABEL = {
    "PXL_20240219_192231792.jpg": ((1, (599, 315, 40, 40)),),
    "PXL_20240219_192250488.jpg": ((5, (362, 289, 46, 46)),),
    "PXL_20240219_192254441.jpg": ((4, (234, 157, 42, 42)),),
    "PXL_20240219_192403811.jpg": ((2, (246, 384, 50, 50)),),
}
"""Pip dice of rune55_trays that lie in plain sight and have no label: by picture, the value and the box
(left, top, width, height) of each."""
LONGEST_PX = 1280
"""Larger pictures are averaged down to this on their long side."""


class TrueDie(TypedDict):
    """One die of truth.json."""

    kind: str
    value: int
    box: list[float] | None


class PhotoTruth(TypedDict):
    """One picture of truth.json."""

    image: str
    dice: list[TrueDie]
    truth: str
    """What is known of the dice: "boxes", or only "values"."""


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """One photograph."""

    source: str
    name: str
    picture: Picture
    kinds: tuple[str, ...]
    """The kind of each die that lies in it: "pip", "d4" or "foreign"."""
    values: tuple[int | None, ...]
    """What each die shows; None for a foreign one."""
    boxes: Singles | None
    """N x 4, one row for each die: left, top, width, height of the whole die's box; None where places are not
    known."""


def photos(source: str) -> list[Photo]:
    """All pictures of a source; none where they are not there. Raises ValueError for a source not for
    training."""
    if source not in (*SOURCES, *MORE_SOURCES):
        raise ValueError(
            f"{source} may not be trained on; those that may: {', '.join((*SOURCES, *MORE_SOURCES))}"
        )
    listed = PHOTOS / source / "truth.json"
    if not listed.is_file():
        return []
    return [_photo(source, truth) for truth in label_rightly(listed)]


def label_rightly(listed: Path) -> list[PhotoTruth]:
    """The pictures of a truth.json, known wrong labels corrected and missing ones added."""
    told: list[PhotoTruth] = json.loads(listed.read_text(encoding="utf-8"))
    for truth in told:
        for die in truth["dice"]:
            corner = (die["box"][0], die["box"][1]) if die["box"] else None
            die["value"] = correct(truth["image"], corner, die["value"])
        for value, box in WITHOUT_LABEL.get(truth["image"], ()):
            truth["dice"].append({"kind": "pip", "value": value, "box": list(box)})
    return told


def surfaces(source: str) -> list[Picture]:
    """All pictures of surfaces without dice of a source; none where they are not there."""
    paths = sorted((PHOTOS.parent / "backgrounds" / source).glob("*.jpg"))
    read = (cv2.imread(str(path), cv2.IMREAD_COLOR) for path in paths)
    return [np.asarray(picture, np.uint8) for picture in read if picture is not None]


def surfaces_beside(sources: Sequence[str]) -> list[str]:
    """The surfaces that were cut out of photographs of these sources."""
    return [surface for surface, photographs in SURFACES.items() if photographs in sources]


def correct(name: str, box: tuple[float, float] | None, value: int) -> int:
    """The value that the picture shows, where the label is known to be wrong."""
    return CORRECTED.get((name, box), value) if box else value


def _photo(source: str, truth: PhotoTruth) -> Photo:
    name = truth["image"]
    picture = cv2.imread(str(PHOTOS / source / name), cv2.IMREAD_COLOR)
    if picture is None:
        raise FileNotFoundError(f"{source}/{name} cannot be read as a picture; remove it from truth.json")
    shrink = min(1.0, LONGEST_PX / max(picture.shape[:2]))
    if shrink < 1:
        picture = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    kinds, boxes = [], []
    values: list[int | None] = []
    for die in truth["dice"]:
        foreign = die["kind"] in STRANGERS
        kinds.append("foreign" if foreign else die["kind"])
        values.append(None if foreign else int(die["value"]))
        boxes.append(die["box"])
    known = None if None in boxes else np.array(boxes, np.float32) * np.float32(shrink)
    return Photo(source, name, np.asarray(picture, np.uint8), tuple(kinds), tuple(values), known)
