"""The hook that `make hooks` installs takes imperative subjects and no others."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
HOOK = ROOT / ".ci" / "check_subject.py"


def run_hook(folder: Path, message: str) -> tuple[int, str]:
    """What git is answered for that message, and what the person reads."""
    path = folder / "COMMIT_EDITMSG"
    path.write_text(message, encoding="utf-8")
    ran = subprocess.run([sys.executable, HOOK, path], capture_output=True, text=True, check=False)
    return ran.returncode, ran.stderr


def test_an_imperative_subject_is_taken(tmp_path: Path) -> None:
    for subject in (
        "Merge roll and mat detectors",
        "Pass the executor to the landing search",
        "Add benchmark: cost of each doubt",
        'Revert "Merge roll and mat detectors"',
    ):
        assert run_hook(tmp_path, f"{subject}\n\nThe reason.\n# a remark of git\n") == (0, ""), subject


def test_any_other_subject_is_refused_with_the_reason(tmp_path: Path) -> None:
    refused = {
        "That readers decide for a whole throw is tried": "no imperative",
        "Added a test": "no imperative",
        "Adds a test": "no imperative",
        "Adding a test": "no imperative",
        "What each doubt costs is measured by a command": "no imperative",
        "wip": "Begin the subject",
        "Merge roll and mat detectors.": "full stop",
        "Merge " + "detectors and " * 5 + "more": "60 are allowed",
        "": "Begin the subject",
    }
    for subject, reason in refused.items():
        status, told = run_hook(tmp_path, f"{subject}\n")
        assert status == 1, subject
        assert reason in told, subject
