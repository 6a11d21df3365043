"""Who came where at all tables of a hall, for spreadsheets; counted as `callbox results` counts."""

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TypeVar

from device.hall.ledger import Ledger, LedgerBroken
from device.journal.export import cell
from device.journal.records import Entry, GameRecord
from device.reports.gathering import LeftOut, gather
from device.reports.played import PlayedGame
from device.reports.results import Result, results
from engine.wording import phrase

T = TypeVar("T")


class HeldJournal:
    """The games of one box, as the desk holds them."""

    def __init__(self, ledger: Ledger, box: str) -> None:
        self._ledger, self._box = ledger, box

    def rows(self, game_id: int) -> tuple[Entry, ...]:
        """A game's rows in their order."""
        return self._ledger.entries(self._box, game_id)


def read_game(ledger: Ledger, box: str, record: GameRecord) -> PlayedGame | LeftOut:
    """Play a held game again, or say why it cannot be counted. Raises `LedgerBroken` alone."""
    (found,) = _or_left_out(record, lambda: list(gather(HeldJournal(ledger, box), [record])))
    return found


def results_of_all(ledger: Ledger) -> str:
    """A line for each player of each game, UTF-8 with its mark: the table's name first, then as at a box.

    A game that cannot be counted is there with its reason under `state`.
    """
    text = io.StringIO()
    text.write("\ufeff")
    columns = ["table", *Result.__dataclass_fields__]
    writer = csv.DictWriter(text, columns, lineterminator="\r\n", restval="")
    writer.writeheader()
    for box in ledger.boxes():
        for record in ledger.records(box.id):
            for each in _results(ledger, box.id, record):
                if isinstance(each, LeftOut):
                    told = {"game_id": str(each.game_id), "state": cell(each.why)}
                else:
                    told = {key: cell(value) for key, value in asdict(each).items()}
                writer.writerow({"table": cell(box.name), **told})
    return text.getvalue()


def _results(ledger: Ledger, box: str, record: GameRecord) -> Sequence[Result | LeftOut]:
    game = read_game(ledger, box, record)
    return [game] if isinstance(game, LeftOut) else _or_left_out(record, lambda: results(game))


def _or_left_out(record: GameRecord, make: Callable[[], Sequence[T]]) -> Sequence[T | LeftOut]:
    """Make that of a game, whatever another machine's rows make the rules do: the other games count."""
    try:
        return make()
    except LedgerBroken:
        raise
    except Exception as error:  # noqa: BLE001 - see above
        return [LeftOut(record.id, phrase("It cannot be played again ({error}).", error=repr(error)[:200]))]
