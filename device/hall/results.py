"""Who came where at all tables of a hall, for spreadsheets; counted as `callbox results` counts."""

import csv
import io
from dataclasses import asdict

from device.hall.ledger import Ledger
from device.journal.export import cell
from device.journal.records import Entry
from device.reports.gathering import LeftOut, gather
from device.reports.results import Result, results


class HeldJournal:
    """The games of one box, as the desk holds them."""

    def __init__(self, ledger: Ledger, box: str) -> None:
        self._ledger, self._box = ledger, box

    def rows(self, game_id: int) -> tuple[Entry, ...]:
        """A game's rows in their order."""
        return self._ledger.entries(self._box, game_id)


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
        for game in gather(HeldJournal(ledger, box.id), ledger.records(box.id)):
            if isinstance(game, LeftOut):
                writer.writerow({"table": cell(box.name), "game_id": game.game_id, "state": cell(game.why)})
                continue
            for result in results(game):
                told = {key: cell(value) for key, value in asdict(result).items()}
                writer.writerow({"table": cell(box.name), **told})
    return text.getvalue()
