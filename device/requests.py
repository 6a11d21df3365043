"""Everything that a page, a button, the command line or a hall's desk can ask of a box, and what it replies.

One struct for each action. Its tag is the address to which pages post it; its class says who may ask for it
(`permission`) and what it is called where it is refused (`verb`). `device.table.session` matches on those
that concern the table, the console on the others. A new action is a struct here, an arm there, and a control.
"""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, get_args

import msgspec

from device.config import SettingValue
from device.people.actor import Office
from device.people.permissions import Act, Permission
from device.people.player_profiles import PersonColor
from device.shown.questions import DieAsked
from device.shown.snapshot import Snapshot
from engine import wire
from engine.dice import Die
from engine.events import Corrected, Ruling
from engine.game import SEED
from engine.refusal import Unreadable
from engine.tournament import TournamentAgreed, TournamentFormat
from engine.wording import phrase, phrase_later

Button = Literal["bet1", "bet2", "bet3", "bet4", "stop", "cache", "roll_done", "undo"]
BUTTONS: tuple[Button, ...] = get_args(Button)
"""The panel's buttons, by the names of their pins in callbox.toml."""
GameAction = Literal["pause", "go on", "put away", "take up", "abandon"]
"""What people may do with a game as a whole: at the table, or with one that was put away."""
Secrecy = Literal["open", "sealed", "here"]
"""May cross a network as it is; only sealed; not at all, for it could be counted."""

Word = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
OptionWord = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
"""The value of an option: a word, a name, or a number for each of 16 players."""
Options = Annotated[Mapping[Word, OptionWord], msgspec.Meta(max_length=40)]
"""What is agreed for a game, more than any rulebook has options."""
Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
GameNumber = Annotated[int, msgspec.Meta(ge=1)]
MatchNumber = Annotated[int, msgspec.Meta(ge=1, le=9999)]
ChoiceNumber = Annotated[int, msgspec.Meta(ge=0, le=9999)]
Pin = Annotated[str, msgspec.Meta(min_length=1, max_length=12)]
OptionalPin = Annotated[str, msgspec.Meta(max_length=12)]

VERBS: dict[Button, str] = {
    "bet1": phrase_later("press BET 1"),
    "bet2": phrase_later("press BET 2"),
    "bet3": phrase_later("press BET 3"),
    "bet4": phrase_later("press BET 4"),
    "stop": phrase_later("press STOP"),
    "cache": phrase_later("press CACHE"),
    "roll_done": phrase_later("press ROLL DONE"),
    "undo": phrase_later("take a step back"),
}


class BoxRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="request"):
    """Something that is asked for; subclasses are tagged with the path of their address."""

    permission: ClassVar[Permission]
    verb: ClassVar[str]
    """What it is, after "may": "lock a bet", as the catalogue has it."""
    secrecy: ClassVar[Secrecy] = "open"
    is_slow: ClassVar[bool] = False
    """Whether it may take as long as beginning a game does."""

    def needs(self, shown: Snapshot) -> Act:  # noqa: ARG002 - for most it is always the same
        """What it takes to ask for it, by what is shown now."""
        return Act(permission=self.permission, words=self.verb)

    def how_secret(self) -> Secrecy:
        """How this one may cross a network."""
        return self.secrecy


def address_of(request: type[BoxRequest]) -> str:
    """The path to which pages post such a request; a button's ends in its name."""
    return f"/{request.__struct_config__.tag}"


def _in_turn(shown: Snapshot, button: str = "") -> tuple[str, ...]:
    """Whose turn it is, and who may press that button now."""
    if shown.game is None:
        return ()
    may = [each.player for each in shown.game.allowed if each.button == button]
    active = [shown.game.active] if shown.game.active else []
    return tuple(dict.fromkeys([*active, *may]))


ANSWERS_LANDING = Act(permission="judge", words=phrase_later("answer what is asked about a throw"))
"""Where a landing is in question, STOP, CACHE and the choices answer it: a ruling, not a turn."""


