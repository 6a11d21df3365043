"""Ten Thousand, played: what may happen next, and what then is. The rules head the package."""

from collections.abc import Mapping
from dataclasses import replace
from typing import get_args

from engine.dice import Die
from engine.events import Cache, GameEvent, Pocket, Rolled
from engine.game import Allowed, Choice, Ending, GameView, MatRules, Said, Wanted
from engine.refusal import AgainstTheRules
from engine.seating import agree_on_options, seat_players
from engine.ten_thousand.combos import DICE, Combos, Keep, Kinds, best_keep, keep_words, legal_keeps
from engine.ten_thousand.line import (
    AMOUNTS,
    COMBO_AMOUNTS,
    EDITIONS,
    SEATS,
    YOUNGER,
    Below,
    Last,
    Off,
    Phase,
    SameRoll,
    TenThousandAgreement,
    TenThousandState,
    Ties,
    amount,
    keyed,
    printed,
    read,
)
from engine.ten_thousand.mat import OnePlace
from engine.winning import highest
from engine.words import dice_named, faces, number, plain_dice, together

PHASES: dict[Phase, dict[type[GameEvent], tuple[Phase, ...]]] = {
    "roll-off": {Rolled: ("roll-off", "roll")},
    "roll": {Pocket: ("roll",), Rolled: ("keep", "roll", "ended"), Cache: ("roll", "ended")},
    "keep": {
        Pocket: ("roll",),
        Rolled: ("keep", "roll", "ended"),
        Cache: ("roll", "ended"),
    },
    "ended": {},
}
"""Each phase: the events it takes, and the phases they may lead to."""


