"""What scripts can ask for is read before they run, and again only when the mods change."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest

from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.installation.script_data import named_data, preload


def written(mod: Path, **files: str) -> ModFiles:
    for name, text in files.items():
        stem, _underscore, suffix = name.replace("__", "/").rpartition("_")
        path = mod / f"{stem}.{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return ModFiles(mod)


def test_texts_files_and_templates_are_those_that_scripts_read(tmp_path: Path) -> None:
    below = written(
        tmp_path / "public",
        globalscripts__Math_js="math",
        globalscripts__tests__test_js="test",
        maps__random__rmgen__library_js="\ufefflibrary",
        maps__random__a_json="{}",
        maps__scenarios__b_js="no script of random maps",
        simulation__data__civs__athen_json='{"Code": "athen"}',
        simulation__components__Attack_js="component",
        simulation__templates__units__a_xml="<Entity><A>1</A></Entity>",
        simulation__templates__broken_xml="<Entity>",
        art__x_json="{}",
    )
    above = written(tmp_path / "user", maps__random__a_json='{"mine": 1}', maps__random__c_js="c")
    data = preload([below, above])
    assert data["texts"] == {
        "globalscripts/Math.js": "math",
        "maps/random/rmgen/library.js": "library",
        "maps/random/a.json": '{"mine": 1}',
        "maps/random/c.js": "c",
        "simulation/data/civs/athen.json": '{"Code": "athen"}',
    }
    assert data["templates"] == {"units/a": ["Entity", {}, "", [["A", {}, "1", []]]]}
    files = data["files"]
    assert isinstance(files, list)
    assert files == sorted(files)
    assert {"maps/scenarios/b.js", "simulation/templates/units/a.xml"} <= set(files)
    assert not any(path.startswith(("art/", "globalscripts/")) for path in files)


def test_the_data_is_kept_until_a_file_changes(tmp_path: Path) -> None:
    mod = written(tmp_path, maps__random__a_js="a")
    first = preload([mod])
    assert preload([ModFiles(tmp_path)]) is first
    written(tmp_path, maps__random__b_js="b")
    assert preload([mod]) is not first


def picture(side: int) -> bytes:
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    pixels = zlib.compress(bytes(side * (side + 1)))
    chunks = [(b"IHDR", header), (b"IDAT", pixels)]
    made = b"\x89PNG\r\n\x1a\n"
    for kind, data in chunks:
        made += struct.pack(">I", len(data)) + kind + data + bytes(4)
    return made


@pytest.mark.parametrize("text", ['load("maps/random/bay.png")', 'load(folder + "bay" + ".png")'])
def test_large_data_is_read_where_the_script_names_it(text: str, tmp_path: Path) -> None:
    mod = written(tmp_path, maps__random__a_js="", art__actors__props__rock_xml="<actor/>")
    for name in ("bay", "sea"):
        (tmp_path / f"maps/random/{name}.png").write_bytes(picture(16))
    (tmp_path / "maps/random/bay.pmp").write_bytes(b"no terrain")
    files = mod.list("maps")
    data = named_data([mod], files, text)
    assert list(data["heightmaps"]) == ["maps/random/bay.png"]
    assert data["terrains"] == {}
    assert data["actors"] == ()
    asked = named_data([mod], files, 'Engine.FindActorTemplates("", true)')
    assert asked["actors"] == ("actor|props/rock.xml",)
    assert not asked["heightmaps"]


def test_no_mods_have_no_data() -> None:
    assert preload([]) == {"texts": {}, "files": [], "templates": {}}
