"""What axe finds wrong with a page for people who cannot see it, or not well."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from playwright.sync_api import Page

FIND = """async () => {
  const fading = document.getAnimations().filter(one => one.effect.getComputedTiming().endTime < Infinity);
  await Promise.allSettled(fading.map(one => one.finished));
  return (await axe.run(document)).violations
    .flatMap(rule => rule.nodes.map(node => `${rule.id}: ${node.html}`));
}"""
"""Looks when nothing fades in any more: on the way, words have less contrast than anybody reads."""


@cache
def axe_source() -> str:
    """The script that looks."""
    found = find_spec("axe_playwright_python")
    if found is None or found.origin is None:
        pytest.skip("axe is not installed here: make setup-dev")
    return (Path(found.origin).parent / "axe.min.js").read_text(encoding="utf-8")


def find_violations(page: Page) -> list[str]:
    """Each rule that the page breaks as it is shown now, with the element that breaks it."""
    page.evaluate(axe_source())
    found = page.evaluate(FIND)
    assert isinstance(found, list)
    return found
