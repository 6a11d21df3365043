"""The Python and its packages. Each import is tried in a process of its own: a broken one may crash it."""

import json
import re
from pathlib import Path

from device.doctor.finding import CheckedBox, Finding, absent, fail, ok, warn
from device.doctor.probe import Probe

INSTALL = "run systemd/install.sh again (or `make setup` where you play from the sources)"
LOAD = "import json, {module} as m; print(json.dumps({{'file': str(m.__file__), {more}}}))"


class Unloadable(Exception):
    """A module that does not load, and the last line of its complaint."""


def load(probe: Probe, module: str, more: str = "") -> dict[str, str]:
    """What a module says of itself once loaded; raises `Unloadable`."""
    command = [probe.interpreter.executable, "-P", "-c", LOAD.format(module=module, more=more)]
    ran = probe.run(command)
    if ran is None:
        raise Unloadable("Python does not start a second time")
    if ran.status != 0:
        lines = [line for line in ran.err.splitlines() if line.strip()]
        raise Unloadable(lines[-1] if lines else f"ended with status {ran.status}")
    return {key: str(value) for key, value in json.loads(ran.out.splitlines()[-1]).items()}


def release(version: str) -> tuple[int, ...]:
    """The numbers of a version in order: "2.0.1.post3" is (2, 0, 1, 3)."""
    return tuple(int(number) for number in re.findall(r"\d+", version))


def on_pi(probe: Probe) -> bool:
    """Whether this is a Raspberry Pi."""
    return "Raspberry Pi" in (probe.text("/proc/device-tree/model") or "")


def python(probe: Probe, _box: CheckedBox) -> Finding:
    """Python is new enough and has its own folder for packages."""
    at = probe.interpreter
    version = ".".join(map(str, at.version))
    if at.version < (3, 11):
        return fail(
            "python",
            f"Python {version} is too old; Callbox needs 3.11.",
            "use Raspberry Pi OS Bookworm or newer",
        )
    if at.prefix == at.base_prefix:
        return warn("python", f"Python {version} runs without a virtual environment.", INSTALL)
    return ok("python", f"Python {version} in {at.prefix}.")


def numpy(probe: Probe, _box: CheckedBox) -> Finding:
    """numpy is our own: the system's is of another age, and everything compiled depends on it."""
    try:
        found = load(probe, "numpy", "'version': m.__version__")
    except Unloadable as error:
        return fail("numpy", f"numpy does not load: {error}.", INSTALL)
    if not Path(found["file"]).is_relative_to(probe.interpreter.prefix):
        return warn("numpy", f"numpy {found['version']} is not Callbox's own: {found['file']}.", INSTALL)
    return ok("numpy", f"numpy {found['version']} from the virtual environment.")


def opencv(probe: Probe, _box: CheckedBox) -> Finding:
    """Exactly one OpenCV, the headless one: two overwrite each other, and the others want a screen."""
    kinds = sorted(name for name in probe.distributions() if name.startswith("opencv-"))
    ours = "opencv-python-headless"
    if kinds not in ([ours], ["opencv-contrib-python-headless"]):
        others = [name for name in kinds if name != ours]
        pip = f"{probe.interpreter.executable} -m pip"
        if not kinds:
            return fail("opencv", "OpenCV is not installed.", INSTALL)
        return fail(
            "opencv",
            f"OpenCV is installed as {', '.join(kinds)}; only {ours} may be.",
            f"{pip} uninstall -y {' '.join(others)}; {pip} install --force-reinstall --no-deps {ours}",
        )
    try:
        found = load(probe, "cv2", "'version': m.__version__")
    except Unloadable as error:
        return fail("opencv", f"OpenCV does not load: {error}.", INSTALL)
    return ok("opencv", f"OpenCV {found['version']}, headless.")


def onnxruntime(probe: Probe, _box: CheckedBox) -> Finding:
    """The reader's engine loads on this processor."""
    try:
        found = load(probe, "onnxruntime", "'version': m.__version__")
    except Unloadable as error:
        return fail("onnxruntime", f"onnxruntime does not load: {error}.", INSTALL)
    return ok("onnxruntime", f"onnxruntime {found['version']}.")


def gpiozero(probe: Probe, _box: CheckedBox) -> Finding:
    """Older ones open the wrong GPIO chip on a Pi 5 with a kernel since 6.6.45."""
    version = probe.distributions().get("gpiozero", "")
    if not version:
        return fail("gpiozero", "gpiozero is not installed.", INSTALL)
    if release(version) < (2, 0, 1, 3):
        return fail("gpiozero", f"gpiozero {version} is too old; 2.0.1.post3 is needed.", INSTALL)
    return ok("gpiozero", f"gpiozero {version}.")


def lgpio(probe: Probe, _box: CheckedBox) -> Finding:
    """The real lgpio, not the empty package of the same name that pip finds for Python 3.13."""
    fix = "sudo apt install python3-lgpio"
    try:
        found = load(probe, "lgpio", "'whole': hasattr(m, 'SET_BIAS_DISABLE')")
    except Unloadable as error:
        if not on_pi(probe):
            return absent("lgpio", "lgpio is not installed; without a Pi there are no pins for it.")
        return fail("lgpio", f"lgpio does not load: {error}.", fix)
    if found["whole"] != "True" or probe.distributions().get("lgpio") == "0.0.0.2":
        stub = f"{probe.interpreter.executable} -m pip uninstall -y lgpio"
        return fail("lgpio", f"This lgpio is an empty stand-in ({found['file']}).", f"{stub}; {fix}")
    return ok("lgpio", f"lgpio from {found['file']}.")


def films(probe: Probe, _box: CheckedBox) -> Finding:
    """The encoder of films loads on this processor; without it the box plays, and films nothing."""
    try:
        found = load(probe, "av", "'version': m.__version__")
    except Unloadable as error:
        return warn("films", f"Throws have no film: av does not load: {error}.", INSTALL)
    return ok("films", f"av {found['version']} makes films of throws.")


def sqlite(probe: Probe, _box: CheckedBox) -> Finding:
    """SQLite before 3.51.3 can damage a journal in WAL mode; apsw brings its own."""
    try:
        version = load(probe, "apsw", "'version': m.sqlite_lib_version()")["version"]
    except Unloadable as error:
        return fail("sqlite", f"apsw does not load: {error}.", INSTALL)
    if release(version) < (3, 51, 3):
        return fail("sqlite", f"SQLite {version} can damage the journal; 3.51.3 mended that.", INSTALL)
    return ok("sqlite", f"SQLite {version}.")
