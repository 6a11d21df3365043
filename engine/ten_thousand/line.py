"""Ten Thousand's position: what was agreed, what it holds, the line that says it all, and what cannot be.

    ten-thousand edition=classic ... off=- first=Al turn=2 final=- kept=600 left=3 roll=1,4,5
    Al:800@1 Bob:0@0

A seat is NAME:SCORE@TURN, TURN being the one in which the score was reached. `kept` points are set aside in
this turn, `left` dice are in the hand or lie in `roll`. `off=4,?,-` is the roll-off: a face, still to roll,
out of it. The rest says what was agreed. Rule numbers are those of `engine.ten_thousand`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import dropwhile
from typing import Literal, TypeVar, get_args

from engine.game import Said
from engine.lines import one_of, pack, said, split_line, unpack, whole
from engine.refusal import Refused, Unreadable
from engine.seating import seat_players, tidy_name
from engine.ten_thousand.agreed import (
    AMOUNTS,
    COMBO_AMOUNTS,
    EDITIONS,
    STEP,
    YOUNGER,
    Below,
    Last,
    SameRoll,
    TenThousandAgreement,
    Ties,
    amount,
    keyed,
)
from engine.ten_thousand.combos import (
    DICE,
    FACES,
    Combos,
    Keep,
    Kinds,
    best_keep,
    fewest_points,
    legal_additions,
    legal_keeps,
)
from engine.wording import phrase
from engine.words import plain

SEATS = range(2, 9)
Phase = Literal["roll-off", "roll", "keep", "ended"]
Off = int | Literal["?", "-"]
"""A seat in the roll-off: the face rolled, still to roll, or out of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TenThousandState:
    """One moment of one game. Seats count from 0 in seating order, turns from 1."""

    agreed: TenThousandAgreement
    players: tuple[str, ...]
    scores: tuple[int, ...]
    since: tuple[int, ...]
    """The turn in which each player reached the present score; 0 before any points."""
    off: tuple[Off, ...] = ()
    """The roll-off, seat by seat; empty once it is over."""
    first: int = 0
    """The seat of the first turn; 0 during the roll-off."""
    turn: int = 0
    """How many turns have ended."""
    final: int | None = None
    """How many turns had ended when the last round began."""
    kept: int = 0
    """Points set aside in this turn."""
    left: int = DICE
    """Dice that may be rolled, or lie there."""
    roll: tuple[int, ...] = ()
    """The dice that lie there: until some are set aside or, where more may be added, until the next roll."""
    aside: tuple[int, ...] = ()
    """What of this roll was set aside, while more of it may be added (rule 5d)."""
    said: Said = field(default=Said(), compare=False)

    @property
    def active(self) -> int:
        """The seat of the player who rolls."""
        if self.off:
            return self.off.index("?")
        return (self.first + self.turn) % len(self.players)

    @property
    def phase(self) -> Phase:
        """Rolling off, rolling, setting aside, or ended."""
        if self.off:
            return "roll-off"
        if self.final is not None and self.turn >= self.final + self.last_turns:
            return "ended"
        return "keep" if self.roll and not self.aside else "roll"

    @property
    def keeps(self) -> tuple[Keep, ...]:
        """What may be set aside of the dice that lie there, the most points first (rules 5, 5d)."""
        if self.aside:
            return legal_additions(self.aside, self.roll, self.agreed.combos)
        return legal_keeps(self.roll, self.agreed.combos) if self.roll else ()

    def implied_keep(self, rolled: int) -> Keep | None:
        """Which dice were set aside when so many are rolled; it never costs points (rule 5c)."""
        aside = self.implied(rolled)
        return next((keep for keep in self.keeps if keep.points > 0 and len(keep.dice) == aside), None)

    def implied(self, rolled: int) -> int:
        """How many of the dice that lie there were set aside, when so many are rolled (rules 5c, 7a)."""
        lying = len(self.roll)
        return lying if rolled == DICE > lying else lying - rolled

    @property
    def last_turns(self) -> int:
        """How many turns the last round has (rules 9, 9a)."""
        return len(self.players) - 1 if self.agreed.last == "others" else 0

    @property
    def needed(self) -> int:
        """The least points the active player may bank (rules 8a, 8b)."""
        opening = 0 if self.scores[self.active] else self.agreed.opening
        return max(STEP, opening, self.agreed.minimum)


