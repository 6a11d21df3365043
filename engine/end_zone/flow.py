"""What a landing leads to: the turn, the game, the match, the next one, the end.

Every function takes a state and returns the next; news gather in `said`. Rule numbers are those at the
head of `engine.end_zone` and of its modes.

King and King of Kings
70   Everybody rolls one die. The two highest play first, ties for these places roll again; of the two
     the lower goes first, and when they tie both roll again.
71   The winner of each game stays as the King, the next in line challenges. 71a: the line is the seating
     order of those who did not play first; a loser goes to its end. 71b: for who goes first in later
     games King and challenger roll as the game's mode says.
71c  Option `game`: King is played in any mode; a win of that mode is what makes the King.
71d  Option `king-chooses` (add-on): the King chooses the mode of the next game.
72   King goes on as long as you like: STOP before a game's first die ends it, and the King then wins.
80   King of Kings: so many wins as King (option `wins`, unless told five) win it.
80a  Option `king-wins`: a win is marked when the King wins (`as-king`), or for every won game (`all`).

Tournament
90   Sides meet two by two in seating order; the winner of each match moves on to play other winners,
     until one is left: the tournament's winner. Option `game`: the mode of the matches.
90a  Of an odd number the last goes on without a match, and has the first one of the next bracket.
91   A covered dot moves on to the next bracket at once; in the last match it wins.
"""

from dataclasses import replace

from engine.end_zone.agreed import EndZoneAgreement
from engine.end_zone.landing import Lying, landed_on, points, uncovered
from engine.end_zone.modes import (
    Game,
    Kind,
    RollOff,
    Scored,
    Tally,
    dice_due,
    fresh_tally,
    levels,
    loser_first,
    margins,
    standing,
    tallied,
    total,
    whose,
    with_points,
)
from engine.end_zone.state import KINGS, By, Contest, EndZoneState, S, tell
from engine.events import Landed, Moved
from engine.game import News
from engine.refusal import AgainstTheRules
from engine.seating import seat_of
from engine.wording import phrase, phrase_count
from engine.words import number, together


def first_two(agreed: EndZoneAgreement, contest: Contest, two: tuple[int, ...]) -> Contest:
    """The first match and the line behind it (rules 70, 71a)."""
    queue = tuple(side for side in range(len(agreed.sides)) if side not in two)
    return replace(contest, match=two, queue=queue)


def crowned(agreed: EndZoneAgreement, contest: Contest, winner: int) -> Contest:
    """The King, the challenger and the line after a match (rules 71, 80)."""
    crowns = contest.crowns
    if agreed.every_win or winner == contest.king:
        crowns = (*crowns[:winner], crowns[winner] + 1, *crowns[winner + 1 :])
    line = (*contest.queue, *(side for side in contest.match if side != winner))
    return Contest(match=(winner, line[0]), queue=line[1:], king=winner, crowns=crowns)


def king_of_kings(agreed: EndZoneAgreement, contest: Contest) -> bool:
    """Whether somebody has all the wins of rule 80."""
    return agreed.mode == "king-of-kings" and max(contest.crowns) >= agreed.wins


def landed_told(name: str, die: Lying, score: int) -> str:
    """What a die scores where it landed."""
    if die.state:
        return phrase("{player}: {die}, no points.", player=name, die=die.words)
    if score > die.value * die.zone:
        return phrase("{player}: {die} doubled = {points}.", player=name, die=die.words, points=score)
    return phrase("{player}: {die} = {points}.", player=name, die=die.words, points=score)


def hit_told(moved: Moved, die: Lying) -> str:
    """What became of a die that was hit."""
    if moved.off:
        return phrase("Die {number} is knocked off the table.", number=moved.die)
    return phrase("Die {number} now lies {place}.", number=moved.die, place=die.words)


def turn_told(name: str, players: int, gained: int, points: int) -> str:
    """What a turn brought to a player, or to a team of so many."""
    return phrase_count(
        "{name} scores {gain} and has {points}.",
        "{name} score {gain} and have {points}.",
        players,
        name=name,
        gain=gained,
        points=points,
    )


