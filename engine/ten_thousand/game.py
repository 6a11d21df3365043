"""Ten Thousand, played: what may happen next, and what then is. The rules head the package."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import get_args

from engine.dice import Die, DieKind
from engine.events import Cache, Chosen, GameEvent, Pocket, Rolled
from engine.game import (
    Allowed,
    Choice,
    Ending,
    Fact,
    GameView,
    MatRules,
    News,
    OptionWords,
    Played,
    Position,
    Wanted,
)
from engine.mat import Dice, Expected
from engine.refusal import AgainstTheRules
from engine.seating import agree_on_options, seat_players
from engine.set_aside import SetAside, one_combo
from engine.ten_thousand import guide
from engine.ten_thousand.agreed import (
    AMOUNTS,
    COMBO_AMOUNTS,
    EDITIONS,
    NUMBERS_OF_DICE,
    YOUNGER,
    YOUNGER_AMOUNTS,
    Below,
    Exact,
    HotDice,
    Last,
    Piggyback,
    SameRoll,
    Ties,
    agree,
    keyed,
)
from engine.ten_thousand.combos import DICE, Keep, Kinds, best_keep, keep_words, legal_additions, legal_keeps
from engine.ten_thousand.line import FARKLES, SEATS, Off, Phase, TenThousandState, no_farkles, printed, read
from engine.winning import highest
from engine.wording import phrase, phrase_count, phrase_later
from engine.words import dice_named, faces, number, plain_dice, together

# What a mat means in Ten Thousand: one place for all dice of the turn that were set aside (rule 5).
#
# Hot dice empty it when all six are rolled again (rule 7). Rolling fewer dice says which were set aside,
# moved or not (rule 5c). Rule numbers are those of `engine.ten_thousand`.


class OnePlace(SetAside):
    """The place of all dice of the turn."""

    def expect(self, start: Position, played: Played) -> Expected | None:
        """Where the dice of the turn should lie; None while no roll of it lies there."""
        now = _ten_thousand(played[-1][1] if played else start)
        if now.phase not in {"roll", "keep"}:
            return None
        aside: Counter[int] = Counter()
        free: Dice = Counter()
        left: Counter[int] = Counter()
        """The dice of a bank that may be taken over: they stay set aside (rule 8d)."""
        before = _ten_thousand(start)
        for event, position in played:
            after = _ten_thousand(position)
            if after.turn != before.turn or before.phase == "roll-off":
                left = _set_aside_by_bank(before, aside) if after.offer else Counter[int]()
                aside, free = Counter(), Counter()
            match event:
                case Rolled() if after.roll:
                    if before.offer and after.left < after.agreed.dice:
                        aside = left
                    aside += _implied(before, len(event.dice))
                    if after.left == after.agreed.dice:
                        aside = Counter()
                    free = Counter(event.dice)
                case Pocket(combos=combos):
                    dice = Counter(die for combo in combos for die in combo)
                    aside += Counter(die.value for die in dice.elements() if isinstance(die.value, int))
                    free = free - dice
                case _:
                    pass
            before = after
        if not aside and not free:
            return None
        wrong = phrase("Dice are set aside in one place (rule 5).")
        return Expected(free=free, aside={1: aside}, current=1, wrong=wrong)

    def pocketing(self, position: Position, dice: Dice) -> Pocket:  # noqa: ARG002 - all games say it alike
        """The set-aside of these dice; the rulebook makes the most of them by itself (rule 5a)."""
        return one_combo(dice)


def _implied(before: TenThousandState, rolled: int) -> Counter[int]:
    """Rule 5c: what rolling fewer dice said to be set aside."""
    keep = before.implied_keep(rolled)
    return Counter(keep.dice if keep else ())


def _set_aside_by_bank(before: TenThousandState, aside: Counter[int]) -> Counter[int]:
    """Rule 8: what lies set aside once the best of the dice that lie there was banked, too."""
    return aside + Counter(before.keeps[0].dice if before.keeps else ())


def _ten_thousand(position: Position) -> TenThousandState:
    """The position as Ten Thousand's own; raises `TypeError` for another game's."""
    if not isinstance(position, TenThousandState):
        raise TypeError(f"this is Ten Thousand's mat; the position is a {type(position).__name__}")
    return position


# Ten Thousand in sentences: what was rolled, and why dice are not taken. Rules are those of the package.


def pips(dice: tuple[Die, ...], count: int, name: str, rule: str) -> tuple[int, ...]:
    """The faces of exactly so many pip dice."""
    values = tuple(die.value for die in dice if die.kind == "pip" and isinstance(die.value, int))
    if len(values) != len(dice) or len(values) != count:
        kinds = [die.kind for die in dice]
        here = plain_dice(len(kinds)) if {*kinds} == {"pip"} else dice_named(kinds)
        wrong = phrase_count(
            "{player} rolls one die; here are {dice}. Roll again, or correct them.",
            "{player} rolls {number} dice; here are {dice}. Roll again, or correct them.",
            count,
            player=name,
            number=number(count),
            dice=here,
        )
        raise AgainstTheRules(wrong, rule)
    return values


def not_there(kinds: Sequence[DieKind], missing: Sequence[int], roll: str) -> str:
    """Why these dice cannot be set aside: other kinds, or faces that do not lie there so often."""
    if kinds:
        return phrase("There are not {dice} here: the roll is {roll}.", dice=dice_named(kinds), roll=roll)
    several = together([phrase("{face}s", face=face) for face in missing])
    return phrase("There are not so many {faces} here: the roll is {roll}.", faces=several, roll=roll)


def farkle_told(name: str, roll: str, lost: int) -> str:
    """That nothing scores, and what is lost (rule 6)."""
    if not lost:
        return phrase("FARKLE! {player} rolls {roll}.", player=name, roll=roll)
    return phrase(
        "FARKLE! {player} rolls {roll} and loses {points} points.", player=name, roll=roll, points=lost
    )


def rolling_told(name: str, count: int) -> str:
    """That a player rolls so many dice."""
    return phrase_count(
        "{player} rolls one die.", "{player} rolls {number} dice.", count, player=name, number=number(count)
    )


def offer_told(name: str, points: int, dice: int) -> str:
    """That points may be taken over (rule 8d)."""
    return phrase_count(
        "Or {player} takes over {points} points and rolls the last die.",
        "Or {player} takes over {points} points and rolls {number} dice.",
        dice,
        player=name,
        points=points,
        number=number(dice),
    )


def taking_words(points: int, dice: int) -> str:
    """What may be chosen: to take points over (rule 8d)."""
    return phrase_count(
        "take over {points} and roll one die",
        "take over {points} and roll {number} dice",
        dice,
        points=points,
        number=number(dice),
    )


def won_told(winner: str, points: int) -> str:
    """Who has the most (rule 10)."""
    return phrase(
        "{player} wins with {points} points, the most at the end (rule 10).", player=winner, points=points
    )


def row(values: tuple[int, ...]) -> str:
    """The faces as they lie: "1 4 5"."""
    return " ".join(map(str, values))


PHASES: dict[Phase, dict[type[GameEvent], tuple[Phase, ...]]] = {
    "roll-off": {Rolled: ("roll-off", "roll")},
    "roll": {
        Pocket: ("roll",),
        Rolled: ("keep", "roll", "ended"),
        Cache: ("roll", "ended"),
        Chosen: ("roll",),
    },
    "keep": {
        Pocket: ("roll",),
        Rolled: ("keep", "roll", "ended"),
        Cache: ("roll", "ended"),
    },
    "ended": {},
}
"""Each phase: the events it takes, and the phases they may lead to."""
TOO_FEW: Mapping[tuple[bool, bool], str] = {
    (False, False): phrase_later(
        "{player} has {points} in this turn, and a bank is {least} or more: roll on."
    ),
    (False, True): phrase_later(
        "With these dice {player} would have {points} in this turn, and a bank is {least} or more: roll on."
    ),
    (True, False): phrase_later(
        "{player} has {points} in this turn, and the first bank is {least} or more: roll on."
    ),
    (True, True): phrase_later(
        "With these dice {player} would have {points} in this turn, and the first bank is {least} or more: "
        "roll on."
    ),
}
"""Why a bank is refused: whether it would be the player's first, and whether it counts dice not set aside."""
PIGGYBACK = "piggyback"
"""What a `Chosen` says that takes points over (rule 8d)."""


