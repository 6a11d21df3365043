"""What a newcomer meets first says what is so: contributing, security, changelog, forms, checks and CI."""

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from device.cli import COMMANDS
from engine.rulebooks import RULEBOOKS

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[0-9]-*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def yaml_of(name: str) -> Any:
    return yaml.safe_load(text_of(name))


def code_of(page: str) -> list[str]:
    """Everything that a page sets as code: between backticks, or in lines of its own."""
    text = text_of(page)
    return re.findall(r"`([^`]+)`", text) + re.findall(r"^ {4,}(\S.*)$", text, re.MULTILINE)


def field(form: Any, name: str) -> Any:
    """A field of an issue form by its id."""
    return next(part for part in form["body"] if part.get("id") == name)


def test_one_version_everywhere() -> None:
    headings = re.findall(r"^## \[(.+)\]", text_of("CHANGELOG.md"), re.MULTILINE)
    released = [heading for heading in headings if heading != "Unreleased"]
    assert released[0] == PROJECT["version"]
    minor = PROJECT["version"].rpartition(".")[0]
    assert f"| {minor}, the newest | yes |" in text_of("SECURITY.md")


def test_the_changelog_keeps_its_form() -> None:
    text = text_of("CHANGELOG.md")
    versions = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert all(re.fullmatch(r"\[Unreleased\]|\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", one) for one in versions)
    assert "[Unreleased]" not in versions[1:]
    numbers = [tuple(map(int, re.findall(r"\d+", one)[:3])) for one in versions if one != "[Unreleased]"]
    assert numbers == sorted(numbers, reverse=True)
    kinds = set(re.findall(r"^### (.*)$", text, re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    newest = text.split("\n## ")[1]
    entries = re.findall(r"^- (.*(?:\n  .*)*)$", newest, re.MULTILINE)
    assert [entry for entry in entries if len(entry.split()) > 20] == []


@pytest.mark.parametrize("page", PAGES)
def test_each_command_that_a_page_names_is_there(page: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
    for code in code_of(page):
        if made := re.match(r"make ([a-z-]+)", code):
            assert made[1] in targets, code
        if called := re.match(r"callbox ([a-z]+)", code):
            assert called[1] in COMMANDS, code


@pytest.mark.parametrize("page", PAGES)
def test_each_link_and_path_of_a_page_leads_somewhere(page: str) -> None:
    text = text_of(page)
    linked = [link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", text)]
    named = re.findall(r"`((?:engine|vision|calibration|device|tests|systemd|docs|\.ci)/[^` *]*)`", text)
    missing = [path for path in (*linked, *named) if not (ROOT / path).exists()]
    assert not missing


@pytest.mark.parametrize("page", PAGES)
def test_each_link_to_a_heading_finds_it(page: str) -> None:
    for path, heading in re.findall(r"\]\(([^)#]+\.md)#([^)]+)\)", text_of(page)):
        headings = re.findall(r"^#+ (.*)$", text_of(path), re.MULTILINE)
        assert heading in {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


def test_contributing_names_every_target_that_checks_something() -> None:
    told = text_of("CONTRIBUTING.md")
    for target in (
        "setup-dev",
        "demo",
        "check",
        "test",
        "test-all",
        "mutants",
        "rigs",
        "bench",
        "hooks",
        "lock",
    ):
        assert f"make {target}" in told, target


def test_ci_runs_what_people_run_on_both_pythons() -> None:
    workflow = yaml_of(".github/workflows/ci.yml")
    (job,) = workflow["jobs"].values()
    assert [step["run"] for step in job["steps"] if "run" in step] == [".ci/run"]
    promised = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)]
    assert job["strategy"]["matrix"]["python"] == promised
    assert workflow["permissions"] == {"contents": "read"}
    assert "secrets" not in text_of(".github/workflows/ci.yml")
    for lock in ("requirements.lock", "requirements-dev.lock"):
        assert any(lock in str(step.get("with", {}).get("cache-dependency-path")) for step in job["steps"])
    script = text_of(".ci/run")
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111
    assert all(f"\nmake {target}\n" in script for target in ("check", "test-all"))


def test_the_hooks_run_make_check_and_look_at_the_subject() -> None:
    config = yaml_of(".pre-commit-config.yaml")
    (repository,) = config["repos"]
    check, subject = repository["hooks"]
    assert (repository["repo"], check["entry"]) == ("local", "make check")
    assert check["always_run"]
    assert not check["pass_filenames"]
    assert subject["entry"].endswith("python .ci/check_subject.py")
    assert subject["stages"] == ["commit-msg"]
    assert config["default_install_hook_types"] == ["pre-commit", "commit-msg"]


def test_make_check_refuses_a_file_with_conflict_markers(tmp_path: Path) -> None:
    recipe = re.search(r"^check:.*\n\t@(.*git grep.*)$", MAKEFILE, re.MULTILINE)
    assert recipe
    check = recipe[1].replace("$$", "$")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    merged = tmp_path / "merged.md"
    for text, status in (("<" * 7 + " HEAD\nours\n", 1), ("ours\n", 0)):
        merged.write_text(text, encoding="utf-8")
        subprocess.run(["git", "-C", tmp_path, "add", "merged.md"], check=True)
        done = subprocess.run(["bash", "-c", check], cwd=tmp_path, check=False, capture_output=True)
        assert done.returncode == status


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_can_be_shown(path: Path) -> None:
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert {"name", "description", "title", "labels", "body"} == set(form)
    ids = [part["id"] for part in form["body"] if part["type"] != "markdown"]
    assert len(set(ids)) == len(ids)
    assert all(part["attributes"]["label"] for part in form["body"] if part["type"] != "markdown")
    for command in re.findall(r"callbox ([a-z]+)", path.read_text(encoding="utf-8")):
        assert command in COMMANDS


def test_each_form_asks_for_what_settles_it() -> None:
    reading, rule, fault, idea = (yaml.safe_load(path.read_text(encoding="utf-8")) for path in FORMS)
    required = {
        form["name"]: {part["id"] for part in form["body"] if part.get("validations", {}).get("required")}
        for form in (reading, rule, fault, idea)
    }
    assert required["A wrong reading"] >= {"picture", "doctor", "journal"}
    assert required["A rule in question"] >= {"game", "rule", "printed"}
    assert required["A fault"] >= {"happened", "version", "doctor"}
    assert required["An idea"] == {"wish"}
    assert field(rule, "game")["attributes"]["options"] == [book.title for book in RULEBOOKS.values()]
