"""The figures of a run, as tables of plain text."""

from collections.abc import Callable, Iterable
from itertools import pairwise

import numpy as np

from benchmarks.landing.judged.harness import Cost, Outcome

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
        elif o.outline_mm > FAR_MM[o.camera] or (o.certain and o.zone != o.true_zone) or _misread(o):
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
