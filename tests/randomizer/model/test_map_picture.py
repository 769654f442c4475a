from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.geometry.finer import finer_map
from randomizer.geometry.transform import resize_map, shift_map, turn_map
from randomizer.geometry.turn import left_right, rotation
from randomizer.model.edits.merged_edits import squash
from randomizer.model.edits.reshape import Reshape
from randomizer.model.grid.layouts import FLAT, LAYOUTS, SQUARE
from randomizer.model.map_picture import (
    RECORD,
    MapPicture,
    covering,
    is_sound,
    picture_of,
    set_picture,
    suits,
)
from randomizer.model.players_view import players_view
from randomizer.model.records.assets import asset_digest
from randomizer.model.records.map_records import MapRecord
from randomizer.model.things.things import Thing, Things
from randomizer.storage.files.project import read_project, write_project
from randomizer.storage.records.encoding import decode_edit, encode_edit
from randomizer.systems.colossus.system import SYSTEM as COLOSSUS
from randomizer.systems.free.system import SYSTEM, free_map
from randomizer.systems.interchange.foreign.losses import losses

DIGEST = asset_digest(b"no picture is looked at here")

placements = st.builds(
    lambda unit, turn, ratio, e, f: (
        unit * math.cos(turn),
        unit * math.sin(turn),
        -unit * ratio * math.sin(turn),
        unit * ratio * math.cos(turn),
        e,
        f,
    ),
    st.floats(0.5, 200),
    st.floats(-3, 3),
    st.floats(0.5, 2),
    st.floats(-5000, 5000),
    st.floats(-5000, 5000),
)

pictures = st.builds(
    MapPicture,
    st.just(DIGEST),
    st.text(st.characters(codec="utf-8", categories=("L", "N")), max_size=20),
    st.tuples(st.integers(1, 9000), st.integers(1, 9000)),
    placements,
    st.integers(0, 100),
    *[st.booleans()] * 4,
)


def laid(battlemap, placement=(20.0, 1.0, -1.0, 20.0, 30.0, 10.0)) -> MapPicture:
    """A map with a picture, which is returned."""
    picture = MapPicture(DIGEST, "scan.jpg", (400, 300), placement)
    edit = set_picture(battlemap, picture)
    assert edit is not None
    edit.apply(battlemap)
    return picture


@given(pictures)
def test_a_picture_is_read_from_its_record(picture) -> None:
    battlemap = free_map(FLAT, 1, 1)
    edit = set_picture(battlemap, picture)
    assert edit is not None
    edit.apply(battlemap)
    assert picture_of(battlemap.records) == picture


@given(pictures, st.floats(0.2, 5), st.floats(-180, 180), st.floats(-50, 50), st.floats(-50, 50))
def test_a_picture_is_enlarged_and_turned_about_its_middle(picture, factor, degrees, x, y) -> None:
    moved = picture.similar(factor, degrees, x, y)
    np.testing.assert_allclose(moved.middle, np.add(picture.middle, (x, y)), atol=1e-3)
    assert moved.pixels_per_unit * factor == pytest.approx(picture.pixels_per_unit)
    assert math.cos(math.radians(moved.turn - picture.turn - degrees)) == pytest.approx(1)


def test_a_new_picture_covers_the_map() -> None:
    grid = free_map(FLAT, 12, 7).grid
    for size in ((500, 90), (90, 500)):
        picture = MapPicture(DIGEST, "", size, covering(size, grid))
        low = picture.outline.min(axis=0)
        high = picture.outline.max(axis=0)
        left, top, right, bottom = grid.bounds
        assert (low <= np.array([left, top]) + 1e-9).all()
        assert (high >= np.array([right, bottom]) - 1e-9).all()
        assert (np.isclose(low, [left, top]) & np.isclose(high, [right, bottom])).any()


@pytest.mark.parametrize(
    "change",
    [
        {"asset": "../../x"},
        {"size": [0, 5]},
        {"size": 3},
        {"opacity": 101},
        {"opacity": True},
        {"over": 1},
        {"name": ["a"]},
        {"name": "a\x00"},
        {"placement": [1, 0, 0, 1, 0]},
        {"placement": [1, 2, 2, 4, 0, 0]},
        {"placement": [1e9, 0, 0, 1, 0, 0]},
        {"placement": ["1", 0, 0, 1, 0, 0]},
    ],
    ids=str,
)
def test_what_is_no_picture_is_none(change) -> None:
    entry = MapPicture(DIGEST, "", (4, 3), (1.0, 0.0, 0.0, 1.0, 0.0, 0.0))._asdict()
    assert picture_of({RECORD: MapRecord(json.dumps(entry), is_json=True)}) is not None
    assert picture_of({RECORD: MapRecord(json.dumps({**entry, **change}), is_json=True)}) is None


