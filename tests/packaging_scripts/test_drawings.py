"""What scripts have drawn and is committed is up to date: previews, pictures, rooms."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from importlib.resources import files
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from app.render.pictures.svg_paths import path_of
from randomizer.systems.colossus.generator import packaged
from tests.packaging_scripts.test_setup_environment import load

ROOT = Path(__file__).resolve().parents[2]
RESOURCES = ROOT / "app" / "resources"


@pytest.mark.parametrize("generator", packaged(), ids=lambda generator: generator.name)
def test_the_preview_shows_a_map_of_the_script_as_it_is_now(generator) -> None:
    drawing = load("draw_previews")
    path = files("randomizer.systems.colossus").joinpath("scripts", generator.metadata.preview)
    stored = QImage.fromData(path.read_bytes())
    assert stored.text("Map") == drawing.fingerprint(generator), "run packaging/draw_previews.py"


def test_a_preview_is_drawn_on_a_transparent_ground(qapp) -> None:
    drawing = load("draw_previews")
    image = drawing.preview(packaged()[0])
    assert (image.width(), image.height()) == (225, 195)
    assert image.pixelColor(0, 0).alpha() == 0
    assert image.pixelColor(112, 97).alpha() == 255


@pytest.mark.deep
def test_the_script_draws_the_pictures_that_are_committed(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, ROOT / "packaging" / "draw_pictures.py", tmp_path], check=True, timeout=60
    )
    drawn = sorted(tmp_path.rglob("*.svg"))
    assert {file.name for file in drawn} == {file.name for file in RESOURCES.glob("terrain/*.svg")}
    for file in [*drawn, tmp_path / "edge_masks.json"]:
        assert file.read_bytes() == (RESOURCES / file.relative_to(tmp_path)).read_bytes(), file.name


PICTURES = sorted(RESOURCES.glob("terrain/*.svg"))


@pytest.mark.parametrize("file", PICTURES, ids=lambda file: file.stem)
def test_every_path_of_a_picture_can_be_read(qapp, file: Path) -> None:
    paths = [path.attrib["d"] for path in ET.parse(file).getroot().findall(".//{*}path")]
    assert paths
    for path in paths:
        assert not path_of(path).isEmpty()


@pytest.fixture(scope="module")
def picture() -> dict[str, float]:
    """The rooms of the committed picture, each with the height of its box from the top."""
    rooms = load("draw_rooms")
    groups = ET.parse(rooms.PICTURE).getroot().findall("{*}g")
    return {group.attrib["id"]: float(group[0].attrib["y"]) for group in groups}


@pytest.mark.parametrize("package", ["app", "randomizer"])
def test_the_picture_of_the_rooms_has_the_rooms_of_the_code(
    picture: dict[str, float], package: str
) -> None:
    rooms = load("draw_rooms").rooms_of(package)
    shown = {room for room in picture if room.startswith(f"{package}.")}
    assert shown == rooms.keys(), "run packaging/draw_rooms.py"


@pytest.mark.deep
@pytest.mark.parametrize("package", ["app", "randomizer"])
def test_in_the_picture_a_room_stands_above_all_that_it_imports(
    picture: dict[str, float], package: str
) -> None:
    drawing = load("draw_rooms")
    imports = drawing.room_imports(drawing.rooms_of(package))
    upward = [
        (room, name)
        for room, names in imports.items()
        for name in names
        if picture[room] >= picture[name]
    ]
    assert not upward, "run packaging/draw_rooms.py"


def test_broad_leaved_woods_have_no_firs() -> None:
    root = ET.parse(RESOURCES / "terrain" / "Woods.svg").getroot()
    names = [group.attrib.get("id", "") for group in root.iter("{http://www.w3.org/2000/svg}g")]
    assert "tree0" in names
    assert not [name for name in names if name.startswith("fir")]


def test_waves_do_not_stand_in_every_cell_of_the_sea() -> None:
    """They would stand in rows: some cells have several, and others none that is seen well."""
    root = ET.parse(RESOURCES / "terrain" / "Open sea.svg").getroot()
    counts = []
    for number in range(1, 9):
        cell = root.find(f".//*[@id='flat-cell-{number}']")
        assert cell is not None
        opacities = [float(path.attrib["opacity"]) for path in cell.iter() if "d" in path.attrib]
        # Each wave is a light line over a dark one.
        counts.append(sum(opacity > 0.1 for opacity in opacities) / 2)
    assert counts.count(0) >= 3
    assert max(counts) >= 3


def test_tufts_do_not_stand_in_every_cell_of_a_meadow() -> None:
    root = ET.parse(RESOURCES / "terrain" / "Grassland.svg").getroot()
    counts = []
    for number in range(1, 9):
        cell = root.find(f".//*[@id='flat-cell-{number}']")
        assert cell is not None
        counts.append(len(list(cell.iter())) - 1)
    assert sorted(counts[:4])[:2] == [1, 1], "a small tuft is all that stands in a bare lawn"
    assert max(counts) >= 8
