"""The simulated table: a camera over a felt tray, with a hand that throws dice.

It stands at the lowest wire. What was rolled leaves it only as pictures; `rolled`, `lying` and `stories` are
for tests and benchmarks, and nothing of the product reads them.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import atan2, cos, degrees, radians, sin
from random import Random
from typing import Literal, get_args

import cv2
import numpy as np

from calibration.arrays import Picture, Reals, Singles
from calibration.board import EXAMPLE, Board
from calibration.ends import End, Ends
from calibration.table import TableCalibration
from device.cameras import CameraLost, Frame, most_like
from device.simulator.dice import How, RestingDie, top_corners_mm, up_side
from device.simulator.end_zone import EndZoneWorld
from device.simulator.end_zone import ground as end_zone_ground
from device.simulator.end_zone import table as end_zone
from device.simulator.ground import tray
from device.simulator.hand import prepare_hands
from device.simulator.hand_acts import ACTS
from device.simulator.lens import SimulatedLens
from device.simulator.mat import MatWorld
from device.simulator.mat import ground as mat_ground
from device.simulator.render import Renderer
from device.simulator.truth import ActStory
from device.simulator.world import World
from engine.dice import Die, DieKind, Face
from engine.wording import phrase
from vision.places import Layout

__all__ = ["ACTS", "DieOnTable", "SimulatedTable", "Trouble"]


# The board that is held before the simulated camera, so that a lens can be calibrated without a real one.
#
# It is drawn as the lens sees it, two rays a pixel each way. A pose takes a tenth of a second to draw, and
# is then laid into every picture as it is.

Holding = Literal["nothing", "held", "flat"]
POSE_MS = 2000.0
"""How long the board is held still, after which it is held otherwise."""
MARGIN_MM = 10.0
PX_PER_SQUARE = 100
RAYS = 2
WHITE, BLACK = 225.0, 28.0
"""Paper and ink, as picture values."""


@dataclass(frozen=True, slots=True)
class BoardPose:
    """Where the board is, as the camera sees the table: told in shares of the picture."""

    across: float
    """A share of the picture's width, from its middle: -0.5 to 0.5."""
    down: float
    height_mm: float
    lean_deg: float
    """Its right side away from the camera."""
    tip_deg: float
    """Its lower side away from the camera."""
    turn_deg: float


HELD = (
    BoardPose(0.0, 0.0, 420, 0, 0, 0),
    BoardPose(-0.26, -0.22, 380, 24, 16, 4),
    BoardPose(0.26, -0.22, 380, -24, 16, -6),
    BoardPose(-0.26, 0.22, 380, 24, -16, -3),
    BoardPose(0.26, 0.22, 380, -24, -16, 5),
    BoardPose(0.0, 0.0, 450, 32, 0, 8),
    BoardPose(0.0, 0.0, 450, -32, 0, -8),
    BoardPose(0.0, 0.0, 450, 0, 32, 12),
    BoardPose(0.0, 0.0, 450, 0, -32, -12),
    BoardPose(-0.33, -0.3, 200, -20, -14, 0),
    BoardPose(0.33, -0.3, 200, 20, -14, 9),
    BoardPose(-0.33, 0.3, 200, -20, 14, -9),
    BoardPose(0.33, 0.3, 200, 20, 14, 3),
    BoardPose(0.0, -0.3, 300, 10, 26, 90),
    BoardPose(0.0, 0.3, 300, -10, -26, 88),
    BoardPose(0.05, -0.03, 540, 14, -12, 20),
)
"""How it is held, one pose after the other."""
FLAT = tuple(BoardPose(x, y, 0, 0, 0, turn) for x, y, turn in (
    (-0.27, -0.2, 3), (0.27, -0.2, -5), (-0.27, 0.2, 8), (0.27, 0.2, -2)))  # fmt: skip
"""Where it is laid down, one place after the other."""
POSES: dict[Holding, Sequence[BoardPose]] = {"nothing": (), "held": HELD, "flat": FLAT}


