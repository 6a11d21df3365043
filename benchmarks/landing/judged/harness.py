"""Runs the box's own calibrating, measuring and calling over the benchmark's scenes, and notes what came of
each die.

Outcomes are kept beside the pictures, one line a scene, for a state of the source: a run that was broken off
goes on.
"""

import hashlib
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import msgspec
import numpy as np
from tqdm import tqdm

from benchmarks.landing.bridge import true_calibration
from benchmarks.landing.kit import Kit, cache_folder
from benchmarks.landing.scenes import TABLES, DieTruth, Scene, scene
from benchmarks.landing.truth import apart_mm, judge
from calibration.arrays import Floats, Picture
from calibration.table import TableCalibration
from vision.landing import Call, MeasuredDie
from vision.landing import detector as box_eye
from vision.landing.call import call_die
from vision.landing.measure import Measurer
from vision.reading import UnsureDie

Pair = tuple[MeasuredDie, Call]
Seen = tuple[Sequence[Pair], Sequence[UnsureDie], str]
"""What was measured, what was not, and why nothing was; "" when something could be."""
Eye = Callable[[Picture], Seen]
ROOT = Path(__file__).parents[3]
SAME_MM = 9.0
"""A die found within this of a true one is that die: half an edge and a little."""
Fate = str
"""`measured`, `unsure` (seen, and left to people), `missed`, or `false` (a die where none lies)."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one die."""

    camera: str
    style: str
    seed: int
    surface: str
    kind: str
    fate: Fate
    cocked: bool = False
    touching: bool = False
    place_mm: tuple[float, float] = (0.0, 0.0)
    reason: str = ""
    outline_mm: float = 0.0
    """The largest distance between the true and the measured outline."""
    centre_mm: float = 0.0
    yaw_deg: float = 0.0
    edge_mm: float = 0.0
    """Measured less true, like the two below."""
    sides_mm: tuple[float, ...] = ()
    """How far the outline is off along each of eight directions."""
    sigma_mm: float = 0.0
    pulls: tuple[float, float] = (0.0, 0.0)
    """The centre's errors over their stated sigma."""
    value: int | None = None
    true_value: int = 0
    zone: int = -1
    true_zone: int = -1
    certain: bool = False
    probability: float = 0.0
    near_mm: float = 0.0
    true_near_mm: float | None = None
    """How far the die reaches over the deciding line: as measured on the lines as found, as it is on the real
    ones (none at the tapes, whose reach is another figure)."""
    near_sigma_mm: float = 0.0
    slack_mm: float = 0.0
    dot_covered: bool = False
    dot_certain: bool = True
    true_dot_margin_mm: float = 0.0
    true_rounding_mm: float = 0.0
    note: str = ""


class Cost(msgspec.Struct, frozen=True, kw_only=True):
    """What one picture cost, in ms of one core, and what plain work on it costs on the same core."""

    camera: str
    dice: int
    decode_ms: float
    measure_ms: float
    reference_ms: float
    """Unpacking and one 5 x 5 Gaussian blur of the whole picture."""


class Kept(msgspec.Struct, frozen=True):
    """One line of the file of outcomes."""

    outcomes: list[Outcome]
    cost: Cost


@dataclass(frozen=True, kw_only=True)
class Run:
    """What is asked of one run."""

    camera: str
    counts: dict[str, int]
    """Scenes of each style, for each table."""
    tables: tuple[int, ...]
    calibrate: Callable[[Kit], TableCalibration] = true_calibration
    calibrated: str = "true"
    """The calibration's name, as in file names."""


def measure_all(run: Run) -> tuple[list[Outcome], list[Cost]]:
    """Every scene of a run, measured and called; scenes are drawn, tables calibrated where that was not
    yet done.
    """
    wanted = list(_scenes(run))
    path = cache_folder() / f"outcomes-{run.camera}-{run.calibrated}-{state()}.jsonl"
    known = _load(path)
    with tqdm(total=len(wanted), desc=f"{run.camera}, {run.calibrated} calibration") as bar:
        eye: tuple[int, Eye] | None = None
        for each in wanted:
            name = f"{each.style}-{each.seed}"
            if name not in known:
                if eye is None or eye[0] != each.kit.seed:
                    eye = each.kit.seed, _eye(run.calibrate(each.kit))
                known[name] = _one(each, eye[1])
                with path.open("ab") as file:
                    file.write(msgspec.json.encode((name, known[name])) + b"\n")
            bar.update()
    kept = [known[f"{each.style}-{each.seed}"] for each in wanted]
    return [outcome for line in kept for outcome in line.outcomes], [line.cost for line in kept]


def _scenes(run: Run) -> Iterator[Scene]:
    for table in run.tables:
        for style, count in run.counts.items():
            for i in range(count):
                yield scene(table + TABLES * i, run.camera, style)


def _eye(calibration: TableCalibration) -> Eye:
    """What the box does with a picture; a calibration without landmarks is taken at its word."""
    if calibration.landmarks:
        eye = box_eye.LandingDetector(calibration)

        def called(picture: Picture) -> Seen:
            sight = eye.look(picture)
            return [(each.die, each.call) for each in sight.dice], sight.unmeasured, sight.blind

        return called
    measurer = Measurer(calibration)

    def measured(picture: Picture) -> Seen:
        found = measurer.measure(picture)
        return [(die, call_die(die, calibration)) for die in found.dice], found.unsure, ""

    return measured


