"""Dice and what else comes to lie on the second painter's tables, with their skins."""

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from benchmarks.landing.other_painter.shapes import Box, Coin, Limb, Solid
from calibration.arrays import Floats


class Skin(Protocol):
    """How a solid looks."""

    @property
    def clear(self) -> float:
        """The share of light that goes through it."""

    @property
    def mirrors(self) -> float:
        """The share of light that it mirrors when looked at straight on."""

    @property
    def rough(self) -> float:
        """How far, in rad, mirrored light is strewn."""

    def dress(self, points: Floats, normals: Floats) -> tuple[Floats, Floats]:
        """Reflectances (n, 3), blue first, and normals (n, 3) of points on it."""


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """A solid and its skin."""

    solid: Solid
    skin: Skin


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DieSkin:
    """What a die is made of, and its pips; sizes are shares of the edge."""

    name: str
    body: Floats
    ink: Floats
    pip: float
    one: float
    """The radius of the pip of the one."""
    spread: float
    """From the middle to the pips beside it."""
    clear: float = 0.0
    veins: float = 0.0
    """How much the body's tone changes."""
    mirrors: float = 0.04
    rough: float = 0.05


FACES = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ThrownDie:
    """A die where it came to rest."""

    box: Box
    look: DieSkin
    numbers: tuple[int, ...]
    """The numbers of its faces at +x, -x, +y, -y, +z and -z."""
    turned: tuple[bool, ...]
    """Whether the pips of a face are turned by a right angle."""
    waves: Floats
    """(3, 4): the veins' directions and sizes."""

    @property
    def value(self) -> int:
        """Its up-face."""
        up = self.box.axes[2]
        axis = int(np.argmax(np.abs(up)))
        return self.numbers[2 * axis + (0 if up[axis] > 0 else 1)]

    @property
    def clear(self) -> float:
        """The share of light that goes through it."""
        return self.look.clear

    @property
    def mirrors(self) -> float:
        """The share of light that it mirrors."""
        return self.look.mirrors

    @property
    def rough(self) -> float:
        """How far mirrored light is strewn."""
        return self.look.rough

    def dress(self, points: Floats, normals: Floats) -> tuple[Floats, Floats]:
        """Body and sunk pips."""
        own = (points - self.box.middle_mm) @ self.box.axes / (2 * self.box.half_mm[0])
        tone = 1 + self.look.veins * np.sin(own @ self.waves + np.sin(own @ self.waves[:, ::-1] * 1.7)).mean(
            axis=1
        )
        tints = self.look.body * np.clip(tone, 0.2, 1.8)[:, None]
        bent = normals.copy()
        side = np.abs(own).argmax(axis=1) * 2
        side += own[np.arange(len(own)), side // 2] < 0
        for face in np.unique(side):
            here = np.flatnonzero(side == face)
            self._sink(int(face), own[here], here, tints, bent)
        return tints, bent

    def _sink(self, face: int, own: Floats, here: NDArray[np.int64], tints: Floats, bent: Floats) -> None:
        first, second = [i for i in range(3) if i != face // 2]
        if self.turned[face]:
            first, second = second, first
        number = self.numbers[face]
        radius = self.look.one if number == 1 else self.look.pip
        for a, b in FACES[number]:
            u, v = own[:, first] - a * self.look.spread, own[:, second] - b * self.look.spread
            out = np.hypot(u, v) / radius
            inside = out < 1
            spots = here[inside]
            tints[spots] = self.look.ink
            slope = 0.45 * np.stack((u[inside], v[inside]), axis=1) / radius
            bent[spots] += slope[:, :1] * self.box.axes[:, first] + slope[:, 1:] * self.box.axes[:, second]
            bent[spots] /= np.linalg.norm(bent[spots], axis=1, keepdims=True)


DICE = {
    "ivory": ((0.42, 0.62, 0.70), "black"),
    "cream": ((0.30, 0.55, 0.68), "brown"),
    "white": ((0.78, 0.80, 0.80), "black"),
    "white-blue": ((0.78, 0.80, 0.80), "blue"),
    "white-red": ((0.76, 0.79, 0.80), "red"),
    "smoke-grey": ((0.17, 0.17, 0.17), "white"),
    "grey": ((0.33, 0.32, 0.31), "black"),
    "black": ((0.018, 0.017, 0.017), "white"),
    "black-gold": ((0.02, 0.018, 0.018), "gold"),
    "red": ((0.035, 0.025, 0.50), "white"),
    "green": ((0.09, 0.26, 0.035), "white"),
    "dark-green": ((0.035, 0.09, 0.02), "gold"),
    "blue": ((0.42, 0.10, 0.03), "white"),
    "light-blue": ((0.62, 0.42, 0.16), "black"),
    "yellow": ((0.03, 0.55, 0.75), "black"),
    "orange": ((0.02, 0.20, 0.70), "black"),
    "purple": ((0.26, 0.04, 0.15), "white"),
    "brown": ((0.03, 0.07, 0.14), "white"),
    "pink": ((0.42, 0.22, 0.66), "white"),
    "teal": ((0.26, 0.24, 0.03), "white"),
}
"""Bodies and their pips."""
INKS = {
    "black": (0.015, 0.015, 0.015),
    "white": (0.78, 0.80, 0.80),
    "blue": (0.30, 0.06, 0.02),
    "red": (0.03, 0.03, 0.42),
    "gold": (0.08, 0.36, 0.52),
    "brown": (0.03, 0.06, 0.10),
}


def draw_die_skin(rng: np.random.Generator, name: str) -> DieSkin:
    """A die of a colour; no two are quite the same."""
    body, ink = DICE[name]
    pip = float(rng.uniform(0.065, 0.115))
    sort = rng.random()
    clear = float(rng.uniform(0.25, 0.6)) if sort < 0.18 else 0.0
    return DieSkin(
        name=f"clear-{name}" if clear else name,
        body=np.array(body) * rng.uniform(0.85, 1.1),
        ink=np.array(INKS[ink]) * rng.uniform(0.9, 1.1),
        pip=pip,
        one=pip * float(rng.choice([1.0, 1.0, 1.35, 1.7])),
        spread=float(rng.uniform(0.21, 0.27)),
        clear=clear,
        veins=float(rng.uniform(0.2, 0.6)) if 0.18 <= sort < 0.33 else 0.0,
        rough=float(rng.uniform(0.02, 0.2)),
    )


def draw_die(rng: np.random.Generator, box: Box, name: str) -> ThrownDie:
    """A die with its numbers some way round; opposite ones make seven."""
    pairs = [(a, 7 - a) if rng.random() < 0.5 else (7 - a, a) for a in rng.permutation([1, 2, 3])]
    return ThrownDie(
        box=box,
        look=draw_die_skin(rng, name),
        numbers=tuple(int(number) for pair in pairs for number in pair),
        turned=tuple(bool(turned) for turned in rng.random(6) < 0.5),
        waves=rng.normal(0, 7, (3, 4)),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlainSkin:
    """One colour all over, with a little grain."""

    tint: Floats
    grain: float = 0.0
    clear: float = 0.0
    mirrors: float = 0.03
    rough: float = 0.2
    waves: Floats = field(default_factory=lambda: np.zeros((3, 4)))

    def dress(self, points: Floats, normals: Floats) -> tuple[Floats, Floats]:
        """The colour, lighter and darker along the grain."""
        tone = 1 + self.grain * np.sin(points @ self.waves).mean(axis=1)
        return self.tint * tone[:, None], normals


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CardSkin:
    """A playing card: a white rim and a printed back."""

    box: Box
    tint: Floats
    clear: float = 0.0
    mirrors: float = 0.035
    rough: float = 0.15

    def dress(self, points: Floats, normals: Floats) -> tuple[Floats, Floats]:
        """The print, with a lattice on it."""
        own = (points - self.box.middle_mm) @ self.box.axes
        inside = (np.abs(own) < self.box.half_mm - 4)[:, :2].all(axis=1)
        lattice = np.sin(own[:, 0] * 1.3 + own[:, 1] * 1.3) * np.sin(own[:, 0] * 1.3 - own[:, 1] * 1.3) > 0.2
        tints = np.full((len(points), 3), 0.75)
        tints[inside] = self.tint
        tints[inside & lattice] = 0.6
        return tints, normals


def draw_hand(rng: np.random.Generator, tip_mm: Floats, from_rad: float) -> list[Thing]:
    """A hand that reaches in from some side with its fingers ending near a place, and its sleeve."""
    ahead = -np.array([np.cos(from_rad), np.sin(from_rad), 0.0])
    aside = np.array([-ahead[1], ahead[0], 0.0])
    low, starts, ends, radii = float(rng.uniform(12, 40)), [], [], []
    up = np.array([0.0, 0.0, 1.0])
    knuckles = tip_mm - ahead * 75
    for i in range(4):
        off = (i - 1.5) * 19 + rng.uniform(-2, 2)
        tip = tip_mm + aside * (i - 1.5) * rng.uniform(14, 22) - ahead * (abs(i - 1.5) * 9) + up * low
        knuckle = knuckles + aside * off + up * (low + 26)
        middle = (tip + knuckle) / 2 + up * 10
        starts += [tip, middle]
        ends += [middle, knuckle]
        radii += [7.5, 8.8]
    wrist = knuckles - ahead * 85 + up * (low + 30)
    for off in (-24.0, 0.0, 24.0):
        starts.append(knuckles + aside * off + up * (low + 24))
        ends.append(wrist + aside * off * 0.5)
        radii.append(14.0)
    thumb = knuckles + aside * 55 * rng.choice([-1, 1]) + ahead * 20 + up * low
    starts.append(thumb)
    ends.append(wrist)
    radii.append(9.5)
    skin = np.array([0.22, 0.33, 0.56]) * rng.choice([1.0, 0.75, 0.4, 0.2])
    hand = Limb(starts_mm=np.array(starts), ends_mm=np.array(ends), radii_mm=np.array(radii))
    cuff, elbow = wrist - ahead * 10, wrist - ahead * 330 + up * 90
    sleeve = Limb(starts_mm=cuff[None], ends_mm=elbow[None], radii_mm=np.array([rng.uniform(36, 46)]))
    cloth = np.array([(0.03, 0.03, 0.03), (0.30, 0.12, 0.06), (0.55, 0.56, 0.56), (0.07, 0.06, 0.30)])
    waves = rng.normal(0, 0.35, (3, 4))
    return [
        Thing(hand, PlainSkin(tint=skin, grain=0.08, mirrors=0.028, rough=0.35, waves=waves)),
        Thing(sleeve, PlainSkin(tint=cloth[rng.integers(4)], grain=0.3, mirrors=0.0, waves=waves)),
    ]


def draw_coin(rng: np.random.Generator, at_mm: tuple[float, float]) -> Thing:
    """A coin of copper, brass or nickel lying at a place."""
    high = float(rng.uniform(1.6, 2.4))
    coin = Coin(
        middle_mm=np.array([*at_mm, high / 2]), radius_mm=float(rng.uniform(8.5, 13)), half_height_mm=high / 2
    )
    tint = np.array([(0.08, 0.16, 0.34), (0.10, 0.30, 0.42), (0.32, 0.34, 0.35)])[rng.integers(3)]
    return Thing(
        coin, PlainSkin(tint=tint, grain=0.25, mirrors=0.3, rough=0.3, waves=rng.normal(0, 2.5, (3, 4)))
    )
