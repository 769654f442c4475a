"""Exports for virtual tables: the drawn picture lies under the table's grid; players' maps."""

from __future__ import annotations

import json
import math
from base64 import b64decode
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QImage

from app.__main__ import main
from app.paper.bitmaps import png
from app.paper.picture_request import PictureRequest
from app.paper.steps import run
from app.paper.virtual_table import table_request, table_work
from app.render.overlay_options import OVERLAYS, Overlays
from randomizer.catalog.format_choice import format_for
from randomizer.formats.checked import read_checked
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, POINTY, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.players_view import SECRET
from randomizer.model.problems import ProblemError
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.model.things.things import Thing, Things
from randomizer.storage.files.project import write_project
from randomizer.systems.free.system import SYSTEM, free_map
from randomizer.systems.free.things import LABEL
from tests.randomizer.systems.interchange.readers import foundry_centres
from tests.randomizer.systems.interchange.test_virtual_tables import without_first

BARE = Overlays(**dict.fromkeys(OVERLAYS, False))
WHITE = TerrainSet("White", (Terrain("White", "#ffffff"),))


def exported(battlemap: BattleMap, path, pixels: int = 50):
    """Write the files of a map; the JSON of the first."""
    request = table_request(PictureRequest(pixels=pixels, overlays=BARE))
    work = table_work(battlemap, request, "maps", path)
    assert work(lambda _percent: None, lambda: False).path == path
    return json.loads(path.read_bytes())


def darkness(image: QImage) -> np.ndarray:
    """How dark each pixel of a picture is, 0 to 1."""
    image = image.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    return 1 - rows[:, : image.width()] / 255


@pytest.mark.parametrize(("width", "height", "pixels"), [(4, 4, 50), (5, 5, 61)])
@pytest.mark.parametrize(
    ("layout", "is_masked"),
    [(FLAT, False), (FLAT, True), (POINTY, False), (POINTY, True), (SQUARE, False)],
)
def test_the_sides_that_are_drawn_are_those_of_foundry(
    qapp, tmp_path, layout, is_masked, pixels, width, height
):
    mask = without_first(layout, width, height) if is_masked else None
    battlemap = BattleMap.new(SYSTEM, Grid(layout, width, height, mask), [Layer(1, "A")], WHITE)
    document = exported(battlemap, tmp_path / "a.json", pixels)
    assert document["background"]["src"] == "maps/a.png"
    image = QImage(str(tmp_path / "a.png"))
    assert (image.width(), image.height()) == (document["width"], document["height"])
    request = table_request(PictureRequest(pixels=pixels, overlays=BARE))
    lines = replace(request, overlays=replace(BARE, grid_lines=True))
    drawn = QImage.fromData(run(png(lines, battlemap, battlemap.composite())))
    assert drawn.size() == image.size()
    dark = darkness(drawn)
    # The whole cells in the middle: from their centres to the middle of each side.
    near = math.hypot(*drawn.size().toTuple()) / 2
    middle = np.array(drawn.size().toTuple()) / 2
    centres = [at for at in foundry_centres(document) if math.dist(at, middle) < near / 3]
    assert len(centres) >= 2
    steps = np.linspace(0.3, 0.7, 400) * pixels
    basis = np.array(layout.basis)
    ways = [
        np.array(side) @ basis / math.dist((0, 0), np.array(side) @ basis) for side in layout.steps
    ]
    for centre in centres:
        off = np.zeros(2)
        for way in ways:
            points = (centre + steps[:, None] * way).T.astype(int)
            weight = dark[points[1], points[0]]
            assert weight.max() > 0.05
            reach = (steps * weight).sum() / weight.sum()
            off += (reach - pixels / 2) * way * 2 / len(ways)
        assert np.abs(off).max() < 0.5


def test_the_whole_set_is_written_by_a_command_and_players_see_nothing_secret(
    qapp, tmp_path, capfd
):
    battlemap = free_map(FLAT, 4, 3)
    open_map = battlemap.snapshot()
    secret = Thing(1, LABEL, 1.5, 2.0, label="Vault", state={SECRET: True})
    battlemap.layers[0].things = Things([secret])
    battlemap.note_ids([1])
    for name, each in (("open", open_map), ("dark", battlemap)):
        (tmp_path / f"{name}.battlemap").write_bytes(write_project(each))

    def command(name: str, out: str, *more: str) -> int:
        source = tmp_path / f"{name}.battlemap"
        target = tmp_path / out
        return main(["picture", str(source), str(target), "--pixels", "40", *more])

    assert command("dark", "dark.json", "--folder", "worlds/moor/") == 0
    assert sorted(each.name for each in tmp_path.glob("dark.*")) == [
        "dark.battlemap",
        "dark.json",
        "dark.json.txt",
        "dark.png",
    ]
    assert b'"worlds/moor/dark.png"' in (tmp_path / "dark.json").read_bytes()
    assert command("open", "open.json") == command("dark", "whole.json", "--no-players") == 0
    pictures = [
        darkness(QImage(str(tmp_path / f"{each}.png"))) for each in ("open", "dark", "whole")
    ]
    apart = [np.abs(pictures[0] - picture).max() for picture in pictures]
    assert apart[1] < 0.1 < 0.3 < apart[2]
    assert command("dark", "dark.uvtt") == 0
    document = json.loads((tmp_path / "dark.uvtt").read_bytes())
    drawn = darkness(QImage.fromData(b64decode(document["image"])))
    assert np.abs(drawn - pictures[1]).max() < 0.1
    assert (
        document["resolution"]["map_size"]["x"] * 40 == QImage(str(tmp_path / "dark.png")).width()
    )
    for name, count in (("dark.json", 0), ("whole.json", 1), ("dark.uvtt", 0)):
        data = (tmp_path / name).read_bytes()
        again = read_checked(format_for(data, name), data).battlemap
        assert len(list(again.visible_things())) == count
    assert command("dark", "small.json", "--pixels", "7") == 1
    assert "has 20 to 500 whole pixels, not 7" in capfd.readouterr().err


def test_another_file_beside_it_is_not_replaced_but_by_its_own_export(qapp, tmp_path):
    battlemap = free_map(SQUARE, 3, 3)
    path = tmp_path / "a.json"
    path.with_suffix(".png").write_bytes(b"a photo")
    with pytest.raises(ProblemError, match=r"a\.png is there with other contents"):
        exported(battlemap, path)
    assert not path.exists()
    path.with_suffix(".png").unlink()
    exported(battlemap, path)
    assert exported(battlemap, path, 60)["grid"]["size"] == 60
    path.write_text("{}")  # another scene, with files of its own
    with pytest.raises(ProblemError, match="is there with other contents"):
        exported(battlemap, path, 40)
