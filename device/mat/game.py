"""One game on its mat: what lies in the places, held against the rulebook, and what the match is told.

Cards first, then betting dice, then dice that were set aside: `cards`, `bets` and
`set_aside` say what each means. Here is only the order, and the complaint that stands until all is right.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from device.journal import Moment
from device.mat.bets import Reveal
from device.mat.books import BOOKS
from device.mat.cards import card_means, new_cards
from device.mat.set_aside import Expected, Seen, judged, rearranged, unsettled
from device.match import Match
from device.snapshot import PlaceShown
from engine.dice import Die
from engine.game import Position
from engine.zonk import ZonkPosition
from engine.zonk.cards import NAMES, card_named
from vision.places import Ground, Layout, MatReading, Placed, Region
from vision.reading import Reading, SeenDie

Outline = tuple[tuple[float, float], ...]

BLINK_EVERY_MS = 1000.0
"""While something may not lie as it does, the lamps blink so often."""


class PlacesGame:
    """One match on one layout."""

    def __init__(self, match: Match, layout: Layout) -> None:
        """What lies there when it begins was there before, and means nothing."""
        self._match = match
        self._layout = layout
        self._book = BOOKS.get(match.rulebook.name)
        self._reveal = Reveal()
        self._placed: MatReading | None = None
        self._told: Counter[str] | None = None
        self._asked: Counter[str] = Counter()
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
        match = self._match
        number = unsettled(self._book, match.start, match.played, _seen(placed)) if self._book else 0
        place = self._place(number)
        if place is None:
            return ""
        return f"{place.label.capitalize()}: dice lie there that do not count. Take them out, then roll."

    def only_moved(self, placed: MatReading) -> bool:
        """Whether just the dice of the turn lie there, only elsewhere: then nothing was thrown."""
        book, match = self._book, self._match
        return book is not None and rearranged(book, match.start, match.played, _seen(placed))

    def rolled(self, reading: Reading) -> Reading:
        """While one die is cast again alone, only that one: the others of the cast lie still."""
        position = self._match.position
        if not isinstance(position, ZonkPosition) or not position.fated:
            return reading
        left = Counter(position.cast)
        fresh = []
        for seen in reading.dice:
            if left[seen.die] > 0:
                left[seen.die] -= 1
            else:
                fresh.append(seen)
        return reading if left.total() else replace(reading, dice=tuple(fresh))

    def blinks(self, time_ms: float) -> Sequence[str]:
        """The lamps that blink now because something may not lie as it does: those that glow."""
        if not self._complaint or time_ms - self._blinked_ms < BLINK_EVERY_MS:
            return ()
        self._blinked_ms = time_ms
        return [name for name, lit in self._match.lamps().items() if lit]

    def shown(self, ground: Ground) -> tuple[PlaceShown, ...]:
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
        if not isinstance(self._match.position, ZonkPosition):
            return False
        if self._told is None:
            self._told = placed.cards_lying
        self._told &= placed.cards_lying
        self._asked &= placed.cards_lying
        for laid in new_cards(placed, self._told):
            position = self._match.position
            assert isinstance(position, ZonkPosition)  # noqa: S101 - one game, one rulebook
            if self._asked[laid.thing] and laid.thing not in position.seat.items:
                self._told[laid.thing] += 1  # asked about, and answered on the console
                continue
            verdict = card_means(position, self._match.played, laid, placed)
            if verdict.event is None:
                self._asked[laid.thing] = 1
                self._match.say(verdict.asks, "unsure")
                return True
            self._told[laid.thing] += 1
            where = laid.region.label if laid.region else "the mat"
            if not self._match.move([verdict.event], f"a card on {where}", at):
                self._complaint, self._complaint_at = self._match.message.text, laid.region
                return True
        return False

    def _bets(self, placed: MatReading, at: Moment) -> bool:
        """Betting dice; True when they said something."""
        bets = self._reveal.see(self._layout, self._match.position, placed)
        if bets.bets:
            self._settle()
            self._match.move(bets.bets, "betting dice shown", at)
        elif bets.refused:
            self._complain(bets.refused, None, at)
        elif bets.waits:
            self._match.say(bets.waits)
        return bool(bets.bets or bets.refused or bets.waits)

    def _dice(self, placed: MatReading, at: Moment) -> None:
        """Dice that were set aside, or taken back."""
        if self._book is None:
            return
        unsure = (*placed.unsure_in("pocket"), *placed.unsure_in("aside"))
        if unsure and unsure[0].region:
            where, why = unsure[0].region.label.capitalize(), unsure[0].thing.reason
            self._match.say(f"{where}: I cannot read a die ({why}). Straighten it.", "unsure")
            return
        verdict = judged(self._book, self._match.start, self._match.played, _seen(placed))
        place = self._place(verdict.at)
        if verdict.refused:
            self._complain(verdict.refused, place, at)
            return
        self._settle()
        if verdict.events:
            self._match.move(verdict.events, f"moved to {place.label}" if place else "moved", at)

    def _complain(self, text: str, where: Region | None, at: Moment) -> None:
        self._complaint, self._complaint_at = text, where
        self._match.refuse(text, at)

    def _settle(self) -> None:
        """What was complained about has been put right: the game's own news are shown again."""
        if self._complaint and self._match.message.tone == "refused":
            self._match.say(self._match.view.news)
        self._complaint, self._complaint_at = "", None

    def _place(self, number: int) -> Region | None:
        """The place in which dice are set aside, by its number."""
        places = (*self._layout.of("pocket"), *self._layout.of("aside"))
        return next((place for place in places if number and (place.number or 1) == number), None)

    def _expected(self) -> Expected | None:
        """Where the rulebook knows the dice to lie; asked once for each position."""
        match, position = self._match, self._match.position
        if self._known is None or self._known[0] is not position:
            self._known = position, self._book.expected(match.start, match.played) if self._book else None
        return self._known[1]

    def _place_shown(self, place: Region, corners: Outline, known: Expected | None) -> PlaceShown:
        dice = [one for one in self._placed.dice if one.region == place] if self._placed is not None else []
        cards = [one for one in self._placed.cards if one.region == place] if self._placed is not None else []
        return PlaceShown(
            label=place.label,
            kind=place.kind,
            corners=corners,
            lies=(*(str(one.thing.value) for one in dice), *(_card_name(one.thing) for one in cards)),
            wrong=bool(self._complaint) and place == self._complaint_at,
            due=known is not None and place == self._place(known.current),
            pocket=known.first + (place.number or 1) if known is not None and place.kind == "pocket" else 0,
        )


def _seen(placed: MatReading) -> Seen:
    """Dice that lie free and those set aside, as the engine knows dice."""
    aside: dict[int, Counter[Die]] = {}
    for one in (*placed.lie_in("pocket"), *placed.lie_in("aside")):
        if one.region:
            aside.setdefault(one.region.number or 1, Counter())[_die(one)] += 1
    free = Counter(_die(one) for one in placed.dice if not (one.region and one.region.sets_aside))
    return Seen(free=free, aside=aside)


def _outline_px(place: Region, ground: Ground) -> Outline:
    corners = ground.pixels(place.outline_mm)
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)


def _card_name(word: str) -> str:
    card = card_named(word)
    return NAMES[card] if card else word


def _die(one: Placed[SeenDie]) -> Die:
    return one.thing.die