class PressButton(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="pins/{button}"):
    """Press or let go one of the panel's buttons: on mock pins the pin itself, else the panel's edge."""

    permission: ClassVar[Permission] = "play"
    verb: ClassVar[str] = VERBS["roll_done"]
    """One for all: each button has its own in `VERBS`."""
    down: bool
    finger: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """Tells fingers apart that hold one button at a time; a fresh word for each press."""
    button: str = ""

    def needs(self, shown: Snapshot) -> Act:
        """What it takes to press it; whoever pressed it may let it go, whatever has happened since.

        A button that no panel has is not refused here: whoever has the panel says so.
        """
        verb = next((verb for button, verb in VERBS.items() if button == self.button), "")
        if not self.down or not verb:
            return Act(permission="knock", words=self.verb)
        if self.button == "undo":
            return Act(permission="judge", words=verb)
        if shown.ask == "landing" and self.button in ("stop", "cache"):
            return ANSWERS_LANDING
        if self.button == "roll_done" and shown.stage != "playing":
            return Act(permission="lead", words=StartGame.verb)
        if not self.is_bet:
            return Act(permission="play", words=verb, players=_in_turn(shown, self.button))
        seat = int(self.button[3:]) - 1
        players = shown.game.players[seat : seat + 1] if shown.game else ("",)
        return Act(permission="bet", words=verb, players=players)

    @property
    def is_bet(self) -> bool:
        """Whether this is one of the BET buttons."""
        return self.button.startswith("bet")

    def how_secret(self) -> Secrecy:
        """Presses of BET tell the bet to whoever counts them."""
        return "here" if self.is_bet else "open"


class LockBet(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="bets"):
    """Lock a player's bet."""

    permission: ClassVar[Permission] = "bet"
    verb: ClassVar[str] = phrase_later("lock a bet")
    secrecy: ClassVar[Secrecy] = "sealed"
    player: Word
    dots: Annotated[int, msgspec.Meta(ge=0, le=99)]

    def needs(self, shown: Snapshot) -> Act:  # noqa: ARG002 - whatever is shown
        """Nobody bets for another."""
        return Act(permission=self.permission, words=self.verb, players=(self.player,))


class ChoiceRequest(BoxRequest, frozen=True, forbid_unknown_fields=True):
    """One of the game's choices, by its place in the snapshot and its words there."""

    permission: ClassVar[Permission] = "play"
    verb: ClassVar[str] = phrase_later("choose")
    choice: ChoiceNumber
    words: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]

    def needs(self, shown: Snapshot) -> Act:
        """For whoever's turn it is."""
        if shown.ask == "landing":
            return ANSWERS_LANDING
        return Act(permission=self.permission, words=self.verb, players=_in_turn(shown))


class Choose(ChoiceRequest, frozen=True, forbid_unknown_fields=True, tag="choices"):
    """Take that choice."""


class CorrectionRequest(BoxRequest, frozen=True, forbid_unknown_fields=True):
    """What the dice show: those of the reading that waits if any, else of that roll."""

    permission: ClassVar[Permission] = "judge"
    verb: ClassVar[str] = phrase_later("correct a throw")
    dice: Annotated[tuple[Die, ...], msgspec.Meta(min_length=1, max_length=40)]
    reason: Annotated[str, msgspec.Meta(max_length=200)] = ""
    roll: Annotated[int, msgspec.Meta(ge=0, le=9_999_999)] = 0
    """Rolls of the game count from 1; 0 is the last, or the one that is asked about."""


class Correct(CorrectionRequest, frozen=True, forbid_unknown_fields=True, tag="correct"):
    """Have the correction count."""


class PreviewCorrection(CorrectionRequest, frozen=True, forbid_unknown_fields=True, tag="correct/preview"):
    """What the correction would change; nothing is done."""

    @property
    def event(self) -> Corrected:
        """The correction as the engine has it."""
        return Corrected(dice=self.dice, reason=self.reason, roll=self.roll)


