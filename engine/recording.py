"""A whole game as a text to read, compare and play again: each event with the position line after it.

    game zoinx
    players Ann Bob
    option edition=gamewright
    = zoinx edition=gamewright ... Ann:0@0:- Bob:0@0:-
    {"event": "bet", "player": "Ann", "dots": 4}
    = zoinx edition=gamewright ... Ann:0@0:4 Bob:0@0:-
    {"event": "stop"}
    ! Bob must lock a bet first. (rule 3)

`=` leads the position after the event above it, `!` its refusal. Names are written as in position lines.
Lines that begin with `#` are for people. To record a game, write or export the first lines and the events,
and let `retell` fill in the rest. Options that are younger than others (`Rulebook.younger`) have to be named:
a recording without them is one of the time before them.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from engine.events import Event
from engine.game import start_written
from engine.history import History
from engine.lines import pack, unpack
from engine.refusal import Refused, Unreadable
from engine.rulebooks import rulebook
from engine.wire import read_event, write_event
from engine.wording import phrase
from engine.words import plain


def write_recording(
    game: str, players: Iterable[str], options: Mapping[str, str], events: Iterable[Event]
) -> str:
    """The recording of a game; raises `Refused` when it cannot start."""
    names = tuple(players)
    head = [f"game {game}", f"players {' '.join(pack(name) for name in names)}"]
    head += [f"option {key}={pack(value)}" for key, value in options.items()]
    history = History(start_written(rulebook(game), names, options))
    told = [f"= {history.position.line()}"]
    for event in events:
        told.append(write_event(event))
        try:
            told.append(f"= {history.take(event).line()}")
        except Refused as refused:
            told.append(f"! {refused}")
    return "\n".join([*head, *told]) + "\n"


def retell(text: str) -> str:
    """The recording of the same game and events as in `text`, with its comments; raises `Refused`.

    A recording that still holds is its own retelling.
    """
    comments = [line for line in text.split("\n") if line.startswith("#")]
    return "\n".join([*comments, write_recording(*_read(text))])


def play_again(text: str) -> History:
    """The game of a recording, played again; raises `Refused` when it cannot start."""
    game, names, options, events = _read(text)
    history = History(start_written(rulebook(game), names, options))
    for event in events:
        with suppress(Refused):  # a recording may hold refused events, which change nothing
            history.take(event)
    return history


def _read(text: str) -> tuple[str, tuple[str, ...], dict[str, str], list[Event]]:
    """Game, players, options and events of a recording."""
    head: dict[str, str] = {}
    options: dict[str, str] = {}
    events: list[Event] = []
    for place, line in _telling(text):
        word, _, rest = line.partition(" ")
        if line.startswith("{"):
            try:
                events.append(read_event(line))
            except Unreadable as wrong:
                raise Unreadable(
                    phrase("Line {place} of the recording: {reason}", place=place, reason=wrong)
                ) from None
        elif word == "option":
            key, _, value = rest.partition("=")
            options[key] = unpack(value, phrase("line {place}, option {key}", place=place, key=key))
        elif word in {"game", "players"}:
            head[word] = rest
        else:
            raise Unreadable(
                phrase("Line {place} of the recording is none: {text}.", place=place, text=plain(line))
            )
    for word in ("game", "players"):
        if word not in head:
            raise Unreadable(phrase("The recording lacks its line `{word}`.", word=word))
    return head["game"], tuple(unpack(name, "players") for name in head["players"].split()), options, events


def _telling(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say what was done, with their numbers."""
    for place, line in enumerate(text.split("\n"), start=1):
        if line.strip() and line[0] not in "#=!":
            yield place, line
