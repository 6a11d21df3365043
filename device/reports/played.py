"""One game as it was played: who, the scores turn by turn, and every throw that counts, with what it brought.

Pure: a replayed game in, facts out. What was corrected, ruled or taken back counts as what counted at last.
Nothing secret is looked at: throws and what everybody sees (`GameView`) are all that is taken.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from device.journal import GameRecord
from device.journal.records import UNASKED, SignOff, sign_off_of
from device.journal.replay import Replay, Step
from device.journal.rows import DiceReading, KeptDie, KeptSight, LandingReading, ReadDie, SignOffNote
from device.journal.words import describe_row
from device.shown.throws import PlayedTurn, ScoredThrow, score_throws
from engine.events import Corrected, DieRuled, Landed, Refereed, Rolled, Ruled, Undo
from engine.game import Ending
from engine.history import History
from engine.odds import advice_seen
from engine.rulebooks import rulebook
from engine.wording import phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class LandingPlace:
    """Where a die came to lie on the End Zone table, in mm of the table's frame."""

    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedThrow(ScoredThrow):
    """One throw as it counts, with what the journal keeps of it."""

    at: str
    """When it was first told, ISO in UTC."""
    colors: tuple[str, ...]
    """The dice's colours, in the same order; "" where the camera did not tell."""
    place: LandingPlace | None = None
    """Where it was measured; None where it was told by people."""
    picture: str = ""
    """The name under which the picture was kept that was read: "12/3.jpg"; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Amendment:
    """Somebody corrected, ruled or took back."""

    at: str
    words: str
    by: str
    """Whose doing it was; "" for the box's own buttons."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Luck:
    """How often a player's rolls lost the turn, and how often they would on average."""

    player: str
    rolls: int
    """Those whose odds are known."""
    lost: int
    expected: float
    """The exact chances of each of these rolls to lose the turn, added up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame:
    """A game with all that a report tells of it."""

    record: GameRecord
    kind: str
    """The game and what of it is played: "End Zone, threes"."""
    ending: Ending | None = None
    """None while it goes on, and for one that was abandoned."""
    scores: tuple[int, ...] = ()
    restarts: bool = False
    """Whether scores began anew in its course, as in a match of several games: then they are no total."""
    throws: tuple[PlayedThrow, ...] = ()
    turns: tuple[PlayedTurn, ...] = ()
    changes: tuple[Amendment, ...] = ()
    sign_off: SignOff = UNASKED
    """How its result stands with the referee."""
    luck: tuple[Luck, ...] = ()
    """For each player whose rolls have odds; only where it was asked for."""
    trouble: str = ""
    """Why it could not be played again, in a sentence; then the rest is empty."""

    @property
    def counts(self) -> bool:
        """Whether it was played to its end and, where a referee signs results off, is signed off."""
        return self.ending is not None and not self.sign_off.waits


def played(game: Replay, *, with_luck: bool = False) -> PlayedGame:
    """What is to be told of a game; one that cannot be played again tells why.

    `with_luck`: against the odds, too, which takes some seconds.
    """
    record, history = game.record, game.history
    trouble = game.trouble or next((step.trouble for step in game.steps if step.trouble), "")
    if history is None or trouble:
        return PlayedGame(record=record, kind=record.game, trouble=trouble)
    view = history.position.view()
    title = rulebook(record.game).title
    throws, turns = score_throws(history)
    return PlayedGame(
        record=record,
        kind=f"{title}, {view.edition}" if view.edition else title,
        ending=view.ending,
        scores=view.scores,
        restarts=any(any(one.scores) and not any(other.scores) for one, other in pairwise(turns)),
        throws=tuple(_journalled(throws, history, game.steps)),
        turns=turns,
        changes=tuple(_changes(game.steps)),
        sign_off=sign_off_of(step.entry for step in game.steps),
        luck=luck_of(history) if with_luck else (),
    )


def luck_of(history: History) -> tuple[Luck, ...]:
    """How lucky each player's rolls were against the exact odds; () where no odds are known.

    A roll counts where one chance is told of it before it falls: not one that also says what is set aside.
    The first question of a kind of game takes some seconds (`engine.odds`).
    """
    before = (history.start, *(position for _, position in history.played))
    found: dict[str, Luck] = {}
    for throw in score_throws(history)[0]:
        seen = advice_seen(before[throw.event_index].view().line)
        risks = {each.risk for each in seen if each.event is None and each.risk}
        if throw.points is None or len(risks) != 1:
            continue
        so_far = found.get(throw.player, Luck(player=throw.player, rolls=0, lost=0, expected=0.0))
        found[throw.player] = Luck(
            player=throw.player,
            rolls=so_far.rolls + 1,
            lost=so_far.lost + (throw.points == 0),
            expected=so_far.expected + risks.pop(),
        )
    return tuple(found[name] for name in history.position.view().players if name in found)


def without_names(game: PlayedGame) -> PlayedGame:
    """The same game with numbers for names, and without what people wrote: to be shown to anybody."""
    record = game.record
    plain = {name: phrase("Player {number}", number=number) for number, name in enumerate(record.players, 1)}
    ending = game.ending and replace(
        game.ending, winners=tuple(plain[name] for name in game.ending.winners), cause=""
    )
    options = {key: plain.get(value, value) for key, value in record.options.items()}
    return replace(
        game,
        record=replace(record, players=tuple(plain.values()), options=options, cause=""),
        ending=ending,
        throws=tuple(replace(throw, player=plain.get(throw.player, "")) for throw in game.throws),
        turns=tuple(replace(turn, player=plain.get(turn.player, "")) for turn in game.turns),
        luck=tuple(replace(luck, player=plain[luck.player]) for luck in game.luck),
        changes=(),
        sign_off=UNASKED,
    )


def _changes(steps: Sequence[Step]) -> Iterator[Amendment]:
    """Corrections, rulings, what was taken back, and sign-offs; nothing that is still secret."""
    for step in steps:
        amends = isinstance(step.event, Corrected | Ruled | DieRuled | Refereed | Undo)
        row = step.entry.row
        signs = isinstance(row, SignOffNote) and row.what != "asked"
        if (amends or signs) and not step.veiled:
            yield Amendment(at=step.entry.at, words=describe_row(step), by=step.by.words if step.by else "")


def _readings(steps: Sequence[Step]) -> dict[int, DiceReading | LandingReading]:
    """For each row of a throw, what the camera last read of it."""
    found: dict[int, DiceReading | LandingReading] = {}
    last: DiceReading | LandingReading | None = None
    for place, step in enumerate(steps):
        match step.entry.row:
            case DiceReading() | LandingReading(decides=False):
                last = step.entry.row
            case _ if isinstance(step.event, Rolled | Landed):
                if last is not None:
                    found[place] = last
                last = None
            case _:
                pass
    return found


def _journalled(
    throws: Sequence[ScoredThrow], history: History, steps: Sequence[Step]
) -> Iterator[PlayedThrow]:
    """The throws, each with the row that first told it and what the camera read of it."""
    taken = [place for place, step in enumerate(steps) if step.event is not None]
    read, sources = _readings(steps), history.sources
    for throw in throws:
        place = taken[sources[throw.event_index]]
        yield _throw(throw, steps[place].entry.at, read.get(place))


def _throw(throw: ScoredThrow, at: str, reading: DiceReading | LandingReading | None) -> PlayedThrow:
    seen: Sequence[ReadDie | KeptDie] = ()
    if throw.landed is None and isinstance(reading, DiceReading):
        seen = reading.dice
    if isinstance(reading, LandingReading):
        seen = [die for die in reading.sight.dice if not die.counted and not die.place]
    alike = [die.kind for die in seen] == [die.kind for die in throw.dice]
    return PlayedThrow(
        **{name: getattr(throw, name) for name in ScoredThrow.__slots__},
        at=at,
        colors=tuple(die.color for die in seen) if alike else ("",) * len(throw.dice),
        place=_find_landing(throw.landed, seen) if alike else None,
        picture=_picture_of(reading),
    )


def _picture_of(reading: DiceReading | LandingReading | None) -> str:
    match reading:
        case DiceReading(picture=picture) | LandingReading(sight=KeptSight(picture=picture)):
            return picture
        case None:
            return ""


def _find_landing(landed: Landed | None, seen: Sequence[ReadDie | KeptDie]) -> LandingPlace | None:
    """Where the one new die lay; None for one that only decides an order, and off the table."""
    match seen:
        case [KeptDie(center_mm=(x_mm, y_mm))] if landed is not None and not landed.off:
            return LandingPlace(x_mm=x_mm, y_mm=y_mm)
        case _:
            return None
