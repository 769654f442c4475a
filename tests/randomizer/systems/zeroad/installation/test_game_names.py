"""Names that the installed game lacks are told, with the nearest that it has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from randomizer.languages.language import SourceText
from randomizer.model.problems import Severity, TextEdit
from randomizer.systems.zeroad.installation.game_names import names_of, unknown_names
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.map_format.map_json import JSON, map_of
from randomizer.systems.zeroad.map_format.map_schema import read_map_data
from randomizer.systems.zeroad.script_host import HOST
from tests.randomizer.systems.zeroad.given_places import find_games_only_in
from tests.randomizer.systems.zeroad.map_strategies import raw_map

HAS = (
    "mod.json",
    "simulation/templates/gaia/tree/oak.xml",
    "simulation/templates/mixins/hoplite.xml",
    "simulation/templates/special/filter/foundation.xml",
    "simulation/templates/units/athen/hero_pericles.xml",
    "simulation/data/civs/athen.json",
    "art/actors/props/flora/grass.xml",
    "art/terrains/biome/medit/medit_grass_field_a.xml",
)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModFiles:
    """An installed game with few names."""
    public = tmp_path / "game" / "mods" / "public"
    for name in HAS:
        file = public / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{}" if name.endswith("json") else "<Entity/>")
    find_games_only_in(tmp_path, monkeypatch)
    return ModFiles(public)


def test_names_of_the_game_are_no_problem_and_others_are_warnings(game: ModFiles) -> None:
    templates = {
        *("gaia/tree/oak", "mixins/hoplite|units/athen/hero_pericles"),
        "actor|props/flora/grass.xml",
        "foundation|gaia/tree/oak",
        "hoplite|units/athen/hero_pericles",
    }
    settings = {"PlayerData": [{"Civ": "gaia"}, {"Civ": "athen"}, {"Civ": "random"}, None, {}]}
    assert unknown_names(names_of(templates, ["medit_grass_field_a"], settings), [game]) == ()
    wrong = names_of(
        {"gaia/tree/oka", "none|gaia/tree/oak", "actor|props/flora/gras.xml"},
        ["medit_gras_field_a"],
        {"PlayerData": [{"Civ": "athens"}]},
    )
    problems = unknown_names(wrong, [game])
    assert {problem.severity for problem in problems} == {Severity.WARNING}
    assert [problem.message for problem in problems] == [
        "the installed game has no template “gaia/tree/oka”; did you mean gaia/tree/oak?",
        "the installed game has no template “none|gaia/tree/oak”; did you mean gaia/tree/oak?",
        "the installed game has no actor “actor|props/flora/gras.xml”; "
        "did you mean actor|props/flora/grass.xml?",
        "the installed game has no texture “medit_gras_field_a”; did you mean medit_grass_field_a?",
        "the installed game has no civilisation “athens”; did you mean athen?",
    ]


def test_many_unknown_names_are_counted_and_none_is_told_without_a_game(
    game: ModFiles, tmp_path: Path
) -> None:
    names = names_of([f"x{number}" for number in range(90)], [], {})
    problems = unknown_names(names, [game])
    assert len(problems) == 6
    assert problems[-1].message == "85 more templates are unknown to the installed game"
    assert unknown_names(names, [ModFiles(tmp_path / "none")]) == ()


@pytest.mark.usefixtures("game")
def test_a_script_with_an_unknown_template_has_a_fix() -> None:
    text = (
        "const part = 'gaia/tree/' + name, good = 'gaia/tree/oak';\n"
        'function* generateMap() { g("gaia/tree/oack"); }\n'
    )
    (problem,) = HOST.language.check(SourceText(text))
    assert (problem.severity, problem.line, problem.column) == (Severity.WARNING, 2, 30)
    assert problem.fix is not None
    assert problem.fix.edits == (TextEdit(2, 30, 2, 44, "gaia/tree/oak"),)


@pytest.mark.usefixtures("game")
def test_a_checked_map_is_told_its_unknown_names_and_is_never_refused() -> None:
    raw = raw_map()
    raw["entities"][0]["templateName"] = "gaia/tree/oack"
    raw["tileData"]["index"] = [0] * 255 + [4]
    raw["settings"] = {"PlayerData": [{"Civ": "gaia"}, {"Civ": "athn"}]}
    result = JSON.read(json.dumps(raw).encode())
    assert result.battlemap is not None
    found = [each for each in JSON.check(result.battlemap) if each.code.startswith("unknown")]
    assert [each.code for each in found] == [
        "unknown-template",
        "unknown-texture",
        "unknown-civilisation",
    ]
    assert "“xyzzy”" in found[1].message
    data, _problems = read_map_data({key: raw[key] for key in raw if key != "settings"})
    assert data is not None
    assert JSON.write(map_of(data))
