"""The simulated players' hand: it reads the snapshot, and moves dice, mat and cards in the picture."""

from collections.abc import Iterator, Sequence
from unittest.mock import patch

import msgspec
import numpy as np
import pytest

from calibration.ends import Ends
from device.cameras import Frame
from device.match.showing import game_shown
from device.shown.snapshot import PlaceShown, PlacesShown, Snapshot
from device.simulator.end_zone.world import ACTS as END_ZONE_ACTS
from device.simulator.hand_acts import ACTS
from device.simulator.mat.world import ACTS as MAT_ACTS
from device.simulator.player import NO_MAT, NO_WAY, STALE, TRAY_DICE, SimulatedHand
from device.simulator.table import SimulatedTable
from engine.dice import Die
from engine.events import Draw, Event, Play, Pocket, Rolled
from engine.rulebooks import rulebook
from engine.wire import event_object
from tests.clock import Clock
from vision.places import Layout, load_packaged

ZONK = load_packaged("zonk")


class Seat:
    """Somebody at a simulated table, who is shown one snapshot after the other."""

    def __init__(self, layout: Layout | None = None, *, far_end: bool = False) -> None:
        clock = Clock(0.0)
        self.table = SimulatedTable(
            7, width=160, height=120, fps=4, clock=clock, wait=clock.wait, far_end=far_end
        )  # small: nobody reads these pictures
        self.frames: Iterator[Frame] = self.table.frames()
        self.snapshot = Snapshot()
        self.hand = SimulatedHand(self.table, lambda _: layout, lambda: self.snapshot)

    def show(self, game: str, events: Sequence[Event] = (), game_id: int = 1, **changes: object) -> None:
        """The game after these events is shown."""
        agreed = {"ten-thousand": {"first": "named", "opening": "0"}, "end-zone": {"order": "seats"}}
        players = () if game == "tray" else ("Ann",) if game == "zonk" else ("Ann", "Bea")
        position = rulebook(game).start(players, agreed.get(game, {}))
        for event in events:
            position = position.after(event)  # type: ignore[arg-type]
        self.snapshot = msgspec.structs.replace(
            self.snapshot,
            number=self.snapshot.number + 1,
            game_id=game_id,
            game=game_shown(position.view(), None, {}),
            **changes,
        )
        self.hand.follow(self.snapshot)

    def act(self, name: str = "throw") -> list[str]:
        """Let the hand do that to its end; the kinds of dice that lie there then."""
        assert self.hand.act(name).ok
        return self.rest()

    def rest(self) -> list[str]:
        """Let the hand do all that it has to do; the kinds of dice that lie there then."""
        next(self.frames)
        while self.table.busy:
            next(self.frames)
        return sorted(one.die.kind for one in self.table.lying)

    def carry_out(self, event: Event) -> tuple[bool, str]:
        """A choice that says this."""
        assert self.snapshot.game is not None
        choices = [each.event for each in self.snapshot.game.choices]
        at = choices.index(event_object(event))
        said = self.hand.carry_out(at, self.snapshot.game.choices[at].words)
        return said.ok, said.text

    def play(self, event: Event) -> bool:
        """A choice that says this, in a turn with three pockets before the one in pocket 1 of the mat."""
        game = self.snapshot.game
        assert game is not None
        choice = msgspec.structs.replace(game.choices[0], words="play it", event=event_object(event))
        shown = msgspec.structs.replace(game, choices=(choice,))
        self.snapshot = msgspec.structs.replace(self.snapshot, game=shown, places=places("pocket 2", 3))
        return self.hand.carry_out(0, "play it").ok


def rolled(*faces: int, d4: tuple[int, ...] = ()) -> Rolled:
    return Rolled(dice=(*(Die("pip", face) for face in faces), *(Die("d4", face) for face in d4)))


def pocket(*faces: int) -> Pocket:
    return Pocket(combos=(tuple(Die("pip", face) for face in faces),))