def challenged_told(agreed: EndZoneAgreement, side: int, points: int) -> str:
    """Whom the others have to pass (rule 61)."""
    return phrase_count(
        "{name} is challenged at {points}.",
        "{name} are challenged at {points}.",
        agreed.crowd(side),
        name=agreed.name(side),
        points=points,
    )


def game_told(agreed: EndZoneAgreement, side: int, tally: Tally, *, told: bool) -> list[str]:
    """A game is won: by whom, where it is `told` of a series, and where that stands (rules 40, 41)."""
    name, crowd, found = agreed.name(side), agreed.crowd(side), []
    if told:
        found.append(phrase_count("{name} wins the game.", "{name} win the game.", crowd, name=name))
    games, higher = tally[0][side], next((level[side] for level in tally[1:] if level[side]), 0)
    if games:
        found.append(phrase_count("That is {count} game of three.", "That is {count} games of three.", games))
    elif higher:
        threes = phrase_count(
            "{name} wins a 3's: {wins} of {goal}.",
            "{name} win a 3's: {wins} of {goal}.",
            crowd,
            name=name,
            wins=higher,
            goal=number(5),
        )
        found.append(threes)
    return found


def crowned_told(agreed: EndZoneAgreement, side: int, *, stays: bool) -> str:
    """Who is King now (rule 71)."""
    if stays:
        return phrase_count(
            "{name} wins and stays King.",
            "{name} win and stay King.",
            agreed.crowd(side),
            name=agreed.name(side),
        )
    return phrase_count(
        "{name} wins and is King.", "{name} win and are King.", agreed.crowd(side), name=agreed.name(side)
    )


def opened(sides: int) -> Contest:
    """The first match, and the others of the first bracket."""
    return Contest(match=(0, 1), queue=tuple(range(2, sides)), crowns=(0,) * sides)


def advanced(contest: Contest, winner: int) -> Contest | None:
    """The next match; None when one side is left (rules 90, 90a)."""
    through, queue = (*contest.through, winner), contest.queue
    if len(queue) < 2:
        through, queue = (), (*queue, *through)
    if len(queue) < 2:
        return None
    return replace(contest, match=queue[:2], queue=queue[2:], through=through)


def no_dice(agreed: EndZoneAgreement) -> Game:
    """A game whose rolling order is not known yet."""
    seats = len(agreed.players)
    return Game(points=(0,) * seats, extras=("----",) * seats)


def first_state(state: type[S], agreed: EndZoneAgreement) -> S:
    """The state before the first die."""
    everybody = tuple(range(len(agreed.sides)))
    contest = Contest(match=everybody, crowns=(0,) * len(everybody))
    if agreed.mode == "tournament":
        contest = opened(len(everybody))
    if agreed.mode in KINGS:
        contest = replace(contest, match=())
    found = state(
        agreed=agreed,
        unit=agreed.unit,
        contest=contest,
        tally=fresh_tally(agreed, agreed.unit),
        game=no_dice(agreed),
    )
    if agreed.mode in KINGS and agreed.rolls_for_order:
        return replace(found, rolloff=RollOff((everybody,)))
    if agreed.mode in KINGS:
        found = replace(found, contest=first_two(agreed, contest, (0, 1)))
    return start_match(found)


def start_match(state: S) -> S:
    """The next match of the contest: first, who goes first (rule 2)."""
    agreed, sides = state.agreed, tuple(sorted(state.contest.match))
    state = replace(
        state, tally=fresh_tally(agreed, state.unit), game=no_dice(agreed), rolloff=None, choosing=False
    )
    if agreed.rolls_for_order and len(sides) > 1:
        return replace(state, rolloff=RollOff((sides,)))
    return _open(state, sides)


def _open(state: S, order: tuple[int, ...]) -> S:
    """A new game in that rolling order."""
    everybody = margins(state.agreed, state.kind, order)
    game = replace(no_dice(state.agreed), order=order, lap=everybody, still=everybody)
    return replace(state, game=game, rolloff=None)


