"""What each address asks for, in the words of `device.people.rights`: every POST stands here, or is refused.

Where a landing is in question, STOP, CACHE and the choices answer it: then they are a ruling, not a turn.
"""

from collections.abc import Mapping

from device.people.rights import Act, Deed
from device.shown.snapshot import Snapshot

ACTS: Mapping[str, tuple[Deed, str]] = {
    "/sign-in": ("knock", "sign in"),
    "/leave": ("knock", "sign out"),
    "/me": ("knock", "ask who they are"),
    "/sit": ("knock", "take a seat"),
    "/seats": ("seat", "hand out seats"),
    "/seats/back": ("seat", "take a seat back"),
    "/bets": ("bet", "lock a bet"),
    "/choices": ("play", "choose"),
    "/correct": ("judge", "correct a throw"),
    "/rulings": ("judge", "rule on a landing"),
    "/rulings/preview": ("judge", "rule on a landing"),
    "/games": ("lead", "begin a game"),
    "/games/pause": ("lead", "pause the game"),
    "/games/go-on": ("lead", "go on with the game"),
    "/games/put-away": ("lead", "put the game away"),
    "/games/take-up": ("lead", "take a game up again"),
    "/games/abandon": ("lead", "abandon a game"),
    "/tournament/draw": ("lead", "draw a tournament"),
    "/tournament/begin": ("lead", "begin a match"),
    "/tournament/take-back": ("judge", "take a match back"),
    "/tournament/close": ("lead", "close the tournament"),
    "/persons": ("lead", "say who plays here"),
    "/persons/forget": ("lead", "forget somebody"),
    "/sign-off": ("judge", "sign a result off"),
    "/sign-off/open": ("judge", "open a result again"),
    "/restore": ("lead", "go on with what was set aside"),
    "/setup/look": ("setup", "set up the box"),
    "/setup/do": ("setup", "set up the box"),
    "/no-hand": ("play", "say what is no hand"),
    "/hand/acts": ("hand", "move the dice"),
    "/hand/choices": ("play", "choose"),
}
"""By the address."""
BUTTON_ACTS: Mapping[str, tuple[Deed, str]] = {
    "bet1": ("bet", "press BET 1"),
    "bet2": ("bet", "press BET 2"),
    "bet3": ("bet", "press BET 3"),
    "bet4": ("bet", "press BET 4"),
    "stop": ("play", "press STOP"),
    "cache": ("play", "press CACHE"),
    "roll_done": ("play", "press ROLL DONE"),
    "undo": ("judge", "take a step back"),
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
        return Act(deed="judge", words="answer what is asked about a throw")
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