class TenThousandPosition(TenThousandState):
    """One moment of one game. The facts stand in `TenThousandState`."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The player who rolls."""
        return self.players[self.active]

    @property
    def may_bank(self) -> bool:
        """Whether the turn may be ended now (rules 7b, 8 to 8f)."""
        if self.phase not in {"roll", "keep"} or self.must_roll:
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
            case Chosen() if phase == "roll" and self.agreed.piggyback == "yes":
                return self._taken_over(event.mode)
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
            return replace(after, said=News(news=f"{news} {onward}", roll=shown))
        best = max(entry for entry in off if isinstance(entry, int))
        tied = [seat for seat, entry in enumerate(off) if entry == best]
        if len(tied) > 1:
            names = together([self.players[seat] for seat in tied])
            again = phrase("{players} tie and roll again.", players=names)
            off = tuple("?" if seat in tied else "-" for seat in range(len(off)))
            return replace(self, off=off, said=News(news=f"{news} {again}", roll=shown))
        after = replace(self, off=(), first=tied[0])
        begins = phrase("{player} has the first turn.", player=after.name)
        return replace(after, said=News(news=f"{news} {begins}", roll=shown))

    def _rolled(self, dice: tuple[Die, ...]) -> "TenThousandPosition":
        if self.roll and not (self.aside and self.implied(len(dice)) <= 0):
            return self._rolled_on(dice)
        if self.open_offer and self.open_offer[1] == len(dice) != self.left:
            return self._taken_over(PIGGYBACK)._rolled(dice)
        values = pips(dice, self.left, self.name, "3")
        keeps = self.fitting(legal_keeps(values, self.agreed.combos))
        shown = faces(values)
        if self.agreed.all_ones_win and values == (1,) * self.agreed.dice:
            return self._won_at_once(shown)
        if not keeps:
            return self._turn_over(0, "FARKLE", shown)
        news = phrase(
            "{player} rolls {roll}: {points} points available.",
            player=self.name,
            roll=" ".join(shown),
            points=keeps[0].points,
        )
        after = replace(self, roll=values, aside=(), offer=None, said=News(news=news, roll=shown))
        return after._single_rolled() if self.single_roll else after

    def _single_rolled(self) -> "TenThousandPosition":
        """Rule 9b: the one roll of the last round is banked as it lies, where that is allowed."""
        enough = self.best >= self.needed
        over = self._turn_over(self.best if enough else 0, "BANK" if enough else "NOTHING", self.said.roll)
        return replace(over, said=replace(over.said, news=f"{self.said.news} {over.said.news}"))

    def _won_at_once(self, roll: tuple[str, ...]) -> "TenThousandPosition":
        """Rule 4g: nothing but 1s."""
        after = self._turn_over(0, "WON", roll)
        ending = after.ending()
        return replace(after, said=News(news=ending.cause if ending else "", banner=phrase("END"), roll=roll))

    @property
    def open_offer(self) -> tuple[int, int] | None:
        """Points and dice that may be taken over now (rules 8d, 9c)."""
        if self.offer is None or self.kept:
            return None
        return None if self.agreed.exact == "yes" and self.offer[0] >= self.missing else self.offer

    def _taken_over(self, mode: str) -> "TenThousandPosition":
        """Rule 8d: the points that were banked before, and the dice that were left."""
        if mode != PIGGYBACK or self.open_offer is None:
            raise AgainstTheRules(
                phrase("There are no points to take over now: roll, set dice aside, or bank."), "8d"
            )
        points, dice = self.open_offer
        news = phrase("{player} takes over {points} points.", player=self.name, points=points)
        said = News(news=f"{news} {rolling_told(self.name, dice)}", roll=self.said.roll)
        return replace(self, kept=points, left=dice, said=said)

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
        kept = self._set_dice_aside(keep)
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
        if self.kept + keep.points > self.missing and self.agreed.exact == "yes":
            passing = phrase(
                "{player} needs exactly {points} more points: these dice pass them.",
                player=self.name,
                points=self.missing - self.kept,
            )
            raise AgainstTheRules(passing, "9c")
        return self._set_dice_aside(keep)

    def _keep_of(self, taken: tuple[int, ...]) -> Keep | None:
        """These dice set aside, beside what was of the same roll; None where they do not score."""
        if not self.aside:
            return best_keep(taken, self.agreed.combos)
        more = legal_additions(self.aside, self.roll, self.agreed.combos)
        return next((keep for keep in more if keep.dice == taken), None)

    def _set_dice_aside(self, keep: Keep) -> "TenThousandPosition":
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
            said, more = News(news=news, roll=self.said.roll), self.agreed.same_roll == "more"
            rest = _without(self.roll, keep.dice) if more else ()
            aside = tuple(sorted((*self.aside, *keep.dice))) if more else ()
            return replace(self, kept=kept, left=left, roll=rest, aside=aside, said=said)
        dice = number(self.agreed.dice)
        again = (
            phrase("Hot dice: all {number} must be rolled again.", number=dice)
            if self.agreed.hot_dice == "must"
            else phrase("Hot dice: all {number} may be rolled again.", number=dice)
        )
        return replace(
            self,
            kept=kept,
            left=self.agreed.dice,
            roll=(),
            aside=(),
            said=News(news=f"{news} {again}", banner=phrase("HOT DICE"), roll=self.said.roll),
        )

    def _banked(self) -> "TenThousandPosition":
        points, needed = self.best, self.needed
        if not points:
            raise AgainstTheRules(
                phrase(
                    "{player} has nothing to bank yet: roll all {number} dice.",
                    player=self.name,
                    number=number(self.agreed.dice),
                ),
                "3",
            )
        if self.takes_over:
            raise AgainstTheRules(
                phrase("{player} took the points over and must roll first.", player=self.name), "8f"
            )
        if self.must_roll:
            raise AgainstTheRules(phrase("Hot dice: {player} must roll them first.", player=self.name), "7b")
        if points >= needed:
            return self._turn_over(points, "BANK", self.said.roll)
        if self.agreed.below == "nothing":
            return self._turn_over(0, "NOTHING", self.said.roll)
        raise self._too_few_to_bank(points, needed)

    def _too_few_to_bank(self, points: int, needed: int) -> AgainstTheRules:
        """Rules 8a, 8b. Dice that are not set aside yet are no points of the turn on any page."""
        first = not self.scores[self.active] and self.agreed.opening >= needed
        text = TOO_FEW[first, points > self.kept]
        told = phrase(text, player=self.name, points=points, least=needed)
        return AgainstTheRules(told, "8a" if first else "8b")

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
            left=self.agreed.dice,
            roll=(),
            aside=(),
            offer=None,
            won=seat if how == "WON" else None,
        )
        over = over._farkle_counted(seat, farkled=how == "FARKLE")
        shared = self.agreed.piggyback == "yes" and len(self.players) > 1 and over.phase != "ended"
        if shared and how == "BANK":
            over = replace(over, offer=(gain, self.spare))
        return replace(over, said=over._announce_turn(self, gain, how, roll))

    def _farkle_counted(self, seat: int, *, farkled: bool) -> "TenThousandPosition":
        """Rule 6a: one more farkle in a row of that seat, and what the third costs; else none any more."""
        if not self.farkles:
            return self
        count = self.farkles[seat] + 1 if farkled else 0
        after = replace(self, farkles=(*self.farkles[:seat], count % FARKLES, *self.farkles[seat + 1 :]))
        fine = min(self.agreed.three_farkles, self.scores[seat]) if count == FARKLES else 0
        if not fine:
            return after
        score = self.scores[seat] - fine
        return replace(
            after,
            scores=(*self.scores[:seat], score, *self.scores[seat + 1 :]),
            since=(*self.since[:seat], self.turn if score else 0, *self.since[seat + 1 :]),
        )

    def _announce_turn(
        self, before: "TenThousandPosition", gain: int, how: str, roll: tuple[str, ...]
    ) -> News:
        """What the end of a turn means, for the table."""
        name, score = before.name, self.scores[before.active]
        match how:
            case "FARKLE":
                news = [farkle_told(name, " ".join(roll), before.kept)]
                if fine := before.scores[before.active] - score:
                    third = phrase(
                        "That is the third in a row: minus {points}, {score} are left.",
                        points=fine,
                        score=score,
                    )
                    news.append(third)
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
            return News(news=" ".join([*news, ending.cause]), banner=phrase("END"), roll=roll)
        if before.final is None and self.final is not None:
            news.append(
                phrase("The last round begins: a single roll for everybody else.")
                if self.single_roll
                else phrase("The last round begins: one turn for everybody else.")
            )
            banner = f"{score}!"
        news.append(phrase("{player} rolls.", player=self.name))
        if self.open_offer:
            news.append(offer_told(self.name, *self.open_offer))
        return News(news=" ".join(news), banner=banner, roll=roll)

    def ending(self) -> Ending | None:
        """Who won and why (rules 10, 10a); None while the game goes on."""
        if self.won is not None:
            winner = self.players[self.won]
            cause = phrase(
                "{player} rolls {number} 1s and wins at once (rule 4g).",
                player=winner,
                number=number(self.agreed.dice),
            )
            return Ending(winners=(winner,), cause=cause)
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
            choices=(*map(_choice, keeps), *map(_take_over, [self.open_offer] if self.open_offer else [])),
            facts=self._facts(),
            buttons=("roll_done", "cache"),
            turn_end="cache",
            target=self.agreed.target,
        )

    def _facts(self) -> tuple[Fact, ...]:
        """Farkles in a row, where they cost points (rule 6a)."""
        return tuple(
            Fact(name="farkles in a row", words=(str(count),), player=name)
            for name, count in zip(self.players, self.farkles, strict=bool(self.farkles))
            if count
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
                several = self._may_roll_on(keeps) or (self.open_offer and self.open_offer[1] != self.left)
                return Wanted(kind="pip", count=None if several else self.left)
            case "keep":
                return Wanted(kind="pip", count=None) if self._may_roll_on(keeps) else None
            case "ended":
                return None

    def _may_roll_on(self, keeps: tuple[Keep, ...]) -> bool:
        """Whether dice may be rolled without a word of what is set aside (rules 5c, 7a)."""
        most = max(self.left, self.agreed.dice * (self.left < self.agreed.dice))
        return any(keep.points > 0 and len(keep.dice) < most for keep in keeps)

    def _allowed(self, keeps: tuple[Keep, ...]) -> tuple[Allowed, ...]:
        buttons: tuple[Allowed, ...] = ()
        if self.phase in {"roll", "roll-off"} or self._may_roll_on(keeps):
            buttons = (Allowed(button="roll_done", player=self.name),)
        if not self.may_bank:
            return buttons
        scores = self.best >= self.needed
        words = phrase("Bank {points}", points=self.best) if scores else phrase("End the turn")
        return (*buttons, Allowed(button="cache", player=self.name, scores=scores, words=words))


def _without(roll: tuple[int, ...], taken: tuple[int, ...]) -> tuple[int, ...]:
    """The dice of a roll that are left, as they lie."""
    left = list(roll)
    for face in taken:
        left.remove(face)
    return tuple(left)


def _choice(keep: Keep) -> Choice:
    combos = tuple(tuple(Die("pip", face) for face in combo) for combo in keep.combos)
    return Choice(event=Pocket(combos=combos), words=keep_words(keep), points=keep.points)


def _take_over(offer: tuple[int, int]) -> Choice:
    return Choice(event=Chosen(mode=PIGGYBACK), words=taking_words(*offer), points=offer[0])


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
        "hot-dice": get_args(HotDice),
        **{keyed(key): () for key in YOUNGER_AMOUNTS},
        "piggyback": get_args(Piggyback),
        "exact": get_args(Exact),
        "all-ones": (),
        "dice": tuple(map(str, NUMBERS_OF_DICE)),
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
        agreed, nobody = agree(chosen), (0,) * len(names)
        waiting: Off = "?"
        rolls_off = chosen["first"] == "roll-off" and len(names) > 1
        return TenThousandPosition(
            agreed=agreed,
            players=names,
            scores=nobody,
            since=nobody,
            off=(waiting,) * len(names) if rolls_off else (),
            left=agreed.dice,
            farkles=no_farkles(agreed, len(names)),
        )

    def parse(self, line: str) -> TenThousandPosition:
        """The position of a line; raises `Unreadable` for one that cannot be."""
        return read(line, TenThousandPosition)
