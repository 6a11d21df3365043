"""A game begins by presses of ROLL DONE alone, where nobody has a phone."""

from pathlib import Path

from device.journal import Journal
from device.panel.displays import digits
from device.requests import PressButton, StartGame
from engine.dice import Die
from engine.events import Cache, GameEvent, Rolled
from engine.rulebooks import RULEBOOKS
from tests.device.journal.test_journal import NOON
from tests.playing import Playing, playing, simulated


def test_at_a_new_box_presses_choose_a_game_and_a_long_one_begins_it(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=1)) as player:
        assert player.now.lamps == {"roll_done": True}
        for book in (*RULEBOOKS.values(), *RULEBOOKS.values()):
            player.press("roll_done")
            assert player.now.stage == "lobby"
            assert player.now.segments[0][: len(book.title)] == digits(book.title)[:8]
            assert player.now.message.text.startswith(
                f"{book.title} for Player 1 and Player 2. Hold ROLL DONE"
            )
        player.press("roll_done", long=True)
        player.until(lambda shown: shown.stage == "playing", "a game")
        assert player.now.game is not None
        assert (player.now.game.game, player.now.game.players) == ("tray", ("Player 1", "Player 2"))
        player.roll()
        assert sum(player.now.game.scores) > 0


def test_what_was_played_last_is_offered_first_with_its_players_and_rules(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        journal.end(journal.begin("zonk", ("Ann", "Bea", "Cat"), {"winner": "all"}, NOON), "Ann wins.", NOON)
    with playing(tmp_path, simulated(seed=1)) as player:
        player.press("roll_done", long=True)
        assert player.now.stage == "lobby", "nothing begins that nobody has read on the board"
        for _ in RULEBOOKS:
            player.press("roll_done")
        player.press("roll_done", long=True)
        player.until(lambda shown: shown.stage == "playing", "a game")
        assert player.now.game is not None
        assert player.now.game.players == ("Ann", "Bea", "Cat")
        assert player.now.game.options["winner"] == "all"


def take(player: Playing, *events: GameEvent) -> None:
    """Have that happen in the game, as if it were played."""
    player.box.loop.ask(
        lambda: player.box.table.with_match(lambda match: match.take(events, [], player.box.table.now()))
    )


SIX = (Die("pip", 6),)


def test_after_a_game_presses_begin_the_same_or_another_with_its_players(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=1)) as player:
        assert player.box.api.request(StartGame("pig", ("Ann", "Bea", "Cat"), {"target": "10"})).ok
        take(player, Rolled(dice=SIX), Rolled(dice=SIX))
        take(player, Cache())
        assert player.now.stage == "ended"
        assert player.now.lamps["roll_done"]
        player.press("roll_done")
        assert player.now.message.text.startswith("Pig for Ann, Bea and Cat.")
        assert player.now.segments[0][:3] == digits("Pig")
        player.press("undo")
        assert (player.now.stage, player.now.proposed and player.now.proposed.by_button) == ("playing", False)
        take(player, Cache())
        assert player.now.segments[0][:3] != digits("Pig"), "the winner is told, and no game of before"
        player.press("roll_done")
        player.press("roll_done", long=True)
        player.until(lambda shown: shown.game_id == 2, "a second game")
        assert player.now.game is not None
        assert (player.now.game.players, player.now.game.options["target"]) == (("Ann", "Bea", "Cat"), "10")


def test_another_button_tells_how_a_game_is_chosen(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=1)) as player:
        player.press("stop")
        assert player.now.message.text == "Choose a game first: on the console, or with ROLL DONE."


def test_at_a_tournament_no_button_begins_a_game(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=1), kind="tournament") as player:
        player.press("roll_done")
        player.press("roll_done", long=True)
        assert (player.now.stage, player.now.lamps) == ("lobby", {})
        assert player.now.message.text == "Choose a game first, on the console."


def test_from_a_page_only_who_may_begin_a_game_presses_roll_done_in_the_lobby(tmp_path: Path) -> None:
    with playing(tmp_path, simulated(seed=1)) as player:
        lobby = player.now
        assert player.box.api.request(StartGame("tray", ("Ann",), {})).ok
        playing_now = player.now
    assert PressButton(down=True, button="roll_done").needs(lobby).permission == "lead"
    assert PressButton(down=True, button="roll_done").needs(playing_now).permission == "play"
    assert PressButton(down=True, button="stop").needs(lobby).permission == "play"
