"""What is shown: one snapshot, and lamps and scoreboard by it. It is made anew only when something changed.

A camera brings 20 frames a second, and on a still table nothing of the snapshot changes with them. So what a
snapshot is made of is compared first (`Facts`), and the snapshot is made only where that differs from the
last time. What moves by itself, lamps that blink and a scoreboard that turns its pages, goes on with time all
the same.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

import msgspec

from device.games.results import NO_RESULTS, ResultsShown
from device.match.showing import table_shown
from device.match.throw_detector import DetectorState
from device.panel import Lights, sentence
from device.shown.calls import after
from device.shown.snapshot import (
    ActShown,
    AgainShown,
    AsideShown,
    FilmsShown,
    GameShown,
    MessageShown,
    ProposedShown,
    PutAwayShown,
    Snapshot,
    Stage,
    TableState,
)

NOTHING_SEEN = DetectorState()
REFUSAL_MS = 12_000
"""How long a refusal stands on all screens, unless something happens before: then people have read it."""
READ = MessageShown()
"""What takes its place: nothing, so that screens tell the game's news again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All of a moment that may be seen. Whoever made a part gives the very same one while it has not changed:
    then comparing it costs nothing.
    """

    stage: Stage = "lobby"
    game_id: int | None = None
    game: GameShown | None = None
    lamps: dict[str, bool] = field(default_factory=dict)
    can_undo: bool = False
    pending: bool = False
    """The last reading waits for a correction."""
    message: MessageShown
    camera: str = ""
    """What is wrong with the pictures; "" when nothing is."""
    remark: str = ""
    """What is not as it should be with a camera whose pictures are good; it does not go onto the board."""
    state: TableState = "no picture"
    doubtful_hand: bool = False
    """What is taken for a hand may be none."""
    detector: DetectorState = NOTHING_SEEN
    films: FilmsShown | None = None
    aside: AsideShown | None = None
    paused: bool = False
    again: AgainShown | None = None
    put_away: tuple[PutAwayShown, ...] = ()
    results: ResultsShown = NO_RESULTS
    hand_busy: bool = False
    """A simulated table's hand is at work."""
    stuck: tuple[str, ...] = ()
    """Buttons that are down all the time."""


class Screen:
    """The newest snapshot. Not for several threads: the table is the only caller."""

    def __init__(self, first: Snapshot, lights: Lights, tell: Callable[[Snapshot], None]) -> None:
        """`first` is what stands there before anything is shown; `tell` is called with each new snapshot."""
        self.snapshot = first
        self._lights = lights
        self._tell = tell
        self._facts: Facts | None = None
        self._said, self._said_ms = READ, 0.0
        """The newest message, and when it came."""
        self._steady = first
        """The snapshot without what moves by itself."""

    def set_address(self, address: str) -> None:
        """Where the console can be reached, in all snapshots from now on."""
        self._steady = msgspec.structs.replace(self._steady, address=address)
        self.snapshot = msgspec.structs.replace(self.snapshot, address=address)

    def set_proposed(self, proposed: ProposedShown) -> None:
        """What the lobby opens with, in all snapshots from now on."""
        self._steady = msgspec.structs.replace(self._steady, proposed=proposed)
        self.snapshot = msgspec.structs.replace(self.snapshot, proposed=proposed)

    def withdraw_offer(self) -> None:
        """ROLL DONE begins no game any more: one is played."""
        proposed = self._steady.proposed
        if proposed is not None and proposed.by_button:
            self.set_proposed(msgspec.structs.replace(proposed, by_button=False))

    def set_acts(self, acts: tuple[ActShown, ...]) -> None:
        """What a simulated hand can do, in all snapshots from now on."""
        self._steady = msgspec.structs.replace(self._steady, acts=acts)
        self.snapshot = msgspec.structs.replace(self.snapshot, acts=acts)

    def show(self, facts: Facts, time_ms: float) -> None:
        """Light lamps and scoreboard; tell everybody if anything that is shown differs from the last time."""
        facts = self._drop_old_refusal(facts, time_ms)
        anew = facts != self._facts
        if anew:
            self._facts, self._steady = facts, _snapshot(facts, self._steady)
        steady, last = self._steady, self.snapshot
        rows = self._lights.rows(steady, time_ms)
        self._lights.show(self._lights.lamps(steady.lamps, time_ms), rows, time_ms)
        self._lights.show_status(steady, time_ms)
        blinks = self._lights.seen_afar(steady.lamps, time_ms)
        if not anew and blinks == last.blinks and rows == last.segments:
            return
        new = msgspec.structs.replace(steady, blinks=blinks, segments=rows, number=last.number)
        if new != last:
            self.snapshot = msgspec.structs.replace(new, number=last.number + 1)
            self._tell(self.snapshot)

    def _drop_old_refusal(self, facts: Facts, time_ms: float) -> Facts:
        """The facts without a refusal that has stood there long enough. What still lies wrong is told on."""
        said = facts.message
        if said is not self._said:
            self._said, self._said_ms = said, time_ms
        places = facts.detector.places
        lies_wrong = places is not None and any(place.wrong for place in places.places)
        if said.tone != "refused" or time_ms - self._said_ms < REFUSAL_MS or lies_wrong:
            return facts
        return replace(facts, message=msgspec.structs.replace(said, tone="info") if said.shout else READ)


def _snapshot(facts: Facts, last: Snapshot) -> Snapshot:
    """The snapshot of that moment, blinks and scoreboard left out."""
    seen = facts.detector
    asks: Literal["", "correct"] = "correct" if facts.pending else ""
    shown = msgspec.structs.replace(
        last,
        stage=facts.stage,
        game_id=facts.game_id,
        game=facts.game,
        table=table_shown(facts.state, seen.taken, fresh=seen.fresh, doubtful_hand=facts.doubtful_hand),
        message=facts.message,
        camera=_camera_shown(facts),
        panel=MessageShown(sentence(facts.stuck), "alarm", "StUCK") if facts.stuck else MessageShown(),
        lamps=facts.lamps,
        ask="landing" if seen.asks and not facts.paused else asks,
        landing=seen.landing,
        stay=seen.stay,
        can_undo=facts.can_undo,
        places=seen.places,
        touched=seen.touched,
        history=seen.history,
        films=facts.films,
        hand_busy=facts.hand_busy,
        aside=facts.aside,
        paused=facts.paused,
        again=facts.again,
        put_away=facts.put_away,
        sign_off=facts.results.sign_off,
        unsigned=facts.results.unsigned,
        tournament=facts.results.tournament,
        match=facts.results.match,
        call=facts.results.call,
    )
    # News that come back when a refusal goes were called before it.
    called = last.called if facts.message is READ else after(last.called, shown)
    return msgspec.structs.replace(shown, called=called)


def _camera_shown(facts: Facts) -> MessageShown:
    """What is to be said of the camera: the gravest first."""
    if facts.camera:
        return MessageShown(facts.camera, "alarm")
    return facts.detector.in_the_way if facts.detector.in_the_way.text else MessageShown(facts.remark)
