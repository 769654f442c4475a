from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QTransform

from app.__main__ import main
from app.cli.picture_options import add_shown
from randomizer.__main__ import main as randomizer
from randomizer.catalog.map_formats import format_named
from randomizer.cli.files import read_map
from randomizer.cli.output import Console
from randomizer.cli.parser import Parser
from randomizer.formats.checked import write_checked
from randomizer.model.grid.layouts import FLAT, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.free.packaged_sets import packaged_set
from randomizer.systems.free.system import ELEVATION, TERRAIN, free_map

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(qapp, capfd) -> Run:
    """Exit code and standard error of a verb of ``battlelands`` in this process."""

    def run(*words: object) -> tuple[int, str]:
        code = main([*map(str, words)])
        return code, capfd.readouterr().err

    return run


def roll(path, layout: str, size: str, seed: int) -> BattleMap:
    width, height = size.split("x")
    words = ["roll", "Landscape", "--set", f"width={width}", "--set", f"height={height}"]
    words += ["--set", f"layout={layout}"]
    assert randomizer([*words, "--seed", str(seed), "--out", str(path)]) == 0
    return read(path)


def read(path) -> BattleMap:
    return read_map(str(path), Console())[0]


def terrains(battlemap: BattleMap) -> np.ndarray:
    return battlemap.values_or_unset(TERRAIN)


@pytest.mark.parametrize(
    ("layout", "size", "pixels"),
    [("flat", "8x6", 36), pytest.param("pointy", "12x9", 120, marks=pytest.mark.deep)],
)
def test_a_picture_of_ours_gives_its_terrains_back(run, tmp_path, layout, size, pixels) -> None:
    """All but one in 40 at most: the fields of a cell can lie below a name or beside a summit."""
    truth = roll(tmp_path / "a.battlemap", layout, size, 3)
    options = ("--no-shading", "--pixels", pixels)
    words = (tmp_path / "a.battlemap", tmp_path / "a.png", *options)
    run("picture", *words)
    out = tmp_path / "b.battlemap"
    words = ("--layout", layout, "--size", size, "--out", out)
    code, _text = run("trace", tmp_path / "a.png", *words)
    assert code == 0
    wrong_cells = np.flatnonzero(terrains(read(out)) != terrains(truth))
    assert len(wrong_cells) <= truth.grid.size / 40


def small_battlefield(path) -> BattleMap:
    """A map of patches of Battlefield's terrains, 9 x 7 cells."""
    corners = np.random.default_rng(6).integers(0, 9, (3, 4))
    truth = free_map(FLAT, 9, 7, terrain_set=packaged_set("Battlefield"))
    plane = corners.repeat(3, axis=0).repeat(3, axis=1)[:7, :9].astype(TERRAIN.dtype)
    truth.layers[0].planes[TERRAIN.name] = plane
    path.write_bytes(write_checked(format_named("project"), truth))
    return truth


@pytest.mark.parametrize(
    "make",
    [
        small_battlefield,
        pytest.param(lambda path: roll(path, "flat", "16x12", 5), marks=pytest.mark.deep),
    ],
    ids=["Battlefield", "Landscape"],
)
def test_painted_cells_are_kept_and_the_rest_is_read_from_a_turned_jpeg(
    run, tmp_path, make
) -> None:
    truth = make(tmp_path / "a.battlemap")
    grid = truth.grid
    run("picture", tmp_path / "a.battlemap", tmp_path / "a.png", "--no-labels", "--pixels", 50)
    turned = QImage(str(tmp_path / "a.png")).transformed(
        QTransform().rotate(3).scale(1.05, 1.05), Qt.TransformationMode.SmoothTransformation
    )
    turned.convertToFormat(QImage.Format.Format_RGB888).save(str(tmp_path / "a.jpg"), "JPG", 70)
    painted = np.random.default_rng(4).random((grid.height, grid.width)) < 0.15
    plane = np.where(painted, terrains(truth), TERRAIN.unset).astype(TERRAIN.dtype)
    painted_map = free_map(grid.layout, grid.width, grid.height, terrain_set=truth.terrain_set)
    painted_map.layers[0].planes[TERRAIN.name] = plane
    known = format_named("project")
    (tmp_path / "learn.battlemap").write_bytes(write_checked(known, painted_map))
    out = tmp_path / "b.battlemap"
    size = f"{grid.width}x{grid.height}"
    words = ("--layout", "flat", "--size", size, "--learn", tmp_path / "learn.battlemap")
    code, text = run("trace", tmp_path / "a.jpg", *words, "--out", out)
    assert code == 0
    traced = read(out)
    assert [layer.name for layer in traced.layers] == ["Ground", "Traced"]
    np.testing.assert_array_equal(traced.layers[0].planes[TERRAIN.name], plane)
    assert (terrains(traced) == terrains(truth)).mean() >= 0.95, text


def test_a_grey_picture_gives_elevations(run, tmp_path) -> None:
    row = np.repeat(255 * np.arange(8) // 7, 10).astype(np.uint8)
    picture = QImage(np.tile(row, (60, 1)).tobytes(), 80, 60, QImage.Format.Format_Grayscale8)
    picture.save(str(tmp_path / "grey.png"))
    corners = ("--corners", "5,5", "75,5", "5,55")
    words = ("--layout", "square", "--size", "8x6", *corners, "--out", tmp_path / "g.battlemap")
    assert run("trace", tmp_path / "grey.png", *words) == (0, "")
    heights = read(tmp_path / "g.battlemap").values_or_unset(ELEVATION)
    assert heights[0].tolist() == heights[5].tolist() == [-2, 0, 1, 3, 4, 6, 7, 9]


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (("--size", "0x5"), 2, "columns x rows are wanted"),
        (("--corners", "1,2", "3,4", "5"), 2, "a point is wanted"),
        (("--corners", "1,1", "2,2", "3,3"), 1, "on one line"),
        (("--out", "a.xyz"), 2, "no map can be written"),
        (("--terrains", "Moon"), 1, "no terrain set “Moon”"),
        ((), 1, "this is no picture (PNG, JPEG or WebP)"),
    ],
)
def test_what_cannot_be_traced_is_said(run, tmp_path, words, code, text) -> None:
    (tmp_path / "a.png").write_bytes(b"GIF89a")
    usual = ("--layout", "flat", "--size", "4x4", "--out", tmp_path / "a.battlemap")
    ended, message = run("trace", tmp_path / "a.png", *usual, *words)
    assert ended == code
    assert text in message


def test_a_picture_with_too_many_pixels_is_not_decoded(run, tmp_path) -> None:
    header = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR" + (30000).to_bytes(4, "big") * 2
    (tmp_path / "a.png").write_bytes(header + bytes(40))
    usual = ("--layout", "flat", "--size", "4x4", "--out", tmp_path / "a.battlemap")
    code, message = run("trace", tmp_path / "a.png", *usual)
    assert (code, "30,000 x 30,000 pixels" in message) == (1, True)


def test_learning_needs_a_map_of_the_same_size(run, tmp_path) -> None:
    known = format_named("project")
    learn = tmp_path / "learn.battlemap"
    learn.write_bytes(write_checked(known, free_map(SQUARE, 4, 4)))
    words = ("--layout", "flat", "--size", "4x4", "--learn", learn, "--out", tmp_path / "b.json")
    code, message = run("trace", learn, *words)
    assert (code, "this map is square" in message) == (2, True)


def test_names_of_what_is_placed_can_be_left_out() -> None:
    for switch, shown in (("--texts", True), ("--no-texts", False)):
        parser = Parser("picture")
        add_shown(parser)
        assert parser.parse_args([switch]).thing_names is shown