class TenThousandPosition(TenThousandState):
    """One moment of one game. The facts stand in `TenThousandState`."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The player who rolls."""
        return self.players[self.active]

    @property
    def best(self) -> int:
        """The points of the turn with the dice that lie there made the most of."""
        return self.kept + max((keep.points for keep in self.keeps), default=0)

    @property
    def may_bank(self) -> bool:
        """Whether the turn may be ended now (rules 8 to 8c)."""
        if self.phase not in {"roll", "keep"}:
            return False
        return self.best >= (self.needed if self.agreed.below == "roll" else 1)

    def after(self, event: GameEvent) -> "TenThousandPosition":
        """The position after `event`; raises `Refused` with the reason."""
        phase = self.phase
        if phase == "ended":
            raise AgainstTheRules("The game is over; nothing counts any more.", "11")
        match event:
            case Rolled():
                return self._off_rolled(event.dice) if phase == "roll-off" else self._rolled(event.dice)
            case _ if phase == "roll-off" and isinstance(event, Pocket | Cache):
                raise AgainstTheRules(f"{self.name} must roll for the first turn.", "2")
            case Pocket():
                return self._set_aside(event.combos)
            case Cache():
                return self._banked()
            case _:
                word = type(event).__name__.lower()
                raise AgainstTheRules(f"Ten Thousand has no {word}: roll, set dice aside, or bank.", "3")

    def _off_rolled(self, dice: tuple[Die, ...]) -> "TenThousandPosition":
        (face,) = _pips(dice, 1, self.name, "2")
        seat = self.active
        off: tuple[Off, ...] = (*self.off[:seat], face, *self.off[seat + 1 :])
        news, shown = f"{self.name} rolls {face}.", faces([face])
        if "?" in off:
            after = replace(self, off=off)
            return replace(after, said=Said(news=f"{news} {after.name} rolls off.", roll=shown))
        best = max(entry for entry in off if isinstance(entry, int))
        tied = [seat for seat, entry in enumerate(off) if entry == best]
        if len(tied) > 1:
            again = together([self.players[seat] for seat in tied])
            off = tuple("?" if seat in tied else "-" for seat in range(len(off)))
            return replace(self, off=off, said=Said(news=f"{news} {again} tie and roll again.", roll=shown))
        after = replace(self, off=(), first=tied[0])
        return replace(after, said=Said(news=f"{news} {after.name} has the first turn.", roll=shown))

    def _rolled(self, dice: tuple[Die, ...]) -> "TenThousandPosition":
        if self.roll and not (self.aside and self.implied(len(dice)) <= 0):
            return self._rolled_on(dice)
        values = _pips(dice, self.left, self.name, "3")
        keeps = legal_keeps(values, self.agreed.combos)
        shown = faces(values)
        if not keeps:
            return self._turn_over(0, "FARKLE", shown)
        news = f"{self.name} rolls {' '.join(shown)}: {keeps[0].points} points lie there."
        return replace(self, roll=values, aside=(), said=Said(news=news, roll=shown))

    def _rolled_on(self, dice: tuple[Die, ...]) -> "TenThousandPosition":
        """Rules 5c, 7a: the dice that were not rolled again were set aside."""
        aside = self.implied(len(dice))
        if aside < 1:
            raise AgainstTheRules(
                f"{self.name} must set scoring dice aside before rolling; here lie {_shown(self.roll)}.",
                "5",
            )
        keep = next((keep for keep in self.keeps if len(keep.dice) == aside), None)
        if keep is None and self.aside:
            _pips(dice, self.left, self.name, "3")
        if keep is None:
            raise AgainstTheRules(
                f"Of {_shown(self.roll)} not {number(aside)} score. Roll another number, or correct them.",
                "5c",
            )
        kept = self._kept(keep)
        after = kept._rolled(dice)
        return replace(after, said=replace(after.said, news=f"{kept.said.news} {after.said.news}"))

    def _set_aside(self, groups: tuple[tuple[Die, ...], ...]) -> "TenThousandPosition":
        if not self.roll:
            raise AgainstTheRules(f"{self.name} must roll first: there are no dice to set aside.", "5")
        dice = tuple(die for group in groups for die in group)
        kinds = [die.kind for die in dice if die.kind != "pip"]
        taken = [die.value for die in dice if isinstance(die.value, int)]
        missing = [face for face in sorted(set(taken)) if taken.count(face) > self.roll.count(face)]
        if kinds or missing:
            what = dice_named(kinds) if kinds else f"so many {together([f'{face}s' for face in missing])}"
            raise AgainstTheRules(f"There are not {what} here: the roll is {_shown(self.roll)}.", "5")
        keep = self._keep_of(tuple(sorted(taken)))
        if keep is None:
            told = (
                f"Not all of {_shown(tuple(taken))} score: leave the others in the hand."
                if taken
                else "At least one combo is set aside."
            )
            raise AgainstTheRules(told, "5")
        return self._kept(keep)

    def _keep_of(self, taken: tuple[int, ...]) -> Keep | None:
        """These dice set aside, beside what was of the same roll; None where they do not score."""
        if not self.aside:
            return best_keep(taken, self.agreed.combos)
        return next((keep for keep in self.keeps if keep.dice == taken), None)

    def _kept(self, keep: Keep) -> "TenThousandPosition":
        kept, left = self.kept + keep.points, self.left - len(keep.dice)
        news = f"{self.name} sets aside {keep_words(keep)} for {keep.points}; {kept} in this turn."
        if left:
            said, more = Said(news=news, roll=self.said.roll), self.agreed.same_roll == "more"
            rest = _without(self.roll, keep.dice) if more else ()
            aside = tuple(sorted((*self.aside, *keep.dice))) if more else ()
            return replace(self, kept=kept, left=left, roll=rest, aside=aside, said=said)
        news = f"{news} Hot dice: all six may be rolled again."
        return replace(
            self,
            kept=kept,
            left=DICE,
            roll=(),
            aside=(),
            said=Said(news=news, banner="HOT DICE", roll=self.said.roll),
        )

    def _banked(self) -> "TenThousandPosition":
        points, needed = self.best, self.needed
        if not points:
            raise AgainstTheRules(f"{self.name} has nothing to bank yet: roll all six dice.", "3")
        if points >= needed:
            return self._turn_over(points, "BANK", self.said.roll)
        if self.agreed.below == "nothing":
            return self._turn_over(0, "NOTHING", self.said.roll)
        which = "8b" if self.scores[self.active] or self.agreed.opening < needed else "8a"
        reason = "a bank is" if which == "8b" else "the first bank is"
        raise AgainstTheRules(
            f"{self.name} has {points} in this turn, and {reason} {needed} or more: roll on.", which
        )

    def _turn_over(self, gain: int, how: str, roll: tuple[str, ...]) -> "TenThousandPosition":
        """Write the turn's points down, and see whether the last round or the end has come."""
        seat, turn = self.active, self.turn + 1
        score = self.scores[seat] + gain
        begins = self.final is None and score >= self.agreed.target
        over = replace(
            self,
            scores=(*self.scores[:seat], score, *self.scores[seat + 1 :]),
            since=(*self.since[:seat], turn, *self.since[seat + 1 :]) if gain else self.since,
            turn=turn,
            final=turn if begins else self.final,
            kept=0,
            left=DICE,
            roll=(),
            aside=(),
        )
        return replace(over, said=over._told(self, gain, how, roll))

    def _told(self, before: "TenThousandPosition", gain: int, how: str, roll: tuple[str, ...]) -> Said:
        """What the end of a turn means, for the table."""
        name, score = before.name, self.scores[before.active]
        match how:
            case "FARKLE":
                news = f"FARKLE! {name} rolls {' '.join(roll)}" + (
                    f" and loses {before.kept} points." if before.kept else "."
                )
            case "NOTHING":
                news = f"{name} ends the turn below {before.needed}: nothing is banked."
            case _:
                news = f"{name} banks {gain} and has {score}."
        banner = "FARKLE" if how == "FARKLE" else f"{gain}"
        if ending := self.ending():
            return Said(news=f"{news} {ending.cause}", banner="END", roll=roll)
        if before.final is None and self.final is not None:
            news += " The last round begins: one turn for everybody else."
            banner = f"{score}!"
        return Said(news=f"{news} {self.name} rolls.", banner=banner, roll=roll)

    def ending(self) -> Ending | None:
        """Who won and why (rules 10, 10a); None while the game goes on."""
        if self.phase != "ended":
            return None
        shared = self.agreed.ties == "shared"
        return highest(self.players, self.scores, self.since, shared=shared, when="at the end")

    def line(self) -> str:
        """The whole position."""
        return printed(self)

    def view(self) -> GameView:
        """What anybody may see: everything."""
        phase, keeps = self.phase, self.keeps
        return GameView(
            game="ten-thousand",
            edition=self.agreed.edition,
            phase=phase,
            players=self.players,
            scores=self.scores,
            active=None if phase == "ended" else self.name,
            running=self.kept if phase in {"roll", "keep"} else None,
            allowed=self._allowed(keeps),
            wanted=self._wanted(keeps),
            news=self.said.news or self._call(),
            banner=self.said.banner,
            ending=self.ending(),
            line=printed(self),
            last_roll=self.said.roll,
            choices=tuple(_choice(keep) for keep in keeps),
        )

    def _call(self) -> str:
        """What the table waits for, when no event has been told yet."""
        match self.phase:
            case "roll-off":
                return f"{self.name} rolls one die for the first turn."
            case "roll":
                return f"{self.name} rolls {plain_dice(self.left)}."
            case "keep":
                return f"{self.name} sets dice aside."
            case "ended":
                ending = self.ending()
                return ending.cause if ending else ""

    def _wanted(self, keeps: tuple[Keep, ...]) -> Wanted | None:
        match self.phase:
            case "roll-off":
                return Wanted(kind="pip", count=1)
            case "roll":
                return Wanted(kind="pip", count=None if keeps else self.left)
            case "keep":
                return Wanted(kind="pip", count=None) if self._may_roll_on(keeps) else None
            case "ended":
                return None

    def _may_roll_on(self, keeps: tuple[Keep, ...]) -> bool:
        """Whether dice may be rolled without a word of what is set aside (rules 5c, 7a)."""
        return any(len(keep.dice) < max(self.left, DICE * (self.left < DICE)) for keep in keeps)

    def _allowed(self, keeps: tuple[Keep, ...]) -> tuple[Allowed, ...]:
        buttons: tuple[Allowed, ...] = ()
        if self.phase in {"roll", "roll-off"} or self._may_roll_on(keeps):
            buttons = (Allowed(button="roll_done", player=self.name),)
        return (*buttons, Allowed(button="cache", player=self.name)) if self.may_bank else buttons


