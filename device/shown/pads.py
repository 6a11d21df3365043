"""The score pad as pages get it (see `engine.pad`): fields that hold nothing are sent as nothing."""

import msgspec

from engine.pad import Mark, PadCell, PadKind, PadRow, RowRole, ScorePad


class PadDieShown(msgspec.Struct, frozen=True, array_like=True):
    """One die that a field was filled with; sent as a list, for a full card has hundreds."""

    landing: int
    """As `PastLandingShown.landing` counts them."""
    words: str
    points: int


class PadCellShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """One field of a pad."""

    points: int | None = None
    words: str = ""
    dice: tuple[PadDieShown, ...] = ()
    mark: Mark = ""


class PadRowShown(msgspec.Struct, frozen=True):
    """One line of a pad, with a field for each column."""

    name: str
    role: RowRole
    about: str
    cells: tuple[PadCellShown, ...]
    players: tuple[str, ...]


class PadColumnShown(msgspec.Struct, frozen=True):
    """One column of a pad."""

    name: str
    players: tuple[str, ...]


class PadShown(msgspec.Struct, frozen=True):
    """One paper: a score card, King's line, ZONK's quotas."""

    kind: PadKind
    title: str
    columns: tuple[PadColumnShown, ...]
    rows: tuple[PadRowShown, ...]


def pad_shown(pad: ScorePad) -> PadShown:
    """A pad for pages."""
    columns = tuple(PadColumnShown(each.name, each.players) for each in pad.columns)
    return PadShown(pad.kind, pad.title, columns, tuple(map(_row, pad.rows)))


def _row(row: PadRow) -> PadRowShown:
    return PadRowShown(row.name, row.role, row.about, tuple(map(_cell, row.cells)), row.players)


def _cell(cell: PadCell) -> PadCellShown:
    dice = tuple(PadDieShown(die.landing, die.words, die.points) for die in cell.dice)
    return PadCellShown(cell.points, cell.words, dice, cell.mark)
