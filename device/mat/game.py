"""One game on its mat: what lies in the places is told to the rulebook, and what it means to the match.

Cards first, then betting dice, then dice that were set aside: `engine.game.MatRules` says what each means.
Here is only the order, and the complaint that stands until all is right.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import dist

from device.journal import Moment
from device.match import Match
from device.rolls.counted import leave_lying
from device.shown.snapshot import PlaceShown
from device.shown.words import die_of_color
from engine.dice import Die
from engine.game import BetsOnMat, CardsOnMat, MatRules, Position
from engine.mat import CardLaid, Dice, Expected, OnMat, Verdict
from engine.wording import phrase, phrase_later
from engine.words import capital, face_word
from vision.places import Ground, Layout, MatReading, Placed, Region
from vision.reading import Reading, SeenDie

# Betting dice that are shown on the mat: whose each is, by its place and colour, and which count.
#
# Betting dice still lie there from the last turn when the next bets are thought about. So a die counts only
# when it was put down since: it shows another number, lies elsewhere, or its place was empty in between.
# What those dice mean together is the rulebook's to say (`engine.game.BetsOnMat`).

TWO = phrase_later("Two betting dice lie there for {player}. Take one away.")
LAIN_MM = 2.0
"""A die that lies within so much of where it lay was not touched."""


class Reveal:
    """Remembers the betting dice that lay there before, for one game."""

    def __init__(self, bets: BetsOnMat) -> None:
        """Nothing was seen yet."""
        self._bets = bets
        self._lain: dict[int, Placed[SeenDie]] = {}
        self._betting = False

    def judge(self, layout: Layout, position: Position, placed: MatReading) -> Verdict:
        """What the betting dice of a still table say."""
        view = position.view()
        players = [allowed.player for allowed in view.allowed if allowed.button == "bet"]
        dice, trouble = by_seat(layout, placed, view.players)
        if not players or not self._betting:
            self._lain, self._betting = dict(dice), bool(players)
            return Verdict()
        self._lain = {seat: was for seat, was in self._lain.items() if _untouched(was, dice.get(seat))}
        seats = [view.players.index(player) for player in players]
        fresh = [seat for seat in seats if seat in dice and seat not in self._lain]
        if trouble and fresh:
            return Verdict(refused=trouble)
        return self._bets.judge(position, {seat: _dots(dice[seat]) for seat in fresh})


def by_seat(
    layout: Layout, placed: MatReading, players: Sequence[str]
) -> tuple[Mapping[int, Placed[SeenDie]], str]:
    """Each seat's betting die, from 0; and what is wrong with them, in a sentence."""
    places = [place for place in layout.of("bet") if place.number <= len(players)]
    owners = {place.color: place.number - 1 for place in places if place.color}
    found: dict[int, Placed[SeenDie]] = {}
    trouble = ""
    for one in placed.dice:
        place = one.region if one.region in places else None
        owner = owners.get(one.thing.color)
        seat = place.number - 1 if place else owner
        if one.thing.kind != "bet" or seat is None:
            continue
        name = players[seat]
        if place and owner is not None and owner != seat:
            wrong = phrase(
                "{die} is {owner}'s and lies in {player}'s place. Move it.",
                die=die_of_color(one.thing.color),
                owner=players[owner],
                player=name,
            )
            trouble = trouble or capital(wrong)
        if seat in found:
            trouble = trouble or phrase(TWO, player=name)
        found[seat] = one
    return found, trouble


def _dots(placed: Placed[SeenDie]) -> int:
    return placed.thing.value if isinstance(placed.thing.value, int) else 0


def _untouched(was: Placed[SeenDie], now: Placed[SeenDie] | None) -> bool:
    return now is not None and now.thing.value == was.thing.value and dist(now.at_mm, was.at_mm) < LAIN_MM


# Cards laid down on the mat, from one arrangement to the next: which are new, and which have been told.
#
# What a card means is the rulebook's to say (`engine.game.CardsOnMat`). A card that lies there when the game
# begins was there before, and means nothing. One about which the rulebook had to ask is asked about once:
# when it is not held any more, the question was answered on the console.

CARD_PLACES = frozenset({"cards", "pocket"})
"""The kinds of places in which a card means something."""


