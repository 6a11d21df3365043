"""What the commands of the training share: how numbers are asked for, and how they end in a sentence."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

import cv2
import torch

from models.files import ModelError
from models.training.fit import CourseError
from models.training.recall import RecallError


def from_one_on(word: str) -> int:
    """A whole number on the command line. Raises ArgumentTypeError for anything else, 0 among it."""
    if not (word.isdecimal() and int(word)):
        raise argparse.ArgumentTypeError(f"{word} is no whole number from 1 on")
    return int(word)


@contextmanager
def learning(threads: int) -> Iterator[None]:
    """What is done in here learns on so many threads, from weights that begin alike each time.

    What is missing or damaged ends the program with the sentence that names it and how to mend it.
    """
    cv2.setNumThreads(1)
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    try:
        yield
    except (FileNotFoundError, ModelError, RecallError, CourseError) as error:
        raise SystemExit(str(error)) from error
