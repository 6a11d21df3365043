"""`callbox odds GAME`: what each choice is worth, exactly; nothing is simulated."""

from collections.abc import Collection
from typing import Any

import click
import msgspec

from device.commands.score import options_of
from device.odds import odds_shown
from engine.dice import Die
from engine.events import Bet
from engine.game import Position
from engine.odds import Advice, advice, cast_or_cache, position_seen, turn_at, why_no_advice
from engine.refusal import Refused
from engine.rulebooks import rulebook
from engine.wording import phrase, phrase_later
from engine.zonk import ZonkPosition

YOU, OTHER = phrase_later("Your turn"), phrase_later("Another's turn")
GAMES = ("zoinx", "ten-thousand", "zonk", "pig")


class DiceParam(click.ParamType[tuple[int, ...]]):
    """What `--roll` takes: "1 5 3 3 3 6", "1,5,3" or "153"."""

    name = "dice"

    def convert(
        self, value: str | tuple[int, ...], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """The faces."""
        if isinstance(value, tuple):
            return value
        faces = value.replace(",", "").replace(" ", "")
        if not faces or set(faces) - set("123456"):
            self.fail(
                phrase("{value!r} is no roll: write the faces, 1 to 6, as 1 5 3.", value=value), param, ctx
            )
        return tuple(map(int, faces))


@click.command()
@click.argument("game", type=click.Choice(GAMES))
@click.option(
    "--roll", type=DiceParam(), metavar="FACES", help=phrase_later("What was rolled: what to set aside.")
)
@click.option("--points", type=click.IntRange(0, 100_000), help=phrase_later("Points of the turn so far."))
@click.option(
    "--dice", type=click.IntRange(1, 6), help=phrase_later("Dice that may be rolled next; 6 if left out.")
)
@click.option(
    "--bet", type=click.IntRange(0, 10), help=phrase_later("Zoinx: your bet, when the turn is yours.")
)
@click.option(
    "--against",
    type=click.IntRange(0, 10),
    help=phrase_later("Zoinx: the other's bet; 0 if left out."),
)
@click.option(
    "--dots", type=click.IntRange(0, 100), help=phrase_later("Zoinx: dots of the turn; 0 if left out.")
)
@click.option("--line", help=phrase_later("A position line, as `callbox score` and the journal have it."))
@click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help=phrase_later("An option of the rulebook.")
)
@click.option("--json", "as_json", is_flag=True, help=phrase_later("One JSON array, for programs."))
def command(game: str, options: tuple[str, ...], *, as_json: bool, **given: Any) -> None:
    """Tell what each choice of a turn is worth when all that follows is played best by points.

    \b
    callbox odds zoinx                          which bet is best
    callbox odds zoinx --bet 6 --dots 7         stop or roll on
    callbox odds zonk --points 450 --dice 3     cache or cast
    callbox odds ten-thousand --roll "1 5 3 3 3 6"
    callbox odds pig --points 18                hold or roll
    """
    named = {name: value for name, value in given.items() if value is not None}
    try:
        _check_options(game, {**named, **({"option": options} if options else {})})
        found, why = _answer(game, options_of(options), named)
    except Refused as refused:
        raise click.UsageError(str(refused)) from None
    if as_json:
        click.echo(msgspec.json.encode([odds_shown(each) for each in found]).decode())
    elif found:
        click.echo("\n".join(table_of(found)))
    if why:
        click.echo(why, err=as_json)


def table_of(found: tuple[Advice, ...]) -> list[str]:
    """A line for each choice below a head, the best first."""
    several = len({each.player for each in found}) > 1
    lines = ["points  brings any  next roll loses"]
    for each in found:
        risk = f"{each.risk:15.1%}" if each.risk else " " * 15
        hint = f" ({each.hint})" if each.hint else ""
        who = f"{each.player}: " if several else ""
        points = f"{each.points:6.{2 if abs(each.points) < 100 else 0}f}"
        lines.append(f"{points}  {each.chance:10.1%}  {risk}  {who}{each.words}{hint}")
    return lines


def _check_options(game: str, named: Collection[str]) -> None:
    """Refuse options that would change nothing here; raises `Refused`."""
    if "line" in named:
        allowed = {"line"}
    elif game == "zoinx":
        allowed = {"option", "bet", "against", "dots"} if "bet" in named else {"option", "bet"}
    elif game == "pig":
        allowed = {"option", "points"}
    else:
        allowed = {"option", "roll", "points", "dice"}
    idle = ", ".join(f"--{name}" for name in named if name not in allowed)
    if not idle:
        return
    if "line" in named:
        raise Refused(phrase("A position line says everything: leave out {options}.", options=idle))
    if game == "zoinx" and not {"against", "dots"}.isdisjoint(named) and "bet" not in named:
        raise Refused(phrase("{options} count once you have bet: say --bet, too.", options=idle))
    raise Refused(phrase("{options}: not for {game}. Leave it out.", options=idle, game=game))


def _answer(game: str, agreed: dict[str, str], named: dict[str, Any]) -> tuple[tuple[Advice, ...], str]:
    """What each choice is worth; where there is none, why. Raises `Refused`."""
    if (line := named.get("line")) is not None:
        position = position_seen(line)
        if (other := position.view().game) != game:
            raise Refused(phrase("That is a position of {other}, not of {game}.", other=other, game=game))
    elif game == "zoinx":
        position = _zoinx(agreed, named.get("bet"), named.get("against", 0), named.get("dots", 0))
    else:
        return _turn(game, agreed, named)
    found = advice(position)
    return found, "" if found else why_no_advice(position)


def _zoinx(agreed: dict[str, str], bet: int | None, against: int, dots: int) -> Position:
    """The bets, or the turn after them; raises `Refused`."""
    book = rulebook("zoinx")
    begun = book.start((phrase(OTHER), phrase(YOU)), agreed)
    active = begun.view().active or phrase(YOU)
    if bet is None:
        return begun
    begun = begun.after(Bet(player=active, dots=bet))
    begun = begun.after(
        Bet(player=next(name for name in (phrase(YOU), phrase(OTHER)) if name != active), dots=against)
    )
    return book.parse(begun.line().replace(" dots=0 ", f" dots={dots} "))


def _turn(game: str, agreed: dict[str, str], named: dict[str, Any]) -> tuple[tuple[Advice, ...], str]:
    """A turn with so many points and dice left, and what was then rolled; raises `Refused`."""
    usual = {"first": "named", "opening": "0"} if game == "ten-thousand" else {}
    start = rulebook(game).start((phrase(YOU), phrase(OTHER)), {**usual, **agreed})
    roll, points, every = named.get("roll"), named.get("points", 0), int(agreed.get("dice", "6"))
    dice = named.get("dice", len(roll or range(every)))
    if dice < every and not points:
        raise Refused(
            phrase("Fewer than all dice: say with --points what those that were set aside have brought.")
        )
    if roll and len(roll) != dice:
        raise Refused(
            phrase("--dice says {dice} and --roll has {count}: leave out --dice.", dice=dice, count=len(roll))
        )
    cast = tuple(Die("pip", face) for face in roll or ())
    if isinstance(start, ZonkPosition) and not roll:
        return cast_or_cache(start, points, dice), ""
    position = turn_at(start, points, dice, cast)
    if position is None:
        faces = " ".join(map(str, roll or ()))
        return (), phrase("Nothing of {roll} scores: the turn is over.", roll=faces)
    found = advice(position)
    return found, "" if found else why_no_advice(position)
