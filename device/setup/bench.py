"""What the steps that calibrate work with: the board, the data folder, and how a file there is replaced."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

import cv2
import numpy as np

from calibration.arrays import Picture
from calibration.board import Board
from calibration.fit import BoardView, find_board, view_of
from calibration.lock import CameraLock
from calibration.trouble import CalibrationError
from device.setup.kept import put_beside
from device.setup.step import NotNow
from engine.wording import phrase

Holding = Literal["nothing", "held", "flat"]


@runtime_checkable
class HoldsBoard(Protocol):
    """A simulated table, which holds the board by itself where people would."""

    def hold(self, what: Holding) -> None:
        """Hold the board before the camera, lay it down here and there, or put it away."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibratingBench:
    """What both steps work with."""

    board: Board
    folder: Path
    """Where the calibrations are kept."""
    now: Callable[[], datetime]
    hold: Callable[[Holding], None]
    """Has the board held, where the table is a simulated one."""
    lock: CameraLock | None = None
    """What the camera is locked to."""

    @property
    def camera_path(self) -> Path:
        """The lens's file."""
        return self.folder / "camera.json"

    @property
    def table_path(self) -> Path:
        """The table's file."""
        return self.folder / "table.json"

    @property
    def description_path(self) -> Path:
        """The table's description, where it is not the classic one."""
        return self.folder / "table.toml"

    def find(self, picture: Picture, name: str) -> BoardView:
        """The board in a picture. Raises `Doubt` with the reason where it cannot be used."""
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        return view_of(find_board(grey, self.board, name), self.board)


def keep(save: Callable[[Path], None], path: Path, at: datetime) -> None:
    """Keep a calibration, with the one before beside it. Raises `NotNow`."""
    try:
        put_beside(path, at)
        save(path)
    except (OSError, CalibrationError) as error:
        raise NotNow(phrase("{path} could not be written: {error}", path=path, error=error)) from None
