"""Metadata of random map scripts: what differs between the document, the scripts and the game."""

from __future__ import annotations

import json

import pytest

from randomizer.model.problems import Severity
from randomizer.systems.zeroad.script.metadata_check import check_map_metadata

BAY = {"Name": "Bay", "Script": "bay.js", "Description": "A bay.", "CircularMap": False}


def test_a_complete_file_has_no_problems() -> None:
    assert check_map_metadata(json.dumps({"settings": {**BAY, "Size": 256}})) == ()


def test_a_missing_circular_map_is_a_hint_at_the_settings() -> None:
    settings = {name: value for name, value in BAY.items() if name != "CircularMap"}
    (problem,) = check_map_metadata(b"\xef\xbb\xbf" + json.dumps({"settings": settings}).encode())
    assert problem.severity is Severity.HINT
    assert (problem.code, problem.column, problem.end_column) == ("zeroad-circular", 2, 12)


@pytest.mark.parametrize("size", [0, -16, 100, 1040])
def test_a_size_that_no_map_has_is_named_at_its_place(size: int) -> None:
    text = json.dumps({"settings": {**BAY, "Size": size}})
    (problem,) = check_map_metadata(text, "bay.json")
    assert (problem.severity, problem.code) == (Severity.WARNING, "zeroad-size")
    assert (problem.path, problem.column) == ("bay.json", text.index('"Size"') + 1)


def test_errors_come_alone() -> None:
    problems = check_map_metadata('{"settings": {"Size": 3}}')
    assert {problem.code for problem in problems} == {"metadata-missing"}
