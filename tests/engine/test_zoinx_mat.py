"""Zoinx on its mat: betting dice that are shown are the bets, taken together or not at all."""

from tests.engine.mat_table import MatTable, answer

PLAYERS = "Ann Bea Zoe"


def shows(table: MatTable, **dots: int) -> str:
    """What these betting dice mean: Ann=2."""
    bets, players = table.mat.bets, table.view.players
    assert bets is not None
    return answer(bets.judge(table.history.position, {players.index(name): n for name, n in dots.items()}))


def test_3_everybodys_dice_are_the_bets() -> None:
    found = shows(MatTable("zoinx", PLAYERS), Ann=0, Bea=4, Zoe=6)
    assert found == "Ann bets 0, Bea bets 4, Zoe bets 6"


def test_3b_nothing_is_taken_before_everybody_shows_a_die() -> None:
    table = MatTable("zoinx", PLAYERS)
    assert shows(table) == ""
    assert shows(table, Ann=2, Bea=4) == (
        "waits: I see the betting dice of Ann and Bea. "
        "Zoe still has to show one that was set down for this turn."
    )
    assert shows(table, Ann=2).endswith("Bea and Zoe still have to show one that was set down for this turn.")


def test_3_who_has_bet_already_needs_no_die() -> None:
    table = MatTable("zoinx", PLAYERS)
    table.say("Bea bets 10")
    assert shows(table, Ann=2, Zoe=6) == "Ann bets 2, Zoe bets 6"


def test_3a_the_active_players_0_is_refused_and_no_bet_is_locked() -> None:
    """Zoe begins: nearest to Z (rule 2a)."""
    table = MatTable("zoinx", PLAYERS)
    told = shows(table, Ann=0, Bea=4, Zoe=0)
    assert told == "refused at 0: Zoe rolls this turn and cannot bet 0. (rule 3a)"
    assert table.view.bets == ("thinking",) * 3
