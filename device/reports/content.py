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
from engine.dice import FACES, DieKind, Face
from engine.wording import phrase, phrase_count, phrase_later, told_number
from engine.words import face_word, together
from vision.colors import told_color

DETAILED = 12
"""Up to so many games are told throw by throw; of more only the figures are told."""
KINDS: Mapping[DieKind, str] = {
    "pip": phrase_later("Six-sided dice"),
    "zoinx": phrase_later("Zoinx dice"),
    "bet": phrase_later("Betting dice"),
    "d4": phrase_later("Four-sided dice"),
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
    yield Sentence(text=f"{_games(count)}, {_throws(throws)}.")
    for missing in report.left_out:
        yield Sentence(text=_left_out(missing))
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
        yield Sentence(text=_left_out(missing))
    if report.games:
        yield from _results(report.games, "")


def _results(games: Sequence[PlayedGame], link: str) -> Iterator[Block]:
    ranked = standings(games)
    if len(games) > 1 and ranked:
        yield Heading(text=phrase("Standings"))
        yield Grid(
            caption=phrase("Wins; a shared win counts for each"),
            head=(phrase("Place"), phrase("Player"), phrase("Wins"), phrase("Games")),
            rows=tuple((str(each.place), each.player, str(each.wins), str(each.games)) for each in ranked),
            numbers=frozenset({0, 2, 3}),
        )
    yield Heading(text=phrase("Games") if len(games) > 1 else phrase("Result"))
    yield Grid(
        caption=phrase("The games, the newest first") if len(games) > 1 else phrase("The game"),
        head=(phrase("No."), phrase("Begun"), phrase("Game"), phrase("Points"), phrase("Won by")),
        rows=tuple(_result_row(game) for game in reversed(games)),
        numbers=frozenset({0}),
        links=tuple(link.format(game.record.id) for game in reversed(games)) if link else (),
    )


def _result_row(game: PlayedGame) -> tuple[str, ...]:
    points = together([_had(each) for each in results(game)])
    won = together(game.ending.winners) if game.ending else _unfinished(game)
    if game.sign_off.waits:
        won = phrase("{winners} (not signed off)", winners=won)
    return str(game.record.id), local(game.record.begun)[:16], game.kind, points, won or phrase("nobody")


def _had(result: Result) -> str:
    return result.player if result.points is None else f"{result.player} {told_number(result.points, ',')}"


def _unfinished(game: PlayedGame) -> str:
    record = game.record
    return f"({record.cause.rstrip('.') if record.ended and record.cause else state(record)})"


def _players(counts: Figures) -> Iterator[Block]:
    kinds = dict.fromkeys(kind for kind, _ in counts.players)
    yield Heading(text=phrase("Players"))
    for kind in kinds:
        rows = []
        for (of, name), each in sorted(counts.players.items()):
            if of != kind:
                continue
            rows.append(
                (
                    name,
                    phrase("{wins} of {games}", wins=each.wins, games=each.games),
                    _average(each.points, each.totals),
                    _best(each.game),
                    _average(each.turn_points, each.turns),
                    _best(each.turn),
                    _best(each.throw),
                )
            )
        yield Grid(
            caption=kind,
            head=(
                phrase("Player"),
                phrase("Won"),
                phrase("Points a game"),
                phrase("Best game"),
                phrase("Points a turn"),
                phrase("Best turn"),
                phrase("Best throw"),
            ),
            rows=tuple(rows),
            numbers=frozenset({1, 2, 3, 4, 5}),
        )
    yield Sentence(
        text=phrase(
            "A throw of dice that are set aside is worth the best that may be set aside of it. The number "
            "of the game stands behind a best. Averages are of games that were played to their end."
        ),
        quiet=True,
    )


def _best(best: Best | None) -> str:
    if best is None:
        return "-"
    words = f" ({best.words})" if best.words else ""
    return f"{told_number(best.points, ',')}{words} #{best.game_id}"


def _average(points: int, count: int) -> str:
    return told_number(points / count, ",.1f") if count else "-"


def _dice(counts: Figures) -> Iterator[Block]:
    if not counts.dice:
        return
    yield Heading(text=phrase("Dice"))
    for kind, faces in by_kind(counts.dice).items():
        colors = {color: each for (of, color), each in counts.dice.items() if of == kind and color}
        verdict = judge(kind, faces)
        yield Heading(text=phrase(KINDS[kind]), level=3)
        yield Figure(
            drawing=face_bars(faces, verdict.expected),
            words=phrase("How often each face came; the red line is what a fair die would show."),
            seen=f"{phrase(KINDS[kind])}: {_faces_words(kind, faces)}.",
        )
        yield Sentence(text=_verdict(verdict))
        if colors:
            yield _colors(kind, colors)
    yield Sentence(
        text=phrase(
            "What counted at last is counted: corrected dice as they were corrected. Dice of one colour are "
            "counted together, so one loaded die among several is harder to notice. A face that is often "
            "misread looks like a loaded die: compare with the corrections."
        ),
        quiet=True,
    )


def _colors(kind: DieKind, colors: Mapping[str, Counter[Face]]) -> Grid:
    """Dice of this kind by colour."""
    fair = FACES[kind]
    rows = []
    for color, faces in sorted(colors.items()):
        verdict = judge(kind, faces)
        chance = phrase("too few") if verdict.p is None else _percent(verdict.p)
        shown = tuple(str(faces.get(face, 0)) for face in fair)
        rows.append(
            (told_color(color), *shown, str(verdict.thrown), told_number(verdict.statistic, ".1f"), chance)
        )
    head = (phrase("Colour"), *map(face_word, fair), phrase("Thrown"), "X²", "p")
    return Grid(
        caption=phrase("{dice} by colour, as far as the camera told it", dice=phrase(KINDS[kind])),
        head=head,
        rows=tuple(rows),
        numbers=frozenset(range(1, len(head))),
    )


def _faces_words(kind: DieKind, faces: Mapping[Face, int]) -> str:
    return together(
        [
            phrase("{face} came {times} times", face=face_word(face), times=faces.get(face, 0))
            for face in FACES[kind]
        ]
    )


def _verdict(found: Fairness) -> str:
    """What the counts say, and what they could have said."""
    if found.p is None:
        return phrase_count(
            "1 die thrown: too few to say whether they are fair; that takes {needed:,}.",
            "{count:,} dice thrown: too few to say whether they are fair; that takes {needed:,}.",
            found.thrown,
            needed=found.needed,
        )
    strays = phrase(
        "X² = {statistic:.1f}: {share} of fair dice stray further.",
        statistic=found.statistic,
        share=_percent(found.p),
    )
    if found.suspected:
        verdict = phrase(
            "That is less than {alpha:.0%}: look at these dice, or at how they are read.", alpha=ALPHA
        )
    else:
        verdict = phrase("Nothing speaks against them.")
    return f"{strays} {verdict} {_could(found)}"


def _could(found: Fairness) -> str:
    """What would have been noticed; so few throws that one is thrown are never judged."""
    known = {"thrown": found.thrown, "favoured": FAVOURED, "power": _percent(found.power)}
    if found.thrown >= found.needed:
        return phrase(
            "From {thrown:,} dice thrown, one that shows a face {favoured:g} times as often would be noticed "
            "with a chance of {power}.",
            **known,
        )
    return phrase(
        "From {thrown:,} dice thrown, one that shows a face {favoured:g} times as often would be noticed "
        "with a chance of {power}; nine times in ten it takes {needed:,}.",
        needed=found.needed,
        **known,
    )


def _percent(share: float) -> str:
    if share < 0.001:
        return phrase("less than 0.1\u00a0%")
    return phrase("more than 99\u00a0%") if share > 0.995 else f"{told_number(share * 100, '.2g')}\u00a0%"


def _landings(counts: Figures, sheet: TableDescription) -> Iterator[Block]:
    yield Heading(text=phrase("Where dice landed"))
    words = phrase_count(
        "1 measured landing on the sheet, its back edge below; larger and darker squares have more.",
        "{count:,} measured landings on the sheet, its back edge below; larger and darker squares have more.",
        len(counts.landings),
    )
    yield Figure(drawing=landing_map(counts.landings, sheet), words=words)


def _game(game: PlayedGame) -> Iterator[Block]:
    """One game, throw by throw."""
    record = game.record
    yield Heading(text=phrase("Game {number}: {kind}", number=record.id, kind=game.kind))
    yield Sentence(text=f"{local(record.begun)}, {title(record)}; {state(record)}")
    if game.sign_off.waits:
        yield Sentence(text=phrase(WAITS))
    elif game.sign_off.closed:
        signed = phrase("Signed off by {who}, {when}.", who=game.sign_off.by, when=local(game.sign_off.at))
        yield Sentence(text=signed)
    if len(game.turns) > 1 and any(any(turn.scores) for turn in game.turns):
        over = phrase(
            "The scores of {players} over {turns} turns.",
            players=together(record.players),
            turns=len(game.turns),
        )
        yield Figure(drawing=score_lines(game), words=over)
    if game.throws:
        yield _throws_of(game)
    if game.changes:
        yield Grid(
            caption=phrase("Corrections and rulings of game {number}", number=record.id),
            head=(phrase("Time"), phrase("What"), phrase("By")),
            rows=tuple(
                (local(each.at)[11:], each.words, each.by or phrase("the box")) for each in game.changes
            ),
        )


def _throws_of(game: PlayedGame) -> Grid:
    return Grid(
        caption=phrase("The throws of game {number}", number=game.record.id),
        head=(phrase("No."), phrase("Time"), phrase("Player"), phrase("Thrown"), phrase("Points")),
        rows=tuple(
            (
                str(number),
                local(throw.at)[11:],
                throw.player,
                throw_words(throw),
                "-" if throw.points is None else told_number(throw.points, ","),
            )
            for number, throw in enumerate(game.throws, 1)
        ),
        numbers=frozenset({0, 4}),
    )


def _games(count: int) -> str:
    return phrase_count("1 game", "{count:,} games", count)


def _throws(count: int) -> str:
    return phrase_count("1 throw", "{count:,} throws", count)


def _left_out(missing: LeftOut) -> str:
    return phrase("Game {number} is left out: {why}", number=missing.game_id, why=missing.why)
