"""What a picture says of light and lens, in words for whoever moves the lamp and turns the lens."""

from calibration.arrays import Picture
from calibration.fit import Brightness, blur_of, burnt_spot, light_of
from device.doctor import SOFT_PX, WIDE
from device.setup.shown import HintShown

MOST_BURNT = 0.02
"""The share of burnt pixels that a picture may have."""
DARK_GREY = 40.0
"""A picture whose mean grey is below this is mostly noise."""
DIM_GREY = 60.0
"""Below this it can be read, and more light is better."""
LEAST_GLARE = 0.0004
"""A burnt spot of this share of the picture hides a die's mark: of 1280 x 960 pixels some 22 x 22."""
DOWN, ACROSS = ("at the top", "in the middle", "at the bottom"), ("left", "", "right")


def hints_of(picture: Picture) -> tuple[HintShown, ...]:
    """What is to be said of a picture's light, glare and sharpness, each in a sentence."""
    light = light_of(picture)
    return (_exposure(light), _glare(picture, light), _sharpness(picture, light))


def edge_px(picture: Picture) -> float:
    """How wide the sharpest edges look, pixels; 0 where nothing has an edge that could be sharp."""
    return WIDE * blur_of(picture)


def _exposure(light: Brightness) -> HintShown:
    grey = f"mean grey {light.mean_grey:.0f} of 255"
    if light.mean_grey < DARK_GREY:
        return HintShown("light", "fail", f"Too dark ({grey}): more light, or a longer exposure.")
    if light.burnt_share > MOST_BURNT:
        share = f"{100 * light.burnt_share:.0f} % of the picture"
        return HintShown("light", "fail", f"Too bright: {share} is burnt out. Dim the light.")
    if light.mean_grey < DIM_GREY:
        return HintShown("light", "warn", f"A little dark ({grey}): a second lamp would help.")
    return HintShown("light", "ok", f"Bright enough ({grey}).")


def _glare(picture: Picture, light: Brightness) -> HintShown:
    """What the largest burnt spot asks for."""
    spot = burnt_spot(picture)
    if spot is None or spot.area < LEAST_GLARE:
        return HintShown("glare", "ok", "No lamp mirrors in it.")
    where = f"{DOWN[int(3 * spot.down)]} {ACROSS[int(3 * spot.across)]}".strip()
    if light.burnt_share > MOST_BURNT:
        return HintShown("glare", "warn", f"Burnt out, most of all {where}.")
    return HintShown("glare", "warn", f"A lamp mirrors {where}: move it to the side, or soften it.")


def _sharpness(picture: Picture, light: Brightness) -> HintShown:
    wide_px = edge_px(picture)
    if wide_px == 0:
        why = " more light, then" if light.mean_grey < DARK_GREY else ""
        return HintShown(
            "sharpness", "warn", f"Nothing in it has an edge that could be sharp:{why} lay a die there."
        )
    text = f"its sharpest edges are {wide_px:.1f} px wide"
    if wide_px > WIDE * SOFT_PX:
        return HintShown("sharpness", "fail", f"Blurred: {text}. Turn the lens; below 5 px is well.")
    return HintShown("sharpness", "ok", f"Sharp: {text}.")
