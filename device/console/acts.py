"""What each address asks for, in the words of `device.people.rights`: every POST stands here, or is refused.

Where a landing is in question, STOP, CACHE and the choices answer it: then they are a ruling, not a turn.
"""

from collections.abc import Mapping

from device.people.rights import Act, Deed
from device.shown.snapshot import Snapshot
from engine.wording import phrase_later

ACTS: Mapping[str, tuple[Deed, str]] = {
    "/sign-in": ("knock", phrase_later("sign in")),
    "/leave": ("knock", phrase_later("sign out")),
    "/me": ("knock", phrase_later("ask who they are")),
    "/sit": ("knock", phrase_later("take a seat")),
    "/seats": ("seat", phrase_later("hand out seats")),
    "/seats/back": ("seat", phrase_later("take a seat back")),
    "/bets": ("bet", phrase_later("lock a bet")),
    "/choices": ("play", phrase_later("choose")),
    "/correct": ("judge", phrase_later("correct a throw")),
    "/correct/preview": ("judge", phrase_later("correct a throw")),
    "/rulings": ("judge", phrase_later("rule on a landing")),
    "/rulings/preview": ("judge", phrase_later("rule on a landing")),
    "/games": ("lead", phrase_later("begin a game")),
    "/games/pause": ("lead", phrase_later("pause the game")),
    "/games/go-on": ("lead", phrase_later("go on with the game")),
    "/games/put-away": ("lead", phrase_later("put the game away")),
    "/games/take-up": ("lead", phrase_later("take a game up again")),
    "/games/abandon": ("lead", phrase_later("abandon a game")),
    "/tournament/draw": ("lead", phrase_later("draw a tournament")),
    "/tournament/begin": ("lead", phrase_later("begin a match")),
    "/tournament/take-back": ("judge", phrase_later("take a match back")),
    "/tournament/close": ("lead", phrase_later("close the tournament")),
    "/call/begin": ("lead", phrase_later("begin a match")),
    "/call/refuse": ("lead", phrase_later("refuse a match")),
    "/persons": ("lead", phrase_later("say who plays here")),
    "/persons/forget": ("lead", phrase_later("forget somebody")),
    "/sign-off": ("judge", phrase_later("sign a result off")),
    "/sign-off/open": ("judge", phrase_later("open a result again")),
    "/restore": ("lead", phrase_later("go on with what was set aside")),
    "/setup/look": ("setup", phrase_later("set up the box")),
    "/setup/do": ("setup", phrase_later("set up the box")),
    "/no-hand": ("play", phrase_later("say what is no hand")),
    "/hand/acts": ("hand", phrase_later("move the dice")),
    "/hand/choices": ("play", phrase_later("choose")),
}
"""By the address."""
BUTTON_ACTS: Mapping[str, tuple[Deed, str]] = {
    "bet1": ("bet", phrase_later("press BET 1")),
    "bet2": ("bet", phrase_later("press BET 2")),
    "bet3": ("bet", phrase_later("press BET 3")),
    "bet4": ("bet", phrase_later("press BET 4")),
    "stop": ("play", phrase_later("press STOP")),
    "cache": ("play", phrase_later("press CACHE")),
    "roll_done": ("play", phrase_later("press ROLL DONE")),
    "undo": ("judge", phrase_later("take a step back")),
}
"""By the button, for /pins/BUTTON."""
ANSWERS = {"/choices", "/hand/choices", "stop", "cache"}
"""What answers a question about a landing."""


def act_of(path: str, button: str, shown: Snapshot, bettor: str) -> Act | None:
    """What a POST to this address asks for; None for an address that nobody has thought of.

    `button`: for /pins, else "". `bettor`: for whom a bet is, where the address does not say it.
    """
    found = BUTTON_ACTS.get(button) if button else ACTS.get(path)
    if found is None:
        return None
    deed, words = found
    if shown.ask == "landing" and (button or path) in ANSWERS:
        return Act(deed="judge", words=phrase_later("answer what is asked about a throw"))
    return Act(deed=deed, words=words, players=_players(deed, button, shown, bettor))


def _players(deed: Deed, button: str, shown: Snapshot, bettor: str) -> tuple[str, ...]:
    """Whom it is for: the one who bets, those whose turn it is; nobody in particular where all may."""
    game = shown.game
    if deed == "bet" and button and game is not None:
        seat = int(button.removeprefix("bet")) - 1
        return game.players[seat : seat + 1]
    if deed == "bet":
        return (bettor,)
    if deed != "play" or game is None:
        return ()
    may = [each.player for each in game.allowed if each.button == button]
    return tuple(dict.fromkeys([*([game.active] if game.active else []), *may]))
