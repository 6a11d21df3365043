"""Checks the subject of a commit: an imperative of at most 60 characters, as "Merge roll and mat detectors".

`make hooks` installs it. Called with the file of the message, as git calls a commit-msg hook.
"""

import re
import sys
from pathlib import Path

MOST = 60
NO_VERB = re.compile(
    r"""(a|an|the|all|any|both|each|every|no|only|some|this|these|those|that|its|their|it|they
    |nobody|somebody|who|whoever|what|when|where|which|how|if|in|of|on|for|to|with|there|one)$""",
    re.VERBOSE,
)
"""First words with which no imperative begins."""
BASE_FORM = re.compile(r"(embed|feed|need|proceed|speed|bring|string|focus|bias)$|.*ss$")
"""Imperatives that end as other forms do."""
OTHER_FORM = re.compile(r"(ed|ing|s)$")
"""Endings of verbs that are no imperatives: "Added", "Adding", "Adds"."""


def find_fault(subject: str) -> str:
    """Return what is wrong with a subject, in a sentence; "" where nothing is."""
    if subject.startswith(("Merge branch ", "Revert ", "fixup! ", "squash! ")):
        return ""
    if len(subject) > MOST:
        return f"The subject has {len(subject)} characters; {MOST} are allowed. Move the rest into the body."
    first = subject.split(" ", 1)[0]
    if not first.isalpha() or not first[0].isupper() or " " not in subject:
        return 'Begin the subject with a capital verb and its object, as in "Merge roll and mat detectors".'
    word = first.lower()
    if NO_VERB.match(word) or (OTHER_FORM.search(word) and not BASE_FORM.match(word)):
        return f'"{first}" is no imperative. Say what the commit does, as in "Merge roll and mat detectors".'
    if subject.endswith("."):
        return "Leave out the full stop at the end of the subject."
    return ""


def main() -> int:
    """Check the message in the file that git names; tell what is wrong."""
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    fault = find_fault(next((line for line in lines if line and not line.startswith("#")), ""))
    if fault:
        print(f"commit-msg: {fault}", file=sys.stderr)
    return int(bool(fault))


if __name__ == "__main__":
    sys.exit(main())
