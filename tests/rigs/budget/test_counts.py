"""Counting by the emulator's log, without the emulator."""

import pytest

from tests.rigs.budget.counts import Counted, Reader, Tally
from tests.rigs.budget.paper import Pi, pieces, share

LOG = b"""IN:
0x00400000:  f1000400  subs     x0, x0, #1
0x00400004:  54ffffe1  b.ne     #0x400000

Trace 0: 0x7f0000000000 [00000000/0000000000400000/00000001/00002000]
begin
Trace 0: 0x7f0000000000 [00000000/0000000000400000/00000001/00002000]
Trace 0: 0x7f0000000000 [00000000/0000000000400000/00000001/00002000]
----------------
IN:
0x7f22dac1ae40:  4e21d400  fadd     v0.4s, v0.4s, v1.4s
0x7f22dac1ae44:  3dc00020  ldr      q0, [x1]
0x7f22dac1ae48:  d65f03c0  ret

Trace 0: 0x7f0000000100 [00000000/00007f22dac1ae40/00000001/00002000]
Trace 1: 0x7f0000000000 [00000000/0000000000400000/00000001/00002000]
end a name
Trace 0: 0x7f0000000000 [00000000/0000000000400000/00000001/00002000]
"""
COUNTED = Counted("a name", own=Tally(all=7, vector=1, memory=1), others=Tally(all=2))


@pytest.mark.parametrize("step", [1, 7, 100, len(LOG)])
def test_what_runs_between_begin_and_end_is_counted_however_the_log_comes(step: int) -> None:
    reader = Reader()
    found = [each for at in range(0, len(LOG), step) for each in reader.read(LOG[at : at + step])]
    assert found == [COUNTED]


def test_a_block_that_the_log_never_had_is_not_passed_over() -> None:
    without = LOG.replace(b"IN:\n0x00400000", b"0x00300000")
    with pytest.raises(KeyError):
        list(Reader().read(without))


def test_a_budget_is_instructions_by_clock_and_by_instructions_in_a_cycle() -> None:
    pi = Pi("Pi", "cpu", clock_ghz=2.0, worst=0.5, best=2.0)
    assert pi.ms(4_000_000) == (1.0, 4.0)
    assert share(pi, 4_000_000, 25) == (0.025, 0.1)


def test_of_pieces_of_one_name_the_median_counts() -> None:
    still = [Counted("still", Tally(each), Tally(1)) for each in (3, 9, 4)]
    read = Counted("read", Tally(7), Tally(8))
    assert pieces([*still, Counted("warm", Tally(5), Tally()), read]) == {"still": still[2], "read": read}
