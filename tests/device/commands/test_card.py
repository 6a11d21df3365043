"""`callbox card`: files that cloud-init takes, no secret as it is, and refusals that write nothing."""

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import nacl.pwhash
import pytest
import yaml
from click.testing import CliRunner

from device.card import CardError, login_of, wifi_of
from device.cli import callbox
from device.config import parse
from device.first_boot import STEPS, signs
from device.languages import LANGUAGES, speak_language
from device.panel import drawable
from device.people.pins import Hashed
from tests.systemd.stage import Stage
from tests.systemd.test_release import key, packed

PASSWORDS = ("correct horse", "battery staple", "4711")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A signed one."""
    stage = Stage(tmp_path_factory.mktemp("maker"))
    return packed(stage, "1.0", "--key", key(stage.folder, "ours"))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """The boot partition."""
    made = tmp_path / "bootfs"
    made.mkdir()
    return made


def write_card(out: Path, release: Path, *words: str, typed: str = "") -> tuple[int, str]:
    named = ["card", "--out", str(out), "--release", str(release)]
    result = CliRunner().invoke(callbox, [*named, *words], input=typed)
    return result.exit_code, result.output


def full_card(out: Path, release: Path) -> str:
    words = (
        "--name",
        "dice",
        "--wifi",
        "NO",
        "--country",
        "NO",
        "--user",
        "ann",
        "--pin",
        "--language",
        "fr",
    )
    status, told = write_card(out, release, *words, typed="".join(f"{each}\n" for each in PASSWORDS))
    assert status == 0, told
    return told


def loaded(path: Path) -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return read


def test_cloud_init_takes_the_files(out: Path, release: Path) -> None:
    full_card(out, release)
    assert (out / "user-data").read_text(encoding="utf-8").startswith("#cloud-config\n")
    asked = loaded(out / "user-data")
    assert asked["hostname"] == "dice"
    assert asked["bootcmd"] == [["bash", "/boot/firmware/callbox/first-boot.sh", "begin"]]
    assert loaded(out / "meta-data")["instance-id"].startswith("callbox-")
    wifi = loaded(out / "network-config")["network"]["wifis"]["wlan0"]
    assert wifi["regulatory-domain"] == "NO", "Norway, and not false"
    assert list(wifi["access-points"]) == ["NO"]


@pytest.mark.skipif(not shutil.which("cloud-init"), reason="no cloud-init here: apt install cloud-init")
def test_cloud_init_itself_finds_nothing_wrong(out: Path, release: Path) -> None:
    full_card(out, release)
    words = ["cloud-init", "schema", "--config-file", str(out / "user-data")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_password_and_no_pin_lies_on_the_card(out: Path, release: Path) -> None:
    told = full_card(out, release)
    for path in out.rglob("*"):
        if path.is_file() and path.name != "release.tar.gz":
            assert not any(secret.encode() in path.read_bytes() for secret in PASSWORDS[:2]), path
    assert not any(secret in told for secret in PASSWORDS)
    (user,) = loaded(out / "user-data")["users"]
    assert nacl.pwhash.verify(user["passwd"].encode(), PASSWORDS[1].encode())
    pins = msgspec.json.decode((out / "callbox/pins.json").read_bytes(), type=dict[str, Hashed])
    assert pins["host"].fits("4711")


def test_a_wifis_key_is_the_one_of_the_standard() -> None:
    # IEEE 802.11-2020, annex J.4.2, test vector 1.
    key_of_it = "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e"
    assert wifi_of("IEEE", "password").key == key_of_it


def test_a_users_password_is_in_a_form_that_crypt_knows() -> None:
    # crypt(5): $7$, N as one sign, r and p as five each, salt, $, 43 signs.
    assert re.fullmatch(r"\$7\$[./A-Za-z0-9]{11}[^$]+\$[./A-Za-z0-9]{43}", login_of("ann", "x").crypt)


def test_the_box_gets_settings_release_key_and_sums_over_all_of_it(out: Path, release: Path) -> None:
    full_card(out, release)
    folder = out / "callbox"
    settings = parse((folder / "callbox.toml").read_text(encoding="utf-8"))
    assert (settings.language, settings.people.table) == ("fr", "club")
    assert (folder / "release.tar.gz").read_bytes() == release.read_bytes()
    assert "ours releases" in (folder / "signers").read_text(encoding="utf-8")
    lines = (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    sums = {name: digest for digest, name in (line.split("  ") for line in lines)}
    assert set(sums) == {path.name for path in folder.iterdir()} - {"SHA256SUMS"}
    for name, digest in sums.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest


def test_owners_settings_go_along(out: Path, release: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text("# mine\n[console]\nport = 9000\n", encoding="utf-8")
    status, told = write_card(out, release, "--config", str(own), "--language", "de")
    assert status == 0, told
    text = (out / "callbox/callbox.toml").read_text(encoding="utf-8")
    assert "# mine" in text
    assert (parse(text).console.port, parse(text).language) == (9000, "de")
    shown = json.loads((out / "callbox/signs.json").read_bytes())
    assert shown["port"] == 9000
    assert shown["states"]["step 1"]["text"].startswith("Schritt 1 von 5"), "in the box's language"


def test_without_a_user_nobody_may_log_in(out: Path, release: Path) -> None:
    assert write_card(out, release)[0] == 0
    asked = loaded(out / "user-data")
    assert (asked["users"], asked["ssh_pwauth"]) == ([], False)
    assert not (out / "ssh").exists()
    assert "wifis" not in loaded(out / "network-config")["network"]


@pytest.mark.parametrize(
    ("words", "typed", "cause"),
    [
        (("--name", "Dice Box"), "", "cannot be a box's name"),
        (("--wifi", "Home"), "long enough\n", "needs the country"),
        (("--wifi", "Home", "--country", "Germany"), "long enough\n", "needs the country"),
        (("--wifi", "Home", "--country", "DE"), "short\n", "a Wi-Fi's password has 8 to 63"),
        (("--wifi", "H" * 33, "--country", "DE"), "long enough\n", "a Wi-Fi's name has 1 to 32"),
        (("--user", "root"), "secret\n", "cannot be a user's name"),
        (("--user", "ann"), "\n", "a user needs a password"),
        (("--pin",), "12\n", "a PIN has 4 to 12 digits"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(
    out: Path, release: Path, words: tuple[str, ...], typed: str, cause: str
) -> None:
    status, told = write_card(out, release, *words, typed=typed)
    assert status == 2
    assert cause in told
    assert "Nothing was written" in told
    assert list(out.iterdir()) == []


def test_only_a_signed_and_whole_release_is_written(out: Path, release: Path, tmp_path: Path) -> None:
    stage = Stage(tmp_path / "other")
    unsigned = packed(stage, "1.1")
    status, told = write_card(out, unsigned)
    assert (status, "nobody has signed" in told) == (2, True)
    other = tmp_path / "signers"
    public = key(tmp_path, "others").with_suffix(".pub").read_text(encoding="utf-8")
    other.write_text(f'callbox namespaces="callbox-release" {public}', encoding="utf-8")
    status, told = write_card(out, release, "--signers", str(other))
    assert (status, "is not signed by anybody in signers" in told) == (2, True)
    broken = tmp_path / "broken.tar.gz"
    broken.write_bytes(release.read_bytes()[:500])
    status, told = write_card(out, broken)
    assert (status, "cannot be unpacked" in told) == (2, True)
    assert list(out.iterdir()) == []


def test_a_card_that_is_full_is_refused(out: Path, release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _path: shutil._ntuple_diskusage(10, 9, 1))
    status, told = write_card(out, release)
    assert (status, "MB are free" in told) == (2, True)
    assert list(out.iterdir()) == []


def test_every_state_can_be_shown_and_is_told_in_each_language() -> None:
    told = []
    for language in LANGUAGES:
        speak_language(language)
        states = signs("", language)["states"]
        assert all(len(each["board"]) == 13 for each in states.values())
        told.append({name: each["text"] for name, each in states.items()})
    speak_language("en")
    assert all(drawable(sign) for sign, _ in STEPS.values())
    assert not set(told[0].values()) & set(told[1].values())
    assert not set(told[1].values()) & set(told[2].values())


def test_a_card_error_is_a_sentence() -> None:
    with pytest.raises(CardError, match="1 to 32 characters"):
        wifi_of("", "long enough")
