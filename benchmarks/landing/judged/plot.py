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
BETWEEN_MM = (0.05, 0.2, 0.5)
"""Marks that only a short scale has room for."""
INK, FAINT, PAPER = "#1f2933", "#d7dde4", "#ffffff"
COLORS = {"12mp": "#0b6e4f", "3mp": "#1c5fb8", "1mp": "#c2410c"}
WORDS = {"12mp": "0.30 mm to a pixel", "3mp": "0.60 mm", "1mp": "0.95 mm"}
TARGETS_MM = {"12mp": 0.10, "3mp": 0.20}


def drawing(rows: list[Row], title: str = TITLE, low_mm: float = LOW_MM) -> str:
    """A dot for each source and camera, on a logarithmic scale from `low_mm`, and a line to each 95th
    percentile."""
    cameras = [camera for camera in PRESETS if any(row.camera == camera for row in rows)]
    names = list(dict.fromkeys(row.source for row in rows))
    high = TOP + ROW * len(names) + 56
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {high}"',
        f'font-family="system-ui, sans-serif" font-size="13" fill="{INK}">',
        f'<rect width="{WIDE}" height="{high}" fill="{PAPER}"/>',
        f'<text x="20" y="30" font-size="18" font-weight="600">{escape(title)}</text>',
        _legend(cameras),
        *_scale(high - 56, cameras, low_mm),
    ]
    for i, name in enumerate(names):
        y = TOP + ROW * i + ROW / 2
        if i % 2 == 0:
            parts.append(f'<rect y="{y - ROW / 2}" width="{WIDE}" height="{ROW}" opacity="0.025"/>')
        parts.append(f'<text x="{LEFT - 14}" y="{y + 4}" text-anchor="end">{escape(name)}</text>')
        for row in rows:
            if row.source == name:
                shift = cameras.index(row.camera) - (len(cameras) - 1) / 2
                parts.append(_dot(row, y + shift * 6, low_mm))
    return "\n".join((*parts, "</svg>\n"))


def _x(mm: float, low_mm: float) -> float:
    share = math.log(max(mm, low_mm) / low_mm) / math.log(HIGH_MM / low_mm)
    return LEFT + (WIDE - LEFT - RIGHT) * min(share, 1.0)


def _dot(row: Row, y: float, low_mm: float) -> str:
    if math.isnan(row.mean_mm):
        return ""
    color = COLORS[row.camera]
    mean, far = _x(row.mean_mm, low_mm), _x(row.p95_mm, low_mm)
    return (
        f'<line x1="{mean:.1f}" x2="{far:.1f}" y1="{y}" y2="{y}" stroke="{color}"/>'
        f'<circle cx="{mean:.1f}" cy="{y}" r="3.6" fill="{color}"/>'
    )


def _legend(cameras: list[str]) -> str:
    parts = []
    for k, camera in enumerate(cameras):
        x = 20 + k * 170
        parts.append(f'<circle cx="{x + 5}" cy="52" r="5" fill="{COLORS[camera]}"/>')
        parts.append(f'<text x="{x + 17}" y="56">{WORDS[camera]}</text>')
    parts.append(f'<text x="500" y="56" fill="#52606d">{KEY}</text>')
    return "".join(parts)


def _scale(bottom: float, cameras: list[str], low_mm: float) -> list[str]:
    parts = []
    for mm in (0.001, 0.003, 0.01, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0):
        if mm < low_mm or (low_mm == LOW_MM and mm in BETWEEN_MM):
            continue
        x = _x(mm, low_mm)
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{bottom}" stroke="{FAINT}"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 20}" text-anchor="middle">{mm:g}</text>')
    middle = (LEFT + WIDE - RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{bottom + 42}" text-anchor="middle">mm (logarithmic)</text>')
    targets = [(camera, mm) for camera, mm in TARGETS_MM.items() if camera in cameras]
    for (camera, mm), anchor, shift in zip(targets, ("end", "start"), (-4, 4), strict=False):
        x, color = _x(mm, low_mm), COLORS[camera]
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
