"""What a referee is asked about a throw: the question with its answers and pictures, for who sits elsewhere.

It is made of what every page may see, and of nothing else: so no secret bet can be in it.
"""

import hashlib
from collections import Counter
from typing import Literal

import msgspec

from device.shown.snapshot import GameShown, Snapshot
from device.shown.throws import ThrowShown, ThrowsShown
from engine.dice import FACES, DieKind, Face

AskedKind = Literal["landing", "dot", "dice", "touched"]
"""A throw at the End Zone is to be decided; is the dot covered; what do the dice show; dice were touched."""
View = Literal["close-up", "whole", "rested"]
"""From straight above with the lines; the picture that was read; the one of before a hand touched it."""


class AnswerOffered(msgspec.Struct, frozen=True):
    """One answer, as the box's own page has it."""

    choice: int
    """Its place among the game's choices."""
    words: str
    changes: str = ""
    """What it would change, in a sentence; "" where the box does not tell."""
    likeliest: bool = False


class PictureOffered(msgspec.Struct, frozen=True):
    """A picture that belongs to the question."""

    view: View
    address: str
    """Where the box's console has it."""


class DieAsked(msgspec.Struct, frozen=True):
    """A die as the box takes it, to be said or corrected."""

    kind: DieKind
    value: Face | None
    """None where it cannot be read."""


class QuestionShown(msgspec.Struct, frozen=True):
    """What waits for a referee."""

    id: str
    """Another question has another one, also where it asks the same of another throw."""
    kind: AskedKind
    text: str
    measured: str = ""
    """How the die lies to the line, and what a referee should know; "" where nothing was measured."""
    answers: tuple[AnswerOffered, ...] = ()
    """The likeliest first; empty where the answer is given with dice, or at the table alone."""
    pictures: tuple[PictureOffered, ...] = ()
    dice: tuple[DieAsked, ...] = ()
    """What lies there as far as it is known, for a question that is answered with dice."""
    faces: dict[DieKind, tuple[Face, ...]] = {}
    """What such dice may show."""
    wanted: str = ""
    """The dice that the game waits for, in words."""


class QuestionReply(msgspec.Struct, frozen=True):
    """What the console says of it."""

    question: QuestionShown | None
    """None while nothing waits."""
    takes_answers: bool
    """Whether a hall's desk may answer here."""


def kind_asked(shown: Snapshot) -> AskedKind | None:
    """What the box asks a referee now; None for nothing."""
    game = shown.game
    if game is None or shown.stage != "playing" or shown.paused:
        return None
    if shown.ask == "landing":
        return "landing"
    if any(_is_dot(game, place) for place in range(len(game.choices))):
        return "dot"
    if shown.ask == "correct":
        return "dice"
    return "touched" if shown.touched is not None else None


def question_id(shown: Snapshot) -> str:
    """The identity of what is asked now; "" for nothing."""
    kind = kind_asked(shown)
    if kind is None:
        return ""
    number = shown.landing.number if kind in ("landing", "dot") and shown.landing else shown.table.reading_id
    choices = [each.words for each in shown.game.choices] if shown.game else []
    told = msgspec.json.encode([shown.game_id, kind, number, shown.touched and shown.touched.now, choices])
    return hashlib.sha256(told).hexdigest()[:20]


def question_of(shown: Snapshot, log: ThrowsShown) -> QuestionShown | None:
    """What is asked now; None for nothing. `log`: the newest throws of the game."""
    kind, game = kind_asked(shown), shown.game
    if kind is None or game is None:
        return None
    asked = next((each for each in log.throws if each.standing == "asked"), None)
    about = asked.asked if asked and kind == "landing" else ""
    made = QuestionShown(
        id=question_id(shown),
        kind=kind,
        text=about or shown.message.text,
        measured=_measured(shown) if kind in ("landing", "dot") else "",
        answers=_answers(game, kind, asked) if kind in ("landing", "dot") else (),
        pictures=_pictures(shown, kind),
    )
    if kind != "dice":
        return made
    dice = _dice(shown, game)
    kinds = dict.fromkeys([*_kinds(game), *(die.kind for die in dice)])
    faces = {each: FACES[each] for each in kinds}
    return msgspec.structs.replace(made, dice=dice, faces=faces, wanted=game.wanted)


def _is_dot(game: GameShown, place: int) -> bool:
    return game.choices[place].event.get("event") == "confirmed"


def _answers(game: GameShown, kind: AskedKind, asked: ThrowShown | None) -> tuple[AnswerOffered, ...]:
    """The likeliest leads; those that a deciding die gives come last."""
    likeliest = asked.likeliest if asked else ""
    places = [place for place in range(len(game.choices)) if kind == "landing" or _is_dot(game, place)]
    places.sort(key=lambda at: 0 if game.choices[at].words == likeliest else 1 + game.choices[at].by_die)
    words = [(at, game.choices[at].words) for at in places]
    return tuple(AnswerOffered(at, text, likeliest=text == likeliest) for at, text in words)


def _measured(shown: Snapshot) -> str:
    landing = shown.landing
    return " ".join(filter(None, (landing.gap, landing.note))) if landing else ""


def _pictures(shown: Snapshot, kind: AskedKind) -> tuple[PictureOffered, ...]:
    found = []
    if kind in ("landing", "dot"):
        if (landing := shown.landing) is None:
            return ()
        if landing.evidence:
            found.append(PictureOffered("close-up", f"/evidence/{landing.number}.jpg"))
        found.append(PictureOffered("whole", f"/reading/{landing.number}.jpg"))
    elif kind == "touched" and shown.touched is not None:
        if shown.touched.rested:
            found.append(PictureOffered("rested", f"/reading/{shown.touched.rested}.jpg"))
        found.append(PictureOffered("whole", f"/reading/{shown.touched.now}.jpg"))
    elif shown.table.reading_id:
        found.append(PictureOffered("whole", f"/reading/{shown.table.reading_id}.jpg"))
    return tuple(found)


def _kinds(game: GameShown) -> list[DieKind]:
    """The kinds of dice that are waited for."""
    named = [game.wanted_kind or "pip", *(kind for kind, _ in game.wanted_more)]
    return [kind for kind in FACES if kind in named]


def _dice(shown: Snapshot, game: GameShown) -> tuple[DieAsked, ...]:
    """The dice as the box takes them, from left to right; one that nobody can name is of a kind still due."""
    kinds = _kinds(game)
    due = Counter({game.wanted_kind or "pip": game.wanted_count or 0})
    due.update(dict(game.wanted_more))
    lie: list[tuple[float, DieAsked]] = []
    for die in shown.table.dice:
        if die.kind in kinds:
            lie.append((die.center_px[0], DieAsked(die.kind, die.value)))
            due[die.kind] -= 1
    others = [(each.center_px[0], each.value) for each in shown.table.dice if each.kind not in kinds]
    unread: list[tuple[float, Face | None]] = [(each.center_px[0], None) for each in shown.table.unsure]
    for x, value in [*others, *unread]:
        kind = next((each for each in kinds if due[each] > 0), kinds[0])
        due[kind] -= 1
        lie.append((x, DieAsked(kind, value if value in FACES[kind] else None)))
    return tuple(die for _, die in sorted(lie, key=lambda each: each[0]))
