"""Damaged drafts of scripts are told and put into quarantine; the others are offered."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from randomizer.storage.journal.drafts import Draft, DraftFile, leftover_drafts
from randomizer.storage.journal.quarantine import QUARANTINE

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
    drafts = tmp_path / "scripts"
    for _ in range(2):
        file = DraftFile.begin(drafts)
        file.write(DRAFT)
        file.close()
    place = min(drafts.iterdir()) / "script.json"
    record = {**json.loads(place.read_text()), name: value}
    del record["digest"]
    record["digest"] = sha256(json.dumps(record).encode()).hexdigest()
    place.write_text(json.dumps(record))
    found, (problem,) = leftover_drafts(drafts)
    assert problem.path == str(tmp_path / QUARANTINE / place.parent.name)
    assert Path(problem.path, "script.json").exists()
    assert [draft for _, draft in found] == [DRAFT]
    for file, _ in found:
        file.close()
