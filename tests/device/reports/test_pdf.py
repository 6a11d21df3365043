"""A report on A4: what is too wide for the paper gives way where it can."""

import pytest
from reportlab.lib.units import mm

from device.reports.blocks import Grid
from device.reports.pdf import WIDTH_MM, _set_type, _widths


def test_where_a_table_is_too_wide_its_widest_columns_are_narrowed_and_no_others() -> None:
    _set_type()
    pair = "Maximiliane Schaffhausen-Oberkirchinger - Wolfeschlegelsteinhausenbergerdorffssss"
    words = ("63", "Quarter-finals", pair, "1,000 : 1,000", pair, "Table 16")

    def widths(*row: str) -> list[float]:
        return _widths(Grid(caption="", head=("",) * len(row), rows=(row,)), 8.0)

    found, kept = widths(*words), widths(*(each for each in words if each != pair))
    assert sum(found) == pytest.approx(WIDTH_MM * mm)
    assert [found[0], found[1], found[3], found[5]] == kept
    assert found[2] == found[4] > max(kept)
