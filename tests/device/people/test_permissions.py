"""Who may do what at which table, and what whoever may not is told."""

from typing import get_args

import pytest

from device.people.actor import FAMILY, VIEWER, Actor, Role, TableKind
from device.people.permissions import OFFICES, WHO_MAY, Act, Permission, why_not

ANN, BEN = Actor("player", "Ann"), Actor("player", "Ben")
REFEREE, HOST = Actor("referee", "Cleo"), Actor("host")
PEOPLE = (VIEWER, ANN, REFEREE, HOST)
CORRECT = Act(permission="judge", words="correct a throw")
STOP = Act(permission="play", words="press STOP", players=("Ann",))
BET = Act(permission="bet", words="lock a bet", players=("Ann",))


MAY: dict[str, tuple[str, str]] = {
    "knock": ("viewer table player referee host", "viewer table player referee host"),
    "bet": ("player", "player"),
    "play": ("player host", "player referee"),
    "hand": ("player host", "player referee"),
    "judge": ("host", "referee"),
    "lead": ("host", "referee"),
    "rematch": ("player host", "player referee"),
    "seat": ("host", "referee host"),
    "setup": ("host", "host"),
    "answer": ("desk", "desk"),
}
"""Who may do it in a club and at a tournament."""


def test_in_a_club_and_at_a_tournament_these_may_and_no_others() -> None:
    club, tournament = WHO_MAY["club"], WHO_MAY["tournament"]
    assert {each: (" ".join(club[each]), " ".join(tournament[each])) for each in get_args(Permission)} == MAY


def test_every_permission_is_settled_at_every_table() -> None:
    assert set(WHO_MAY) == set(get_args(TableKind)) == set(OFFICES)
    for permissions in WHO_MAY.values():
        assert set(permissions) == set(get_args(Permission))
        assert all(roles for roles in permissions.values())


def test_at_a_familys_table_everybody_may_do_everything() -> None:
    acts = {each: Act(permission=each, words="do it", players=("Ann",)) for each in get_args(Permission)}
    assert [each for each, act in acts.items() if why_not(act, "family", FAMILY)] == ["answer"]


@pytest.mark.parametrize("kind", get_args(TableKind))
def test_only_the_boxs_own_uplink_answers_for_a_desk(kind: TableKind) -> None:
    answer = Act(permission="answer", words="answer")
    assert why_not(answer, kind, Actor("desk", "Cleo")) == ""
    others = (FAMILY, *PEOPLE)
    assert {why_not(answer, kind, each) for each in others} == {"Only this box's own teller answers here."}


@pytest.mark.parametrize(("kind", "leader"), [("club", HOST), ("tournament", REFEREE)])
@pytest.mark.parametrize("permission", ["judge", "lead"])
def test_one_alone_leads_and_rules(kind: TableKind, leader: Actor, permission: Permission) -> None:
    act = Act(permission=permission, words="correct a throw")
    assert [who for who in PEOPLE if not why_not(act, kind, who)] == [leader]


def test_a_referee_in_a_club_and_a_host_at_a_tournament_do_not_rule() -> None:
    assert why_not(CORRECT, "club", REFEREE) == (
        "Only the host may correct a throw here. Open Host and give the PIN."
    )
    assert why_not(CORRECT, "tournament", HOST) == (
        "Only the referee may correct a throw here. Open Referee and give the PIN."
    )
    assert why_not(Act(permission="setup", words="set up the box"), "tournament", REFEREE) == (
        "Only the host may set up the box here. Open Referee, choose Host and give the PIN."
    )


@pytest.mark.parametrize("kind", ["club", "tournament"])
def test_a_bet_is_the_players_own(kind: TableKind) -> None:
    assert why_not(BET, kind, ANN) == ""
    assert "Ann bets on a page of their own" in why_not(BET, kind, BEN)
    for other in (VIEWER, REFEREE, HOST):
        assert "Only Ann may bet for Ann here." in why_not(BET, kind, other)


def test_a_turn_is_for_whose_turn_it_is() -> None:
    assert why_not(STOP, "club", ANN) == ""
    assert why_not(STOP, "club", HOST) == ""
    assert why_not(STOP, "club", BEN) == "It is not your turn: only Ann or the host may press STOP now."
    assert why_not(STOP, "club", VIEWER).startswith("You are watching: ")


@pytest.mark.parametrize("kind", ["club", "tournament"])
def test_a_rematch_is_for_those_who_have_played(kind: TableKind) -> None:
    act = Act(permission="rematch", words="begin a game", players=("Ann",))
    assert why_not(act, kind, ANN) == ""
    assert [bool(why_not(act, kind, who)) for who in (BEN, VIEWER)] == [True, True]


@pytest.mark.parametrize("kind", ["club", "tournament"])
def test_who_watches_may_do_nothing_and_is_told_the_way(kind: TableKind) -> None:
    for permission in get_args(Permission):
        if permission in ("knock", "answer"):
            continue
        told = why_not(Act(permission=permission, words="do that", players=("Ann",)), kind, VIEWER)
        assert told.endswith("."), permission
        assert "Scan the code" in told or "give the PIN" in told, permission


@pytest.mark.parametrize("role", get_args(Role))
def test_everybody_has_words_for_the_journal(role: Role) -> None:
    assert Actor(role, "Cleo" if role in ("player", "referee", "host") else "").words
