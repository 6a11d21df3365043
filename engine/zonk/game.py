"""ZONK's turn: what each event does. Rule numbers are those of `engine.zonk`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Self

from engine.dice import Die
from engine.events import Cache, Draw, GameEvent, Play, Pocket, Rolled, Stop
from engine.game import SEED, Ending, GameView, MatRules, News, OptionWords, Played, Position, Wanted
from engine.pad import ScorePad
from engine.refusal import AgainstTheRules
from engine.seating import agree_on_options, seat_players
from engine.wording import phrase, phrase_count
from engine.words import dice_named, number, plain
from engine.zonk import guide, telling
from engine.zonk.combos import Pocketing, combo_table, joins, scores, values_of
from engine.zonk.items import filled, played, rescues
from engine.zonk.line import WORDS, agreement, printed, read
from engine.zonk.mat import Cards, Pockets
from engine.zonk.state import (
    CARDS,
    CARDS_A_TURN,
    DICE,
    MODIFIERS,
    NAMES,
    SEATS,
    TURNS,
    YOUNGER,
    Card,
    Kinds,
    Phase,
    Seat,
    Slot,
    ZonkState,
    card_named,
    cards_named,
    combos_named,
    faces_of,
    in_order,
    kinds_named,
    kinds_of,
    less,
    shuffle,
    sorted_dice,
    thousands,
)
from engine.zonk.telling import pads_of

# What ZONK says to each event of a turn. Rule numbers are those of `engine.zonk`.


def row(dice: Iterable[Die]) -> str:
    """The faces as they lie: "1 4 5"."""
    return " ".join(faces_of(dice))


def cast_told(name: str, dice: tuple[Die, ...], *, hot: bool) -> str:
    """What was cast."""
    if hot:
        return phrase("Hot cast! {player} casts {dice}.", player=name, dice=row(dice))
    return phrase("{player} casts {dice}.", player=name, dice=row(dice))


def casts_told(state: ZonkState) -> str:
    """Who casts now, and how many dice."""
    return phrase("{player} casts {dice}.", player=state.players[state.active], dice=kinds_named(state.dice))


def pockets_told(name: str, pocketing: Pocketing, running: int) -> str:
    """What was pocketed by casting the others (rule 4c)."""
    return phrase(
        "{player} pockets {combos}: {points} so far.",
        player=name,
        combos=combos_named(pocketing.combos),
        points=running,
    )


def pocketed_told(state: ZonkState, pocketing: Pocketing, *, may_hot_cast: bool) -> str:
    """What was pocketed, and what may follow (rules 7, 7b, 7c)."""
    values = {
        "player": state.players[state.active],
        "combos": combos_named(pocketing.combos),
        "points": thousands(state.running),
    }
    if may_hot_cast:
        return phrase(
            "{player} pockets {combos}: {points} so far; "
            "recast the rest, make a hot cast of all dice, or cache.",
            **values,
        )
    if state.cast:
        return phrase("{player} pockets {combos}: {points} so far; recast or cache.", **values)
    return phrase(
        "{player} pockets {combos}: {points} so far; all dice are pocketed: a hot cast, or cache.", **values
    )


def cached_told(name: str, pocketing: Pocketing | None, points: int) -> str:
    """What the turn brought, and what was pocketed before (rule 7a)."""
    if pocketing is None:
        return phrase("{player} caches {points}.", player=name, points=points)
    return phrase(
        "{player} pockets {combos} and caches {points}.",
        player=name,
        combos=combos_named(pocketing.combos),
        points=points,
    )


def zonk_told(told: str, lost: int) -> str:
    """The cast or the choice that `told` is a sentence of, and that it was a zonk (rule 6)."""
    sentences = [told, phrase("ZONK!")]
    if lost:
        sentences.append(phrase("{points} points are lost.", points=lost))
    return " ".join(sentences)


def draws_told(name: str, due: int) -> str:
    """How many cards have to be drawn (rule 8)."""
    return phrase_count(
        "{player} draws one card.",
        "{player} draws {number} cards.",
        due,
        player=name,
        number=number(due),
    )


def dealt_told(name: str, cards: Sequence[Card]) -> str:
    """Which cards the box has dealt (rule 8e)."""
    return phrase("{player} draws {cards}.", player=name, cards=cards_named(cards))


def drawn_told(name: str, card: Card) -> str:
    """Which card was drawn, and what for (rules 9, 10)."""
    if card in MODIFIERS:
        return phrase("{player} draws {card}, in force from now on.", player=name, card=NAMES[card])
    return phrase("{player} draws {card}, to be held and played once.", player=name, card=NAMES[card])


def gone_told(card: Card, copies: int) -> str:
    """Why a card cannot be drawn: each copy was (rule 8c)."""
    return phrase_count(
        "The only copy of {card} left the deck before.",
        "All {count} copies of {card} left the deck before.",
        copies,
        card=NAMES[card],
    )


def ending_banner(ending: Ending) -> str:
    """Who has won, in a word for the board."""
    if not ending.winners:
        return phrase("LOST")
    return ending.winners[0] if len(ending.winners) == 1 else phrase("SHARED")


PHASES: dict[Phase, dict[type[GameEvent], tuple[Phase, ...]]] = {
    "cast": {Rolled: ("pocket", "rescue", "draw", "cast", "ended")},
    "pocket": {
        Pocket: ("choose",),
        Cache: ("draw", "cast", "ended"),
        Rolled: ("pocket", "rescue", "draw", "cast", "ended"),
        Play: ("pocket", "choose", "fate", "rescue", "draw", "cast", "ended"),
    },
    "rescue": {
        Play: ("pocket", "choose", "fate", "rescue", "draw", "cast", "ended"),
        Rolled: ("pocket", "rescue", "draw", "cast", "ended"),
        Stop: ("draw", "cast", "ended"),
    },
    "choose": {
        Rolled: ("pocket", "rescue", "draw", "cast", "ended"),
        Cache: ("draw", "cast", "ended"),
        Pocket: ("choose",),
        Play: ("choose", "fate"),
    },
    "fate": {Rolled: ("pocket", "choose", "rescue", "draw", "cast", "ended")},
    "draw": {Draw: ("draw", "cast")},
    "ended": {},
}
"""Each phase: the events it takes, and the phases they may lead to."""


class ZonkPosition(ZonkState):
    """One moment of one game: what may happen next, and what then is. The facts stand in `ZonkState`."""

    __slots__ = ()

    def after(self, event: GameEvent) -> Self:
        """The position after `event`; raises `Refused` with the reason."""
        phase = self.phase
        if type(event) not in PHASES[phase]:
            raise self._untimely(event, phase)
        # What an event means for the table is told until the next one.
        hushed = replace(self, said=News(roll=self.said.roll))
        match event:
            case Rolled():
                return hushed._rolled(event.dice, phase)
            case Pocket():
                return hushed._pocketed(event.combos)
            case Cache():
                return hushed._cached()
            case Play():
                return hushed._played(event)
            case Draw():
                return hushed._drew(event.card)
            case Stop():
                return hushed._zonk(phrase("{player} takes the zonk.", player=self.name))
            case _:
                raise AgainstTheRules(phrase("ZONK has no {event}.", event=type(event).__name__.lower()))

    @property
    def name(self) -> str:
        """The active player."""
        return self.players[self.active]

    def line(self) -> str:
        """The whole position, the seed of the box's deck included."""
        return printed(self)

    def view(self) -> GameView:
        """What anybody may see: all but the order of the deck."""
        return telling.view(self)

    def pads(self, start: Position, played: Played) -> tuple[ScorePad, ...]:
        """The paper of all runs (`engine.pad`): `played` leads from `start` to this position."""
        return pads_of(self, start, played)

    def _untimely(self, event: GameEvent, phase: Phase) -> AgainstTheRules:
        """Why this kind of event does not count in this phase."""
        if not any(type(event) in takes for takes in PHASES.values()):
            return AgainstTheRules(phrase("ZONK has no {event}.", event=type(event).__name__.lower()))
        match phase:
            case "ended":
                why, rule = phrase("The game is over; nothing counts any more."), "12"
            case "cast":
                why, rule = phrase("{player} must cast the dice first.", player=self.name), "3"
            case "fate":
                why, rule = phrase("The die of Dictate Fate must be cast first."), "10c"
            case "draw":
                why, rule = phrase("{player} must draw a card first: say which it is.", player=self.name), "8"
            case "rescue":
                why, rule = phrase("Nothing scores: play an item, or take the zonk with STOP."), "6a"
            case "pocket" | "choose" if isinstance(event, Stop):
                why, rule = phrase("There is no zonk to take: CACHE ends the turn."), "7"
            case "pocket" | "choose":
                why, rule = phrase("Cards are drawn at the end of the turn."), "8"
        return AgainstTheRules(why, rule)

    # Casting

    def _rolled(self, dice: tuple[Die, ...], phase: Phase) -> Self:
        kinds = kinds_of(dice)
        if kinds is None:
            raise AgainstTheRules(
                phrase(
                    "ZONK is cast with D6 and D4; here lie {dice}.",
                    dice=dice_named([die.kind for die in dice]),
                ),
                "3",
            )
        if phase == "fate":
            return self._fated(dice)
        if phase == "cast" or (phase == "choose" and not self.cast):
            if kinds != self.dice:
                raise self._wrong_dice(kinds, self.dice)
            return self._recast(dice)
        lying = kinds_of(self.cast)
        if phase == "choose" and kinds == self.again:
            return self._recast(dice)
        if self.may_hot_cast and kinds == self.dice:
            return self._recast(dice, hot=True)
        if self.lone and kinds == lying and phase != "choose":
            again = replace(self, cast=dice, lone=False, said=News(roll=faces_of(dice)))
            told = phrase("{player} casts the last die again: {dice}.", player=self.name, dice=row(dice))
            return again._judge_cast(told)
        implied = self._implied(kinds)
        whole = self._taken(implied)
        return whole._recast(dice, pockets_told(self.name, implied, whole.running))

    def _wrong_dice(self, kinds: Kinds, expected: Kinds) -> AgainstTheRules:
        rule = "3" if not self.slots else "7" if self.cast else "7b"
        return AgainstTheRules(
            phrase(
                "{player} casts {dice}; here lie {others}. Cast them all or correct the reading.",
                player=self.name,
                dice=kinds_named(expected),
                others=kinds_named(kinds),
            ),
            rule,
        )

    def _implied(self, kinds: Kinds) -> Pocketing:
        """What was pocketed when these dice are cast without a word (rule 4c)."""
        lying = kinds_of(self.cast) or (0, 0)
        all_again = kinds == self.dice and kinds != lying and self.agreed.aura == "set"
        taken = lying if all_again else (self.again[0] - kinds[0], lying[1] - kinds[1])
        for pocketing in self.gains:
            if kinds_of(pocketing.dice) == taken:
                return pocketing
        best = next(iter(self.gains), None)
        if best is None and self.scored:
            raise self._wrong_dice(kinds, lying)
        if best is None:
            raise AgainstTheRules(phrase("Nothing scores: play an item, or take the zonk with STOP."), "6a")
        wrong = phrase(
            "No pocketing of {cast} leaves {dice}. Pocket first, for instance {combos}.",
            cast=row(self.cast),
            dice=kinds_named(kinds),
            combos=combos_named(best.combos),
        )
        raise AgainstTheRules(wrong, "4c")

    def _recast(self, dice: tuple[Die, ...], told: str = "", *, hot: bool = False) -> Self:
        """A new cast of the turn; a hot one when enough dice were pocketed (rules 7b, 7c, 9d, 9e)."""
        seats, hot = self.seats, hot or (bool(self.slots) and not self.cast)
        more = self.hot_dice - self.seat.hot if hot else 0
        if more:
            seats = self._seats(replace(self.seat, hot=self.hot_dice))
        after = replace(
            self,
            seats=seats,
            slots=(*self.slots, Slot()),
            cast=sorted_dice(dice),
            scored=False,
            lone=len(dice) == 1 and "chance" in self.seat.modifiers,
            said=News(roll=faces_of(dice), banner=phrase("HOT CAST") if hot else ""),
        )
        return after._judge_cast(f"{told} {cast_told(self.name, dice, hot=hot)}".strip())

    def _fated(self, dice: tuple[Die, ...]) -> Self:
        if len(dice) != 1 or dice[0].kind != self.fated:
            kind = "D4" if self.fated == "d4" else "D6"
            one = phrase("Dictate Fate casts one {kind} again, and no other die.", kind=kind)
            raise AgainstTheRules(one, "10c")
        said = News(roll=faces_of(dice))
        if self.fated_pocket:
            slot = self.slots[self.fated_pocket - 1]
            back = replace(slot, values=tuple(sorted((*slot.values, *values_of(dice)))))
            after = replace(filled(self, self.fated_pocket, back), fated=None, fated_pocket=0, said=said)
            worth = thousands(after.worth(back))
            told = phrase(
                "{player} casts the die of pocket {pocket} again: {face}. The pocket counts {points}.",
                player=self.name,
                pocket=self.fated_pocket,
                face=said.roll[0],
                points=worth,
            )
            return after._left_lying(told)
        after = replace(self, cast=sorted_dice((*self.cast, *dice)), fated=None, said=said)
        return after._judge_cast(
            phrase("{player} casts the die again: {dice}.", player=self.name, dice=row(dice))
        )

    def _judge_cast(self, told: str) -> Self:
        """What the dice now lying there mean: something to pocket, a rescue, or a zonk (rules 4, 6, 6a)."""
        if self.scored or scores(values_of(self.cast), self.rules):
            return self if self.scored else self._saying(f"{told} {telling.best_told(self)}")
        if self.lone:
            second = phrase("No combo; Final Chance allows a second cast.")
            return self._saying(f"{told} {second}")
        if rescues(self):
            rescue = phrase("No combo: play an item, or take the zonk with STOP.")
            return self._saying(f"{told} {rescue}")
        return self._zonk(told)

    # Pocketing

    def _pocketed(self, combos: tuple[tuple[Die, ...], ...]) -> Self:
        dice = tuple(die for combo in combos for die in combo)
        if not dice or less(self.cast, dice) is None:
            lie = row(self.cast) or phrase("no dice")
            wrong = phrase("{dice} cannot be pocketed: there lie {cast}.", dice=row(dice), cast=lie)
            raise AgainstTheRules(wrong, "4")
        table, before = combo_table(self.rules), self.slots[-1].values
        if not before or self.agreed.same_cast == "apart":
            for combo in combos:
                if values_of(combo) not in table:
                    raise AgainstTheRules(phrase("{dice} is no combo.", dice=row(combo)), "4a")
        elif not joins(before, values_of(dice), self.rules):
            wrong = phrase(
                "{dice} cannot be pocketed beside {others} of the same cast: not all would be in a combo.",
                dice=row(dice),
                others=" ".join(map(str, before)),
            )
            raise AgainstTheRules(wrong, "4a")
        return self._taken(Pocketing(combos, 0))

    def _taken(self, pocketing: Pocketing) -> Self:
        """The position with these dice in the cast's pocket."""
        dice, slot = pocketing.dice, self.slots[-1]
        values = tuple(sorted((*slot.values, *values_of(dice))))
        after = replace(
            self,
            slots=(*self.slots[:-1], replace(slot, values=values)),
            cast=less(self.cast, dice) or (),
            scored=True,
            lone=False,
        )
        return after._saying(pocketed_told(after, pocketing, may_hot_cast=after.may_hot_cast))

    def _played(self, event: Play) -> Self:
        # Games begun before there was `same-cast` took an item here, and keep what it did.
        if self.items_too_late and self.agreed.same_cast == "together":
            late = phrase("Nothing scores, and items are too late: cast the die again, or press STOP.")
            raise AgainstTheRules(late, "6a")
        after, told = played(self, event)
        card = card_named(event.card)
        plays = phrase("{player} plays {card}.", player=self.name, card=NAMES[card] if card else "")
        if after.fated or (event.pocket and not after.scored):
            return after._left_lying(f"{plays} {told}.")
        if after.scored:
            so_far = phrase("{effect}; {points} so far.", effect=told, points=after.running)
            return after._saying(f"{plays} {so_far}")
        return replace(after, said=News(roll=faces_of(after.cast)))._judge_cast(
            f"{plays} {told}: {row(after.cast)}."
        )

    def _left_lying(self, news: str) -> Self:
        """After a card on a pocketed die the cast is what it was: it may be a zonk now (rule 6a)."""
        if self.phase != "rescue" or self.lone or rescues(self):
            return self._saying(news)
        return self._zonk(news)

    # The end of a turn

    def _cached(self) -> Self:
        best = next(iter(self.gains), None)
        whole = self._taken(best) if best else self
        news = cached_told(self.name, best, whole.running)
        return whole._turn_over(whole.running, news, str(whole.running))

    def _zonk(self, told: str) -> Self:
        return self._turn_over(0, zonk_told(told, self.running), "ZONK")

    def _turn_over(self, points: int, news: str, banner: str) -> Self:
        """Score the turn, and see to the quota and the cards (rules 2, 7, 8)."""
        seat = self.seat
        rounds, turns = seat.turns // TURNS, seat.turns + 1
        cached = tuple(had + points * (place == rounds) for place, had in enumerate(seat.points))
        seat = replace(seat, points=cached, turns=turns, hot=seat.hot if turns % TURNS else 0)
        after = replace(
            self,
            seats=self._seats(seat),
            slots=(),
            cast=(),
            scored=False,
            fated=None,
            fated_pocket=0,
            lone=False,
            rifts=0,
            said=News(news=news, banner=banner, roll=self.said.roll),
        )
        if turns % TURNS == 0:
            after = after._saying(f"{news} {telling.round_told(after, rounds)}")
        left = 0 if self.agreed.deck == "none" or after.over(self.active) else after.deck_left()
        due = min(CARDS_A_TURN, left)
        if self.agreed.deck == "box":
            return after._dealt(due)._passed()
        if not due:
            return after._passed()
        return replace(after._saying(f"{after.said.news} {draws_told(self.name, due)}"), due=due)

    def deck_left(self) -> int:
        """How many cards are left in the deck."""
        return len(CARDS) * self.agreed.copies - len(self.drawn())

    def _dealt(self, due: int) -> Self:
        """The next cards of the box's deck, given to the active player (rule 8e)."""
        if not due:
            return self
        top = len(self.drawn())
        cards = shuffle(self.agreed.seed, self.agreed.copies)[top : top + due]
        after = self
        for card in cards:
            after = replace(after, seats=after._seats(_given(after.seat, card)))
        return after._saying(f"{self.said.news} {dealt_told(self.name, cards)}")

    def _drew(self, text: str) -> Self:
        card = card_named(text)
        if card is None:
            known = cards_named(CARDS)
            wrong = phrase("No card is called {name}; there are {cards}.", name=plain(text), cards=known)
            raise AgainstTheRules(wrong, "8d")
        if self.drawn().count(card) == self.agreed.copies:
            raise AgainstTheRules(gone_told(card, self.agreed.copies), "8c")
        news = drawn_told(self.name, card)
        after = replace(
            self,
            seats=self._seats(_given(self.seat, card)),
            due=self.due - 1,
            said=News(news=news, roll=self.said.roll),
        )
        return after if after.due else after._passed()

    def _passed(self) -> Self:
        """The next player's turn, or the end."""
        following = self.next_seat()
        if following is None:
            ending = telling.ending(self)
            banner = ending_banner(ending)
            said = News(news=f"{self.said.news} {ending.cause}", banner=banner, roll=self.said.roll)
            return replace(self, said=said)
        after = replace(self, active=following)
        return after._saying(f"{self.said.news} {casts_told(after)}")

    def _seats(self, seat: Seat) -> tuple[Seat, ...]:
        """All runs, the active player's replaced."""
        return (*self.seats[: self.active], seat, *self.seats[self.active + 1 :])

    def _saying(self, news: str) -> Self:
        return replace(self, said=replace(self.said, news=news))


