"""Each sentence is given the values that it names, and no others."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

ROOT = Path(__file__).parents[3]
ROOMS = ("calibration", "device", "engine", "vision")
GIVEN_BY_ITSELF = {"phrase": set[str](), "phrase_count": {"count"}}
FORMS = {"phrase": 1, "phrase_count": 2}


def names_in(text: str) -> set[str]:
    """The names in braces: "{player.name:.1f}" names `player`."""
    fields = (field for _, field, _, _ in Formatter().parse(text) if field is not None)
    names = {field.partition(".")[0].partition("[")[0] for field in fields}
    return set(filter(str.isidentifier, names))


def later_in(tree: ast.Module) -> dict[str, str]:
    """The sentences that are told later, by the names that the module gives them."""
    return {
        target.id: str(value.args[0].value)
        for each in tree.body
        if isinstance(each, ast.Assign) and isinstance(value := each.value, ast.Call)
        if isinstance(value.func, ast.Name) and value.func.id == "phrase_later"
        for target in each.targets
        if isinstance(target, ast.Name) and isinstance(value.args[0], ast.Constant)
    }


def told(path: Path) -> Iterator[tuple[int, str, set[str], set[str]]]:
    """Each sentence that stands there: its line, itself, the values that it names and those it is given."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    later = later_in(tree)
    for call in ast.walk(tree):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
            continue
        kind = call.func.id
        if kind not in GIVEN_BY_ITSELF or any(each.arg is None for each in call.keywords):
            continue
        given = {each.arg for each in call.keywords if each.arg} | GIVEN_BY_ITSELF[kind]
        texts = [
            later.get(text.id) if isinstance(text, ast.Name) else getattr(text, "value", None)
            for text in call.args[: FORMS[kind]]
        ]
        sentences = [text for text in texts if isinstance(text, str)]
        if len(sentences) == FORMS[kind]:
            named = set[str]().union(*map(names_in, sentences))
            yield call.lineno, sentences[0], named | GIVEN_BY_ITSELF[kind], given


@pytest.mark.long
def test_each_sentence_is_given_the_values_that_it_names() -> None:
    found = [
        (f"{path.relative_to(ROOT)}:{line}", text, sorted(named), sorted(given))
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
        for line, text, named, given in told(path)
        if named != given
    ]
    assert found == []
