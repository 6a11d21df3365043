"""Who is called to which table: nobody to two, and no table is left over that takes a match."""

from hypothesis import given
from hypothesis import strategies as st

from device.hall.tournament import OpenMatch, TableNow, assign

TABLES = st.lists(
    st.builds(TableNow, st.sampled_from("abcdef"), st.just("Table"), st.booleans()),
    unique_by=lambda each: each.id,
)
PAIRS = st.lists(st.sampled_from(("Ann", "Bea", "Cid", "Dan", "Eve")), min_size=2, max_size=2, unique=True)
MATCHES = st.lists(
    st.builds(
        OpenMatch,
        st.integers(1, 20),
        PAIRS.map(lambda pair: (pair[0], pair[1])),
        st.frozensets(st.sampled_from("abc")),
    ),
    unique_by=lambda each: each.number,
)


def table(name: str, *, free: bool = True) -> TableNow:
    return TableNow(name.replace(" ", ""), name, free)


def told(found: list[tuple[OpenMatch, TableNow]]) -> list[str]:
    return [f"{table.name}: {', '.join(match.players)}" for match, table in found]


def test_matches_go_to_tables_in_the_order_of_both_and_table_two_stands_before_table_ten() -> None:
    matches = [OpenMatch(2, ("Cid", "Dan")), OpenMatch(1, ("Ann", "Bea")), OpenMatch(3, ("Eve", "Fay"))]
    found = assign(matches, [table("Table 10"), table("Table 2")])
    assert told(found) == ["Table 2: Ann, Bea", "Table 10: Cid, Dan"]


def test_who_plays_is_not_called_whatever_the_capitals_and_others_are_in_their_place() -> None:
    matches = [OpenMatch(1, ("Ann", "Bea")), OpenMatch(2, ("Cid", "Dan"))]
    assert told(assign(matches, [table("Table 1")], busy=["ANN"])) == ["Table 1: Cid, Dan"]


def test_a_table_that_refused_a_match_gets_another_and_the_match_another_table() -> None:
    matches = [OpenMatch(1, ("Ann", "Bea"), frozenset({"Table1"})), OpenMatch(2, ("Cid", "Dan"))]
    found = assign(matches, [table("Table 1"), table("Table 2")])
    assert told(found) == ["Table 2: Ann, Bea", "Table 1: Cid, Dan"]


@given(MATCHES, TABLES, st.sets(st.sampled_from(("Ann", "Bea", "Cid"))))
def test_nobody_is_called_twice_and_no_table_is_left_over(
    matches: list[OpenMatch], tables: list[TableNow], busy: set[str]
) -> None:
    found = assign(matches, tables, busy)
    players = [name for match, _ in found for name in match.players]
    at = [table.id for _, table in found]
    assert len({*players, *busy}) == len(players) + len(busy)
    assert len({*at}) == len(at)
    assert all(table.free and table.id not in match.not_at for match, table in found)
    left = [each.id for each in tables if each.free and each.id not in at]
    for match in matches:
        if match not in [each for each, _ in found] and not {*match.players} & {*players, *busy}:
            assert {*left} <= match.not_at
