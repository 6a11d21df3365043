"""What a report says, in its order: results, players, dice, landings, then each game throw by throw."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from calibration.description import TableDescription
from device.journal.words import local, state, title
from device.reports.blocks import Block, Figure, Grid, Heading, Sentence
from device.reports.fairness import ALPHA, FAVOURED, Fairness, judge
from device.reports.figures import Best, Figures, add_up, by_kind, figures, throw_words
from device.reports.gathering import LeftOut
from device.reports.played import PlayedGame
from device.reports.plots import face_bars, landing_map, score_lines
from device.reports.results import WAITS, Result, results, standings
from device.shown.words import join_words
from engine.dice import FACES, DieKind, Face

DETAILED = 12
"""Up to so many games are told throw by throw; of more only the figures are told."""
KINDS: Mapping[DieKind, str] = {
    "pip": "Six-sided dice",
    "zoinx": "Zoinx dice",
    "bet": "Betting dice",
    "d4": "Four-sided dice",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What is told."""

    title: str
    games: tuple[PlayedGame, ...]
    """Without their throws, where they are many."""
    figures: Figures
    left_out: tuple[LeftOut, ...] = ()
    detailed: bool = True
    """Whether each game is told throw by throw."""


def counted(game: PlayedGame) -> tuple[PlayedGame, Figures]:
    """A game as it is kept where there are many: its figures, and of itself all but throws and turns."""
    return replace(game, throws=(), turns=(), changes=()), figures(game)


def make_report(title: str, gathered: Iterable[PlayedGame | LeftOut], *, detailed: bool) -> Report:
    """The report on these games."""
    games: list[PlayedGame] = []
    sums: list[Figures] = []
    left_out: list[LeftOut] = []
    for each in gathered:
        if isinstance(each, LeftOut):
            left_out.append(each)
            continue
        short, sum_ = counted(each)
        games.append(each if detailed else short)
        sums.append(sum_)
    return Report(
        title=title, games=tuple(games), figures=add_up(sums), left_out=tuple(left_out), detailed=detailed
    )


def add_reports(title: str, reports: Sequence[Report]) -> Report:
    """One report on all their games, without throws."""
    return Report(
        title=title,
        games=tuple(game for each in reports for game in each.games),
        figures=add_up(each.figures for each in reports),
        left_out=tuple(missing for each in reports for missing in each.left_out),
        detailed=False,
    )


def tell(report: Report, sheet: TableDescription, *, link: str = "") -> Iterator[Block]:
    """All of it. `link` is where a game's number leads, with `{}` for the number; "" for nowhere."""
    yield Heading(text=report.title, level=1)
    count, throws = report.figures.games, report.figures.throws
    yield Sentence(text=f"{_some(count, 'game')}, {_some(throws, 'throw')}.")
    for missing in report.left_out:
        yield Sentence(text=f"Game {missing.game_id} is left out: {missing.why}")
    if not report.games:
        return
    yield from _results(report.games, link)
    yield from _players(report.figures)
    yield from _dice(report.figures)
    if report.figures.landings:
        yield from _landings(report.figures, sheet)
    if report.detailed:
        for game in report.games:
            yield from _game(game)


def tell_results(report: Report) -> Iterator[Block]:
    """The results alone, to be pinned up."""
    yield Heading(text=report.title, level=1)
    for missing in report.left_out:
        yield Sentence(text=f"Game {missing.game_id} is left out: {missing.why}")
    if report.games:
        yield from _results(report.games, "")


def _results(games: Sequence[PlayedGame], link: str) -> Iterator[Block]:
    ranked = standings(games)
    if len(games) > 1 and ranked:
        yield Heading(text="Standings")
        yield Grid(
            caption="Wins; a shared win counts for each",
            head=("Place", "Player", "Wins", "Games"),
            rows=tuple((str(each.place), each.player, str(each.wins), str(each.games)) for each in ranked),
            numbers=frozenset({0, 2, 3}),
        )
    yield Heading(text="Games" if len(games) > 1 else "Result")
    yield Grid(
        caption="The games, the newest first" if len(games) > 1 else "The game",
        head=("No.", "Begun", "Game", "Points", "Won by"),
        rows=tuple(_result_row(game) for game in reversed(games)),
        numbers=frozenset({0}),
        links=tuple(link.format(game.record.id) for game in reversed(games)) if link else (),
    )


def _result_row(game: PlayedGame) -> tuple[str, ...]:
    points = join_words([_had(each) for each in results(game)])
    won = join_words(game.ending.winners) if game.ending else _unfinished(game)
    if game.sign_off.waits:
        won = f"{won} (not signed off)"
    return str(game.record.id), local(game.record.begun)[:16], game.kind, points, won or "nobody"


def _had(result: Result) -> str:
    return result.player if result.points is None else f"{result.player} {result.points:,}"


def _unfinished(game: PlayedGame) -> str:
    return f"({state(game.record).removeprefix('ended: ').rstrip('.')})"


def _players(counts: Figures) -> Iterator[Block]:
    kinds = dict.fromkeys(kind for kind, _ in counts.players)
    yield Heading(text="Players")
    for kind in kinds:
        rows = []
        for (of, name), each in sorted(counts.players.items()):
            if of != kind:
                continue
            rows.append(
                (
                    name,
                    f"{each.wins} of {each.games}",
                    _average(each.points, each.totals),
                    _best(each.game),
                    _average(each.turn_points, each.turns),
                    _best(each.turn),
                    _best(each.throw),
                )
            )
        yield Grid(
            caption=kind,
            head=("Player", "Won", "Points a game", "Best game", "Points a turn", "Best turn", "Best throw"),
            rows=tuple(rows),
            numbers=frozenset({1, 2, 3, 4, 5}),
        )
    yield Sentence(
        text="A throw of dice that are set aside is worth the best that may be set aside of it. The number "
        "of the game stands behind a best. Averages are of games that were played to their end.",
        quiet=True,
    )