class LaidCards:
    """Remembers the cards that lie there, for one game."""

    def __init__(self, cards: CardsOnMat) -> None:
        """Nothing was seen yet."""
        self._cards = cards
        self._told: Counter[str] | None = None
        self._asked: Counter[str] = Counter()

    def find_new(self, placed: MatReading) -> tuple[Placed[str], ...]:
        """The cards that were laid down since, one after the other as they lie."""
        lying = placed.cards_lying
        self._told = lying if self._told is None else self._told & lying
        self._asked &= lying
        return new_cards(placed, self._told)

    def take_answer(self, laid: Placed[str], position: Position) -> bool:
        """Whether a card was asked about, and the answer came on the console; then it is told."""
        if not self._asked[laid.thing] or self._cards.holds(position, laid.thing):
            return False
        self.mark_handled(laid)
        return True

    def mark_handled(self, laid: Placed[str]) -> None:
        """The match has heard of that card."""
        if self._told is not None:
            self._told[laid.thing] += 1

    def mark_asked(self, laid: Placed[str]) -> None:
        """People were asked what that card means."""
        self._asked[laid.thing] = 1


def new_cards(placed: MatReading, told: Counter[str]) -> tuple[Placed[str], ...]:
    """The cards that were laid down since: of copies of one card, those that `told` does not count."""
    left = Counter(told)
    found = []
    for card in sorted(placed.cards, key=lambda one: one.at_mm):
        if card.region is None or card.region.kind not in CARD_PLACES:
            continue
        if left[card.thing] > 0:
            left[card.thing] -= 1
        else:
            found.append(card)
    return tuple(found)


def card_laid(card: Placed[str]) -> CardLaid:
    """A card in the rulebook's words."""
    in_pocket = card.region is not None and card.region.kind == "pocket"
    return CardLaid(card=card.thing, pocket=card.region.number if card.region and in_pocket else 0)


# What lies on the mat, in the rulebook's words: dice by the numbers of their places.


def on_mat(placed: MatReading) -> OnMat:
    """Dice that lie free, those set aside, and those by the cards."""
    aside: dict[int, Dice] = {}
    for one in (*placed.lie_in("pocket"), *placed.lie_in("aside")):
        if one.region:
            aside.setdefault(number_of(one.region), Counter())[die_of(one)] += 1
    return OnMat(
        free=Counter(die_of(one) for one in placed.dice if not (one.region and one.region.sets_aside)),
        aside=aside,
        by_cards=tuple(map(die_of, placed.lie_in("cards"))),
    )


def number_of(place: Region) -> int:
    """The number by which the rulebook knows a place where dice are set aside; a single one is the first."""
    return place.number or 1


def die_of(one: Placed[SeenDie]) -> Die:
    """The die without its place."""
    return one.thing.die


Outline = tuple[tuple[float, float], ...]

BLINK_EVERY_MS = 1000.0
"""While something may not lie as it does, the lamps blink so often."""


