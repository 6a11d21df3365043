"""What a table is made of: the parts, and what it asks of those that can be one thing or another."""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Literal

from calibration.view import View
from device.call_slip import CallSlip
from device.films import Filming
from device.journal import Journal, Moment, Storage
from device.landings import InlineExecutor, Later, SeesLandings
from device.lessons import Lessons
from device.mat import Choice
from device.match.throw_detector import ReadsDice
from device.panel import Lights, Presses, Stuck
from device.tournaments import TournamentBook
from vision.watch import Throws, Watch

Reads = Literal["roll_done", "at_rest"]


def no_acts(game: str) -> Mapping[str, str]:  # noqa: ARG001 - in no game
    """The acts at a real table: none, for nobody moves its dice from the console."""
    return {}


def none_comes() -> bool:
    """No sharper picture is on its way."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a table is made of; the composition (`device.box`) builds them."""

    journal: Journal
    storage: Storage
    reader: ReadsDice
    watch: Watch
    far_watch: Watch | None = None
    """For the camera over the far End Zone."""
    sharpen: Callable[[bool], None] | None = None
    """Asks the camera for its sharpest pictures, or for no more of them; None where there are none."""
    sharper_comes: Callable[[], bool] = none_comes
    """Whether a sharper picture of what lies there is on its way; the table puts its own in."""
    throws: Throws
    presses: Presses
    stuck: Stuck = field(default_factory=Stuck)
    now: Callable[[], Moment]
    reads: Reads
    first_counts: bool = False
    """Dice that lie there at the first picture were thrown (a film), not left over from before (a table)."""
    lights: Lights
    acts: Callable[[str], Mapping[str, str]] = no_acts
    """What the console can do to the dice in a game, by its name ("" for none): at a real table nothing."""
    layout: Choice = "none"
    """The mat: a layout, each game's own, or none."""
    view: View | None = None
    """The calibrated camera, where there is one."""
    eye: Callable[[], SeesLandings]
    """The calibrated eye over the End Zone; raises `CalibrationError`, in a sentence, where there is none."""
    close_ups: Later
    """Has close-ups of landings drawn."""
    executor: Executor = field(default_factory=InlineExecutor)
    """Runs what takes a while beside the table's thread."""
    asks_sign_off: bool = False
    """Whether a result counts only once a referee has signed it off: at a tournament."""
    tournaments: TournamentBook = field(default_factory=TournamentBook)
    """The tournament of the evening, which the results of its games feed."""
    calls: CallSlip | None = None
    """What a hall's desk calls to this table; None where no desk is told."""
    films: Filming | None = None
    """Films the throws; None when the owner does not want that, and where a film is played."""
    lessons: Lessons | None = None
    """Where corrected readings are kept to learn from; None when the owner did not ask for that."""
