"""Ten Thousand's position: what was agreed, what it holds, the line that says it all, and what cannot be.

    ten-thousand edition=classic ... off=- first=Al turn=2 final=- kept=600 left=3 roll=1,4,5
    Al:800@1 Bob:0@0

A seat is NAME:SCORE@TURN, TURN being the one in which the score was reached. `kept` points are set aside in
this turn, `left` dice are in the hand or lie in `roll`. `off=4,?,-` is the roll-off: a face, still to roll,
out of it. `farkles=1,0` counts each player's in a row, `offer=500x2` are points and dice that may be taken
over, `won` is who rolled nothing but 1s. The rest says what was agreed. Rule numbers are those of
`engine.ten_thousand`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import dropwhile
from typing import Literal, TypeVar, get_args

from engine.game import News
from engine.lines import one_of, pack, print_words, split_line, unpack, whole
from engine.refusal import Refused, Unreadable
from engine.seating import seat_players, tidy_name
from engine.ten_thousand.agreed import (
    AMOUNTS,
    COMBO_AMOUNTS,
    EDITIONS,
    NUMBERS_OF_DICE,
    STEP,
    YOUNGER,
    YOUNGER_AMOUNTS,
    Below,
    Exact,
    HotDice,
    Last,
    Piggyback,
    SameRoll,
    TenThousandAgreement,
    Ties,
    all_ones_of,
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

SEATS = range(1, 17)
FARKLES = 3
"""How many farkles in a row cost points (rule 6a)."""
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
    farkles: tuple[int, ...] = ()
    """Each player's farkles in a row; empty where they cost nothing (rule 6a)."""
    offer: tuple[int, int] | None = None
    """Points and dice that may be taken over, or have been and were not rolled yet (rule 8d)."""
    won: int | None = None
    """The seat of whoever won by rolling nothing but 1s (rule 4g)."""
    said: News = field(default=News(), compare=False)

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
        if self.won is not None or (self.final is not None and self.turn >= self.final + self.last_turns):
            return "ended"
        return "keep" if self.roll and not self.aside else "roll"

    @property
    def keeps(self) -> tuple[Keep, ...]:
        """What may be set aside of the dice that lie there, the most points first (rules 5, 5d)."""
        if self.aside:
            return self.fitting(legal_additions(self.aside, self.roll, self.agreed.combos))
        return self.fitting(legal_keeps(self.roll, self.agreed.combos)) if self.roll else ()

    def fitting(self, keeps: tuple[Keep, ...]) -> tuple[Keep, ...]:
        """Those that do not pass the target, where nobody may (rule 9c)."""
        if self.agreed.exact == "no":
            return keeps
        return tuple(keep for keep in keeps if self.kept + keep.points <= self.missing)

    @property
    def missing(self) -> int:
        """What the active player's banked points lack to the target."""
        return self.agreed.target - self.scores[self.active]

    @property
    def best(self) -> int:
        """The points of the turn with the dice that lie there made the most of."""
        return self.kept + max([0, *(keep.points for keep in self.keeps)])

    @property
    def spare(self) -> int:
        """The dice in the hand once the best of those that lie there are set aside: all after hot dice."""
        return self.left - (len(self.keeps[0].dice) if self.keeps else 0) or self.agreed.dice

    @property
    def takes_over(self) -> bool:
        """Whether points were taken over and no die was rolled for them yet (rule 8f)."""
        return self.offer is not None and self.kept > 0

    @property
    def must_roll(self) -> bool:
        """Whether dice must be rolled before the turn may be banked (rules 7b, 8f, 9c)."""
        if self.takes_over:
            return True
        hot = self.agreed.hot_dice == "must" and self.best > 0 and self.spare == self.agreed.dice
        return hot and not (self.agreed.exact == "yes" and self.best == self.missing)

    @property
    def single_roll(self) -> bool:
        """Whether the turn is one roll alone (rule 9b)."""
        return self.final is not None and self.agreed.last == "one-roll"

    def implied_keep(self, rolled: int) -> Keep | None:
        """Which dice were set aside when so many are rolled; it never costs points (rule 5c)."""
        aside = self.implied(rolled)
        return next((keep for keep in self.keeps if keep.points > 0 and len(keep.dice) == aside), None)

    def implied(self, rolled: int) -> int:
        """How many of the dice that lie there were set aside, when so many are rolled (rules 5c, 7a)."""
        lying = len(self.roll)
        return lying if rolled == self.agreed.dice > lying else lying - rolled

    @property
    def last_turns(self) -> int:
        """How many turns the last round has (rules 9, 9a)."""
        return 0 if self.agreed.last == "none" else len(self.players) - 1

    @property
    def needed(self) -> int:
        """The least points the active player may bank (rules 8a, 8b, 9c)."""
        opening = 0 if self.scores[self.active] else self.agreed.opening
        least = max(STEP, opening, self.agreed.minimum)
        return min(least, self.missing) if self.agreed.exact == "yes" else least


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
        "hot-dice": agreed.hot_dice,
        "three-farkles": agreed.three_farkles,
        "piggyback": agreed.piggyback,
        "exact": agreed.exact,
        "all-ones": agreed.all_ones,
        "dice": agreed.dice,
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
    "farkles",
    "offer",
    "won",
)
HOUSE_RULES = ("hot-dice", "three-farkles", "piggyback", "exact", "all-ones", "dice")
"""Keys of what is agreed that the first lines do not have."""
UNSAID = {
    **YOUNGER,
    **{key: str(value) for key, value in _agreed_line(TenThousandAgreement()).items() if key in HOUSE_RULES},
    **dict.fromkeys(("aside", "farkles", "offer", "won"), "-"),
}
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
        "farkles": ",".join(map(str, state.farkles)) if any(state.farkles) else "-",
        "offer": "-" if state.offer is None else "x".join(map(str, state.offer)),
        "won": "-" if state.won is None else pack(state.players[state.won]),
    }
    seats = (
        f"{pack(name)}:{score}@{since}"
        for name, score, since in zip(state.players, state.scores, state.since, strict=True)
    )
    return " ".join(["ten-thousand", *print_words(head, UNSAID), *seats])


