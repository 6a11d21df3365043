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

Disputed and misprinted points: docs/rulings.md. `engine.zoinx` holds the position and its line.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Literal, TypeVar

from engine.dice import Die
from engine.events import Bet, GameEvent, Rolled, Stop
from engine.game import (
    Allowed,
    BetShown,
    Ending,
    GameView,
    MatRules,
    News,
    OptionWords,
    Position,
    Wanted,
)
from engine.lines import one_of, pack, print_words, split_line, unpack, whole
from engine.mat import Verdict
from engine.refusal import AgainstTheRules, Refused, Unreadable
from engine.seating import agree_on_options, seat_of, seat_players, tidy, tidy_name
from engine.winning import highest
from engine.wording import phrase, phrase_count, phrase_later
from engine.words import dice_named, either, faces, plain, together

# Zoinx's position: what it holds, the line that says it all, and which positions cannot be.
#
# zoinx edition=gamewright ties=shared last=opponents first=Ann turn=4 final=- dots=0 Ann:12@3:6 Bob:0@0:-
#
# A seat is NAME:SCORE@TURN:BET, TURN being the one in which the score was reached. A bet is a number or `-`;
# where bets are secret, the public line has `?` for a locked one. Rule numbers are those of `engine.zoinx`.

SEATS = range(2, 5)
BETS = (0, 2, 4, 6, 8, 10)
ZERO_PAYS = 5
GOAL = 30
"""The points that begin the final round, unless another goal is agreed (rule 8c)."""
GOALS = range(10, 1001)
"""The goals that may be agreed."""
KEYS = ("edition", "ties", "last", "goal", "first", "turn", "final", "dots")
UNSAID = {"goal": str(GOAL)}
"""Keys that the first lines do not have, and what is meant where a line leaves them out."""

