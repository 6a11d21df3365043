"""A game's throws in order, as pages get them: what came to lie, what was asked, what people said to it."""

from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

import msgspec

from engine.dice import Die, DieKind, Face
from engine.events import GameEvent, Landed, Pocket, Rolled
from engine.game import GameView, Played, Position, Wanted
from engine.history import History
from engine.rulebooks import rulebook
from engine.wording import phrase
from engine.words import face_word

Standing = Literal["counts", "asked", "undone", "refused"]
"""It counts; it waits for people; it was taken back, or thrown again; the box said why it does not count."""
WordKind = Literal["answered", "corrected", "ruled", "confirmed", "undone"]
"""A question's answer; other faces; another landing; looked at, and it stays; taken back."""


class WordShown(msgspec.Struct, frozen=True):
    """What somebody said to a throw."""

    kind: WordKind
    text: str
    by: str
    """Whose word it was: "the referee Cleo"; "" for whoever stood at the box."""
    at: str
    """When: ISO in UTC."""
    changed: str = ""
    """What it changed: "Ann 59 -> 135; Bea stays."; "" for what changed nothing that counted before."""


class ThrowShown(msgspec.Struct, frozen=True):
    """One throw."""

    throw: int
    """Throws of the game count from 1, those that did not count among them."""
    at: str
    """When it was read: ISO in UTC."""
    player: str
    words: str
    """What it is now: "5 × 10 = 50", "4 and 1"; "" while nobody knows."""
    standing: Standing
    reading: int = 0
    """/reading/READING.jpg is the picture that was read, /film/READING.mp4 its film; 0 for none."""
    evidence: str = ""
    """The close-up's name; /evidence/READING.jpg is it. Empty when there is none."""
    asked: str = ""
    """What the box asked about it, or why it did not count."""
    likeliest: str = ""
    """The answer that the measurement makes likeliest, in its option's words; "" where none is."""
    said: tuple[WordShown, ...] = ()
    """In the order in which it was said."""
    landing: int = 0
    """As a ruling names it; 0 for a roll, and for a landing that does not count."""
    roll: int = 0
    """As a correction names it; 0 for a landing, and for a roll that does not count."""
    dice: tuple[tuple[DieKind, Face], ...] = ()
    """What the dice of a roll show, as it counts."""
    landed: dict[str, object] = {}
    """The landing as an event, for a ruling that confirms it or changes a part."""
    lying: tuple[str, ...] = ()
    """The dice of the turn that lay there before, by their numbers: "die 1: 5 x 20"."""
    ruled: str = ""
    """Who has ruled on it last, and why; empty when nobody has."""


class ThrowsShown(msgspec.Struct, frozen=True):
    """Some of a game's throws, the newest first."""

    game_id: int | None = None
    count: int = 0
    """How many throws there are in all."""
    throws: tuple[ThrowShown, ...] = ()
    trouble: str = ""
    """Why later ones cannot be told; empty when all are."""


# What each throw of a game brought, and what its turns came to.


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredThrow:
    """A throw of a game as it counts."""

    event_index: int
    """Which of the events that count it is, from 0."""
    player: str
    dice: tuple[Die, ...]
    """What the dice show; empty for a die that went off the table."""
    landed: Landed | None = None
    """How it landed, at End Zone."""
    points: int | None
    """What it brought, or what the best of it was worth; None for a roll that decides who begins."""
    scores: tuple[int, ...]
    """What everybody has after it."""
    running: int | None
    """What the turn has gathered after it; None where the game gathers nothing in a turn."""

    @property
    def words(self) -> str:
        """What was thrown: "1, 1, 5", "5 × 20, on the dot", "off the table"."""
        landed = self.landed
        if landed is None or self.points is None:
            return ", ".join(face_word(die.value) for die in self.dice) or phrase("off the table")
        if landed.off:
            return phrase("off the table")
        words = f"{landed.value} × {landed.zone}"
        if landed.dot and landed.foul:
            return phrase("{landed}, on the dot, a foul", landed=words)
        if landed.dot:
            return phrase("{landed}, on the dot", landed=words)
        return phrase("{landed}, a foul", landed=words) if landed.foul else words


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedTurn:
    """One turn."""

    player: str
    points: int
    """What the player's score rose by."""
    scores: tuple[int, ...]
    """What everybody had after it."""


def score_throws(history: History) -> tuple[tuple[ScoredThrow, ...], tuple[PlayedTurn, ...]]:
    """Each throw of the game as it counts, with what it brought, and each turn."""
    return _score(history.start.view(), history.played)


