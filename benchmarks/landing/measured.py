"""Runs the box's calibrating, measuring and calling over the scenes, and prints what came of each die.

Outcomes are kept beside the pictures, one line a scene, for a state of the source: a run that was broken off
goes on.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import cv2
import msgspec
import numpy as np
from tqdm import tqdm

from benchmarks.landing.cache import hash_files
from benchmarks.landing.scenes import (
    TABLES,
    DieTruth,
    Kit,
    Scene,
    apart_mm,
    cache_folder,
    judge,
    scene,
    true_calibration,
)
from benchmarks.landing.table import Layout
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
ROOT = Path(__file__).parents[2]
SAME_MM = 9.0
"""A die found within this of a true one is that die: half an edge and a little."""
Fate = str
"""`measured`, `unsure` (seen, and left to people), `missed`, or `false` (a die where none lies)."""


class LaidKit(Protocol):
    """A camera over a laid table, by any painter."""

    @property
    def name(self) -> str:
        """The camera."""

    @property
    def surface(self) -> str:
        """What the table is made of."""

    @property
    def seed(self) -> int:
        """The table's."""

    @property
    def layout(self) -> Layout:
        """How it was really laid."""


class DrawnScene(Protocol):
    """One picture of dice at rest with its truth, by any painter."""

    @property
    def seed(self) -> int:
        """Its own."""

    @property
    def style(self) -> str:
        """How the dice came to lie."""

    @property
    def kit(self) -> LaidKit:
        """The camera over its table."""

    @property
    def dice(self) -> Sequence[DieTruth]:
        """The truth about each die."""

    @property
    def path(self) -> Path:
        """The JPEG file."""


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
    visible: float = 1.0
    """The share of the die that the picture shows; a painter that hides none says 1."""
    note: str = ""


class Cost(msgspec.Struct, frozen=True, kw_only=True):
    """What one picture cost, in ms of one core, and what plain work on it costs on the same core."""

    camera: str
    dice: int
    decode_ms: float
    measure_ms: float
    reference_ms: float
    """Unpacking and one 5 x 5 Gaussian blur of the whole picture."""


class LandingOutcome(msgspec.Struct, frozen=True):
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
    known = load_outcomes(path)
    with tqdm(total=len(wanted), desc=f"{run.camera}, {run.calibrated} calibration") as bar:
        eye: tuple[int, Eye] | None = None
        for each in wanted:
            name = f"{each.style}-{each.seed}"
            if name not in known:
                if eye is None or eye[0] != each.kit.seed:
                    eye = each.kit.seed, eye_of(run.calibrate(each.kit))
                known[name] = measure_scene(each, eye[1])
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


def eye_of(calibration: TableCalibration) -> Eye:
    """What the box does with a picture; a calibration without landmarks is taken at its word."""
    if calibration.landmarks:
        eye = box_eye.LandingDetector(calibration)

        def measure(picture: Picture) -> Seen:
            sight = eye.look(picture)
            return [(each.die, each.call) for each in sight.dice], sight.unmeasured, sight.blind

        return measure
    measurer = Measurer(calibration)

    def measured(picture: Picture) -> Seen:
        found = measurer.measure(picture)
        return [(die, call_die(die, calibration)) for die in found.dice], found.unsure, ""

    return measured


def measure_scene(each: DrawnScene, eye: Eye) -> LandingOutcome:
    """Measure one picture: what came of its dice, and what it cost."""
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
        return LandingOutcome(left, cost)
    return LandingOutcome(list(outcomes_of(each, pairs, unsure)), cost)


def outcomes_of(each: DrawnScene, pairs: Sequence[Pair], unsure: Sequence[UnsureDie]) -> Iterator[Outcome]:
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
    for die, called in left:
        yield Outcome(
            camera=each.kit.name,
            style=each.style,
            seed=each.seed,
            surface=each.kit.surface,
            kind=die.color,
            fate="false",
            place_mm=die.center_mm,
            value=die.value,
            zone=called.zone,
            certain=called.call == "certain",
            note=die.note,
        )


def _base(each: DrawnScene, true: DieTruth) -> Outcome:
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
        visible=true.visible,
    )


def _compared(base: Outcome, true: DieTruth, pair: Pair, kit: LaidKit) -> Outcome:
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


def _near(kit: LaidKit, true: DieTruth, called: Call) -> float | None:
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
    judged = [path for room in ("vision", "calibration") for path in (ROOT / room).rglob("*.py")]
    return hash_files([*judged, Path(__file__), Path(__file__).with_name("scenes.py")])


