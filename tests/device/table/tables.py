"""A table for tests that drive it frame by frame, without threads, pins or a console."""

from collections.abc import Callable, Mapping

from device.games.detectors import DetectorOpener
from device.games.games import Games
from device.games.results import Results
from device.journal import Journal, Moment, Storage
from device.landings import SeesLandings, Watching, draw_now
from device.mat import Choice
from device.match.throw_detector import ReadsDice
from device.panel import Lights, Presses
from device.shown.snapshot import Reads, Snapshot
from device.table import Table, no_acts
from device.table.reading import Doubting, Sharpening
from vision.watch import Throws


def open_table(
    storage: Storage,
    journal: Journal,
    *,
    reader: ReadsDice,
    watch: Watching,
    eye: Callable[[], SeesLandings],
    lights: Lights,
    now: Callable[[], Moment],
    tell: Callable[[Snapshot], None],
    reads: Reads,
    layout: Choice = "none",
    acts: Callable[[str], Mapping[str, str]] = no_acts,
) -> Table:
    """A table whose close-ups are drawn at once."""
    sharpening = Sharpening(None, at_once=reads == "roll_done")
    detectors = DetectorOpener(
        Doubting(reader, sharpening),
        Throws(),
        eye,
        draw_now,
        by_itself=reads == "at_rest",
        sharper_comes=lambda: sharpening.comes,
        layout=layout,
    )
    games = Games(journal, storage, now, detectors, print)
    return Table(
        journal,
        games,
        Results(journal, games, now),
        watch,
        sharpening,
        lights,
        Presses(20, 600),
        now=now,
        tell=tell,
        reads=reads,
        acts=acts,
    )
