"""What scripts can ask for: only what the mods hold, and only below the folders open to them."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest

from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.installation.script_data import ScriptData

TEMPLATE = "<Entity><A>1</A></Entity>"

PUBLIC = {
    "globalscripts/Math.js": "math",
    "maps/random/rmgen/library.js": "\ufefflibrary",
    "maps/random/a.json": "{}",
    "maps/random/b.js": "b",
    "simulation/data/civs/athen.json": "civ",
    "simulation/templates/units/a.xml": TEMPLATE,
    "simulation/templates/units/kush/c.xml": TEMPLATE,
    "simulation/templates/units/template_x.xml": TEMPLATE,
    "simulation/templates/units/d.xml.cached.xmb": "",
    "simulation/templates/special/s.xml": TEMPLATE,
    "simulation/templates/mixins/m.xml": "<Entity><A disable=''/><B>2</B></Entity>",
    "art/actors/props/rock.xml": "<actor/>",
    "mod.json": "{}",
}

USER = {"maps/random/a.json": "mine", "maps/random/c.js": "c"}


def written(mod: Path, files: dict[str, str]) -> ModFiles:
    for name, text in files.items():
        path = mod / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return ModFiles(mod)


@pytest.fixture
def data(tmp_path: Path) -> ScriptData:
    mods = [written(tmp_path / "public", PUBLIC), written(tmp_path / "user", USER)]
    return ScriptData(mods, {"maps/random/b.js": "unsaved", "maps/random/own/x.js": "x"})


def test_later_mods_and_unsaved_texts_go_over_earlier_ones(data: ScriptData) -> None:
    assert data.text("globalscripts/Math.js") == "math"
    assert data.text("maps/random/rmgen/library.js") == "library"
    assert data.text("maps/random/a.json") == "mine"
    assert data.text("maps/random/b.js") == "unsaved"
    assert data.text("maps/random/none.js") is None
    assert data.exists("maps/random/own/x.js")
    assert data.list("maps/random/", recurse=False) == [
        "maps/random/a.json",
        "maps/random/b.js",
        "maps/random/c.js",
    ]
    assert data.list("maps", recurse=True) == [
        "maps/random/a.json",
        "maps/random/b.js",
        "maps/random/c.js",
        "maps/random/own/x.js",
        "maps/random/rmgen/library.js",
    ]


@pytest.mark.parametrize(
    "path",
    [
        "mod.json",
        "art/actors/props/rock.xml",
        "maps",
        "../x",
        "maps/../mod.json",
        "/etc/passwd",
        "",
    ],
)
def test_other_folders_are_closed(path: str, data: ScriptData, tmp_path: Path) -> None:
    assert data.text(path) is None
    assert not data.exists(path)
    assert data.list("art", recurse=True) == []
    assert data.list("..", recurse=True) == []
    assert data.list("", recurse=True) == []
    unsafe = ScriptData([ModFiles(tmp_path)], {"maps/../mod.json": "x", "mod.json": "x"})
    assert unsafe.text(path) is None
    assert unsafe.list("maps", recurse=True) == []


def test_templates_are_found_below_a_folder(data: ScriptData) -> None:
    assert data.find_templates("units/", recurse=False) == ["units/a"]
    assert data.find_templates("units", recurse=True) == ["units/a", "units/kush/c"]
    assert data.find_templates("", recurse=True) == ["units/a", "units/kush/c"]
    assert data.find_actor_templates("", recurse=True) == ["actor|props/rock.xml"]
    assert data.find_actor_templates("../", recurse=True) == []


def test_templates_are_read_and_merged(data: ScriptData) -> None:
    assert data.template("units/a") == {"A": "1"}
    assert data.template("m|units/a") == {"B": "2"}
    assert data.template("../../../mod") is None
    assert data.template_exists("anything|units/a")
    assert not data.template_exists("units/a|anything")
    assert not data.template_exists("../templates/units/a")


def picture(side: int) -> bytes:
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    made = b"\x89PNG\r\n\x1a\n"
    for kind, part in [(b"IHDR", header), (b"IDAT", zlib.compress(bytes(side * (side + 1))))]:
        made += struct.pack(">I", len(part)) + kind + part + bytes(4)
    return made


def test_height_maps_and_terrains_are_plain_lists(tmp_path: Path) -> None:
    data = ScriptData([written(tmp_path, PUBLIC)])
    (tmp_path / "maps/random/bay.png").write_bytes(picture(16))
    assert data.heightmap_image("maps/random/bay.png") == [0] * 17 * 17
    assert data.heightmap_image("maps/random/none.png") is None
    assert data.heightmap_image("maps/random/b.js") is None
    assert data.map_terrain("maps/random/bay.png") is None
    assert data.map_terrain("maps/random/none.pmp") is None
