"""Solo Play.

Rules
20   One player rolls three dice, one at a time, adds them up, and tries to beat that total from the
     other end.
20a  While each total beats the one before, the run goes on. The same total does not beat it.
20b  The run ends at the first that does not; then start again. A covered dot ends it with a win.
"""

from dataclasses import replace

from engine.end_zone.agreed import EndZoneAgreement
from engine.end_zone.game import Game, Kind, Scored
from engine.wording import phrase


def _three(lap: int) -> int:  # noqa: ARG001 - a Kind's
    return 3


def _own(agreed: EndZoneAgreement) -> bool:  # noqa: ARG001 - a Kind's
    return False


def _scored(agreed: EndZoneAgreement, game: Game, margin: int, dice: Scored) -> tuple[Game, str]:  # noqa: ARG001 - a Kind's
    """`points` is the total to beat; nobody is left in `still` when it was not beaten."""
    new, before = sum(score for _, score in dice), game.points[margin]
    if game.lap_no == 1:
        return replace(game, points=(new,)), phrase("The total to beat is {points}.", points=new)
    if new > before:
        return replace(game, points=(new,)), phrase("{points} beats {before}.", points=new, before=before)
    return replace(game, still=()), phrase("{points} does not beat {before}.", points=new, before=before)


def _onward(agreed: EndZoneAgreement, game: Game) -> Game | tuple[int, ...]:  # noqa: ARG001 - a Kind's
    return replace(game, lap_no=game.lap_no + 1, lap=game.still) if game.still else game.order


SOLO = Kind(dice=_three, scored=_scored, onward=_onward, one_margin=_own)
