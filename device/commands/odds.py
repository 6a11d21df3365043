"""`callbox odds GAME`: what each choice is worth, exactly; nothing is simulated."""

import click
import msgspec

from device.commands.score import options_of
from device.odds import odds_shown
from engine.dice import Die
from engine.events import Bet, Rolled
from engine.game import Position
from engine.odds import Advice, advice, advice_seen, cast_or_cache
from engine.refusal import Refused
from engine.rulebooks import rulebook
from engine.wording import phrase, phrase_later

YOU, OTHER = phrase_later("Your turn"), phrase_later("Another's turn")
GAMES = ("zoinx", "ten-thousand", "zonk")


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
    "--against", type=click.IntRange(0, 10), default=0, help=phrase_later("Zoinx: the other player's bet.")
)
@click.option(
    "--dots", type=click.IntRange(0, 100), default=0, help=phrase_later("Zoinx: dots of the turn so far.")
)
@click.option("--line", help=phrase_later("A position line, as `callbox score` and the journal have it."))
@click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help=phrase_later("An option of the rulebook.")
)
@click.option("--json", "as_json", is_flag=True, help=phrase_later("One JSON array, for programs."))
def command(  # noqa: PLR0913, PLR0917 - one argument for each option
    game: str,
    roll: tuple[int, ...] | None,
    points: int | None,
    dice: int | None,
    bet: int | None,
    against: int,
    dots: int,
    line: str | None,
    options: tuple[str, ...],
    *,
    as_json: bool,
) -> None:
    """Tell what each choice of a turn is worth when all that follows is played best by points.

    \b
    callbox odds zoinx                          which bet is best
    callbox odds zoinx --bet 6 --dots 7         stop or roll on
    callbox odds zonk --points 450 --dice 3     cache or cast
    callbox odds ten-thousand --roll "1 5 3 3 3 6"
    """
    try:
        if line is not None:
            found = advice_seen(line)
        elif game == "zonk" and roll is None and (points or dice):
            found = cast_or_cache(points or 0, dice or 6)
        else:
            agreed = options_of(options)
            zoinx = game == "zoinx"
            found = advice(
                _zoinx(agreed, bet, against, dots)
                if zoinx
                else _turn(game, agreed, roll, points or 0, dice or 6)
            )
    except Refused as refused:
        raise click.UsageError(str(refused)) from None
    if as_json:
        click.echo(msgspec.json.encode([odds_shown(each) for each in found]).decode())
        return
    click.echo("\n".join(table_of(found)) if found else phrase("No odds are known of that position."))


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


def _turn(
    game: str, agreed: dict[str, str], roll: tuple[int, ...] | None, points: int, dice: int
) -> Position:
    """A turn with so many points and dice left, and what was then rolled; raises `Refused`."""
    book = rulebook(game)
    usual = {"first": "named", "opening": "0"} if game == "ten-thousand" else {}
    position = book.start((phrase(YOU), phrase(OTHER)), {**usual, **agreed})
    if game == "ten-thousand":
        position = book.parse(position.line().replace("kept=0 left=6", f"kept={points} left={dice}"))
    elif points:
        raise Refused(
            phrase("With --roll and --points together ZONK needs the pockets: give them as --line.")
        )
    return position if roll is None else position.after(Rolled(dice=tuple(Die("pip", face) for face in roll)))
