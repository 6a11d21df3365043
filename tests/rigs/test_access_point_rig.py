"""A card with the wrong Wi-Fi password, under a true NetworkManager: its access point takes the right one."""

import json
import shutil
from pathlib import Path

import pytest

from device.card import wifi_of
from device.first_boot import signs
from tests.rigs.virtual_machine import HERE, ROOT, machine_lacks, run

pytestmark = pytest.mark.rigs

PACKAGES = "network-manager,wpasupplicant,hostapd,iw,dnsmasq-base,iproute2"


def test_a_phone_joins_the_access_point_and_enters_the_right_wifi(rigs: Path, tmp_path: Path) -> None:
    if trouble := machine_lacks("/usr/sbin/hostapd", PACKAGES):
        pytest.skip(trouble)
    job = Path(shutil.copytree(HERE / "access_point", tmp_path / "job"))
    card = job / "card"
    card.mkdir()
    for name in ("first-boot.sh", "first_boot_signs.py", "callbox-first-boot-signs.service"):
        shutil.copy(ROOT / "systemd" / name, card)
    own = wifi_of("callbox-setup", "12345678")
    files = {
        "signs.json": json.dumps(signs("", "en")),
        "access-point": f"{own.name}\n{own.key}\n",
        "callbox.toml": "",
        "signers": "",
    }
    for name, text in files.items():
        (card / name).write_text(text, encoding="utf-8")
    assert run(rigs / "gpio-vm" / "run", job, "--systemd").splitlines()[-1] == "ok"
