"""`callbox doctor --bundle`: what helps is in it; names, bets, PINs, keys, addresses and pictures are not."""

import json
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from device.commands.doctor import command
from device.config import parse
from device.doctor.bundle import OWN, BundleError, bundle
from device.doctor.machine import CheckedBox, Ran
from device.journal import Journal
from device.journal.rows import EventRow
from engine.events import Bet
from tests.device.doctor.test_doctor import PI_COMMANDS, Fake, findings
from tests.device.journal.test_verify import NOON

NAMES = ("Zebulon", "Wilhelmina", "zebulon")
SECRETS = (*NAMES, "8642", "scrypt$", "c2VhbGVk", "192.168.77.13", "fd00::77", "attic", "grandma", "20 dots")
JPEG = b"\xff\xd8 Wilhelmina at the table"

LOG = (
    "callbox.service: Watchdog timeout (limit 20s)!",
    "Zebulon bets 20 dots.",
    "Wilhelmina has signed in with 8642",
    "No picture for 1.5 s. Cause: the camera hangs or was unplugged; it is being restarted. Fix, if this",
    "No picture: /home/zebulon/film.mp4 is gone. Cause: unplugged or not recognised. Fix: ask Zebulon.",
    "Traceback (most recent call last):",
    '  File "/home/zebulon/callbox/device/match/match.py", line 71, in read',
    '    raise ValueError(f"{player} bets {dots}")',
    '  File "/home/zebulon/grandma.py", line 2, in run',
    "ValueError: Zebulon bets 20 dots",
    "ValueError: Wilhelmina bets 20 dots",
    "Stopped callbox.service - Callbox, the dice-table companion.",
)


@pytest.fixture
def box(tmp_path: Path) -> CheckedBox:
    """A box whose every corner names somebody, or holds a secret."""
    data = tmp_path / "zebulon" / "callbox"
    (data / "pictures" / "1").mkdir(parents=True)
    for number in range(5):
        (data / "pictures" / "1" / f"{number}.jpg").write_bytes(JPEG)
    (data / "Wilhelmina.txt").write_text("Wilhelmina")
    (data / "pins.json").write_text('{"host": "scrypt$8642"}')
    (data / "people.json").write_text('{"seats": {"Zebulon": "c2VhbGVk"}, "key": "c2VhbGVk"}')
    with Journal.open(data / "journal.db") as journal:
        game = journal.begin("zoinx", ["Zebulon", "Wilhelmina"], {"edition": "game-factory"}, NOON)
        journal.append(game, [EventRow(Bet(player="Zebulon", dots=20))], NOON)
    settings = (
        f'[camera]\nspec = "{tmp_path}/zebulon/grandma.mp4"\nlock = "{tmp_path}/zebulon/lock.json"\n'
        '[console]\nhost = "192.168.77.13"\nnames = ["attic.local"]\n[people]\ntable = "club"\n'
    )
    return CheckedBox(
        config=parse(settings),
        trouble="",
        config_file="/home/zebulon/callbox.toml",
        data=data,
        user="zebulon",
    )


def logged(*lines: str) -> dict[str, Ran]:
    """A machine's commands, of which journalctl tells those lines."""
    told = [json.dumps({"MESSAGE": line, "__REALTIME_TIMESTAMP": "1763000000000000"}) for line in lines]
    return {"journalctl -u callbox": Ran(0, "\n".join([*told, "no JSON: Zebulon"]))} | PI_COMMANDS


def unpack_bundle(
    box: CheckedBox, *, pictures: bool = False, machine: Fake | None = None
) -> Mapping[str, bytes]:
    """The files of the bundle."""
    machine = machine or Fake(commands=logged(*LOG), ips=("192.168.77.13", "fd00::77"))
    to = box.data.parent / "help.zip"
    count = bundle(machine, box, list(findings(machine, box).values()), to, pictures=pictures)
    with zipfile.ZipFile(to) as whole:
        assert whole.comment == b""
        files = {name: whole.read(name) for name in whole.namelist()}
    assert len(files) == count
    return files


def test_no_name_bet_pin_key_address_or_picture_is_in_it(box: CheckedBox) -> None:
    for name, content in unpack_bundle(box).items():
        assert not name.startswith("pictures"), name
        for secret in SECRETS:
            assert secret.encode() not in content, (name, secret)
            assert secret not in name


def test_settings_that_quote_a_secret_are_not_quoted(box: CheckedBox) -> None:
    broken = replace(box, config=None, trouble="/home/zebulon/callbox.toml: console.port is 'grandma'.")
    content = b"".join(unpack_bundle(broken).values())
    assert not [secret for secret in SECRETS if secret.encode() in content]


def test_what_helps_is_in_it(box: CheckedBox) -> None:
    files = unpack_bundle(box)
    lines = [json.loads(line) for line in files["findings.jsonl"].splitlines()]
    assert {line["name"]: line["verdict"] for line in lines}["journal"] == "ok"
    settings = json.loads(files["settings.json"])
    assert (settings["people"]["table"], settings["camera"]["fps"]) == ("club", 20)
    assert (settings["camera"]["spec"], settings["console"]["names"]) == (OWN, [OWN])
    assert json.loads(files["versions.json"])["gpiozero"] == "2.0.1.post3"
    found = json.loads(files["sizes.json"])
    assert found["pictures"] == {"files": 5, "bytes": 5 * len(JPEG)}
    assert found["journal.db"]["files"] == 1


def test_faults_are_told_from_the_log_and_what_the_table_heard_is_counted(box: CheckedBox) -> None:
    *told, last = [json.loads(line) for line in unpack_bundle(box)["log.jsonl"].splitlines()]
    assert [line["text"] for line in told] == [
        "callbox.service: Watchdog timeout (limit 20s)!",
        "No picture. Cause: the camera hangs or was unplugged; it is being restarted.",
        "No picture. Cause: unplugged or not recognised.",
        "Traceback (most recent call last):",
        "  device/match/match.py, line 71, in read",
        f"  {OWN}, line 2, in run",
        "ValueError",
        "Stopped callbox.service - Callbox, the dice-table companion.",
    ]
    assert {line["at_s"] for line in told} == {1_763_000_000}
    assert last == {"left_out": 5}


def test_pictures_are_in_it_when_asked_for_and_only_the_newest(box: CheckedBox) -> None:
    files = unpack_bundle(box, pictures=True)
    assert [name for name in files if name.startswith("pictures/")] == [f"pictures/{n}.jpg" for n in range(3)]


def test_only_its_owner_may_read_it_and_what_cannot_be_written_is_told(box: CheckedBox) -> None:
    unpack_bundle(box)
    assert (box.data.parent / "help.zip").stat().st_mode & 0o077 == 0
    with pytest.raises(BundleError, match="Name another place"):
        bundle(Fake(), box, [], box.data / "nowhere" / "help.zip", pictures=False)
    assert not [path for path in box.data.parent.iterdir() if path.name.startswith(".bundle")]


@pytest.mark.long
def test_the_command_writes_it_and_says_so(tmp_path: Path) -> None:
    to = tmp_path / "help.zip"
    done = CliRunner().invoke(command, ["--data", str(tmp_path), "--bundle", str(to)])
    assert "Look at them before you send them" in done.stderr
    assert zipfile.is_zipfile(to)
    alone = CliRunner().invoke(command, ["--data", str(tmp_path), "--pictures"])
    assert (alone.exit_code, "--bundle" in alone.output) == (2, True)
