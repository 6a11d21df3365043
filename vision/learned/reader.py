"""The learned reader: finds dice, reads each, compares how they stand, and says how sure it is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np

from calibration.arrays import Picture, Singles
from engine.dice import Die
from engine.wording import phrase_later
from vision.face_place import FacePlace, Sharper
from vision.learned import confidence as general
from vision.learned import d4
from vision.learned.camera_prior import CameraPoseMemory, CameraPrior
from vision.learned.confidence import find_overlapping_faces, find_repeated_patterns
from vision.learned.contract import CLASSES, CUT_REACH, CUT_SIDE_PX, FOREIGN, POSES, Peak, cut_out
from vision.learned.d4_contract import edge_px as d4_edge_px
from vision.learned.faces import FLAT, SAME_DIE, Face, read_faces, read_from_all_sides
from vision.learned.finder import SeenTiles, find_dice, look_closer, usual_scale
from vision.learned.neighbours import compare_with_neighbours, rises_surely
from vision.learned.networks import Networks
from vision.learned.stance import Part, find_stances, measure_stances
from vision.legible import EDGE_NEEDED
from vision.reading import DiceChoice

# Tells which finds are dice although they count as none.
#
# Who names the kind that lies there is believed, so what looks like a die of another kind hardly counts as
# one; and a D4 that shows no number to the D4 network counts as none. But what is neither read nor mentioned
# is missed in silence. So a find that looked like a die before, and that surely rises from the table, as no
# print does, is mentioned.

LIKELY_UNEXPECTED, WARM_UNEXPECTED = 0.6, 0.35
"""The chance of an unexpected die, and the finder's heat, from which a find may be strange."""


def find_unknown_dice(picture: Picture, faces: Sequence[Face], networks: Networks) -> list[Face]:
    """The faces with `strange` filled in."""
    likely = [i for i, face in enumerate(faces) if _may_be_unknown(face)]
    unmeasured = [i for i in likely if faces[i].stance is None]
    measured = measure_stances(picture, faces, unmeasured, networks)
    out = list(faces)
    for i in likely:
        stance = measured[i].stance
        out[i] = replace(faces[i], strange=stance is not None and rises_surely(stance))
    return out


def _may_be_unknown(face: Face) -> bool:
    return face.is_none and face.heat >= WARM_UNEXPECTED and face.unexpected >= LIKELY_UNEXPECTED


