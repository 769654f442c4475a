"""The names of things: below them, none over another, the most important ones first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF

from app.render.overlay_options import Overlays
from app.render.scene.icons import font
from app.render.scene.things.loads import NO_LOADS, Loads
from app.render.scene.things.names import NAME_PIXELS, NAMES_FROM, KeptNames, names_of
from app.render.theme import theme
from randomizer.model.edits.thing_edits import change_things
from randomizer.model.things.things import Thing
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
    boat, town = thing(1, "carrier", 5, 4, "Argo"), thing(2, "town", 5.2, 4, "Rome")
    assert shown(boat, town) == {"Rome"}
    assert shown(town, thing(3, "town", 5.1, 4, "Ostia", owner=1)) == {"Ostia"}
    assert shown(boat, replace(town, x=9.0)) == {"Argo", "Rome"}


def test_what_is_carried_or_has_no_name_or_is_far_away_shows_none():
    boat, town = thing(1, "carrier", 5, 4, "Argo"), thing(2, "town", 9, 4)
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
    drawn = {text for batch in names.batch(SCALE, area, theme("light")) for text in batch.texts}
    assert drawn <= set(names.texts)
    inside = [area.contains(*point) for point in names.points.tolist()]
    assert {text for text, there in zip(names.texts, inside, strict=True) if there} <= drawn


def test_names_are_worked_out_again_when_a_thing_changes():
    battlemap, kept = world(12, 8, thing(1, "town", 5, 4, "Rome")), KeptNames()
    first = kept.of(battlemap, SCALE, NO_LOADS)
    assert kept.of(battlemap, SCALE, NO_LOADS) is first
    change_things(battlemap, [thing(1, "town", 5, 4, "Roma")]).apply(battlemap)
    assert kept.of(battlemap, SCALE, NO_LOADS).texts == ("Roma",)


def test_they_are_an_overlay_of_their_own():
    assert Overlays().thing_names
    assert not Overlays().having("thing_names", False).shows("thing_names")