@given(
    st.dictionaries(
        st.sampled_from(MapPicture._fields),
        st.recursive(
            st.none()
            | st.booleans()
            | st.integers()
            | st.floats(allow_nan=False, allow_infinity=False)
            | st.text(),
            lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(), inner),
            max_leaves=8,
        ),
    )
)
def test_any_record_is_read_without_a_fault(changes) -> None:
    entry = MapPicture(DIGEST, "", (4, 3), (1.0, 0.0, 0.0, 1.0, 0.0, 0.0))._asdict()
    picture = picture_of({RECORD: MapRecord(json.dumps({**entry, **changes}), is_json=True)})
    assert picture is None or is_sound(picture)


def test_other_records_of_that_name_are_none() -> None:
    for text in ("[]", "3", "{}", "null"):
        assert picture_of({RECORD: MapRecord(text, is_json=True)}) is None
    assert picture_of({RECORD: MapRecord("{", is_json=False)}) is None
    far = MapPicture(DIGEST, "", (4, 3), (1.0, 0.0, 0.0, 1.0, 1e9, 0.0))
    assert set_picture(free_map(FLAT, 1, 1), far) is None


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda each: each.name)
@pytest.mark.parametrize(
    "transform",
    [
        lambda each: turn_map(each, rotation(each.grid.layout, 1)),
        lambda each: turn_map(each, left_right(each.grid.layout)),
        lambda each: resize_map(each, 12, 9, (1.0, 0.0)),
        lambda each: finer_map(each, 2),
    ],
    ids=("turn", "flip", "resize", "finer"),
)
def test_a_picture_moves_with_what_stands_on_the_map(layout, transform) -> None:
    battlemap = free_map(layout, 8, 6)
    laid(battlemap)
    centres = battlemap.grid.centres_of(battlemap.grid.cells[[9, 13, 36]]).tolist()
    things = [Thing(n, "label", x + 0.1, y) for n, (x, y) in enumerate(centres, 1)]
    battlemap.layers[0].things = Things(things)

    def pixels() -> np.ndarray:
        picture = picture_of(battlemap.records)
        standing = battlemap.layers[0].things
        assert picture is not None
        return np.array([(standing[n].x, standing[n].y, 1) for n in (1, 2, 3)]) @ picture.matrix

    before = pixels()
    edit = transform(battlemap).edit
    edit.apply(battlemap)
    np.testing.assert_allclose(pixels(), before, atol=1e-4)
    edit.inverse().apply(battlemap)
    np.testing.assert_allclose(pixels(), before)


def test_what_wraps_round_leaves_the_picture() -> None:
    battlemap = free_map(SQUARE, 8, 6)
    picture = laid(battlemap)
    assert isinstance(shift_map(battlemap, 3, 0).edit, Reshape)
    assert picture_of(battlemap.records) == picture


def test_a_picture_goes_through_file_and_journal() -> None:
    battlemap = free_map(FLAT, 4, 3)
    picture = MapPicture(DIGEST, "scan.jpg", (400, 300), (20.5, 1.0, -1.0, 20.0, 30.0, 1 / 3))
    edit = set_picture(battlemap, picture)
    assert edit is not None
    again = decode_edit(encode_edit(edit), battlemap)
    again.apply(battlemap)
    battlemap.assets[DIGEST] = b"no picture is looked at here"
    opened = read_project(write_project(battlemap)).battlemap
    assert picture_of(opened.records) == picture
    assert opened.assets == battlemap.assets
    again.inverse().apply(battlemap)
    assert picture_of(battlemap.records) is None


def test_a_drag_is_one_edit() -> None:
    battlemap = free_map(FLAT, 4, 3)
    edits = []
    picture = laid(battlemap)
    for step in range(4):
        edit = set_picture(battlemap, picture.similar(1, 0, step + 1.0, 0))
        assert edit is not None
        edit.apply(battlemap)
        edits.append(edit)
    joined = squash(edits)
    joined.inverse().apply(battlemap)
    assert picture_of(battlemap.records) == picture
    joined.apply(battlemap)
    assert picture_of(battlemap.records) == picture.similar(1, 0, 4.0, 0)
    assert squash([edits[0], edits[0].inverse()]) is None


def test_players_do_not_get_it() -> None:
    battlemap = free_map(FLAT, 4, 3)
    assert players_view(battlemap) is battlemap
    laid(battlemap)
    assert RECORD not in players_view(battlemap).records


def test_other_formats_say_that_they_lose_it() -> None:
    battlemap = free_map(FLAT, 4, 3)
    assert losses(battlemap, battlemap.composite())["picture"] == 0
    laid(battlemap)
    assert losses(battlemap, battlemap.composite())["picture"] == 1


def test_boards_of_one_size_have_no_picture() -> None:
    assert suits(SYSTEM)
    assert not suits(COLOSSUS)
    assert is_sound(laid(free_map(FLAT, 4, 3)))
