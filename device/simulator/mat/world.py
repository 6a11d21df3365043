"""The simulated world of a printed mat: dice thrown on its field and carried to its places, cards laid down.

The hand picks up for a throw what lies free, when that is just as many dice as are to be thrown; otherwise a
new turn begins, and it takes up everything. Which dice go where it is told, as hands are by their heads.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from random import Random

from device.simulator.designs import COLORS
from device.simulator.dice import FACES_ON, RestingDie, SimulatedDie
from device.simulator.hand_acts import Script, Setting, fill, opened, plan, taken
from device.simulator.mat.carry import card_laid, carried, free_spots, set_down
from device.simulator.motion import HandWay, LyingStill
from device.simulator.throw import Throw, ThrowArea, flat_pose
from device.simulator.world import MOST_DICE, Paper, SeenWorld, World
from engine.dice import Die, DieKind
from engine.wording import phrase, phrase_later
from engine.words import face_word
from vision.places import Layout, Region

ACTS: Mapping[str, str] = {
    "throw": phrase_later("Throw the dice"),
    "throw_one_less": phrase_later("Throw, but keep one die in the hand"),
    "throw_one_more": phrase_later("Throw one die too many"),
    "stack": phrase_later("Throw so that two dice end stacked"),
    "floor": phrase_later("Throw so that one die falls off the table"),
    "slide": phrase_later("Slide the dice instead of rolling them"),
    "take_back": phrase_later("Put the dice set aside last back"),
    "set_any": phrase_later("Set one die aside, whatever it shows"),
    "hand": phrase_later("Rest a hand over the table"),
    "nudge": phrase_later("Push one die a little"),
    "turn_over": phrase_later("Turn one die to another face"),
    "clear": phrase_later("Take the dice and cards away"),
}
"""What the simulated hand can do on a mat, by name, and the words for a button."""

D4_COLOR = "blue"
TABLE_HALF_MM = (260.0, 200.0)
"""Half of the table under the mat: it ends just out of the picture."""
RELEASE_IN_MM = 39.0
"""How far inside the field's near edge the hand opens."""


