"""Who came where: the results of games and the standings over them, for people and for other programs."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from device.journal.export import cell
from device.journal.replay import options_shown
from device.journal.words import state
from device.reports.gathering import LeftOut, evening_of
from device.reports.played import PlayedGame
from engine.wording import phrase, phrase_later

WAITS = phrase_later("The result waits for the referee's sign-off.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One player in one game."""

    evening: str
    """ISO date; "" where the clock was wrong."""
    game_id: int
    game: str
    options: str
    begun: str
    """ISO, in UTC."""
    ended: str
    """ISO, in UTC; "" while it may go on."""
    player: str
    place: int | None
    """From 1, ties share one; None unless the game was played to its end and its result counts."""
    points: int | None
    """None in a match of several games, whose scores began anew."""
    won: bool
    state: str
    signed_by: str
    """Who signed the result off: "the referee Cleo"; "" where nobody has."""
    signed_at: str
    """When: ISO, in UTC; "" where nobody has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One player over all games."""

    place: int
    player: str
    games: int
    """Played to their end."""
    wins: int
    """A shared win is one."""


def results(game: PlayedGame) -> list[Result]:
    """Everybody in one game, the winners first."""
    record, ending = game.record, game.ending if game.counts else None
    winners = ending.winners if ending else ()
    scores = [0] * len(game.scores) if game.restarts else game.scores
    order = sorted(
        zip(record.players, scores, strict=True), key=lambda each: (each[0] not in winners, -each[1])
    )
    above = [sum(_rank(other, winners) < _rank(each, winners) for other in order) for each in order]
    day = evening_of(record)
    signed = game.sign_off if game.sign_off.closed else None
    return [
        Result(
            evening=day.isoformat() if day else "",
            game_id=record.id,
            game=game.kind,
            options=" ".join(f"{key}={value}" for key, value in options_shown(record).items()),
            begun=record.begun,
            ended=record.ended or "",
            player=player,
            place=better + 1 if ending else None,
            points=None if game.restarts else points,
            won=player in winners,
            state=state(record) + (f" {phrase(WAITS)}" if game.sign_off.waits else ""),
            signed_by=signed.by if signed else "",
            signed_at=signed.at if signed else "",
        )
        for (player, points), better in zip(order, above, strict=True)
    ]


def _rank(each: tuple[str, int], winners: Sequence[str]) -> tuple[bool, int]:
    """Winners share the first place, whatever their points."""
    player, points = each
    return (True, -points) if player not in winners else (False, 0)


def standings(games: Sequence[PlayedGame]) -> list[Ranked]:
    """Who won most of the games that count; who has as many wins shares a place."""
    told = [result for game in games if game.counts for result in results(game)]
    names = {result.player: result for result in told}
    wins = {name: sum(result.won for result in told if result.player == name) for name in names}
    return [
        Ranked(
            place=1 + sum(other > wins[name] for other in wins.values()),
            player=name,
            games=sum(result.player == name for result in told),
            wins=wins[name],
        )
        for name in sorted(names, key=lambda name: (-wins[name], name))
    ]


def results_csv(games: Sequence[PlayedGame]) -> str:
    """A line for each player of each game, for a spreadsheet: UTF-8 with its mark."""
    text = io.StringIO()
    text.write("\ufeff")
    writer = csv.DictWriter(text, [*Result.__dataclass_fields__], lineterminator="\r\n")
    writer.writeheader()
    for game in games:
        for result in results(game):
            writer.writerow({key: cell(value) for key, value in asdict(result).items()})
    return text.getvalue()


def results_json(games: Sequence[PlayedGame], left_out: Sequence[LeftOut]) -> Iterator[str]:
    """JSON objects, one a line: a `result` for each player of each game, then the `standing`s."""
    for game in games:
        for result in results(game):
            yield _line("result", result)
    for missing in left_out:
        yield _line("left out", missing)
    for standing in standings(games):
        yield _line("standing", standing)


def _line(kind: str, what: Result | Ranked | LeftOut) -> str:
    return json.dumps({"kind": kind, **asdict(what)}, ensure_ascii=False)