LEAST_HEAT, LEAST_D4_HEAT = 0.2, 0.06
"""The least heat of a find that is looked at, and where D4 are named: the finder is less sure of these, and
the D4 network looks closely at each. With 0.15 a spot on the cloth of a film was asked about; with 0.2 some
eight dice more of 2,446 in two sources of photographs pass in silence, and as many are read."""
MOST_FACES = 240
"""How many finds are read, the hottest ones: more are clutter, and each takes the networks some time."""
CLEAR, LIKELY = 0.8, 0.5
SMALL_HALF_PX, ALIKE = 14.0, 2.0
"""A picture is looked at closer unless most of what is seen is dice that are due, each with the first's
chance to be what it looks like, half an edge of the median one is at least so many pixels in the usual size,
and the largest is at most so many times as large as the smallest: large prints and dominoes look like dice,
and do not say how large the dice are."""
UNCLEAR_HEAT = 0.3
"""The finder's heat from which a find that is not clearly a die that is due makes a picture be looked at
closer, too: of two dice that touch, as one, the usual look may see no more. Of `rune55_trays` 16 dice more
are read so, none more wrongly, and of six other sources and painted dice as many as without."""
TOUCHING = 1.6
"""How far the middles of touching dice are apart, at the least, in half edges."""
SURE_AND_FLAT = 0.95
"""The confidence from which a die is company for those of later pictures, and no part of a cloth's
pattern."""
DOUBTFUL = (0.3, 0.97)
"""Faces whose confidence lies between these are read again, from all four sides."""
SHARE_OF_STRANGERS = 0.2
"""How common strangers' dice, and dice of the other kinds, are where it was named what lies there, by what
the face reader learnt from. Of 120 betting dice on the simulated table it read 99 with 0.5, 110 with 0.2 and
112 with 0.1 for strangers' dice; of 109 dice with numerals in photographs 3, 5 and 7 passed for betting dice
where these were named. Of 101 pip ones in photographs none passed for a Zoinx dot where Zoinx dice were
named, with 0.2 as with 1."""
BESIDE_MARKS = 0.05
"""The same where pip or Zoinx dice were named: what strangers' dice bear are numbers, and these look like
betting dice. Of 300 dice with numerals or symbols in photographs none passes for a pip die or a Zoinx one
with 0.2 as with 0.05; with 0.02 one does."""
COMPANY, SIZED, STRANGE_SIZED = 2, 1.28, 1.6
"""What is at most so many times as large or as small as the middle one of the likely dice of a picture, of
which there must be so many, is of a die's size; and the same for strange dice, which may be of another size
and are told where no others lie, too."""
BLOB_HEAT, BLOB_APART = 0.5, 1.3
"""The finder's heat from which something of a die's size is told although no face shows, and how many half
edges it lies away from everything that is told anyway. Of 165 dice in two sources of photographs that were
neither read nor mentioned, this and `JudgedFace.sized` tell 35; of what is no die they tell 50 in 787
pictures."""
MOST_UNREAD = 30
"""Where more faces than this cannot be read, some may be a cloth's pattern: nobody throws so many dice of
which none can be read."""
WHOLE, WHOLE_D4 = 0.95, 0.993
"""The share of a face that must lie in the picture to count as whole: what is cut off more may show anything
there. A twentieth of a six-sided die's face is the rim, which bears nothing; of a D4, which is read by three
faces that rise to its tip, less must be missing. Of eight sources of photographs seven more dice are read so,
all of them right."""
TOO_SMALL = phrase_later("too small in the picture")
LYING = {
    "cocked": phrase_later("cocked"),
    "stacked": phrase_later("stacked"),
    "hidden": phrase_later("half hidden"),
    "cut": phrase_later("at the picture's edge"),
}
"""The reason told to people for each way of not lying flat and free."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedFace:
    """A face that was read, and how far it can be trusted."""

    face: Face
    confidence: float
    """The chance that the die is this one and lies flat, 0 to 1."""
    reason: str
    """Why it should not be vouched for, if its confidence is too low."""
    whole: bool
    """Whether all of it lies in the picture."""
    body: Singles
    """The colour of the face, BGR."""
    sized: bool = False
    """Whether it is of the size of the likely dice of its picture."""
    short_px: tuple[float, float] | None = None
    """Its edge in the picture, and the one from which such a die is read, where that is why it is doubted."""
    named: DiceChoice = "auto"
    """Which dice it was judged among: those that somebody named, or that the surest ones of a picture are."""
    patterned: bool = False
    """Whether it is one of very many that look alike, none of which can be read: a cloth's pattern."""

    @property
    def die(self) -> Die | None:
        """What it shows; None for a die of no known kind."""
        return self.face.die

    def at(self, place: FacePlace) -> "JudgedFace":
        """The same, told at another picture's place: what was judged stays."""
        return replace(self, face=replace(self.face, place=place))


class Adapts(Protocol):
    """Applies what was learnt of the owner's own dice."""

    def adapt(self, face: Face) -> Face:
        """The face with what was learnt taken into account."""
        ...


