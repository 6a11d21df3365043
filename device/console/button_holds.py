"""Presses buttons for several phones at a time, so that a pin goes down once and always comes up again.

A phone may vanish with its finger on a button, and its last two messages may arrive in the wrong order. So
each press carries a word of its own: a button is down while any finger holds it, a finger that was lifted
before its press arrived never lands, and one that holds too long is lifted.
"""

import asyncio
from collections import OrderedDict

from device.box_api import BoxApi
from device.console.answers import BadBody
from device.people.actor import Actor
from device.requests import BUTTONS, Done, PressButton, Reply
from engine.wording import phrase

REMEMBERED = 256
"""Lifted fingers kept in mind; a late press comes within seconds."""


class Fingers:
    """The fingers on the panel's buttons. Pure: it says what the pin must do, and does nothing itself."""

    def __init__(self) -> None:
        self._holding: dict[str, set[str]] = {}
        self._lifted: OrderedDict[tuple[str, str], None] = OrderedDict()

    def put(self, button: str, finger: str) -> bool:
        """A finger lands; True when the pin must go down now."""
        if finger and (button, finger) in self._lifted:
            return False
        holding = self._holding.setdefault(button, set())
        holding.add(finger)
        return len(holding) == 1

    def lift(self, button: str, finger: str) -> bool:
        """A finger is lifted; True when the pin must come up now."""
        if finger:
            self._lifted[button, finger] = None
            while len(self._lifted) > REMEMBERED:
                self._lifted.popitem(last=False)
        holding = self._holding.get(button, set())
        if finger not in holding:
            return False
        holding.discard(finger)
        return not holding


class ButtonHolds:
    """The pages' presses of one box's buttons. For the server's own event loop."""

    def __init__(self, box: BoxApi, hold_s: float) -> None:
        """`hold_s`: a button held longer than this is let go: the phone has gone."""
        self._box, self._hold_s = box, hold_s
        self._fingers = Fingers()
        self._in_order = asyncio.Lock()
        """One edge after the other, in the order in which they came."""
        self._timers: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self._tired: set[asyncio.Task[None]] = set()

    async def press(self, asked: PressButton, who: Actor) -> Reply:
        """Press or let go a button; raises `BadBody` for one that the panel has not got."""
        button, finger = asked.button, asked.finger
        if button not in BUTTONS:
            text = phrase(
                "The panel has no button {button!r}; it has {buttons}.",
                button=button[:40],
                buttons=", ".join(BUTTONS),
            )
            raise BadBody(404, text)
        async with self._in_order:
            if not asked.down:
                return await self._lift(button, finger)
            if not self._fingers.put(button, finger):
                return Done()
            reply = await asyncio.to_thread(self._box.request, asked, who)
            if not reply.ok:
                self._fingers.lift(button, finger)
                return reply
            loop = asyncio.get_running_loop()
            self._timers[button, finger] = loop.call_later(self._hold_s, self._tire, button, finger)
        return reply

    async def _lift(self, button: str, finger: str) -> Reply:
        timer = self._timers.pop((button, finger), None)
        if timer is not None:
            timer.cancel()
        if not self._fingers.lift(button, finger):
            return Done()
        return await asyncio.to_thread(self._box.request, PressButton(down=False, button=button))

    def _tire(self, button: str, finger: str) -> None:
        async def let_go() -> None:
            async with self._in_order:
                await self._lift(button, finger)

        task = asyncio.get_running_loop().create_task(let_go())
        self._tired.add(task)  # the loop itself keeps tasks only weakly
        task.add_done_callback(self._tired.discard)