class MatWorld(World):
    """Not safe to share between threads; `device.simulator.table` locks it."""

    acts = ACTS
    bounds_mm = (-TABLE_HALF_MM[0], -TABLE_HALF_MM[1], *TABLE_HALF_MM)

    def __init__(self, rng: Random, layout: Layout) -> None:
        """An empty mat. All chance comes from `rng`."""
        super().__init__(rng)
        self.layout = layout
        self._orders: dict[str, tuple[tuple[Die, ...], str]] = {}
        self._papers: tuple[Paper, ...] = ()
        self._last: tuple[int, ...] = ()
        self._bets: dict[int, int] = {}
        self._single: Die | None = None
        field = layout.of("roll")[0].outline_mm - self._middle_mm
        low, high = field.min(axis=0), field.max(axis=0)
        self._field = ThrowArea(
            centre_mm=(float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2),
            half_mm=(float(high[0] - low[0]) / 2, float(high[1] - low[1]) / 2),
            release_y_mm=float(low[1]) + RELEASE_IN_MM,
            walled=False,
        )

    @property
    def _middle_mm(self) -> tuple[float, float]:
        """The world's origin in the mat's frame."""
        return self.layout.mat.width_mm / 2, self.layout.mat.height_mm / 2

    def lay(self, kind: DieKind, count: int, colors: Sequence[str] = ("ivory",)) -> None:
        """Throw so many dice next time. What lies on the mat stays until the hand takes it."""
        if kind not in FACES_ON:
            raise ValueError(f"The simulated table has {' and '.join(FACES_ON)} dice; got {kind!r}.")
        if not 1 <= count <= MOST_DICE:
            raise ValueError(f"The simulated hand holds 1 to {MOST_DICE} dice; got {count}.")
        if not colors or any(color not in COLORS for color in colors):
            raise ValueError(f"Dice come in {', '.join(COLORS)}; got {', '.join(colors) or 'no colour'}.")
        self._dice = tuple((kind, colors[index % len(colors)]) for index in range(count))

    def lay_also(self, kind: DieKind, count: int) -> None:
        """Throw so many dice of another kind with them: ZONK's D4."""
        self._dice = tuple(die for die in self._dice if die[0] != kind) + ((kind, D4_COLOR),) * count

    def show_bets(self, bets: Mapping[int, int]) -> None:
        """Take all hands off the betting dice at once: by seat, counted from 1, what each shows."""
        places = {place.number: place for place in self.layout.of("bet")}
        if missing := [str(seat) for seat in bets if seat not in places]:
            raise ValueError(phrase("The mat has no bet place {missing}.", missing=", ".join(missing)))
        self._bets = dict(bets)
        self._waiting.append("bets")

    def carry(self, dice: Sequence[Die], label: str) -> None:
        """Carry free dice that show this to a place, as soon as the hand is free."""
        place = self.layout.named(label)
        if place is None:
            raise ValueError(
                phrase(
                    "The mat has no place {label!r}; it has {labels}.",
                    label=label,
                    labels=", ".join(map(phrase, self._labels())),
                )
            )
        lie = Counter(Die(die.body.kind, die.up) for die in self._free(self.outcome))
        if missing := Counter(dice) - lie:
            faces = ", ".join(face_word(die.value) for die in missing.elements())
            raise ValueError(phrase("No free die shows {faces}.", faces=faces))
        self._order("carry", tuple(dice), label)

    def turn(self, die: Die, value: int) -> None:
        """Turn a free die to another face, as soon as the hand is free."""
        self._order("turn", (die, Die(die.kind, value)), "")

    def bring(self, die: Die) -> None:
        """Set down one more die that shows this, beside the others."""
        self._order("bring", (die,), "")

    def take_up(self, die: Die) -> None:
        """The next throw is of this free die alone."""
        self._single = die

    def lay_card(self, card: str, label: str) -> None:
        """Lay a card face up in a place, as soon as the hand is free."""
        if self.layout.named(label) is None:
            raise ValueError(
                phrase(
                    "The mat has no place {label!r}; it has {labels}.",
                    label=label,
                    labels=", ".join(map(phrase, self._labels())),
                )
            )
        self._order(f"card {card}", (), label)

    def at(self, time_ms: float) -> SeenWorld:
        """Move on to a time (never back), and show what can be seen."""
        scene = super().at(time_ms)
        self._papers = tuple(paper for paper in self._papers if scene.time_ms < paper.until_ms)
        return replace(scene, papers=self._papers)

    def _order(self, what: str, dice: tuple[Die, ...], label: str) -> None:
        name = f"{what} {len(self._orders)}"
        self._orders[name] = dice, label
        self._waiting.append(name)

    def _labels(self) -> list[str]:
        return [region.label for region in self.layout.region]

    def _planned(self, name: str, setting: Setting) -> Script:
        match name:
            case "throw" | "throw_one_less" | "throw_one_more" | "stack" | "floor" | "slide":
                return self._thrown(name, setting)
            case "take_back":
                back = [die for die in setting.lying if die.body.number in self._last]
                return self._carried(setting, back, self.layout.of("roll")[0])
            case "set_any":
                free = self._free(setting.lying)
                chosen = [setting.rng.choice(free)] if free else []
                return self._carried(setting, chosen, self._next_place(setting.lying))
            case "bets":
                return self._bets_shown(setting)
            case "clear" | "hand" | "nudge" | "turn_over":
                self._papers = self._papers if name != "clear" else ()
                return plan(name, replace(setting, area=self._field))
            case _:
                return self._ordered(name, setting)

    def _ordered(self, name: str, setting: Setting) -> Script:
        """What the hand was told to carry, or to lay down."""
        dice, label = self._orders.pop(name)
        if name.startswith("turn"):
            return self._turned(setting, *dice)
        if name.startswith("bring"):
            return self._brought(setting, dice[0])
        place = self.layout.named(label)
        assert place is not None  # noqa: S101 - the order was checked when it came
        if name.startswith("card"):
            return self._card_laid(setting, name.split()[1], place)
        return self._carried(setting, self._showing(setting.lying, dice), place)

    def _thrown(self, name: str, setting: Setting) -> Script:
        bodies = setting.bodies({"throw_one_less": -1, "throw_one_more": 1}.get(name, 0))
        free = self._free(setting.lying)
        single = self._showing(setting.lying, (self._single,)) if self._single else []
        self._single = None
        free = single or free
        new_turn = len(free) != len(self._dice)
        # Betting dice are their players' own: they stay where they were shown.
        up = [die for die in setting.lying if die.body.kind != "bet"] if new_turn else free
        stay = [die for die in setting.lying if die not in up]
        points, items = taken(replace(setting, lying=tuple(up)))
        if new_turn:  # the cards go to their players
            gone_ms = points[-1].time_ms if points else setting.start_ms
            self._papers = tuple(replace(paper, until_ms=gone_ms) for paper in self._papers)
        start_ms = points[-1].time_ms + 220 if points else setting.start_ms
        open_ms = start_ms + 420
        hand_x = self._field.centre_mm[0] + setting.rng.uniform(-40, 40)
        throw = Throw(setting.rng, open_ms, hand_x, self._field, stay)
        fill(throw, name, bodies)
        points += opened(throw, start_ms, open_ms)
        return Script(
            end_ms=max(throw.end_ms, points[-1].time_ms),
            items=(
                *items,
                *((die.body, LyingStill(die.pose)) for die in stay),
                *((die.body, die.motion) for die in throw.thrown),
            ),
            hand=HandWay(tuple(points)),
            outcome=(*stay, *(die.lying for die in throw.thrown if die.lying)),
            touched_ms=setting.start_ms,
            rest_ms=throw.end_ms,
        )

    def _carried(self, setting: Setting, dice: Sequence[RestingDie], place: Region) -> Script:
        stay = [die for die in setting.lying if die not in dice]
        spots = free_spots(place, self._middle_mm, stay)
        self._last = tuple(die.body.number for die in dice)
        return carried(setting, dice, spots)

    def _card_laid(self, setting: Setting, card: str, place: Region) -> Script:
        x, y = (float(at - half) for at, half in zip(place.center_mm, self._middle_mm, strict=True))
        lying = sum(paper.until_ms == inf for paper in self._papers)
        # Cards lie fanned, each tag in sight; on a pocket the tag lies in it and the rest of the card below.
        y += -43.0 if place.kind == "pocket" else 22.0 - 26.0 * lying
        script, paper = card_laid(setting, card, (x + setting.rng.uniform(-4, 4), y))
        self._papers = (*self._papers, paper)
        return script

    def _turned(self, setting: Setting, die: Die, to: Die) -> Script:
        """A die that shows another face, where it lay."""
        found = self._showing(setting.lying, (die,))
        stay = [one for one in setting.lying if one not in found]
        shown = [self._placed(one.body, one.pose.center_mm.tolist(), to, setting) for one in found]
        return set_down(setting, stay, shown)

    def _brought(self, setting: Setting, die: Die) -> Script:
        """One die more on the field."""
        spots = free_spots(self.layout.of("roll")[0], self._middle_mm, setting.lying)
        self._numbers += 1
        body = SimulatedDie(
            number=self._numbers, kind=die.kind, color=self._dice[0][1], faces=FACES_ON[die.kind]
        )
        shown = [self._placed(body, spots[0], die, setting)] if spots else []
        return set_down(setting, setting.lying, shown)

    def _placed(self, body: SimulatedDie, at_mm: Sequence[float], die: Die, setting: Setting) -> RestingDie:
        yaw = setting.rng.uniform(-0.6, 0.6)
        pose = flat_pose(body, float(at_mm[0]), float(at_mm[1]), yaw, body.faces.index(die.value))
        return RestingDie(body=body, pose=pose, how="flat")

    def _bets_shown(self, setting: Setting) -> Script:
        """Each player's die, turned to the bet; those of the last turn are what they were turned from."""
        stay = [die for die in setting.lying if die.body.kind != "bet"]
        shown = []
        for place in self.layout.of("bet"):
            if place.number not in self._bets:
                continue
            self._numbers += 1
            color = place.color if place.color in COLORS else "ivory"
            body = SimulatedDie(number=self._numbers, kind="bet", color=color, faces=FACES_ON["bet"])
            x, y = (float(at - half) for at, half in zip(place.center_mm, self._middle_mm, strict=True))
            spot = x + setting.rng.uniform(-4, 4), y + setting.rng.uniform(-4, 4)
            shown.append(self._placed(body, spot, Die("bet", self._bets[place.number]), setting))
        return set_down(setting, stay, shown)

    def _place_of(self, die: RestingDie) -> Region | None:
        x, y = (float(at + half) for at, half in zip(die.pose.center_mm[:2], self._middle_mm, strict=True))
        return self.layout.at(x, y)

    def _free(self, lying: Sequence[RestingDie]) -> list[RestingDie]:
        """The dice that lie in no place where dice are set aside."""
        return [die for die in lying if (place := self._place_of(die)) is None or not place.sets_aside]

    def _showing(self, lying: Sequence[RestingDie], dice: Sequence[Die]) -> list[RestingDie]:
        """Free dice that show this, each once."""
        free, found = self._free(lying), []
        for die in dice:
            one = next((each for each in free if (each.body.kind, each.up) == (die.kind, die.value)), None)
            if one is not None:
                free.remove(one)
                found.append(one)
        return found

    def _next_place(self, lying: Sequence[RestingDie]) -> Region:
        """The first empty pocket after all that hold dice, or the place where dice are set aside."""
        places = (*self.layout.of("pocket"), *self.layout.of("aside"))
        if not places:
            return self.layout.of("roll")[0]
        full = [place for place in places if any(self._place_of(die) == place for die in lying)]
        last = places.index(full[-1]) + 1 if full and full[-1].kind == "pocket" else 0
        return places[min(last, len(places) - 1)]
