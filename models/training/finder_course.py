"""How the finder learns, and from what.

It learns from drawn scenes alone first, then with photographs of all sources that may be learnt from, and
with real surfaces on which no dice lie. The networks of the project tell where in the photographs the
up-faces are (`models.training.real`). To be measured only, one more learns without the sources that it is
measured on (`models.training.photos.HELD_FROM`).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from tqdm import tqdm

from calibration.arrays import Picture
from models.files import COURSES
from models.scenes.chance import Chance
from models.training.fit import OWN_PACE, Course, Pace, best_device, finder_loss, seed_of, train_network
from models.training.nets import FinderNet
from models.training.photos import SOURCES, SURFACES, photos, surfaces
from models.training.real import Labelled, lying_in
from models.training.store import Store
from models.training.targets import Sample, Sampled, lying_of, windows
from vision.learned.networks import Networks

BATCH = 8
SHARE_OF_PHOTOS, SHARE_OF_SURFACES = 0.4, 0.04
DRAWN_RATE, RATE, HELD = 2e-3, 1.5e-3, 0.4


def from_scenes(stores: Sequence[Store]) -> Sample:
    """Any drawn scene of these, each as often."""
    ends = np.cumsum([len(store) for store in stores])

    def sample(chance: Chance) -> Sampled:
        number = int(chance.integers(ends[-1]))
        which = int(np.searchsorted(ends, number, side="right"))
        store, place = stores[which], number - int(ends[which] - len(stores[which]))
        dice = [lying_of(die.corners, die.visible) for die in store.truths[place]]
        return Sampled(store.picture(place), dice, upright=store.upright)

    return sample


def with_photos(scenes: Sample, pictures: Sequence[Labelled], bare: Sequence[Picture]) -> Sample:
    """Samples drawn scenes and, for a share, photographs and bare surfaces; the share of each source of
    photographs goes with the square root of how many pictures it has."""
    by_source: dict[str, list[Labelled]] = {}
    for one in pictures:
        by_source.setdefault(one.photo.source, []).append(one)
    sources = sorted(by_source)
    shares = np.array([len(by_source[source]) ** 0.5 for source in sources])

    def sample(chance: Chance) -> Sampled:
        lot = chance.random()
        if bare and lot < SHARE_OF_SURFACES:
            return Sampled(bare[int(chance.integers(len(bare)))], [])
        if lot > SHARE_OF_SURFACES + SHARE_OF_PHOTOS:
            return scenes(chance)
        own = by_source[sources[int(chance.choice(len(sources), p=shares / shares.sum()))]]
        one = own[int(chance.integers(len(own)))]
        return Sampled(one.photo.picture, one.lying, upright=True)

    return sample


def real_samples(scenes: Sample, without: Sequence[str], networks: Networks) -> Sample | None:
    """Drawn scenes with photographs and surfaces of all sources but those `without`; None where no
    photographs are there."""
    pictures = []
    for source in (one for one in SOURCES if one not in without):
        every = photos(source)
        told = [lying_in(photo, networks) for photo in tqdm(every, desc=source, mininterval=10)]
        good = [one for one in told if one is not None]
        if every:
            sized = sum(die.sized for one in good for die in one.lying)
            print(f"{source}: {len(good)} of {len(every)} pictures have places, {sized} faces", flush=True)
        pictures += good
    if not pictures:
        return None
    bare = [one for source in SURFACES if source not in without for one in surfaces(source)]
    return with_photos(scenes, pictures, bare)


def learn_finder(name: str, sample: Sample, steps: int, begin: Any = None, pace: Pace = OWN_PACE) -> Any:
    """A finder after a course of that name; `begin` is the network that it goes on from."""
    net = FinderNet()
    if begin is not None:
        net.load_state_dict(begin.state_dict())
    net = net.to(best_device(), memory_format=torch.channels_last)
    rate = DRAWN_RATE if begin is None else RATE
    course = Course(name=name, steps=steps, rate=rate, seed=seed_of(name), held=HELD, minutes=pace.minutes)
    size = pace.size or BATCH
    return train_network(
        net, lambda chance: windows(sample, size, chance), finder_loss, course, COURSES, pace.look
    )
