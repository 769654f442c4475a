"""The names of things: below them, none over another, the most important ones first."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF, QImage

from app.appearance.painting import painting
from app.paper.export import export_work
from app.paper.picture_request import PictureRequest
from app.render.map_view import MapView
from app.render.overlay_options import Overlays
from app.render.renderer import Renderer
from app.render.scene.icons import font
from app.render.scene.things.loads import NO_LOADS, Loads
from app.render.scene.things.thing_labels import NAME_PIXELS, NAMES_FROM, NamesCache, names_of
from app.render.theme import theme
from app.render.viewport import Viewport
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.thing_edits import change_things
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.things.lettering import Lettering
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing
from randomizer.systems.free.system import free_map
from tests.randomizer.systems.xconq.tiny_period import world

SCALE = 20.0


def thing(number, kind, x, y, label="", owner=0) -> Thing:
    return Thing(number, kind, x, y, owner=owner, label=label)


def shown(*things, scale=SCALE, loads=NO_LOADS) -> set[str]:
    return set(names_of(world(12, 8, *things), scale, loads).texts)


@pytest.fixture(autouse=True)
def _application(qapp):
    """Fonts have sizes."""


def test_a_town_wins_over_a_boat_and_an_owned_one_over_a_neutral_one():
    boat = thing(1, "carrier", 5, 4, "Argo")
    town = thing(2, "town", 5.2, 4, "Rome")
    assert shown(boat, town) == {"Rome"}
    assert shown(town, thing(3, "town", 5.1, 4, "Ostia", owner=1)) == {"Ostia"}
    assert shown(boat, replace(town, x=9.0)) == {"Argo", "Rome"}


def test_what_is_carried_or_has_no_name_or_is_far_away_shows_none():
    boat = thing(1, "carrier", 5, 4, "Argo")
    town = thing(2, "town", 9, 4)
    assert shown(boat, town) == {"Argo"}
    assert shown(boat, loads=Loads(frozenset({1}), {2: 1})) == set()
    assert shown(boat, scale=NAMES_FROM - 0.1) == set()


places = st.tuples(
    st.floats(0, 18), st.floats(0, 10), st.sampled_from(["carrier", "town", "tanks"])
)


@given(st.lists(places, max_size=12), st.floats(NAMES_FROM, 60))
def test_names_do_not_overlap_and_those_that_are_missing_would(places, scale):
    things = [thing(at, kind, x, y, f"Name {at}") for at, (x, y, kind) in enumerate(places, 1)]
    battlemap = world(12, 8, *things)
    names = names_of(battlemap, scale, NO_LOADS)
    metrics = QFontMetricsF(font(NAME_PIXELS, bold=True))
    widths = [metrics.horizontalAdvance(text) for text in names.texts]
    middles = names.points * scale
    for one in range(len(widths)):
        for other in range(one):
            apart = np.abs(middles[one] - middles[other])
            beside = apart[0] >= (widths[one] + widths[other]) / 2
            assert beside or apart[1] >= metrics.height()
    towns = [each.label for each in things if each.kind == "town"]
    assert not towns or set(towns) & set(names.texts)


@given(st.floats(0, 18), st.floats(0, 10), st.floats(0.5, 6))
def test_a_part_shows_what_the_whole_does(x, y, size):
    things = [thing(at, "town", 1.5 * at, at % 5 + 1, f"Town {at}") for at in range(1, 11)]
    names = names_of(world(12, 8, *things), SCALE, NO_LOADS)
    area = QRectF(x, y, size, size)
    drawn = {text for batch in names.batches(SCALE, area, theme("light")) for text in batch.texts}
    assert drawn <= set(names.texts)
    inside = [area.contains(*point) for point in names.points.tolist()]
    assert {text for text, there in zip(names.texts, inside, strict=True) if there} <= drawn


letterings = st.fixed_dictionaries(
    {},
    optional={
        "size": st.floats(0, 3),
        "colour": st.sampled_from(["#102030", "#ffffff", "red", 7]),
        "italic": st.booleans(),
        "spaced": st.booleans(),
    },
)
labels = st.builds(
    lambda kind, x, y, angle, state, text: Thing(0, kind, x, y, angle, 0, text, State(state)),
    st.sampled_from(["label", "water", "city", "ruin"]),
    st.floats(0, 18),
    st.floats(0, 10),
    st.sampled_from([0.0, 30.0, 90.0, 217.5]),
    letterings,
    st.sampled_from(["", "Rome", "Sea of Storms"]),
)


def free_world(things) -> BattleMap:
    battlemap = free_map(FLAT, 12, 8)
    numbered = [replace(each, id=number) for number, each in enumerate(things, 1)]
    ThingsEdit(1, (), tuple(numbered)).apply(battlemap)
    return battlemap


def corners(name, middle) -> np.ndarray:
    """The corners (4, 2) of the turned box of a text, in logical pixels."""
    metrics = QFontMetricsF(
        font(name.type_size, bold=not name.lettering.italic, italic=name.lettering.italic)
    )
    half = np.array((metrics.horizontalAdvance(name.text), metrics.height())) / 2
    turn = math.radians(name.angle)
    axes = np.array(((math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))))
    return middle + np.array(((-1, -1), (1, -1), (1, 1), (-1, 1))) * half @ axes


def overlap(one, other) -> bool:
    """Whether two convex shapes (n, 2) have more than a rim in common."""
    for shape in (one, other):
        for along in np.roll(shape, -1, 0) - shape:
            across = np.array((-along[1], along[0]))
            first = one @ across
            second = other @ across
            if first.max() <= second.min() + 1e-6 or second.max() <= first.min() + 1e-6:
                return False
    return True


@given(st.lists(labels, max_size=12), st.floats(2, 60))
def test_no_two_labels_overlap_however_large_and_turned(things, scale):
    names = names_of(free_world(things), scale, NO_LOADS)
    boxes = [
        corners(name, point * scale) for name, point in zip(names.names, names.points, strict=True)
    ]
    for one in range(len(boxes)):
        assert not any(overlap(boxes[one], boxes[other]) for other in range(one))


def one_name(scale=SCALE, **thing):
    fields = {"kind": "label", "x": 9.0, "y": 5.0, "label": "Elm"} | thing
    (name,) = names_of(free_world([Thing(1, **fields)]), scale, NO_LOADS).names
    return name


def test_a_label_is_as_its_thing_says_and_usual_where_that_cannot_be():
    name = one_name(angle=30.0, state=State({"size": 1.0, "colour": "#aa0000", "spaced": True}))
    assert (name.type_size, name.angle, name.text) == (
        round(SCALE * 3**0.5),
        30.0,
        "E\u00a0l\u00a0m",
    )
    ink, halo = name.inks(theme("light"))
    assert (ink.name(), halo.lightness() > 128) == ("#aa0000", True)
    odd = one_name(state=State({"size": -3, "colour": "red", "italic": "yes"}))
    assert (odd.type_size, odd.lettering) == (one_name().type_size, Lettering())
    assert one_name(label="").text == "Label", "so that it is found again"
    assert one_name(kind="town").type_size == NAME_PIXELS


def test_large_letters_are_hidden_from_afar_and_cities_are_not():
    small = Thing(1, "label", 9.0, 5.0, label="Wood", state=State({"size": 0.5}))
    battlemap = free_world([small, Thing(2, "city", 3.0, 3.0, label="Rome")])
    assert names_of(battlemap, 3.0, NO_LOADS).texts == ("Rome",)
    assert set(names_of(battlemap, 20.0, NO_LOADS).texts) == {"Rome", "Wood"}


@pytest.mark.parametrize("state", [{}, {"size": 1.5, "colour": "#aa0000"}, {"italic": True}])
@pytest.mark.parametrize("angle", [0.0, 40.0])
def test_labels_are_drawn_on_the_screen_and_as_text_in_files(state, angle, tmp_path):
    plain = free_world([])
    named = free_world([Thing(1, "label", 9.0, 5.0, angle, 0, "Mirkwood", State(state))])
    viewport = Viewport(SCALE, 0.0, 0.0)
    pictures = []
    for battlemap in (plain, named):
        image = QImage(400, 220, QImage.Format.Format_RGB32)
        with painting(image) as painter:
            view = MapView(battlemap, battlemap.composite(), viewport)
            Renderer(theme("light")).paint(painter, view, QRectF(0, 0, 400, 220))
        pictures.append(image)
    assert pictures[0] != pictures[1]
    path = tmp_path / "map.svg"
    work = export_work(path, PictureRequest(), named, named.composite())
    work(lambda _percent: None, lambda: False)
    assert "Mirkwood" in path.read_text()


def test_names_are_worked_out_again_when_a_thing_changes():
    battlemap = world(12, 8, thing(1, "town", 5, 4, "Rome"))
    kept = NamesCache()
    first = kept.of(battlemap, SCALE, NO_LOADS)
    assert kept.of(battlemap, SCALE, NO_LOADS) is first
    change_things(battlemap, [thing(1, "town", 5, 4, "Roma")]).apply(battlemap)
    assert kept.of(battlemap, SCALE, NO_LOADS).texts == ("Roma",)


def test_they_are_an_overlay_of_their_own():
    assert Overlays().thing_names
    assert not Overlays().having("thing_names", False).shows("thing_names")


def test_names_grow_with_zoom_and_importance_and_stay_below_twice_their_size():
    sizes = [one_name(kind="town", scale=scale).type_size for scale in (20, 40, 80, 160, 600)]
    assert sizes == sorted(sizes)
    assert sizes[0] == sizes[1] == NAME_PIXELS < sizes[2]
    assert sizes[-1] < 2 * NAME_PIXELS
    assert one_name(kind="city").type_size > one_name(kind="town").type_size


def test_a_name_does_not_lie_on_the_symbol_of_a_more_important_thing():
    """The city has no name of its own: nothing but its symbol says where it is."""
    city = Thing(1, "city", 9.0, 6.0)
    below = Thing(2, "farm", 9.0, 5.7, label="Elm")
    beside = Thing(3, "farm", 13.0, 5.7, label="Oak")
    names = names_of(free_world([city, below, beside]), SCALE, NO_LOADS)
    assert set(names.texts) == {"Elm", "Oak"}
    (half,) = names.symbol_halves[(names.symbols == (9.0, 6.0)).all(axis=1)]
    apart = np.abs(names.points - (9.0, 6.0)) * SCALE
    assert (apart + 1e-6 >= names.halves + half).any(axis=1).all()


def test_a_note_beside_a_town_is_named_where_there_is_room():
    """The name of the town takes the room below, the pin stands to the upper right of the town."""
    town = Thing(1, "town", 9.0, 5.0, label="Ashbourne")
    pin = Thing(2, "note", 9.6, 4.4, label="The old mill")
    names = names_of(free_world([town, pin]), SCALE, NO_LOADS)
    assert set(names.texts) == {"Ashbourne", "The old mill"}
    assert names.left_out == ()
    (half,) = names.symbol_halves[(names.symbols == (9.0, 5.0)).all(axis=1)]
    apart = np.abs(names.points[names.texts.index("The old mill")] - (9.0, 5.0)) * SCALE
    assert (apart + 1e-6 >= names.halves[names.texts.index("The old mill")] + half).any()


@pytest.mark.parametrize("turned", [False, True])
def test_a_name_stands_above_or_beside_its_thing_where_it_has_no_room_below(turned):
    """Three towns stand one below the other, so close that two names have no room between them."""
    towns = [
        Thing(number, "town", 9.0, 4.0 + number, label=label)
        for number, label in enumerate(("Ashbourne", "Elmstead", "Oakham"), 1)
    ]
    if turned:
        towns.reverse()
    names = names_of(free_world(towns), SCALE, NO_LOADS)
    assert set(names.texts) == {"Ashbourne", "Elmstead", "Oakham"}
    assert names.left_out == ()
    crowd = [replace(town, id=10 + town.id, x=9.0 + 0.01 * town.id) for town in towns]
    crowded = names_of(free_world(towns + crowd), SCALE, NO_LOADS)
    assert len(crowded.left_out) == 6 - len(crowded.texts) > 0
    assert set(crowded.left_out) <= {"Ashbourne", "Elmstead", "Oakham"}


def test_an_inscription_without_a_label_is_told_by_the_name_of_its_kind():
    crowd = [Thing(number, "label", 9.0, 5.0) for number in range(1, 4)]
    names = names_of(free_world(crowd), SCALE, NO_LOADS)
    assert names.texts == ("Label",)
    assert names.left_out == ("Label", "Label")