def _score(before: GameView, played: Played) -> tuple[tuple[ScoredThrow, ...], tuple[PlayedTurn, ...]]:
    """The throws and turns of what was played from `before` on, where a turn begins."""
    throws, turns = list[ScoredThrow](), list[PlayedTurn]()
    usual = rulebook(before.game).dice
    turn = _OpenTurn(before.scores)
    for number, (event, position) in enumerate(played):
        after = position.view()
        if isinstance(event, Rolled | Landed):
            scoring = not decides_order(before, usual)
            points = _points(event, before, after, turn) if scoring else None
            throws.append(_scored(event, number, before.active or "", points, after))
            turn.thrown = turn.thrown or scoring
            turn.last = points or 0
        if turn.thrown and _is_over(before, after):
            turns.append(_end(turn, before, after))
            turn = _OpenTurn(after.scores)
        before = after
    return tuple(throws), tuple(turns)


def best_throw(history: History) -> ScoredThrow | None:
    """The throw of the game that brought most, the first of several; None where none brought anything."""
    throws = [throw for throw in score_throws(history)[0] if throw.points]
    return max(throws, key=lambda throw: throw.points or 0, default=None)


def last_throw_points(history: History) -> int | None:
    """What the last throw brought, or the best of it is worth; None before one, and for one that
    decides who begins.

    Its turn alone is scored: a long game takes no longer than a short one. Once dice of it are set aside, it
    is what these brought.
    """
    played = history.played
    newest_first = reversed(range(len(played)))
    last = next((place for place in newest_first if isinstance(played[place][0], Rolled | Landed)), None)
    if last is None:
        return None
    first = _turn_start(history.start, played, last)
    throws, _ = _score(_view_before(history.start, played, first), played[first : last + 1])
    pockets = list(takewhile(lambda each: isinstance(each[0], Pocket), played[last + 1 :]))
    if throws[-1].points is not None and pockets:
        before, aside = _view_before(history.start, played, last), pockets[-1][1].view()
        if aside.active == before.active and aside.scores == before.scores:
            return (aside.running or 0) - (before.running or 0)
    return throws[-1].points


def _turn_start(start: Position, played: Played, place: int) -> int:
    """Which of the events begins the turn to which the one at `place` belongs."""
    now = _view_before(start, played, place)
    while place > 0:
        before = _view_before(start, played, place - 1)
        if _is_over(before, now):
            break
        place, now = place - 1, before
    return place


def _view_before(start: Position, played: Played, place: int) -> GameView:
    return (played[place - 1][1] if place else start).view()


def _scored(
    event: Rolled | Landed, number: int, player: str, points: int | None, after: GameView
) -> ScoredThrow:
    landed = event if isinstance(event, Landed) else None
    one = (Die("pip", event.value),) if isinstance(event, Landed) and event.value else ()
    dice = event.dice if isinstance(event, Rolled) else one
    return ScoredThrow(
        event_index=number,
        player=player,
        dice=dice,
        landed=landed,
        points=points,
        scores=after.scores,
        running=after.running,
    )


@dataclass(slots=True)
class _OpenTurn:
    """A turn that goes on: the scores before it, and whether anything was thrown in it."""

    scores: tuple[int, ...]
    thrown: bool = False
    last: int = 0
    """Points of its last landing."""


def _end(turn: _OpenTurn, before: GameView, after: GameView) -> PlayedTurn:
    player = before.active or ""
    gained = _gained(player, turn.scores, after)
    if gained is None:  # a new game of the same match began, and its scores are at nought
        gained = (before.running or 0) + turn.last
    return PlayedTurn(player=player, points=gained, scores=after.scores)


def decides_order(view: GameView, usual: Wanted) -> bool:
    """Whether the throw that is due decides who begins, or who wins a tie, and brings no points."""
    wanted = view.wanted
    if wanted is None:
        return False
    alone = wanted.count == 1 and usual.count not in (1, None)
    return wanted.landing != usual.landing or (alone and view.running is None)


def _is_over(before: GameView, after: GameView) -> bool:
    """Whether a turn in which was thrown is over: scores, or the player, have changed, or nothing is left."""
    return (
        after.active != before.active
        or after.scores != before.scores
        or bool(before.running and not after.running)
    )


def _gained(player: str, scores: tuple[int, ...], after: GameView) -> int | None:
    """What a player's score changed by, less than nothing after a fine; None where the scores began anew."""
    if player not in after.players:
        return 0
    seat = after.players.index(player)
    return None if any(scores) and not any(after.scores) else after.scores[seat] - scores[seat]


def _points(event: GameEvent, before: GameView, after: GameView, turn: _OpenTurn) -> int:
    """What a throw brought: its landing, the best that may be set aside, or by what the turn grew."""
    if isinstance(event, Landed):
        return 0 if event.off or event.foul else event.value * event.zone
    offered = [choice.points or 0 for choice in after.choices if isinstance(choice.event, Pocket)]
    if offered:
        return max(offered)
    running = (before.running or 0) if turn.thrown else 0
    if _is_over(before, after):
        return max(0, (_gained(before.active or "", turn.scores, after) or 0) - running)
    return max(0, (after.running or 0) - running)
