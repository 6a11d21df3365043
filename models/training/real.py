"""Finds real dice in photographs, and cuts them out with what is known of them.

Boxes hold whole dice; of a die seen at a slant, the up-face is only the upper part. The present networks look
for up-faces in each box, and the find that most likely shows what the box is said to hold is the die's. Where
they find none, or only one that reads otherwise, the cut is taken from where an up-face would lie: then only
what it shows is asked, not where it lies. Other finds in the box, away from the die's, are side faces; finds
outside all boxes are no die, if the networks themselves hold them for none.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Any

import cv2
import numpy as np
import torch

from calibration.arrays import Picture, Singles
from models.files import CACHE, load_network
from models.scenes.chance import Chance
from models.training.cuts import NOT_ASKED, WIDE_PX, Faces, class_of, elsewhere, wide_cut
from models.training.photos import Photo
from models.training.store import kept_part
from models.training.targets import Target
from vision.face_place import FacePlace
from vision.learned.contract import (
    CLASSES,
    DICE,
    FOREIGN,
    NONE,
    POSES,
    Peak,
    cut_out,
    drop_doubles,
    find_peaks,
    move_place,
    scale_peak,
)
from vision.learned.networks import Networks

# Finds where the dice of photographs lie, with networks and the known truth.
#
# Where boxes are known, `models.training.real` finds the up-faces in them. Values without places: there must
# be as many finds as values, and one way of giving them the values must be far likelier than chance;
# otherwise the picture is left out.

LEAST_HEAT = 0.15
LOOKS = 3
"""How often each place is looked at, each time with the place corrected."""
MOST_FINDS, MOST_VALUES = 8, 6
"""The most finds that are matched with values in every order, and the most values."""
LIKELY = 0.4
"""The least geometric mean of the chances of a picture's faces."""
WITHIN = (0.23, 0.62)
"""The bounds of half an up-face's edge, by the side of the whole die's upright box."""


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """A photograph whose dice have places."""

    photo: Photo
    lying: tuple[Target, ...]
    values: tuple[int | None, ...]
    """The value of each die in `lying`."""
    stray: tuple[FacePlace, ...] = ()
    """The finds that are no die, where only the values were known."""


def found_in(finder: Callable[[Any], Any], picture: Picture, scales: Sequence[float]) -> list[Peak]:
    """The peaks of a picture looked at in several scales, each die once."""
    out: list[Peak] = []
    for scale in scales:
        height, width = (max(32, round(side * scale / 32) * 32) for side in picture.shape[:2])
        small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
        factor = picture.shape[1] / width
        with torch.no_grad():
            told = finder(torch.from_numpy(small.transpose(2, 0, 1)[None].astype(np.float32)))
        out += [scale_peak(peak, factor) for peak in find_peaks(told[0].numpy(), LEAST_HEAT)]
    return drop_doubles(out)


def read_at(
    reader: Callable[[Any], tuple[Any, ...]], picture: Picture, found: Sequence[FacePlace]
) -> tuple[Singles, list[FacePlace]]:
    """The reader's chances for faces at these places (N x classes), and the places as it corrects them."""
    chances = np.zeros((0, len(CLASSES)), np.float32)
    right = list(found)
    for _ in range(LOOKS if found else 0):
        cuts = np.stack([cut_out(picture, place).transpose(2, 0, 1) for place in right]).astype(np.float32)
        with torch.no_grad():
            classes, _, _, moves = reader(torch.from_numpy(cuts))
        chances = np.asarray(torch.softmax(classes, 1).numpy(), np.float32)
        right = [move_place(place, move) for place, move in zip(right, moves.numpy(), strict=True)]
    return chances, right


def place_by_values(photo: Photo, found: Sequence[Peak], chance: Singles) -> Labelled | None:
    """The photograph with its values given to finds in the likeliest way; finds left over must look like no
    die. None where that is unsure."""
    first = sorted(range(len(found)), key=lambda i: float(chance[i, NONE]))[:MOST_FINDS]
    wanted = [class_of("pip", value) for value in photo.values]
    if not len(wanted) <= len(first) or len(wanted) > MOST_VALUES:
        return None
    logs = np.log(np.maximum(chance, 1e-4))
    none = {i: float(logs[i, NONE]) for i in first}
    all_none = sum(none.values())

    def worth(order: tuple[int, ...]) -> float:
        return all_none + sum(float(logs[i, one]) - none[i] for i, one in zip(order, wanted, strict=True))

    best = max(permutations(first, len(wanted)), key=worth)
    mean = float(np.exp(np.mean([logs[i, one] for i, one in zip(best, wanted, strict=True)])))
    if mean < LIKELY:
        return None
    return Labelled(
        photo,
        tuple(Target(found[i].place, 4) for i in best),
        photo.values,
        tuple(peak.place for i, peak in enumerate(found) if i not in best and _clear(peak, found, best)),
    )