State = TypeVar("State", bound=TenThousandState)


def _agreed_line(agreed: TenThousandAgreement) -> dict[str, str | int]:
    """Keys and values of what was agreed, in the line's order."""
    found: dict[str, str | int] = {"edition": agreed.edition}
    found |= {key: getattr(agreed, key) for key in AMOUNTS}
    found["kinds"] = agreed.combos.kinds
    found |= {keyed(key): getattr(agreed.combos, key) for key in COMBO_AMOUNTS}
    return found | {
        "ties": agreed.ties,
        "last": agreed.last,
        "below": agreed.below,
        "same-roll": agreed.same_roll,
    }


KEYS = (
    *_agreed_line(TenThousandAgreement()),
    "off",
    "first",
    "turn",
    "final",
    "kept",
    "left",
    "roll",
    "aside",
)
UNSAID = {**YOUNGER, "aside": "-"}
"""Keys that the first lines do not have, and what is meant where a line leaves them out."""


def printed(state: TenThousandState) -> str:
    """The position line."""
    head = _agreed_line(state.agreed) | {
        "off": ",".join(map(str, state.off)) or "-",
        "first": "-" if state.off else pack(state.players[state.first]),
        "turn": state.turn,
        "final": "-" if state.final is None else state.final,
        "kept": state.kept,
        "left": state.left,
        "roll": ",".join(map(str, state.roll)) or "-",
        "aside": ",".join(map(str, state.aside)) or "-",
    }
    seats = (
        f"{pack(name)}:{score}@{since}"
        for name, score, since in zip(state.players, state.scores, state.since, strict=True)
    )
    return " ".join(["ten-thousand", *said(head, UNSAID), *seats])


def read(line: str, position: type[State]) -> State:
    """The position of a line; raises `Unreadable` for one that cannot be."""
    values, words = split_line(line, "ten-thousand", KEYS, UNSAID)
    seats = [_seat(word) for word in words]
    try:
        names = seat_players(tuple(name for name, _, _ in seats), SEATS, phrase("Ten Thousand"), "1")
    except Refused as refused:
        raise Unreadable(str(refused)) from None
    off = () if values["off"] == "-" else tuple(_off(word) for word in values["off"].split(","))
    state = position(
        agreed=_agreed(values),
        players=names,
        scores=tuple(score for _, score, _ in seats),
        since=tuple(since for _, _, since in seats),
        off=off,
        first=0 if off else _first(values["first"], names),
        turn=whole(values["turn"], "turn"),
        final=None if values["final"] == "-" else whole(values["final"], "final"),
        kept=whole(values["kept"], "kept"),
        left=whole(values["left"], "left"),
        roll=_faces(values, "roll"),
        aside=_faces(values, "aside"),
    )
    if reason := _impossible(state):
        raise Unreadable(phrase("No game of Ten Thousand comes to this position: {reason}.", reason=reason))
    if printed(state) != line:
        raise Unreadable(phrase("The position line is not written as Callbox writes it."))
    return state


def _agreed(values: dict[str, str]) -> TenThousandAgreement:
    def chosen(key: str, known: Sequence[str]) -> str:
        return one_of(values[key], key, known)

    amounts = {key: amount(values[key], key, least) for key, least in AMOUNTS.items()}
    points = {key: amount(values[keyed(key)], keyed(key), 0) for key in COMBO_AMOUNTS}
    return TenThousandAgreement(
        edition=chosen("edition", tuple(EDITIONS)),
        combos=Combos(kinds=chosen("kinds", get_args(Kinds)), **points),  # type: ignore[arg-type]
        ties=chosen("ties", get_args(Ties)),  # type: ignore[arg-type]
        last=chosen("last", get_args(Last)),  # type: ignore[arg-type]
        below=chosen("below", get_args(Below)),  # type: ignore[arg-type]
        same_roll=chosen("same-roll", get_args(SameRoll)),  # type: ignore[arg-type]
        **amounts,
    )


def _first(word: str, names: tuple[str, ...]) -> int:
    name = unpack(word, "first")
    if name not in names:
        raise Unreadable(phrase("first: {name} is none of the players.", name=plain(name)))
    return names.index(name)


def _faces(values: dict[str, str], key: str) -> tuple[int, ...]:
    """The faces of a key, `-` for none."""
    return () if values[key] == "-" else tuple(_face(word, key) for word in values[key].split(","))


