"""All that hangs on a box's pins, opened together. What cannot be opened is told and done without."""

from collections.abc import Callable
from dataclasses import dataclass

from device.panel.displays import Display, Dummy, open_late
from device.panel.off import OffButton
from device.panel.panel import Factory, OnEdge, Panel, PanelLost, open_factory
from device.panel.status import StatusLamp
from device.panel.stuck import OFF
from device.wiring import PanelConfig, ScoreboardConfig
from engine.wording import phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """Who hears of what the pins bring. Called from gpiozero's threads, so none may block."""

    edge: OnEdge
    off_moved: Callable[[bool], None]
    """The off button went down, or up."""
    off_held: Callable[[], None]
    """It was held as long as it has to be."""
    tell: Callable[[str], None]
    """Gets a sentence for whatever cannot be opened."""
    clock_ms: Callable[[], float]


class Fitted:
    """The panel, the scoreboard, the off button and the status lamp; None where there is none."""

    def __init__(
        self, panel: PanelConfig, scoreboard: ScoreboardConfig, hearing: Hearing, *, mock: bool
    ) -> None:
        """Opens them; never fails. With `mock` they hang on mock pins."""
        self.panel: Panel | None = None
        self.off: OffButton | None = None
        self.status: StatusLamp | None = None
        factory: Factory | None = None
        try:
            factory = open_factory(mock=mock)
            self.panel = Panel(panel, factory, hearing.edge, hearing.clock_ms)
        except PanelLost as lost:
            hearing.tell(
                phrase("No buttons and lamps: {lost} The console's panel works all the same.", lost=lost)
            )
        if factory is not None:
            self._open_signs(panel, factory, hearing)
        if factory is None and scoreboard.kind == "digits":
            self.display: Display = Dummy(scoreboard.modules)
        else:
            # Modules on SPI need no pins of a factory: they may work where the pins do not.
            self.display = open_late(scoreboard, factory or open_factory(mock=True), mock=mock)

    @property
    def down(self) -> tuple[str, ...]:
        """The buttons that are down now: at the start, when nobody was asked to press one."""
        panel = self.panel.down() if self.panel is not None else ()
        return (*panel, OFF) if self.off is not None and self.off.down else panel

    def close_panel(self) -> None:
        """Let buttons, lamps and scoreboard go."""
        if self.panel is not None:
            self.panel.close()
        self.display.close()

    def close_signs(self) -> None:
        """Let off button and status lamp go: they go dark when all is kept, and not before."""
        for sign in (self.off, self.status):
            if sign is not None:
                sign.close()

    def _open_signs(self, config: PanelConfig, factory: Factory, hearing: Hearing) -> None:
        try:
            if isinstance(config.off.button, int):
                self.off = OffButton(config.off, factory, hearing.off_held, hearing.off_moved)
        except PanelLost as lost:
            hearing.tell(phrase("No off button: {lost} sudo poweroff switches the Pi off, too.", lost=lost))
        try:
            if config.status.fitted():
                lit_high = config.lamps_lit == "high"
                self.status = StatusLamp(config.status, factory, lit_high=lit_high)
        except PanelLost as lost:
            hearing.tell(phrase("No status lamp: {lost}", lost=lost))
