"""From what the rooms say to what is shown: engine views and readings as parts of a `Snapshot`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from device.journal.records import SignOff
from device.journal.rows import Option
from device.match.throw_detector import AcceptedReading
from device.options import as_shown
from device.shown.snapshot import (
    ActShown,
    AgainShown,
    BestThrowShown,
    ChoiceShown,
    GameChoice,
    GameShown,
    SignOffShown,
    TableShown,
    TableState,
)
from device.shown.throws import best_throw, last_throw_points
from device.shown.words import wanted_dice
from engine import wire
from engine.events import Cache, DieRuled, Event, Landed, Ruled, Stop
from engine.game import DecidesNext, GameView, Position, Rulebook
from engine.history import History
from engine.pad import KeepsPad, ScorePad
from engine.refusal import Refused
from engine.wording import phrase, told_number
from vision.reading import tell_unsure


def game_shown(view: GameView, history: History | None, options: Mapping[str, str]) -> GameShown:
    """A rulebook's public view for lamps, boards and the console; `history` leads to the view's position."""
    last = history.last_roll if history else None
    return GameShown(
        game=view.game,
        edition=view.edition,
        phase=view.phase,
        players=view.players,
        scores=view.scores,
        active=view.active,
        running=view.running,
        bets=view.bets,
        allowed=view.allowed,
        wanted=wanted_dice(view.wanted),
        wanted_kind=view.wanted.kind if view.wanted else "",
        wanted_count=view.wanted.count if view.wanted else None,
        news=view.news,
        banner=view.banner,
        winners=view.ending.winners if view.ending else (),
        cause=view.ending.cause if view.ending else "",
        line=view.line,
        last_roll=view.last_roll,
        wanted_more=tuple((each.kind, each.count or 0) for each in (view.wanted.more if view.wanted else ())),
        choices=tuple(
            ChoiceShown(each.words, each.points, wire.event_object(each.event)) for each in view.choices
        ),
        facts=view.facts,
        last_dice=tuple((die.kind, die.value) for die in last.dice) if last else (),
        options=as_shown(options, over=view.ending is not None),
        dark=why_dark(history.position, view) if history else {},
        pads=pads_shown(history) if history else (),
        buttons=view.buttons,
        turn_end=view.turn_end,
        unit=view.unit,
        thrower=history.thrower if history else "",
        last_points=last_throw_points(history) if history else None,
        corrected=history is not None and history.roll_is_corrected,
        best_throw=best_throw_shown(history) if history and view.ending else None,
        target=view.target,
    )


def best_throw_shown(history: History) -> BestThrowShown | None:
    """The throw of a game that is over that brought most; None where none did."""
    best = best_throw(history)
    if best is None or best.points is None:
        return None
    dice = () if best.landed else tuple((die.kind, die.value) for die in best.dice)
    return BestThrowShown(best.player, best.words, best.points, dice)


def pads_shown(history: History) -> tuple[ScorePad, ...]:
    """What would be written on paper of the game as it counts; nothing where its rules have no paper."""
    now = history.position
    return now.pads(history.start, history.played) if isinstance(now, KeepsPad) else ()


def why_dark(position: Position, view: GameView) -> dict[str, str]:
    """Why STOP or CACHE may not be pressed now, by button, in the rulebook's own words."""
    if view.ending is not None:
        return {}
    lit = {each.button for each in view.allowed}
    found = {}
    for button, event in (("stop", Stop()), ("cache", Cache())):
        if button not in lit:
            try:
                position.after(event)
            except Refused as refusal:
                found[button] = str(refusal)
    return found


def option_shown(option: Option) -> ChoiceShown:
    """An answer to what is asked about a throw."""
    event = _comes_to(option.events)
    return ChoiceShown(option.words, event=wire.event_object(event) if event else {}, by_die=option.die > 0)


def answers_shown(options: Iterable[Option]) -> dict[str, str]:
    """What a press of each button answers now, short enough for the button."""
    return {option.key: _short(option) for option in options if option.key}


def _short(option: Option) -> str:
    match option.events:
        case [Landed(), Ruled(zone=zone)]:
            return phrase("It is in {zone}", zone=zone)
        case _:
            return option.words


def _comes_to(events: Sequence[Event]) -> Event | None:
    """The one event that these come to: a landing with what was said of its zone; None for others."""
    match events:
        case [event]:
            return event
        case [Landed() as landed, Ruled(zone=zone)]:
            return _in_zone(landed, zone)
        case [Landed() as landed, DieRuled(odd=odd, even=even, value=value)]:
            return _in_zone(landed, odd if value % 2 else even)
        case _:
            return None


def _in_zone(landed: Landed, zone: int) -> Landed:
    return replace(landed, zone=zone, dot=landed.dot and zone >= 2)


def table_shown(
    state: TableState, taken: AcceptedReading | None, *, fresh: bool, doubtful_hand: bool = False
) -> TableShown:
    """What the camera sees, with the last reading drawn in; `fresh` says that it still lies so.

    `doubtful_hand`: what is taken for a hand may be none.
    """
    if taken is None:
        return TableShown(state=state, doubtful_hand=doubtful_hand)
    reading = taken.reading
    return TableShown(
        state=state,
        width=reading.width_px,
        height=reading.height_px,
        dice=reading.dice,
        unsure=tell_unsure(reading.unsure),
        reading_id=taken.number,
        picture=taken.picture,
        fresh=fresh,
        doubtful_hand=doubtful_hand,
    )


def lamps_shown(view: GameView, keys: Iterable[str], *, can_undo: bool) -> dict[str, bool]:
    """Which lamps glow: those of the buttons that may be pressed now, `keys` among them."""
    may = {(each.button, each.player) for each in view.allowed}
    buttons = {button for button, _ in may} | set(keys)
    lamps = {f"bet{seat + 1}": ("bet", player) in may for seat, player in enumerate(view.players)}
    return lamps | {
        "stop": "stop" in buttons,
        "cache": "cache" in buttons,
        "roll_done": "roll_done" in buttons,
        "undo": can_undo,
    }


def sign_off_shown(sign_off: SignOff, view: GameView) -> SignOffShown | None:
    """How the result stands with the referee; None where nobody asks for a sign-off."""
    if view.ending is None or not sign_off.standing:
        return None
    result = ", ".join(
        f"{name} {told_number(score, ',')}" for name, score in zip(view.players, view.scores, strict=True)
    )
    return SignOffShown(result, sign_off.standing, sign_off.by, sign_off.at, sign_off.reason)


def again_shown(over: Position) -> AgainShown | None:
    """The next game after this one, where its rules say who begins; None where they do not."""
    told = over.next_game if isinstance(over, DecidesNext) else None
    return None if told is None else AgainShown(told[0], dict(told[1]))


def choices_shown(rulebooks: Iterable[Rulebook]) -> tuple[GameChoice, ...]:
    """The games that the lobby offers, with all that can be agreed: at the box a covered dot always waits."""
    return tuple(
        GameChoice(
            book.name,
            book.title,
            book.seats.start,
            book.seats.stop - 1,
            {
                name: values
                for name, values in book.options.items()
                if not (book.dice.landing and name == "dot")
            },
        )
        for book in rulebooks
    )


def acts_shown(acts: Mapping[str, str]) -> tuple[ActShown, ...]:
    """What the simulated hand can do."""
    return tuple(ActShown(name, phrase(words)) for name, words in acts.items())
