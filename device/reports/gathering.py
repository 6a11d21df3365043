"""Which games a report is about, and reading them from the journal; a damaged one is told, and left out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Protocol

from device.journal import GameId, GameRecord, JournalError
from device.journal.records import Entry
from device.journal.replay import replay
from device.reports.played import PlayedGame, played
from engine.wording import phrase, phrase_later

NIGHT_H = 6
"""What begins before six in the morning belongs to the evening before."""
MONTHS = (
    phrase_later("January"),
    phrase_later("February"),
    phrase_later("March"),
    phrase_later("April"),
    phrase_later("May"),
    phrase_later("June"),
    phrase_later("July"),
    phrase_later("August"),
    phrase_later("September"),
    phrase_later("October"),
    phrase_later("November"),
    phrase_later("December"),
)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A game that is not in the report, and why, in a sentence."""

    game_id: GameId
    why: str


class GivesRows(Protocol):
    """As a journal's reader does."""

    def rows(self, game_id: GameId, /) -> tuple[Entry, ...]:
        """A game's rows in their order; raises `JournalError`."""
        ...


def evening_of(record: GameRecord) -> date | None:
    """The evening on which a game began, by this machine's clock; None for a moment that is none."""
    try:
        return (datetime.fromisoformat(record.begun).astimezone() - timedelta(hours=NIGHT_H)).date()
    except (ValueError, OverflowError):
        return None


def evenings(records: Sequence[GameRecord]) -> list[date]:
    """The evenings on which was played, the newest first."""
    return sorted({day for record in records if (day := evening_of(record))}, reverse=True)


def of_evening(records: Sequence[GameRecord], day: date) -> list[GameRecord]:
    """The games of an evening."""
    return [record for record in records if evening_of(record) == day]


def of_player(records: Sequence[GameRecord], name: str) -> list[GameRecord]:
    """The games in which somebody of that name played, whatever the capitals."""
    known = name.strip().casefold()
    return [record for record in records if known in (each.casefold() for each in record.players)]


def day_words(day: date) -> str:
    """ "20 November 2026" """
    month = phrase(MONTHS[day.month - 1])
    return phrase("{day} {month} {year}", day=day.day, month=month, year=day.year)


def evening_title(day: date) -> str:
    """ "The evening of 20 November 2026" """
    return phrase("The evening of {day}", day=day_words(day))


def gather(
    reader: GivesRows, records: Sequence[GameRecord], *, with_luck: bool = False
) -> Iterator[PlayedGame | LeftOut]:
    """Each game, played again, or why it is left out; a game is in memory only while it is looked at."""
    for record in records:
        try:
            game = played(replay(record, reader.rows(record.id)), with_luck=with_luck)
        except JournalError as error:
            yield LeftOut(record.id, str(error))
            continue
        yield LeftOut(record.id, game.trouble) if game.trouble else game
