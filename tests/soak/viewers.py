"""Pages that only look on, in a process of their own: what they take up is not the box's."""

import asyncio
import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random

from benchmarks.crowd import Crowd, CrowdOutcome, Visitor

STAYS_S = 20.0
"""Somebody looks on for so long before the page is opened anew."""


@contextmanager
def viewers(port: int, many: int) -> Iterator[None]:
    """Have so many look on until the end of the `with`: each follows live feed and camera picture."""
    process = multiprocessing.get_context("spawn").Process(target=_come, args=(port, many), daemon=True)
    process.start()
    try:
        yield
    finally:
        process.terminate()
        process.join()


def _come(port: int, many: int) -> None:
    """Their process."""
    asyncio.run(_all_look_on(port, many))


async def _all_look_on(port: int, many: int) -> None:
    crowd = Crowd(port=port, phones=many, hostile=0, silent=0, seconds=0, one_address=True)
    await asyncio.gather(*(_looks_on(crowd, Random(number)) for number in range(many)))


async def _looks_on(crowd: Crowd, rng: Random) -> None:
    """One of them, again and again."""
    while True:
        visitor = Visitor(crowd, crowd.address(1, 0), CrowdOutcome(), rng)
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(visitor.follow(), visitor.look()), STAYS_S)
