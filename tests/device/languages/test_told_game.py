"""A game is the same in every language: only what is said of it differs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from device.journal.chain import START, link
from device.languages import speak_language
from engine.dice import Die
from engine.events import Bet, Event, Rolled, Stop
from engine.history import History
from engine.recording import play_again
from engine.refusal import Refused
from engine.rulebooks import rulebook
from engine.wire import write_event

RECORDINGS = sorted((Path(__file__).parents[2] / "recordings").glob("*.txt"))


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_a_game_told_in_german_has_the_same_lines_and_hashes(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    told = {}
    for code in ("en", "de"):
        speak_language(code)
        history = play_again(text)
        told[code] = list(_lines(history)), [position.view().news for _, position in history.played]
    assert told["de"][0] == told["en"][0]
    assert any(german != english for german, english in zip(told["de"][1], told["en"][1], strict=True))


def _lines(history: History) -> Iterator[tuple[str, bytes]]:
    """The position line after each event that counts, and the hash of all until there."""
    before = START
    for event, position in history.played:
        before = link(before, write_event(event), position.line())
        yield position.line(), before


def _told(history: History, event: Event) -> str:
    try:
        return history.take(event).view().news
    except Refused as refused:
        return str(refused)


@pytest.mark.parametrize(
    ("code", "sentences"),
    [
        (
            "de",
            [
                "Ann hat gewettet.",
                "Die Wetten: Ann 4, Zoe 2. Zoe würfelt.",
                "Zoe hat 2 gewettet und hat 0 Farbpunkte: Würfle noch einmal. (Regel 4a)",
                "Zoe würfelt 1 Farbpunkt. Noch 1 bis zur Wette von 2.",
                "Zoe würfelt noch 2 Farbpunkte, 3 insgesamt. "
                "Die Wette von 2 ist erreicht: Hör auf oder würfle weiter.",
                "Zoe hört bei 3 Farbpunkten auf. Punkte: Zoe 5.",
            ],
        ),
        (
            "fr",
            [
                "Ann a fixé sa mise.",
                "Les mises : Ann 4, Zoe 2. À Zoe de lancer.",
                "Zoe a misé 2 et a 0 point de couleur : relance. (règle 4a)",
                "Zoe lance 1 point de couleur. Encore 1 jusqu’à la mise de 2.",
                "Zoe lance encore 2 points de couleur, 3 en tout. "
                "La mise de 2 est atteinte : arrête-toi ou continue.",
                "Zoe s’arrête à 3 points de couleur. Points : Zoe 5.",
            ],
        ),
    ],
)
def test_a_whole_turn_is_told_in_the_language_of_the_house(code: str, sentences: list[str]) -> None:
    speak_language(code)
    history = History(rulebook("zoinx").start(("Ann", "Zoe"), {}))
    dot, square = Die("zoinx", "dot"), Die("zoinx", "square")
    events: list[Event] = [
        Bet(player="Ann", dots=4),
        Bet(player="Zoe", dots=2),
        Stop(),
        Rolled(dice=(dot, square, square, square)),
        Rolled(dice=(dot, dot, square, square)),
        Stop(),
    ]
    assert [_told(history, event).replace("\u202f", " ") for event in events] == sentences
