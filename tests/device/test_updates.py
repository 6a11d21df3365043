"""A release comes in as a file, is handed to the installer, and what that says is told in a sentence."""

from pathlib import Path

import pytest

from device.requests import Declined, Done, ReceiveRelease, ReleaseAwaited
from device.updates import MB, MOST_MB, ReleaseRefused, UpdatePlaces, Updates, UpdateShown, places_of

RELEASE = "0.3.0-c0ffee0123"
NAME = "callbox-0.4.0.tar.gz"


@pytest.fixture
def places(tmp_path: Path) -> UpdatePlaces:
    return places_in(tmp_path)


def places_in(tmp_path: Path) -> UpdatePlaces:
    """An installed box that has a release to go back to and trusts makers."""
    made = UpdatePlaces(
        app=tmp_path / "opt",
        signers=tmp_path / "signers",
        asks=tmp_path / "run",
        told=tmp_path / "told",
        taken=tmp_path / "data" / "update",
    )
    for folder in ("opt", "run", "told", "data"):
        (tmp_path / folder).mkdir()
    made.signers.touch()
    (made.app / "previous").symlink_to("releases/0.2.0-beef012345-b")
    return made


def updates_of(places: UpdatePlaces, release: str = RELEASE, free_mb: int = 10_000) -> Updates:
    return Updates(places, release, free_mb=free_mb)


def awaited(updates: Updates, size_bytes: int) -> str:
    told = updates.expect(ReceiveRelease(NAME, size_bytes))
    assert isinstance(told, ReleaseAwaited)
    return told.ticket


def installer_is_at(
    places: UpdatePlaces, step: str, *, job: str = "install", result: str = "", said: str = ""
) -> None:
    """As systemd/update.sh writes it."""
    for each in ("install", "roll-back"):
        (places.asks or Path()).joinpath(each).unlink(missing_ok=True)
    for name, text in {"job": job, "step": step, "result": result, "said": said}.items():
        (places.told / name).write_text(f"{text}\n", encoding="utf-8")


def test_a_file_that_has_come_is_handed_to_the_installer_whole(places: UpdatePlaces) -> None:
    updates = updates_of(places)
    assert updates.show() == UpdateShown(previous="0.2.0")
    incoming = updates.receive(awaited(updates, 6))
    assert updates.show().busy
    incoming.write(b"abc")
    incoming.write(b"def")
    incoming.finish()
    incoming.close()
    assert (places.taken / "release.tar.gz").read_bytes() == b"abcdef"
    assert [path.name for path in (places.asks or Path()).iterdir()] == ["install"]
    shown = updates.show()
    assert (shown.busy, shown.tone) == (True, "info")
    assert "callbox-update.path" in shown.text
    assert isinstance(updates.expect(ReceiveRelease(NAME, 6)), Declined), "one at a time"
    assert isinstance(updates.roll_back(), Declined)


@pytest.mark.parametrize(
    ("chunks", "why"),
    [([b"abc"], "did not come to its end"), ([b"abcdef", b"g"], "More came than the file has")],
)
def test_a_file_of_another_length_is_not_taken_and_leaves_nothing(
    places: UpdatePlaces, chunks: list[bytes], why: str
) -> None:
    updates = updates_of(places)
    incoming = updates.receive(awaited(updates, 6))

    def send() -> None:
        for chunk in chunks:
            incoming.write(chunk)
        incoming.finish()

    with pytest.raises(ReleaseRefused, match=why):
        send()
    incoming.close()
    assert list(places.taken.iterdir()) == list((places.asks or Path()).iterdir()) == []
    assert not updates.show().busy
    assert awaited(updates, 6), "and it can come once more"


def test_only_the_page_that_was_told_a_ticket_sends_a_file_and_only_once(places: UpdatePlaces) -> None:
    updates = updates_of(places)
    ticket = awaited(updates, 3)
    with pytest.raises(ReleaseRefused, match="does not wait for this file"):
        updates.receive("another")
    incoming = updates.receive(ticket)
    with pytest.raises(ReleaseRefused, match="does not wait for this file"):
        updates.receive(ticket)
    incoming.close()


