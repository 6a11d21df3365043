"""A game without a camera: lines of JSON events in, lines of the public state out; as pure as the rules."""

import json
from collections.abc import Iterable, Iterator

from engine.game import Position
from engine.history import History
from engine.refusal import Refused
from engine.wire import read_event, write_view


def score(start: Position, lines: Iterable[bytes]) -> Iterator[tuple[str, bool]]:
    """For each line of input one line of output, and whether its event was taken.

    A refused event answers `{"error": ..., "kind": ...}` and changes nothing.
    """
    history = History(start)
    for line in lines:
        try:
            position = history.take(read_event(line))
        except Refused as refused:
            yield json.dumps({"error": str(refused), "kind": refused.kind}, ensure_ascii=False), False
        else:
            yield write_view(position.view()), True
