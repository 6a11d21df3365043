"""Each maker by its name, with the files that it makes, below `docs/`."""

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.pictures import desk, drawn, film, games, measured, paper, people
from benchmarks.pictures.studio import Studio


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
    "pads": Maker(("img/pad-card.png", "img/pad-challenge.png"), paper.make_pads),
    "people": Maker(("img/people.png",), people.make_people),
    "hall": Maker(("img/hall.png",), people.make_hall),
    "hall-calls": Maker(("img/hall-calls.png",), people.make_hall_calls),
    "hall-question": Maker(("img/hall-question.png",), desk.make_hall_question),
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