class LearnedReader:
    """Finds and reads dice of all kinds in any picture."""

    def __init__(
        self,
        networks: Networks | None = None,
        known: Adapts | None = None,
        bearings: CameraPrior | None = None,
        earlier: CameraPoseMemory | None = None,
    ) -> None:
        """`networks` are the project's own on one thread where none are given; `known` is what was learnt of
        the owner's dice; `bearings` hold the camera's calibration; `earlier` takes what each picture tells of
        how the camera hangs on to the next, where all are a fixed camera's."""
        self.networks = networks or Networks()
        self._known = known
        self._bearings = bearings or CameraPrior()
        self._earlier = earlier
        self._tiles = SeenTiles() if earlier is not None else None

    def look(
        self,
        picture: Picture,
        dice: DiceChoice = "auto",
        part: Part | None = None,
        sharper: Sharper | None = None,
    ) -> list[JudgedFace]:
        """Everything that is more likely an up-face than not, in a picture (height x width x 3, blue green
        red), and what only the finder holds for a die, if it is of a die's size (`Face.is_none`).

        `part` says where the picture lies in the camera's whole one, if it is only a part of it. Where there
        is a `sharper` picture, faces are read from that; all places are still pixels of `picture`.
        """
        found = self._found(picture, sharper, dice, self._tiles if part is None else None)
        if sharper is None:
            return self._judge_faces(picture, found, dice, part or _all_of(picture))
        looked = self._judge_faces(sharper.picture, found, dice, _all_of(sharper.picture))
        return [one.at(sharper.back(one.face.place)) for one in looked]

    def _judge_faces(
        self, picture: Picture, found: Sequence[Face], dice: DiceChoice, part: Part
    ) -> list[JudgedFace]:
        """What was found, looked at once more and judged."""
        found = find_overlapping_faces([self._adapt(face) for face in found])
        kind = dice if dice != "auto" else kind_shown(found)
        # Who names what lies there says as well what is no company: a dot of the cloth beside betting dice.
        seen = [_look_for_shown(face, dice, kind) for face in found]
        faces = self._compared(find_stances(picture, seen, self.networks), part)
        faces = find_overlapping_faces(self._stood(d4.read_d4_closely(picture, faces, self.networks), part))
        doubtful = [
            i
            for i, face in enumerate(faces)
            if not (face.is_none or face.close) and DOUBTFUL[0] < confidence(face) < DOUBTFUL[1]
        ]
        again = read_from_all_sides(picture, [faces[i] for i in doubtful], self.networks) if doubtful else []
        for i, face in zip(doubtful, again, strict=True):
            faces[i] = _look_for_shown(self._adapt(face), dice, kind)
        faces = find_unknown_dice(picture, faces, self.networks)
        shown = [face for face in faces if not face.is_none or face.strange or face.heat >= BLOB_HEAT]
        looked = mark_pattern(mark_sized([judge(picture, face, kind) for face in shown]))
        if self._earlier is not None:
            sure = [one.face for one in looked if one.confidence >= SURE_AND_FLAT and one.face.leaning < 0]
            self._earlier.learn(sure, part)
        return leave_shapeless_out(looked)

    def _compared(self, faces: Sequence[Face], part: Part) -> list[Face]:
        """The faces compared with their neighbours, earlier ones too, or with the calibration."""
        steps = self._bearings.steps(faces, part)
        if self._earlier is None:
            return compare_with_neighbours(faces, part, steps)
        return self._earlier.compare(faces, part, steps)

    def _found(
        self, picture: Picture, sharper: Sharper | None, dice: DiceChoice, seen: SeenTiles | None
    ) -> list[Face]:
        """The faces that are found; where these are small, or none, also those of a closer look. They lie in
        the sharper picture, where there is one: that is asked for in doubt, so where any kind may lie the
        look is then a close one, for a D4 beside large dice is small."""
        shown, scale = (sharper.picture, sharper.scale[0]) if sharper else (picture, 1.0)
        least = LEAST_D4_HEAT if dice == "d4" else LEAST_HEAT
        finds, warmth = find_dice(picture, self.networks, least)
        faces = read_faces(shown, _there(finds, sharper), self.networks)
        if not (sharper and dice == "auto") and self._shows_all(faces, usual_scale(picture) / scale, dice):
            return faces
        closer = _there(look_closer(picture, self.networks, least, warmth, seen), sharper)
        return read_faces(shown, leave_sides_out(closer, faces), self.networks, faces)

    @staticmethod
    def _shows_all(faces: Sequence[Face], scale: float, dice: DiceChoice) -> bool:
        """Whether the usual look at a picture, at that scale, shows mostly dice that are due, large and of
        like size, and nothing warm that is none."""
        seen = [face for face in faces if not face.is_none]
        clear = [is_die(face, CLEAR) and is_expected(face.die, dice) for face in seen]
        each = list(zip(seen, clear, strict=True))
        if 2 * sum(clear) <= len(seen) or any(face.heat >= UNCLEAR_HEAT for face, is_so in each if not is_so):
            return False
        halves = [face.place.half_px for face, is_so in each if is_so]
        return bool(np.median(halves) * scale >= SMALL_HALF_PX) and max(halves) <= ALIKE * min(halves)

    def _stood(self, faces: list[Face], part: Part) -> list[Face]:
        """The faces, those of D4 that were looked at closely compared with the others, too."""
        if not any(face.close for face in faces):
            return faces
        compared = self._compared(faces, part)
        return [new if new.close else old for old, new in zip(faces, compared, strict=True)]

    def _adapt(self, face: Face) -> Face:
        return self._known.adapt(face) if self._known else face


def is_die(face: Face, chance: float) -> bool:
    """Whether it looks like one of our dice, with at least that chance."""
    return face.die is not None and float(face.chances.max()) >= chance


def is_expected(die: Die | None, dice: DiceChoice) -> bool:
    """Whether a die is of a kind that was named."""
    return die is not None and (dice == "auto" or die.kind in _kinds_expected(dice))


def _kinds_expected(dice: DiceChoice) -> tuple[str, ...]:
    return ("zoinx", "bet") if dice == "zoinx-and-bet" else (dice,)


