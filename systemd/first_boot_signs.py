"""Tells how far the first boot is: on the lamps, on the board, and on a page where the console will be.

    python3 -IB first_boot_signs.py FOLDER

Run by callbox-first-boot-signs.service with the system's own Python and the standard library: nothing else is
there yet; lamps work as soon as the system has lgpio. What each state looks like and says was made with the
card (`callbox card`) and stands in FOLDER/signs.json; the state itself is in FOLDER/state, the installer's in
FOLDER/installer. While the box has an access point of its own, the page takes another Wi-Fi: FOLDER/wifi.
"""

import fcntl
import hashlib
import html
import importlib
import json
import struct
import sys
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

SPI_SPEED = 0x40046B04  # linux/spi/spidev.h: SPI_IOC_WR_MAX_SPEED_HZ
SPEED_HZ = 1_000_000
LOOK_S = 0.25
MOST_FORM_BYTES = 10_000
INSTALLER = {"ready": "step 4", "try": "step 5", "change": "step 5", "current": "step 5"}
"""What the installer's own steps are called here; before them it fetches the system's packages."""
PAGE = """<!doctype html><html lang="{language}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">{refresh}
<title>Callbox</title><style>body{{font:1.2rem/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;
padding:0 1rem;color:#1c2430;background:#fbfaf7}}.n{{font-size:3rem;font-weight:700}}
label{{display:block;margin:1rem 0}}
input,button{{font:inherit;width:100%;box-sizing:border-box;padding:.6rem;margin-top:.3rem}}</style>
<h1>Callbox</h1><p class="n">{sign}</p><p role="status">{text}</p>{form}</html>"""
FORM = """<form method="post" action="/wifi"><label>{name}<input name="name" maxlength="32" required></label>
<label>{password}<input name="password" type="password" minlength="8" maxlength="63" required></label>
<button>{save}</button></form>"""


def read_state(folder: Path) -> str:
    """Where the first boot is: a key of `states` in signs.json."""
    state = _text(folder / "state") or "step 1"
    if state == "step 3":
        return INSTALLER.get(_text(folder / "installer").partition(" ")[0], state)
    return state


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def page(signs: dict[str, Any], state: str) -> str:
    """The page that stands where the console will be."""
    shown = signs["states"].get(state, signs["states"]["step 1"])
    asks = state == "ap"
    return PAGE.format(
        language=signs["language"],
        refresh="" if asks else '<meta http-equiv="refresh" content="5">',
        sign=html.escape(shown["sign"]),
        text=html.escape(shown["text"]),
        form=FORM.format(**{key: html.escape(text) for key, text in signs["form"].items()}) if asks else "",
    )


def wifi_of(form: str) -> str | None:
    """The two lines that first-boot.sh takes, name and key; None for what cannot be a Wi-Fi's."""
    given = parse_qs(form, keep_blank_values=True)
    name, password = given.get("name", [""])[0], given.get("password", [""])[0]
    if not 1 <= len(name.encode()) <= 32 or not name.isprintable():
        return None
    if not 8 <= len(password) <= 63 or not (password.isascii() and password.isprintable()):
        return None
    # IEEE 802.11i: the key of a WPA2 network is PBKDF2 of password and name.
    return f"{name}\n{hashlib.pbkdf2_hmac('sha1', password.encode(), name.encode(), 4096, 32).hex()}\n"


def serve(signs: dict[str, Any], folder: Path, port: int | None = None) -> ThreadingHTTPServer:
    """The page's server, not started yet."""

    class Handler(BaseHTTPRequestHandler):
        timeout = 30

        def do_GET(self) -> None:
            self._answer(page(signs, read_state(folder)))

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            form = self.rfile.read(min(int(length), MOST_FORM_BYTES)) if length.isdecimal() else b""
            taken = None
            if read_state(folder) == "ap" and self.path == "/wifi":
                taken = wifi_of(form.decode(errors="replace"))
            if taken is not None:
                part = folder / "wifi.new"
                part.touch(mode=0o600)
                part.write_text(taken, encoding="utf-8")
                part.replace(folder / "wifi")
            self._answer(page(signs, "step 2" if taken is not None else read_state(folder)))

        def _answer(self, text: str) -> None:
            content = text.encode()
            with suppress(ConnectionError):  # whoever asked has gone
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's own name
            """Nobody reads who looked at the page."""

    return ThreadingHTTPServer(("", signs["port"] if port is None else port), Handler)


class Board:
    """MAX7219 modules: the messages that light them were made with the card."""

    def __init__(self, device: str | None) -> None:
        """None: there is no such board."""
        self._device = device

    def show(self, messages: list[list[int]]) -> None:
        """Send them. A board that is not there, or not yet, is tried again the next time."""
        if self._device is None:
            return
        with suppress(OSError), Path(self._device).open("wb", buffering=0) as spi:
            fcntl.ioctl(spi, SPI_SPEED, struct.pack("I", SPEED_HZ))
            for message in messages:
                spi.write(bytes(message))


class Lamps:
    """The panel's lamps, on the Pi's pins, by lgpio: without it they stay dark."""

    def __init__(self, signs: dict[str, Any]) -> None:
        """Opens nothing yet."""
        self._pins: list[int] = signs["lamps"] + signs["status"]
        self._lit = signs["lit"]
        self._gpio: Any = None
        self._chip = -1

    def show(self, lit: set[int]) -> None:
        """Light these pins, and darken the others."""
        if self._gpio is None and not self._open():
            return
        for pin in self._pins:
            self._gpio.gpio_write(self._chip, pin, self._lit if pin in lit else 1 - self._lit)

    def _open(self) -> bool:
        importlib.invalidate_caches()
        try:
            gpio: Any = importlib.import_module("lgpio")
        except ImportError:
            return False
        for number in range(16):
            try:
                chip = gpio.gpiochip_open(number)
            except gpio.error:
                continue
            if str(gpio.gpio_get_chip_info(chip)[3]).startswith("pinctrl-"):
                for pin in self._pins:
                    with suppress(gpio.error):
                        gpio.gpio_claim_output(chip, pin, 1 - self._lit)
                self._gpio, self._chip = gpio, chip
                return True
            gpio.gpiochip_close(chip)
        return False


def lit_at(signs: dict[str, Any], state: str, time_s: float) -> set[int]:
    """Pins to light: as many lamps as the step's number; status lamp blue, in trouble red, blinking."""
    word, _, number = state.partition(" ")
    count = int(number) if number.isdecimal() else len(signs["lamps"])
    lamps, colours = set(signs["lamps"][:count]), signs["status"]
    if word != "fault":
        return lamps | set(colours[2:])
    return lamps | set(colours[:1]) if int(time_s / LOOK_S) % 2 else set()


def main(folder: Path) -> None:
    """Show the state until somebody ends this."""
    signs = json.loads((folder / "signs.json").read_text(encoding="utf-8"))
    threading.Thread(target=serve(signs, folder).serve_forever, daemon=True).start()
    board, lamps = Board(signs["spi"]), Lamps(signs)
    while True:
        state = read_state(folder)
        board.show(signs["states"].get(state, signs["states"]["step 1"])["board"])
        with suppress(Exception):  # a lamp that does not obey must not keep the page away
            lamps.show(lit_at(signs, state, time.monotonic()))
        time.sleep(LOOK_S)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
