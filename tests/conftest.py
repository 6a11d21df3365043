"""For all tests: a busy machine is slow, and slowness is no failure; chance looks briefly or widely.

`make test` looks at a few examples, always the same ones; `make test-all` looks at many, and at new ones.
"""

import gc
import os
import shutil
from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from engine.wording import speak

MEMORY, ROOM_BYTES = Path("/dev/shm"), 2e9  # noqa: S108 - pytest makes a folder of its own there


def memory_has_room() -> bool:
    """Whether files can be written and run in a folder that lies in memory."""
    if not (MEMORY.is_dir() and os.access(MEMORY, os.W_OK)):
        return False
    return not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC and shutil.disk_usage(MEMORY).free > ROOM_BYTES


if memory_has_room():  # a journal waits for the disk at each row; what it writes is the same in memory
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

gc.set_threshold(50_000, 20, 20)
"""What a test leaves is small; looking through all modules for it took a seventh of the time."""

unhurried = settings(
    deadline=None,
    # How many of the places drawn by chance a test passes over is its own affair.
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.register_profile("brief", unhurried, max_examples=8, derandomize=True)
settings.register_profile("wide", unhurried, max_examples=100)
settings.load_profile("wide")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that drives a browser is long, if it is not marked as short."""
    for item in items:
        if "driver" in getattr(item, "fixturenames", ()) and not item.get_closest_marker("short"):
            item.add_marker(pytest.mark.long)


def pytest_collection_finish() -> None:
    """What is there before the first test stays to the last: the collector need not look at it again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def told_in_english() -> Iterator[None]:
    """A test that speaks another language leaves English to the next one."""
    yield
    speak(NullTranslations())