def _given(seat: Seat, card: Card) -> Seat:
    """The run with one card more."""
    if card in MODIFIERS:
        return replace(seat, modifiers=in_order((*seat.modifiers, card)))
    return replace(seat, items=in_order((*seat.items, card)))


# ZONK as a rulebook: its seats, options, dice and mat.


class ZonkRulebook:
    """ZONK, playtest rules version 2."""

    name = "zonk"
    title = "ZONK"
    seats = SEATS
    dice = Wanted(kind="pip", count=DICE, more=(Wanted(kind="d4", count=1),))
    options: Mapping[str, tuple[str, ...]] = {**WORDS, SEED: ()}
    option_words: Mapping[str, OptionWords] = guide.OPTION_WORDS
    younger: Mapping[str, str] = YOUNGER
    mat = MatRules(dice=Pockets(), cards=Cards())

    @property
    def risk(self) -> str:
        """A cast without a combo."""
        return phrase("Zonk next")

    def explain(self, agreed: Mapping[str, str]) -> tuple[str, ...]:
        """The rules in short."""
        return guide.explain(agreed)

    def complete(self, options: Mapping[str, str], chance: str) -> Mapping[str, str]:
        """A deck that the box deals, and that nobody named, is shuffled by chance (rule 8e)."""
        if options.get("deck") != "box" or options.get(SEED):
            return options
        return {**options, SEED: chance}

    def start(self, players: tuple[str, ...], options: Mapping[str, str]) -> ZonkPosition:
        """The first position; raises `Refused` for wrong players or options."""
        names = seat_players(players, self.seats, self.title, "1")
        chosen = agreement(agree_on_options(self.options, options, self.title))
        return ZonkPosition(agreed=chosen, players=names, seats=(Seat(),) * len(names))

    def parse(self, line: str) -> ZonkPosition:
        """The position of a line; raises `Unreadable` for one that cannot be."""
        return read(line, ZonkPosition)
