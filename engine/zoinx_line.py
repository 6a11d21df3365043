"""Zoinx's position: what it holds, the line that says it all, and which positions cannot be.

    zoinx edition=gamewright ties=shared last=opponents first=Ann turn=4 final=- dots=0 Ann:12@3:6 Bob:0@0:-

A seat is NAME:SCORE@TURN:BET, TURN being the one in which the score was reached. A bet is a number or `-`;
where bets are secret, the public line has `?` for a locked one. Rule numbers are those of `engine.zoinx`.
"""

from dataclasses import dataclass, field
from itertools import product
from typing import Literal, TypeVar

from engine.game import Said
from engine.lines import one_of, pack, said, split_line, unpack, whole
from engine.refusal import Refused, Unreadable
from engine.seating import seat_players, tidy_name
from engine.wording import phrase
from engine.words import plain

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
    said: Said = field(default=Said(), compare=False)

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
    return " ".join(["zoinx", *said(head, UNSAID), *seats])


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
        return phrase("somebody bet after the end (rule 11)")
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
