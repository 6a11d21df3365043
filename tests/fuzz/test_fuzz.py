"""A few cases of each fuzz target end without a fault; `make fuzz` runs the thousands."""

import pytest

from tests.fuzz.targets import FAULT, TARGETS, load_target


@pytest.mark.long
@pytest.mark.parametrize("name", TARGETS)
def test_fuzzed_input_causes_no_fault(name: str) -> None:
    outcomes = list(load_target(name).fuzz(12, seed=1))
    if set(outcomes) == {"skipped"}:
        pytest.skip(f"what {name} needs is not installed")
    assert len(outcomes) == 12
    assert [outcome for outcome in outcomes if outcome.startswith(FAULT)] == []
