"""A small installed game of 0 A.D.: a few templates with parents, actors, textures, two civs."""

from __future__ import annotations

from pathlib import Path

import pytest

from randomizer.systems.zeroad.installation.template_catalog import forget_catalog
from tests.randomizer.systems.zeroad.given_places import find_games_only_in

FILES = {
    "mod.json": "{}",
    "simulation/data/civs/athen.json": '{"Code": "athen"}',
    "simulation/data/civs/rome.json": '{"Code": "rome"}',
    "simulation/templates/special/players/athen.xml": (
        "<Entity><Identity><GenericName>Athenians</GenericName></Identity></Entity>"
    ),
    "simulation/templates/template_structure.xml": (
        '<Entity><Footprint><Square width="20.0" depth="12.0"/></Footprint>'
        '<Identity><GenericName>Structure</GenericName><Classes datatype="tokens">Structure'
        "</Classes></Identity></Entity>"
    ),
    "simulation/templates/structures/athen/fortress.xml": (
        '<Entity parent="template_structure"><Footprint><Square width="36.0"/></Footprint>'
        "<Identity><Civ>athen</Civ><GenericName>Fortress</GenericName>"
        "<SpecificName>Teichisma</SpecificName></Identity></Entity>"
    ),
    "simulation/templates/structures/rome/wall_long.xml": (
        '<Entity parent="template_structure"><Identity><Civ>rome</Civ></Identity></Entity>'
    ),
    "simulation/templates/structures/athen/theater.xml": (
        '<Entity><Footprint><Circle radius="25"/></Footprint></Entity>'
    ),
    "simulation/templates/structures/athen/odd.xml": (
        '<Entity><Footprint><Square width="wide" depth="-3"/></Footprint></Entity>'
    ),
    "simulation/templates/structures/athen/broken.xml": "<Entity",
    "simulation/templates/units/athen/hero_pericles.xml": (
        "<Entity><Identity><Civ>athen</Civ></Identity></Entity>"
    ),
    "simulation/templates/gaia/tree/oak.xml": "<Entity/>",
    "art/actors/props/flora/grass.xml": "<actor/>",
    "art/terrains/medit/terrains.xml": "<terrains/>",
    "art/terrains/medit/medit_cliff_odd.xml": "<terrain/>",
    "art/terrains/medit/medit_sand.xml": "<terrain/>",
}


def install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install the game in a folder, as the only one that is found; return its mod."""
    public = folder / "game" / "mods" / "public"
    for name, text in FILES.items():
        file = public / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    find_games_only_in(folder, monkeypatch)
    forget_catalog()
    return public
