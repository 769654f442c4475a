"""Pictures of terrains differ, fit together, and keep to their room."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from app.appearance.painting import painting
from app.render.pictures.ground_phase import Phase, phases, phases_at
from app.render.pictures.picture_library import (
    FOLDERS,
    add_picture_folder,
    picture,
    picture_names,
)
from app.render.pictures.svg_paths import path_of
from app.render.pictures.svg_shapes import Tint
from app.render.pictures.terrain_pictures import HEX_BOX, VARIANTS, Pictures
from randomizer.model.basics.caches import empty_caches
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import LAYOUTS, Layout
from randomizer.model.terrain.terrain import Terrain
from randomizer.systems.colossus.terrain_set import COLOSSUS
from randomizer.systems.xconq.terrain.terrain_meaning import PATTERNS, all_meanings

WORLD = sorted(
    {
        Terrain(name, known.colour, picture=name)
        for known in all_meanings().values()
        for name in known.pictures[:1]
    },
    key=lambda terrain: terrain.name,
)
TERRAINS = [*COLOSSUS.terrains, *WORLD]
FLAT = LAYOUTS[0]


def pixels(draw_on: QImage) -> NDArray[np.float64]:
    """Red, green, blue and opacity, shape (height, width, 4)."""
    image = draw_on.convertToFormat(QImage.Format.Format_RGBA8888)
    found = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    return found.astype(np.float64)


def ground(terrain: Terrain, phase: Phase, unit: float = 40) -> NDArray[np.float64]:
    """The ground in the box of a phase."""
    box = phase.box
    image = QImage(
        round(box.width() * unit), round(box.height() * unit), QImage.Format.Format_ARGB32
    )
    image.fill(Pictures().ground_colour(terrain))
    with painting(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(unit, unit)
        painter.translate(-box.topLeft())
        Pictures().ground(painter, terrain, phase)
    return pixels(image)


def feature(terrain: Terrain, variant: int, width: int = 80) -> NDArray[np.float64]:
    """A feature in the box of a hexagon."""
    unit = width / HEX_BOX.width()
    image = QImage(width, round(HEX_BOX.height() * unit), QImage.Format.Format_ARGB32)
    image.fill(0)
    with painting(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(unit, unit)
        painter.translate(-HEX_BOX.topLeft())
        Pictures().feature(painter, terrain, variant)
    return pixels(image)


@pytest.mark.parametrize("terrain", TERRAINS, ids=lambda terrain: str(terrain.name))
def test_a_terrain_has_four_features_that_differ(qapp: object, terrain: Terrain) -> None:
    drawn = [feature(terrain, variant) for variant in range(VARIANTS)]
    for one, other in combinations(drawn, 2):
        assert np.abs(one - other).max(axis=2).mean() > 0.5


@pytest.mark.parametrize("terrain", COLOSSUS.terrains, ids=lambda terrain: str(terrain.name))
def test_a_feature_keeps_clear_of_the_label_and_of_the_badge(
    qapp: object, terrain: Terrain
) -> None:
    for variant in range(VARIANTS):
        rows = np.flatnonzero((feature(terrain, variant)[:, :, 3] > 110).any(axis=1))
        if len(rows):
            top, bottom = (rows[[0, -1]] + (0, 1)) / 40 - 0.8660254
            assert top >= -0.62
            assert bottom <= 0.72


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: str(layout.name))
def test_a_ground_goes_on_in_the_next_cell(qapp: object, layout: Layout) -> None:
    grid = Grid(layout, 12, 12)
    unit = 40.0
    phase_of = phases_at(layout, grid.centres()).tolist()
    at = phases(layout)
    for terrain in (COLOSSUS.terrains[0], COLOSSUS.terrains[7], COLOSSUS.terrains[8]):
        for cell in (40, 41, 66):
            here = ground(terrain, at[phase_of[cell]], unit)
            for side in range(grid.degree):
                other = grid.neighbour(cell, side)
                there = ground(terrain, at[phase_of[other]], unit)
                (ax, ay) = grid.centre(cell)
                (bx, by) = grid.centre(other)
                x = round((bx - ax) * unit)
                y = round((by - ay) * unit)
                height, width = here.shape[:2]
                both_here = here[max(0, y) : height + min(0, y), max(0, x) : width + min(0, x)]
                both_there = there[
                    max(0, -y) : height + min(0, -y), max(0, -x) : width + min(0, -x)
                ]
                assert both_here.size
                # half a pixel apart where the distance of centres is no whole number of pixels
                assert np.abs(both_here - both_there)[1:-1, 1:-1].mean() < 6


@pytest.mark.parametrize("terrain", TERRAINS, ids=lambda terrain: str(terrain.name))
def test_a_ground_is_as_light_at_the_edge_of_a_cell_as_in_the_middle(
    qapp: object, terrain: Terrain
) -> None:
    """No picture is framed: the lattice of cells is not seen in a ground."""
    drawn = np.stack([ground(terrain, phase, 16) for phase in phases(FLAT)]).mean(axis=0)
    middle = drawn[10:-10, 12:-12, :3].mean()
    assert abs(drawn[:3, :, :3].mean() - middle) < 5
    assert abs(drawn[:, :3, :3].mean() - middle) < 5


@pytest.mark.parametrize("terrain", TERRAINS, ids=lambda terrain: str(terrain.name))
@pytest.mark.parametrize("unit", [47.0, 48.3])
def test_no_line_shows_where_the_period_of_a_ground_begins_anew(
    qapp: object, terrain: Terrain, unit: float
) -> None:
    drawn = ground(terrain, phases(FLAT)[0], unit)[:, :, :3].mean(axis=2)
    for lines in (drawn.mean(axis=0), drawn.mean(axis=1)):
        steps = np.abs(lines[1:-1] - (lines[:-2] + lines[2:]) / 2)
        middle = len(steps) // 2
        beside = np.concatenate([steps[5 : middle - 4], steps[middle + 5 : -5]])
        assert steps[middle - 2 : middle + 3].max() <= 1.5 * beside.max() + 1


def test_phases_fill_the_period_evenly() -> None:
    for layout in LAYOUTS:
        grid = Grid(layout, 24, 24)
        counts = np.bincount(phases_at(layout, grid.centres()))
        assert set(counts[counts > 0].tolist()) == {int(counts.max())}


@pytest.mark.parametrize("terrain", WORLD, ids=lambda terrain: str(terrain.name))
def test_a_picture_named_by_a_terrain_takes_its_colour(qapp: object, terrain: Terrain) -> None:
    def mean(colour: str) -> NDArray[np.float64]:
        painted = Terrain(terrain.name, colour, picture=terrain.picture)
        return np.asarray(ground(painted, phases(FLAT)[0], 16)[:, :, :3].mean(axis=(0, 1)))

    assert np.abs(mean("#808080") - 128).max() < 48
    assert mean("#a08060")[0] > mean("#6080a0")[0] + 40


def test_patterns_differ_on_any_one_colour(qapp: object) -> None:
    for colour in ("#000000", "#ffffff", "#808080"):
        grounds = [
            ground(Terrain("x", colour, picture=name), phases(FLAT)[0], 16) for name in PATTERNS
        ]
        for one, other in combinations(grounds, 2):
            assert np.abs(one - other).mean() > 1


def test_no_two_terrains_look_alike_without_colour_even_when_small(qapp: object) -> None:
    def tones(terrain: Terrain) -> NDArray[np.float64]:
        image = QImage(40, 35, QImage.Format.Format_RGB32)
        with painting(image) as painter:
            painter.scale(20, 20)
            painter.translate(-HEX_BOX.topLeft())
            painter.save()
            Pictures().ground(painter, terrain, phases(FLAT)[0])
            painter.restore()
            Pictures().feature(painter, terrain)
        return np.asarray(pixels(image)[8:27, 8:32, :3].mean(axis=2) / 255)

    for one, other in combinations(COLOSSUS.terrains, 2):
        apart = np.abs(tones(one) - tones(other)).mean()
        assert apart > 0.04, f"{one.name} and {other.name} look alike without colour"


def test_what_stands_in_landscapes_is_drawn_for_every_layout(qapp: object) -> None:
    for terrain in TERRAINS:
        own = picture(terrain.picture or terrain.name)
        assert own is not None
        for layout in ("flat", "pointy", "square"):
            assert own.count(f"{layout}-cell") >= VARIANTS
            for number in range(1, own.count(f"{layout}-cell") + 1):
                box = own.drawing(f"{layout}-cell-{number}").box
                assert QRectF(-1.9, -1.9, 3.8, 3.8).contains(box), (terrain.name, layout, box)


@pytest.mark.parametrize("path", ["M1 1L3 3T5 5", "M1 1Q3 3 3 3L5 5T7 7", "M3 3T5 5"])
def test_a_smooth_curve_after_a_line_has_no_control_point_of_an_earlier_one(path):
    curve = path_of(path)
    box = curve.controlPointRect()
    end = curve.currentPosition()
    assert box.right() == end.x()
    assert box.bottom() == end.y()
    assert box.left() == box.top() == (3 if path.startswith("M3") else 1)


@pytest.mark.parametrize("path", ["M0 0z1 1", "1 1L2 2"])
def test_a_number_without_a_command_is_an_error(path):
    with pytest.raises(ValueError, match="where a command must stand"):
        path_of(path)


@pytest.mark.parametrize("drawn_for", ["#ffffff", "#000000", "#ff8000"])
def test_shapes_and_images_of_a_picture_are_tinted_alike(drawn_for):
    colour = QColor(drawn_for)
    tint = Tint((colour.red(), colour.green(), colour.blue()), (30, 90, 200))
    red_table, green_table, blue_table = tint.tables
    for value in (0, 1, 100, 128, 254, 255):
        tinted = tint.of(QColor(value, value, value))
        assert abs(tinted.red() - int(red_table[value])) <= 1
        assert abs(tinted.green() - int(green_table[value])) <= 1
        assert abs(tinted.blue() - int(blue_table[value])) <= 1


def test_other_files_in_a_folder_of_pictures_are_no_pictures(tmp_path):
    (tmp_path / "Fen.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", "ascii")
    (tmp_path / "LICENSE").write_text("free", "ascii")
    (tmp_path / "sources").mkdir()
    add_picture_folder(tmp_path)
    try:
        assert "Fen" in picture_names()
        assert not {"LICENSE", "sources"} & set(picture_names())
    finally:
        FOLDERS.remove(tmp_path)
        empty_caches(add_picture_folder.__module__)
