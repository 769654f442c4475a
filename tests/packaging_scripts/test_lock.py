"""The lock files hold what pyproject.toml allows, with digests and without a place to get it."""

from __future__ import annotations

import datetime
import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.packaging_scripts.test_setup_environment import load

ROOT = Path(__file__).resolve().parents[2]
locked = load("locked")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LOCKS = {group: locked.lock_file(group).read_text("utf-8") for group in locked.GROUPS}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def wanted(group: str) -> list[Requirement]:
    """What pyproject.toml says that a lock file must hold."""
    project = PROJECT["project"]
    if group == locked.DESK:
        texts = project["dependencies"] + PROJECT["build-system"]["requires"]
    else:
        texts = project["optional-dependencies"][group]
    return [Requirement(text) for text in texts if not text.startswith(project["name"])]


@pytest.mark.parametrize("group", locked.GROUPS)
@pytest.mark.parametrize("python", PYTHONS)
def test_each_dependency_has_one_locked_version_that_the_project_allows(group, python):
    here = {"python_version": python, "python_full_version": f"{python}.1"}
    pins = {}
    for pin in locked.read_pins(LOCKS[group]):
        line = f"{pin.name}=={pin.version}" + (f"; {pin.marker}" if pin.marker else "")
        marker = Requirement(line).marker
        if marker is None or marker.evaluate(here):
            assert canonicalize_name(pin.name) not in pins
            pins[canonicalize_name(pin.name)] = pin.version
    for requirement in wanted(group):
        version = pins[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), "run packaging/renew_lock.py"


@pytest.mark.parametrize("group", locked.GROUPS)
def test_every_line_is_a_pin_or_a_digest_and_none_names_an_index(group):
    pins = list(locked.read_pins(LOCKS[group]))
    digest = r"    --hash=sha256:[0-9a-f]{64}( \\)?\n"
    for pin in pins:
        first, rest = pin.lines.split("\n", 1)
        assert "==" in first
        assert re.fullmatch(f"({digest})+", rest)
    comment, _, all_pins = LOCKS[group].partition("\n")
    assert comment.startswith("# Written by packaging/renew_lock.py")
    assert "".join(pin.lines for pin in pins) == all_pins
    assert "://" not in LOCKS[group]


def test_no_version_is_in_two_lock_files():
    names = [{pin.name for pin in locked.read_pins(LOCKS[group])} for group in locked.GROUPS]
    assert sum(map(len, names)) == len(set().union(*names))


def test_the_audit_looks_at_the_versions_of_every_machine():
    audit = load("audit")
    pins = [pin for group in locked.GROUPS for pin in locked.read_pins(LOCKS[group])]
    parts = list(audit.without_markers(pins))
    looked_at = [pin for part in parts for pin in locked.read_pins(part)]
    assert sorted(map(tuple, ((pin.name, pin.version) for pin in looked_at))) == sorted(
        (pin.name, pin.version) for pin in pins
    )
    assert {pin.marker for pin in looked_at} == {""}
    for part in parts:
        names = [pin.name for pin in locked.read_pins(part)]
        assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("found", "status", "words"),
    [
        ([{"name": "a", "version": "1", "vulns": []}], 0, "1 versions looked up, 0 vulnerable."),
        ([{"name": "a", "skip_reason": "not found"}], 1, "could not be looked up at pypi"),
        (
            [{"name": "a", "version": "1", "vulns": [{"id": "X-1", "fix_versions": ["2"]}]}],
            1,
            "a 1: X-1, mended in 2",
        ),
        ([], 1, "0 versions looked up"),
    ],
    ids=["clean", "not looked up", "vulnerable", "nothing"],
)
def test_only_versions_that_were_looked_up_are_clean(found, status, words, capsys):
    assert load("audit").tell(found, "pypi") == status
    assert words in capsys.readouterr().err


def test_every_package_of_the_program_is_in_the_wheel() -> None:
    there = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for top in ("app", "randomizer")
        for path in (ROOT / top).rglob("__init__.py")
    }
    assert set(PROJECT["tool"]["setuptools"]["packages"]) - {"app.manual"} == there


# --- the record of audits, for a machine without a network ----------------------------------------

TODAY = datetime.date(2026, 12, 5)
ENTRY = {"date": "2026-11-25", "service": "osv", "advisories": []}


@pytest.mark.parametrize(
    ("record", "status", "message"),
    [
        ({"a 1": ENTRY}, 0, "The oldest entry is 10 days old: a 1, 2026-11-25 at osv."),
        ({"a 1": ENTRY, "b 2": None}, 1, "By the record 1 of 2 locked versions were looked up"),
        ({"b 2": None}, 1, "Never looked up: b 2"),
        ({"a 1": {**ENTRY, "advisories": ["X-1"]}}, 1, "a 1: X-1"),
        ({}, 1, "By the record 0 of 0"),
    ],
)
def test_without_a_service_the_record_says_what_was_looked_up_when(record, status, message, capsys):
    assert load("audit").tell_record(record, TODAY) == status
    assert message in capsys.readouterr().err


def test_an_audit_renews_what_it_looked_up_and_the_record_follows_the_locks():
    pins = [locked.Pin(name, "2", "", "") for name in ("a", "b", "new")]
    found = [
        {"name": "a", "version": "2", "vulns": [{"id": "X-2"}, {"id": "X-1"}]},
        {"name": "b", "version": "2", "skip_reason": "not found"},
    ]
    record = {"a 1": ENTRY, "a 2": ENTRY, "b 2": ENTRY, "gone 1": ENTRY}
    assert load("audit").renewed(record, pins, found, "pypi", TODAY) == {
        "a 2": {"date": "2026-12-05", "service": "pypi", "advisories": ["X-1", "X-2"]},
        "b 2": ENTRY,
        "new 2": None,
    }


def test_the_record_is_of_what_the_program_is_locked_to_and_names_no_place():
    text = load("audit").RECORD.read_text("utf-8")
    record = json.loads(text)
    for group in ("desk", "scripts"):
        for pin in locked.read_pins(LOCKS[group]):
            assert f"{pin.name} {pin.version}" in record, "run packaging/audit.py"
    assert "/" not in text
    assert "\\" not in text
    for entry in record.values():
        assert entry is None or datetime.date.fromisoformat(entry["date"])


def test_without_a_network_the_audit_tells_the_record_and_keeps_it(tmp_path, capsys):
    audit = load("audit")
    record = tmp_path / "audited.json"
    record.write_text(json.dumps({"lark 1.3.1": ENTRY}), "utf-8")

    def offline(_pins, _service):
        raise audit.SetupError("The package index cannot be reached")

    assert audit.main(record, offline) == 1
    messages = capsys.readouterr().err
    assert "The package index cannot be reached" in messages
    assert "By the record 1 of " in messages
    assert json.loads(record.read_text("utf-8"))["lark 1.3.1"] == ENTRY
