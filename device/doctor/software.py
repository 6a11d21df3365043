"""The Python and its packages. Each import is tried in a process of its own: a broken one may crash it."""

import json
import re
from pathlib import Path

from device.doctor.machine import CheckedBox, Finding, Machine, absent, fail, ok, warn
from engine.wording import phrase, phrase_later

INSTALL = phrase_later("run systemd/install.sh again (or `make setup` where you play from the sources)")
LOAD = "import json, {module} as m; print(json.dumps({{'file': str(m.__file__), {more}}}))"


class Unloadable(Exception):
    """A module that does not load, and the last line of its complaint."""


def load(machine: Machine, module: str, more: str = "") -> dict[str, str]:
    """What a module says of itself once loaded; raises `Unloadable`."""
    command = [machine.interpreter.executable, "-P", "-c", LOAD.format(module=module, more=more)]
    ran = machine.run(command)
    if ran is None:
        raise Unloadable(phrase("Python does not start a second time"))
    if ran.status != 0:
        lines = [line for line in ran.err.splitlines() if line.strip()]
        raise Unloadable(lines[-1] if lines else phrase("ended with status {status}", status=ran.status))
    return {key: str(value) for key, value in json.loads(ran.out.splitlines()[-1]).items()}


def release(version: str) -> tuple[int, ...]:
    """The numbers of a version in order: "2.0.1.post3" is (2, 0, 1, 3)."""
    return tuple(int(number) for number in re.findall(r"\d+", version))


def on_pi(machine: Machine) -> bool:
    """Whether this is a Raspberry Pi."""
    return "Raspberry Pi" in (machine.text("/proc/device-tree/model") or "")


def python(machine: Machine, _box: CheckedBox) -> Finding:
    """Python is new enough and has its own folder for packages."""
    at = machine.interpreter
    version = ".".join(map(str, at.version))
    if at.version < (3, 11):
        return fail(
            phrase("Python {version} is too old; Callbox needs 3.11.", version=version),
            phrase("use Raspberry Pi OS Bookworm or newer"),
        )
    if at.prefix == at.base_prefix:
        return warn(
            phrase("Python {version} runs without a virtual environment.", version=version), phrase(INSTALL)
        )
    return ok(phrase("Python {version} in {prefix}.", version=version, prefix=at.prefix))


def numpy(machine: Machine, _box: CheckedBox) -> Finding:
    """numpy is our own: the system's is of another age, and everything compiled depends on it."""
    try:
        found = load(machine, "numpy", "'version': m.__version__")
    except Unloadable as error:
        return fail(phrase("numpy does not load: {error}.", error=error), phrase(INSTALL))
    if not Path(found["file"]).is_relative_to(machine.interpreter.prefix):
        return warn(
            phrase(
                "numpy {found} is not Callbox's own: {where}.",
                found=found["version"],
                where=found["file"],
            ),
            phrase(INSTALL),
        )
    return ok(phrase("numpy {found} from the virtual environment.", found=found["version"]))


def opencv(machine: Machine, _box: CheckedBox) -> Finding:
    """Exactly one OpenCV, the headless one: two overwrite each other, and the others want a screen."""
    kinds = sorted(name for name in machine.distributions() if name.startswith("opencv-"))
    ours = "opencv-python-headless"
    if kinds not in ([ours], ["opencv-contrib-python-headless"]):
        others = [name for name in kinds if name != ours]
        pip = f"{machine.interpreter.executable} -m pip"
        if not kinds:
            return fail(phrase("OpenCV is not installed."), phrase(INSTALL))
        return fail(
            phrase("OpenCV is installed as {kinds}; only {ours} may be.", kinds=", ".join(kinds), ours=ours),
            f"{pip} uninstall -y {' '.join(others)}; {pip} install --force-reinstall --no-deps {ours}",
        )
    try:
        found = load(machine, "cv2", "'version': m.__version__")
    except Unloadable as error:
        return fail(phrase("OpenCV does not load: {error}.", error=error), phrase(INSTALL))
    return ok(phrase("OpenCV {found}, headless.", found=found["version"]))


def onnxruntime(machine: Machine, _box: CheckedBox) -> Finding:
    """The reader's engine loads on this processor."""
    try:
        found = load(machine, "onnxruntime", "'version': m.__version__")
    except Unloadable as error:
        return fail(phrase("onnxruntime does not load: {error}.", error=error), phrase(INSTALL))
    return ok(phrase("onnxruntime {found}.", found=found["version"]))


def gpiozero(machine: Machine, _box: CheckedBox) -> Finding:
    """Older ones open the wrong GPIO chip on a Pi 5 with a kernel since 6.6.45."""
    version = machine.distributions().get("gpiozero", "")
    if not version:
        return fail(phrase("gpiozero is not installed."), phrase(INSTALL))
    if release(version) < (2, 0, 1, 3):
        return fail(
            phrase("gpiozero {version} is too old; 2.0.1.post3 is needed.", version=version), phrase(INSTALL)
        )
    return ok(phrase("gpiozero {version}.", version=version))


def lgpio(machine: Machine, _box: CheckedBox) -> Finding:
    """The real lgpio, not the empty package of the same name that pip finds for Python 3.13."""
    fix = "sudo apt install python3-lgpio"
    try:
        found = load(machine, "lgpio", "'whole': hasattr(m, 'SET_BIAS_DISABLE')")
    except Unloadable as error:
        if not on_pi(machine):
            return absent(phrase("lgpio is not installed; without a Pi there are no pins for it."))
        return fail(phrase("lgpio does not load: {error}.", error=error), fix)
    if found["whole"] != "True" or machine.distributions().get("lgpio") == "0.0.0.2":
        stub = f"{machine.interpreter.executable} -m pip uninstall -y lgpio"
        return fail(
            phrase("This lgpio is an empty stand-in ({found}).", found=found["file"]), f"{stub}; {fix}"
        )
    return ok(phrase("lgpio from {found}.", found=found["file"]))


def films(machine: Machine, _box: CheckedBox) -> Finding:
    """The encoder of films loads on this processor; without it the box plays, and films nothing."""
    try:
        found = load(machine, "av", "'version': m.__version__")
    except Unloadable as error:
        return warn(phrase("Throws have no film: av does not load: {error}.", error=error), phrase(INSTALL))
    return ok(phrase("av {found} makes films of throws.", found=found["version"]))


def sqlite(machine: Machine, _box: CheckedBox) -> Finding:
    """SQLite before 3.51.3 can damage a journal in WAL mode; apsw brings its own."""
    try:
        version = load(machine, "apsw", "'version': m.sqlite_lib_version()")["version"]
    except Unloadable as error:
        return fail(phrase("apsw does not load: {error}.", error=error), phrase(INSTALL))
    if release(version) < (3, 51, 3):
        return fail(
            phrase("SQLite {version} can damage the journal; 3.51.3 fixes that.", version=version),
            phrase(INSTALL),
        )
    return ok(phrase("SQLite {version}.", version=version))
