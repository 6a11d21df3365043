"""What holds for every rulebook, whatever is played: looked for by chance."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.events import Bet, Cache, Corrected, DieRuled, Event, Refereed, Ruled, Undo
from engine.game import GameView, LandingPosition, Position
from engine.history import History
from engine.refusal import Refused, Unreadable
from engine.rulebooks import RULEBOOKS, rulebook
from tests.engine.legal import legal_event, random_events
from tests.engine.wild import ANY_EVENT, NAMES

STARTS = {
    "zoinx gamewright": ("zoinx", {}),
    "zoinx gamewright first": ("zoinx", {"ties": "first", "last": "everybody"}),
    "zoinx game-factory": ("zoinx", {"edition": "game-factory", "youngest": NAMES[1]}),
    "zoinx to 12": ("zoinx", {"goal": "12"}),
    "zonk by hand": ("zonk", {"winner": "all", "swap": "all"}),
    "zonk at once": ("zonk", {"zonk": "at-once", "copies": "1"}),
    "zonk by the box": (
        "zonk",
        {"deck": "box", "seed": "7", "copies": "4", "quota": "run", "pairs": "different"},
    ),
    "zonk, all dice in play": (
        "zonk",
        {"deck": "box", "seed": "4", "copies": "4", "in-play": "all", "hot-cast": "six", "money": "now"},
    ),
    "zonk, auras by the cast": (
        "zonk",
        {"deck": "box", "seed": "5", "copies": "4", "aura": "cast", "in-play": "all", "swap": "all"},
    ),
    "zonk without cards": ("zonk", {"deck": "none"}),
    "zonk, steps apart": ("zonk", {"deck": "none", "same-cast": "apart"}),
    "ten-thousand": ("ten-thousand", {}),
    "ten-thousand once": ("ten-thousand", {"same-roll": "once"}),
    "ten-thousand farkle": ("ten-thousand", {"edition": "farkle", "target": "3000", "ties": "shared"}),
    "ten-thousand tavern": ("ten-thousand", {"edition": "tavern", "first": "named", "last": "none"}),
    "ten-thousand plain": ("ten-thousand", {"edition": "plain", "below": "nothing", "minimum": "400"}),
    "ten-thousand by house rules": (
        "ten-thousand",
        {"three-farkles": "500", "piggyback": "yes", "hot-dice": "must", "all-ones": "win", "dice": "5"},
    ),
    "ten-thousand exact": (
        "ten-thousand",
        {"edition": "tavern", "exact": "yes", "target": "1500", "last": "one-roll", "piggyback": "yes"},
    ),
    "end-zone": ("end-zone", {"pushed-dot": "wins"}),
    "end-zone fast": ("end-zone", {"mode": "fast", "dot": "confirmed", "tie": "number"}),
    "end-zone threes": ("end-zone", {"mode": "threes", "shuffle": "dice", "dot-wins": "game"}),
    "end-zone sets": ("end-zone", {"mode": "threes-sets", "order": "seats"}),
    "end-zone 500": ("end-zone", {"mode": "first-of-500", "goal": "200", "double": "zone5+die2"}),
    "end-zone 500 before": ("end-zone", {"mode": "first-of-500", "goal": "150", "challenge": "leader"}),
    "end-zone king": ("end-zone", {"mode": "king", "game": "fast", "king-chooses": "yes", "goal": "90"}),
    "end-zone king of kings": ("end-zone", {"mode": "king-of-kings", "wins": "2", "game": "threes"}),
    "end-zone tournament": ("end-zone", {"mode": "tournament", "game": "fast", "shuffle": "turns"}),
    "pig": ("pig", {"target": "30"}),
    "tray": ("tray", {}),
    "tray stop": ("tray", {"turn": "stop"}),
}


def start(name: str, seats: int) -> Position:
    """The first position of one of `STARTS`."""
    game, options = STARTS[name]
    return rulebook(game).start(NAMES[:seats], options)


CHANCE = st.integers(0, 2**32).map(Random)
SEATS = st.integers(2, 4)
GAMES = pytest.mark.parametrize("name", STARTS)


def mixed(history: History, chance: Random, wild: Iterable[Event]) -> Iterable[Event]:
    """Mostly legal events, and now and then a wild one."""
    for event in wild:
        for _ in range(chance.randint(0, 4)):
            view = history.position.view()
            if view.allowed or view.choices:
                yield legal_event(view, chance)
        yield event


def game_of(view: GameView) -> int:
    """Which game of a series is played: each begins at 0."""
    return next((int(fact.words[0]) for fact in view.facts if fact.name == "game"), 1)


def test_every_rulebook_is_played_here() -> None:
    assert {game for game, _ in STARTS.values()} == set(RULEBOOKS)


@GAMES
def test_what_was_agreed_may_be_completed_for_a_box_that_watches(name: str) -> None:
    """It can be begun, keeps what was chosen, and is complete then."""
    game, options = STARTS[name]
    book = rulebook(game)
    whole = book.complete(options, "a1b2")
    assert book.complete(whole, "c3d4") == whole
    assert {key: whole[key] for key in options if key != "dot"} == {
        k: options[k] for k in options if k != "dot"
    }
    book.start(NAMES[:4], whole)


def test_a_box_sees_to_the_dot_and_to_the_order_of_its_deck() -> None:
    """End Zone's rule 6a and ZONK's rule 8e."""
    assert rulebook("end-zone").complete({"dot": "at-once"}, "a1b2") == {"dot": "confirmed"}
    assert rulebook("zonk").complete({"deck": "box"}, "a1b2") == {"deck": "box", "seed": "a1b2"}
    for agreed in ({"deck": "box", "seed": "lucky"}, {"deck": "hand"}, {}):
        assert rulebook("zonk").complete(agreed, "a1b2") == agreed


@GAMES
def test_positions_of_landings_say_what_a_camera_must_know_and_others_do_not(name: str) -> None:
    lands = rulebook(STARTS[name][0]).dice.landing
    assert isinstance(start(name, 4), LandingPosition) == lands


@GAMES
@given(seats=SEATS, chance=CHANCE, wild=st.lists(ANY_EVENT, max_size=25))
def test_no_event_takes_banked_points_and_a_refused_one_changes_nothing(
    name: str, seats: int, chance: Random, wild: list[Event]
) -> None:
    history = History(start(name, seats))
    for event in mixed(history, chance, wild):
        before = history.position, history.events, history.counting, history.standings()
        try:
            after = history.take(event)
        except Refused:
            assert (history.position, history.events, history.counting, history.standings()) == before
            continue
        if not isinstance(event, Undo | Corrected | Ruled | DieRuled | Refereed):
            was, now = before[0].view(), after.view()
            pairs = zip(was.scores, now.scores, strict=True)
            fined = "three-farkles" in STARTS[name][1]
            assert fined or all(later >= earlier for earlier, later in pairs) or game_of(now) > game_of(was)


@GAMES
@given(seats=SEATS, chance=CHANCE)
def test_every_position_is_printed_and_read_back(name: str, seats: int, chance: Random) -> None:
    position = start(name, seats)
    book = rulebook(STARTS[name][0])
    looked_at = chance.randrange(4)
    for place, event in enumerate(random_events(position, chance, 120)):
        if place % 4 == looked_at:
            assert book.parse(position.line()) == position
            assert "\n" not in position.line()
        position = position.after(event)
    assert book.parse(position.line()) == position


@GAMES
@given(seats=SEATS, chance=CHANCE, wild=st.lists(ANY_EVENT, max_size=25))
def test_the_history_is_the_game_that_counts_and_undo_is_a_replay_without_it(
    name: str, seats: int, chance: Random, wild: list[Event]
) -> None:
    first = start(name, seats)
    history = History(first)
    lines = [first.line()]  # after each step that counts
    for event in mixed(history, chance, wild):
        try:
            history.take(event)
        except Refused:
            continue
        if isinstance(event, Undo):
            lines.pop()
        else:
            lines.append(history.position.line())
        assert history.position.line() == lines[-1]
    again = first
    for counted in history.counting:
        again = again.after(counted)
    assert again == history.position
    assert History.replay(first, history.events).position == history.position
    assert history.standings().count("counts") == len(history.counting)


@given(seats=SEATS, chance=CHANCE, edition=st.sampled_from(["gamewright", "game-factory"]))
def test_every_legal_game_of_zoinx_ends(seats: int, chance: Random, edition: str) -> None:
    position: Position = rulebook("zoinx").start(NAMES[:seats], {"edition": edition})
    for event in random_events(position, chance, 10_000):
        position = position.after(event)
    ending = position.view().ending
    assert ending is not None
    assert max(position.view().scores) >= 30
    assert set(ending.winners) <= set(position.players)


@given(
    seats=SEATS,
    chance=CHANCE,
    edition=st.sampled_from(rulebook("ten-thousand").options["edition"]),
    last=st.sampled_from(["others", "none", "one-roll"]),
    below=st.sampled_from(["roll", "nothing"]),
)
def test_every_legal_game_of_ten_thousand_ends(
    seats: int, chance: Random, edition: str, last: str, below: str
) -> None:
    options = {"edition": edition, "last": last, "below": below}
    position: Position = rulebook("ten-thousand").start(NAMES[:seats], options)
    for event in random_events(position, chance, 20_000):
        position = position.after(event)
    ending = position.view().ending
    assert ending is not None
    assert max(position.view().scores) >= 10_000
    assert set(ending.winners) <= set(position.players)


@given(
    seats=st.integers(1, 4),
    chance=CHANCE,
    deck=st.sampled_from(rulebook("zonk").options["deck"]),
    copies=st.sampled_from(rulebook("zonk").options["copies"]),
)
def test_every_legal_game_of_zonk_ends(seats: int, chance: Random, deck: str, copies: str) -> None:
    position: Position = rulebook("zonk").start(NAMES[:seats], {"deck": deck, "copies": copies})
    for event in random_events(position, chance, 20_000):
        position = position.after(event)
    ending = position.view().ending
    assert ending is not None
    assert set(ending.winners) <= set(position.players)
    assert all(
        score >= 6000
        for name, score in zip(position.players, position.view().scores, strict=True)
        if name in ending.winners
    )


@pytest.mark.parametrize("name", [name for name in STARTS if name.startswith("end-zone")])
@given(seats=SEATS, chance=CHANCE)
def test_every_legal_game_of_end_zone_ends(name: str, seats: int, chance: Random) -> None:
    position = start(name, seats)
    for event in random_events(position, chance, 10_000):
        position = position.after(event)
    ending = position.view().ending
    assert ending is not None
    assert set(ending.winners) <= set(position.players)


@given(seats=SEATS, chance=CHANCE, turns=st.integers(0, 60), data=st.data())
def test_zoinx_no_view_tells_a_bet_before_all_are_locked(
    seats: int, chance: Random, turns: int, data: st.DataObject
) -> None:
    """Two tables that differ in nothing but secret bets look alike in every field."""
    history = History(start("zoinx gamewright", seats))
    for event in random_events(history.position, chance, turns):
        history.take(event)
    view = history.position.view()
    while view.phase == "roll" or "locked" in view.bets:
        history.take(legal_event(view, chance))
        view = history.position.view()
    other = History(history.position)
    for name in data.draw(st.permutations(history.position.players))[:-1]:
        if history.position.view().phase != "bet":
            break
        history.take(Bet(player=name, dots=data.draw(st.sampled_from([2, 4, 6, 8, 10]))))
        other.take(Bet(player=name, dots=data.draw(st.sampled_from([2, 4, 6, 8, 10]))))
        assert history.position.view() == other.position.view()


@GAMES
@given(seats=SEATS, chance=CHANCE, most=st.integers(0, 60), data=st.data())
def test_no_line_whatever_ends_in_another_exception(
    name: str, seats: int, chance: Random, most: int, data: st.DataObject
) -> None:
    """A true line with some of its characters changed is refused, or is another position's line."""
    position = start(name, seats)
    book = rulebook(STARTS[name][0])
    for event in random_events(position, chance, most):
        position = position.after(event)
    line = position.line()
    cut = data.draw(st.integers(0, len(line)))
    end = data.draw(st.integers(cut, min(cut + 4, len(line))))
    line = line[:cut] + data.draw(st.text(max_size=3) | st.sampled_from("0129-? :=@,%")) + line[end:]
    try:
        read = book.parse(line)
    except Unreadable:
        return
    assert read.line() == line


@pytest.mark.parametrize("name", [name for name in STARTS if name.startswith(("ten-", "zonk", "pig"))])
@given(seats=SEATS, chance=CHANCE, most=st.integers(1, 40))
def test_the_words_for_cache_say_what_it_brings(name: str, seats: int, chance: Random, most: int) -> None:
    """A player who presses it, wherever in a game that may be, has just so many points more."""
    position = start(name, seats)
    for event in random_events(position, chance, most):
        position = position.after(event)
    view = position.view()
    for allowed in view.allowed:
        if allowed.button == "cache":
            seat = position.players.index(allowed.player)
            gain = position.after(Cache()).view().scores[seat] - view.scores[seat]
            assert allowed.scores == (gain > 0)
            assert allowed.words.endswith(f" {gain:,}" if gain else "End the turn"), position.line()


def test_the_events_of_a_game_are_frozen() -> None:
    with pytest.raises(AttributeError):
        Bet(player="Ann", dots=2).dots = 4  # type: ignore[misc]
    assert replace(Bet(player="Ann", dots=2), dots=4) == Bet(player="Ann", dots=4)
