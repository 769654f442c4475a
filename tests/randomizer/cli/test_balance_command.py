"""``randomizer balance``: proposals for people and programs, and the balanced map."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from randomizer.systems.colossus.battleland.xml_format import XML
from tests.randomizer.cli.conftest import Run
from tests.randomizer.systems.colossus.few_battles import balance_few

CLOSED = "".join(
    f'<battlehex x="{x}" y="{y}" terrain="Stone" elevation="0"/>\n'
    for x, y in ((0, 2), (1, 1), (2, 1), (3, 0))
)
"""Nobody can come in from the left."""


@pytest.fixture
def field(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    balance_few(monkeypatch)
    path = tmp_path / "Field.xml"
    path.write_text(f'<battlemap terrain="Field" tower="False">\n{CLOSED}</battlemap>\n')
    return path


def test_the_balanced_map_is_written(randomizer: Run, field: Path) -> None:
    out = field.with_name("Even.xml")
    ran = randomizer("balance", field, "--out", out)
    assert ran.code == 0
    first, *proposals = ran.text.splitlines()
    assert first.startswith("as it is: Bottom ")
    assert "Left 0 % (0 to " in first
    assert proposals
    assert all("Stone at " in line for line in proposals)
    assert "our simulator" in ran.err
    written = XML.read(out.read_bytes()).battlemap.composite().planes["terrain"]
    before = XML.read(field.read_bytes()).battlemap.composite().planes["terrain"]
    assert 1 <= (written != before).sum() <= 2


@pytest.mark.deep
def test_proposals_are_told_to_programs(randomizer: Run, field: Path) -> None:
    result = json.loads(randomizer("balance", field, "--json", "--plains", "--seed", 3).text)
    assert [*result["before"]["shares"]] == ["bottom", "right", "left", "plains"]
    assert result["before"]["shares"]["left"]["share"] == 0
    apart = [each["apart"] for each in (result["before"], *result["proposals"])]
    assert result["goal"] == (min(apart) <= 0.05)
    assert all(1 <= len(each["edits"]) <= 2 for each in result["proposals"])


def test_another_kind_of_map_is_refused(randomizer: Run, tmp_path: Path) -> None:
    path = tmp_path / "vale.board"
    made = randomizer("roll", "Landscape", "--out", path, "--seed", 1)
    assert made.code == 0, made.err
    ran = randomizer("balance", path)
    assert ran.code == 1
    assert "battles are fought on Colossus battlelands" in ran.err