def _without(roll: tuple[int, ...], taken: tuple[int, ...]) -> tuple[int, ...]:
    """The dice of a roll that are left, as they lie."""
    left = list(roll)
    for face in taken:
        left.remove(face)
    return tuple(left)


def _pips(dice: tuple[Die, ...], count: int, name: str, rule: str) -> tuple[int, ...]:
    """The faces of exactly so many pip dice."""
    values = tuple(die.value for die in dice if die.kind == "pip" and isinstance(die.value, int))
    if len(values) != len(dice) or len(values) != count:
        kinds = [die.kind for die in dice]
        here = plain_dice(len(kinds)) if {*kinds} == {"pip"} else dice_named(kinds)
        raise AgainstTheRules(
            f"{name} rolls {plain_dice(count)}; here are {here}. Roll again, or correct them.", rule
        )
    return values


def _shown(values: tuple[int, ...]) -> str:
    return " ".join(map(str, values))


def _choice(keep: Keep) -> Choice:
    combos = tuple(tuple(Die("pip", face) for face in combo) for combo in keep.combos)
    return Choice(event=Pocket(combos=combos), words=keep_words(keep), points=keep.points)


class TenThousandRulebook:
    """Ten Thousand in every edition."""

    name = "ten-thousand"
    title = "Ten Thousand"
    seats = SEATS
    dice = Wanted(kind="pip", count=DICE)
    options: Mapping[str, tuple[str, ...]] = {
        "edition": tuple(EDITIONS),
        "first": ("roll-off", "named"),
        **dict.fromkeys(AMOUNTS, ()),
        "kinds": ("edition", *get_args(Kinds)),
        **{keyed(key): () for key in COMBO_AMOUNTS},
        "ties": get_args(Ties),
        "last": get_args(Last),
        "below": get_args(Below),
        "same-roll": get_args(SameRoll),
    }
    younger: Mapping[str, str] = YOUNGER
    mat = MatRules(dice=OnePlace())

    def complete(self, options: Mapping[str, str], chance: str) -> Mapping[str, str]:  # noqa: ARG002
        """Nothing is left to the box."""
        return options

    def start(self, players: tuple[str, ...], options: Mapping[str, str]) -> TenThousandPosition:
        """The first position; raises `Refused` for wrong players or options."""
        names = seat_players(players, self.seats, self.title, "1")
        chosen = agree_on_options(self.options, options, self.title)
        nobody = (0,) * len(names)
        waiting: Off = "?"
        return TenThousandPosition(
            agreed=_agreed(chosen),
            players=names,
            scores=nobody,
            since=nobody,
            off=(waiting,) * len(names) if chosen["first"] == "roll-off" else (),
        )

    def parse(self, line: str) -> TenThousandPosition:
        """The position of a line; raises `Unreadable` for one that cannot be."""
        return read(line, TenThousandPosition)


def _agreed(chosen: Mapping[str, str]) -> TenThousandAgreement:
    """The edition with each option that was given."""
    base = EDITIONS[chosen["edition"]]

    def points(key: str, otherwise: int, least: int = 0) -> int:
        return amount(chosen[key], key, least) if chosen[key] else otherwise

    kinds = base.combos.kinds if chosen["kinds"] == "edition" else chosen["kinds"]
    amounts = {key: points(keyed(key), getattr(base.combos, key)) for key in COMBO_AMOUNTS}
    return TenThousandAgreement(
        edition=base.edition,
        target=points("target", base.target, AMOUNTS["target"]),
        opening=points("opening", base.opening, AMOUNTS["opening"]),
        minimum=points("minimum", base.minimum, AMOUNTS["minimum"]),
        combos=Combos(kinds=kinds, **amounts),  # type: ignore[arg-type]
        ties=chosen["ties"],  # type: ignore[arg-type]
        last=chosen["last"],  # type: ignore[arg-type]
        below=chosen["below"],  # type: ignore[arg-type]
        same_roll=chosen["same-roll"],  # type: ignore[arg-type]
    )
