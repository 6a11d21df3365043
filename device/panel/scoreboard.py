"""What the seven-segment scoreboard shows: a pure function of the public game and of the time.

How a row of eight digits is used (docs/wiring.md draws it):

    1.  1 7 = 1 2    seat (its point blinks: it is her turn), total, what the turn has gathered
    2   2 3   b 8    her bet, once all are revealed; before, - says locked and _ says thinking

With a row for every player, all stand still. With fewer rows, the turn comes first, then one player after
the other: never two totals in one row, where "1 592 0" would be 59 and 0. What has no row of its own takes
turns on the last one, and a message comes first there.
The box knows no secret bet here: it sees what the console sees.
"""

import ipaddress
from collections.abc import Sequence
from urllib.parse import urlsplit

from device.panel.displays import BLANK, DIGITS, Digit, Row, Rows, digits, drawable
from device.shown.snapshot import GameShown, Shout, Snapshot

STEP_MS = 250
"""All that moves by itself moves in these steps: drawing once a step shows everything."""
PAGE_MS = 8 * STEP_MS
"""How long one thing stands where several take turns."""
BLINK_MS = 2 * STEP_MS

Alert = Shout
"""What the box says of itself, or asks: see `device.shown.snapshot.Shout`."""
READY = "rEAdy"
GREETING_MS = 12_000
"""How long after its start a box tells its console's address, also where it goes on with a game at once."""

Cells = tuple[Digit, ...]
"""Digits side by side, as many as it takes."""
Line = tuple[Cells, ...]
"""The pages of one line; one page stands still, several take turns."""


def alert_of(snapshot: Snapshot) -> Alert:
    """The alert that goes with what the console shows."""
    if snapshot.aside is not None:
        return "E 12"
    if snapshot.camera.tone == "alarm":
        return snapshot.camera.shout or "no PIC"
    if snapshot.message.shout:
        return snapshot.message.shout
    if snapshot.ask == "correct" or snapshot.message.tone == "unsure":
        return "UNSURE"
    if snapshot.message.tone == "alarm":
        return "Err"
    return snapshot.panel.shout


def offered_of(snapshot: Snapshot) -> str:
    """The game that ROLL DONE begins now, by its name where seven segments cannot show its title."""
    proposed = snapshot.proposed
    if snapshot.stage == "playing" or proposed is None or not proposed.by_button:
        return ""
    titles = [choice.title for choice in snapshot.choices if choice.name == proposed.game]
    return next(filter(drawable, titles), proposed.game)


def board(
    game: GameShown | None,
    alert: Alert = "",
    *,
    age_ms: float,
    rows: int,
    width: int = DIGITS,
    console: Sequence[str] = (),
    offered: str = "",
) -> Rows:
    """The rows to show `age_ms` after game or alert last changed.

    Without a game `console` stands there too: where phones find it (`console_words`), unless a game is
    `offered`, which ROLL DONE begins. `rows` is 1 to 4;
    `width` is how many digits of a row there really are (the rest stays dark).
    """
    if not (1 <= rows <= 4 and 2 <= width <= DIGITS):
        raise ValueError(f"a board has 1 to 4 rows and 2 to {DIGITS} digits; got {rows} rows, {width} digits")
    if game is None and offered:
        lines: Sequence[Line] = [(digits(offered),)]
        message: str = alert
    elif game is None:
        where: Line = tuple(digits(word) for word in console)
        lines = [(_left(READY, width),), *([where] if where else [])]
        message = alert
    else:
        lines = _lines(game, rows, width, age_ms)
        message = alert or _banner(game)
    shown = _arranged(lines, _left(message, width) if message else None, rows, width, age_ms)
    return tuple(_padded(cells, DIGITS) for cells in shown)


