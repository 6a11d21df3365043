"""What a report says, in its order: results, players, dice, landings, then each game throw by throw."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from urllib.parse import quote

from calibration.description import TableDescription
from device.journal.words import local, state, title
from device.printing import end_zone_drawing
from device.printing.shapes import INK, SOFT, Align, Area, Disc, Drawing, PointMm, Rule, Shape, Words, box
from device.reports.blocks import Block, Figure, Grid, Heading, Sentence, ThrowStep, ThrowSteps
from device.reports.figures import (
    ALPHA,
    FAVOURED,
    Best,
    Fairness,
    Figures,
    PlayerFigures,
    add_up,
    by_kind,
    figures,
    judge,
)
from device.reports.gathering import LeftOut
from device.reports.played import LandingPlace, PlayedGame, PlayedThrow
from device.reports.results import WAITS, Result, results, standings
from engine.dice import FACES, DieKind, Face
from engine.wording import phrase, phrase_count, phrase_later, told_number
from engine.words import face_word, together
from vision.face_place import told_color

# What a report draws: scores over the turns of a game, how often each face came, where dice landed.

COLORS = (
    "#b3261e", "#1d5fb8", "#8a5a00", "#29733a", "#7b3fa0", "#00706b",
    "#a3386c", "#4a4f55", "#5b6b00", "#a04a12", "#3f51b5", "#6d4c41",
)  # fmt: skip
"""One for each player of a game; on white each has a contrast of 4.5 or more."""
PAPER = "#ffffff"
LINE = "#d9d9d4"
FAIR = "#b3261e"
BAR = "#7d9bc1"
SCORES_MM = (170.0, 70.0)
FACES_MM = (80.0, 42.0)
LEFT_MM, BELOW_MM, ABOVE_MM = 12.0, 9.0, 5.0
NAMES_MM = 38.0
"""Room for the names at the right end of their lines."""
TYPE_MM = 2.2
LONGEST_NAME = 14
CELL_MM = 25.0
"""Where many dice landed they are counted in squares of that side."""
FEW = 60
"""Up to so many landings are drawn each by itself, and turns with a dot."""
COOL, HOT = (255, 214, 102), (178, 24, 43)
"""A square with the fewest landings, and one with the most."""
BEYOND_MM = 150.0
"""How much of the table before the sheet is drawn at most."""


def score_lines(game: PlayedGame) -> Drawing:
    """Each player's score over the turns."""
    wide, high = SCORES_MM
    courses = [(0,) * len(game.record.players), *(turn.scores for turn in game.turns)]
    least = min(0, *(min(scores) for scores in courses))
    most = max(1, *(max(scores) for scores in courses))
    step = nice_step((most - least) / 5)
    top, bottom = math.ceil(most / step) * step, math.floor(least / step) * step
    right, turns = wide - NAMES_MM, max(1, len(courses) - 1)

    def at(turn: int, score: float) -> PointMm:
        along = LEFT_MM + (right - LEFT_MM) * turn / turns
        return along, BELOW_MM + (high - BELOW_MM - ABOVE_MM) * (score - bottom) / (top - bottom)

    shapes: list[Shape] = [Area(points_mm=box(0, 0, wide, high), fill=PAPER)]
    for number in range(round((top - bottom) / step) + 1):
        score = bottom + number * step
        shapes.append(Rule(from_mm=at(0, score), to_mm=at(turns, score), color=LINE))
        shapes.append(_note(f"{score:,g}", (LEFT_MM - 1.5, at(0, score)[1] - TYPE_MM / 2), "right"))
    every = range(0, turns + 1, nice_step(turns / 10))
    shapes += [_note(str(turn), (at(turn, 0)[0], BELOW_MM - 4.0), "middle") for turn in every]
    shapes.append(_note(phrase("turns of all players"), ((LEFT_MM + right) / 2, 1.0), "middle"))
    for seat in range(len(game.record.players)):
        points = [at(turn, scores[seat]) for turn, scores in enumerate(courses)]
        shapes += _course(points, COLORS[seat % len(COLORS)])
    shapes += _names(game, [at(turns, score)[1] for score in courses[-1]], right + 1.5)
    return Drawing(title="Scores", width_mm=wide, height_mm=high, shapes=tuple(shapes))


def nice_step(least: float) -> int:
    """The least of 1, 2, 5, 10, 20, 50 and so on that is no smaller."""
    scale = int(10 ** math.floor(math.log10(max(least, 1))))
    return next(scale * factor for factor in (1, 2, 5, 10) if scale * factor >= least)