def load_outcomes(path: Path) -> dict[str, LandingOutcome]:
    """Outcomes that an earlier run left; a line cut short by a power cut is measured again."""
    known: dict[str, LandingOutcome] = {}
    if path.exists():
        for line in path.read_bytes().splitlines():
            try:
                name, kept = msgspec.json.decode(line, type=tuple[str, LandingOutcome])
            except (msgspec.DecodeError, msgspec.ValidationError):
                continue
            known[name] = kept
    path.parent.mkdir(parents=True, exist_ok=True)
    return known


FAR_MM = {"12mp": 0.6, "3mp": 1.0, "1mp": 1.5}
"""Dice whose outlines are further off are named."""
WITHIN = 1.959964
NEAR_MM = 5.0
"""Dice whose deciding line is further off are left out: no call hangs on how far exactly."""
BINS = (0.0, 0.6, 0.8, 0.9, 0.97, 0.995, 0.999, 0.9999, 0.99999, 1.0000001)
ROUNDINGS_MM = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
HEAD = (
    f"{'':>22} {'dice':>5} {'miss':>4} {'uns.':>4} {'mean':>6} {'p95':>6} {'p99':>6} {'max':>6} {'centre':>6}"
    f" {'wrong':>5} {'sure':>4} {'close':>6} {'val.':>4} {'95%c':>5} {'95%o':>5} {'95%l':>5}"
)
LEGEND = """\
In mm: mean, p95, p99 and max of the largest distance between true and measured outline; mean of the
centre's error. miss: not seen; uns.: left to people; wrong: calls of the wrong zone; sure: wrong and said to
be certain; close: too close to call; val.: accepted values that are wrong; 95%c, 95%o and 95%l: stated 95 %
intervals that hold the truth, of the centre, the whole outline, and the gap at a line within 5 mm.\
"""


def tell(outcomes: list[Outcome], costs: list[Cost]) -> None:
    """Print everything about the outcomes of one camera."""
    print(LEGEND)
    print(HEAD)
    _line("all", outcomes)
    _line("spread evenly", [o for o in outcomes if o.style == "even"])
    flat = [o for o in outcomes if not o.cocked]
    _line("flat", flat)
    _line("flat, touching", [o for o in flat if o.touching])
    _line("cocked", [o for o in outcomes if o.cocked])
    for name, key in (("style", _style), ("top", _surface), ("die", _kind)):
        for value in sorted({key(o) for o in outcomes if o.fate != "false"}):
            _line(f"{name}: {value}", [o for o in flat if key(o) == value])
    _off_axis(flat)
    _honesty(outcomes)
    _dots(outcomes)
    _reasons(outcomes)
    _costs(costs)


def tell_close_ups(outcomes: list[Outcome]) -> None:
    """Print what came of dice of which nothing was known, by how much they are rounded."""
    print(LEGEND)
    print(HEAD)
    flat = [o for o in outcomes if not o.cocked]
    _line("flat", flat)
    for style in sorted({o.style for o in flat if o.fate != "false"}):
        _line(f"style: {style}", [o for o in flat if o.style == style])
    for least, most in pairwise(ROUNDINGS_MM):
        some = [o for o in flat if o.style in ("line", "even") and least <= o.true_rounding_mm < most]
        _line(f"rounded {least} to {most}", some)
    leaning = [o for o in outcomes if o.cocked]
    _line("leaning", leaning)
    told = sum(o.note.startswith("flat") for o in leaning if o.fate == "measured")
    print(f"\nLeaning dice called flat: {told} of {len(leaning)}")
    _honesty(outcomes)
    _reasons(outcomes)


def tell_learnt(ways: dict[str, list[Outcome]]) -> None:
    """Print what came of the same landings, measured in one way and another."""
    print(LEGEND)
    print(HEAD)
    for name, outcomes in ways.items():
        _line(name, outcomes)
    for name, outcomes in ways.items():
        print(f"\n{name}:", end="")
        _honesty(outcomes)


TABLE_HEAD = (
    f"{'':>24} {'dice':>5} {'centre':>6} {'p99':>6} {'outl.':>6} {'p99':>6} {'right':>5} {'wrong':>5}"
    f" {'unm.':>5} {'sil.':>4} {'of':>5} {'95%c':>5} {'95%o':>5} {'95%l':>5} {'f>l':>4} {'l>f':>4} {'of':>4}"
    f" {'ms':>6} {'p95':>6}"
)
TABLE_LEGEND = """\
Centre and outline: mean and p99 error in mm of flat dice; right, wrong: certain calls of all dice; unm.,
sil., of: flat dice not measured, in silence, of so many; 95%: stated intervals that hold the truth, of
centres, outlines, gaps at a line within 5 mm; f>l: flat and measured as leaning; l>f, of: leaning and
called flat, of so many; ms of one core a picture, unpacking included: median, p95.\
"""