def places(due: str = "", pockets: int = 0) -> PlacesShown:
    """The ZONK mat, its places as the box shows them while the turn has so many pockets before its first."""
    return PlacesShown(
        title=ZONK.title,
        places=tuple(
            PlaceShown(
                label=place.label,
                kind=place.kind,
                corners=(),
                due=place.label == due,
                pocket=pockets + (place.number or 1) if place.kind == "pocket" else 0,
            )
            for place in ZONK.region
        ),
    )


def test_it_has_the_dice_of_the_game_and_then_those_that_are_waited_for() -> None:
    seat = Seat()
    seat.show("zoinx")
    assert seat.act() == ["zoinx"] * 4
    seat.show("ten-thousand", game_id=2)
    assert seat.act() == ["pip"] * 6
    seat.show("ten-thousand", [rolled(1, 1, 2, 3, 4, 6)], game_id=2)
    assert len(seat.table.lying) == 6
    seat.show("ten-thousand", [rolled(1, 1, 2, 3, 4, 6), pocket(1, 1)], game_id=2)
    assert seat.act() == ["pip"] * 4


def test_where_any_number_counts_it_has_a_handful() -> None:
    seat = Seat()
    seat.show("tray")
    assert seat.act() == ["pip"] * TRAY_DICE


def test_the_dice_of_a_game_that_goes_on_stay_where_they_lie() -> None:
    seat = Seat()
    seat.show("zoinx")
    seat.act()
    before = seat.table.lying
    seat.show("zoinx")
    assert seat.table.lying == before
    seat.show("zoinx", game_id=2)
    assert seat.table.lying == ()


def test_what_was_shown_earlier_is_not_gone_back_to() -> None:
    seat = Seat()
    seat.show("ten-thousand")
    early = seat.snapshot
    seat.show("ten-thousand", [rolled(1, 1, 2, 3, 4, 6), pocket(1, 1)])
    seat.hand.follow(early)
    assert len(seat.act()) == 4


def test_before_it_acts_it_looks_at_what_is_shown_now() -> None:
    seat = Seat()
    seat.show("zoinx")
    with patch.object(seat.hand, "follow"):
        seat.show("ten-thousand", game_id=2)
    assert seat.act() == ["pip"] * 6


def test_it_can_do_other_things_at_an_end_zone_and_on_a_mat() -> None:
    assert [Seat().hand.acts(game) for game in ("", "zoinx", "end-zone")] == [ACTS, ACTS, END_ZONE_ACTS]
    on_mat = Seat(ZONK)
    assert [on_mat.hand.acts(game) for game in ("", "zonk", "end-zone")] == [ACTS, MAT_ACTS, END_ZONE_ACTS]


def test_what_it_cannot_do_is_said_in_a_sentence() -> None:
    said = Seat().hand.act("juggle")
    assert not said.ok
    assert said.text.startswith("The simulated hand cannot 'juggle'. It can: throw, ")


@pytest.mark.long
def test_at_the_end_zone_it_knows_who_throws_and_which_dice_stay() -> None:
    seat = Seat(far_end=True)
    assert isinstance(seat.hand.set_up_end_zone(), Ends)
    seat.show("end-zone")
    assert seat.act() == ["pip"]
    seat.show("end-zone", stay=1)
    assert seat.act("floor") == ["pip"]
    assert len(seat.act()) == 2
    seat.show("end-zone", stay=0)
    assert seat.act() == ["pip"]
    seat.show("tray", game_id=2)
    assert seat.hand.act("nudge").ok


@pytest.mark.long
def test_the_mat_of_the_game_is_spread_and_taken_away() -> None:
    seat = Seat(ZONK)
    empty = next(seat.frames).picture
    seat.show("zonk")
    assert np.abs(next(seat.frames).picture.astype(int) - empty).mean() > 20
    assert seat.act() == ["pip"] * 6
    seat.show("end-zone", game_id=2)
    assert seat.act() == ["pip"]