def leave_sides_out(closer: Sequence[Peak], faces: Sequence[Face]) -> list[Peak]:
    """The finds of a closer look without those that may be a side of a likely die whose face was seen before:
    too near to it for a die of its own, and of like size."""
    seen = [face.place for face in faces if is_die(face, LIKELY)]
    centers = np.array([place.center for place in seen], np.float32).reshape(-1, 2)
    halves = np.array([place.half_px for place in seen], np.float32)

    def is_side(peak: Peak) -> bool:
        away = np.hypot(*(centers - peak.place.center).T) / halves
        alike = np.abs(np.log2(peak.place.half_px / halves)) < 1
        return bool((alike & (away >= SAME_DIE) & (away < TOUCHING)).any())

    return [peak for peak in closer if not is_side(peak)]


def _there(found: Sequence[Peak], sharper: Sharper | None) -> list[Peak]:
    """The finds that are looked at, where they lie in the picture from which they are read."""
    first = found[:MOST_FACES]
    return [replace(peak, place=sharper.there(peak.place)) for peak in first] if sharper else list(first)


def _all_of(picture: Picture) -> Part:
    height, width = picture.shape[:2]
    return Part(whole_width_px=width, whole_height_px=height)


def look_for_kind(face: Face, dice: DiceChoice) -> Face:
    """The face as seen by somebody who names what lies there: dice of other kinds count as dice of no known
    kind, and those of no known kind are rarer than in what was learnt."""
    if dice == "auto":
        return face
    others = np.array([kind not in (*_kinds_expected(dice), "foreign", "none") for kind, _ in CLASSES])
    unexpected = float(face.chances[FOREIGN] + face.chances[others].sum())
    chances = np.where(others, 0, face.chances).astype(np.float32)
    chances[FOREIGN] = (BESIDE_MARKS if dice in ("pip", "zoinx") else SHARE_OF_STRANGERS) * unexpected
    return replace(face, chances=np.asarray(chances / chances.sum(), np.float32), unexpected=unexpected)


SURE = 0.9
"""The confidence from which a face counts as read; below it is unsure."""
SURE_OF_D4, SURE_OF_MARK = 0.95, 0.983
"""The least confidence in a D4, of which 3 of 580 drawn ones so sure were wrong; and in a face with a single
mark, or a number, where nobody named the kind. Many things that are no dice have one spot, and strangers'
dice have digits. Where the kind was named, single marks were right as often as others of the same
confidence."""


def least_confidence(die: Die, dice: DiceChoice = "auto") -> float:
    """The least confidence from which a face is read, where these kinds are named."""
    if die.kind == "d4":
        return SURE_OF_D4
    return SURE if dice != "auto" or (die.kind == "pip" and die.value != 1) else SURE_OF_MARK


def confidence(face: Face) -> float:
    """How often a face read with such numbers is right and lies flat, 0 to 1."""
    if face.close:
        return d4.confidence(face)
    return min(general.confidence(face), d4.UNREAD_AT_MOST if d4.is_d4(face) else 1.0)


COUNTS_FOR_KIND = 0.8
"""The confidence from which a face counts for the kind that a picture shows. With 0.5, six D4 that looked a
little like Zoinx dots made all of them these. A one counts for no kind: many things have one spot."""


def kind_shown(faces: Sequence[Face]) -> DiceChoice:
    """The kind that the clear faces of a picture are together surely of, where nobody named one; "auto" where
    there is none, or more than one. Faces are then judged as if it had been named."""
    doubts: dict[DiceChoice, float] = {}
    for face in faces:
        sure = general.confidence(face)
        if face.die is not None and face.die.value != 1 and sure >= COUNTS_FOR_KIND:
            doubts[face.die.kind] = doubts.get(face.die.kind, 1.0) * (1 - sure)
    kinds = {kind for kind, doubt in doubts.items() if doubt <= 1 - SURE_OF_MARK}
    if kinds == {"zoinx", "bet"}:
        return "zoinx-and-bet"
    return kinds.pop() if len(kinds) == 1 else "auto"


def _look_for_shown(face: Face, dice: DiceChoice, kind: DiceChoice) -> Face:
    """The face as seen by somebody who sees which kind lies there. Where nobody named one, D4 may lie beside
    it: games throw them with pip dice."""
    return face if dice == "auto" and d4.is_d4(face) else look_for_kind(face, kind)


def judge(picture: Picture, face: Face, dice: DiceChoice = "auto") -> JudgedFace:
    """A face with its confidence, the reason for doubt, and its colour."""
    reason = _reason(face)
    return JudgedFace(
        face=face,
        confidence=0.0 if face.die is None or face.printed else confidence(face),
        reason=reason,
        short_px=_edge_and_needed_px(face) if reason == TOO_SMALL else None,
        named=dice,
        whole=_share_inside(face, picture) >= (WHOLE_D4 if face.close else WHOLE),
        body=_body(picture, face),
    )


