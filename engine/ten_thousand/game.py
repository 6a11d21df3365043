"""Ten Thousand, played: what may happen next, and what then is. The rules head the package."""

from collections.abc import Mapping
from dataclasses import replace
from typing import get_args

from engine.dice import Die
from engine.events import Cache, GameEvent, Pocket, Rolled
from engine.game import Allowed, Choice, Ending, GameView, MatRules, OptionWords, Said, Wanted
from engine.refusal import AgainstTheRules
from engine.seating import agree_on_options, seat_players
from engine.ten_thousand import guide
from engine.ten_thousand.agreed import (
    AMOUNTS,
    COMBO_AMOUNTS,
    EDITIONS,
    YOUNGER,
    Below,
    Last,
    SameRoll,
    Ties,
    agree,
    keyed,
)
from engine.ten_thousand.combos import DICE, Keep, Kinds, best_keep, keep_words, legal_keeps
from engine.ten_thousand.line import SEATS, Off, Phase, TenThousandState, printed, read
from engine.ten_thousand.mat import OnePlace
from engine.ten_thousand.telling import farkle_told, not_there, pips, rolling_told, row, won_told
from engine.winning import highest
from engine.wording import phrase, phrase_later
from engine.words import faces, number, together

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
        return self.kept + max([0, *(keep.points for keep in self.keeps)])

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
            raise AgainstTheRules(phrase("The game is over; nothing counts any more."), "11")
        match event:
            case Rolled():
                return self._off_rolled(event.dice) if phase == "roll-off" else self._rolled(event.dice)
            case _ if phase == "roll-off" and isinstance(event, Pocket | Cache):
                raise AgainstTheRules(phrase("{player} must roll for the first turn.", player=self.name), "2")
            case Pocket():
                return self._set_aside(event.combos)
            case Cache():
                return self._banked()
            case _:
                word = type(event).__name__.lower()
                raise AgainstTheRules(
                    phrase("Ten Thousand has no {event}: roll, set dice aside, or bank.", event=word), "3"
                )

    def _off_rolled(self, dice: tuple[Die, ...]) -> "TenThousandPosition":
        (face,) = pips(dice, 1, self.name, "2")
        seat = self.active
        off: tuple[Off, ...] = (*self.off[:seat], face, *self.off[seat + 1 :])
        news, shown = phrase("{player} rolls {face}.", player=self.name, face=face), faces([face])
        if "?" in off:
            after = replace(self, off=off)
            onward = phrase("{player} rolls off.", player=after.name)
            return replace(after, said=Said(news=f"{news} {onward}", roll=shown))
        best = max(entry for entry in off if isinstance(entry, int))
        tied = [seat for seat, entry in enumerate(off) if entry == best]
        if len(tied) > 1:
            names = together([self.players[seat] for seat in tied])
            again = phrase("{players} tie and roll again.", players=names)
            off = tuple("?" if seat in tied else "-" for seat in range(len(off)))
            return replace(self, off=off, said=Said(news=f"{news} {again}", roll=shown))
        after = replace(self, off=(), first=tied[0])
        begins = phrase("{player} has the first turn.", player=after.name)
        return replace(after, said=Said(news=f"{news} {begins}", roll=shown))

    def _rolled(self, dice: tuple[Die, ...]) -> "TenThousandPosition":
        if self.roll and not (self.aside and self.implied(len(dice)) <= 0):
            return self._rolled_on(dice)
        values = pips(dice, self.left, self.name, "3")
        keeps = legal_keeps(values, self.agreed.combos)
        shown = faces(values)
        if not keeps:
            return self._turn_over(0, "FARKLE", shown)
        news = phrase(
            "{player} rolls {roll}: {points} points lie there.",
            player=self.name,
            roll=" ".join(shown),
            points=keeps[0].points,
        )
        return replace(self, roll=values, aside=(), said=Said(news=news, roll=shown))

    def _rolled_on(self, dice: tuple[Die, ...]) -> "TenThousandPosition":
        """Rules 5c, 7a: the dice that were not rolled again were set aside."""
        aside = self.implied(len(dice))
        if aside < 1:
            raise AgainstTheRules(
                phrase(
                    "{player} must set scoring dice aside before rolling; here lie {roll}.",
                    player=self.name,
                    roll=row(self.roll),
                ),
                "5",
            )
        keep = self.implied_keep(len(dice))
        if keep is None and self.aside:
            pips(dice, self.left, self.name, "3")
        if keep is None:
            wrong = phrase(
                "Of {roll} not {number} score. Roll another number, or correct them.",
                roll=row(self.roll),
                number=number(aside),
            )
            raise AgainstTheRules(wrong, "5c")
        kept = self._kept(keep)
        after = kept._rolled(dice)
        return replace(after, said=replace(after.said, news=f"{kept.said.news} {after.said.news}"))

    def _set_aside(self, groups: tuple[tuple[Die, ...], ...]) -> "TenThousandPosition":
        if not self.roll:
            raise AgainstTheRules(
                phrase("{player} must roll first: there are no dice to set aside.", player=self.name), "5"
            )
        dice = tuple(die for group in groups for die in group)
        kinds = [die.kind for die in dice if die.kind != "pip"]
        taken = [die.value for die in dice if isinstance(die.value, int)]
        missing = [face for face in sorted(set(taken)) if taken.count(face) > self.roll.count(face)]
        if kinds or missing:
            raise AgainstTheRules(not_there(kinds, missing, row(self.roll)), "5")
        keep = self._keep_of(tuple(sorted(taken)))
        if keep is None:
            told = (
                phrase("Not all of {dice} score: leave the others in the hand.", dice=row(tuple(taken)))
                if taken
                else phrase("At least one combo is set aside.")
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
        told = phrase_later("{player} sets aside {dice} for {points}; {sum} in this turn.")
        if keep.points <= 0:
            told = phrase_later("{player} sets aside {dice}, and this roll counts less; {sum} in this turn.")
        news = phrase(
            told,
            player=self.name,
            dice=keep_words(keep),
            points=keep.points,
            sum=kept,
        )
        if left:
            said, more = Said(news=news, roll=self.said.roll), self.agreed.same_roll == "more"
            rest = _without(self.roll, keep.dice) if more else ()
            aside = tuple(sorted((*self.aside, *keep.dice))) if more else ()
            return replace(self, kept=kept, left=left, roll=rest, aside=aside, said=said)
        again = phrase("Hot dice: all six may be rolled again.")
        return replace(
            self,
            kept=kept,
            left=DICE,
            roll=(),
            aside=(),
            said=Said(news=f"{news} {again}", banner=phrase("HOT DICE"), roll=self.said.roll),
        )

    def _banked(self) -> "TenThousandPosition":
        points, needed = self.best, self.needed
        if not points:
            raise AgainstTheRules(
                phrase("{player} has nothing to bank yet: roll all six dice.", player=self.name), "3"
            )
        if points >= needed:
            return self._turn_over(points, "BANK", self.said.roll)
        if self.agreed.below == "nothing":
            return self._turn_over(0, "NOTHING", self.said.roll)
        if self.scores[self.active] or self.agreed.opening < needed:
            text = phrase_later("{player} has {points} in this turn, and a bank is {least} or more: roll on.")
            raise AgainstTheRules(phrase(text, player=self.name, points=points, least=needed), "8b")
        text = phrase_later(
            "{player} has {points} in this turn, and the first bank is {least} or more: roll on."
        )
        raise AgainstTheRules(phrase(text, player=self.name, points=points, least=needed), "8a")

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
                news = [farkle_told(name, " ".join(roll), before.kept)]
            case "NOTHING":
                below = before.needed
                news = [
                    phrase(
                        "{player} ends the turn below {points}: nothing is banked.", player=name, points=below
                    )
                ]
            case _:
                news = [phrase("{player} banks {gain} and has {score}.", player=name, gain=gain, score=score)]
        banner = "FARKLE" if how == "FARKLE" else f"{gain}"
        if ending := self.ending():
            return Said(news=" ".join([*news, ending.cause]), banner=phrase("END"), roll=roll)
        if before.final is None and self.final is not None:
            news.append(phrase("The last round begins: one turn for everybody else."))
            banner = f"{score}!"
        news.append(phrase("{player} rolls.", player=self.name))
        return Said(news=" ".join(news), banner=banner, roll=roll)

    def ending(self) -> Ending | None:
        """Who won and why (rules 10, 10a); None while the game goes on."""
        if self.phase != "ended":
            return None
        shared = self.agreed.ties == "shared"
        return highest(self.players, self.scores, self.since, won_told, shared=shared)

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
            buttons=("roll_done", "cache"),
            turn_end="cache",
        )

    def _call(self) -> str:
        """What the table waits for, when no event has been told yet."""
        match self.phase:
            case "roll-off":
                return phrase("{player} rolls one die for the first turn.", player=self.name)
            case "roll":
                return rolling_told(self.name, self.left)
            case "keep":
                return phrase("{player} sets dice aside.", player=self.name)
            case "ended":
                ending = self.ending()
                return ending.cause if ending else ""

    def _wanted(self, keeps: tuple[Keep, ...]) -> Wanted | None:
        match self.phase:
            case "roll-off":
                return Wanted(kind="pip", count=1)
            case "roll":
                return Wanted(kind="pip", count=None if self._may_roll_on(keeps) else self.left)
            case "keep":
                return Wanted(kind="pip", count=None) if self._may_roll_on(keeps) else None
            case "ended":
                return None

    def _may_roll_on(self, keeps: tuple[Keep, ...]) -> bool:
        """Whether dice may be rolled without a word of what is set aside (rules 5c, 7a)."""
        most = max(self.left, DICE * (self.left < DICE))
        return any(keep.points > 0 and len(keep.dice) < most for keep in keeps)

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


def _choice(keep: Keep) -> Choice:
    combos = tuple(tuple(Die("pip", face) for face in combo) for combo in keep.combos)
    return Choice(event=Pocket(combos=combos), words=keep_words(keep), points=keep.points)


class TenThousandRulebook:
    """Ten Thousand in every edition."""

    name = "ten-thousand"
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
    option_words: Mapping[str, OptionWords] = guide.OPTION_WORDS
    younger: Mapping[str, str] = YOUNGER
    mat = MatRules(dice=OnePlace())

    @property
    def title(self) -> str:
        """What it is called."""
        return phrase("Ten Thousand")

    @property
    def risk(self) -> str:
        """A roll in which nothing scores."""
        return phrase("Nothing next")

    def explain(self, agreed: Mapping[str, str]) -> tuple[str, ...]:
        """The rules in short."""
        return guide.explain(agreed)

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
            agreed=agree(chosen),
            players=names,
            scores=nobody,
            since=nobody,
            off=(waiting,) * len(names) if chosen["first"] == "roll-off" else (),
        )

    def parse(self, line: str) -> TenThousandPosition:
        """The position of a line; raises `Unreadable` for one that cannot be."""
        return read(line, TenThousandPosition)