@pytest.fixture
def cast() -> tuple[Seat, tuple[int, ...]]:
    """A first cast of ZONK on its mat, and the faces that lie there: one 1 or two, and an even one."""
    seat = Seat(ZONK)
    seat.show("zonk")
    for _ in range(20):
        seat.act()
        faces = tuple(int(one.die.value) for one in seat.table.lying)
        if len(faces) == 6 and faces.count(1) in {1, 2} and any(face % 2 == 0 for face in faces):
            seat.show("zonk", [rolled(*faces)], places=places("pocket 1"))
            return seat, faces
    raise AssertionError("no such cast")


def labels(seat: Seat) -> list[str]:
    """The places in which dice lie."""
    half = ZONK.mat.width_mm / 2, ZONK.mat.height_mm / 2
    found = (ZONK.at(one.center_mm[0] + half[0], one.center_mm[1] + half[1]) for one in seat.table.lying)
    return sorted(place.label if place else "" for place in found)


def test_a_choice_is_told_by_carrying_its_dice(cast: tuple[Seat, tuple[int, ...]]) -> None:
    seat, _ = cast
    assert seat.carry_out(pocket(1)) == (True, "")
    seat.rest()
    assert labels(seat).count("pocket 1") == 1


def test_a_choice_that_cannot_be_told_so_is_left_to_be_chosen(cast: tuple[Seat, tuple[int, ...]]) -> None:
    seat, faces = cast
    before = seat.table.lying
    assert seat.hand.carry_out(0, "something else") == seat.hand.carry_out(99, "a 1")
    assert seat.hand.carry_out(99, "a 1").text == STALE
    seat.show("zonk", [rolled(*faces)], places=places())
    assert seat.carry_out(pocket(1)) == (False, NO_WAY)
    seat.show("zonk", [rolled(*faces)], places=None)
    assert seat.carry_out(pocket(1)) == (False, NO_MAT)
    seat.rest()
    assert seat.table.lying == before


@pytest.mark.long
def test_dice_that_do_not_lie_there_cannot_be_carried(cast: tuple[Seat, tuple[int, ...]]) -> None:
    seat, _ = cast
    seat.show("zonk", [rolled(1, 1, 1, 2, 3, 4)], places=places("pocket 1"))
    ok, text = seat.carry_out(pocket(1, 1, 1))
    assert (ok, text[:19]) == (False, "No free die shows 1")


def test_an_item_that_works_on_a_die_turns_it_and_is_then_chosen(
    cast: tuple[Seat, tuple[int, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    seat, faces = cast
    even = next(face for face in faces if face % 2 == 0)
    done: list[tuple[object, ...]] = []
    for what in ("turn", "bring", "take_up"):
        monkeypatch.setattr(seat.table, what, lambda *how, what=what: done.append((what, *how)))
    die = Die("pip", even)
    assert [
        seat.play(Play(card="swap", die=die)),
        seat.play(Play(card="rift", die=die)),
        seat.play(Play(card="fate", die=die)),
    ] == [False] * 3
    half = even // 2
    turns = [("turn", die, 7 - even), ("turn", die, half), ("bring", Die("pip", half)), ("take_up", die)]
    assert done == turns


def test_a_card_is_told_by_laying_it_down(
    cast: tuple[Seat, tuple[int, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    seat, _ = cast
    done: list[tuple[object, ...]] = []
    for what in ("lay_card", "carry"):
        monkeypatch.setattr(seat.table, what, lambda *how, what=what: done.append((what, *how)))
    die = Die("pip", 1)
    assert seat.play(Draw(card="aura"))
    assert seat.play(Play(card="money", pocket=5))
    assert seat.play(Play(card="tonic", die=die, pocket=4))
    cards = ("lay_card", "tonic", "cards"), ("carry", (die,), "pocket 1")
    assert done == [("lay_card", "aura", "cards"), ("lay_card", "money", "pocket 2"), *cards]