def _course(points: Sequence[PointMm], color: str) -> Iterator[Shape]:
    for start, end in pairwise(points):
        yield Rule(from_mm=start, to_mm=end, color=color, width_mm=0.6)
    if len(points) <= FEW:
        for point in points[1:]:
            yield Disc(center_mm=point, radius_mm=0.8, fill=color)


def _names(game: PlayedGame, ends: Sequence[float], x: float) -> Iterator[Shape]:
    """Each player's name and score beside the end of the line; where ends meet, one above the other."""
    room = TYPE_MM * 1.6
    order = sorted(range(len(ends)), key=lambda seat: (ends[seat], -seat))
    floor = BELOW_MM - room
    placed = {}
    for seat in order:
        placed[seat] = floor = max(ends[seat] - TYPE_MM / 2, floor + room)
    ceiling = SCORES_MM[1] - TYPE_MM
    for seat in reversed(order):
        placed[seat] = ceiling = min(placed[seat], ceiling)
        ceiling -= room
    for seat, y in placed.items():
        name, score = game.record.players[seat], game.turns[-1].scores[seat] if game.turns else 0
        text = f"{shortened(name)} {told_number(score, ',')}"
        yield Words(text=text, at_mm=(x, y), size_mm=TYPE_MM, color=COLORS[seat % len(COLORS)], bold=True)


def shortened(name: str) -> str:
    """A name that fits beside a line."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def face_bars(counts: Mapping[Face, int], expected: Mapping[Face, float]) -> Drawing:
    """How often each face came, and how often a fair die's would (the red lines)."""
    wide, high = FACES_MM
    most = max(1.0, *counts.values(), *expected.values())
    floor, room = 6.0, high - 6.0 - 6.0
    slot = wide / len(expected)
    shapes: list[Shape] = [Area(points_mm=box(0, 0, wide, high), fill=PAPER)]
    for number, (face, fair) in enumerate(expected.items()):
        middle, count = slot * (number + 0.5), counts.get(face, 0)
        left, right, top = middle - slot * 0.32, middle + slot * 0.32, floor + room * count / most
        level = floor + room * fair / most
        shapes += [
            Area(points_mm=box(left, floor, right, top), fill=BAR),
            Rule(from_mm=(left - 1, level), to_mm=(right + 1, level), color=FAIR, width_mm=0.5),
            Words(text=face_word(face), at_mm=(middle, 1.5), size_mm=TYPE_MM, align="middle", bold=True),
            _note(told_number(count, ","), (middle, max(top, level) + 1.2), "middle"),
        ]
    shapes.append(Rule(from_mm=(0, floor), to_mm=(wide, floor), color=SOFT))
    return Drawing(title="Faces", width_mm=wide, height_mm=high, shapes=tuple(shapes))


def landing_map(places: Sequence[LandingPlace], told: TableDescription) -> Drawing:
    """Where dice came to lie on the sheet, its back edge below; the far end's are turned onto the same."""
    sheet = end_zone_drawing(told)
    at = [_on_sheet(place, told) for place in places]
    high = sheet.height_mm + min(
        BEYOND_MM, max(0.0, *(y - sheet.height_mm + CELL_MM for _, y in at)) if len(at) > 1 else BEYOND_MM
    )
    ground = Area(points_mm=box(0, 0, sheet.width_mm, high), fill="#efeee8")
    inside = [(x, y) for x, y in at if 0 <= x <= sheet.width_mm and 0 <= y <= high]
    shapes: list[Shape] = [ground, *(_pale(shape) for shape in sheet.shapes if not isinstance(shape, Words))]
    shapes += _points(inside) if len(inside) <= FEW else _squares(inside, (sheet.width_mm, high))
    shapes += [replace(shape, color=INK) for shape in sheet.shapes if isinstance(shape, Words)]
    return Drawing(title=sheet.title, width_mm=sheet.width_mm, height_mm=high, shapes=tuple(shapes))


def _on_sheet(place: LandingPlace, told: TableDescription) -> PointMm:
    """A place in mm from the sheet's lower left corner, whichever end it is at."""
    x, y, half = place.x_mm, place.y_mm, told.end_zone.width_mm / 2
    if y > told.table.halfway_y_mm:
        x, y = -x, 2 * told.table.halfway_y_mm - y
    return x + half, y


def _pale(shape: Shape) -> Shape:
    """The sheet in washed-out colours, so that landings stand out."""
    match shape:
        case Area(points_mm=points, fill=fill) if fill:
            return Area(points_mm=points, fill=_mixed(_rgb(fill), (255, 255, 255), 0.65), stroke=SOFT)
        case Disc(center_mm=center, radius_mm=radius):
            return Disc(center_mm=center, radius_mm=radius, stroke=SOFT, stroke_mm=1.0)
        case _:
            return shape


