"""Sprites of things: as many looks as there are, each as if it were drawn alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QRectF

from app.render.overlays.thing_overlay import SpriteAtlas, ThingOverlay, colour_of
from app.render.viewport import Viewport
from randomizer.model.thing_kind import ThingKind
from randomizer.model.things import Thing, Things
from tests.app.render.drawing import SIZE, blank_image
from tests.systems import tile_map

AREA = QRectF(0, 0, *SIZE)


def drawn(things, ratio, scale):
    """The picture of these things on nothing, drawn with sprites of their own."""
    from app.appearance.painting import painting

    battlemap = tile_map(8)
    battlemap.layers[0].things = Things(things)
    image = blank_image(ratio)
    image.fill(0xFF808080)
    with painting(image) as painter:
        painter.scale(1 / ratio, 1 / ratio)
        ThingOverlay().paint(painter, battlemap, Viewport(scale, 20, 20), AREA, ratio)
    return image


@pytest.mark.parametrize("ratio", [1.0, 2.0])
@pytest.mark.parametrize("scale", [10.0, 28.0])
def test_each_of_many_looks_is_drawn_as_if_it_were_alone(qapp, ratio, scale):
    """More looks than a row of the atlas has: it grows while they are drawn."""
    things = [
        Thing(n, f"kind/{chr(65 + n)}", n % 8, n // 8, angle=n * 22.5, owner=n % 10)
        for n in range(40)
    ]
    together = drawn(things, ratio, scale)
    for thing in things[::7]:
        alone = drawn([thing], ratio, scale)
        x, y = round((20 + thing.x * scale) * ratio), round((20 + thing.y * scale) * ratio)
        reach = round(scale * ratio * 0.4)
        for dx in range(-reach, reach, 3):
            for dy in range(-reach, reach, 3):
                assert together.pixel(x + dx, y + dy) == alone.pixel(x + dx, y + dy)


def test_things_lie_over_each_other_in_the_order_of_their_ids(qapp):
    one, other = Thing(1, "a", 2, 2, owner=1), Thing(2, "a", 2, 2, owner=2)

    def seen(*things):
        return drawn(things, 1.0, 28.0).pixelColor(20 + 2 * 28 - 7, 20 + 2 * 28).name()

    assert seen(one) == colour_of(None, 1)
    assert seen(one, other) == seen(other, one) == colour_of(None, 2)
    assert seen(one, replace(other, id=0)) == colour_of(None, 1)


def test_a_look_is_drawn_once(qapp, monkeypatch):
    made = []
    draw = SpriteAtlas._draw
    monkeypatch.setattr(
        SpriteAtlas, "_draw", lambda self, *look: (made.append(look), draw(self, *look))
    )
    drawn([Thing(n, "sheep", n % 8, n // 8) for n in range(30)], 1.0, 28.0)
    assert len(made) == 1


def test_things_of_nobody_have_the_colour_of_their_kind():
    kind = ThingKind("oak", "Oak", "#123456")
    assert colour_of(kind, 0) == "#123456"
    assert colour_of(kind, 3) == colour_of(None, 3) != "#123456"
    assert colour_of(None, 8) == colour_of(None, 1), "there are seven colours of owners"
    assert colour_of(None, 7) != colour_of(None, 0)
