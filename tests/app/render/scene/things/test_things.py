"""Sprites of things: as many looks as there are, each as if it were drawn alone."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage

from app.render.scene.batch import CoveredBatch, IconBatch
from app.render.scene.things.loads import NO_LOADS, loads_of
from app.render.scene.things.looks import OWNERS, Look, colour_of, is_shaded
from app.render.scene.things.pictograms import icon
from app.render.scene.things.thing_sizes import LARGEST_ICON, diameter, shows_icon, thing_reach_px
from app.render.scene.things.things import batches
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.things.thing_kind import ICONS, Footprint, ThingKind
from randomizer.model.things.things import Thing, Things
from tests.app.render.drawing import paint_things
from tests.counting import watched_calls
from tests.systems import system_like, tile_map


def drawn(things, ratio, scale):
    """The picture of these things on nothing, drawn with sprites of their own."""
    battlemap = tile_map(8)
    battlemap.layers[0].things = Things(things)
    return paint_things(battlemap, scale, ratio)


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
        x = round((20 + thing.x * scale) * ratio)
        y = round((20 + thing.y * scale) * ratio)
        reach = round(scale * ratio * 0.4)
        for dx in range(-reach, reach, 3):
            for dy in range(-reach, reach, 3):
                assert together.pixel(x + dx, y + dy) == alone.pixel(x + dx, y + dy)


def test_things_lie_over_each_other_in_the_order_of_their_ids(qapp):
    one = Thing(1, "a", 2, 2, owner=1)
    other = Thing(2, "a", 2, 2, owner=2)

    def seen(*things):
        return drawn(things, 1.0, 28.0).pixelColor(20 + 2 * 28 - 7, 20 + 2 * 28).name()

    assert seen(one) == colour_of(None, 1)
    assert seen(one, other) == seen(other, one) == colour_of(None, 2)
    assert seen(one, replace(other, id=0)) == colour_of(None, 1)


def test_a_look_is_drawn_once(qapp):
    with watched_calls(Look.draw) as draws:
        drawn([Thing(n, "sheep", n % 8, n // 8) for n in range(30)], 1.0, 28.0)
    assert len(draws) == 1


def test_things_of_nobody_have_the_colour_of_their_kind():
    kind = ThingKind("oak", "Oak", "#123456")
    assert colour_of(kind, 0) == "#123456"
    assert colour_of(kind, 3) == colour_of(None, 3) != "#123456"
    assert colour_of(None, 11) == colour_of(None, 1), "there are ten colours of owners"
    assert colour_of(None, 10) != colour_of(None, 0)


def pictogram(look, size):
    """The picture of a thing, 80 x 80 pixels, on nothing."""
    from app.appearance.painting import painting

    image = QImage(80, 80, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    with painting(image) as painter:
        painter.translate(40, 40)
        look.draw(painter, size)
    return image


def share_of_owner(picture):
    """How much of what is drawn is blue, as the first owner is."""
    drawn_pixels = 0
    blue = 0
    for x in range(80):
        for y in range(80):
            colour = picture.pixelColor(x, y)
            drawn_pixels += colour.alpha() > 200
            blue += colour.alpha() > 200 and colour.blue() > colour.red() + 60
    return blue / drawn_pixels


@pytest.mark.parametrize("size", [5.0, 7.0, 9.0])
def test_signs_are_told_apart_where_other_pictograms_are_dots(qapp, size):
    signs = [name for name in ICONS if name and is_shaded(name)]
    assert {"foot", "horse", "ship", "aircraft", "town"} <= set(signs)
    pictures = [pictogram(Look("", OWNERS[0], 0, name), size) for name in signs]
    assert all(one != other for one, other in combinations(pictures, 2))


@pytest.mark.parametrize("size", [12.0, 24.0, LARGEST_ICON])
def test_pictograms_differ_by_shape_alone_and_keep_to_their_square(qapp, size):
    pictures = [pictogram(Look("", OWNERS[0], 0, name), size) for name in ICONS]
    assert all(one != other for one, other in combinations(pictures, 2))
    for name, picture in zip(ICONS[1:], pictures[1:], strict=True):
        if is_shaded(name):
            assert share_of_owner(picture) > 0.15, name
        else:
            assert picture.pixelColor(40, 40).name() == OWNERS[0]
        for far in range(40 + math.ceil(size / 2) + 3, 80):
            assert not picture.pixelColor(far, 40).alpha()
            assert not picture.pixelColor(40, far).alpha()


def test_every_icon_has_room_for_its_letter():
    for name in ICONS[1:]:
        if is_shaded(name):
            continue  # its letter is on a plate
        shape, at, size, *_colours = icon(name)
        for dx, dy in ((-0.25, 0), (0.25, 0), (0, -0.3), (0, 0.3)):
            assert shape.contains(at + QPointF(dx * size, dy * size)), name


def test_a_pictogram_shows_its_kind_and_owner_but_no_heading(qapp):
    kind = ThingKind("tank", "Tank", "#c8c8c8", "t", icon="vehicle")
    look = Look.of(kind, "tank", 2, 90.0)
    assert look == Look("t", OWNERS[1], 0, "vehicle", 1.0)
    assert pictogram(look, 24.0) != pictogram(look._replace(symbol="g"), 24.0)
    assert pictogram(look, 12.0) == pictogram(look._replace(symbol="g"), 12.0), "too small to read"


def test_things_are_larger_where_they_are_pictograms():
    plain = tile_map(4)
    kinds = (ThingKind("tank", "Tank", icon="vehicle"),)
    other = replace(plain, system=system_like(plain.system, thing_kinds=lambda _map: kinds))
    assert all(diameter(other, scale) > diameter(plain, scale) for scale in (4.0, 12.0, 40.0))
    assert diameter(other, 500.0) == LARGEST_ICON


def test_a_kind_may_be_larger_and_its_owners_have_colours_of_their_own(qapp):
    usual = ThingKind("oak", "Oak", "#206020", icon="tree", owner_colours=("#112233", "#445566"))
    assert colour_of(usual, 2) == "#445566"
    assert Look.of(usual, "oak", 0, 0.0).symbol == "", "its shape says what it is"
    large = replace(usual, size=1.6)
    small, wide = (pictogram(Look.of(kind, "oak", 1, 0.0), 24.0) for kind in (usual, large))
    assert not small.pixelColor(40, 40 - 15).alpha()
    assert wide.pixelColor(40, 40 - 15).alpha()
    plain = tile_map(4)
    usual, large = (replace(kind, icon="building") for kind in (usual, large))
    both = replace(plain, system=system_like(plain.system, thing_kinds=lambda _map: (usual, large)))
    one = replace(plain, system=system_like(plain.system, thing_kinds=lambda _map: (usual,)))
    assert diameter(both, 20.0) == diameter(one, 20.0)
    assert thing_reach_px(both, 20.0) > thing_reach_px(one, 20.0)


def test_owners_beyond_the_colours_of_a_kind_have_the_first_ones_again(qapp):
    kind = ThingKind("oak", "Oak", icon="tree", owner_colours=("#112233", "#445566", "#778899"))
    battlemap = tile_map(8)
    battlemap = replace(
        battlemap, system=system_like(battlemap.system, thing_kinds=lambda _map: (kind,))
    )
    battlemap.layers[0].things = Things([Thing(1, "oak", 3, 3, owner=12)])
    icons = [
        icon
        for batch in batches(battlemap, 40.0, QRectF(0, 0, 8, 8), NO_LOADS)
        if isinstance(batch, IconBatch)
        for icon in batch.icons
        if isinstance(icon, Look)
    ]
    assert [look.colour for look in icons] == [colour_of(kind, 12)] == ["#778899"]


def test_trees_close_together_are_one_dark_wood_from_afar(qapp):
    def ground_between(scale, *kinds):
        """How dark it is in the middle between four things, a cell and a half from each other."""
        battlemap = tile_map(8)
        known = tuple(ThingKind(name, name, "#206020", icon=name) for name in ("tree", "building"))
        battlemap = replace(
            battlemap, system=system_like(battlemap.system, thing_kinds=lambda _map: known)
        )
        at = ((3, 3), (4.5, 3), (3, 4.5), (4.5, 4.5))
        things = [Thing(n, kind, *at[n]) for n, kind in enumerate(kinds)]
        battlemap.layers[0].things = Things(things)
        image = paint_things(battlemap, scale)
        middle = round(20 + 3.75 * scale)
        return image.pixelColor(middle, middle)

    wood = [ground_between(scale, *4 * ["tree"]) for scale in (6.0, 40.0)]
    assert wood[0].green() > wood[0].blue(), "it is green"
    assert wood[0].lightness() < wood[1].lightness() < 128, "and fades where trees are seen"
    assert ground_between(6.0, "tree").lightness() > wood[0].lightness(), "one is no wood"
    assert ground_between(6.0, *4 * ["building"]).lightness() == 128


def covering_map(*things: Thing):
    """Things of a wall of 6 x 1 map units, whose icon has no room there."""
    kind = ThingKind("wall", "Wall", "#c03020", icon="wall", size=1.7, footprint=Footprint(6, 1))
    battlemap = tile_map(9)
    battlemap = BattleMap.new(
        system_like(battlemap.system, thing_kinds=lambda _map: (kind,)),
        battlemap.grid,
        [Layer(1, "Ground")],
    )
    battlemap.layers[0].things = Things(things)
    return battlemap


@pytest.mark.parametrize("angle", [0.0, 45.0, 90.0])
def test_covered_ground_is_as_large_as_it_is_and_turned(qapp, angle):
    picture = paint_things(covering_map(Thing(1, "wall", 4.0, 4.0, angle)), 20.0, 1.0)
    ground = 0xFF808080
    turn = math.radians(angle)

    def seen(along, across):
        x = 4 + along * math.cos(turn) - across * math.sin(turn)
        y = 4 + along * math.sin(turn) + across * math.cos(turn)
        return picture.pixel(round(20 + x * 20), round(20 + y * 20))

    assert seen(0, 0) == seen(2.7, 0) == seen(-2.7, 0.2) != ground
    assert seen(3.4, 0) == seen(0, 0.9) == seen(-2, -0.9) == ground


def test_pieces_of_a_wall_are_one_call_and_reach_as_far_as_they_cover(qapp):
    battlemap = covering_map(*(Thing(n, "wall", 3.0 * n, 8.0, owner=n % 3) for n in range(1, 5)))
    (batch,) = batches(battlemap, 20.0, QRectF(0, 0, 16, 16), loads_of(battlemap))
    assert isinstance(batch, CoveredBatch)
    assert len(batch.covered) == 3, "a colour each"
    assert thing_reach_px(battlemap, 20.0) > 3 * 20
    assert shows_icon(None, 20.0, 24.0)
    tower = ThingKind("tower", "Tower", icon="tower", footprint=Footprint(2.5, 2.5))
    assert shows_icon(tower, 20.0, 24.0)
    assert not shows_icon(tower, 2.0, 3.0), "no dot"


def test_a_small_symbol_with_letters_is_a_dot(qapp):
    lettered = Look("IN", "#993333", heading=0, icon="foot", size=0.4)
    assert pictogram(lettered, 12.0) == pictogram(lettered._replace(symbol=""), 12.0)
