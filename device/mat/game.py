"""One game on its mat: what lies in the places is told to the rulebook, and what it means to the match.

Cards first, then betting dice, then dice that were set aside: `engine.game.MatRules` says what each means.
Here is only the order, and the complaint that stands until all is right.
"""

from collections.abc import Sequence
from dataclasses import replace

from device.journal import Moment
from device.mat.bets import Reveal
from device.mat.cards import LaidCards, card_laid
from device.mat.lying import number_of, on_mat
from device.match import Match
from device.rolls.counted import leave_lying
from device.shown.snapshot import PlaceShown
from engine.game import CardsOnMat, MatRules, Position
from engine.mat import Expected
from engine.wording import phrase
from engine.words import capital, face_word
from vision.places import Ground, Layout, MatReading, Placed, Region
from vision.reading import Reading

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
        place = self._place(dice.find_stray(match.start, match.played, on_mat(placed)) if dice else 0)
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
        cards, laid = self._mat.cards, self._laid
        if cards is None or laid is None:
            return False
        for card in laid.see(placed):
            if not laid.answered(card, self._match.position) and self._card(cards, laid, card, placed, at):
                return True
        return False

    def _card(
        self, cards: CardsOnMat, laid: LaidCards, card: Placed[str], placed: MatReading, at: Moment
    ) -> bool:
        """One card that was laid down; True when it waits for something."""
        match = self._match
        verdict = cards.judge(match.position, match.played, card_laid(card), on_mat(placed))
        if verdict.waits:
            laid.asked(card)
            match.say(verdict.waits, "unsure")
            return True
        laid.told(card)
        where = card.region.label if card.region else "the mat"
        if match.move(verdict.events, f"a card on {where}", at):
            return False
        self._complaint, self._complaint_at = match.message.text, card.region
        return True

    def _bets(self, placed: MatReading, at: Moment) -> bool:
        """Betting dice; True when they said something."""
        if self._reveal is None:
            return False
        verdict = self._reveal.see(self._layout, self._match.position, placed)
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
        place = self._place(verdict.at)
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

    def _place(self, number: int) -> Region | None:
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
            due=known is not None and place == self._place(known.current),
            pocket=known.first + number_of(place) if known is not None and place.kind == "pocket" else 0,
        )

    def _name(self, card: str) -> str:
        return self._mat.cards.name(card) if self._mat.cards else card


def _outline_px(place: Region, ground: Ground) -> Outline:
    corners = ground.pixels(place.outline_mm)
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)