class RulingRequest(BoxRequest, frozen=True, forbid_unknown_fields=True):
    """A ruling on a landing at the End Zone, or the referee's decision of one in question."""

    permission: ClassVar[Permission] = "judge"
    verb: ClassVar[str] = phrase_later("rule on a landing")
    event: dict[str, Any]
    """`ruled`, `die_ruled` or `refereed`, as the engine writes it."""

    def __post_init__(self) -> None:
        """Raise ValueError for what is no ruling."""
        _ruling(self.event)

    @property
    def ruling(self) -> Ruling:
        """The ruling as the engine has it."""
        return _ruling(self.event)


def _ruling(written: dict[str, Any]) -> Ruling:
    try:
        event = wire.event_of(written)
    except Unreadable as error:
        raise ValueError(str(error)) from None
    if not isinstance(event, Ruling):
        raise ValueError(phrase("A ruling is an event ruled, die_ruled or refereed."))
    return event


class ApplyRuling(RulingRequest, frozen=True, forbid_unknown_fields=True, tag="rulings"):
    """Have the ruling count."""


class PreviewRuling(RulingRequest, frozen=True, forbid_unknown_fields=True, tag="rulings/preview"):
    """What the ruling would change; nothing is done."""


class StartGame(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="games"):
    """Begin a new game, from the lobby or after an ending."""

    permission: ClassVar[Permission] = "lead"
    verb: ClassVar[str] = phrase_later("begin a game")
    is_slow: ClassVar[bool] = True
    game: Word
    players: Annotated[tuple[Word, ...], msgspec.Meta(min_length=1, max_length=16)]
    options: Options = {}

    def needs(self, shown: Snapshot) -> Act:
        """A rematch is for those who have just played, too."""
        if shown.game is None or not self._is_rematch(shown):
            return super().needs(shown)
        return Act(permission="rematch", words=self.verb, players=shown.game.players)

    def _is_rematch(self, shown: Snapshot) -> bool:
        """Whether it is the game that is over, with its players and rules, and nothing else waits for it.

        No seed comes with it: whoever plays could know the next cards.
        """
        over, again = shown.game, shown.again
        waits = shown.sign_off is not None and shown.sign_off.standing != "signed"
        if shown.stage != "ended" or over is None or shown.match or waits:
            return False
        players = again.players if again else over.players
        options = over.options | (again.options if again else {})
        options.pop(SEED, None)
        return (self.game, self.players, dict(self.options)) == (over.game, players, options)


class GameRequest(BoxRequest, frozen=True, forbid_unknown_fields=True):
    """Do something with a game as a whole, named so that a page that is behind means no other."""

    permission: ClassVar[Permission] = "lead"
    is_slow: ClassVar[bool] = True
    action: ClassVar[GameAction]
    game_id: GameNumber


class PauseGame(GameRequest, frozen=True, forbid_unknown_fields=True, tag="games/pause"):
    """Dice and buttons mean nothing until the game is resumed."""

    verb: ClassVar[str] = phrase_later("pause the game")
    action: ClassVar[GameAction] = "pause"


class ResumeGame(GameRequest, frozen=True, forbid_unknown_fields=True, tag="games/go-on"):
    """Resume the paused game."""

    verb: ClassVar[str] = phrase_later("resume the game")
    action: ClassVar[GameAction] = "go on"


class SaveGame(GameRequest, frozen=True, forbid_unknown_fields=True, tag="games/put-away"):
    """Save the game for later."""

    verb: ClassVar[str] = phrase_later("save the game for later")
    action: ClassVar[GameAction] = "put away"


class ResumeSavedGame(GameRequest, frozen=True, forbid_unknown_fields=True, tag="games/take-up"):
    """Resume a game that was saved."""

    verb: ClassVar[str] = phrase_later("resume a saved game")
    action: ClassVar[GameAction] = "take up"


