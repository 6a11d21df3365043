"""What is called aloud now: the one place that decides it, for the box's own voice and for every page.

How it works. What people read at the table is what they hear: the message, as sentences for the ear and not
too many of them. While bets are secret the message is left alone, for it may answer somebody's bet; what the
rulebook tells everybody is called until the first bet is locked, then nothing until all are shown.
"""

import re

import msgspec

from device.shown.snapshot import CalledShown, Snapshot, Sound
from engine.wording import MARKS, phrase, phrase_later, spoken_language

LONGEST = 220
"""The most letters that are said, in whole sentences: some fifteen seconds."""
LOST = ("ZOINX", "ZONK")
"""What the board shows when a turn brings nothing."""
_RULE = re.compile(r" \((?:[Rr]ules?|Regeln?|règles?)\s[^)]*\)")
"""In each language."""
_WRITTEN = (
    (re.compile(r"(?<=[\d ])[x×](?= ?\d)"), phrase_later("times")),
    (re.compile(r" -> "), phrase_later(" to ")),
    (re.compile(r" = "), phrase_later(" makes ")),
    (re.compile(r"±"), phrase_later(" plus or minus ")),
    (re.compile(r"\s+"), " "),
)
"""What is written and how it is said, in this order."""
_SENTENCE = re.compile(r".*?(?:[.!?:;](?= )|$)")


def call_for(snapshot: Snapshot) -> CalledShown:
    """What is called while this is shown; empty words where nothing is."""
    words = spoken(_text_of(snapshot))
    if not words:
        return CalledShown()
    return CalledShown(words=words, sound=_sound_of(snapshot), moment=_moment_of(snapshot))


def after(last: CalledShown, snapshot: Snapshot) -> CalledShown:
    """The newest call: that of the snapshot, or the last one where nothing new is to be called."""
    new = call_for(snapshot)
    if not new.words or (new.words, new.moment) == (last.words, last.moment):
        return last
    return msgspec.structs.replace(new, number=last.number + 1)


def spoken(text: str) -> str:
    """A text as it is said: no numbers of rules, no signs, no marks in numbers, few whole sentences."""
    between = re.compile(rf"(?<=\d){re.escape(MARKS[spoken_language()][1])}(?=\d{{3}})")
    for written, said in ((_RULE, ""), (between, ""), *_WRITTEN):
        text = written.sub(phrase(said) if said.strip() else said, text)
    told = ""
    for sentence in filter(None, _SENTENCE.findall(text.strip())):
        if told and len(told) + len(sentence) > LONGEST:
            break
        told += sentence
    return told.strip()[:LONGEST]


def _text_of(snapshot: Snapshot) -> str:
    game = snapshot.game
    if game is None or not any(isinstance(bet, str) for bet in game.bets):
        return snapshot.message.text or (game.news if game else "")
    return "" if "locked" in game.bets else game.news


def _sound_of(snapshot: Snapshot) -> Sound:
    game = snapshot.game
    if snapshot.message.tone in {"unsure", "alarm", "refused"}:
        return "ask"
    if game is not None and game.winners:
        return "win"
    return "lost" if game is not None and game.banner in LOST else "news"


def _moment_of(snapshot: Snapshot) -> str:
    """Tells two moments apart in which the same is said: the same throw twice is called twice."""
    return f"{snapshot.game_id} {snapshot.game.line}" if snapshot.game else ""
