"""Our own pictures are all there, small, and made only of what Qt's SVG renderer draws."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QByteArray, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from app.render.picture_source import GROUND_BOX, VARIED, OwnPictures, variants_of
from randomizer.model.terrain import Terrain
from randomizer.systems.colossus.terrain_set import COLOSSUS
from randomizer.systems.cordery.areas import TERRAINS as TABLE
from randomizer.systems.xconq.terrain_meaning import MEANINGS, PATTERNS

ROOT = Path(__file__).resolve().parents[3]
RESOURCES = ROOT / "app" / "resources"
SIZE_LIMIT_BYTES = 15_000
INK, ACCENT = "#404040", "#2f7fd1"

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
    *("symmetry", "cut", "copy", "paste", "route"),
)
TERRAINS = [terrain.name for terrain in COLOSSUS.terrains]
WORLD = [*dict.fromkeys(name for known in MEANINGS.values() for name in known.pictures), *PATTERNS]
PICTURES = [
    *(f"terrain/{name}" for name in TERRAINS),
    *(f"terrain/{terrain.name}" for terrain in TABLE.terrains[1:] if terrain.name not in TERRAINS),
    *(f"terrain/{name}" for name in WORLD),
    *(f"icons/{name}" for name in ICONS),
]
ALLOWED = {
    *("svg", "g", "defs", "path", "circle", "ellipse", "rect"),
    *("linearGradient", "radialGradient", "stop"),
}

HEX_BOX = QRectF(-1.0, -0.8660254, 2.0, 1.7320508)


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
    assert picture(name).stat().st_size < SIZE_LIMIT_BYTES
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


@pytest.mark.parametrize("name", TERRAINS)
def test_a_terrain_has_a_ground_that_fills_the_hexagon_and_a_feature(
    qapp: object, name: str
) -> None:
    svg = renderer(f"terrain/{name}")
    assert svg.viewBoxF() == HEX_BOX
    assert svg.elementExists("ground")
    assert svg.elementExists("feature")
    assert svg.boundsOnElement("ground").contains(HEX_BOX)


@pytest.mark.parametrize("name", TERRAINS)
def test_a_feature_keeps_clear_of_the_label_and_of_the_badge(qapp: object, name: str) -> None:
    bounds = renderer(f"terrain/{name}").boundsOnElement("feature")
    assert bounds.top() >= -0.52
    assert bounds.bottom() <= 0.67
    assert HEX_BOX.contains(bounds)


@pytest.mark.parametrize("name", [name for name in ICONS if name != "app"])
def test_an_icon_has_one_ink_that_follows_the_palette_and_one_accent(name: str) -> None:
    text = picture(f"icons/{name}").read_text(encoding="utf-8")
    colours = {part[:6] for part in text.split("#")[1:]}
    assert INK in text
    assert colours <= {INK[1:], ACCENT[1:]}


def test_no_two_terrains_look_alike_without_colour_even_when_small(qapp: object) -> None:
    pictures = {name: drawn(f"terrain/{name}", 40, 35) for name in TERRAINS}

    def lightness(image: QImage) -> list[float]:
        return [image.pixelColor(x, y).lightnessF() for y in range(8, 27) for x in range(8, 32)]

    tones = {name: lightness(image) for name, image in pictures.items()}
    for i, first in enumerate(TERRAINS):
        for second in TERRAINS[i + 1 :]:
            pairs = zip(tones[first], tones[second], strict=True)
            apart = sum(abs(a - b) for a, b in pairs) / len(tones[first])
            assert apart > 0.05, f"{first} and {second} look alike without colour"


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


def test_the_script_draws_the_pictures_that_are_committed(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, ROOT / "packaging" / "draw_pictures.py", tmp_path], check=True, timeout=60
    )
    for name in PICTURES:
        if not name.startswith("icons/"):
            again = (tmp_path / f"{name}.svg").read_text(encoding="utf-8")
            assert again == picture(name).read_text(encoding="utf-8"), name
    masks = RESOURCES / "edge_masks.json"
    assert (tmp_path / masks.name).read_bytes() == masks.read_bytes()


def test_pictures_with_variants_have_four_features_and_patterns_fill_the_cell(qapp: object) -> None:
    for name in WORLD:
        svg = renderer(f"terrain/{name}")
        features = [svg.elementExists(f"feature{end}") for end in ("", "-2", "-3", "-4")]
        assert features == [name in VARIED] * 4, name
        if name not in VARIED:
            assert svg.boundsOnElement("ground").contains(GROUND_BOX)
        for end in ("", "-2", "-3", "-4") if name in VARIED else ():
            bounds = svg.boundsOnElement(f"feature{end}")
            assert GROUND_BOX.contains(bounds), (name, end, bounds)


def own_picture(terrain: Terrain, variant: int = 0) -> QImage:
    """Ground and feature of a terrain, 60 x 52 pixels."""
    image = QImage(60, 52, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    painter.scale(30, 30)
    painter.translate(-HEX_BOX.topLeft())
    OwnPictures().ground(painter, terrain)
    OwnPictures().feature(painter, terrain, variant)
    painter.end()
    return image


def test_a_picture_named_by_a_terrain_takes_its_colour(qapp: object) -> None:
    blue = own_picture(Terrain("plains", "#0000ff", picture="Grassland"))
    red = own_picture(Terrain("plains", "#ff0000", picture="Grassland"))
    assert blue.pixelColor(1, 26).name() == "#0000ff"
    assert red.pixelColor(1, 26).name() == "#ff0000"
    plain = own_picture(Terrain("plains", "#ff0000"))
    assert plain.pixelColor(30, 26) == plain.pixelColor(1, 26)
    assert red != plain


def test_variants_of_a_picture_differ(qapp: object) -> None:
    woods = Terrain("trees", "#3e7c46", picture="Woods")
    assert variants_of(woods) == 4
    pictures = [own_picture(woods, variant) for variant in range(4)]
    assert all(one != other for i, one in enumerate(pictures) for other in pictures[i + 1 :])


def test_patterns_differ_on_any_one_colour(qapp: object) -> None:
    for colour in ("#000000", "#ffffff", "#808080"):
        pictures = [own_picture(Terrain("x", colour, picture=name)) for name in PATTERNS]
        assert all(one != other for i, one in enumerate(pictures) for other in pictures[i + 1 :])
