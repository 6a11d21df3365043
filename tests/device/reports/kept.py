"""Journals for the tests of reports: recorded games, and the camera's readings that go with them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from device.journal import GameId, Journal, Moment
from device.journal.rows import (
    ByNote,
    DiceReading,
    EventRow,
    KeptDie,
    KeptSight,
    LandingReading,
    ReadDie,
    Row,
)
from engine.events import Corrected, DieRuled, Event, Landed, Refereed, Rolled, Ruled
from engine.game import start_written
from engine.history import History
from engine.lines import unpack
from engine.recording import play_again
from engine.rulebooks import rulebook

RECORDINGS = sorted((Path(__file__).parents[2] / "recordings").glob("*.txt"))
EVENING = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
COLORS = ("ivory", "red")
LIES_AT_MM = {20: 60.0, 10: 180.0, 5: 300.0, 2: 500.0, 1: 700.0, 0: 700.0}
"""How far from the table's edge a die of a zone is put here."""


def reading_of(event: Event) -> list[Row]:
    """What the camera may have read of a throw: dice of two colours in turn, a red die where it landed."""
    match event:
        case Rolled(dice=dice):
            read = tuple(
                ReadDie(kind=die.kind, value=die.value, confidence=0.99, color=COLORS[number % 2])
                for number, die in enumerate(dice)
            )
            return [DiceReading(picture="", dice=read)]
        case Landed(value=value, zone=zone) if value:
            return [LandingReading(sight=KeptSight(picture="", dice=(die_at(value, zone),)))]
        case Corrected() | Ruled() | DieRuled() | Refereed():
            return [ByNote(role="referee", name="Rita")]
        case _:
            return []


def die_at(value: int, zone: int) -> KeptDie:
    """A measured die that was just thrown."""
    return KeptDie(
        value=value,
        confidence=0.99,
        color="red",
        center_mm=(float(10 * value), LIES_AT_MM[zone]),
        yaw_deg=0.0,
        edge_mm=16.0,
        covariance=(),
        sigma_mm=0.1,
        pose="flat",
        center_px=(0.0, 0.0),
        corners_px=(),
        zone=zone,
        call="certain",
        probability=0.99,
        nearest_line="2|5",
        to_line_mm=1.0,
        place=0,
        counted=False,
    )


def keep(
    journal: Journal,
    game: str,
    players: Sequence[str],
    options: dict[str, str],
    events: Sequence[Event],
    begun: datetime = EVENING,
) -> GameId:
    """A game in the journal, an event every ten seconds; refused events are in no journal."""
    history = History(start_written(rulebook(game), tuple(players), options))
    game_id = journal.begin(game, players, options, Moment(begun, 0.0))
    for number, event in enumerate(events, 1):
        view = history.take(event).view()
        at = Moment(begun + timedelta(seconds=10 * number), 10_000.0 * number)
        ended = view.ending.cause if view.ending else None
        journal.append(game_id, [*reading_of(event), EventRow(event)], at, ended=ended)
    return game_id


def keep_recording(journal: Journal, path: Path, begun: datetime = EVENING) -> GameId:
    """A recorded game in the journal."""
    text = path.read_text(encoding="utf-8")
    history = play_again(text)
    told = [line.partition(" ")[2] for line in text.splitlines() if line.startswith("option ")]
    options = {key: unpack(value, key) for key, _, value in (option.partition("=") for option in told)}
    game = history.position.view().game
    return keep(journal, game, history.start.players, options, history.events, begun)
