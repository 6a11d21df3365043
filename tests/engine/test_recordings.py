"""Whole games, recorded in tests/recordings and played again here. An edition or a mode without one fails."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.history import History
from engine.recording import play_again, retell
from engine.refusal import Refused
from engine.rulebooks import RULEBOOKS
from tests.recordings.retell import rewrite

FOLDER = Path(__file__).parents[1] / "recordings"
RECORDINGS = sorted(FOLDER.glob("*.txt"))


def game_of(recording: Path) -> History:
    """The game of a recording."""
    return play_again(recording.read_text(encoding="utf-8"))


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.stem)
def test_a_recording_is_its_own_retelling(recording: Path) -> None:
    text = recording.read_text(encoding="utf-8")
    assert retell(text) == text


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.stem)
def test_a_recording_is_a_whole_game(recording: Path) -> None:
    view = game_of(recording).position.view()
    assert len(game_of(recording).counting) > 10
    assert view.game == "tray" or view.ending is not None


def test_every_rulebook_and_edition_or_mode_has_a_recording() -> None:
    views = [game_of(recording).position.view() for recording in RECORDINGS]
    recorded = {(view.game, view.edition) for view in views}
    wanted = {
        (name, edition)
        for name, book in RULEBOOKS.items()
        for edition in book.options.get("edition", book.options.get("mode", ("",)))
    }
    assert recorded == wanted


def test_the_script_renews_a_recording(tmp_path: Path) -> None:
    text = RECORDINGS[0].read_text(encoding="utf-8")
    copy = tmp_path / "game.txt"
    copy.write_text(
        "".join(line for line in text.splitlines(keepends=True) if line[0] != "="), encoding="utf-8"
    )
    rewrite(copy)
    assert copy.read_text(encoding="utf-8") == text


def test_the_positions_of_a_recording_are_read_back() -> None:
    for recording in RECORDINGS:
        lines = [line[2:] for line in recording.read_text(encoding="utf-8").splitlines() if line[:2] == "= "]
        assert all(RULEBOOKS[line.split(" ")[0]].parse(line).line() == line for line in lines)


HEAD = """\
# Two at a table.
game zoinx
players Ann%201 Bob
option edition=game-factory
option youngest=Ann%201
"""


def test_a_game_is_recorded_from_its_head_and_events() -> None:
    text = retell(HEAD + '{"event": "bet", "player": "Bob", "dots": 0}\n{"event": "stop"}\n')
    line = "zoinx edition=game-factory ties=first last=opponents first=Ann%201 turn=0 final=- dots=0"
    assert text == (
        f"{HEAD}= {line} Ann%201:0@0:- Bob:0@0:-\n"
        '{"event": "bet", "player": "Bob", "dots": 0}\n'
        f"= {line} Ann%201:0@0:- Bob:0@0:0\n"
        '{"event": "stop"}\n'
        "! Ann 1 must lock a bet first. (rule 3)\n"
    )


@given(st.lists(st.text() | st.sampled_from([*HEAD.splitlines(), '{"event": "undo"}'])).map("\n".join))
def test_no_recording_whatever_ends_in_another_exception(text: str) -> None:
    with suppress(Refused):
        assert retell(retell(text)) == retell(text)


def test_what_a_stranger_is_called_stays_on_its_line() -> None:
    text = retell(HEAD + '{"event": "bet", "player": "B\\n\\u2028b", "dots": 0}\n')
    assert text.endswith(
        "! Nobody at this table is called 'B\\n\\u2028b'; here sit Ann 1 and Bob. (rule 1)\n"
    )
    assert retell(text) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "lacks its line `game`"),
        ("game zoinx\n", "lacks its line `players`"),
        ("game chess\nplayers Ann Bob\n", "no game called chess"),
        ("game zoinx\nplayers Ann\n", "one player came"),
        ("game zoinx\nplayers Ann Bob\nhello\n", "Line 3 of the recording is none"),
        ('game zoinx\nplayers Ann Bob\n{"event": 3}\n', "Line 3 of the recording: event is"),
        ("game zoinx\nplayers Ann%FF Bob\n", "is no name"),
        ("game zoinx\nplayers Ann Bob\noption x=1\n", "no option called x"),
    ],
)
def test_a_broken_recording_is_told(text: str, reason: str) -> None:
    with pytest.raises(Refused) as refusal:
        retell(text)
    assert reason in str(refusal.value)
