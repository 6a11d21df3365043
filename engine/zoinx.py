"""Zoinx, for two to four. Sources: the rulebooks of Gamewright (English) and Game Factory (German, French).

Rules
 1   Two to four play. Turns go to the left: on through the players in seating order.
 2   The first turn has, in the Gamewright edition, the player whose name is nearest to Z; in the Game Factory
     edition the youngest (option `youngest`; unless told, the player named first).
 2a  Nearest to Z: names are compared letter by letter in any case and without accents, and only A to Z count.
     A name goes before a shorter one that it continues. Of names that read alike, the first in seating order.
 3   Before the first roll of a turn everybody, the active player too, locks a bet on the dots that the active
     player will gather: 0, 2, 4, 6, 8 or 10.
 3a  The active player never bets 0.
 3b  Bets are secret until all are locked, then all are shown. A locked bet stays.
 4   The active player rolls all four Zoinx dice each time, and adds up the dots of the turn.
 4a  With fewer dots than the own bet: roll again. 4b: with as many or more: stop, or roll again.
 5   Zoinx: a roll without any dot. The turn ends at once.
 6   The active player scores the bet when it is met exactly, bet plus dots when it is passed, 0 on a zoinx.
 7   Every opponent whose bet was reached scores it, 7a: even when a zoinx follows. A higher bet scores 0.
 7b  A bet of 0 scores 5 on a zoinx, whatever was rolled before it, and 0 otherwise.
 8   The final round begins at the end of a turn whose active player then has 30 points or more and more than
     anybody else. 8a: a turn that a zoinx ends counts. 8b: sharing the lead does not begin it.
 8c  Option `goal`: another number than 30, from 10 to 1,000.
 9   Each opponent then has one last turn, in which everybody goes on scoring. Nothing prolongs it.
 9a  Option `last`: with `everybody`, as the French text can be read, the player who began it has one more.
10   After it the most points win. 10a: on a tie the Game Factory edition asks who reached that score first;
     points of one turn come at once, and whoever still ties shares the win. Gamewright prints no rule: the
     tied share the win. Option `ties` (`first`, `shared`) chooses either for either edition.
11   After the end nothing counts any more.

Disputed and misprinted points: docs/rulings.md. `engine.zoinx_line` holds the position and its line.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace

from engine.dice import Die
from engine.events import Bet, GameEvent, Rolled, Stop
from engine.game import Allowed, BetShown, Ending, GameView, MatRules, OptionWords, Said, Wanted
from engine.refusal import AgainstTheRules
from engine.seating import agree_on_options, seat_of, seat_players, tidy
from engine.winning import highest
from engine.wording import phrase, phrase_count, phrase_later
from engine.words import dice_named, either, faces, together
from engine.zoinx_line import BETS, GOAL, SEATS, ZERO_PAYS, Phase, ZoinxState, leads, printed, read, read_goal
from engine.zoinx_mat import Bets

PHASES: dict[Phase, dict[type[GameEvent], tuple[Phase, ...]]] = {
    "bet": {Bet: ("bet", "roll")},
    "roll": {Rolled: ("roll", "bet", "ended"), Stop: ("bet", "ended")},
    "ended": {},
}
"""Each phase: the events it takes, and the phases they may lead to."""


DICE = Wanted(kind="zoinx", count=4)
"""Four identical dice, each with two dots and four squares."""


class ZoinxPosition(ZoinxState):
    """One moment of one game: what may happen next, and what then is. The facts stand in `ZoinxState`."""

    __slots__ = ()

    @property
    def may_stop(self) -> bool:
        """Whether the active player has reached the own bet (rule 4b)."""
        return self.phase == "roll" and self.dots >= (self.bets[self.active] or 0)

    def after(self, event: GameEvent) -> "ZoinxPosition":
        """The position after `event`; raises `Refused` with the reason."""
        if not isinstance(event, Bet | Rolled | Stop):
            raise AgainstTheRules(phrase("Zoinx has no {event}.", event=type(event).__name__.lower()))
        if type(event) not in PHASES[self.phase]:
            raise self._untimely(event)
        match event:
            case Bet():
                return self._bet(event)
            case Rolled():
                return self._rolled(event.dice)
            case Stop():
                return self._stopped()

    def _untimely(self, event: Bet | Rolled | Stop) -> AgainstTheRules:
        """Why this kind of event does not count in this phase."""
        name = self.players[self.active]
        if self.phase == "ended":
            return AgainstTheRules(phrase("The game is over; nothing counts any more."), "11")
        match event:
            case Bet():
                return AgainstTheRules(
                    phrase("All bets are shown; {player} is rolling. Bet again next turn.", player=name), "3b"
                )
            case Rolled() | Stop():
                waits_for = together(self._undecided())
                return AgainstTheRules(phrase("{players} must lock a bet first.", players=waits_for), "3")

    def _undecided(self) -> tuple[str, ...]:
        return tuple(name for name, bet in zip(self.players, self.bets, strict=True) if bet is None)

    def _bet(self, event: Bet) -> "ZoinxPosition":
        seat = seat_of(self.players, event.player, "1")
        name = self.players[seat]
        if self.bets[seat] is not None:
            raise AgainstTheRules(
                phrase("{player} has locked a bet already. Only UNDO opens it again.", player=name), "3b"
            )
        if event.dots not in BETS:
            raise AgainstTheRules(
                phrase("A bet is {bets}; got {dots}.", bets=either([*map(str, BETS)]), dots=event.dots), "3"
            )
        if event.dots == 0 and seat == self.active:
            raise AgainstTheRules(phrase("{player} rolls this turn and cannot bet 0.", player=name), "3a")
        bets = (*self.bets[:seat], event.dots, *self.bets[seat + 1 :])
        news = phrase("{player} has locked a bet.", player=name)
        if None not in bets:
            shown = ", ".join(f"{who} {bet}" for who, bet in zip(self.players, bets, strict=True))
            news = phrase("The bets: {bets}. {player} rolls.", bets=shown, player=self.players[self.active])
        return replace(self, bets=bets, said=Said(news=news, roll=self.said.roll))

    def _rolled(self, dice: tuple[Die, ...]) -> "ZoinxPosition":
        kinds = [die.kind for die in dice]
        if kinds != ["zoinx"] * 4:
            raise AgainstTheRules(
                phrase(
                    "A roll is four Zoinx dice; this is {dice}. Throw all four or correct them.",
                    dice=dice_named(kinds),
                ),
                "4",
            )
        shown = faces([die.value for die in dice])
        rolled = shown.count("dot")
        if not rolled:
            return self._turn_over(zoinx=True, roll=shown)
        dots, bet = self.dots + rolled, self.bets[self.active] or 0
        then = (
            phrase("{dots} to go to the bet of {bet}.", dots=bet - dots, bet=bet)
            if dots < bet
            else phrase("The bet of {bet} is reached: stop or roll on.", bet=bet)
        )
        return replace(self, dots=dots, said=Said(news=f"{self._rolled_told(rolled)} {then}", roll=shown))

    def _rolled_told(self, rolled: int) -> str:
        """A roll with dots, in a sentence, from the position before it."""
        name = self.players[self.active]
        if not self.dots:
            return phrase_count(
                "{player} rolls {count} dot.", "{player} rolls {count} dots.", rolled, player=name
            )
        return phrase_count(
            "{player} rolls {count} dot more, {total} in all.",
            "{player} rolls {count} dots more, {total} in all.",
            rolled,
            player=name,
            total=self.dots + rolled,
        )

    def _stopped(self) -> "ZoinxPosition":
        if not self.may_stop:
            name, bet = self.players[self.active], self.bets[self.active]
            short = phrase_count(
                "{player} bet {bet} and has {count} dot: roll again.",
                "{player} bet {bet} and has {count} dots: roll again.",
                self.dots,
                player=name,
                bet=bet,
            )
            raise AgainstTheRules(short, "4a")
        return self._turn_over(zoinx=False, roll=self.said.roll)

    def _turn_over(self, *, zoinx: bool, roll: tuple[str, ...]) -> "ZoinxPosition":
        """Score the turn, and see whether the final round or the end has come."""
        active, turn = self.active, self.turn + 1
        gains = tuple(
            (active_points if seat == active else opponent_points)(bet or 0, self.dots, zoinx=zoinx)
            for seat, bet in enumerate(self.bets)
        )
        scores = tuple(score + gain for score, gain in zip(self.scores, gains, strict=True))
        begins = self.final is None and leads(scores, active, self.goal)
        over = replace(
            self,
            scores=scores,
            since=tuple(turn if gain else was for gain, was in zip(gains, self.since, strict=True)),
            bets=(None,) * len(self.players),
            turn=turn,
            dots=0,
            final=turn if begins else self.final,
        )
        return replace(over, said=over._told(self, gains, zoinx=zoinx, roll=roll, begins=begins))

    def _told(
        self,
        before: "ZoinxPosition",
        gains: tuple[int, ...],
        *,
        zoinx: bool,
        roll: tuple[str, ...],
        begins: bool,
    ) -> Said:
        """What the end of a turn means, for the table."""
        name = self.players[before.active]
        news, banner = [_stopped_told(name, before.dots, zoinx=zoinx)], "ZOINX" if zoinx else ""
        paid = ", ".join(f"{who} {gain}" for who, gain in zip(self.players, gains, strict=True) if gain)
        news.append(phrase("Points: {points}.", points=paid) if paid else phrase("No points for anybody."))
        if begins:
            banner, points = f"{self.goal}!", self.scores[before.active]
            leads_now = phrase(
                "{player} leads with {points}: the final round begins.", player=name, points=points
            )
            news.append(leads_now)
        if ending := self.ending():
            banner = ending.winners[0] if len(ending.winners) == 1 else phrase("SHARED")
            news.append(ending.cause)
        return Said(news=" ".join(news), banner=banner, roll=roll)

    def ending(self) -> Ending | None:
        """Who won and why (rules 10, 10a); None while the game goes on."""
        if self.phase != "ended":
            return None
        return highest(self.players, self.scores, self.since, _won_told, shared=self.ties == "shared")

    def line(self) -> str:
        """The whole position, locked bets included."""
        return printed(self, secrets=True)

    def view(self) -> GameView:
        """What anybody may see: no bet before all are locked."""
        phase, rolling = self.phase, self.phase == "roll"
        return GameView(
            game="zoinx",
            edition=self.edition,
            phase=phase,
            players=self.players,
            scores=self.scores,
            active=None if phase == "ended" else self.players[self.active],
            running=self.dots if rolling else None,
            bets=tuple(self._bet_shown(bet) for bet in self.bets),
            allowed=self._allowed(),
            wanted=DICE if rolling else None,
            news=self.said.news or self._call(),
            banner=self.said.banner,
            ending=self.ending(),
            line=printed(self, secrets=rolling),
            last_roll=self.said.roll,
            buttons=("bet", "roll_done", "stop"),
            turn_end="stop",
            unit=phrase_count("dot", "dots", self.dots),
        )

    def _bet_shown(self, bet: int | None) -> BetShown:
        if bet is None:
            return "thinking"
        return bet if self.phase == "roll" else "locked"

    def _call(self) -> str:
        """What the table waits for, when no event has been told yet."""
        name = self.players[self.active]
        match self.phase:
            case "bet":
                return phrase("{player} rolls this turn. Everybody bets.", player=name)
            case "roll":
                return phrase("{player} rolls.", player=name)
            case "ended":
                ending = self.ending()
                return ending.cause if ending else ""

    def _allowed(self) -> tuple[Allowed, ...]:
        name = self.players[self.active]
        match self.phase:
            case "bet":
                return tuple(
                    Allowed(button="bet", player=who, choices=BETS[1:] if who == name else BETS)
                    for who in self._undecided()
                )
            case "roll":
                roll = Allowed(button="roll_done", player=name)
                return (roll, Allowed(button="stop", player=name)) if self.may_stop else (roll,)
            case "ended":
                return ()


def _stopped_told(name: str, dots: int, *, zoinx: bool) -> str:
    """How a turn ended."""
    if zoinx:
        return phrase("ZOINX! {player} loses the turn.", player=name)
    return phrase_count(
        "{player} stops at {count} dot.", "{player} stops at {count} dots.", dots, player=name
    )


def _won_told(winner: str, points: int) -> str:
    """Who has the most (rule 10)."""
    return phrase(
        "{player} wins with {points} points, the most after the final round (rule 10).",
        player=winner,
        points=points,
    )


def active_points(bet: int, dots: int, *, zoinx: bool) -> int:
    """Rule 6, for a turn that ended with at least the bet or with a zoinx."""
    if zoinx:
        return 0
    return bet if dots == bet else bet + dots


def opponent_points(bet: int, dots: int, *, zoinx: bool) -> int:
    """Rules 7, 7a, 7b; `dots` are those before the zoinx."""
    if bet == 0:
        return ZERO_PAYS if zoinx else 0
    return bet if dots >= bet else 0


def letters(name: str) -> str:
    """The letters of a name that count for rule 2a, as a to z."""
    folded = ""
    for char in unicodedata.normalize("NFKD", name.casefold()):
        stroke = re.match(r"LATIN SMALL LETTER ([A-Z]{1,2})(?: WITH |$)", unicodedata.name(char, ""))
        folded += stroke[1].lower() if stroke else ""
    return folded


def nearest_to_z(players: tuple[str, ...]) -> int:
    """The seat of the first turn by rule 2a."""
    return max(range(len(players)), key=lambda seat: (letters(players[seat]), -seat))


OPTION_WORDS: Mapping[str, OptionWords] = {
    "edition": OptionWords(name=phrase_later("Edition"), front=True),
    "youngest": OptionWords(
        name=phrase_later("Youngest player"),
        front=True,
        only_with={"edition": ("game-factory",)},
        free="player",
    ),
    "goal": OptionWords(name=phrase_later("Points to reach"), hint=str(GOAL), front=True),
    "ties": OptionWords(
        name=phrase_later("Ties"),
        values={
            "edition": phrase_later("As the edition has it"),
            "shared": phrase_later("The win is shared"),
            "first": phrase_later("Whoever was there first"),
        },
    ),
    "last": OptionWords(
        name=phrase_later("Last round for"),
        values={"opponents": phrase_later("All others"), "everybody": phrase_later("Everybody once more")},
    ),
}
"""Words for each option."""


class ZoinxRulebook:
    """Both editions of Zoinx."""

    name = "zoinx"
    title = "Zoinx"
    seats = SEATS
    dice = DICE
    options: Mapping[str, tuple[str, ...]] = {
        "edition": ("gamewright", "game-factory"),
        "youngest": (),
        "ties": ("edition", "shared", "first"),
        "last": ("opponents", "everybody"),
        "goal": (),
    }
    option_words: Mapping[str, OptionWords] = OPTION_WORDS
    younger: Mapping[str, str] = {}
    mat = MatRules(bets=Bets())

    @property
    def risk(self) -> str:
        """A throw without a dot."""
        return phrase("Zoinx next")

    def explain(self, agreed: Mapping[str, str]) -> tuple[str, ...]:
        """The rules in short."""
        last = phrase_later(
            "With {points} or more and alone in the lead the last round begins: each other player has one "
            "more "
            "turn."
        )
        if agreed["last"] == "everybody":
            last = phrase_later(
                "With {points} or more and alone in the lead the last round begins: everybody has one more "
                "turn."
            )
        return (
            phrase(
                "Everybody bets in secret how many dots the turn will gather: 0, 2, 4, 6, 8 or 10. "
                "Whoever rolls bets at least 2."
            ),
            phrase(
                "All four dice are thrown each time, and dots add up. Below the own bet: throw again. "
                "From there on: STOP, or throw on."
            ),
            phrase("A throw without a dot is a ZOINX: the turn is over, and whoever rolled gets nothing."),
            phrase(
                "Stopped at exactly the bet: the bet. Above it: bet plus dots. Everybody else whose bet was "
                "reached gets that bet, also when a ZOINX follows."
            ),
            phrase("A bet of 0 gets 5 for a ZOINX."),
            phrase(last, points=agreed["goal"] or GOAL),
        )

    def complete(self, options: Mapping[str, str], chance: str) -> Mapping[str, str]:  # noqa: ARG002
        """Nothing is left to the box."""
        return options

    def start(self, players: tuple[str, ...], options: Mapping[str, str]) -> ZoinxPosition:
        """The first position; raises `Refused` for wrong players or options."""
        names = seat_players(players, self.seats, self.title, "1")
        chosen = agree_on_options(self.options, options, self.title)
        edition, youngest, ties = chosen["edition"], tidy(chosen["youngest"]), chosen["ties"]
        first = 0
        if edition == "gamewright":
            if youngest:
                raise AgainstTheRules(
                    phrase(
                        "In the Gamewright edition the name nearest to Z begins. Leave out youngest, or "
                        "choose edition=game-factory."
                    ),
                    "2",
                )
            first = nearest_to_z(names)
        elif youngest:
            first = seat_of(names, youngest, "2")
        if ties == "edition":
            ties = "first" if edition == "game-factory" else "shared"
        nobody = (0,) * len(names)
        return ZoinxPosition(
            edition=edition,
            ties=ties,
            last=chosen["last"],
            goal=read_goal(chosen["goal"] or str(GOAL)),
            players=names,
            first=first,
            scores=nobody,
            since=nobody,
            bets=(None,) * len(names),
        )

    def parse(self, line: str) -> ZoinxPosition:
        """The position of a line; raises `Unreadable` for one that cannot be."""
        return read(line, ZoinxPosition)