@pytest.mark.parametrize(
    ("asked", "free_mb", "why"),
    [
        (ReceiveRelease("holiday.jpg", 5), 10_000, "holiday.jpg is no release. Choose a file"),
        (ReceiveRelease(NAME, (MOST_MB + 1) * MB), 10_000, "has 501 MB, and a release has at most 500 MB"),
        (ReceiveRelease(NAME, 100 * MB), 1000, "has 1000 MB free, and this release needs 1100 MB: make room"),
    ],
)
def test_a_file_that_cannot_be_a_release_or_finds_no_room_is_refused_before_it_comes(
    places: UpdatePlaces, asked: ReceiveRelease, free_mb: int, why: str
) -> None:
    told = updates_of(places, free_mb=free_mb).expect(asked)
    assert isinstance(told, Declined)
    assert why in told.text


def test_a_box_that_was_not_installed_or_trusts_nobody_says_so_and_takes_none(
    places: UpdatePlaces, tmp_path: Path
) -> None:
    own_folder = Updates(places_of(tmp_path, {}), "")
    assert own_folder.show().why_not.startswith("This Callbox was not installed as a service")
    places.signers.unlink()
    trusting = updates_of(places)
    assert "install.sh --from FILE" in trusting.show().why_not
    for updates in (own_folder, trusting):
        assert isinstance(updates.expect(ReceiveRelease(NAME, 5)), Declined)
        assert isinstance(updates.roll_back(), Declined)


def test_each_step_of_the_installer_is_told_and_how_it_ended(places: UpdatePlaces) -> None:
    updates = updates_of(places)
    for step, words in {
        "": "The installer begins.",
        "unpack": "being unpacked",
        "sign": "who signed",
        "ready 0.4.0": "Callbox 0.4.0 is signed by makers whom this box trusts.",
        "try 0.4.0": "Callbox 0.4.0 is being tried.",
        "change 0.4.0": "switches over to Callbox 0.4.0",
    }.items():
        installer_is_at(places, step)
        shown = updates.show()
        assert words in shown.text
        assert (shown.busy, shown.tone, shown.said) == (True, "info", "")
    installer_is_at(places, "change 0.4.0", result="0")
    new = updates_of(places, "0.4.0-feed012345").show()
    assert (new.busy, new.tone, new.text) == (False, "good", "The box runs Callbox 0.4.0 now.")
    installer_is_at(places, "current", result="0")
    assert updates.show().text == "The box has this very release, Callbox 0.3.0, already."


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("", "Restart the box"),
        ("unpack", "cannot be unpacked"),
        ("check", "damaged"),
        ("sign", "not signed by makers whom this box trusts"),
        ("ready 0.4.0", "Callbox 0.4.0 could not be made ready, and the box keeps 0.3.0."),
        ("try 0.4.0", "so the box keeps 0.3.0. On the box, journalctl -u callbox-trial says why"),
        ("change 0.4.0", "so the box runs 0.3.0."),
    ],
)
def test_each_failure_of_the_installer_is_told_with_what_helps(
    places: UpdatePlaces, step: str, words: str
) -> None:
    installer_is_at(places, step, result="1", said="install: pip says no")
    shown = updates_of(places).show()
    assert words in shown.text
    assert (shown.busy, shown.tone, shown.said) == (False, "refused", "install: pip says no")


def test_going_back_is_asked_for_by_a_file_and_told(places: UpdatePlaces) -> None:
    updates = updates_of(places)
    assert updates.roll_back() == Done()
    assert [path.name for path in (places.asks or Path()).iterdir()] == ["roll-back"]
    installer_is_at(places, "", job="roll-back")
    assert updates.show().text == "The box goes back to the release before."
    installer_is_at(places, "", job="roll-back", result="0")
    assert updates_of(places, "0.2.0-beef012345").show().text == "The box runs Callbox 0.2.0 again."
    installer_is_at(places, "", job="roll-back", result="1")
    assert updates.show().text.startswith("Going back failed, and the box runs 0.3.0.")
    (places.app / "previous").unlink()
    assert isinstance(updates.roll_back(), Declined)
    assert updates.show().previous == ""
