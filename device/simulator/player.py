"""The hand of the simulated table's players: it does with dice, mat and cards what people at a table do.

How it works. It stands below the camera. What it has to know it reads off the snapshot, as people read it off
the console: which game begins, which dice are waited for, which stay lying, what a choice says. What it then
does can be seen in the pictures, and reaches the box in no other way.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from calibration.ends import Ends
from calibration.table import TableCalibration
from device.requests import ChooseByHand, Declined, Done, HandRequest, MoveDice, Reply
from device.shown.snapshot import GameShown, PlaceShown, Snapshot
from device.simulator.end_zone import EndZoneWorld
from device.simulator.mat import MatWorld
from device.simulator.table import SimulatedTable
from device.simulator.world import World
from engine import wire
from engine.dice import FACES, DieKind
from engine.mat import BringDie, Carry, LayCard, Move, Moves, TakeUp, TurnDie
from engine.rulebooks import rulebook
from engine.wording import phrase, phrase_later
from vision.places import Layout

# A choice told by hand: dice are carried on the mat and cards laid down, so that the camera sees it.
#
# What hands do for an event is the rulebook's to say (`engine.game.MatRules.act`). Here is only where that
# is, by the places that the box shows.


def carry_out(table: SimulatedTable, places: Sequence[PlaceShown], moves: Moves) -> bool:
    """Move dice and cards; whether the pictures will tell of it.

    Raises `ValueError`, in a sentence, where the dice do not lie so. Where the mat lacks a place for one of
    the moves, none is made.
    """
    found = [_act(table, places, move) for move in moves.moves]
    acts = [act for act in found if act is not None]
    if len(acts) < len(found):
        return False
    for act in acts:
        act()
    return moves.tells


def _act(table: SimulatedTable, places: Sequence[PlaceShown], move: Move) -> Callable[[], None] | None:
    """One move of the hand, to be made; None where the mat has no such place."""
    match move:
        case Carry(dice=dice, pocket=pocket):
            place = _pocket(places, pocket) if pocket else next((each for each in places if each.due), None)
            return partial(table.carry, dice, place.label) if place else None
        case LayCard(card=card, pocket=pocket):
            place = _pocket(places, pocket) if pocket else _card_place(places)
            return partial(table.lay_card, card, place.label) if place else None
        case TurnDie(die=die, value=value):
            return partial(table.turn, die, value)
        case BringDie(die=die):
            return partial(table.bring, die)
        case TakeUp(die=die):
            return partial(table.take_up, die)


def _pocket(places: Sequence[PlaceShown], pocket: int) -> PlaceShown | None:
    """The place that is that pocket of the turn now."""
    return next((each for each in places if each.pocket == pocket), None)


def _card_place(places: Sequence[PlaceShown]) -> PlaceShown | None:
    return next((each for each in places if each.kind == "cards"), None)


TRAY_DICE = 5
"""How many dice lie on the table where the rulebook takes any number."""
STALE = phrase_later("That may not be chosen any more. Look again.")
BUSY = phrase_later("The simulated hand is still moving. Wait a moment.")
NO_MAT = phrase_later("No mat lies there: dice and cards have no places to be carried to.")
NO_WAY = phrase_later("Nothing that lies on the mat says this: choose it.")

Dice = tuple[tuple[str, int | None], ...]
"""Kinds of dice, each with how many of it; None for any number."""


class SimulatedHand:
    """One table's players. Its methods may be called from any thread."""

    def __init__(
        self, table: SimulatedTable, mat: Callable[[str], Layout | None], shown: Callable[[], Snapshot]
    ) -> None:
        """`mat` says which mat is laid for a game, by its name; `shown` is what the box shows now."""
        self._table = table
        self._mat = mat
        self._shown = shown
        self._seen = 0
        self._game_id: int | None = None
        self._dice: Dice = ()
        self._lock = threading.RLock()

    def acts(self, game: str) -> Mapping[str, str]:
        """What the hand can do in that game ("" for none), by name, and the words for a button."""
        if game and rulebook(game).dice.landing:
            return EndZoneWorld.acts
        return MatWorld.acts if game and self._mat(game) else World.acts

    def set_up_end_zone(self) -> TableCalibration | Ends:
        """Put the End Zone table up before the box looks at it; returns where its lines lie."""
        with self._lock:
            self._table.set_up(landings=True)
            return self._table.calibration()

    def busy_at(self, time_ms: float) -> bool:
        """Whether the hand was not done yet for whoever has seen the pictures up to that time."""
        return self._table.busy_at(time_ms)

    def follow(self, snapshot: Snapshot) -> None:
        """See what is shown, and have at hand what the game needs next."""
        with self._lock:
            game = snapshot.game
            if game is None or snapshot.number <= self._seen:
                return
            self._seen = snapshot.number
            if snapshot.game_id != self._game_id:
                self._game_id = snapshot.game_id
                self._begin(game)
            self._have_ready(game)
            if game.active is not None:
                self._table.expect(snapshot.stay, game.players.index(game.active))

    def request(self, asked: HandRequest) -> Reply:
        """Move dice and cards as asked, once the box has seen what the hand did last."""
        if self._shown().hand_busy or self._table.busy:
            return Declined(phrase(BUSY))
        match asked:
            case MoveDice():
                return self.act(asked.act)
            case ChooseByHand():
                return self.carry_out(asked.choice, asked.words)

    def act(self, name: str) -> Reply:
        """Do one of `acts`, now or when the hand is free."""
        with self._lock:
            self.follow(self._shown())
            try:
                self._table.act(name)
            except ValueError as error:
                return Declined(str(error))
            return Done()

    def carry_out(self, choice: int, words: str) -> Reply:
        """Tell the box of one of its choices by moving dice and cards on the mat.

        `choice` is its place in the snapshot, and `words` what was read there. Where it is declined, the
        pictures will not say it: then it is to be chosen, as at a real table.
        """
        with self._lock:
            snapshot = self._shown()
            self.follow(snapshot)
            game, places = snapshot.game, snapshot.places
            choices = game.choices if game else ()
            if game is None or not 0 <= choice < len(choices) or choices[choice].words != words:
                return Declined(phrase(STALE))
            mat, event = rulebook(game.game).mat, choices[choice].event
            if places is None or mat is None or not event:
                return Declined(phrase(NO_MAT if places is None else NO_WAY))
            try:
                is_done = carry_out(self._table, places.places, mat.act(wire.event_of(event)))
            except ValueError as error:
                return Declined(str(error))
            return Done() if is_done else Declined(phrase(NO_WAY))

    def _begin(self, game: GameShown) -> None:
        """Another game: its table, its mat, and its dice in the hand."""
        landings = rulebook(game.game).dice.landing
        self._table.set_up(landings=landings)
        self._table.spread(None if landings else self._mat(game.game))
        self._dice = ()
        dice = rulebook(game.game).dice
        self._take(
            game.game, ((dice.kind, dice.count), *((each.kind, each.count or 0) for each in dice.more))
        )

    def _have_ready(self, game: GameShown) -> None:
        """The dice that are waited for; while none are, the hand keeps what it has."""
        if game.wanted_kind:
            self._take(game.game, ((game.wanted_kind, game.wanted_count), *game.wanted_more))

    def _take(self, game: str, dice: Dice) -> None:
        """Have those dice in the hand.

        A game of so many dice may for a moment take any number of those left: the hand keeps what it has.
        """
        if dice == self._dice:
            return
        self._dice = dice
        (kind, count), *more = dice
        count = count or (TRAY_DICE if rulebook(game).dice.count is None else 0)
        if count:
            self._table.lay(_kind(kind), count)
            for kind, count in more:
                self._table.lay_also(_kind(kind), count or 0)


def _kind(word: str) -> DieKind:
    """The kind of die that a snapshot names."""
    return next(kind for kind in FACES if kind == word)
