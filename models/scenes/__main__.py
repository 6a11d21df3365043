"""Contact sheets of scenes with their truth: ``python -m models.scenes --seed 1 --count 12 -o a.png``."""

import math
from typing import get_args

import click
import cv2
import numpy as np

from calibration.arrays import Picture
from models.scenes import KINDS, Scene, View, draw

COLORS = {"flat": (90, 255, 90), "cut": (255, 200, 60), "hidden": (60, 160, 255), "cocked": (60, 60, 255),
          "stacked": (255, 80, 255)}  # fmt: skip


def marked(scene: Scene) -> Picture:
    """The scene's picture with the truth drawn in."""
    out = scene.picture.copy()
    for thing in scene.things:
        outline = np.round(thing.corners_px * 16).astype(np.int32)
        cv2.polylines(out, [outline], True, (255, 255, 0), 1, cv2.LINE_AA, 4)
        corner = np.round(thing.corners_px[0]).astype(int).tolist()
        cv2.putText(out, thing.name, corner, cv2.FONT_HERSHEY_SIMPLEX, 0.4, (255, 255, 0), 1)
    for die in scene.dice:
        color = COLORS[die.pose]
        cv2.polylines(out, [np.round(die.corners_px * 16).astype(np.int32)], True, color, 1, cv2.LINE_AA, 4)
        x, y, width, height = die.box_px
        label = "?" if die.value is None else str(die.value)
        cv2.putText(
            out, label, (round(x + width), round(y + height)), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 3
        )
        cv2.putText(
            out, label, (round(x + width), round(y + height)), cv2.FONT_HERSHEY_SIMPLEX, 0.5, color, 1
        )
    return np.asarray(out, np.uint8)


@click.command()
@click.option("--seed", default=1, show_default=True, help="The first scene's seed; the others follow on.")
@click.option("--count", default=12, show_default=True, help="How many scenes.")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="Only dice of these kinds.")
@click.option(
    "--view", type=click.Choice(get_args(View)), default="above", help="From where the camera looks."
)
@click.option("--in-rows", is_flag=True, help="With dice lined up, side against side.")
@click.option("--wide", is_flag=True, help="Dice, things, surfaces and light far beyond the usual.")
@click.option("--plain", is_flag=True, help="Without the truth drawn in.")
@click.option("-o", "--output", default="sheet.png", show_default=True, help="The picture file to write.")
def main(  # noqa: PLR0913, PLR0917 - one argument for each option
    seed: int,
    count: int,
    kinds: tuple[str, ...],
    view: View,
    in_rows: bool,
    wide: bool,
    plain: bool,
    output: str,
) -> None:
    """Draw a contact sheet of training scenes."""
    seeds = range(seed, seed + count)
    scenes = [draw(number, kinds=kinds or None, view=view, in_rows=in_rows, wide=wide) for number in seeds]
    tiles = [scene.picture if plain else marked(scene) for scene in scenes]
    columns = max(1, math.ceil(math.sqrt(count)))
    while len(tiles) % columns:
        tiles.append(np.zeros_like(tiles[0]))
    rows = [np.hstack(tiles[first : first + columns]) for first in range(0, len(tiles), columns)]
    if not cv2.imwrite(output, np.vstack(rows)):
        raise click.ClickException(
            f"The sheet cannot be written to {output}; name a .png or .jpg file in a folder that exists."
        )


if __name__ == "__main__":
    main()
