"""Each maker by its name, with the files that it makes below `docs/`; and a round through all makers.

A round can be broken off, and leaves alone what looks as before.
"""

import hashlib
import tempfile
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from benchmarks.pictures import drawn, film, games, measured, people
from benchmarks.pictures.studio import NotHere, Studio
from calibration.arrays import Picture


@dataclass(frozen=True)
class Maker:
    """Makes some pictures; raises `NotHere` where what they take is not on this machine."""

    files: tuple[str, ...]
    make: Callable[[Studio], None]
    takes_hours: bool = False
    """Then it makes them only when it is named."""


CALLS = ("call-camera", "call-short", "call-certain", "call-close", "call-dot")

MAKERS: dict[str, Maker] = {
    "film": Maker((film.FILM,), film.make_film),
    "console": Maker(("img/console-desktop.jpg",), games.make_console),
    "screen-throw": Maker(("img/screen-throw.jpg",), games.make_screen_throw),
    "screen-landing": Maker(("img/screen-landing.jpg",), games.make_screen_landing),
    "player-page": Maker(("img/player-page.jpg",), games.make_player_page),
    "referee": Maker(("img/referee.jpg",), games.make_referee),
    "correction": Maker(("img/referee-correct.jpg",), games.make_correction),
    "pads": Maker(("img/pad-card.png", "img/pad-challenge.png"), games.make_pads),
    "people": Maker(("img/people.png",), people.make_people),
    "hall": Maker(("img/hall.png",), people.make_hall),
    "hall-calls": Maker(("img/hall-calls.png",), people.make_hall_calls),
    "hall-organiser": Maker(("img/hall-organiser.png",), people.make_hall_organiser),
    "hall-question": Maker(("img/hall-question.png",), people.make_hall_question),
    "report": Maker(("img/report.png",), people.make_report_picture),
    "printing": Maker(("img/printing.png",), drawn.make_printing),
    "lighting": Maker(("lighting.svg",), drawn.make_lighting),
    "wiring": Maker(("wiring.svg", "wiring-off.svg"), drawn.make_wiring),
    "reading": Maker(("img/reading.jpg",), measured.make_reading),
    "calls": Maker(tuple(f"img/{name}.jpg" for name in CALLS), measured.make_calls),
    "calibrating": Maker(
        tuple(f"img/calibrating-{name}.jpg" for name in ("held", "flat", "found")), measured.make_calibrating
    ),
    "setup": Maker(
        tuple(f"img/setup-{name}.jpg" for name in ("lens", "sheet", "dice", "board")), drawn.make_setup
    ),
    "reliability": Maker(("img/reliability.svg",), drawn.make_reliability, takes_hours=True),
}
"""In the order in which they are made."""


ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MADE = ROOT / "build" / "docs" / "made.txt"
"""What this round has made already: the state of the source, and a maker's name on each line."""
BLUR_PX, FAINT = 5, 24.0
"""Two pictures look alike when, blurred so far, they differ nowhere by more than this (of 255)."""
ROOMS = ("device", "vision", "engine", "calibration", "models", "benchmarks", "tests")
SOURCE = {".py", ".js", ".css", ".html", ".onnx", ".toml"}


def make_round(names: Sequence[str], docs: Path = DOCS, made: Path = MADE) -> Generator[str]:
    """Make the pictures of the makers named, or of all that this round has not made yet; tells of each.

    Whoever is named makes them in any case, and what takes hours is made by name alone. When all were made,
    the next round begins anew.
    """
    state, done = _begun(made)
    left = [name for name, maker in MAKERS.items() if name not in done and not maker.takes_hours]
    asked = [name for name in MAKERS if name in names] or left
    bar = tqdm(asked, unit="maker")
    for name in bar:
        bar.set_description(name)
        told = make_one(name, docs)
        done.add(name)
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text("\n".join([state, *sorted(done), ""]), encoding="utf-8")
        yield f"{name}: {told}"
    if not names:
        made.unlink(missing_ok=True)
        hours = " ".join(name for name, maker in MAKERS.items() if maker.takes_hours)
        yield f'Left as they are, for they take hours: {hours}. Remake them with ONLY="{hours}".'


def make_one(name: str, docs: Path) -> str:
    """Make one maker's pictures, and put those that look otherwise into `docs`; says what came of it."""
    with tempfile.TemporaryDirectory() as folder:
        files, scratch = Path(folder) / "files", Path(folder) / "scratch"
        scratch.mkdir()
        try:
            with Studio(files, scratch) as studio:
                MAKERS[name].make(studio)
        except NotHere as error:
            return f"left as it is. {error}"
        return ", ".join(_put(files / each, docs / each) for each in MAKERS[name].files)


def _put(new: Path, old: Path) -> str:
    if old.exists() and look_alike(new, old):
        return f"{old.name} looks as before"
    old.parent.mkdir(parents=True, exist_ok=True)
    old.write_bytes(new.read_bytes())
    return f"{old.name} is new"


def look_alike(one: Path, other: Path) -> bool:
    """Whether two files show the same to people: the same text, or pictures that differ by noise alone."""
    if one.read_bytes() == other.read_bytes():
        return True
    a, b = _frames(one), _frames(other)
    return len(a) == len(b) > 0 and all(map(_differ_faintly, a, b))


def _frames(path: Path) -> list[Picture]:
    """The pictures of a film, or the one picture of a file; none of a drawing."""
    if path.suffix == ".webp":
        there, film = cv2.imreadanimation(str(path))
        return [np.asarray(frame, np.uint8) for frame in film.frames] if there else []
    picture = cv2.imread(str(path))
    return [] if picture is None else [np.asarray(picture, np.uint8)]


def _differ_faintly(one: Picture, other: Picture) -> bool:
    if one.shape != other.shape:
        return False
    blurred = [cv2.blur(picture.astype(np.float32), (BLUR_PX, BLUR_PX)) for picture in (one, other)]
    return float(np.abs(blurred[0] - blurred[1]).max()) <= FAINT


def _begun(made: Path) -> tuple[str, set[str]]:
    """The state of the source, and which makers have made their pictures from it in this round."""
    state = state_of(path for room in ROOMS for path in (ROOT / room).rglob("*"))
    told = made.read_text(encoding="utf-8").split() if made.exists() else []
    return state, set(told[1:]) if told[:1] == [state] else set()


def state_of(paths: Iterable[Path]) -> str:
    """A name for the contents of source files."""
    state = hashlib.sha256()
    for path in sorted(paths):
        if path.suffix in SOURCE and path.is_file():
            state.update(path.read_bytes())
    return state.hexdigest()[:16]
