"""What filming every throw costs beside the watching: processor, memory, disk.

Milliseconds are this machine's; the ratios compare with the watching in the same run, and travel better.
"""

import resource
import time
from dataclasses import dataclass, field

import cv2
import numpy as np

from benchmarks.watch import Clock
from device.films.filming import halved, make_film
from device.films.strip import MOST_BYTES, FilmPicture, Strip
from device.simulator.table import SimulatedTable
from vision.pictures import jpeg_of
from vision.watch import Watch

THROWS = 10
FPS = 20.0
LIES_S = 6.0
"""How long the dice lie until the next throw: people look, add up and take them."""


@dataclass
class _Spent:
    """Milliseconds of one core, a value for each picture."""

    looks: list[float] = field(default_factory=list)
    packs: list[float] = field(default_factory=list)


def _throw(seed: int, strip: Strip, spent: _Spent) -> bytes:
    """Watch a throw and its rest as the box does, and keep its shots; returns the picture at rest."""
    clock = Clock()
    table = SimulatedTable(seed, fps=FPS, clock=clock, wait=clock.wait)
    table.lay("zoinx" if seed % 2 else "pip", 5)
    table.act("throw")
    watch = Watch()
    for frame in table.frames():
        begun = time.process_time()
        look = watch.see(frame.picture, frame.time_ms)
        seen = time.process_time()
        spent.looks.append(1000 * (seen - begun))
        if look.still_since_ms >= look.time_ms:
            strip.add(FilmPicture(time_ms=frame.time_ms, jpeg=jpeg_of(halved(frame.picture))))
            spent.packs.append(1000 * (time.process_time() - seen))
        rest_ms = table.rest_time_ms
        if rest_ms is not None and frame.time_ms > rest_ms + 1000 * LIES_S:
            return jpeg_of(frame.picture)
    raise SystemExit("the simulated table ended")


def main() -> None:
    """Print the figures."""
    cv2.setNumThreads(1)
    spent, films, largest = _Spent(), [], 0
    made_s: list[float] = []
    for seed in range(THROWS):
        strip = Strip()
        rest = _throw(seed, strip, spent)
        largest = max(largest, strip.size)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        films.append(len(make_film(strip.cut(), rest)))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        made_s.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    look, pack = float(np.median(spent.looks)), float(np.median(spent.packs))
    beside = sum(spent.packs) / sum(spent.looks)
    print(f"Filming, {THROWS} throws at 1280x960, {FPS:.0f} frames/s, {LIES_S:.0f} s of rest after each")
    print(f"  a look at a frame, median               {look:6.2f} ms, {look * FPS / 10:5.1f} % of a core")
    print(f"  packing a frame in which dice move      {pack:6.2f} ms, {pack * FPS / 10:5.1f} % of a core")
    print(f"  packing beside looking, whole throws    {100 * beside:6.1f} % more; while nothing moves 0 %")
    print(f"  making a film, in its own process       {np.median(made_s):6.2f} s of a core, once a throw")
    print(
        f"  memory: packed pictures of a throw      {largest / 1e6:6.2f} MB, {MOST_BYTES / 1e6:.0f} at most"
    )
    print(f"  a film on the disk, mean                {np.mean(films) / 1e6:6.2f} MB")


if __name__ == "__main__":
    main()