def mark_sized(looked: Sequence[JudgedFace]) -> list[JudgedFace]:
    """The faces of a picture with `sized` filled in."""
    middle_px = _middle_half_px(looked)
    if middle_px is None:
        return list(looked)
    return [replace(one, sized=1 / SIZED < one.face.place.half_px / middle_px < SIZED) for one in looked]


def _middle_half_px(looked: Sequence[JudgedFace]) -> float | None:
    """The half edge of the middle one of the likely dice; None where there are too few to tell."""
    halves = [one.face.place.half_px for one in looked if one.confidence >= LIKELY]
    return float(np.median(halves)) if len(halves) >= COMPANY else None


def mark_pattern(looked: Sequence[JudgedFace]) -> list[JudgedFace]:
    """The faces of a picture with `patterned` filled in. What surely rises as a flat die does is no part of
    it."""
    faces = [one.face for one in looked]
    unread = np.array([one.confidence < SURE_AND_FLAT for one in looked], np.bool_)
    if unread.sum() <= MOST_UNREAD:
        return list(looked)
    many = (
        find_repeated_patterns(faces, unread)
        & unread
        & ~np.array([_stands(face) for face in faces], np.bool_)
    )
    return [replace(one, patterned=bool(is_so)) for one, is_so in zip(looked, many, strict=True)]


def _stands(face: Face) -> bool:
    """Whether it surely is higher than the table, and stands there as a flat die does."""
    return face.stance is not None and rises_surely(face.stance) and face.leaning < 0


def leave_shapeless_out(looked: Sequence[JudgedFace]) -> list[JudgedFace]:
    """What was found without that which shows no face, unless it is of a die's size, or strange and about of
    that size, and nothing else lies there."""
    faces = [one for one in looked if not one.face.is_none]
    middle_px = _middle_half_px(looked)
    centers = np.array([one.face.place.center for one in faces], np.float32).reshape(-1, 2)

    def is_blob(one: JudgedFace) -> bool:
        near = np.hypot(*(centers - one.face.place.center).T) < BLOB_APART * one.face.place.half_px
        half_px = one.face.place.half_px
        fits = middle_px is None or 1 / STRANGE_SIZED < half_px / middle_px < STRANGE_SIZED
        return (one.sized or (one.face.strange and fits)) and not near.any()

    return faces + [one for one in looked if one.face.is_none and is_blob(one)]


def _share_inside(face: Face, picture: Picture) -> float:
    """The share of an up-face that lies in the picture; for a D4 looked at closely, of the face that it lies
    on."""
    corners = face.place.triangle() if face.close else face.place.corners()
    height, width = picture.shape[:2]
    frame = np.array(((0, 0), (width, 0), (width, height), (0, height)), np.float32) - np.float32(0.5)
    part, _ = cv2.intersectConvexConvex(corners, frame)
    return float(part) / cv2.contourArea(corners)


def _reason(face: Face) -> str:
    lying = int(face.poses.argmax())
    if lying != FLAT:
        return LYING[POSES[lying]]
    if face.printed:
        return phrase_later("it may be printed on the table")
    if face.is_foreign or (face.strange and not face.close):
        return phrase_later("a die of a kind that was not expected")
    edge_px, needed_px = _edge_and_needed_px(face)
    if edge_px < needed_px:
        return TOO_SMALL
    if face.is_none and not face.strange:
        return phrase_later("of a die's size, but it shows no face")
    return phrase_later("its face does not show clearly")


def _edge_and_needed_px(face: Face) -> tuple[float, float]:
    """The edge of a die in the picture, and the one from which such a die is read, pixels."""
    if d4.is_d4(face):
        return d4_edge_px(face.place), EDGE_NEEDED["d4"].least_px
    return 2 * face.place.half_px, EDGE_NEEDED[face.die.kind if face.die else "pip"].least_px


def _body(picture: Picture, face: Face) -> Singles:
    """The median colour of the face, blue green red: what is printed on it covers the smaller part."""
    inner = round(CUT_SIDE_PX / 2 * (1 - 0.8 / CUT_REACH))
    cut = cut_out(picture, face.place)[inner:-inner, inner:-inner]
    channels = np.sort(cut.reshape(-1, 3).T, axis=1)  # numpy's median takes five times as long
    return np.asarray(channels[:, channels.shape[1] // 2], np.float32)