class AbandonGame(GameRequest, frozen=True, forbid_unknown_fields=True, tag="games/abandon"):
    """End a game without a result."""

    verb: ClassVar[str] = phrase_later("abandon a game")
    action: ClassVar[GameAction] = "abandon"


class SignOffResult(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="sign-off"):
    """The referee signs the result of a game off: from now on it counts."""

    permission: ClassVar[Permission] = "judge"
    verb: ClassVar[str] = phrase_later("sign a result off")
    game_id: GameNumber


class ReopenResult(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="sign-off/open"):
    """A result that was signed off is opened again, and its game is at the table."""

    permission: ClassVar[Permission] = "judge"
    verb: ClassVar[str] = phrase_later("open a result again")
    is_slow: ClassVar[bool] = True
    game_id: GameNumber
    reason: Reason


class DrawTournament(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="tournament/draw"):
    """Draw a new tournament."""

    permission: ClassVar[Permission] = "lead"
    verb: ClassVar[str] = phrase_later("draw a tournament")
    title: Word
    kind: TournamentFormat
    players: Annotated[tuple[Word, ...], msgspec.Meta(min_length=1, max_length=64)]
    game: Word
    options: Options = {}
    goal: Annotated[int, msgspec.Meta(ge=0, le=999)] = 0

    @property
    def agreed(self) -> TournamentAgreed:
        """The same without blanks around names."""
        return TournamentAgreed(
            title=self.title.strip(),
            kind=self.kind,
            players=tuple(each.strip() for each in self.players),
            game=self.game,
            options=self.options,
            goal=self.goal,
        )


class BeginMatch(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="tournament/begin"):
    """Begin a match of the tournament with its players."""

    permission: ClassVar[Permission] = "lead"
    verb: ClassVar[str] = phrase_later("begin a match")
    is_slow: ClassVar[bool] = True
    match: MatchNumber


class TakeMatchBack(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="tournament/take-back"):
    """A match of the tournament does not count, and may be played again."""

    permission: ClassVar[Permission] = "judge"
    verb: ClassVar[str] = phrase_later("take a match back")
    match: MatchNumber
    reason: Reason


class CloseTournament(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="tournament/close"):
    """The tournament is over; another may be drawn."""

    permission: ClassVar[Permission] = "lead"
    verb: ClassVar[str] = phrase_later("close the tournament")


class BeginCalledMatch(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="call/begin"):
    """The players whom a hall's desk has called begin."""

    permission: ClassVar[Permission] = "lead"
    verb: ClassVar[str] = phrase_later("begin a match")
    is_slow: ClassVar[bool] = True
    call: Word


class RefuseCalledMatch(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="call/refuse"):
    """The table does not take the match to which a hall's desk has called."""

    permission: ClassVar[Permission] = "lead"
    verb: ClassVar[str] = phrase_later("refuse a match")
    call: Word
    reason: Reason


class RestoreGame(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="restore"):
    """Go on with what is whole of a game that was set aside."""

    permission: ClassVar[Permission] = "lead"
    verb: ClassVar[str] = phrase_later("resume a damaged game")
    is_slow: ClassVar[bool] = True


class IgnoreHand(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="no-hand"):
    """What the box takes for a hand is part of the table."""

    permission: ClassVar[Permission] = "play"
    verb: ClassVar[str] = phrase_later("say what is no hand")

    def needs(self, shown: Snapshot) -> Act:
        """For whoever's turn it is."""
        return Act(permission=self.permission, words=self.verb, players=_in_turn(shown))


class AnswerQuestion(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="question/answer"):
    """Answer the very question that waits: with one of the answers offered, or with what the dice show."""

    permission: ClassVar[Permission] = "answer"
    verb: ClassVar[str] = phrase_later("answer what is asked about a throw")
    question: Word
    choice: ChoiceNumber = 0
    words: Annotated[str, msgspec.Meta(max_length=400)] = ""
    """The answer's words, as they were seen."""
    dice: Annotated[tuple[DieAsked, ...], msgspec.Meta(max_length=40)] = ()
    """Instead, for a question about dice."""
    by: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """The name of the referee at the desk."""