def _clear(peak: Peak, found: Sequence[Peak], dice: Sequence[int]) -> bool:
    """Whether a find lies well away from all dice."""
    away = [float(np.hypot(*(peak.place.center - found[i].place.center))) for i in dice]
    return all(gap > 0.9 * found[i].place.half_px for gap, i in zip(away, dice, strict=True))


LOOKED_AT_PX = (640, 960, 240)
"""The long sides of the picture as the finder looks at it: in the smallest it sees dice close to the
camera."""
BELIEVED = 0.2
"""The least chance of showing what its box holds with which a find gives the die's place."""
SIDE_FACE = 0.5
"""A find in a box, away from the die's, is a side face if its chance of showing what the box holds is less
than this."""
APART = 0.9
"""How far from the die's middle such a find must be, in half edges."""
HELD_FOR_NONE = 0.3
"""The networks' chance of no face from which a find outside all boxes is none: others may be unlabelled
dice."""
UP_FACE, UP_FACE_OF_D4 = 0.42, 0.3
"""About half an up-face's edge, divided by the side of its die's upright box."""
AT_A_SLANT = ("epanemu_dice3",)
"""Sources whose up-faces lie in the upper part of the boxes."""
FLAT = POSES.index("flat")


class FindsAsTrained:
    """A finder's file, called like the network that it was made from."""

    def __init__(self, networks: Networks) -> None:
        """`networks` run the file."""
        self._networks = networks

    def __call__(self, picture: Any) -> Any:
        """Takes 1 x 3 x H x W to 1 x 8 x H/4 x W/4."""
        shown = np.ascontiguousarray(picture[0].numpy().transpose(1, 2, 0), np.uint8)
        return torch.from_numpy(self._networks.find(shown)[None])


class ReadsAsTrained:
    """A face reader's file, called like the network that it was made from."""

    def __init__(self, networks: Networks) -> None:
        """`networks` run the file."""
        self._networks = networks

    def __call__(self, cuts: Any) -> tuple[Any, ...]:
        """Takes N x 3 x side x side to classes, poses, embeddings and moves."""
        shown = np.ascontiguousarray(cuts.numpy().transpose(0, 2, 3, 1), np.uint8)
        return tuple(torch.from_numpy(told) for told in self._networks.read(shown))


@dataclass(frozen=True, slots=True, eq=False)
class _Find:
    """A find, at the place that the reader corrected, with its chances."""

    place: FacePlace
    heat: float
    chances: Singles


def faces_of(photo: Photo, networks: Networks, chance: Chance) -> Faces:
    """The dice of a photograph, and places in it that show none. Empty where nobody can tell where the dice
    lie."""
    finds = _finds(photo, networks)
    if photo.boxes is not None:
        return _gathered(photo.picture, _by_boxes(photo, finds, chance))
    known = _by_values(photo, finds)
    rows: list[_Row] = []
    if known is not None:
        for die, value in zip(known.lying, known.values, strict=True):
            rows.append((die.place, class_of("pip", value), FLAT, True))
        rows += [(place, NONE, NOT_ASKED, False) for place in known.stray]
    return _gathered(photo.picture, rows)


def lying_in(photo: Photo, networks: Networks) -> Labelled | None:
    """The photograph with its dice as the finder is to find them; None where nobody can tell where they lie.

    A die in whose box no face of its value was found has no size; seen at a slant it has no certain place
    either, and it is not asked whether it is found.
    """
    finds = _finds(photo, networks)
    if photo.boxes is None:
        return _by_values(photo, finds)
    lying, left = [], list(finds)
    for box, kind, value in zip(photo.boxes.tolist(), photo.kinds, photo.values, strict=True):
        own = [find for find in left if _within(find, box)]
        left = [find for find in left if find not in own]
        best = _best(box, class_of(kind, value), own)
        if best is not None:
            lying.append(Target(best.place, 0 if kind == "d4" else 4))
            continue
        slant = photo.source in AT_A_SLANT or kind == "d4"
        middle = _middle(box, UP_FACE, slant)
        lying.append(Target(middle, 0, sized=False, counts=not slant))
    return Labelled(photo, tuple(lying), photo.values)


@dataclass(frozen=True, slots=True, eq=False)
class _Finds:
    """N finds, as they are kept."""

    centers: Singles
    axes: Singles
    heats: Singles
    chances: Singles


def _finds(photo: Photo, networks: Networks) -> list[_Find]:
    """What the networks see, at the places that the reader corrected. It is kept: finder and face reader both
    learn from it."""
    folder = CACHE / "finds" / _digest(networks) / photo.source
    folder.mkdir(parents=True, exist_ok=True)
    name = hashlib.sha256(photo.name.encode() + photo.picture.tobytes()).hexdigest()[:16]
    kept = kept_part(folder / f"{name}.npz", _Finds, lambda: _as_kept(_look_for(photo, networks)))
    return [
        _Find(FacePlace(center, axes), float(heat), chances)
        for center, axes, heat, chances in zip(kept.centers, kept.axes, kept.heats, kept.chances, strict=True)
    ]