def tell_tables(
    outcomes: Sequence[Outcome], costs: Sequence[Cost], kinds: dict[str, Callable[[Outcome], str]]
) -> None:
    """Print what came of whole tables: in all, and by each of some kinds. Costs are told in all."""
    print(TABLE_LEGEND)
    print(TABLE_HEAD)
    took = np.array([cost.decode_ms + cost.measure_ms for cost in costs])
    tail = f" {np.median(took):6.0f} {np.percentile(took, 95):6.0f}" if len(took) else ""
    _table_line("all", outcomes, tail)
    for kind, key in kinds.items():
        print(f"by {kind}")
        for value in sorted({key(o) for o in outcomes if o.fate != "false"}):
            _table_line(value, [o for o in outcomes if key(o) == value])
    _honesty(list(outcomes))
    _dots(list(outcomes))
    _reasons(list(outcomes))


def _table_line(name: str, outcomes: Sequence[Outcome], tail: str = "") -> None:
    true = [o for o in outcomes if o.fate != "false"]
    flat, leaning = [o for o in true if not o.cocked], [o for o in true if o.cocked]
    met = [o for o in flat if o.fate == "measured"]
    certain = [o for o in outcomes if o.certain]
    wrong = sum(o.zone != o.true_zone or o.fate == "false" for o in certain)
    figures = " " * 27
    held = f"{'-':>5} {'-':>5} {'-':>5}"
    if met:
        off = [np.array([getattr(o, part) for o in met]) for part in ("centre_mm", "outline_mm")]
        figures = " ".join(f"{part.mean():6.3f} {np.percentile(part, 99):6.3f}" for part in off)
        held = f"{_held_centres(met):>5} {_held_outlines(met):>5} {_held_lines(met):>5}"
    print(
        f"{name:>24} {len(true):5d} {figures} {len(certain) - wrong:5d} {wrong:5d} {len(flat) - len(met):5d}"
        f" {_count(flat, _missed):4d} {len(flat):5d} {held} {_count(met, _taken_for_leaning):4d}"
        f" {_count(leaning, _taken_for_flat):4d} {len(leaning):4d}{tail}"
    )


def _taken_for_leaning(o: Outcome) -> bool:
    return o.fate == "measured" and o.note.startswith("cocked")


def _taken_for_flat(o: Outcome) -> bool:
    return o.fate == "measured" and o.note.startswith("flat")


def tell_full(outcomes: list[Outcome], took_s: list[float]) -> None:
    """Print what came of tables full of dice, and how long each picture took."""
    print(LEGEND)
    print(HEAD)
    _line("all", outcomes)
    _line("leaning", [o for o in outcomes if o.cocked])
    _reasons(outcomes)
    print(
        f"\ns of one core a picture, unpacking included: median {np.median(took_s):.2f}, most"
        f" {max(took_s):.2f}"
    )


def _style(o: Outcome) -> str:
    return o.style


def _surface(o: Outcome) -> str:
    return o.surface


def _kind(o: Outcome) -> str:
    return o.kind


def _line(name: str, outcomes: list[Outcome]) -> None:
    true = [o for o in outcomes if o.fate != "false"]
    met = [o for o in true if o.fate == "measured"]
    if not true:
        return
    counts = f"{name:>22} {len(true):5d} {_count(true, _missed):4d} {_count(true, _unsure):4d}"
    if not met:
        print(counts)
        return
    off = np.array([o.outline_mm for o in met])
    mean, centre = off.mean(), np.mean([o.centre_mm for o in met])
    p95, p99 = np.percentile(off, [95, 99])
    wrong = [o for o in met if o.zone != o.true_zone]
    close = sum(not o.certain for o in met) / len(met)
    print(
        f"{counts} {mean:6.3f} {p95:6.3f} {p99:6.3f} {off.max():6.3f} {centre:6.3f} {len(wrong):5d}"
        f" {sum(o.certain for o in wrong):4d} {close:6.1%} {_count(met, _misread):4d} {_held_centres(met):>5}"
        f" {_held_outlines(met):>5} {_held_lines(met):>5}"
    )


def _missed(o: Outcome) -> bool:
    return o.fate == "missed"