@dataclass(frozen=True, slots=True, eq=False)
class DrawnBoard:
    """The board as one pose shows it: a piece of the picture, and how much of it is board."""

    left_px: int
    top_px: int
    paper: Reals
    """(rows, columns, 1), picture values."""
    cover: Reals
    """(rows, columns, 1), 0 to 1."""

    def laid_over(self, picture: Picture) -> Picture:
        """A picture with the board in it."""
        rows, columns = self.cover.shape[:2]
        box = np.s_[self.top_px : self.top_px + rows, self.left_px : self.left_px + columns]
        found = picture.copy()
        found[box] = (found[box] * (1 - self.cover) + self.paper * self.cover + 0.5).astype(np.uint8)
        return found


def shown_at(holding: Holding, since_ms: float) -> BoardPose | None:
    """How the board is held so long after it was taken up; None where there is none."""
    poses = POSES[holding]
    return poses[int(max(since_ms, 0) // POSE_MS) % len(poses)] if poses else None


@lru_cache(maxsize=24)  # all poses of one table: a busy machine has no time to draw them anew
def drawn(pose: BoardPose, lens: SimulatedLens) -> DrawnBoard:
    """The board in that pose, as the lens sees it."""
    board = Board.parse(EXAMPLE)
    middle, axes = _placed(pose, lens)
    wide, high = (each / 2 + MARGIN_MM for each in board.size_mm)
    corners = np.array([(x, y) for x in (-wide, 0, wide) for y in (-high, 0, high)]) @ axes[:2] + middle
    px = lens.project(corners.astype(np.float32))
    left, top = np.maximum(np.floor(px.min(axis=0)).astype(int) - 2, 0)
    right, bottom = np.minimum(np.ceil(px.max(axis=0)).astype(int) + 3, (lens.width_px, lens.height_px))
    rows, columns = max(int(bottom - top), 0), max(int(right - left), 0)
    fine = (np.arange(max(rows, columns) * RAYS, dtype=np.float32) + 0.5) / RAYS - 0.5
    x_px, y_px = np.meshgrid(fine[: columns * RAYS] + left, fine[: rows * RAYS] + top)
    ways = lens.rays(x_px.ravel(), y_px.ravel()).astype(np.float64)
    far = (middle - lens.eye_mm) @ axes[2] / (axes[2] @ ways)
    x_mm, y_mm = axes[:2] @ (ways * far + (lens.eye_mm - middle)[:, None])
    paper = _sheet(board)
    scale = PX_PER_SQUARE / board.square_mm
    u = (x_mm + wide) * scale - 0.5
    v = (high - y_mm) * scale - 0.5
    shape = (rows * RAYS, columns * RAYS)
    to_u, to_v = (each.reshape(shape).astype(np.float32) for each in (u, v))
    seen = cv2.remap(paper, to_u, to_v, cv2.INTER_LINEAR)
    there = ((abs(x_mm) < wide) & (abs(y_mm) < high)).reshape(shape).astype(np.float32)
    size = (columns, rows)
    # Light, and not picture values, is what a pixel adds up; their squares are close to it.
    light = cv2.resize(seen * seen * there, size, interpolation=cv2.INTER_AREA)
    cover = cv2.GaussianBlur(cv2.resize(there, size, interpolation=cv2.INTER_AREA), (0, 0), 0.5)
    light = cv2.GaussianBlur(light, (0, 0), 0.5)
    return DrawnBoard(
        int(left), int(top), np.sqrt(light / np.maximum(cover, 1e-3))[..., None], cover[..., None]
    )


def _placed(pose: BoardPose, lens: SimulatedLens) -> tuple[Reals, Reals]:
    """The board's middle (3,) and its three axes (3, 3) as rows, in the table's frame."""
    x_px = lens.middle_px[0] + pose.across * lens.width_px
    y_px = lens.middle_px[1] + pose.down * lens.height_px
    flat = lens.on_plane(np.array([x_px]), np.array([y_px]), pose.height_mm)[0]
    middle = np.array([float(flat[0]), float(flat[1]), pose.height_mm])
    right, up = lens.turn[0].astype(np.float64), -lens.turn[1].astype(np.float64)
    if pose.height_mm == 0:  # it lies on the table
        right[2] = up[2] = 0
    right /= np.linalg.norm(right)
    normal = np.cross(right, up)
    normal /= np.linalg.norm(normal)
    base = np.stack([right, np.cross(normal, right), normal])
    turns = [_turn(2, pose.turn_deg), _turn(1, pose.lean_deg), _turn(0, -pose.tip_deg)]
    return middle, turns[0] @ turns[1] @ turns[2] @ base


def _turn(axis: int, angle_deg: float) -> Reals:
    c, s = cos(radians(angle_deg)), sin(radians(angle_deg))
    i, j = ((1, 2), (2, 0), (0, 1))[axis]
    made = np.eye(3)
    made[i, i] = made[j, j] = c
    made[i, j], made[j, i] = s, -s
    return made


@lru_cache(maxsize=2)
def _sheet(board: Board) -> Singles:
    """The paper with the board printed on it."""
    ink = np.asarray(board.picture(PX_PER_SQUARE), np.float32) / 255
    margin = round(MARGIN_MM / board.square_mm * PX_PER_SQUARE)
    paper = np.pad(ink, margin, constant_values=1.0)
    found: Singles = (BLACK + (WHITE - BLACK) * cv2.GaussianBlur(paper, (0, 0), 1.0)).astype(np.float32)
    return found


Trouble = Literal["none", "black", "frozen", "unplugged", "bumped", "shoved"]
BUMPS_MM: dict[Trouble, tuple[float, float]] = {"bumped": (2.1, -1.4), "shoved": (24.0, 15.0)}
"""By how much, on the table, the picture moves to the right and down when the camera was touched."""
SENSOR_PX = (2028, 1520)
"""The pixels of the simulated sensor, those of a Raspberry Pi HQ camera's fast mode."""
Lie = Callable[[tuple[Die, ...]], tuple[Die, ...]]
"""From the dice that were rolled, left to right, to those whose faces are painted up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DieOnTable:
    """The truth about a die that lies: for tests and benchmarks only."""

    die: Die
    color: str
    how: How
    center_px: tuple[float, float]
    """The middle of the face that is up, in the picture."""
    corners_px: tuple[tuple[float, float], ...]
    """That face's corners, in order round it."""
    center_mm: tuple[float, float, float]
    yaw_deg: float
    """0 up to 90: a cube looks the same after a quarter turn."""
    edge_mm: float
    number: int
    """Tells dice apart: each throw makes dice of its own."""


class SimulatedTable:
    """A camera over a simulated table. All methods may be called from any thread."""

    live = True
    _sharpening = False
    _held: tuple[Holding, float] = ("nothing", 0.0)
    _sharp_renderer: Renderer | None = None

    def __init__(  # noqa: PLR0913 - each may be left out
        self,
        seed: int | None = None,
        *,
        fps: float = 20.0,
        width: int = 1280,
        height: int = 960,
        clock: Callable[[], float] | None = None,
        wait: Callable[[float], object] | None = None,
        lie: Lie | None = None,
        far_end: bool = False,
        sharp: bool = True,
    ) -> None:
        """`clock` gives milliseconds, `wait` lets so many pass. Same seed, acts and times: same pictures.

        `far_end`: at the End Zone there are two of them, and a second camera over the far one. `sharp`: the
        sensor has `SENSOR_PX`, and gives pictures as large as that when asked to sharpen.
        """
        if not (0 < fps <= 120 and 64 <= width <= 4096 and 48 <= height <= 4096):
            raise ValueError(
                f"the simulated camera gives up to 120 frames/s of 64x48 to 4096x4096 pixels; "
                f"got {fps} frames/s of {width}x{height}"
            )
        rng = Random(seed)
        self._rng, self._size_px = rng, (width, height)
        self._step_ms = 1000.0 / fps
        self._world = World(Random(rng.random()))
        self._renderer = Renderer(tray(width, height), Random(rng.random()))
        self._far_end = far_end
        self._far_renderer: Renderer | None = None
        self._sharp_px = most_like((width, height), SENSOR_PX) if sharp else None
        self._closed = threading.Event()
        self._clock = clock or (lambda: time.monotonic() * 1000)
        self._wait = wait or (lambda ms: self._closed.wait(ms / 1000))
        self._lie = lie
        self._lied: tuple[tuple[RestingDie, ...], dict[int, tuple[Face, ...]]] = ((), {})
        self._troubles: dict[End, Trouble] = {"near": "none", "far": "none"}
        self._number = 0
        self._lock = threading.Lock()
        self._world.lay("zoinx", 4, ("ivory",))

    def frames(self) -> Iterator[Frame]:
        """Frames at the camera's pace until it is closed; raises `CameraLost` while it is unplugged."""
        prepare_hands()
        due_ms = self._clock()
        last: dict[End, Picture] = {}
        while not self._closed.is_set():
            now_ms = self._clock()
            if now_ms < due_ms:
                self._wait(due_ms - now_ms)
                if self._closed.is_set():
                    return
                now_ms = self._clock()
            # A frame that comes late is not made up for: a camera drops it.
            due_ms = due_ms + self._step_ms if now_ms < due_ms + self._step_ms else now_ms + self._step_ms
            last, sharp = self._pictures(now_ms, last)
            self._number += 1
            name = f"table {self._number:05d}"
            yield Frame(picture=last["near"], far=last.get("far"), sharp=sharp, time_ms=now_ms, name=name)

    def sharpen(self, on: bool) -> None:
        """Whether frames bring a sharper picture, too."""
        self._sharpening = on

    def close(self) -> None:
        """End `frames`, also in the middle of a wait."""
        self._closed.set()

    def lay(self, kind: DieKind, count: int, colors: Sequence[str] = ("ivory",)) -> None:
        """Put other dice into the hand; the table is empty until it throws. `ValueError` says what is not."""
        with self._lock:
            self._world.lay(kind, count, colors)

    def act(self, name: str) -> None:
        """Let the hand do one of `acts`, now or when it is free. Raises `ValueError` in a sentence."""
        with self._lock:
            self._world.act(name)

    def set_up(self, *, landings: bool) -> None:
        """Play on an End Zone table, or on the tray.

        The dice of another table are put away; the same table stays as it is.
        """
        self._held = ("nothing", 0.0)
        there, size = isinstance(self._world, EndZoneWorld), end_zone.size_px(*self._size_px)
        if landings != there:
            # The painting takes a moment: frames go on meanwhile.
            end: End | None = "near" if self._far_end else None
            stage = end_zone_ground.stage(*size, end) if landings else tray(*self._size_px)
            rng, far = Random(self._rng.random()), None
            world = EndZoneWorld(rng, far_end=self._far_end) if landings else World(rng)
            renderer = Renderer(stage, Random(self._rng.random()))
            if landings and self._far_end:
                far = Renderer(end_zone_ground.stage(*size, "far"), Random(self._rng.random()))
            with self._lock:
                self._world, self._renderer, self._far_renderer = world, renderer, far
                self._sharp_renderer = None

    def calibration(self) -> TableCalibration | Ends:
        """What the maker of this table knows of its End Zone, or of both: cameras and lines."""
        size = end_zone.size_px(*self._size_px)
        return end_zone_ground.both_ends(*size) if self._far_end else end_zone_ground.calibration(*size)

    def hold(self, what: Holding) -> None:
        """Over the End Zone: hold the board that calibrates a lens, lay it down, or put it away."""
        if what != "nothing":
            self.set_up(landings=True)
        self._held = (what, self._clock())

    def spread(self, layout: Layout | None) -> None:
        """Lay a printed mat on the table, empty as it is then; None takes it away."""
        self._held = ("nothing", 0.0)
        there = self._world.layout if isinstance(self._world, MatWorld) else None
        if layout == there:
            return
        stage = mat_ground.stage(layout, *self._size_px) if layout else tray(*self._size_px)
        rng = Random(self._rng.random())
        world = MatWorld(rng, layout) if layout else World(rng)
        renderer = Renderer(stage, Random(self._rng.random()))
        with self._lock:
            self._world, self._renderer, self._sharp_renderer = world, renderer, None

    def carry(self, dice: Sequence[Die], label: str) -> None:
        """Carry free dice that show this to a place of the mat. Raises `ValueError` in a sentence."""
        with self._lock:
            self._on_mat().carry(dice, label)

    def lay_card(self, card: str, label: str) -> None:
        """Lay a card, by the rulebook's word, face up in a place of the mat; raises `ValueError`."""
        with self._lock:
            self._on_mat().lay_card(card, label)

    def lay_also(self, kind: DieKind, count: int) -> None:
        """Have dice of another kind thrown with the others, where a mat lies."""
        with self._lock:
            if isinstance(self._world, MatWorld):
                self._world.lay_also(kind, count)

    def turn(self, die: Die, value: int) -> None:
        """Turn a free die on the mat to another face."""
        with self._lock:
            self._on_mat().turn(die, value)

    def bring(self, die: Die) -> None:
        """Set down one more die on the mat."""
        with self._lock:
            self._on_mat().bring(die)

    def take_up(self, die: Die) -> None:
        """Throw only this free die next time."""
        with self._lock:
            self._on_mat().take_up(die)

    def show_bets(self, bets: Mapping[int, int]) -> None:
        """Show betting dice in the mat's bet places, by seat from 1. Raises `ValueError` in a sentence."""
        with self._lock:
            self._on_mat().show_bets(bets)

    def _on_mat(self) -> MatWorld:
        if not isinstance(self._world, MatWorld):
            raise ValueError(
                phrase("No mat lies on the simulated table: dice and cards have no places there.")
            )
        return self._world

    def expect(self, stay: int, seat: int) -> None:
        """At the End Zone: that seat throws next, and the first `stay` dice that lie there stay."""
        with self._lock:
            if isinstance(self._world, EndZoneWorld):
                self._world.expect(stay, seat)

    def suffer(self, trouble: Trouble, end: End = "near") -> None:
        """What may befall a camera: black, frozen, unplugged, bumped, shoved, until "none" heals it."""
        if trouble not in get_args(Trouble):
            raise ValueError(f"a camera's trouble is one of {', '.join(get_args(Trouble))}; got {trouble!r}")
        with self._lock:
            self._troubles[end] = trouble

    @property
    def rolled(self) -> tuple[Die, ...]:
        """The truth: what lies, left to right, without cocked dice. Empty while dice are in hand or roll."""
        return tuple(one.die for one in self.lying if one.how != "cocked")

    @property
    def lying(self) -> tuple[DieOnTable, ...]:
        """The truth about every die at rest, left to right. Empty while dice are in the hand or roll."""
        with self._lock:
            dice = self._world.lying
        return tuple(self._described(die) for die in self._left_to_right(dice))

    @property
    def rest_time_ms(self) -> float | None:
        """When the dice last came to rest, on the frames' clock; None before they ever did."""
        with self._lock:
            return self._world.rest_time_ms

    @property
    def busy(self) -> bool:
        """Whether the hand does something or has something to do."""
        with self._lock:
            return self._world.busy

    def busy_at(self, time_ms: float) -> bool:
        """Whether the hand was not done yet for whoever has seen the pictures up to that time.

        Answered at once, also while an act is planned under the lock.
        """
        return self._world.busy_at(time_ms)

    @property
    def stories(self) -> tuple[ActStory, ...]:
        """The truth about the last acts of the hand, the newest last: each is told when it begins."""
        with self._lock:
            return tuple(self._world.stories)

    def place_px(self, center_mm: Sequence[float], end: End = "near") -> tuple[float, float]:
        """Where a place of the table is in the pictures of the camera over that end."""
        eye = self._far_renderer if end == "far" else self._renderer
        if eye is None:
            raise ValueError("There is no camera over a far end.")
        x, y = eye.lens.project(np.array([center_mm], np.float32))[0]
        return float(x), float(y)

    def _pictures(
        self, time_ms: float, last: Mapping[End, Picture]
    ) -> tuple[dict[End, Picture], Picture | None]:
        """What each camera sees, and the near one's sharper picture where one was asked for."""
        with self._lock:
            scene, troubles, (held, since_ms) = self._world.at(time_ms), dict(self._troubles), self._held
            self._world.stand_until(self._clock())
            sharp = self._sharp_eye() if self._sharpening else None
            faces = self._faces(self._world.outcome)
            eyes: dict[End, Renderer] = {"near": self._renderer}
            if self._far_renderer is not None:
                eyes["far"] = self._far_renderer
        if "unplugged" in (troubles[end] for end in eyes):
            raise CameraLost(phrase("The simulated camera is unplugged. Plug it in again."))
        found: dict[End, Picture] = {}
        for end, eye in eyes.items():
            frozen = troubles[end] == "frozen" and end in last
            found[end] = last[end] if frozen else _suffered(eye, eye.picture(scene, faces), troubles[end])
        if (pose := shown_at(held, time_ms - since_ms)) is not None:
            found["near"] = drawn(pose, self._renderer.lens).laid_over(found["near"])
        if sharp is None or troubles["near"] == "frozen":
            return found, None
        return found, _suffered(sharp, sharp.picture(scene, faces), troubles["near"])

    def _sharp_eye(self) -> Renderer | None:
        """What paints sharper pictures; None where the sensor has no more pixels."""
        if self._sharp_renderer is None and self._sharp_px is not None:
            self._sharp_renderer = self._renderer.sharper(*self._sharp_px)
        return self._sharp_renderer

    def _faces(self, outcome: tuple[RestingDie, ...]) -> dict[int, tuple[Face, ...]]:
        """The faces to paint on bodies that are lied about, by body."""
        if not self._lie or not outcome:
            return {}
        told, faces = self._lied
        if told is not outcome:
            ordered = self._left_to_right(outcome)
            truth = tuple(Die(die.body.kind, die.up) for die in ordered)
            drawn = self._lie(truth)
            if len(drawn) != len(truth):
                raise ValueError(f"a lie about {len(truth)} dice must name as many; it names {len(drawn)}")
            # Bodies of earlier throws are still in the picture until the hand has taken them.
            known = dict(list(faces.items())[-32:])
            known.update(
                {die.body.number: _swapped(die, new) for die, new in zip(ordered, drawn, strict=True)}
            )
            self._lied = outcome, known
        return self._lied[1]

    def _left_to_right(self, dice: tuple[RestingDie, ...]) -> list[RestingDie]:
        """In the picture, that is: the camera hangs a little askew."""
        return sorted(dice, key=self._center_px)

    def _center_px(self, die: RestingDie) -> tuple[float, float]:
        middle = top_corners_mm(die.body, die.pose).mean(axis=0, keepdims=True)
        x, y = self._renderer.lens.project(middle)[0]
        return float(x), float(y)

    def _described(self, die: RestingDie) -> DieOnTable:
        corners = self._renderer.lens.project(top_corners_mm(die.body, die.pose))
        return DieOnTable(
            die=Die(die.body.kind, die.up),
            color=die.body.color,
            how=die.how,
            center_px=self._center_px(die),
            corners_px=tuple((float(x), float(y)) for x, y in corners),
            center_mm=(
                float(die.pose.center_mm[0]),
                float(die.pose.center_mm[1]),
                float(die.pose.center_mm[2]),
            ),
            yaw_deg=_yaw_deg(die),
            edge_mm=die.body.edge_mm,
            number=die.body.number,
        )


def _suffered(eye: Renderer, picture: Picture, trouble: Trouble) -> Picture:
    """The picture of a camera to which something has happened."""
    if trouble == "black":  # even a covered lens shows some of the sensor's noise
        return picture // 40
    if trouble not in BUMPS_MM:
        return picture
    # It was touched and hangs otherwise now.
    right_mm, down_mm = BUMPS_MM[trouble]
    scale = eye.lens.scale_px_per_mm(0)
    shift = np.array([[1.0, 0.0, right_mm * scale], [0.0, 1.0, down_mm * scale]])
    height, width = picture.shape[:2]
    moved = cv2.warpAffine(picture, shift, (width, height), borderMode=cv2.BORDER_REFLECT_101)
    return moved.astype(np.uint8, copy=False)


def _yaw_deg(die: RestingDie) -> float:
    level = 0 if abs(die.pose.turn[2, 0]) < 0.5 else 1
    return degrees(atan2(die.pose.turn[1, level], die.pose.turn[0, level])) % 90


def _swapped(die: RestingDie, drawn: Die) -> tuple[Face, ...]:
    """The body's faces with the one that is up changed places with the one to be drawn there."""
    if drawn.kind != die.body.kind:
        raise ValueError(
            f"a lie changes the face, not the die: {die.body.kind} cannot be drawn as {drawn.kind}"
        )
    faces, up = list(die.body.faces), up_side(die.body, die.pose)
    other = up if faces[up] == drawn.value else faces.index(drawn.value)
    faces[up], faces[other] = faces[other], faces[up]
    return tuple(faces)
