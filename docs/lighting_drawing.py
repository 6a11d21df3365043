"""Draws docs/lighting.svg: `python docs/lighting_drawing.py`. Where a lamp mirrors is computed."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

OUT = Path(__file__).with_name("lighting.svg")
WIDTH, HEIGHT, TABLE_Y, SCALE = 1240, 440, 350, 4.0
"""In drawing units; four of them are a centimetre."""
CAMERA_CM, SEEN_CM = 60.0, 60.0
"""The camera's height, and how much of the table it sees."""
INK, SOFT, GOOD, BAD, LIGHT = "#1f2933", "#52606d", "#2e7d32", "#c81e1e", "#e0a100"


def mirrors_at(camera_cm: float, lamp_cm: float, aside_cm: float) -> float:
    """How far from the point under the camera a lamp mirrors in what lies flat on the table, in cm.

    A mirror sends light on under the angle under which it came: the two right triangles over that point,
    `camera_cm` and `lamp_cm` high, are alike, and together `aside_cm` wide.
    """
    return aside_cm * camera_cm / (camera_cm + lamp_cm)


@dataclass(frozen=True, slots=True)
class Setup:
    """One lamp: how high, how far aside, and where in the picture it is drawn."""

    title: str
    middle_x: float
    lamp_cm: float
    aside_cm: float

    @property
    def spot_cm(self) -> float:
        """Where it mirrors."""
        return mirrors_at(CAMERA_CM, self.lamp_cm, self.aside_cm)

    @property
    def glares(self) -> bool:
        """Whether that is in the picture."""
        return self.spot_cm <= SEEN_CM / 2


SETUPS = (
    Setup("beside the camera: mirrors in the dice", 200, 60, 20),
    Setup("a little aside: still mirrors", 580, 60, 50),
    Setup("well aside: mirrors outside of the picture", 960, 40, 60),
)


def drawing() -> str:
    """The whole picture as SVG."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" aria-labelledby="what">',
        '<title id="what">Where a lamp mirrors in dice on the table, for three places of the lamp</title>',
        f"<style>text {{ font: 14px 'DejaVu Sans', Verdana, sans-serif; fill: {INK}; }}</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fbfaf7"/>',
        *(line for setup in SETUPS for line in _setup(setup)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _setup(setup: Setup) -> Iterator[str]:
    x, half = setup.middle_x, SEEN_CM / 2 * SCALE
    camera_y, lamp_y = TABLE_Y - CAMERA_CM * SCALE, TABLE_Y - setup.lamp_cm * SCALE
    lamp_x, spot_x = x + setup.aside_cm * SCALE, x + setup.spot_cm * SCALE
    ink = BAD if setup.glares else GOOD
    yield f'<path d="M{x} {camera_y} L{x - half} {TABLE_Y} H{x + half} Z" fill="#dbe7f5" opacity="0.7"/>'
    yield f'<path d="M{x - half - 30} {TABLE_Y} H{x + half + 50}" stroke="{INK}" stroke-width="3"/>'
    for at in (-80, 0, 62):
        yield f'<rect x="{x + at}" y="{TABLE_Y - 8}" width="8" height="8" fill="#ffffff" stroke="{INK}"/>'
    yield (
        f'<path d="M{lamp_x} {lamp_y} L{spot_x:.1f} {TABLE_Y} L{x} {camera_y}" fill="none" stroke="{ink}" '
        'stroke-width="2" stroke-dasharray="7 5"/>'
    )
    yield f'<circle cx="{spot_x:.1f}" cy="{TABLE_Y}" r="6" fill="{ink}"/>'
    yield f'<rect x="{x - 11}" y="{camera_y - 16}" width="22" height="16" rx="3" fill="{INK}"/>'
    yield f'<circle cx="{lamp_x}" cy="{lamp_y}" r="11" fill="{LIGHT}" stroke="{INK}"/>'
    sign = "✗" if setup.glares else "✓"
    yield f'<text x="{x - half - 30}" y="40" style="font-weight:bold;fill:{ink}">{sign} {setup.title}</text>'
    told = f"lamp {setup.lamp_cm:g} cm up, {setup.aside_cm:g} cm aside: mirrors {setup.spot_cm:.0f} cm aside"
    yield f'<text x="{x - half - 30}" y="{TABLE_Y + 34}" style="fill:{SOFT}">{told}</text>'
    seen = f"the picture ends {SEEN_CM / 2:g} cm aside"
    yield f'<text x="{x - half - 30}" y="{TABLE_Y + 58}" style="fill:{SOFT}">{seen}</text>'


if __name__ == "__main__":
    OUT.write_text(drawing(), encoding="utf-8")
