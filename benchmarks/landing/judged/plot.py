"""The study's figures as a picture: `python -m benchmarks.landing.judged.plot figures.json picture.svg`."""

import json
import math
import sys
from html import escape
from pathlib import Path

from benchmarks.landing.judged.study import Row
from benchmarks.landing.kit import PRESETS

LEFT, RIGHT, TOP, ROW = 330, 40, 92, 27
WIDE = 900
TITLE = "What each source adds to the error of a landing"
KEY = "dot: mean of the outline's error; line: to its 95th percentile"
LOW_MM, HIGH_MM = 0.0003, 1.0
INK, FAINT, PAPER = "#1f2933", "#d7dde4", "#ffffff"
COLORS = {"12mp": "#0b6e4f", "3mp": "#1c5fb8", "1mp": "#c2410c"}
WORDS = {"12mp": "0.30 mm to a pixel", "3mp": "0.60 mm", "1mp": "0.95 mm"}
TARGETS_MM = {"12mp": 0.10, "3mp": 0.20}


def drawing(rows: list[Row]) -> str:
    """A dot for each source and camera, on a logarithmic scale; a line to each 95th percentile."""
    names = list(dict.fromkeys(row.source for row in rows))
    high = TOP + ROW * len(names) + 56
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {high}"',
        f'font-family="system-ui, sans-serif" font-size="13" fill="{INK}">',
        f'<rect width="{WIDE}" height="{high}" fill="{PAPER}"/>',
        f'<text x="20" y="30" font-size="18" font-weight="600">{TITLE}</text>',
        _legend(),
        *_scale(high - 56),
    ]
    for i, name in enumerate(names):
        y = TOP + ROW * i + ROW / 2
        if i % 2 == 0:
            parts.append(f'<rect y="{y - ROW / 2}" width="{WIDE}" height="{ROW}" opacity="0.025"/>')
        parts.append(f'<text x="{LEFT - 14}" y="{y + 4}" text-anchor="end">{escape(name)}</text>')
        for k, camera in enumerate(PRESETS):
            row = next(r for r in rows if r.source == name and r.camera == camera)
            parts.append(_dot(row, y + (k - 1) * 6))
    return "\n".join((*parts, "</svg>\n"))


def _x(mm: float) -> float:
    share = math.log(max(mm, LOW_MM) / LOW_MM) / math.log(HIGH_MM / LOW_MM)
    return LEFT + (WIDE - LEFT - RIGHT) * min(share, 1.0)


def _dot(row: Row, y: float) -> str:
    if math.isnan(row.mean_mm):
        return ""
    color = COLORS[row.camera]
    return (
        f'<line x1="{_x(row.mean_mm):.1f}" x2="{_x(row.p95_mm):.1f}" y1="{y}" y2="{y}" stroke="{color}"/>'
        f'<circle cx="{_x(row.mean_mm):.1f}" cy="{y}" r="3.6" fill="{color}"/>'
    )


def _legend() -> str:
    parts = []
    for k, camera in enumerate(PRESETS):
        x = 20 + k * 170
        parts.append(f'<circle cx="{x + 5}" cy="52" r="5" fill="{COLORS[camera]}"/>')
        parts.append(f'<text x="{x + 17}" y="56">{WORDS[camera]}</text>')
    parts.append(f'<text x="500" y="56" fill="#52606d">{KEY}</text>')
    return "".join(parts)


def _scale(bottom: float) -> list[str]:
    parts = []
    for mm in (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0):
        x = _x(mm)
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{bottom}" stroke="{FAINT}"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 20}" text-anchor="middle">{mm:g}</text>')
    middle = (LEFT + WIDE - RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{bottom + 42}" text-anchor="middle">mm (logarithmic)</text>')
    for (camera, mm), anchor, shift in zip(TARGETS_MM.items(), ("end", "start"), (-4, 4), strict=True):
        x, color = _x(mm), COLORS[camera]
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 14}" y2="{bottom}" stroke="{color}"'
            ' stroke-dasharray="5 4"/>'
        )
        parts.append(
            f'<text x="{x + shift:.1f}" y="{TOP - 6}" text-anchor="{anchor}" fill="{color}" font-size="11">'
            f"target {mm:g}</text>"
        )
    return parts


if __name__ == "__main__":
    figures, picture = map(Path, sys.argv[1:3])
    read = [Row(**row) for row in json.loads(figures.read_text(encoding="utf-8"))]
    picture.write_text(drawing(read), encoding="utf-8")
