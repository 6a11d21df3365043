"""What may happen at a table, whether it makes sense there or not: for tests that look by chance."""

from hypothesis import strategies as st

from engine import events
from engine.dice import FACES, Die

NAMES = ("Ann", "Jürgen Ö.", "100%: =@/", "日本 Ann")
DICE = st.sampled_from([Die(kind, face) for kind, faces in FACES.items() for face in faces])
ANY_DICE = st.one_of(
    st.lists(DICE, min_size=1, max_size=6),
    st.lists(st.sampled_from([Die("zoinx", "dot"), Die("zoinx", "square")]), min_size=4, max_size=4),
    st.lists(st.sampled_from([Die("pip", face) for face in range(1, 7)]), min_size=1, max_size=6),
).map(tuple)
CARDS = st.sampled_from(["Magic Aura", "Chaos Swap", "Time Warp Tonic", "Dictate Fate", "Ace of Spades"])
ZONES = st.sampled_from((20, 10, 5, 2, 1, 0))
PIPS = st.integers(1, 6)
MOVED = st.builds(events.Moved, die=st.integers(1, 4), value=PIPS, zone=ZONES)
LANDED = st.one_of(
    st.builds(events.Landed, value=PIPS, zone=ZONES, moved=st.lists(MOVED, max_size=2).map(tuple)),
    st.builds(
        events.Landed, value=PIPS, zone=st.just(5), dot=st.booleans(), player=st.sampled_from(["", *NAMES])
    ),
    st.builds(
        events.Landed, off=st.sampled_from(["caught", "missed"]), catcher=st.sampled_from(["", *NAMES])
    ),
)
ANY_EVENT: st.SearchStrategy[events.Event] = st.one_of(
    st.builds(events.Bet, player=st.sampled_from([*NAMES, "Nobody"]), dots=st.integers(-1, 11)),
    st.builds(events.Rolled, dice=ANY_DICE),
    st.builds(events.Stop),
    st.builds(events.Pocket, combos=st.lists(ANY_DICE, min_size=1, max_size=2).map(tuple)),
    st.builds(events.Cache),
    st.builds(events.Draw, card=CARDS),
    st.builds(events.Play, card=CARDS, die=st.none() | DICE, pocket=st.integers(-1, 4)),
    LANDED,
    st.builds(events.Confirmed, covered=st.booleans()),
    st.builds(events.Chosen, mode=st.sampled_from(["fast", "score-card", "chess"])),
    st.builds(events.Ruled, zone=ZONES, landing=st.integers(0, 3)),
    st.builds(events.DieRuled, odd=st.just(20), even=st.just(5), value=PIPS, landing=st.integers(0, 3)),
    st.builds(events.Refereed, landed=LANDED, reason=st.just("seen"), landing=st.integers(0, 3)),
    st.builds(events.Undo),
    st.builds(events.Corrected, dice=ANY_DICE, roll=st.integers(0, 4)),
)
