"""Damaged drafts of scripts are told and stay; the others are offered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from randomizer.storage.drafts import Draft, DraftFile, leftover_drafts

DRAFT = Draft("Bog.rnd", "", "TITLE Bog\n", "", "", {}, changed=5.0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("changed", "x"),
        ("changed", None),
        ("changed", True),
        ("changed", [1]),
        ("path", 5),
        ("path", ["a"]),
        ("path", "\0"),
        ("name", 5),
        ("text", None),
        ("texts", [1]),
        ("texts", {"a": 5}),
        ("settings", []),
        ("settings", "x"),
        ("unknown", 1),
        ("version", 2),
    ],
)
def test_a_damaged_draft_is_told_and_the_others_are_offered(
    tmp_path: Path, name: str, value: Any
) -> None:
    for _ in range(2):
        file = DraftFile.begin(tmp_path)
        file.write(DRAFT)
        file.close()
    place = next(tmp_path.iterdir()) / "script.json"
    place.write_text(json.dumps({**json.loads(place.read_text()), name: value}))
    drafts, (problem,) = leftover_drafts(tmp_path)
    assert problem.path == str(place)
    assert [draft for _, draft in drafts] == [DRAFT]
    for file, _ in drafts:
        file.close()
