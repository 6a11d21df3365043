"""What is counted over games: each player's figures, each die's faces, where dice landed.

A game is counted once (`figures`), and counts add up (`add_up`): so a long journal is gone through once.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from device.journal import GameId
from device.reports.played import LandingPlace, PlayedGame, PlayedThrow
from engine.dice import DieKind, Face
from engine.wording import phrase
from engine.words import face_word


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """A best, and in which game it was."""

    points: int
    game_id: GameId
    words: str = ""
    """What was thrown: "1, 1, 5"."""


@dataclass(slots=True)
class PlayerFigures:
    """One player in games of one kind."""

    games: int = 0
    """Played to their end."""
    wins: int = 0
    """A shared win is one."""
    totals: int = 0
    """How many of them had a total of points; a match of several games has none."""
    points: int = 0
    """Theirs, added up."""
    turns: int = 0
    turn_points: int = 0
    throws: int = 0
    """That were for points."""
    game: Best | None = None
    turn: Best | None = None
    throw: Best | None = None

    def add(self, other: "PlayerFigures") -> None:
        """Count games that came later; of equal bests the first stays."""
        self.games += other.games
        self.wins += other.wins
        self.totals += other.totals
        self.points += other.points
        self.turns += other.turns
        self.turn_points += other.turn_points
        self.throws += other.throws
        self.game = better(self.game, other.game)
        self.turn = better(self.turn, other.turn)
        self.throw = better(self.throw, other.throw)


DieName = tuple[DieKind, str]
"""Which dice can be told apart: their kind and their colour, "" where that was not told."""


@dataclass(slots=True)
class Figures:
    """Counts over games."""

    games: int = 0
    throws: int = 0
    players: dict[tuple[str, str], PlayerFigures] = field(default_factory=dict)
    """By kind of game and name."""
    dice: dict[DieName, Counter[Face]] = field(default_factory=dict)
    landings: list[LandingPlace] = field(default_factory=list)


def better(one: Best | None, other: Best | None) -> Best | None:
    """The better of two; the first where they are equal."""
    if one is None or other is None:
        return one or other
    return one if one.points >= other.points else other


def figures(game: PlayedGame) -> Figures:
    """What is counted of one game."""
    found = Figures(games=1, throws=len(game.throws))
    for throw in game.throws:
        for die, color in zip(throw.dice, throw.colors, strict=True):
            found.dice.setdefault((die.kind, color), Counter())[die.value] += 1
        if throw.place is not None and throw.points is not None:
            found.landings.append(throw.place)
    if not game.trouble:
        found.players = {
            (game.kind, name): _of_player(game, seat, name) for seat, name in enumerate(game.record.players)
        }
    return found


def add_up(counted: Iterable[Figures]) -> Figures:
    """All of them together, in their order."""
    whole = Figures()
    for each in counted:
        whole.games += each.games
        whole.throws += each.throws
        for who, player in each.players.items():
            whole.players.setdefault(who, PlayerFigures()).add(player)
        for die, faces in each.dice.items():
            whole.dice.setdefault(die, Counter()).update(faces)
        whole.landings += each.landings
    return whole


def by_kind(dice: Mapping[DieName, Counter[Face]]) -> dict[DieKind, Counter[Face]]:
    """The same counts for all dice of a kind together."""
    found: dict[DieKind, Counter[Face]] = {}
    for (kind, _), faces in dice.items():
        found.setdefault(kind, Counter()).update(faces)
    return found


def _of_player(game: PlayedGame, seat: int, name: str) -> PlayerFigures:
    number, found = game.record.id, PlayerFigures()
    if game.counts and game.ending is not None:
        found.games, found.wins = 1, int(name in game.ending.winners)
        if any(game.scores) and not game.restarts:
            found.totals, found.points = 1, game.scores[seat]
            found.game = Best(points=game.scores[seat], game_id=number)
    for turn in game.turns:
        if turn.player == name:
            found.turns += 1
            found.turn_points += turn.points
            found.turn = better(found.turn, Best(points=turn.points, game_id=number))
    for throw in game.throws:
        if throw.player == name and throw.points is not None:
            found.throws += 1
            found.throw = better(
                found.throw, Best(points=throw.points, game_id=number, words=throw_words(throw))
            )
    return found


def throw_words(throw: PlayedThrow) -> str:
    """What was thrown: "1, 1, 5", "5 × 20, on the dot", "off the table"."""
    landed = throw.landed
    if landed is None or throw.points is None:
        return ", ".join(face_word(die.value) for die in throw.dice) or phrase("off the table")
    if landed.off:
        return phrase("off the table")
    words = f"{landed.value} × {landed.zone}"
    if landed.dot and landed.foul:
        return phrase("{landed}, on the dot, a foul", landed=words)
    if landed.dot:
        return phrase("{landed}, on the dot", landed=words)
    return phrase("{landed}, a foul", landed=words) if landed.foul else words
