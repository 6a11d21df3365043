"""A journalled game played again by its rulebook, and what of it is still secret.

Bets are secret until all of a turn are locked. Whoever looks into the journal of a running game must not
learn more than the table shows, so some rows are *veiled*: a bet, and with it the presses and notes from
which it could be counted, from the moment the betting begins until a bet reveals them all. Betting that an
undo broke off stays veiled until the game ends. From the first veiled row on, rows lose their numbers: a gap
would count presses. The order of a deck that the box deals is *sealed* until the game ends: its seed stands
in no option and no line.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from device.journal.journal import Entry, GameRecord
from device.journal.rows import ByNote, EventRow, UnknownRow
from device.options import as_shown
from device.people.actor import Actor
from engine.events import Bet, Event
from engine.game import GameView, Position, start_written
from engine.history import History, Standing
from engine.refusal import Refused
from engine.rulebooks import rulebook


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One row, and where the game stood after it."""

    entry: Entry
    event: Event | None = None
    """The row's event; None for other rows, and for an event that this Callbox cannot read."""
    standing: Standing | None = None
    """What became of the event."""
    position: Position | None = None
    """After the row; None where the game cannot be played again."""
    trouble: str = ""
    """Why the event could not be played again."""
    by: Actor | None = None
    """Whose doing it is; None for the camera's, and for the box's own buttons."""
    veiled: bool = False
    """A secret: neither this row nor its number may be shown."""
    public: bool = True
    """Whether the row has its number and the whole position line; False from the first veiled row on."""
    sealed: bool = False
    """Whether the whole position line tells the order of a deck that is still drawn from."""

    @property
    def line(self) -> str:
        """The position line as it may be shown; "" where there is none."""
        if self.position is None:
            return ""
        return self.position.line() if self.public and not self.sealed else self.position.view().line


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A game from its first position on."""

    record: GameRecord
    start: Position | None
    trouble: str
    """Why it cannot be played again: its rulebook is not there any more."""
    steps: tuple[Step, ...]
    history: History | None = None
    """The game as it counts, secrets included; None where it cannot be played again."""

    @property
    def has_secrets(self) -> bool:
        """Whether rows are withheld."""
        return any(step.veiled for step in self.steps)

    @property
    def sealed(self) -> bool:
        """Whether the seed of the box's deck is withheld."""
        return _sealed(self.record)

    @property
    def start_line(self) -> str:
        """The first position's line, as it may be shown; "" where there is none."""
        if self.start is None:
            return ""
        return self.start.view().line if self.sealed else self.start.line()

    @property
    def line(self) -> str:
        """The last position's line, as it may be shown."""
        return self.steps[-1].line if self.steps else self.start_line


def options_shown(record: GameRecord) -> dict[str, str]:
    """A game's options, as they may be shown."""
    return as_shown(record.options, over=bool(record.ended))


def replay(record: GameRecord, entries: Sequence[Entry]) -> Replay:
    """Play a game's rows again. Never raises: what cannot be played is told in `trouble`."""
    try:
        start = start_written(rulebook(record.game), record.players, record.options)
    except Refused as refused:
        steps = _signed([_step(None, entry) for entry in entries])
        return Replay(record=record, start=None, trouble=str(refused), steps=_veiled(record, None, steps))
    history = History(start)
    steps = _signed([_step(history, entry) for entry in entries])
    standings = iter(history.standings())
    judged = tuple(
        replace(step, standing=next(standings)) if step.event and not step.trouble else step for step in steps
    )
    steps = _veiled(record, start, judged)
    return Replay(record=record, start=start, trouble="", steps=steps, history=history)


def _step(history: History | None, entry: Entry) -> Step:
    event, trouble = None, ""
    match entry.row:
        case EventRow():
            event = entry.row.event
            try:
                if history is not None:
                    history.take(event)
            except Refused as refused:
                trouble = str(refused)
        case UnknownRow(kind="event", why=why):
            trouble = why
        case _:
            pass
    return Step(entry=entry, event=event, position=history.position if history else None, trouble=trouble)


def _signed(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps with whose doing they are: those after a `ByNote` that were written with it."""
    signed, by, written = [], None, None
    for step in steps:
        moment = (step.entry.at, step.entry.steady_ms)
        if isinstance(note := step.entry.row, ByNote):
            by, written = Actor(note.role, note.name), moment
        signed.append(replace(step, by=by if moment == written else None))
    return tuple(signed)


def _veiled(record: GameRecord, start: Position | None, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps with their secrets marked."""
    secret = frozenset() if record.ended else _secrets(start, steps)
    first = min(secret, default=len(steps))
    return tuple(
        replace(step, veiled=place in secret, public=place < first, sealed=_sealed(record))
        for place, step in enumerate(steps)
    )


def _sealed(record: GameRecord) -> bool:
    """Whether a deck that the box deals is still drawn from."""
    return options_shown(record) != dict(record.options)


def _secrets(start: Position | None, steps: tuple[Step, ...]) -> frozenset[int]:
    """The places of the rows that must not be shown while the game goes on."""
    betting: list[int] = []
    broken_off: list[int] = []
    hidden = start is None or _hides_bets(start.view())
    for place, step in enumerate(steps):
        if hidden and _betrays(step.entry):
            betting.append(place)
        if step.position is None:
            continue
        was_hidden, hidden = hidden, _hides_bets(step.position.view())
        if was_hidden and not hidden:
            if not isinstance(step.event, Bet):
                broken_off += betting
            betting = []
    return frozenset(broken_off + betting)


def _betrays(entry: Entry) -> bool:
    """Whether a row tells a bet, or lets it be counted."""
    match entry.row:
        case EventRow(event=event):
            return isinstance(event, Bet)
        case UnknownRow(kind="event", body=body):
            return body.get("event") == "bet"
        case _:
            return entry.kind in ("press", "note")


def _hides_bets(view: GameView) -> bool:
    """Whether a bet is locked or thought about in secret."""
    return any(isinstance(bet, str) for bet in view.bets)
