"""The table: frames, edges and requests in; one snapshot out, and from it lamps, board and console.

How it works. Everything arrives here in one thread, one thing after the other; nothing here waits, sleeps or
starts a thread. A frame is looked at (is it still, is there a hand?) and goes to the game's throw detector,
which was chosen when the game began: it reads or measures the dice when they lie still and count, and gives
them to the match, which asks the rulebook and the journal. Then the snapshot is made anew, and shown if it
differs from the last one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from device.cameras import Frame
from device.films import Filming
from device.games.games import CANNOT_BE_PLAYED, PAUSED, Games, RunningGame, still, why_aside
from device.games.results import Results
from device.journal import Journal, Moment
from device.landings import Watching
from device.match import Match
from device.match.showing import acts_shown, again_shown, choices_shown
from device.match.throw_detector import is_doubtful
from device.panel import Lights, Press, Presses, Stuck
from device.people.actor import Actor
from device.requests import GameAction
from device.shown.snapshot import AsideShown, GameShown, MessageShown, ProposedShown, Reads, Snapshot
from device.table.picture_trouble import FilmSummary, trouble_of
from device.table.reading import Sharpening
from device.table.screen import Facts, Screen
from engine.rulebooks import RULEBOOKS
from engine.wording import phrase, phrase_later
from engine.words import together
from vision.watch import FrameState

CHOOSE = phrase_later("Choose a game.")
CARD_FULL = phrase_later(
    "The card is full: nothing can be recorded, so no game goes on. All that was played is safe. Delete "
    "files on it, or copy the data folder to a larger card; the box then goes on by itself."
)
CHOOSE_FIRST = phrase_later("Choose a game first, on the console.")
CHOOSE_FIRST_BY_BUTTON = phrase_later("Choose a game first: on the console, or with ROLL DONE.")
OFFERED = phrase_later("{game} for {players}. Hold ROLL DONE to begin; press it for another game.")
ROOM_AGAIN = phrase_later("The card has room again. Choose a game, or go on.")
THE_END = phrase_later("The pictures have come to their end.")
SIGN_FIRST = phrase_later("The result of game {game_id} waits for the referee's sign-off. Sign it off first.")
DONE_WITH: Mapping[GameAction, str] = {
    "put away": phrase_later("The game is saved. Resume it on the page of the whole table."),
    "abandon": phrase_later("The game is abandoned."),
}


def no_acts(game: str) -> Mapping[str, str]:  # noqa: ARG001 - in no game
    """The acts at a real table: none, for nobody moves its dice from the console."""
    return {}


def never(time_ms: float) -> bool:  # noqa: ARG001 - at no time
    """Whether a simulated hand is at work: a real table has none."""
    return False


class Table:
    """One table with one game at a time. Not for several threads: the box's loop is the only caller."""

    def __init__(  # noqa: PLR0913 - each comes from another part of the box
        self,
        journal: Journal,
        games: Games,
        results: Results,
        watch: Watching,
        sharpening: Sharpening,
        lights: Lights,
        presses: Presses,
        *,
        now: Callable[[], Moment],
        tell: Callable[[Snapshot], None],
        reads: Reads,
        stuck: Stuck | None = None,
        acts: Callable[[str], Mapping[str, str]] = no_acts,
        hand_busy: Callable[[float], bool] = never,
        films: Filming | None = None,
    ) -> None:
        """`tell` is called with each new snapshot. `acts`: what the console can do to the dice in a game, by
        its name ("" for none), and `hand_busy`: whether at a frame's time it still does; at a real table
        nothing. `films`: None where no throw is filmed."""
        self.journal, self._games, self.results = journal, games, results
        self._watch, self._sharpening = watch, sharpening
        self._lights, self._presses, self._stuck = lights, presses, stuck or Stuck()
        self.now, self._reads, self._films = now, reads, films
        self._acts, self._hand_busy = acts, hand_busy
        shown, choices = acts_shown(acts("")), choices_shown(RULEBOOKS.values())
        first = Snapshot(choices=choices, simulated=bool(shown), acts=shown, reads=reads)
        self._screen = Screen(first, lights, tell)
        self._film = FilmSummary()
        self._play: RunningGame | None = None
        self._look: FrameState | None = None
        self._lost = ""
        self._still: GameShown | None = None
        """What is shown of a paused game."""
        self._set_aside: AsideShown | None = None
        self._aside = MessageShown(phrase(CHOOSE))
        self._fingers: dict[str, Actor | None] = {}
        self.frame: Frame | None = None
        """The newest frame, if any came."""

    @property
    def snapshot(self) -> Snapshot:
        """What is shown now."""
        return self._screen.snapshot

    def address(self, address: str) -> None:
        """Where the console can be reached."""
        self._screen.set_address(address)
        self._show()

    def propose(self, game: str, options: Mapping[str, str]) -> None:
        """What the lobby opens with; nothing is begun."""
        self._screen.set_proposed(ProposedShown(game, dict(options)))
        self._show()

    def propose_last(self) -> None:
        """The lobby opens with what was played last: the next game is one touch away."""
        proposed = self._games.propose_last()
        if proposed is not None:
            self._screen.set_proposed(proposed)
            self._show()

    # What people ask for

    def finger_of(self, button: str, who: Actor | None) -> None:
        """Whose finger goes on a button now; None: one at the box itself."""
        self._fingers[button] = who

    def start(self, game: str, players: Sequence[str], options: Mapping[str, str]) -> str:
        """Begin a game; returns what is wrong, or ""."""
        going = self._play.match if self._play else None
        if going is not None and going.view.ending is None and going.can_undo:
            return phrase("A game is being played. Save it for later or abandon it first.")
        if going is not None and going.view.ending is not None and going.sign_off.waits:
            return phrase(SIGN_FIRST, game_id=going.game_id)
        try:
            self._begin(self._games.begin(game, players, options))
        except CANNOT_BE_PLAYED as error:
            return str(error)
        self._watch.learn_anew()
        self._look = None
        return ""

    def resume(self, game_id: int) -> None:
        """Go on with a game of the journal; raises `device.games.games.CANNOT_BE_PLAYED`."""
        self._begin(self._games.resume(game_id))

    def go_on(self, game_id: int) -> None:
        """Go on with a game of the journal, or set it aside and say why: the lobby is there in any case."""
        try:
            self.resume(game_id)
        except Exception as error:  # noqa: BLE001 - whatever a damaged game brings about, the box stays there
            self.set_aside(why_aside(game_id, error))

    def set_aside(self, what: AsideShown) -> None:
        """Something of the journal cannot be opened."""
        self._set_aside = what
        self._games.forget_list()
        self._show()

    def change_game(self, what: GameAction, game_id: int) -> str:
        """Do that with a game as a whole; returns why not, or ""."""
        try:
            play = self._games.change(self._play, what, game_id)
        except CANNOT_BE_PLAYED as error:
            return str(error)
        if play is None:
            self._leave(DONE_WITH.get(what, ""))
        elif play is self._play:
            self._show()
        elif play.paused:
            self._pause(play)
        else:
            self._begin(play)
            self._watch.learn_anew()
            self._look = None
        return ""

    @property
    def play(self) -> RunningGame | None:
        """The game at the table; None for none."""
        return self._play

    def set_game(self, play: RunningGame) -> None:
        """That game is at the table from now on, unless it is there already."""
        if play is not self._play:
            self._begin(play)
        self._aside = MessageShown()

    def run(self, do: Callable[[], None]) -> str:
        """Do something of which the game at the table knows nothing; returns why not, or ""."""
        try:
            do()
        except CANNOT_BE_PLAYED as error:
            return str(error)
        self._show()
        return ""

    def with_match(self, ask: Callable[[Match], bool]) -> str:
        """Have the match at the table do that, unless it is paused; returns why not, or ""."""
        if self._play is None:
            return phrase("No game is going on.")
        if self._play.paused:
            return phrase(PAUSED)
        match = self._play.match
        self._aside = MessageShown()
        taken = ask(match)
        self._show()
        return "" if taken else match.message.text

    def restore(self) -> str:
        """Go on with what is whole of what was set aside; returns why not, or ""."""
        if self._set_aside is None:
            return phrase("Nothing is set aside.")
        try:
            self._begin(self._games.restore(self._set_aside))
        except CANNOT_BE_PLAYED as error:
            return str(error)
        return ""

    def no_hand(self) -> str:
        """What is taken for a hand is part of the table, people say; returns why not, or ""."""
        if self._look is None or self._look.state != "hand":
            return phrase("The box sees no hand.")
        self._watch.take_for_table()
        return ""

    # What the wires bring

    def edge(self, button: str, down: bool, time_ms: float) -> None:
        """A contact closed or opened."""
        self._stuck.edge(button, down, time_ms)
        self._pressed(self._presses.edge(button, down, time_ms))
        self._show()

    def off_moved(self, down: bool, time_ms: float) -> None:
        """The off button went down or up: that is the box's business, but one that is stuck is told here."""
        self._stuck.edge("off", down, time_ms)
        self._show()

    def tick(self, time_ms: float) -> None:
        """Time passed."""
        self._pressed(self._presses.tick(time_ms))
        watched = self._play is not None and not self._play.paused
        for button in self._play.detector.blink(time_ms) if self._play and watched else ():
            self._lights.acknowledge(button, time_ms)
        self._show()

    def due_ms(self) -> float | None:
        """When `tick` has something to do at the latest."""
        return self._presses.due_ms()

    def lost(self, text: str) -> None:
        """No picture comes."""
        self._lost, self._look = text, None
        self._show()

    def over(self) -> None:
        """The film or the folder has ended: that is shown, and why no throw was read if none was."""
        play, why = self._play, ""
        if play is not None and self._reads == "at_rest":
            shown = play.detector.state
            why = "" if shown.taken or shown.landing else self._film.why_nothing_was_read
        self.lost(f"{phrase(THE_END)} {why}".strip())

    def handle_frame(self, frame: Frame) -> None:
        """A new frame."""
        both_ends = self._play is not None and self._play.match.rulebook.dice.landing
        self.frame = frame = frame if both_ends else frame.near
        self._lost = ""
        self._look = look = self._watch.watch(frame)
        if self._play is None or both_ends:
            self._sharpening.end()
        else:
            self.frame = frame = self._sharpening.add_sharp(frame, look)
        if self._play is not None and not self._play.paused:
            if self._films is not None:
                self._films.record(frame, look)
            self._film.add(look)
            self._play.detector.detect(frame, look)
        self._show()

    # Inside

    def _pause(self, play: RunningGame) -> None:
        play.detector.waiting.end()
        self._play, self._still = play, still(play.match.show())
        self._aside = MessageShown(phrase(PAUSED), "info", "PAUSE")
        self._show()

    def _leave(self, said: str) -> None:
        """No game is at the table any more: the lobby is there."""
        self._play = None
        self._aside = MessageShown(f"{phrase(said)} {phrase(CHOOSE)}" if said else phrase(CHOOSE))
        self.propose_last()
        self._screen.set_acts(acts_shown(self._acts("")))
        self._show()

    def _begin(self, play: RunningGame) -> None:
        self._play, self._set_aside = play, None
        self._still = still(play.match.show()) if play.paused else None
        self._games.forget_list()
        self.results.signing.forget_list()
        self._aside = MessageShown(phrase(PAUSED), "info", "PAUSE") if play.paused else MessageShown()
        self._games.trim_pictures(play.match.game_id)
        self._screen.set_acts(acts_shown(self._acts(play.match.rulebook.name)))
        if self._films is not None:
            self._films.begin(play.detector.state.taken)
        self._show()

    def _pressed(self, presses: Sequence[Press]) -> None:
        for press in presses:
            self._lights.acknowledge(press.button, press.time_ms)
            if self._play is not None and self._play.paused:
                self._aside = MessageShown(phrase(PAUSED), "refused", "PAUSE")
                continue
            if self._play is not None and self._play.match.is_secret(press):
                self._take(press, self._play.match)
                continue
            self._aside = MessageShown()
            if self._begins_by_button and press.button == "roll_done":
                self._choose_game(press)
                continue
            if self._play is None:
                way = CHOOSE_FIRST_BY_BUTTON if self._begins_by_button else CHOOSE_FIRST
                self._aside = MessageShown(phrase(way), "refused")
                continue
            if press.button == "roll_done" and press.kind == "long" and is_doubtful(self._look):
                self._watch.take_for_table()
            detector = self._play.detector
            detector.waiting.end()
            if self._take(press, self._play.match):
                waits = phrase("Waiting for the camera. {trouble}", trouble=self._lost).strip()
                detector.waiting.begin(waits, press.time_ms)
                if self.frame is not None and self._look is not None:
                    detector.detect_now(self.frame, self._look)

    def _choose_game(self, press: Press) -> None:
        """By ROLL DONE alone a game is chosen: each short press offers the next one, a long one begins it."""
        offered, over = self.snapshot.proposed, self._play.match if self._play else None
        on_board = offered is not None and offered.by_button
        if offered is not None and on_board and press.kind == "long":
            with self.journal.heard_from(self._fingers.get(press.button)):
                why = self.start(offered.game, offered.players, offered.options)
            self._aside = MessageShown(why, "refused") if why else self._aside
            return
        offered = self._games.propose_next(offered if on_board or over is None else None, over)
        self._screen.set_proposed(offered)
        game, players = RULEBOOKS[offered.game].title, together(offered.players)
        self._aside = MessageShown(phrase(OFFERED, game=game, players=players))

    @property
    def _begins_by_button(self) -> bool:
        """Whether ROLL DONE chooses a game now: none is played, and no referee begins them."""
        match = self._play.match if self._play else None
        free = match is None or (match.view.ending is not None and not match.in_question)
        return free and self._set_aside is None and not self._games.asks_sign_off

    def _take(self, press: Press, match: Match) -> bool:
        """Give the match a press, with whose finger it was. True when the table is to be read now."""
        with self.journal.heard_from(self._fingers.get(press.button)):
            return match.press(press, self.now())

    def alarm(self, text: str) -> None:
        """Say what went wrong beside the game."""
        self._aside = MessageShown(text, "alarm")

    def _advance(self) -> None:
        """What follows by itself from what has just happened, before any of it is shown."""
        if self._play is not None:
            if self._play.match.view.ending is None:
                self._screen.withdraw_offer()
            self.results.advance(self._play.match)
            if self._films is not None:
                self._films.follow(self._play.match.game_id, self._play.detector.state.taken)
        self.results.poll(self._play)

    def look_for_room(self) -> None:
        """Where the card was full: see whether the journal can go on."""
        if self.journal.go_on():
            self._aside = MessageShown(phrase(ROOM_AGAIN))
        self._show()

    def _show(self) -> None:
        """Move on what follows by itself, and bring the screen up to date."""
        self._advance()
        facts = self._of_lobby() if self._play is None else self._of_game(self._play)
        if self.journal.full and facts.aside is None:
            facts = replace(facts, message=MessageShown(phrase(CARD_FULL), "alarm", "FULL"))
        now_ms = self.now().steady_ms
        self._screen.show(
            replace(
                facts,
                camera=self._lost or trouble_of(self._look),
                remark=self.frame.remark if self.frame else "",
                state=self._look.state if self._look else "no picture",
                hand_busy=self._hand_busy(self.frame.time_ms) if self.frame else False,
                stuck=self._stuck.at(now_ms),
            ),
            now_ms,
        )

    def _of_lobby(self) -> Facts:
        aside = self._set_aside
        said = MessageShown(f"E 12: {aside.text}", "alarm", "E 12") if aside else self._aside
        others = self._games.list_others(aside.game_id if aside else None)
        return Facts(
            lamps=self._lamps_of_choice,
            message=said,
            aside=aside,
            put_away=others,
            results=self.results.show(None),
        )

    @property
    def _lamps_of_choice(self) -> dict[str, bool]:
        return {"roll_done": True} if self._begins_by_button else {}

    def _of_game(self, play: RunningGame) -> Facts:
        match, detector = play.match, play.detector
        why, news, seen = detector.waiting.why, self._aside, detector.state
        over, waits = match.view.ending is not None, self._still
        return Facts(
            stage="ended" if over else "playing",
            game_id=match.game_id,
            game=waits or match.show(),
            lamps={} if waits else match.lamps() | self._lamps_of_choice,
            can_undo=match.can_undo and not waits,
            pending=bool(match.pending) and not waits,
            paused=waits is not None,
            again=again_shown(match.position) if over else None,
            put_away=self._games.list_others(match.game_id) if over else (),
            results=self.results.show(match),
            message=MessageShown(why, "unsure") if why else news if news.text else match.message,
            doubtful_hand=is_doubtful(self._look),
            detector=seen,
            films=self._films.show(match.game_id) if self._films else None,
        )
