"""What `callbox play` was asked for."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked for on the command line; None where nothing was said."""

    game: str | None
    players: str
    options: tuple[str, ...]
    spec: str | None
    far_spec: str | None
    config_path: Path | None
    data: Path | None
    host: str | None
    port: int | None
    reads: str | None
    layout: str | None
    calibration: Path | None
    far_calibration: Path | None
    new: bool
    resume: int | None
    seed: int | None

    @property
    def names(self) -> tuple[str, ...]:
        """The players."""
        return tuple(name.strip() for name in self.players.split(",") if name.strip())