def _face(word: str, field: str) -> int:
    face = whole(word, field)
    if face not in FACES:
        raise Unreadable(phrase("{field}: a pip die shows 1 to 6; got {face}.", field=field, face=face))
    return face


def _off(word: str) -> Off:
    match word:
        case "?" | "-":
            return word
        case _:
            return _face(word, "off")


def _seat(word: str) -> tuple[str, int, int]:
    """Name, score and turn of NAME:SCORE@TURN."""
    name, _, rest = word.partition(":")
    score, _, since = rest.partition("@")
    who = tidy_name(unpack(name, "seat"))
    return (
        who,
        whole(score, phrase("{player}'s score", player=who)),
        whole(since, phrase("{player}'s turn of the score", player=who)),
    )


def _impossible(state: TenThousandState) -> str:
    """Why no game reaches this position, or nothing."""
    if state.off:
        return _impossible_off(state)
    return _impossible_scores(state) or _impossible_turn(state) or _impossible_final(state)


def _impossible_off(state: TenThousandState) -> str:
    if len(state.off) != len(state.players):
        return phrase("the roll-off has not one entry for each player (rule 2)")
    contenders = [entry for entry in state.off if entry != "-"]
    waiting = list(dropwhile(lambda entry: entry != "?", contenders))
    if len(contenders) < 2 or not waiting or any(entry != "?" for entry in waiting):
        return phrase("the roll-off goes on in seating order until one is left (rules 2, 2a)")
    untouched = type(state)(
        agreed=state.agreed, players=state.players, scores=state.scores, since=state.since, off=state.off
    )
    if any((*state.scores, *state.since)) or state != untouched:
        return phrase("the game has begun before the roll-off is over (rule 2)")
    return ""


def _impossible_scores(state: TenThousandState) -> str:
    least = max(STEP, state.agreed.minimum, state.agreed.opening)
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
        if since and (state.first + since - 1) % len(state.players) != seat:
            return phrase("turn {since} was not {player}'s (rule 1)", since=since, player=name)
        if score % STEP or 0 < score < least:
            return phrase("{player} cannot have {score} points (rules 4a, 8a, 8b)", player=name, score=score)
    return ""


def _impossible_turn(state: TenThousandState) -> str:
    kept, left, combos = state.kept, state.left, state.agreed.combos
    if left not in range(1, DICE + 1) or kept % STEP:
        return phrase("there are {kept} points and {left} dice left (rules 3, 4a)", kept=kept, left=left)
    aside = DICE - left if kept == 0 or left < DICE else DICE
    if kept < fewest_points(aside, combos):
        return phrase("{aside} dice set aside are more than {kept} points (rule 4)", aside=aside, kept=kept)
    lost = not (state.aside or legal_keeps(state.roll, combos))
    if state.roll and (len(state.roll) != left or lost):
        return phrase("the dice that lie there are not the dice left, or score nothing (rules 3, 6)")
    if state.aside and _impossible_aside(state):
        return phrase("the dice set aside of this roll do not fit (rule 5d)")
    if state.phase == "ended" and (kept or state.roll or left != DICE):
        return phrase("somebody rolled after the end (rule 11)")
    return ""


def _impossible_aside(state: TenThousandState) -> bool:
    """Whether such dice of this roll cannot be set aside while others of it still lie there."""
    worth = best_keep(state.aside, state.agreed.combos)
    agreed = state.roll and state.agreed.same_roll == "more"
    return not (agreed and worth and worth.points <= state.kept and len(state.aside) + state.left <= DICE)


def _impossible_final(state: TenThousandState) -> str:
    final, target, count = state.final, state.agreed.target, len(state.players)
    reached = [since for score, since in zip(state.scores, state.since, strict=True) if score >= target]
    if final is None:
        return (
            phrase("somebody has {points} or more: the last round runs (rule 9)", points=target)
            if reached
            else ""
        )
    if not 1 <= final <= state.turn <= final + state.last_turns:
        return phrase(
            "the last round began after turn {final}, and {turns} have ended (rule 9)",
            final=final,
            turns=state.turn,
        )
    if not reached or min(reached) != final:
        began = state.players[(state.first + final - 1) % count]
        return phrase("{player} cannot have begun the last round (rule 9)", player=began)
    return ""
