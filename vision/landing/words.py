"""A call in the words of people at a table: for evidence, and for whoever asks without a screen."""

from vision.landing.call import Call, DotCall
from vision.landing.field import TABLE
from vision.landing.zones import NearLine

SURE = 1.96
"""Half the width of a plus-minus, in standard deviations: it holds 95 times in 100."""
FAR_MM = 60.0
"""A line farther off than this decides nothing, and its tenths mean nothing."""
NEAR_DOT_MM = 10.0
"""The dot is mentioned when less than this decides about it."""


def measure(mm: float, sigma_mm: float) -> str:
    """A length with its plus-minus: "0.42 ± 0.08 mm"."""
    return f"{abs(mm):.2f} ± {SURE * sigma_mm:.2f} mm"


def worth(value: int | None, call: Call) -> str:
    """What the die counts: "6 × 5 = 30"; its zone alone when it was not read."""
    return f"Zone {call.zone}" if value is None else f"{value} × {call.zone} = {call.score}"


def verdict(call: Call) -> str:
    """How sure the zone is."""
    return "Certain" if call.call == "certain" else "Too close to call"


def line_words(near: NearLine) -> str:
    """A line in people's words: "the line between 2 and 5"."""
    if near.halfway:
        return "the halfway line"
    if near.name == TABLE:
        return "the table's edge"
    low, high = near.name.split("|")
    if low == "0":
        return "the side line" if high == "1" else "the sheet's edge"
    return f"the line between {low} and {high}"


def nearness(call: Call) -> str:
    """How the die lies to the line that decides, in words."""
    near = call.near
    length, line = measure(near.mm, call.near_sigma_mm), line_words(near)
    if abs(near.mm) > FAR_MM:
        return f"The nearest line is far off: {abs(near.mm) / 10:.0f} cm to {line}."
    if near.halfway:
        verb = "clears" if near.mm > 0 else "is not clear of"
        return f"It {verb} {line} by {length}." if near.mm > 0 else f"It {verb} {line}: {length} are missing."
    if near.mm > 0:
        return f"It reaches {length} over {line}."
    return f"It is {length} short of {line}."


def chances(call: Call) -> str:
    """How likely the zone is, in words, with the others where they matter."""
    likely = [(zone, part) for zone, part in call.by_zone if part >= 0.002 or zone == call.zone]
    likely.sort(key=lambda pair: -pair[1])
    return "Chance of " + ", of ".join(f"zone {zone}: {percent(part)}" for zone, part in likely)


def percent(part: float) -> str:
    """A chance, never rounded up to certainty: "99.97 %", "over 99.99 %"."""
    if part > 0.9999:
        return "over 99.99 %"
    if part < 0.0001:
        return "under 0.01 %"
    return f"{100 * part:.2f} %" if part > 0.99 or part < 0.01 else f"{100 * part:.0f} %"


def dot_words(dot: DotCall | None) -> str:
    """A sentence about the dot; empty when it is far off."""
    if dot is None or abs(dot.margin_mm) > NEAR_DOT_MM:
        return ""
    length = measure(dot.margin_mm, dot.sigma_mm)
    close = ", which is too close to call" if dot.call == "too_close" else ""
    if dot.covered:
        return f"The dot is covered, by {length} where it is nearest to showing{close}."
    return f"The dot is to be seen: {length} of it{close}."