class MoveDice(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="hand/acts"):
    """Have a simulated table's players do one of the snapshot's `acts`."""

    permission: ClassVar[Permission] = "hand"
    verb: ClassVar[str] = phrase_later("move the dice")
    act: Word


class ChooseByHand(ChoiceRequest, frozen=True, forbid_unknown_fields=True, tag="hand/choices"):
    """Have a simulated table's players take a choice by moving dice and cards on the mat."""


class SignIn(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="sign-in"):
    """Referee or host give the PIN."""

    permission: ClassVar[Permission] = "knock"
    verb: ClassVar[str] = phrase_later("sign in")
    secrecy: ClassVar[Secrecy] = "sealed"
    office: Office
    pin: Pin
    name: Annotated[str, msgspec.Meta(max_length=40)] = ""


class SignOut(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="leave"):
    """Sign out, or leave a seat."""

    permission: ClassVar[Permission] = "knock"
    verb: ClassVar[str] = phrase_later("sign out")


class WhoAmI(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="me"):
    """Who the asking page is to the box, and what it may do."""

    permission: ClassVar[Permission] = "knock"
    verb: ClassVar[str] = phrase_later("ask who they are")


class TakeSeat(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="sit"):
    """Take the seat whose code was scanned."""

    permission: ClassVar[Permission] = "knock"
    verb: ClassVar[str] = phrase_later("take a seat")
    secrecy: ClassVar[Secrecy] = "sealed"
    token: Word
    pin: OptionalPin = ""
    """Where another page has the seat."""


class ListSeats(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="seats"):
    """All seats of the game with their codes."""

    permission: ClassVar[Permission] = "seat"
    verb: ClassVar[str] = phrase_later("hand out seats")


class TakeSeatBack(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="seats/back"):
    """Take a seat back: its page and its code are void."""

    permission: ClassVar[Permission] = "seat"
    verb: ClassVar[str] = phrase_later("take a seat back")
    player: Word


class PutPerson(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="persons"):
    """Remember a player, or change colour and PIN of one."""

    permission: ClassVar[Permission] = "lead"
    verb: ClassVar[str] = phrase_later("say who plays here")
    secrecy: ClassVar[Secrecy] = "sealed"
    name: Word
    color: PersonColor
    pin: OptionalPin = ""
    """The player's PIN, where there is one."""
    new_pin: OptionalPin | None = None
    """ "" takes it away; None leaves it as it is."""


class ForgetPerson(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="persons/forget"):
    """Remember a player no more."""

    permission: ClassVar[Permission] = "lead"
    verb: ClassVar[str] = phrase_later("forget a player")
    secrecy: ClassVar[Secrecy] = "sealed"
    name: Word
    pin: OptionalPin = ""


class ShowSetup(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="setup/look"):
    """Where the set-up stands, by the newest picture."""

    permission: ClassVar[Permission] = "setup"
    verb: ClassVar[str] = phrase_later("set up the box")


class DoSetup(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="setup/do"):
    """Open a step of the set-up, or do one of its acts."""

    permission: ClassVar[Permission] = "setup"
    verb: ClassVar[str] = phrase_later("set up the box")
    step: Word
    act: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """"" opens the step."""


class ShowSettings(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="settings/look"):
    """The settings as the owner's file has them, and what they may be."""

    permission: ClassVar[Permission] = "setup"
    verb: ClassVar[str] = phrase_later("change the settings")
    secrecy: ClassVar[Secrecy] = "sealed"