@cache
def _digest(networks: Networks) -> str:
    """What tells these networks from others. Raises ModelError where one is missing or damaged."""
    both = load_network(networks.finder) + load_network(networks.faces)
    return hashlib.sha256(both).hexdigest()[:12]


def _as_kept(finds: Sequence[_Find]) -> _Finds:
    return _Finds(
        np.array([find.place.center for find in finds], np.float32).reshape(-1, 2),
        np.array([find.place.axes for find in finds], np.float32).reshape(-1, 2, 2),
        np.array([find.heat for find in finds], np.float32),
        np.array([find.chances for find in finds], np.float32).reshape(-1, len(CLASSES)),
    )


def _look_for(photo: Photo, networks: Networks) -> list[_Find]:
    long = max(photo.picture.shape[:2])
    peaks = found_in(FindsAsTrained(networks), photo.picture, [min(1.0, px / long) for px in LOOKED_AT_PX])
    chances, right = read_at(ReadsAsTrained(networks), photo.picture, [peak.place for peak in peaks])
    return [_Find(p, k.heat, c) for p, k, c in zip(right, peaks, chances, strict=True)]


def _by_values(photo: Photo, finds: Sequence[_Find]) -> Labelled | None:
    """A photograph of which only the values are known, with places."""
    if "foreign" in photo.kinds or not finds:
        return None
    found = [Peak(find.place, find.heat) for find in finds]
    return place_by_values(photo, found, np.stack([find.chances for find in finds]))


_Row = tuple[FacePlace, int, int, bool]
"""Place, class, pose, and whether the face lies at just that place."""


def _gathered(picture: Picture, rows: Sequence[_Row]) -> Faces:
    cuts = [wide_cut(picture, place) for place, _, _, _ in rows]
    return Faces(
        np.array(cuts, np.uint8).reshape(-1, WIDE_PX, WIDE_PX, 3),
        np.array([row[1] for row in rows], np.int64),
        np.array([row[2] for row in rows], np.int64),
        np.array([row[3] for row in rows], np.bool_),
    )


def _by_boxes(photo: Photo, finds: Sequence[_Find], chance: Chance) -> list[_Row]:
    rows: list[_Row] = []
    left = list(finds)
    assert photo.boxes is not None  # noqa: S101 - the caller asked
    for box, kind, value in zip(photo.boxes.tolist(), photo.kinds, photo.values, strict=True):
        own = [find for find in left if _within(find, box)]
        left = [find for find in left if find not in own]
        rows += _of_box(box, class_of(kind, value), own, photo.source in AT_A_SLANT)
    rows += [(find.place, NONE, NOT_ASKED, False) for find in left if find.chances[NONE] >= HELD_FOR_NONE]
    dice = [place for place, shows, _, _ in rows if shows != NONE]
    rows += [(place, NONE, NOT_ASKED, False) for place in elsewhere(photo.picture, dice, chance, len(dice))]
    return rows


def _of_box(box: Sequence[float], shows: int, own: Sequence[_Find], slant: bool) -> Iterator[_Row]:
    """The die of a box, and those of its side faces that were found."""
    square = shows < len(DICE) and DICE[shows].kind != "d4"
    best = _best(box, shows, own)
    if square and best is not None:
        yield best.place, shows, FLAT, True
        for find in own:
            away = float(np.hypot(*(find.place.center - best.place.center)))
            if away > APART * best.place.half_px and find.chances[shows] < SIDE_FACE:
                yield find.place, NONE, NOT_ASKED, False
        return
    reach = UP_FACE if square or shows == FOREIGN else UP_FACE_OF_D4
    yield _middle(box, reach, slant), shows, NOT_ASKED, False


def _best(box: Sequence[float], shows: int, own: Sequence[_Find]) -> _Find | None:
    """The find that most likely is the up-face of a box's die; None where none is likely."""
    side = max(box[2:])
    fitting = [find for find in own if WITHIN[0] < find.place.half_px / side < WITHIN[1]]
    best = max(fitting, key=lambda find: find.heat * float(find.chances[shows]), default=None)
    return best if best is not None and best.chances[shows] >= BELIEVED else None


def _middle(box: Sequence[float], reach: float, slant: bool) -> FacePlace:
    """About where the up-face of a box's die lies, half its edge being that part of the box's side."""
    x, y, width, height = box
    half = reach * (min(width, height) if slant else max(width, height))
    middle = np.array((x + width / 2, y + height * (0.4 if slant else 0.5)), np.float32)
    return FacePlace(middle, np.asarray(np.eye(2) * half, np.float32))


def _within(find: _Find, box: Sequence[float]) -> bool:
    x, y, width, height = box
    at_x, at_y = find.place.center.tolist()
    return bool(x <= at_x <= x + width and y <= at_y <= y + height)