def rolled_for(state: S, value: int) -> S:
    """The next die of a roll-off (rules 2, 7, 70)."""
    rolloff, agreed = state.rolloff, state.agreed
    if rolloff is None:
        return state
    state = tell(state, phrase("{player} rolls {face}.", player=agreed.players[state.active], face=value))
    after = rolloff.after(value, state.need, highest=state.need != "order" or state.kind.highest_first)
    state = replace(state, rolloff=after, game=replace(state.game, lying=()))
    if after.rolling(state.need) is not None:
        again = not after.shown and len(after.groups) == len(rolloff.groups)
        return tell(state, phrase("A tie: they roll again.")) if again else state
    order = tuple(side for group in after.groups for side in group)
    match state.need:
        case "best":
            return _game_won(state, order[0], "roll-off")
        case "two":
            contest = first_two(agreed, state.contest, (order[1], order[0]))
            state = replace(state, contest=contest)
            return _open(state, contest.match)
        case "order":
            return _open(state, order)


def settle(state: S, landed: Landed) -> S:
    """A die has landed in a game or on a tie (rules 3 to 6, 10)."""
    agreed, seat = state.agreed, state.active
    table = landed_on(agreed, state.game.lying, landed)
    die, name = table[-1], agreed.players[seat]
    if state.rolloff is None:
        margin, nth = whose(agreed, state.kind, state.game, len(table) - 1)
        line = state.game.lap_no if state.kind.lines else 0
        score = points(agreed, die, nth, line)
        told = landed_told(name, die, score)
        hit = [hit_told(each, table[each.die - 1]) for each in landed.moved]
        said = News(news=" ".join([told, *hit]), roll=state.said.roll)
        state = replace(state, game=replace(state.game, lying=table), said=said)
        state = _fined(state, landed, margin, seat)
    else:
        state = replace(state, game=replace(state.game, lying=table))
    if state.dot is None:
        return _go_on(state)
    if agreed.confirms:
        return tell(state, phrase("Is the dot covered? Look straight down and say."), phrase("dot"))
    return _dot_won(state)


def look(state: S, *, covered: bool) -> S:
    """Somebody has looked at the dot (rule 6a)."""
    if covered:
        return _dot_won(state)
    state = tell(state, phrase("The dot is to be seen: the game goes on."))
    return _go_on(replace(state, game=replace(state.game, lying=uncovered(state.game.lying))))


def _fined(state: S, landed: Landed, margin: int, seat: int) -> S:
    """Minus points for a die that nobody caught."""
    fined = fine_of(state, landed, margin, seat) if landed.off else None
    if fined is None:
        return state
    (payer, minus), players = fined, state.agreed.players
    state = replace(state, game=with_points(state.game, payer, -minus))
    fine = phrase("Nobody caught it: minus {points} for {player}.", points=minus, player=players[payer])
    return tell(state, fine)


def fine_of(state: EndZoneState, landed: Landed, margin: int, seat: int) -> tuple[int, int] | None:
    """The margin that pays for a die off the table, and how much; None where it costs nothing (rule 10).

    Raises `AgainstTheRules` where the catcher who is told does not play now.
    """
    agreed, game = state.agreed, state.game
    opponents = [
        other
        for other in margins(agreed, state.kind, game.order)
        if agreed.side_of(other) != agreed.side_of(seat)
    ]
    catcher = _catcher(state, landed, seat, opponents, margin)
    if landed.off != "missed" or landed.foul == "thrown" or catcher is None:
        return None
    if agreed.roller_pays:
        payer, minus = margin, agreed.minus[seat]
    else:
        payer, minus = catcher, agreed.minus[_seat_of_catcher(state, landed, catcher)]
    return (payer, minus) if minus else None


def _seat_of_catcher(state: EndZoneState, landed: Landed, margin: int) -> int:
    """Whose minus points count: the one who is named, else whose margin it is (rule 10c)."""
    return seat_of(state.players, landed.catcher, "10a") if landed.catcher else margin


