"""What `callbox learn` brings: dice of a source read before and after five of its pictures were taught.

The pictures taught are spread over the source; each die is taught where the reader found it, as a person who
taps on it would. The others are read as `benchmarks.accepted` reads them, which tells the columns. "kept"
says whether a box would have kept what was learnt: it drops what reads a lesson or a drawn picture worse.
Each source is taught three times, with other pictures. Photographs that networks learnt from are read by
networks that did not, as in `benchmarks.photos`.
"""

import argparse
from collections.abc import Sequence

import cv2

from benchmarks.accepted import HEAD, Accepted, read_all
from benchmarks.leaks import Shown, every_source, is_in
from benchmarks.photos import THREADS, unseen
from device.lessons.known_dice import DRAWN, drawn_pictures
from vision.learned.custom_dice import CustomDice, LessonDie, LessonPicture, Outcome, learn_lessons
from vision.learned.networks import Networks
from vision.learned.reader import LearnedReader
from vision.pictures import load_sized
from vision.reader import Reader

SOURCES = ("rune55_trays", "epanemu_dice3", "nell_byler")
"""The sources of which most is left to be read, and which show many pictures of like dice."""
TAUGHT, TIMES = 5, 3


def lesson(shown: Shown, networks: Networks) -> LessonPicture:
    """The dice of a picture as a person would teach them: each at the surest find in its box."""
    picture = load_sized(shown.path).picture
    looked = sorted(LearnedReader(networks).look(picture), key=lambda one: -one.confidence)
    dice = []
    for lying in shown.dice:
        if lying.die is None or lying.box is None:
            continue
        for one in looked:
            x, y = one.face.place.center.tolist()
            if is_in(lying.box, (x, y)):
                dice.append(LessonDie(kind=lying.die.kind, value=lying.die.value, center_px=(x, y)))
                break
    return LessonPicture(shown.path.name, picture, tuple(dice))


def teach(shown: Sequence[Shown], networks: Networks) -> Outcome:
    """What is learnt from these pictures, as a box learns it."""
    kind = shown[0].kind
    lessons = [lesson(one, networks) for one in shown]
    return learn_lessons(
        lessons,
        drawn_pictures(DRAWN),
        None,
        lambda known, picture: Reader(THREADS, networks, known).read(picture, kind),
        networks,
    )


def missing_read(before: Accepted, after: Accepted) -> str:
    """The share of the dice not read before that is read afterwards, in percent."""
    missing = before.dice - before.right - before.wrong
    return f"{100 * (after.right - before.right) / missing:.0f} %" if missing else "-"


def _read(shown: Sequence[Shown], networks: Networks, known: CustomDice | None, name: str) -> Accepted:
    return read_all(shown, Reader(THREADS, networks, known), name)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks taught")
    parser.add_argument("--sources", nargs="+", default=list(SOURCES), metavar="SOURCE")
    asked = parser.parse_known_args()[0]
    cv2.setNumThreads(1)
    print(HEAD)
    for source, shown in every_source(asked.sources):
        networks = unseen(source) or Networks(threads=THREADS)
        for time in range(min(TIMES, len(shown) // TAUGHT)):
            chosen = shown[time :: len(shown) // TAUGHT][:TAUGHT]
            rest = [one for one in shown if one not in chosen]
            outcome = teach(chosen, networks)
            read: list[Accepted] = []
            for name, known in (("untaught", None), (f"{outcome.faces} taught", outcome.known)):
                read.append(_read(rest, networks, known, f"{source}, {name}"))
                print(f"{source + ', ' + name:<30}{read[-1].line()}", flush=True)
            kept = "kept" if outcome.kept else "not kept"
            print(f"{'':<30}of what was not read before: {missing_read(*read)}; {kept}", flush=True)


if __name__ == "__main__":
    main()
