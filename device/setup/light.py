"""What a picture says of light and lens, in words for whoever moves the lamp and turns the lens."""

from calibration.arrays import Picture
from calibration.fit import Brightness, blur_of, burnt_spot, light_of
from device.doctor import SOFT_PX, WIDE
from device.setup.shown import HintShown
from engine.wording import phrase, phrase_later, told_number

MOST_BURNT = 0.02
"""The share of burnt pixels that a picture may have."""
DARK_GREY = 40.0
"""A picture whose mean grey is below this is mostly noise."""
DIM_GREY = 60.0
"""Below this it can be read, and more light is better."""
LEAST_GLARE = 0.0004
"""A burnt spot of this share of the picture hides a die's mark: of 1280 x 960 pixels some 22 x 22."""
PLACES = (
    (phrase_later("at the top left"), phrase_later("at the top"), phrase_later("at the top right")),
    (phrase_later("in the middle left"), phrase_later("in the middle"), phrase_later("in the middle right")),
    (phrase_later("at the bottom left"), phrase_later("at the bottom"), phrase_later("at the bottom right")),
)
"""Places of a picture, by rows and columns."""


def hints_of(picture: Picture) -> tuple[HintShown, ...]:
    """What is to be said of a picture's light, glare and sharpness, each in a sentence."""
    light = light_of(picture)
    return (_exposure(light), _glare(picture, light), _sharpness(picture, light))


def edge_px(picture: Picture) -> float:
    """How wide the sharpest edges look, pixels; 0 where nothing has an edge that could be sharp."""
    return WIDE * blur_of(picture)


def _exposure(light: Brightness) -> HintShown:
    grey = phrase("mean grey {grey} of 255", grey=f"{light.mean_grey:.0f}")
    if light.mean_grey < DARK_GREY:
        text = phrase("Too dark ({grey}): more light, or a longer exposure.", grey=grey)
        return HintShown("light", "fail", text)
    if light.burnt_share > MOST_BURNT:
        text = phrase(
            "Too bright: {share} % of the picture is burnt out. Dim the light.",
            share=f"{100 * light.burnt_share:.0f}",
        )
        return HintShown("light", "fail", text)
    if light.mean_grey < DIM_GREY:
        text = phrase("A little dark ({grey}): a second lamp would help.", grey=grey)
        return HintShown("light", "warn", text)
    return HintShown("light", "ok", phrase("Bright enough ({grey}).", grey=grey))


def _glare(picture: Picture, light: Brightness) -> HintShown:
    """What the largest burnt spot asks for."""
    spot = burnt_spot(picture)
    if spot is None or spot.area < LEAST_GLARE:
        return HintShown("glare", "ok", phrase("No lamp mirrors in it."))
    where = phrase(PLACES[int(3 * spot.down)][int(3 * spot.across)])
    if light.burnt_share > MOST_BURNT:
        return HintShown("glare", "warn", phrase("Burnt out, most of all {where}.", where=where))
    text = phrase("A lamp mirrors {where}: move it to the side, or soften it.", where=where)
    return HintShown("glare", "warn", text)


def _sharpness(picture: Picture, light: Brightness) -> HintShown:
    wide_px = edge_px(picture)
    if wide_px == 0 and light.mean_grey < DARK_GREY:
        text = phrase("Nothing in it has an edge that could be sharp: more light, then lay a die there.")
        return HintShown("sharpness", "warn", text)
    if wide_px == 0:
        text = phrase("Nothing in it has an edge that could be sharp: lay a die there.")
        return HintShown("sharpness", "warn", text)
    wide = told_number(wide_px, ".1f")
    if wide_px > WIDE * SOFT_PX:
        text = phrase(
            "Blurred: its sharpest edges are {wide} px wide. Turn the lens; below 5 px is well.", wide=wide
        )
        return HintShown("sharpness", "fail", text)
    return HintShown("sharpness", "ok", phrase("Sharp: its sharpest edges are {wide} px wide.", wide=wide))