def _catcher(state: EndZoneState, landed: Landed, seat: int, opponents: list[int], margin: int) -> int | None:
    """The margin of the opponent who should have caught the die."""
    agreed = state.agreed
    if landed.catcher:
        told = seat_of(agreed.players, landed.catcher, "10a")
        theirs = [one for one in opponents if agreed.side_of(one) == agreed.side_of(told)]
        if not theirs:
            raise AgainstTheRules(
                phrase(
                    "{player} does not play against {other} now.",
                    player=agreed.players[told],
                    other=agreed.players[seat],
                ),
                "10a",
            )
        return told if told in theirs else theirs[0]
    everybody = margins(agreed, state.kind, state.game.order)
    after = everybody.index(margin)
    return next((one for one in everybody[after + 1 :] + everybody[:after] if one in opponents), None)


def _go_on(state: S) -> S:
    """No dot is in question: the next die of the turn, or its points."""
    game, agreed = state.game, state.agreed
    if state.rolloff is not None:
        die = game.lying[0]
        value = 0 if die.state else points(agreed, die, 1, 0) if agreed.tie_points else die.value
        return rolled_for(state, value)
    return state if len(game.lying) < dice_due(agreed, state.kind, game) else _scored(state)


def _scored(state: S) -> S:
    """Points are added after the last die (rules 5, 12), and then?"""
    game, agreed, kind = state.game, state.agreed, state.kind
    for margin, dice in turns_on(agreed, kind, game).items():
        game, more = kind.scored(agreed, game, margin, dice)
        state = tell(state, _turn_told(state, game, margin, dice, more))
    game = replace(game, lap=() if agreed.shuffle != "no" else game.lap[1:], lying=())
    onward = kind.onward(agreed, game)
    if isinstance(onward, Game):
        if onward.high is not None and onward.high != game.high:
            side, score = agreed.side_of(onward.high), standing(onward, onward.high)
            state = tell(state, challenged_told(agreed, side, score), f"{score}!")
        return replace(state, game=onward)
    state = replace(state, game=game)
    if len(onward) == 1:
        return _game_won(state, onward[0], "points")
    level = together([agreed.name(side) for side in onward])
    points_each = max(total(agreed, game, side) for side in onward)
    text = phrase("{names} tie at {points}: one die each.", names=level, points=points_each)
    state = tell(state, text, phrase("tie"))
    return replace(state, rolloff=RollOff((onward,)))


def turns_on(agreed: EndZoneAgreement, kind: Kind, game: Game) -> dict[int, Scored]:
    """The dice that lie there with their points, by the margin they were rolled for (rules 5, 11, 12)."""
    line = game.lap_no if kind.lines else 0
    turns: dict[int, Scored] = {}
    for place, die in enumerate(game.lying):
        margin, nth = whose(agreed, kind, game, place)
        turns[margin] = (*turns.get(margin, ()), (die, points(agreed, die, nth, line)))
    return turns


def _turn_told(state: EndZoneState, game: Game, margin: int, dice: Scored, more: str) -> str:
    """What a turn brought; a turn of one die was told as it landed."""
    agreed, news = state.agreed, []
    if len(dice) > 1 or agreed.shuffle != "no":
        shared, side = state.kind.one_margin(agreed), agreed.side_of(margin)
        name = agreed.name(side) if shared else agreed.players[margin]
        players, gained = agreed.crowd(side) if shared else 1, sum(score for _, score in dice)
        news.append(turn_told(name, players, gained, game.points[margin]))
    return " ".join([*news, more]).strip()


def _dot_won(state: S) -> S:
    """A covered dot wins instantly (rules 6, 6b, 91)."""
    agreed, place = state.agreed, state.dot or 0
    if state.rolloff is not None:
        side = agreed.side_of(state.active)
    else:
        side = agreed.side_of(whose(agreed, state.kind, state.game, place)[0])
    seat = state.roller_at(place)
    covers = phrase("{player} covers the dot: instant win!", player=agreed.players[seat])
    state = tell(state, covers, phrase("DOT"))
    state = replace(state, rolloff=None, game=replace(state.game, lying=()))
    if agreed.dot_wins == "game":
        return _game_won(state, side, "dot")
    if agreed.mode == "king-of-kings" and agreed.dot_wins == "mode":
        return _ended(replace(state, played=state.played + 1), side, "dot")
    return _match_won(replace(state, played=state.played + 1), side, "dot")


