"""What cannot be drawn is named and left out; everything else is drawn."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

from app.appearance.painting import painting
from app.canvas.canvas import MapCanvas
from app.document.document import MapDocument
from app.fault_log import LOG
from app.render.drawing_faults import picture_part
from app.render.overlay_options import Overlays
from app.render.raster.frame import ScenePainter
from app.render.raster.ground_painter import GroundPainter
from app.render.renderer import Renderer
from app.render.scene import cell_overlays, entry_names, relief_light, scene, shades
from app.render.scene.things import things
from app.render.theme import theme
from randomizer.model.map.layer import Layer
from tests.app.render.drawing import GRIDS, NOTHING, SCALES, blank_image, full_world, picture, world


@pytest.fixture
def names(report_faults_to, qapp):
    """The names of what could not be drawn, as they are told."""
    LOG.clear()
    report_faults_to(LOG.add)
    yield lambda: [fault.problem.message.partition(":")[0] for fault in LOG.faults]
    LOG.clear()


def fail(*_args, **_names) -> None:
    raise ValueError("a fault")


def fail_late(*_args, **_names):
    """What yields batches fails when the first is asked for."""
    yield fail()


def painted(*, spoilt: bool = False):
    """A world of one terrain, and above it a layer of another one if it is ``spoilt``."""
    battlemap = world(GRIDS["flat"])
    layers = [battlemap.layers[0]]
    if spoilt:
        layers.append(Layer(3, "Spoilt"))
        battlemap.layers.append(layers[-1])
    for code, layer in enumerate(layers, 1):
        layer.planes["terrain"] = np.full((11, 14), code, "u2")
    return battlemap


@pytest.fixture
def spoiling(monkeypatch):
    """A layer called "Spoilt" cannot be drawn, alone or with others."""
    # It fails for some layers and runs for the others.
    paint_layers = GroundPainter.paint_layers

    def fail_on_spoilt(self, painter, view, *rest, **named):
        painter.setOpacity(0.1)
        if any(layer.name == "Spoilt" for layer in view.battlemap.layers):
            fail()
        painter.setOpacity(1.0)
        return paint_layers(self, painter, view, *rest, **named)

    # No layer is known that cannot be drawn.
    monkeypatch.setattr(GroundPainter, "paint_layers", fail_on_spoilt)


def picture_with(owner: object, name: str, value: object, overlays: Overlays, battlemap) -> QImage:
    """Return a picture that is drawn with something else in the place of what draws a part."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, value)  # no map is known that makes it fail
        return picture(battlemap, overlays, 70.0)


@pytest.mark.parametrize("translucent", [False, True])
@pytest.mark.parametrize("scale", SCALES)
def test_a_layer_that_cannot_be_drawn_is_named_and_left_out(names, spoiling, scale, translucent):
    wanted = picture(painted(), NOTHING, scale, translucent=translucent)
    for _ in range(2):
        assert picture(painted(spoilt=True), NOTHING, scale, translucent=translucent) == wanted
    assert names() == ["The layer Spoilt cannot be drawn and is left out"]


def test_a_layer_that_cannot_be_composed_is_named_and_left_out(names, qtbot):
    document = MapDocument(painted(spoilt=True))
    document.battlemap.layers[-1].planes["terrain"] = np.zeros((2, 3), "u2")
    canvas = MapCanvas(document, Renderer(theme("light")))
    whole = MapCanvas(MapDocument(painted()), Renderer(theme("light")))
    for widget in (canvas, whole):
        qtbot.addWidget(widget)
        widget.resize(400, 300)
        widget.grab()  # it is given its size now
        qtbot.waitUntil(lambda widget=widget: widget.is_sharp)
    assert canvas.grab().toImage() == whole.grab().toImage()
    assert names() == ["The layer Spoilt cannot be drawn and is left out"]


@pytest.mark.parametrize(
    ("kind", "function", "name"),
    [
        (relief_light, "batches", "The relief"),
        (shades, "passability_batches", "The passability"),
        (things, "batches", "What is placed on the map"),
        (entry_names, "entry_sides", "The entry sides"),
    ],
)
def test_an_overlay_that_cannot_be_drawn_is_named_and_left_out(names, kind, function, name):
    everything = Overlays(shading=True, names=True, passability=True)
    battlemap = full_world(GRIDS["flat"])
    picture(battlemap, everything, 70.0)  # the first picture of a process differs by rounding
    without = picture_with(kind, function, lambda *_args, **_names: (), everything, battlemap)
    assert names() == []
    assert picture_with(kind, function, fail_late, everything, battlemap) == without
    assert names() == [f"{name} cannot be drawn"]


@pytest.mark.parametrize("row", cell_overlays.CELL_OVERLAYS, ids=lambda row: row.option)
def test_a_text_or_icon_that_cannot_be_drawn_is_named_and_left_out(names, row):
    everything = Overlays(names=True)
    rows = cell_overlays.CELL_OVERLAYS
    battlemap = full_world(GRIDS["flat"])
    whole = picture(battlemap, everything, 70.0)
    others = tuple(each for each in rows if each is not row)
    without = picture_with(scene, "CELL_OVERLAYS", others, everything, battlemap)
    assert without != whole
    failing = tuple(each._replace(batches=fail_late) if each is row else each for each in rows)
    assert picture_with(scene, "CELL_OVERLAYS", failing, everything, battlemap) == without
    assert names() == [f"{row.name} cannot be drawn"]


def test_where_no_layer_is_to_blame_the_overlays_are_drawn(names, monkeypatch):
    battlemap = full_world(GRIDS["flat"])
    battlemap.layers.append(Layer(9, "Empty"))
    plain = picture(battlemap, NOTHING, 70.0)
    fails = [2]

    def fail_twice(self, _batches) -> None:
        if fails:
            fails.pop()
            fail()

    monkeypatch.setattr(ScenePainter, "paint", fail_twice)  # nothing on the map is to blame
    found = picture(battlemap, NOTHING, 70.0)
    assert names() == ["The map cannot be drawn"]
    assert found != plain


def test_the_painter_gets_its_state_back(names):
    with painting(blank_image(1.0)) as painter:
        painter.setPen(QColor("red"))
        with picture_part(painter, "It"):
            painter.save()
            painter.restore()
            painter.setPen(QColor("blue"))
            fail()
        assert painter.pen().color() == QColor("red")
    assert names() == ["It cannot be drawn"]