class ChangeSettings(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="settings/change"):
    """Write these settings into the owner's file."""

    permission: ClassVar[Permission] = "setup"
    verb: ClassVar[str] = phrase_later("change the settings")
    secrecy: ClassVar[Secrecy] = "sealed"
    values: Annotated[Mapping[Word, SettingValue], msgspec.Meta(min_length=1, max_length=60)]
    """By key: "table.reads"."""


class Restart(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="settings/restart"):
    """End the box, for the service to start it again with the settings that the file has by now."""

    permission: ClassVar[Permission] = "setup"
    verb: ClassVar[str] = phrase_later("restart the box")
    secrecy: ClassVar[Secrecy] = "sealed"


class ShowMaintenance(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="maintenance/look"):
    """The release that runs, what the doctor found, and what the box said in the last day."""

    permission: ClassVar[Permission] = "setup"
    verb: ClassVar[str] = phrase_later("look after the box")
    secrecy: ClassVar[Secrecy] = "sealed"


class CheckBox(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="maintenance/check"):
    """Have the doctor look at the box."""

    permission: ClassVar[Permission] = "setup"
    verb: ClassVar[str] = phrase_later("check the box")
    secrecy: ClassVar[Secrecy] = "sealed"


class ReceiveRelease(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="maintenance/receive"):
    """Let a release come in as a file, to be installed."""

    permission: ClassVar[Permission] = "setup"
    verb: ClassVar[str] = phrase_later("install a release")
    secrecy: ClassVar[Secrecy] = "sealed"

    name: Annotated[str, msgspec.Meta(max_length=200)]
    """The file's."""
    size_bytes: Annotated[int, msgspec.Meta(ge=1)]


class RollBack(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="maintenance/roll-back"):
    """Go back to the release before."""

    permission: ClassVar[Permission] = "setup"
    verb: ClassVar[str] = phrase_later("go back to the release before")
    secrecy: ClassVar[Secrecy] = "sealed"


TableRequest = (
    LockBet
    | Choose
    | Correct
    | ApplyRuling
    | StartGame
    | PauseGame
    | ResumeGame
    | SaveGame
    | ResumeSavedGame
    | AbandonGame
    | SignOffResult
    | ReopenResult
    | DrawTournament
    | BeginMatch
    | TakeMatchBack
    | CloseTournament
    | BeginCalledMatch
    | RefuseCalledMatch
    | RestoreGame
    | IgnoreHand
    | AnswerQuestion
)
"""Done in the table's thread."""
Preview = PreviewCorrection | PreviewRuling
SessionRequest = PressButton | TableRequest | Preview
"""What is asked of the session."""
HandRequest = MoveDice | ChooseByHand
"""What is asked of a simulated table's players."""
PeopleRequest = SignIn | SignOut | WhoAmI | TakeSeat | ListSeats | TakeSeatBack | PutPerson | ForgetPerson
"""What is asked about who people are."""
SetupRequest = ShowSetup | DoSetup
"""What is asked of the set-up."""
SettingsRequest = ShowSettings | ChangeSettings | Restart
"""What is asked about the settings."""
MaintenanceRequest = ShowMaintenance | CheckBox | ReceiveRelease | RollBack
"""What is asked about the box itself."""
ConsoleRequest = (
    SessionRequest | HandRequest | PeopleRequest | SetupRequest | SettingsRequest | MaintenanceRequest
)


class Done(msgspec.Struct, frozen=True):
    """It was taken."""

    text: str = ""
    """What came of it, where there is something to say."""
    ok: bool = True


class Declined(msgspec.Struct, frozen=True):
    """It was not taken, and nothing has changed."""

    text: str
    """Why, in a sentence."""
    ok: bool = False


Reply = Done | Declined


class ReleaseAwaited(msgspec.Struct, frozen=True):
    """A release may come in."""

    ticket: str
    """What it is sent with."""
    ok: bool = True


def reply_of(why_not: str) -> Reply:
    """Why it was declined; "" where it was done."""
    return Declined(why_not) if why_not else Done()