class PlacesGame:
    """One match on one layout."""

    def __init__(self, match: Match, layout: Layout) -> None:
        """What lies there when it begins was there before, and means nothing."""
        self._match = match
        self._layout = layout
        self._mat = match.rulebook.mat or MatRules()
        self._reveal = Reveal(self._mat.bets) if self._mat.bets else None
        self._laid = LaidCards(self._mat.cards) if self._mat.cards else None
        self._placed: MatReading | None = None
        self._complaint = ""
        self._complaint_at: Region | None = None
        self._blinked_ms = float("-inf")
        self._drawn: tuple[Ground, Sequence[Outline]] | None = None
        self._known: tuple[Position, Expected | None] | None = None

    def judge(self, placed: MatReading, at: Moment) -> None:
        """A new arrangement has come to rest."""
        self._placed = placed
        if self._match.pending or self._match.view.ending:
            return
        if not self._cards(placed, at) and not self._bets(placed, at):
            self._dice(placed, at)

    def in_the_way(self, placed: MatReading) -> str:
        """Why no roll counts while dice lie so, in a sentence; "" when it does."""
        dice, match = self._mat.dice, self._match
        place = self._set_aside_region(
            dice.find_stray(match.start, match.played, on_mat(placed)) if dice else 0
        )
        if place is None:
            return ""
        return phrase(
            "{place}: dice lie there that do not count. Take them out, then roll.",
            place=capital(place.words),
        )

    def only_moved(self, placed: MatReading) -> bool:
        """Whether just the dice of the turn lie there, only elsewhere: then nothing was thrown."""
        dice, match = self._mat.dice, self._match
        return dice is not None and dice.only_moved(match.start, match.played, on_mat(placed))

    def rolled(self, reading: Reading) -> Reading:
        """While one die is thrown alone, only that one: the others of the cast lie still."""
        still = self._mat.dice.lie_still(self._match.position) if self._mat.dice else None
        if not still:
            return reading
        alone = leave_lying(reading.dice, still)
        return reading if alone is None else replace(reading, dice=alone)

    def blink(self, time_ms: float) -> Sequence[str]:
        """Take the lamps that are to blink now, because something may not lie as it does: those that glow."""
        if not self._complaint or time_ms - self._blinked_ms < BLINK_EVERY_MS:
            return ()
        self._blinked_ms = time_ms
        return [name for name, lit in self._match.lamps().items() if lit]

    def show(self, ground: Ground) -> tuple[PlaceShown, ...]:
        """The places on the picture, what lies in them, and what they are for in the running turn."""
        if self._drawn is None or self._drawn[0] is not ground:
            self._drawn = ground, [_outline_px(place, ground) for place in self._layout.region]
        known = self._expected()
        return tuple(
            self._place_shown(place, corners, known)
            for place, corners in zip(self._layout.region, self._drawn[1], strict=True)
        )

    # Inside

    def _cards(self, placed: MatReading, at: Moment) -> bool:
        """Cards that were laid down; True while one of them waits for something."""
        cards, laid = self._mat.cards, self._laid
        if cards is None or laid is None:
            return False
        for card in laid.find_new(placed):
            if not laid.take_answer(card, self._match.position) and self._card(cards, laid, card, placed, at):
                return True
        return False

    def _card(
        self, cards: CardsOnMat, laid: LaidCards, card: Placed[str], placed: MatReading, at: Moment
    ) -> bool:
        """One card that was laid down; True when it waits for something."""
        match = self._match
        verdict = cards.judge(match.position, match.played, card_laid(card), on_mat(placed))
        if verdict.waits:
            laid.mark_asked(card)
            match.say(verdict.waits, "unsure")
            return True
        laid.mark_handled(card)
        where = card.region.label if card.region else "the mat"
        if match.move(verdict.events, f"a card on {where}", at):
            return False
        self._complaint, self._complaint_at = match.message.text, card.region
        return True

    def _bets(self, placed: MatReading, at: Moment) -> bool:
        """Betting dice; True when they said something."""
        if self._reveal is None:
            return False
        verdict = self._reveal.judge(self._layout, self._match.position, placed)
        if verdict.events:
            self._settle()
            self._match.move(verdict.events, "betting dice shown", at)
        elif verdict.refused:
            self._complain(verdict.refused, None, at)
        elif verdict.waits:
            self._match.say(verdict.waits)
        return bool(verdict.events or verdict.refused or verdict.waits)

    def _dice(self, placed: MatReading, at: Moment) -> None:
        """Dice that were set aside, or taken back."""
        dice, match = self._mat.dice, self._match
        if dice is None:
            return
        unsure = (*placed.unsure_in("pocket"), *placed.unsure_in("aside"))
        if unsure and unsure[0].region:
            where, why = capital(unsure[0].region.words), unsure[0].thing.reason
            text = phrase(
                "{place}: I cannot read a die ({reason}). Straighten it.", place=where, reason=phrase(why)
            )
            match.say(text, "unsure")
            return
        verdict = dice.judge(match.start, match.played, on_mat(placed))
        place = self._set_aside_region(verdict.at)
        if verdict.refused:
            self._complain(verdict.refused, place, at)
            return
        self._settle()
        if verdict.events:
            match.move(verdict.events, f"moved to {place.label}" if place else "moved", at)

    def _complain(self, text: str, where: Region | None, at: Moment) -> None:
        self._complaint, self._complaint_at = text, where
        self._match.refuse(text, at)

    def _settle(self) -> None:
        """What was complained about has been put right: the game's own news are shown again."""
        if self._complaint and self._match.message.tone == "refused":
            self._match.say(self._match.view.news)
        self._complaint, self._complaint_at = "", None

    def _set_aside_region(self, number: int) -> Region | None:
        """The place in which dice are set aside, by its number."""
        places = (*self._layout.of("pocket"), *self._layout.of("aside"))
        return next((place for place in places if number and number_of(place) == number), None)

    def _expected(self) -> Expected | None:
        """Where the rulebook knows the dice to lie; asked once for each position."""
        match, position = self._match, self._match.position
        if self._known is None or self._known[0] is not position:
            dice = self._mat.dice
            self._known = position, dice.expect(match.start, match.played) if dice else None
        return self._known[1]

    def _place_shown(self, place: Region, corners: Outline, known: Expected | None) -> PlaceShown:
        dice = [one for one in self._placed.dice if one.region == place] if self._placed is not None else []
        cards = [one for one in self._placed.cards if one.region == place] if self._placed is not None else []
        return PlaceShown(
            label=place.words,
            kind=place.kind,
            corners=corners,
            lies=(*(face_word(one.thing.value) for one in dice), *(self._name(one.thing) for one in cards)),
            wrong=bool(self._complaint) and place == self._complaint_at,
            due=known is not None and place == self._set_aside_region(known.current),
            pocket=known.first + number_of(place) if known is not None and place.kind == "pocket" else 0,
        )

    def _name(self, card: str) -> str:
        return self._mat.cards.name(card) if self._mat.cards else card


def _outline_px(place: Region, ground: Ground) -> Outline:
    corners = ground.pixels(place.outline_mm)
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)