def _best(best: Best | None) -> str:
    if best is None:
        return "-"
    words = f" ({best.words})" if best.words else ""
    return f"{best.points:,}{words} #{best.game_id}"


def _average(points: int, count: int) -> str:
    return f"{points / count:,.1f}" if count else "-"


def _dice(counts: Figures) -> Iterator[Block]:
    if not counts.dice:
        return
    yield Heading(text="Dice")
    for kind, faces in by_kind(counts.dice).items():
        colors = {color: each for (of, color), each in counts.dice.items() if of == kind and color}
        verdict = judge(kind, faces)
        yield Heading(text=KINDS[kind], level=3)
        yield Figure(
            drawing=face_bars(faces, verdict.expected),
            words="How often each face came; the red line is what a fair die would show.",
            seen=f"{KINDS[kind]}: {_faces_words(kind, faces)}.",
        )
        yield Sentence(text=_verdict(verdict))
        if colors:
            yield _colors(kind, colors)
    yield Sentence(
        text="What counted at last is counted: corrected dice as they were corrected. Dice of one colour are "
        "counted together, so one loaded die among several is harder to notice. A face that is often misread "
        "looks like a loaded die: compare with the corrections.",
        quiet=True,
    )


def _colors(kind: DieKind, colors: Mapping[str, Counter[Face]]) -> Grid:
    """Dice of this kind by colour."""
    fair = FACES[kind]
    rows = []
    for color, faces in sorted(colors.items()):
        verdict = judge(kind, faces)
        chance = "too few" if verdict.p is None else _percent(verdict.p)
        shown = tuple(str(faces.get(face, 0)) for face in fair)
        rows.append((color, *shown, str(verdict.thrown), f"{verdict.statistic:.1f}", chance))
    head = ("Colour", *map(str, fair), "Thrown", "X²", "p")
    return Grid(
        caption=f"{KINDS[kind]} by colour, as far as the camera told it",
        head=head,
        rows=tuple(rows),
        numbers=frozenset(range(1, len(head))),
    )


def _faces_words(kind: DieKind, faces: Mapping[Face, int]) -> str:
    return join_words([f"{face} came {faces.get(face, 0)} times" for face in FACES[kind]])


def _verdict(found: Fairness) -> str:
    """What the counts say, and what they could have said."""
    if found.p is None:
        return (
            f"{_some(found.thrown, 'die')} thrown: too few to say whether they are fair; that takes "
            f"{found.needed:,}."
        )
    strays = f"X² = {found.statistic:.1f}: {_percent(found.p)} of fair dice stray further."
    verdict = (
        f"That is less than {ALPHA:.0%}: look at these dice, or at how they are read."
        if found.suspected
        else "Nothing speaks against them."
    )
    could = f"From {_some(found.thrown, 'die')} thrown, one that shows a face {FAVOURED:g} times as often "
    could += f"would be noticed with a chance of {_percent(found.power)}"
    more = "." if found.thrown >= found.needed else f"; nine times in ten it takes {found.needed:,}."
    return f"{strays} {verdict} {could}{more}"


def _percent(share: float) -> str:
    if share < 0.001:
        return "less than 0.1\u00a0%"
    return "more than 99\u00a0%" if share > 0.995 else f"{share * 100:.2g}\u00a0%"


def _landings(counts: Figures, sheet: TableDescription) -> Iterator[Block]:
    count = _some(len(counts.landings), "measured landing")
    yield Heading(text="Where dice landed")
    words = f"{count} on the sheet, its back edge below; larger and darker squares have more."
    yield Figure(drawing=landing_map(counts.landings, sheet), words=words)


def _game(game: PlayedGame) -> Iterator[Block]:
    """One game, throw by throw."""
    record = game.record
    yield Heading(text=f"Game {record.id}: {game.kind}")
    yield Sentence(text=f"{local(record.begun)}, {title(record)}; {state(record)}")
    if game.sign_off.waits:
        yield Sentence(text=WAITS)
    elif game.sign_off.closed:
        yield Sentence(text=f"Signed off by {game.sign_off.by}, {local(game.sign_off.at)}.")
    if len(game.turns) > 1 and any(any(turn.scores) for turn in game.turns):
        players = join_words(record.players)
        yield Figure(
            drawing=score_lines(game), words=f"The scores of {players} over {len(game.turns)} turns."
        )
    if game.throws:
        yield Grid(
            caption=f"The throws of game {record.id}",
            head=("No.", "Time", "Player", "Thrown", "Points"),
            rows=tuple(
                (
                    str(number),
                    local(throw.at)[11:],
                    throw.player,
                    throw_words(throw),
                    "-" if throw.points is None else f"{throw.points:,}",
                )
                for number, throw in enumerate(game.throws, 1)
            ),
            numbers=frozenset({0, 4}),
        )
    if game.changes:
        yield Grid(
            caption=f"Corrections and rulings of game {record.id}",
            head=("Time", "What", "By"),
            rows=tuple((local(each.at)[11:], each.words, each.by or "the box") for each in game.changes),
        )


def _some(count: int, what: str) -> str:
    """ "1 game", "1,200 throws" """
    plural = {"die": "dice"}.get(what, f"{what}s")
    return f"{count:,} {what if count == 1 else plural}"