Phase = Literal["bet", "roll", "ended"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoinxState:
    """One moment of one game. Seats count from 0 in seating order, turns from 1."""

    edition: str
    ties: str
    last: str
    players: tuple[str, ...]
    first: int
    """The seat of the first turn."""
    scores: tuple[int, ...]
    since: tuple[int, ...]
    """The turn in which each player reached the present score; 0 before any points."""
    bets: tuple[int | None, ...]
    turn: int = 0
    """How many turns have ended."""
    dots: int = 0
    """Gathered in this turn; 0 also before its first roll, because a roll without dots ends it."""
    final: int | None = None
    """How many turns had ended when the final round began."""
    goal: int = GOAL
    """The points that begin the final round (rules 8, 8c)."""
    said: News = field(default=News(), compare=False)

    @property
    def active(self) -> int:
        """The seat of the player whose turn it is."""
        return (self.first + self.turn) % len(self.players)

    @property
    def phase(self) -> Phase:
        """Betting, rolling, or ended."""
        if self.final is not None and self.turn >= self.final + self.last_turns:
            return "ended"
        return "bet" if None in self.bets else "roll"

    @property
    def last_turns(self) -> int:
        """How many turns the final round has (rules 9, 9a)."""
        return len(self.players) - (self.last == "opponents")


State = TypeVar("State", bound=ZoinxState)


def leads(scores: tuple[int, ...], seat: int, goal: int) -> bool:
    """Rules 8 and 8b: the goal or more, and more than anybody else."""
    return scores[seat] >= goal and scores.count(scores[seat]) == 1 and scores[seat] == max(scores)


def printed(state: ZoinxState, *, secrets: bool) -> str:
    """The position line; without `secrets` each locked bet is `?`."""
    head = {
        "edition": state.edition,
        "ties": state.ties,
        "last": state.last,
        "goal": state.goal,
        "first": pack(state.players[state.first]),
        "turn": state.turn,
        "final": "-" if state.final is None else state.final,
        "dots": state.dots,
    }
    seats = [
        f"{pack(name)}:{score}@{since}:{'-' if bet is None else bet if secrets else '?'}"
        for name, score, since, bet in zip(state.players, state.scores, state.since, state.bets, strict=True)
    ]
    return " ".join(["zoinx", *print_words(head, UNSAID), *seats])


def read(line: str, position: type[State]) -> State:
    """The position of a line; raises `Unreadable` for one that cannot be."""
    values, words = split_line(line, "zoinx", KEYS, UNSAID)
    seats = [_seat(word) for word in words]
    try:
        names = seat_players(tuple(name for name, _, _, _ in seats), SEATS, "Zoinx", "1")
    except Refused as refused:
        raise Unreadable(str(refused)) from None
    first = unpack(values["first"], "first")
    if first not in names:
        raise Unreadable(phrase("first: {name} is none of the players.", name=plain(first)))
    state = position(
        edition=one_of(values["edition"], "edition", ("gamewright", "game-factory")),
        ties=one_of(values["ties"], "ties", ("shared", "first")),
        last=one_of(values["last"], "last", ("opponents", "everybody")),
        goal=read_goal(values["goal"]),
        players=names,
        first=names.index(first),
        scores=tuple(score for _, score, _, _ in seats),
        since=tuple(since for _, _, since, _ in seats),
        bets=tuple(bet for _, _, _, bet in seats),
        turn=whole(values["turn"], "turn"),
        dots=whole(values["dots"], "dots"),
        final=None if values["final"] == "-" else whole(values["final"], "final"),
    )
    if reason := _impossible(state):
        raise Unreadable(phrase("No game of Zoinx comes to this position: {reason}.", reason=reason))
    if printed(state, secrets=True) != line:
        raise Unreadable(phrase("The position line is not written as Callbox writes it."))
    return state


def read_goal(text: str) -> int:
    """The goal of an option or a line; raises `Unreadable`."""
    goal = whole(text, "goal")
    if goal not in GOALS:
        least, most = GOALS[0], GOALS[-1]
        raise Unreadable(
            phrase(
                "goal is a whole number from {least} to {most}; got {goal}.",
                least=least,
                most=most,
                goal=goal,
            )
        )
    return goal


def _seat(word: str) -> tuple[str, int, int, int | None]:
    """Name, score, since and bet of NAME:SCORE@TURN:BET."""
    name, _, rest = word.partition(":")
    points, _, bet = rest.partition(":")
    score, _, since = points.partition("@")
    who = tidy_name(unpack(name, "seat"))
    if bet == "?":
        raise Unreadable(
            phrase(
                "{player}'s bet is hidden: this is the public line, which nobody can go on from.", player=who
            )
        )
    return (
        who,
        whole(score, phrase("{player}'s score", player=who)),
        whole(since, phrase("{player}'s turn of the score", player=who)),
        None if bet == "-" else whole(bet, phrase("{player}'s bet", player=who)),
    )


def _impossible(state: ZoinxState) -> str:
    """Why no game reaches this position, or nothing."""
    return _impossible_bets(state) or _impossible_scores(state) or _impossible_final(state)


def _impossible_bets(state: ZoinxState) -> str:
    for name, bet in zip(state.players, state.bets, strict=True):
        if bet is not None and bet not in BETS:
            return phrase("{player} bet {bet} (rule 3)", player=name, bet=bet)
    if state.bets[state.active] == 0:
        return phrase("{player} rolls and bet 0 (rule 3a)", player=state.players[state.active])
    if state.phase != "roll" and state.dots:
        return phrase("there are dots outside a turn (rule 3)")
    if state.phase == "ended" and any(bet is not None for bet in state.bets):
        return phrase("a player bet after the end (rule 11)")
    return ""


def _impossible_scores(state: ZoinxState) -> str:
    for seat, (name, score, since) in enumerate(zip(state.players, state.scores, state.since, strict=True)):
        if since > state.turn:
            return phrase(
                "{player} scored in turn {since}, and {turns} have ended",
                player=name,
                since=since,
                turns=state.turn,
            )
        if (score == 0) != (since == 0):
            return phrase(
                "{player} has {score} points since turn {since}", player=name, score=score, since=since
            )
        wait = (seat - state.first) % len(state.players)
        if since and not _reachable(score, own_turn=since > wait, turns=since):
            return phrase(
                "{player} cannot have {score} points after turn {since} (rules 6, 7)",
                player=name,
                score=score,
                since=since,
            )
    return ""


def _reachable(score: int, *, own_turn: bool, turns: int) -> bool:
    """Whether a player can have this score, above 0, after so many turns, an own one among them or not."""
    if own_turn:
        return score not in {1, 3}
    return score in {sum(gains) for gains in product((*BETS, ZERO_PAYS), repeat=turns)}


def _impossible_final(state: ZoinxState) -> str:
    final, count = state.final, len(state.players)
    ended_by = (state.active - 1) % count
    if final is None:
        if state.turn and leads(state.scores, ended_by, state.goal):
            return phrase(
                "{player} leads with {points} or more: the final round runs (rule 8)",
                player=state.players[ended_by],
                points=state.goal,
            )
        return ""
    if not 1 <= final <= state.turn <= final + state.last_turns:
        return phrase(
            "the final round began after turn {final}, and {turns} have ended (rule 9)",
            final=final,
            turns=state.turn,
        )
    began = (state.first + final - 1) % count
    if state.scores[began] < state.goal or (
        state.turn == final and not leads(state.scores, began, state.goal)
    ):
        return phrase("{player} cannot have begun the final round (rule 8)", player=state.players[began])
    return ""


# What betting dice mean in Zoinx that are shown on a mat: the bets, taken together (rule 3).
#
# Rule numbers are those of `engine.zoinx`.


class Bets:
    """Bets stay secret until all are locked, so none is taken before everybody who still bets shows a die."""

    def judge(self, position: Position, shown: Mapping[int, int]) -> Verdict:
        """What the dice mean that were set down for this turn: the dots, by seat from 0.

        A bet that the rules forbid is refused with the rulebook's reason, and then none is locked.
        """
        view = position.view()
        seats = [view.players.index(each.player) for each in view.allowed if each.button == "bet"]
        fresh = [seat for seat in seats if seat in shown]
        if len(fresh) < len(seats):
            return Verdict(waits=_missing(view, fresh, seats))
        bets = tuple(Bet(player=view.players[seat], dots=shown[seat]) for seat in seats)
        for bet in bets:
            try:
                position = position.after(bet)
            except Refused as refusal:
                return Verdict(refused=str(refusal))
        return Verdict(events=bets)


def _missing(view: GameView, fresh: Sequence[int], seats: Sequence[int]) -> str:
    """Whose dice are there, and whose are not; "" where there is none yet."""
    if not fresh:
        return ""
    there = together([view.players[seat] for seat in fresh])
    missing = [view.players[seat] for seat in seats if seat not in fresh]
    waiting = phrase_count(
        "{players} still has to show one that was set down for this turn.",
        "{players} still have to show one that was set down for this turn.",
        len(missing),
        players=together(missing),
    )
    seen = phrase("I see the betting dice of {players}.", players=there)
    return f"{seen} {waiting}"


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
        return replace(self, bets=bets, said=News(news=news, roll=self.said.roll))

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
        return replace(self, dots=dots, said=News(news=f"{self._rolled_told(rolled)} {then}", roll=shown))

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
        return replace(over, said=over._announce_turn(self, gains, zoinx=zoinx, roll=roll, begins=begins))

    def _announce_turn(
        self,
        before: "ZoinxPosition",
        gains: tuple[int, ...],
        *,
        zoinx: bool,
        roll: tuple[str, ...],
        begins: bool,
    ) -> News:
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
        return News(news=" ".join(news), banner=banner, roll=roll)

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
            target=self.goal,
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
                stop = Allowed(button="stop", player=name, words=phrase("Stop with {dots}", dots=self.dots))
                return (roll, stop) if self.may_stop else (roll,)
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
