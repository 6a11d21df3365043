"""A file is there whole or not at all, and what stood there before is not lost."""

import errno
import os
from pathlib import Path

import pytest

from calibration.durable import write_whole


def test_a_file_is_written_and_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_whole(path, b"old and long")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_takes_nothing_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    write_whole(path, b"old")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", [".", "no folder/a.json", "x" * 255])
def test_a_name_that_no_file_can_have_is_the_system_s_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(OSError, match="Errno"):
        write_whole(tmp_path / name, b"x")
    assert list(tmp_path.iterdir()) == []