def _game_won(state: S, side: int, by: By) -> S:
    """A game is over: the next of its match, or the match is won (rules 40, 41)."""
    agreed = state.agreed
    tally, won = tallied(agreed, state.unit, state.tally, side)
    series = levels(agreed, state.unit) != (1,)
    state = replace(state, tally=tally, played=state.played + 1, rolloff=None)
    if won:
        return _match_won(state, side, "points" if series else by)
    tells = series and by != "dot"
    told = game_told(agreed, side, tally, told=tells)
    state = tell(state, " ".join(told), agreed.name(side) if tells else "")
    return _open(state, loser_first(agreed, state.game, side))


def _match_won(state: S, side: int, by: By) -> S:
    """A match is over: King and tournament go on with the next (rules 71, 90)."""
    agreed, name = state.agreed, state.agreed.name(side)
    if agreed.mode in KINGS:
        return _crowned(state, side)
    if agreed.mode != "tournament":
        return _ended(state, side, by)
    after = advanced(state.contest, side)
    if after is None:
        return _ended(replace(state, contest=replace(state.contest, queue=(), through=())), side, "points")
    moves = phrase_count(
        "{name} wins and moves on.", "{name} win and move on.", agreed.crowd(side), name=name
    )
    state = tell(state, moves, name)
    onward = phrase("Next: {names}.", names=together([agreed.name(one) for one in after.match]))
    return start_match(tell(replace(state, contest=after), onward))


def _crowned(state: S, side: int) -> S:
    """The winner is King and meets the next in line (rules 71, 71d, 80)."""
    agreed, name = state.agreed, state.agreed.name(side)
    contest = crowned(agreed, state.contest, side)
    won = tell(state, crowned_told(agreed, side, stays=state.contest.king == side), name)
    if king_of_kings(agreed, contest):
        last = replace(contest, match=state.contest.match, queue=state.contest.queue)
        return _ended(replace(won, contest=last), side, "points")
    won = replace(won, contest=contest)
    next_in_line = contest.match[1]
    challenges = phrase_count(
        "{name} challenges.",
        "{name} challenge.",
        agreed.crowd(next_in_line),
        name=agreed.name(next_in_line),
    )
    state = start_match(tell(won, challenges))
    if not agreed.king_chooses:
        return state
    return replace(state, choosing=True, rolloff=None, game=no_dice(agreed))


def choose(state: S, mode: str) -> S:
    """The King has chosen the mode of the next match (rule 71d)."""
    agreed, side = state.agreed, state.contest.king or 0
    chooses = phrase_count(
        "{name} chooses {mode}.",
        "{name} choose {mode}.",
        agreed.crowd(side),
        name=agreed.name(side),
        mode=mode,
    )
    return start_match(tell(replace(state, unit=mode), chooses))


def stop(state: S) -> S:
    """King ends (rule 72)."""
    return _ended(replace(state, choosing=False), state.contest.king or 0, "stop")


def _ended(state: S, side: int, by: By) -> S:
    """Somebody has won it all."""
    game = replace(state.game, lying=())
    return replace(state, winner=side, by=by, rolloff=None, game=game)


def running(state: EndZoneState) -> int:
    """What the dice of the turn now rolled would score as they lie."""
    kind, game = state.kind, state.game
    line = game.lap_no if kind.lines else 0
    margin, _ = whose(state.agreed, kind, game, len(game.lying) - (state.phase == "confirm"))
    places = [whose(state.agreed, kind, game, place) for place in range(len(game.lying))]
    return sum(
        points(state.agreed, die, nth, line)
        for die, (whom, nth) in zip(game.lying, places, strict=True)
        if whom == margin
    )
