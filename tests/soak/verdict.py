"""What a soak has shown, in words and figures, and whether that is as it should be."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tests.soak.gauges import Gauges, slope_bytes
from tests.soak.players import SoakTally

SLOPE_BYTES = 1000.0
"""Memory may grow by less than this with each throw."""
SLOWER = 1.1
"""A reading may take this many times the work at the end that it took at the beginning."""
MORE_HANDLES = 8
"""Connections come and go: so many more files may be open at the end."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict."""

    lines: tuple[str, ...]
    well: bool


def line(now: Gauges, tally: SoakTally) -> str:
    """How things stand."""
    shown_ms = float(np.median(tally.shown_ms[-500:])) if tally.shown_ms else 0.0
    return (
        f"{now.throws:>6} throws {now.wall_s / 60:>6.1f} min {tally.games:>5} games  "
        f"own {now.own_kb / 1024:.1f} MB  heap {now.heap_kb / 1024:.1f} MB  {now.objects} objects  "
        f"{now.handles} files  {now.threads} threads  journal {now.journal_kb / 1024:.1f} MB  "
        f"data {now.data_kb / 1024:.0f} MB  read in {shown_ms:.0f} ms  "
        f"cpu {1000 * now.cpu_s / max(1, now.throws):.0f} ms a throw  "
        f"{tally.asked} asked  {len(tally.wrong)} wrong  load {now.load:.1f}"
    )


def verdict(tally: SoakTally, gauges: Sequence[Gauges]) -> Judgement:
    """The verdict on a whole run; the first tenth is left out where growth is told: a box warms up."""
    warm = [each for each in gauges if each.throws >= tally.throws / 10] or list(gauges)
    lines, faults = [], list(tally.wrong)
    # Its own share of all (`own_kb`) is no measure: it grows when others that use the same libraries end.
    for what, words in (("anonymous_kb", "of no file"), ("heap_kb", "heap")):
        grows, error = slope_bytes(warm, what)
        first, last = (getattr(each, what) / 1024 for each in (warm[0], warm[-1]))
        lines.append(
            f"memory, {words}: {first:.1f} MB, in the end {last:.1f} MB; "
            f"{grows:+.0f} ± {error:.0f} bytes a throw"
        )
        if grows >= SLOPE_BYTES:
            faults.append(f"memory, {words}, grows by {grows:.0f} bytes a throw")
    tenth = max(1, len(tally.shown_ms) // 10)
    for what, each in (("shown after", tally.shown_ms), ("of which work", tally.work_ms)):
        early, late = np.array(each[:tenth]), np.array(each[-tenth:])
        lines.append(f"{what}: first tenth {_ms(early)}, last tenth {_ms(late)}")
    first_ms, last_ms = (float(np.median(part)) for part in (tally.work_ms[:tenth], tally.work_ms[-tenth:]))
    if last_ms > SLOWER * first_ms:
        faults.append(f"a reading takes {last_ms:.1f} ms of work in the end, {first_ms:.1f} ms at first")
    if gauges[-1].handles > warm[0].handles + MORE_HANDLES or gauges[-1].threads > warm[0].threads + 2:
        faults.append("files or threads are left behind")
    lines.append(line(gauges[-1], tally))
    lines.append(
        f"{tally.throws} throws in {tally.games} games, {tally.frames} frames; {tally.asked} asked about "
        f"({tally.asked_in_vain} with all dice flat); {len(tally.wrong)} wrong"
    )
    return Judgement((*lines, *faults, "not as it should be" if faults else "all is well"), not faults)


def _ms(times: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]") -> str:
    return f"{np.median(times):.1f} ms (99 of 100 within {np.percentile(times, 99):.1f})"
