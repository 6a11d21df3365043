"""A call in the words of people at a table: for evidence, and for whoever asks without a screen."""

from engine.wording import phrase, phrase_later, told_number
from vision.landing.call import Call, DotCall, Sureness
from vision.landing.field import TABLE
from vision.landing.zones import NearLine

SURE = 1.96
"""Half the width of a plus-minus, in standard deviations: it holds 95 times in 100."""
FAR_MM = 60.0
"""A line farther off than this decides nothing, and its tenths mean nothing."""
NEAR_DOT_MM = 10.0
"""The dot is mentioned when less than this decides about it."""
DOT: dict[tuple[bool, Sureness], str] = {
    (True, "certain"): phrase_later("The dot is covered, by {length} where it is nearest to showing."),
    (True, "too_close"): phrase_later(
        "The dot is covered, by {length} where it is nearest to showing, which is too close to call."
    ),
    (False, "certain"): phrase_later("The dot is to be seen: {length} of it."),
    (False, "too_close"): phrase_later("The dot is to be seen: {length} of it, which is too close to call."),
}
"""What is said of a dot, by whether it is covered and how sure that is."""


def measure(mm: float, sigma_mm: float) -> str:
    """A length with its plus-minus: "0.42 ± 0.08 mm"."""
    return f"{told_number(abs(mm), '.2f')} ± {told_number(SURE * sigma_mm, '.2f')} mm"


def worth(value: int | None, call: Call) -> str:
    """What the die counts: "6 × 5 = 30"; its zone alone when it was not read."""
    return phrase("Zone {zone}", zone=call.zone) if value is None else f"{value} × {call.zone} = {call.score}"


def verdict(call: Call) -> str:
    """How sure the zone is."""
    return phrase("Certain") if call.call == "certain" else phrase("Too close to call")


def line_words(near: NearLine) -> str:
    """A line in people's words: "the line between 2 and 5"."""
    if near.halfway:
        return phrase("the halfway line")
    if near.name == TABLE:
        return phrase("the table's edge")
    low, high = near.name.split("|")
    if low == "0":
        return phrase("the side line") if high == "1" else phrase("the sheet's edge")
    return phrase("the line between {low} and {high}", low=low, high=high)


def nearness(call: Call) -> str:
    """How the die lies to the line that decides, in words."""
    near = call.near
    length, line = measure(near.mm, call.near_sigma_mm), line_words(near)
    if abs(near.mm) > FAR_MM:
        far_cm = f"{abs(near.mm) / 10:.0f}"
        return phrase("The nearest line is far off: {far_cm} cm to {line}.", far_cm=far_cm, line=line)
    if near.halfway and near.mm > 0:
        return phrase("It clears the halfway line by {length}.", length=length)
    if near.halfway:
        return phrase("It is not clear of the halfway line: {length} are missing.", length=length)
    if near.mm > 0:
        return phrase("It reaches {length} over {line}.", length=length, line=line)
    return phrase("It is {length} short of {line}.", length=length, line=line)


def chances(call: Call) -> str:
    """How likely the zone is, in words, with the others where they matter."""
    likely = [(zone, part) for zone, part in call.by_zone if part >= 0.002 or zone == call.zone]
    likely.sort(key=lambda pair: -pair[1])
    told = [phrase("of zone {zone}: {chance}", zone=zone, chance=percent(part)) for zone, part in likely]
    return phrase("Chance {of_zones}", of_zones=", ".join(told))


def percent(part: float) -> str:
    """A chance, never rounded up to certainty: "99.97 %", "over 99.99 %"."""
    if part > 0.9999:
        return phrase("over 99.99 %")
    if part < 0.0001:
        return phrase("under 0.01 %")
    return f"{told_number(100 * part, '.2f' if part > 0.99 or part < 0.01 else '.0f')} %"


def dot_words(dot: DotCall | None) -> str:
    """A sentence about the dot; empty when it is far off."""
    if dot is None or abs(dot.margin_mm) > NEAR_DOT_MM:
        return ""
    length = measure(dot.margin_mm, dot.sigma_mm)
    return phrase(DOT[dot.covered, dot.call], length=length)