def read(line: str, position: type[State]) -> State:
    """The position of a line; raises `Unreadable` for one that cannot be."""
    values, words = split_line(line, "ten-thousand", KEYS, UNSAID)
    seats = [_seat(word) for word in words]
    try:
        names = seat_players(tuple(name for name, _, _ in seats), SEATS, phrase("Ten Thousand"), "1")
    except Refused as refused:
        raise Unreadable(str(refused)) from None
    off = () if values["off"] == "-" else tuple(_off(word) for word in values["off"].split(","))
    agreed = _agreed(values)
    state = position(
        agreed=agreed,
        players=names,
        scores=tuple(score for _, score, _ in seats),
        since=tuple(since for _, _, since in seats),
        off=off,
        first=0 if off else _seat_named(values["first"], "first", names),
        turn=whole(values["turn"], "turn"),
        final=None if values["final"] == "-" else whole(values["final"], "final"),
        kept=whole(values["kept"], "kept"),
        left=whole(values["left"], "left"),
        roll=_faces(values, "roll"),
        aside=_faces(values, "aside"),
        farkles=_farkles(values["farkles"], agreed, len(names)),
        offer=_offer(values["offer"]),
        won=None if values["won"] == "-" else _seat_named(values["won"], "won", names),
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
    amounts |= {key: amount(values[keyed(key)], keyed(key), least) for key, least in YOUNGER_AMOUNTS.items()}
    points = {key: amount(values[keyed(key)], keyed(key), 0) for key in COMBO_AMOUNTS}
    points["dice"] = int(chosen("dice", tuple(map(str, NUMBERS_OF_DICE))))
    points["all_ones"], wins = all_ones_of(values["all-ones"])
    return TenThousandAgreement(
        edition=chosen("edition", tuple(EDITIONS)),
        combos=Combos(kinds=chosen("kinds", get_args(Kinds)), **points),  # type: ignore[arg-type]
        ties=chosen("ties", get_args(Ties)),  # type: ignore[arg-type]
        last=chosen("last", get_args(Last)),  # type: ignore[arg-type]
        below=chosen("below", get_args(Below)),  # type: ignore[arg-type]
        same_roll=chosen("same-roll", get_args(SameRoll)),  # type: ignore[arg-type]
        hot_dice=chosen("hot-dice", get_args(HotDice)),  # type: ignore[arg-type]
        piggyback=chosen("piggyback", get_args(Piggyback)),  # type: ignore[arg-type]
        exact=chosen("exact", get_args(Exact)),  # type: ignore[arg-type]
        all_ones_win=wins,
        **amounts,
    )


def _seat_named(word: str, field: str, names: tuple[str, ...]) -> int:
    name = unpack(word, field)
    if name not in names:
        raise Unreadable(phrase("{field}: {name} is none of the players.", field=field, name=plain(name)))
    return names.index(name)


def _farkles(text: str, agreed: TenThousandAgreement, players: int) -> tuple[int, ...]:
    """Each player's farkles in a row."""
    if text == "-":
        return no_farkles(agreed, players)
    return tuple(whole(word, "farkles") for word in text.split(","))


def no_farkles(agreed: TenThousandAgreement, players: int) -> tuple[int, ...]:
    """Nobody's farkles in a row: counted only where they cost points (rule 6a)."""
    return (0,) * players if agreed.three_farkles else ()


def _offer(text: str) -> tuple[int, int] | None:
    """Points and dice of POINTSxDICE."""
    if text == "-":
        return None
    points, _, dice = text.partition("x")
    return whole(points, "offer"), whole(dice, "offer")


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
    checks = (
        _impossible_scores,
        _impossible_turn,
        _impossible_bounds,
        _impossible_final,
        _impossible_farkles,
        _impossible_offer,
        _impossible_win,
    )
    return next((reason for check in checks if (reason := check(state))), "")


def _impossible_off(state: TenThousandState) -> str:
    if len(state.off) != len(state.players):
        return phrase("the roll-off has not one entry for each player (rule 2)")
    contenders = [entry for entry in state.off if entry != "-"]
    waiting = list(dropwhile(lambda entry: entry != "?", contenders))
    if len(contenders) < 2 or not waiting or any(entry != "?" for entry in waiting):
        return phrase("the roll-off goes on in seating order until one is left (rules 2, 2a)")
    untouched = type(state)(
        agreed=state.agreed,
        players=state.players,
        scores=state.scores,
        since=state.since,
        off=state.off,
        left=state.agreed.dice,
        farkles=no_farkles(state.agreed, len(state.players)),
    )
    if any((*state.scores, *state.since)) or state != untouched:
        return phrase("the game has begun before the roll-off is over (rule 2)")
    return ""


def _impossible_scores(state: TenThousandState) -> str:
    least, exact = max(STEP, state.agreed.minimum, state.agreed.opening), state.agreed.exact == "yes"
    least = min(least, state.agreed.target) if exact else least
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
        fined = state.agreed.three_farkles > 0
        too_many = exact and score > state.agreed.target
        if score % STEP or (0 < score < least and not fined) or too_many:
            return phrase("{player} cannot have {score} points (rules 4a, 8a, 8b)", player=name, score=score)
    return ""


def _impossible_turn(state: TenThousandState) -> str:
    kept, left, combos, dice = state.kept, state.left, state.agreed.combos, state.agreed.dice
    if left not in range(1, dice + 1) or kept % STEP:
        return phrase("there are {kept} points and {left} dice left (rules 3, 4a)", kept=kept, left=left)
    aside = dice - left if kept == 0 or left < dice else dice
    if kept < fewest_points(aside, combos):
        return phrase("{aside} dice set aside are more than {kept} points (rule 4)", aside=aside, kept=kept)
    lost = not (state.aside or state.keeps)
    if state.roll and (len(state.roll) != left or lost):
        return phrase("the dice that lie there are not the dice left, or score nothing (rules 3, 6)")
    if state.aside and _impossible_aside(state):
        return phrase("the dice set aside of this roll do not fit (rule 5d)")
    if state.phase == "ended" and (kept or state.roll or left != dice):
        return phrase("a player rolled after the end (rule 11)")
    return ""


def _impossible_bounds(state: TenThousandState) -> str:
    """What a turn cannot hold where nobody may pass the target, or has a single roll."""
    if state.phase != "ended" and state.agreed.exact == "yes" and state.kept > state.missing:
        return phrase("{kept} points of the turn pass the target (rule 9c)", kept=state.kept)
    if state.single_roll and not state.takes_over and state.kept:
        return phrase("a player rolled twice in the last round (rule 9b)")
    if state.single_roll and state.roll:
        return phrase("a single roll of the last round is banked at once (rule 9b)")
    return ""


def _impossible_aside(state: TenThousandState) -> bool:
    """Whether such dice of this roll cannot be set aside while others of it still lie there."""
    worth = best_keep(state.aside, state.agreed.combos)
    agreed = state.roll and state.agreed.same_roll == "more"
    return not (
        agreed and worth and worth.points <= state.kept and len(state.aside) + state.left <= state.agreed.dice
    )


def _impossible_final(state: TenThousandState) -> str:
    final, target, count = state.final, state.agreed.target, len(state.players)
    reached = [since for score, since in zip(state.scores, state.since, strict=True) if score >= target]
    if final is None:
        return (
            phrase("a player has {points} or more: the last round runs (rule 9)", points=target)
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


def _impossible_farkles(state: TenThousandState) -> str:
    """Rule 6a: fewer than three in a row, each a turn that brought nothing."""
    players = len(state.players)
    if len(state.farkles) != len(no_farkles(state.agreed, players)):
        return phrase("the farkles are not counted for each player (rule 6a)")
    for seat, (name, count) in enumerate(zip(state.players, state.farkles, strict=bool(state.farkles))):
        wait = (seat - state.first) % players
        turns = len(range(wait, state.turn, players)) - len(range(wait, state.since[seat], players))
        if count >= FARKLES or count > turns:
            return phrase("{player} cannot have {count} farkles in a row (rule 6a)", player=name, count=count)
    return ""


def _impossible_offer(state: TenThousandState) -> str:
    """Rule 8d: what is offered was banked in the turn before, by somebody else."""
    if state.offer is None:
        return ""
    points, dice = state.offer
    before = (state.active - 1) % len(state.players)
    aside = state.agreed.dice - dice % state.agreed.dice
    taken = (state.kept, state.left) == state.offer
    fits = (
        state.agreed.piggyback == "yes"
        and state.phase == "roll"
        and len(state.players) > 1
        and 0 < state.turn == state.since[before]
        and 1 <= dice <= state.agreed.dice
        and fewest_points(aside, state.agreed.combos) <= points <= state.scores[before]
        and not points % STEP
        and (taken or (state.kept == 0 and state.left == state.agreed.dice))
    )
    return "" if fits else phrase("there are no such points to take over (rule 8d)")


def _impossible_win(state: TenThousandState) -> str:
    """Rule 4g: whoever rolled nothing but 1s did so in the last turn."""
    if state.won is None:
        return ""
    last = (state.first + state.turn - 1) % len(state.players)
    fits = state.agreed.all_ones_win and state.turn > 0 and state.won == last
    return "" if fits else phrase("nobody has won with nothing but 1s (rule 4g)")
