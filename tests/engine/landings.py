"""End Zone's words for the table that is spoken to (see tests/engine/say.py).

`lands 5x20`, `lands 5x20 dot`, `Ann lands 3x2`; `lands off caught`, `lands off missed`, `lands off missed by
Bob`, `lands off missed thrown`; `lands 4x10 slid`; `lands 6x5 hitting 1 to 4x20 and 2 to 3x2 dot`,
`lands 6x5 hitting 1 off`; `covered`,
`not covered`; `chooses fast`. Rulings: `ruled 10 by Cleo on 3`, `die rules 3 odd 20 even 10 on 2`,
`referee lands 5x20`, `referee on 3 lands off missed`.
"""

import re

from engine.events import Chosen, Confirmed, DieRuled, Event, Landed, Moved, Refereed, Ruled

LANDS = re.compile(
    r"(?:(?P<player>\w+) )?lands (?:(?P<value>\d)x(?P<zone>\d+)|off (?P<off>caught|missed))(?P<dot> dot)?"
    r"(?: (?P<foul>late|slid|thrown))?(?: by (?P<catcher>\w+))?(?: hitting (?P<moved>.+))?"
)
HIT = re.compile(r"(\d+) (?:to (\d)x(\d+)( dot)?|off)")


def landed(words: str) -> Landed | None:
    """The landing that the words tell."""
    if not (found := LANDS.fullmatch(words)):
        return None
    moved = [HIT.fullmatch(each) for each in (found["moved"] or "").split(" and ") if each]
    return Landed(
        value=int(found["value"] or 0),
        zone=int(found["zone"] or 0),
        dot=bool(found["dot"]),
        off=found["off"] or "",  # type: ignore[arg-type]  # the expression knows no other words
        foul=found["foul"] or "",  # type: ignore[arg-type]
        player=found["player"] or "",
        catcher=found["catcher"] or "",
        moved=tuple(
            Moved(die=int(hit[1]), value=int(hit[2]), zone=int(hit[3]), dot=bool(hit[4]))
            if hit[2]
            else Moved(die=int(hit[1]), off=True)
            for hit in moved
            if hit
        ),
    )


def told(words: str) -> Event | None:
    """The event that the words tell; None when they are none of End Zone's."""
    if words in {"covered", "not covered"}:
        return Confirmed(covered=words == "covered")
    if words.startswith("chooses "):
        return Chosen(mode=words.removeprefix("chooses "))
    return ruling(words) or landed(words)


def ruling(words: str) -> Event | None:
    """The ruling that the words tell; None when they tell none."""
    if ruled := re.fullmatch(r"ruled (\d+)(?: by (\w+))?(?: on (\d+))?", words):
        return Ruled(zone=int(ruled[1]), by=ruled[2] or "", landing=int(ruled[3] or 0))
    if die := re.fullmatch(r"die rules (\d) odd (\d+) even (\d+)(?: on (\d+))?", words):
        value, odd, even = map(int, die.groups()[:3])
        return DieRuled(value=value, odd=odd, even=even, landing=int(die[4] or 0))
    if referee := re.fullmatch(r"referee (?:on (\d+) )?(lands .+)", words):
        landing = landed(referee[2])
        return landing and Refereed(landed=landing, reason="seen", landing=int(referee[1] or 0))
    return None
