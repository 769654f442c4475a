"""Our own pictures are all there, small, and made only of what Qt's SVG renderer draws."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QByteArray, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from app.render.pictures import picture_library
from app.render.scene.edges.hexside_shapes import SHAPES
from randomizer.systems.colossus.terrain_set import COLOSSUS
from randomizer.systems.cordery.table.areas import TERRAINS as TABLE
from randomizer.systems.free.packaged_sets import PACKAGED_SETS, packaged_set
from randomizer.systems.xconq.terrain.terrain_meaning import PATTERNS, all_meanings

ROOT = Path(__file__).resolve().parents[4]
RESOURCES = ROOT / "app" / "resources"
SIZE_LIMIT_BYTES = {"terrain": 160_000, "icons": 15_000}
ALL_LIMIT_BYTES = 3_000_000
INK = "#404040"
ACCENT = "#2f7fd1"

ICONS = (
    "new",
    "open",
    "open-game",
    "save",
    "save-as",
    "print",
    "export",
    "undo",
    "redo",
    "roll",
    "reroll",
    "previous",
    "next",
    "brush",
    "eraser",
    "eyedropper",
    "elevation",
    "hexside",
    "cell-list",
    "lock",
    "unlock",
    "tower",
    "layers",
    "layer-up",
    "layer-down",
    "layer-duplicate",
    "layer-delete",
    "layer-merge",
    "eye",
    "eye-off",
    "problems",
    "error",
    "warning",
    "hint",
    "zoom-fit",
    "zoom-in",
    "zoom-out",
    "pan",
    "fill-slope",
    "fill-cliff",
    "fill-dune",
    "script",
    "settings",
    "recent",
    "text",
    "flip",
    "app",
    *("fill", "line", "rectangle", "stamp", "select", "lasso", "wand", "same", "move"),
    *("symmetry", "cut", "copy", "paste", "route", "edges"),
)
TERRAINS = [terrain.name for terrain in COLOSSUS.terrains]
WORLD = [
    *dict.fromkeys(name for known in all_meanings().values() for name in known.pictures),
    *PATTERNS,
]
PICTURES = [
    *(f"terrain/{name}" for name in TERRAINS),
    *(f"terrain/{terrain.name}" for terrain in TABLE.terrains[1:] if terrain.name not in TERRAINS),
    *(f"terrain/{name}" for name in WORLD),
    *(f"icons/{name}" for name in ICONS),
]
ALLOWED = {
    *("svg", "g", "defs", "use", "path", "circle", "ellipse", "rect"),
    *("linearGradient", "radialGradient", "stop"),
}


def picture(name: str) -> Path:
    return RESOURCES / f"{name}.svg"


def renderer(name: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(picture(name).read_bytes()))


def drawn(name: str, width: int, height: int) -> QImage:
    image = QImage(width, height, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    renderer(name).render(painter, QRectF(0, 0, width, height))
    painter.end()
    return image


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_small_and_qt_can_draw_it(qapp: object, name: str) -> None:
    assert picture(name).stat().st_size < SIZE_LIMIT_BYTES[name.split("/")[0]]
    assert renderer(name).isValid()
    image = drawn(name, 48, 48)
    assert any(image.pixelColor(x, y).alpha() for x in range(48) for y in range(48))


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_uses_only_plain_shapes(name: str) -> None:
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.parse(picture(name)).iter()}
    assert tags <= ALLOWED
    attributes = {
        key for element in ElementTree.parse(picture(name)).iter() for key in element.attrib
    }
    assert not attributes & {"class", "style", "filter", "mask", "clip-path"}


@pytest.mark.parametrize("name", [name for name in ICONS if name != "app"])
def test_an_icon_has_one_ink_that_follows_the_palette_and_one_accent(name: str) -> None:
    text = picture(f"icons/{name}").read_text(encoding="utf-8")
    colours = {part[:6] for part in text.split("#")[1:]}
    assert INK in text
    assert colours <= {INK[1:], ACCENT[1:]}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_colour_set_names_every_colour_of_the_canvas(theme: str) -> None:
    colours = json.loads((RESOURCES / "themes.json").read_text(encoding="utf-8"))[theme]
    tints = colours.pop("elevation_tints")
    assert set(colours) == {
        *("background", "board_outline", "grid_line", "label_text", "label_halo", "cursor"),
        *("cell_list", "lock", "seam", "entry_side_text", "problem_ring"),
        *("elevation_badge_fill", "elevation_badge_text", "water"),
    }
    assert len(tints) == 6
    assert tints[0][3] == 0
    for colour in [*colours.values(), *tints]:
        assert (QColor(*colour) if isinstance(colour, list) else QColor(colour)).isValid()


@pytest.mark.parametrize("name", PACKAGED_SETS)
def test_every_terrain_of_a_packaged_set_covers_its_cells_in_several_variants(name: str) -> None:
    for terrain in packaged_set(name).terrains:
        own = picture_library.picture(terrain.picture or terrain.name)
        assert own is not None, terrain.name
        assert own.has("ground"), terrain.name
        for layout in ("flat", "pointy", "square"):
            assert own.count(f"{layout}-cell") >= 4, (terrain.name, layout)


@pytest.mark.parametrize("name", PACKAGED_SETS)
def test_every_hexside_of_a_packaged_set_has_a_shape(name: str) -> None:
    assert {hexside.name for hexside in packaged_set(name).hexsides} <= set(SHAPES)


def test_all_pictures_together_are_small() -> None:
    sizes = [picture(name).stat().st_size for name in PICTURES if not name.startswith("icons/")]
    assert sum(sizes) < ALL_LIMIT_BYTES