def _one(each: Scene, eye: Eye) -> Kept:
    packed = np.frombuffer(each.path.read_bytes(), np.uint8)
    begun = time.process_time()
    picture = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    decoded = time.process_time()
    pairs, unsure, refused = eye(picture)
    measured = time.process_time()
    cv2.GaussianBlur(picture, (5, 5), 1.0)
    blurred = time.process_time()
    decode_ms = (decoded - begun) * 1000
    cost = Cost(
        camera=each.kit.name,
        dice=len(each.dice),
        decode_ms=decode_ms,
        measure_ms=(measured - decoded) * 1000,
        reference_ms=decode_ms + (blurred - measured) * 1000,
    )
    if refused:
        left = [msgspec.structs.replace(_base(each, d), fate="unsure", reason=refused) for d in each.dice]
        return Kept(left, cost)
    return Kept(list(outcomes_of(each, pairs, unsure)), cost)


def outcomes_of(each: Scene, pairs: Sequence[Pair], unsure: Sequence[UnsureDie]) -> Iterator[Outcome]:
    """What came of each die of a scene, and of each die that is none."""
    left = list(pairs)
    for true in each.dice:
        base = _base(each, true)
        near = min(left, key=lambda pair: _off(pair[0].center_mm, true.center_mm), default=None)
        if near is not None and _off(near[0].center_mm, true.center_mm) < SAME_MM:
            left.remove(near)
            yield _compared(base, true, near, each.kit)
            continue
        doubts = [u for u in unsure if u.center_mm and _off(u.center_mm, true.center_mm) < 2 * SAME_MM]
        fate = "unsure" if doubts else "missed"
        yield msgspec.structs.replace(base, fate=fate, reason=doubts[0].reason if doubts else "")
    for die, _ in left:
        yield Outcome(
            camera=each.kit.name,
            style=each.style,
            seed=each.seed,
            surface=each.kit.surface,
            kind=die.color,
            fate="false",
            place_mm=die.center_mm,
            note=die.note,
        )


def _base(each: Scene, true: DieTruth) -> Outcome:
    return Outcome(
        camera=each.kit.name,
        style=each.style,
        seed=each.seed,
        surface=each.kit.surface,
        kind=true.kind,
        fate="measured",
        cocked=true.cocked,
        touching=true.touching,
        place_mm=true.center_mm,
        true_value=true.value,
        true_rounding_mm=true.die.cube.radius_mm,
        true_zone=true.landing.zone,
        slack_mm=true.landing.slack_mm,
        true_dot_margin_mm=true.landing.dot_margin_mm,
    )


def _compared(base: Outcome, true: DieTruth, pair: Pair, kit: Kit) -> Outcome:
    die, called = pair
    outline = np.array(die.footprint_mm)
    dx, dy = die.center_mm[0] - true.center_mm[0], die.center_mm[1] - true.center_mm[1]
    spread = np.sqrt(np.diag(np.array(die.covariance)))
    return msgspec.structs.replace(
        base,
        outline_mm=apart_mm(true.footprint, outline),
        centre_mm=math.hypot(dx, dy),
        yaw_deg=(die.yaw_deg - true.yaw_deg + 45) % 90 - 45,
        edge_mm=die.edge_mm - true.edge_mm,
        sides_mm=_sides(true.footprint, outline),
        sigma_mm=die.sigma_mm,
        pulls=(dx / float(spread[0]), dy / float(spread[1])),
        value=die.value,
        zone=called.zone,
        certain=called.call == "certain",
        probability=called.probability,
        near_mm=called.near.mm,
        true_near_mm=_near(kit, true, called),
        near_sigma_mm=called.near_sigma_mm,
        dot_covered=called.dot is not None and called.dot.covered,
        dot_certain=called.dot is None or called.dot.call == "certain",
        note=f"{die.pose} {die.note}".strip(),
    )


def _near(kit: Kit, true: DieTruth, called: Call) -> float | None:
    """How far the true outline reaches over the line that decided; none at the tapes."""
    level = called.near.level
    if level <= 1:
        return None
    depths = judge(kit.layout, true.footprint).reaches
    return max(depth for value, depth in depths if value >= level)


def _sides(true: Floats, measured: Floats) -> tuple[float, ...]:
    angles = np.arange(8) * (math.pi / 4)
    towards = np.stack((np.cos(angles), np.sin(angles)))
    return tuple(((measured @ towards).max(axis=0) - (true @ towards).max(axis=0)).tolist())


def _off(one: tuple[float, float], other: tuple[float, float]) -> float:
    return math.hypot(one[0] - other[0], one[1] - other[1])


def state() -> str:
    """A name for the state of everything that is being judged, and of the judging."""
    source = hashlib.sha256()
    for folder in (ROOT / "vision", ROOT / "calibration"):
        for path in sorted(folder.rglob("*.py")):
            source.update(path.read_bytes())
    for path in (Path(__file__), *(Path(__file__).parents[1] / name for name in ("truth.py", "bridge.py"))):
        source.update(path.read_bytes())
    return source.hexdigest()[:10]


def _load(path: Path) -> dict[str, Kept]:
    """Outcomes that an earlier run left; a line cut short by a power cut is measured again."""
    known: dict[str, Kept] = {}
    if path.exists():
        for line in path.read_bytes().splitlines():
            try:
                name, kept = msgspec.json.decode(line, type=tuple[str, Kept])
            except (msgspec.DecodeError, msgspec.ValidationError):
                continue
            known[name] = kept
    path.parent.mkdir(parents=True, exist_ok=True)
    return known