def _points(at: Sequence[PointMm]) -> Iterator[Shape]:
    for point in at:
        yield Disc(center_mm=point, radius_mm=4.0, fill=_mixed(COOL, HOT, 1.0), stroke=PAPER, stroke_mm=0.8)


def _squares(at: Sequence[PointMm], room_mm: PointMm) -> Iterator[Shape]:
    """A square for each stretch of the sheet: the more dice came to lie there, the larger and the darker."""
    counts = Counter((int(x // CELL_MM), int(y // CELL_MM)) for x, y in at)
    most = max(counts.values())
    for (column, row), count in sorted(counts.items()):
        left, bottom = column * CELL_MM, row * CELL_MM
        share = count / most
        off = CELL_MM * (1 - math.sqrt(share)) / 2
        right, top = min(left + CELL_MM, room_mm[0]), min(bottom + CELL_MM, room_mm[1])
        if right - left > 2 * off and top - bottom > 2 * off:
            corners = box(left + off, bottom + off, right - off, top - off)
            yield Area(points_mm=corners, fill=_mixed(COOL, HOT, share), stroke=PAPER)


def _rgb(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _mixed(one: tuple[int, int, int], other: tuple[int, int, int], share: float) -> str:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _note(text: str, at_mm: PointMm, align: Align) -> Words:
    return Words(text=text, at_mm=at_mm, size_mm=TYPE_MM * 0.9, color=SOFT, align=align)


DETAILED = 12
"""Up to so many games are told throw by throw; of more only the figures are told."""
MOST_LISTED = 60
"""How many games stand on a page: the newest."""
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


def tell(report: Report, sheet: TableDescription) -> Iterator[Block]:
    """All of it, as one file."""
    yield Heading(text=report.title, level=1)
    count, throws = report.figures.games, report.figures.throws
    yield Sentence(text=f"{_games(count)}, {_throws(throws)}.")
    for missing in report.left_out:
        yield Sentence(text=_left_out(missing))
    if not report.games:
        return
    yield from _results(report.games)
    yield from _players(report.figures)
    yield from _dice_and_landings(report.figures, sheet)
    if report.detailed:
        for game in report.games:
            yield from _game(game)
            if game.throws:
                yield _throws_of(game)
            yield from _changes_of(game)


def tell_page(report: Report, sheet: TableDescription, *, player: str = "") -> Iterator[Block]:
    """A page of the console on several games: each has a page of its own. `player`: whose games they are."""
    yield Heading(text=report.title, level=1)
    yield Sentence(text=f"{_games(report.figures.games)}, {_throws(report.figures.throws)}.")
    for missing in report.left_out:
        yield Sentence(text=_left_out(missing))
    if not report.games:
        return
    newest = report.games[-MOST_LISTED:]
    yield from _results(newest, linked=True)
    if earlier := len(report.games) - len(newest):
        yield Sentence(
            text=phrase_count(
                "1 earlier game is on the page of its evening.",
                "{count:,} earlier games are on the pages of their evenings.",
                earlier,
            )
        )
    yield from _players(report.figures, linked=True, only=player)
    if not player:
        yield from _dice_and_landings(report.figures, sheet)


def tell_game_page(
    report: Report, sheet: TableDescription, films: Collection[str] = (), *, linked: bool = True
) -> Iterator[Block]:
    """One game step by step. `films`: the throws that have one; `linked`: whether it leads to other pages."""
    (game,) = report.games
    yield from _game(game, level=1)
    if game.throws:
        yield _steps_of(game, films)
        yield _throws_of(game, folded=True)
    yield from _results([game])
    yield from _players(report.figures, linked=linked)
    yield from _luck(game)
    yield from _changes_of(game)
    yield from _dice_and_landings(report.figures, sheet)


def _dice_and_landings(counts: Figures, sheet: TableDescription) -> Iterator[Block]:
    yield from _dice(counts)
    if counts.landings:
        yield from _landings(counts, sheet)


def tell_results(report: Report) -> Iterator[Block]:
    """The results alone, to be pinned up."""
    yield Heading(text=report.title, level=1)
    for missing in report.left_out:
        yield Sentence(text=_left_out(missing))
    if report.games:
        yield from _results(report.games)


def _results(games: Sequence[PlayedGame], *, linked: bool = False) -> Iterator[Block]:
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
        links=tuple(f"games/{game.record.id}" for game in reversed(games)) if linked else (),
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


def _players(counts: Figures, *, linked: bool = False, only: str = "") -> Iterator[Block]:
    """Each player's figures by kind of game; `only` those of one player."""
    kinds = dict.fromkeys(kind for kind, _ in counts.players)
    yield Heading(text=phrase("Players"))
    for kind in kinds:
        rows = tuple(
            _player_row(name, each)
            for (of, name), each in sorted(counts.players.items())
            if of == kind and (not only or name.casefold() == only.strip().casefold())
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
            rows=rows,
            numbers=frozenset({1, 2, 3, 4, 5}),
            links=tuple(f"history?player={quote(row[0])}" for row in rows) if linked else (),
        )
    yield Sentence(
        text=phrase(
            "A throw of dice that are set aside is worth the best that may be set aside of it. The number "
            "of the game stands behind a best. Averages are of games that were played to their end."
        ),
        quiet=True,
    )


def _player_row(name: str, each: PlayerFigures) -> tuple[str, ...]:
    return (
        name,
        phrase("{wins} of {games}", wins=each.wins, games=each.games),
        _average(each.points, each.totals),
        _best(each.game),
        _average(each.turn_points, each.turns),
        _best(each.turn),
        _best(each.throw),
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


def _game(game: PlayedGame, level: int = 2) -> Iterator[Block]:
    """One game: what it was, how it stands, and the scores over its turns."""
    record = game.record
    yield Heading(text=phrase("Game {number}: {kind}", number=record.id, kind=game.kind), level=level)
    about = f"{local(record.begun)}, {title(record)}"
    yield Sentence(text=about if record.ended and not record.cause else f"{about}; {state(record)}")
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


def _steps_of(game: PlayedGame, films: Collection[str]) -> ThrowSteps:
    steps = tuple(
        ThrowStep(
            title=f"{throw.player}: {throw.words}" if throw.player else throw.words,
            gain=f"+{told_number(throw.points, ',')}" if throw.points else "",
            after=_after(game, throw),
            picture=throw.picture,
            film=name if (name := throw.picture.removesuffix(".jpg")) in films else "",
        )
        for throw in game.throws
    )
    return ThrowSteps(caption=phrase("Throw by throw"), steps=steps)


def _after(game: PlayedGame, throw: PlayedThrow) -> str:
    had = zip(game.record.players, throw.scores, strict=True)
    scores = ", ".join(f"{name} {told_number(score, ',')}" for name, score in had)
    if not throw.running:
        return scores
    return phrase("{scores}; this turn: {points:,}", scores=scores, points=throw.running)


def _luck(game: PlayedGame) -> Iterator[Block]:
    if not game.luck:
        return
    yield Heading(text=phrase("Luck of the dice"))
    yield Grid(
        caption=phrase("Rolls that lost the turn, and how many do on average"),
        head=(phrase("Player"), phrase("Rolls"), phrase("Lost"), phrase("On average"), phrase("Luck")),
        rows=tuple(
            (
                each.player,
                str(each.rolls),
                str(each.lost),
                told_number(each.expected, ".1f"),
                told_number(each.expected - each.lost, "+.1f"),
            )
            for each in game.luck
        ),
        numbers=frozenset({1, 2, 3, 4}),
    )
    yield Sentence(
        text=phrase(
            "The average is exact: the chances that these rolls lose the turn, added up. Luck above 0 means "
            "fewer lost turns than on average. Rolls made before it was said which dice stay are left out."
        ),
        quiet=True,
    )


def _changes_of(game: PlayedGame) -> Iterator[Block]:
    if game.changes:
        yield Grid(
            caption=phrase("Corrections and rulings of game {number}", number=game.record.id),
            head=(phrase("Time"), phrase("What"), phrase("By")),
            rows=tuple(
                (local(each.at)[11:], each.words, each.by or phrase("the box")) for each in game.changes
            ),
        )


def _throws_of(game: PlayedGame, *, folded: bool = False) -> Grid:
    return Grid(
        caption=phrase("The throws of game {number}", number=game.record.id),
        head=(phrase("No."), phrase("Time"), phrase("Player"), phrase("Thrown"), phrase("Points")),
        rows=tuple(
            (
                str(number),
                local(throw.at)[11:],
                throw.player,
                throw.words,
                "-" if throw.points is None else told_number(throw.points, ","),
            )
            for number, throw in enumerate(game.throws, 1)
        ),
        numbers=frozenset({0, 4}),
        links=tuple(f"#throw-{number}" for number in range(1, len(game.throws) + 1)) if folded else (),
        folded=folded,
    )


def _games(count: int) -> str:
    return phrase_count("1 game", "{count:,} games", count)


def _throws(count: int) -> str:
    return phrase_count("1 throw", "{count:,} throws", count)


def _left_out(missing: LeftOut) -> str:
    return phrase("Game {number} is left out: {why}", number=missing.game_id, why=missing.why)
