"""Betting dice shown at the reveal are the bets: by place and colour, and only if set down for this turn."""

from dataclasses import replace

from device.mat.game import Reveal
from engine.dice import Die
from engine.events import Bet, Event, Rolled
from engine.game import Position
from engine.history import History
from engine.mat import Verdict
from engine.rulebooks import rulebook
from vision.places import MatReading, Placed, Region, load_packaged
from vision.reading import Reading, SeenDie

LAYOUT = load_packaged("zoinx")
COLORS = {1: "red", 2: "blue", 3: "green"}
SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def game(*events: Event) -> Position:
    history = History(rulebook("zoinx").start(("Ann", "Bea", "Zoe"), {}))
    for event in events:
        history.take(event)
    return history.position


def die(value: int, color: str, place: int | None, shift_mm: float = 0.0) -> Placed[SeenDie]:
    seen = SeenDie(
        kind="bet", value=value, confidence=0.999, color=color, center_px=(0.0, 0.0), corners_px=SQUARE
    )
    region: Region | None = LAYOUT.named(f"bet {place}") if place else LAYOUT.of("roll")[0]
    assert region is not None
    x, y = region.center_mm
    return Placed(thing=seen, at_mm=(x + shift_mm, y), region=region)


def placed(*dice: Placed[SeenDie]) -> MatReading:
    reading = Reading(width_px=1280, height_px=960, dice=(), unsure=(), elapsed_ms=1.0)
    return MatReading(reading=reading, dice=dice)


def shown(ann: int, bea: int, zoe: int, shift_mm: float = 0.0) -> MatReading:
    values = zip((ann, bea, zoe), COLORS.items(), strict=True)
    return placed(*(die(value, color, seat, shift_mm) for value, (seat, color) in values))


def watching() -> Reveal:
    mat = rulebook("zoinx").mat
    assert mat is not None
    assert mat.bets is not None
    return Reveal(mat.bets)


def bets(verdict: Verdict) -> list[Bet]:
    return [event for event in verdict.events if isinstance(event, Bet)]


def reveal(*before: MatReading, position: Position | None = None) -> tuple[Reveal, Position]:
    """A turn's betting that has begun with these pictures."""
    position = position or game()
    one = watching()
    for each in (placed(), *before):
        assert one.judge(LAYOUT, position, each) == Verdict() or before
    return one, position


def test_the_dice_in_the_bet_places_are_the_bets() -> None:
    one, position = reveal()
    found = one.judge(LAYOUT, position, shown(0, 4, 6))
    assert found.events == (
        Bet(player="Ann", dots=0),
        Bet(player="Bea", dots=4),
        Bet(player="Zoe", dots=6),
    )


def test_a_die_outside_its_place_is_known_by_its_colour() -> None:
    one, position = reveal()
    dice = placed(die(2, "red", None), die(4, "blue", 2), die(6, "green", 3))
    assert one.judge(LAYOUT, position, dice).events[0] == Bet(player="Ann", dots=2)


def test_nothing_is_taken_before_everybody_shows_a_die() -> None:
    one, position = reveal()
    found = one.judge(LAYOUT, position, placed(die(2, "red", 1), die(4, "blue", 2)))
    assert not found.events
    assert (
        found.waits
        == "I see the betting dice of Ann and Bea. Zoe still has to show one that was set down for this turn."
    )
    found = one.judge(LAYOUT, position, placed(die(2, "red", 1)))
    assert found.waits.endswith("Bea and Zoe still have to show one that was set down for this turn.")


def test_dice_of_the_last_turn_do_not_count_again() -> None:
    one = watching()
    betting = game()
    assert one.judge(LAYOUT, betting, placed()) == Verdict()
    first = one.judge(LAYOUT, betting, shown(0, 4, 6))
    rolling = game(*first.events)
    assert one.judge(LAYOUT, rolling, shown(0, 4, 6)) == Verdict()
    again = game(*first.events, Rolled(dice=(Die("zoinx", "square"),) * 4))
    assert one.judge(LAYOUT, again, shown(0, 4, 6)) == Verdict()
    assert one.judge(LAYOUT, again, shown(0, 4, 6)) == Verdict()
    # Bea turns hers, Zoe lifts hers and puts it back, Ann, who rolls now, pushes hers a little.
    assert not one.judge(LAYOUT, again, placed(die(0, "red", 1), die(8, "blue", 2))).events
    found = one.judge(LAYOUT, again, placed(die(2, "red", 1, 5.0), die(8, "blue", 2), die(6, "green", 3)))
    assert [bet.dots for bet in bets(found)] == [2, 8, 6]


def test_who_has_bet_on_the_phone_needs_no_die() -> None:
    position = game(Bet(player="Bea", dots=10))
    one, position = reveal(position=position)
    found = one.judge(LAYOUT, position, placed(die(2, "red", 1), die(6, "green", 3)))
    assert [bet.player for bet in bets(found)] == ["Ann", "Zoe"]


def test_the_active_players_0_is_refused_with_the_rulebooks_reason_and_no_bet_is_locked() -> None:
    """Zoe begins: nearest to Z."""
    one, position = reveal()
    found = one.judge(LAYOUT, position, shown(0, 4, 0))
    assert not found.events
    assert found.refused == "Zoe rolls this turn and cannot bet 0. (rule 3a)"


def test_another_players_die_in_a_place_is_refused() -> None:
    one, position = reveal()
    dice = placed(die(2, "blue", 1), die(4, "red", 2), die(6, "green", 3))
    found = one.judge(LAYOUT, position, dice)
    assert found.refused == "The blue die is Bea's and lies in Ann's place. Move it."


def test_two_dice_for_one_player_are_refused() -> None:
    one, position = reveal()
    dice = placed(die(2, "red", 1), die(4, "red", 1, 20.0), die(4, "blue", 2), die(6, "green", 3))
    assert one.judge(LAYOUT, position, dice).refused == "Two betting dice lie there for Ann. Take one away."


def test_an_odd_colour_in_a_place_is_the_players_own() -> None:
    one, position = reveal()
    dice = placed(die(2, "orange", 1), die(4, "blue", 2), die(6, "green", 3))
    assert one.judge(LAYOUT, position, dice).events[0] == Bet(player="Ann", dots=2)


def test_dice_that_lay_there_when_the_box_was_switched_on_do_not_count() -> None:
    one = watching()
    position = game()
    assert one.judge(LAYOUT, position, shown(2, 4, 6)) == Verdict()
    assert one.judge(LAYOUT, position, shown(2, 4, 6)) == Verdict()
    assert one.judge(LAYOUT, position, replace(shown(2, 4, 6, 6.0))).events