def _unsure(o: Outcome) -> bool:
    return o.fate == "unsure"


def _misread(o: Outcome) -> bool:
    return o.value is not None and o.value != o.true_value


def _count(outcomes: Iterable[Outcome], which: Callable[[Outcome], bool]) -> int:
    return sum(which(o) for o in outcomes)


def _held_centres(met: list[Outcome]) -> str:
    held = [abs(pull) <= WITHIN for o in met for pull in o.pulls]
    return f"{np.mean(held):.0%}"


def _held_outlines(met: list[Outcome]) -> str:
    return f"{np.mean([o.outline_mm <= WITHIN * o.sigma_mm for o in met]):.0%}"


def _held_lines(met: list[Outcome]) -> str:
    held = [
        abs(o.near_mm - o.true_near_mm) <= WITHIN * o.near_sigma_mm
        for o in met
        if o.true_near_mm is not None and abs(o.near_mm) < NEAR_MM
    ]
    return f"{np.mean(held):.0%}" if held else "-"


def _off_axis(flat: list[Outcome]) -> None:
    met = [o for o in flat if o.fate == "measured"]
    if not met:
        return
    print("\nSigned errors of flat dice, mm: edge, and the outline's eight sides (positive: too far out)")
    edge = [o.edge_mm for o in met]
    sides = np.array([o.sides_mm for o in met])
    pull = np.concatenate([o.pulls for o in met])
    print(
        f"  edge {np.mean(edge):+.3f} +- {np.std(edge):.3f}; sides {sides.mean():+.3f} +- {sides.std():.3f}"
    )
    print(f"  spread of the centre's errors over their stated sigma (1 is honest): {pull.std():.2f}")


def _honesty(outcomes: list[Outcome]) -> None:
    met = [o for o in outcomes if o.fate == "measured"]
    print("\nCalls by stated probability: how many were right")
    for low, high in pairwise(BINS):
        some = [o for o in met if low <= o.probability < high]
        if some:
            right = np.mean([o.zone == o.true_zone for o in some])
            stated = np.mean([o.probability for o in some])
            print(
                f"  {low:.5f} to {min(high, 1):.5f}: {len(some):5d} calls, stated {stated:.5f},"
                f" right {right:.5f}; wrong {(1 - right) * len(some):.0f}, and by what is stated"
                f" {(1 - stated) * len(some):.2f}"
            )


def _dots(outcomes: list[Outcome]) -> None:
    near = [o for o in outcomes if o.fate == "measured" and abs(o.true_dot_margin_mm) < 3]
    if near:
        wrong = [o for o in near if o.dot_covered != (o.true_dot_margin_mm >= 0)]
        sure = sum(o.dot_certain for o in wrong)
        close = sum(not o.dot_certain for o in near)
        print(
            f"\nDot: {len(near)} dice within 3 mm of covering it; {len(wrong)} wrong, {sure} of them sure,",
            end=" ",
        )
        print(f"{close} too close to call")


def _reasons(outcomes: list[Outcome]) -> None:
    print("\nNot measured, false, or far off:")
    for o in outcomes:
        where = f"{o.camera} {o.style} {o.seed} at ({o.place_mm[0]:.0f}, {o.place_mm[1]:.0f})"
        what = f"{o.kind} on {o.surface}{', cocked' * o.cocked}{', touching' * o.touching}"
        if o.fate != "measured":
            print(f"  {o.fate}: {where}, {what} {o.reason}{o.note}")
        elif o.outline_mm > FAR_MM.get(o.camera, 1.0) or (o.certain and o.zone != o.true_zone) or _misread(o):
            print(
                f"  {o.outline_mm:.2f} mm: {where}, {what}; zone {o.zone} for {o.true_zone}"
                f" ({'certain' if o.certain else 'too close'}), value {o.value} for {o.true_value}; {o.note}"
            )


def _costs(costs: list[Cost]) -> None:
    decode, measure = (np.array([getattr(c, name) for c in costs]) for name in ("decode_ms", "measure_ms"))
    dice = np.mean([c.dice for c in costs])
    ratio = np.array([(c.decode_ms + c.measure_ms) / c.reference_ms for c in costs])
    print(
        f"\nms of one core, median (p95) of {len(costs)} pictures with {dice:.1f} dice:"
        f" unpacking {np.median(decode):.0f} ({np.percentile(decode, 95):.0f}),"
        f" measuring {np.median(measure):.0f} ({np.percentile(measure, 95):.0f});"
        f" both together are {np.median(ratio):.2f} times unpacking and one Gaussian blur"
    )