def console_words(address: str) -> tuple[str, ...]:
    """The console's address, "http://192.168.1.20:8080/", for seven segments: its number, and its port.

    Empty where no phone can open it, for the box is in no network, or where the segments cannot show it.
    """
    try:
        told = urlsplit(address)
        number, port = ipaddress.ip_address(told.hostname or ""), told.port
    except ValueError:
        return ()
    if number.version != 4 or number.is_loopback or number.is_unspecified:
        return ()
    return (str(number), *([f"Port {port}" if port < 1000 else f"P {port}"] if port else []))


class Scoreboard:
    """`board` with a memory for when things last changed. Drawn once a step, however often it is asked."""

    def __init__(self, rows: int, width: int = DIGITS) -> None:
        """`rows` and `width` as the display has them."""
        self._rows = rows
        self._width = width
        self._since_ms = 0.0
        self._address = ""
        self._greets_until_ms = float("-inf")
        self._console: tuple[str, ...] = ()
        self._last: tuple[GameShown | None, Alert, tuple[str, ...], str] | None = None
        self._drawn: tuple[int, Rows] = (-1, ())
        """The rows of the newest step since then."""

    def at(self, snapshot: Snapshot, time_ms: float) -> Rows:
        """The rows to show at `time_ms`. Call it at each change, and every `STEP_MS` between."""
        if snapshot.address != self._address:
            self._address, told = snapshot.address, bool(self._console)
            self._console = console_words(snapshot.address)
            if self._console and not told:
                self._greets_until_ms = time_ms + GREETING_MS
        offered = offered_of(snapshot)
        game = None if offered or time_ms < self._greets_until_ms else snapshot.game
        now = (game, alert_of(snapshot), self._console if game is None else (), offered)
        if now != self._last:
            # In step with the clock and not with whatever came last: when a step comes must tell of no press.
            self._last, self._since_ms, self._drawn = now, time_ms - time_ms % STEP_MS, (-1, ())
        age_ms = max(0.0, time_ms - self._since_ms)
        step = int(age_ms // STEP_MS)
        if step != self._drawn[0]:
            self._drawn = step, self._board(*now, age_ms)
        return self._drawn[1]

    def _board(
        self, game: GameShown | None, alert: Alert, console: tuple[str, ...], offered: str, age_ms: float
    ) -> Rows:
        return board(
            game,
            alert,
            age_ms=age_ms,
            rows=self._rows,
            width=self._width,
            console=console,
            offered=offered,
        )


def _banner(game: GameShown) -> str:
    """The rulebook's shout, unless it is a name that seven segments cannot show: then the seats must do."""
    return game.banner if drawable(game.banner) else ""


def _lines(game: GameShown, rows: int, width: int, age_ms: float) -> list[Line]:
    """All there is to show, the most important first."""
    if len(game.players) <= rows and width == DIGITS:
        return [_player(game, seat, age_ms) for seat in range(len(game.players))]
    if width == DIGITS:
        totals = [_total(game, seat, age_ms) for seat in range(len(game.players))]
        return [_turn(game, width, age_ms), *totals]
    texts = [*enumerate(map(str, game.scores))]
    texts += [(seat, _bet(bet)) for seat, bet in enumerate(game.bets) if isinstance(bet, int)]
    return [
        _turn(game, width, age_ms),
        *((_seat(game, seat, age_ms) + _right(text, width - 1),) for seat, text in texts),
    ]


def _total(game: GameShown, seat: int, age_ms: float) -> Line:
    """A player's total with the open bet, where the turn has a line of its own."""
    bet = game.bets[seat] if game.bets else ""
    return _row(game, seat, [_bet(bet) if isinstance(bet, int) else ""], age_ms)


def _player(game: GameShown, seat: int, age_ms: float) -> Line:
    """One player's own row: seat, total, and what else there is to tell."""
    return _row(game, seat, _sides(game, seat), age_ms)


def _row(game: GameShown, seat: int, sides: Sequence[str], age_ms: float) -> Line:
    """Seat, total, and right of it the sides, one after the other."""
    seated, total = _seat(game, seat, age_ms), str(game.scores[seat])
    if len(total) <= 4 and all(len(side) <= 3 for side in sides):
        return tuple(seated + _right(total, 4) + _right(side, 3) for side in sides)
    texts = [*(side for side in sides if side), total]
    return tuple(seated + _right(text, DIGITS - 1) for text in texts)


def _sides(game: GameShown, seat: int) -> list[str]:
    """What stands right of a player's total; several take turns. At least one, perhaps empty."""
    player = game.players[seat]
    if game.winners:
        return ["1St" if player in game.winners else ""]
    bet = _bet(game.bets[seat]) if game.bets else ""
    if player == game.active and game.running is not None:
        return [f"={game.running}", *([bet] if bet else [])]
    return [bet]


def _turn(game: GameShown, width: int, age_ms: float) -> Line:
    """The line that tells whose turn it is and how it stands, or who has won."""
    if game.winners:
        seats = "".join(f"{game.players.index(winner) + 1}." for winner in game.winners)
        return (digits(seats) + _right("1St", width - len(game.winners)),)
    if game.active is None:
        return (_left("", width),)
    seat = game.players.index(game.active)
    seated, room = _seat(game, seat, age_ms), width - 1
    if game.running is not None:
        parts = [part for part in _sides(game, seat) if part]
    elif game.bets:
        marks = "".join("-" if bet == "locked" else "_" for bet in game.bets)
        parts = ["bEt", marks]
    else:
        parts = [""]
    if len(parts) == 2 and len(parts[0]) + 4 <= room and len(parts[1]) <= 4:
        return (seated + _right(parts[0], room - 4) + _right(parts[1], 4),)
    return tuple(seated + _right(part, room) for part in parts)


def _bet(bet: int | str) -> str:
    """A bet as anybody may see it, at most three digits."""
    match bet:
        case int():
            return f"b{bet:>2}"
        case "locked":
            return "-"
        case "thinking":
            return "_"
        case _:
            raise ValueError(f"a bet that is shown is a number, locked or thinking; got {bet!r}")


def _seat(game: GameShown, seat: int, age_ms: float) -> Cells:
    """A player's number on the panel, its point blinking while it is her turn."""
    turn = game.players[seat] == game.active and not game.winners
    return digits(f"{seat + 1}." if turn and int(age_ms // BLINK_MS) % 2 == 0 else str(seat + 1))


def _arranged(
    lines: Sequence[Line], message: Cells | None, rows: int, width: int, age_ms: float
) -> list[Cells]:
    """What fits stands still; the rest takes turns on the last row, the message first."""
    if len(lines) + (message is not None) <= rows:
        dark: list[Line] = [((BLANK,) * width,)] * (rows - len(lines))
        shown = [*lines, *dark]
        if message is not None:
            shown[-1] = (message,)
    else:
        turning = ([message] if message is not None else []) + [
            page for line in lines[rows - 1 :] for page in line
        ]
        shown = [*lines[: rows - 1], tuple(turning)]
    return [_page_at(line, width, age_ms) for line in shown]


def _page_at(line: Line, width: int, age_ms: float) -> Cells:
    """The page of a line that stands there now, scrolled on if it is too wide."""
    lasts_ms = [PAGE_MS + STEP_MS * max(0, len(page) - width) for page in line]
    left_ms = age_ms % sum(lasts_ms)
    for page, page_ms in zip(line, lasts_ms, strict=True):
        if left_ms < page_ms:
            # The first digits stand for half a page, so that an eye can find them.
            moved = min(max(0, int((left_ms - PAGE_MS / 2) // STEP_MS)), max(0, len(page) - width))
            return _padded(page[moved : moved + width], width)
        left_ms -= page_ms
    return _padded(line[-1][:width], width)  # a rounding error away from the end


def _left(text: str, width: int) -> Cells:
    return _padded(digits(text), width)


def _right(text: str, width: int) -> Cells:
    shown = digits(text)
    return (BLANK,) * (width - len(shown)) + shown


def _padded(cells: Cells, width: int) -> Row:
    return cells + (BLANK,) * (width - len(cells))
