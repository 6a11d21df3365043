"""Rooms and the arrows between them.

A room of a package is a module that stands loose in it, or a package one level down with all that is in it.
An arrow is an import from one room to another, counted once however often it is written. Imports inside
functions count, and so does `importlib.import_module("...")`: whoever moves a module has to find them too.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain

from benchmarks.house.tree import ROOMS, Module, Tree

Arrows = Mapping[str, frozenset[str]]
"""From each room to those that it imports."""
MOST_ROOMS = 14
"""In a larger circle not every order is tried: its two-way pairs are counted, the least that it can be."""
FLOORS = (("calibration", "models"), ("vision", "engine"), ("device",))
"""The product's rooms from the ground up: nobody imports from a floor above or from a neighbour."""
ALLOWED = (
    ("models", "calibration"),
    ("models.training", "vision"),
    ("vision", "engine.dice"),
    ("vision", "engine.wording"),
    ("calibration", "engine.wording"),
    ("models", "engine.dice"),
)
"""But for these: drawn scenes need the camera of a calibration, training draws what the readers read, and two
leaves of the engine say what a die is and how people are spoken to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What one package is like inside."""

    modules: int
    """All files in it, however deep."""
    loose: tuple[str, ...]
    """Modules directly in it, but for its `__init__`."""
    rooms: int
    arrows: int
    back_up: int
    """Arrows that would have to go so that the rooms can be set in an order in which all arrows run down."""
    floors: int
    """The longest way through rooms by arrows; rooms in a circle stand on one floor."""
    circles: tuple[frozenset[str], ...]
    """Rooms that import each other."""


def plan_of(tree: Tree, top: str) -> Plan:
    """The plan of one package."""
    inside = [module for module in tree.modules.values() if module.top == top]
    arrows = between(tree, inside, _room)
    rooms = frozenset(_room(module.name) for module in inside) - {top}
    loose = [each.name for each in inside if each.name.count(".") == 1 and not each.is_package]
    kept = {room: arrows.get(room, frozenset()) & rooms for room in rooms}
    found = circles(kept)
    return Plan(
        modules=len(inside),
        loose=tuple(loose),
        rooms=len(rooms),
        arrows=sum(map(len, kept.values())),
        back_up=sum(back_up(circle, kept) for circle in found),
        floors=_floors(kept),
        circles=tuple(found),
    )


def _room(name: str) -> str:
    return ".".join(name.split(".")[:2])


def between(tree: Tree, modules: Iterable[Module], room: Callable[[str], str]) -> dict[str, frozenset[str]]:
    """The arrows between these modules' rooms."""
    kept = {module.name: module for module in modules}
    found: dict[str, set[str]] = {room(name): set() for name in kept}
    for name, module in kept.items():
        found[room(name)].update(room(to) for to in tree.imports(module) if to in kept)
    return {start: frozenset(ends - {start}) for start, ends in found.items()}


def module_circles(tree: Tree) -> list[frozenset[str]]:
    """Groups of the product's modules that import each other in a circle."""
    return circles(between(tree, tree.of_rooms(), lambda name: name))


def wrong_way(tree: Tree) -> list[tuple[str, str]]:
    """Imports between the product's rooms that run up, or to a room beside (module, module)."""
    floor = {room: height for height, rooms in enumerate(FLOORS) for room in rooms}
    found = []
    for module in tree.of_rooms():
        for name in sorted(tree.imports(module)):
            to = name.partition(".")[0]
            if to not in ROOMS or to == module.top or floor[to] < floor[module.top]:
                continue
            if not any(
                f"{module.name}.".startswith(f"{start}.") and f"{name}.".startswith(f"{end}.")
                for start, end in ALLOWED
            ):
                found.append((module.name, name))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """Where the other rooms enter a package."""

    entered: frozenset[str]
    """The modules and packages that others import from."""
    unoffered: frozenset[str]
    """Those of them that no `__init__` above them offers: entered beside the door."""


def doors_of(tree: Tree, top: str) -> Doors:
    """Where a package is entered from the product's other rooms."""
    entered = {
        name
        for module in tree.of_rooms()
        if module.top != top
        for name in tree.imports(module)
        if name.partition(".")[0] == top
    }
    beside = frozenset(name for name in entered if not _is_offered(tree, name))
    return Doors(entered=frozenset(entered), unoffered=beside)


def _is_offered(tree: Tree, name: str) -> bool:
    """Whether it is a package that offers something, or a module that its package names in `__all__`."""
    module = tree.modules[name]
    if module.is_package and module.offers:
        return True
    above, _, last = name.rpartition(".")
    return above in tree.modules and last in tree.modules[above].offers


def silent_packages(tree: Tree) -> list[str]:
    """The product's packages whose `__init__` offers nothing."""
    return [module.name for module in tree.of_rooms() if module.is_package and not module.offers]


def circles(arrows: Arrows) -> list[frozenset[str]]:
    """The groups of two or more rooms of which each can be reached from each."""
    reached = {room: _reached(arrows, room) for room in arrows}
    groups = {
        frozenset(each for each in ends if room in reached[each])
        for room, ends in reached.items()
        if room in ends
    }
    return sorted(groups, key=sorted)


def _reached(arrows: Arrows, start: str) -> frozenset[str]:
    found: set[str] = set()
    todo = list(arrows[start])
    while todo:
        room = todo.pop()
        if room not in found:
            found.add(room)
            todo.extend(arrows[room])
    return frozenset(found)


def back_up(circle: frozenset[str], arrows: Arrows) -> int:
    """The fewest arrows of a circle that run back up, over all orders of its rooms."""
    inside = {room: arrows[room] & circle for room in circle}
    if len(circle) > MOST_ROOMS:
        return sum(room in inside[end] for room, ends in inside.items() for end in ends) // 2

    @cache
    def fewest(lower: frozenset[str]) -> int:
        """These rooms in their best order: one on top of others may import from them."""
        return min(
            (fewest(lower - {top}) + sum(top in inside[below] for below in lower - {top}) for top in lower),
            default=0,
        )

    return fewest(circle)


def _floors(arrows: Arrows) -> int:
    group = {room: frozenset({room}) for room in arrows}
    group.update({room: circle for circle in circles(arrows) for room in circle})

    @cache
    def height(rooms: frozenset[str]) -> int:
        below = {group[end] for end in chain.from_iterable(arrows[room] for room in rooms)} - {rooms}
        return 1 + max(map(height, below), default=0)

    return max(map(height, group.values()), default=0)
