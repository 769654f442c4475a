"""The pieces that a table needs, and the limits of a box."""

from __future__ import annotations

import pytest

from randomizer.generator_run import run
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.systems.cordery.generator import CorderyGenerator
from randomizer.systems.cordery.system import SYSTEM, table_grid
from randomizer.systems.cordery.table.pieces import (
    PIECES,
    count_pieces,
    missing_pieces,
    read_box,
    shape_of,
)
from tests.randomizer.systems.cordery.built_tables import base_of, built


@pytest.mark.parametrize(
    ("kind", "sides", "shape"),
    [
        ("square", (0, 2), "straight"),
        ("square", (0, 1), "bend"),
        ("square", (0, 3), "bend"),
        ("square", (1,), "end"),
        ("square", (), "end"),
        ("square", (0, 1, 2), "fork"),
        ("square", (0, 1, 2, 3), "crossing"),
        ("hex", (0, 3), "straight"),
        ("hex", (1, 3), "bend"),
        ("hex", (0, 4), "bend"),
        ("hex", (0, 5), "sharp bend"),
        ("hex", (0, 2, 4), "fork"),
    ],
)
def test_the_shape_of_a_piece_is_how_its_sides_lie(
    kind: str, sides: tuple[int, ...], shape: str
) -> None:
    assert shape_of(table_grid(kind, 3, 3), sum(1 << side for side in sides)) == shape


def rolled(**chosen: object) -> tuple[Generated, dict[str, int]]:
    base = base_of("hex", 9, 8)
    made = run(CorderyGenerator(), chosen, DrawKey(11, 0), base)
    assert made is not None
    battlemap = BattleMap.new(SYSTEM, base.grid, [Layer(9, "Table"), *made.layers])
    return made, count_pieces(base.grid, battlemap.composite().planes)


def test_the_parts_of_a_table_are_counted() -> None:
    builder = built(base_of("hex", 9, 8), seed=11, relief="undulating", railways=1)
    _made, parts = rolled(relief="undulating", railways=1)
    contours = list(builder.table.contours.values())
    assert parts.get("hill", 0) == contours.count(1)
    assert parts.get("two-contour hill", 0) == contours.count(2)
    for route, links in builder.table.routes.items():
        kinds = [count for piece, count in parts.items() if piece.startswith(f"{route} ")]
        assert sum(kinds) == len(links.links)
    assert list(parts) == [piece for piece in PIECES if piece in parts]


def test_the_dice_respect_the_box() -> None:
    made, parts = rolled(relief="hilly", fixed="trees die = 6", box="hill=3; deciduous trees=2")
    hills = parts.get("hill", 0) + parts.get("two-contour hill", 0)
    assert hills == 3
    assert parts["deciduous trees"] == 2
    assert any("but the box holds 3" in line.text for line in made.log)


def test_a_box_of_one_mountain_has_no_end_of_hills() -> None:
    chosen = {"relief": "mountainous", "area": "urban"}
    free, _parts = rolled(**chosen)
    boxed, _parts = rolled(**chosen, box="mountain = 1; city = 1")
    for kind in ("1.1", "5.1"):
        lines = [
            next(line for line in table.log if line.text.startswith(kind))
            for table in (free, boxed)
        ]
        assert lines[0] == lines[1]


def test_without_a_high_hill_in_the_box_hills_stay_low() -> None:
    _made, parts = rolled(relief="hilly", box="two-contour hill = 0; hill = 20")
    assert "two-contour hill" not in parts


def test_without_a_bridge_in_the_box_there_are_fords() -> None:
    fixed = "road 1 crossing 1 die = 6; road 1 crossing 2 die = 6"
    _made, parts = rolled(hills=False, fixed=fixed, box="bridge = 0", rivers=2)
    assert "bridge" not in parts


def test_what_the_box_lacks_is_said() -> None:
    made, _parts = rolled(box="river straight = 0; river bend = 0; river sharp bend = 0")
    assert any(note.code == "not-in-box" for note in made.notes)
    assert missing_pieces({"hill": 4, "ford": 1}, {"hill": 1}) == {"hill": 3}


@pytest.mark.parametrize("text", ["castle = 3", "hill = few", "hill", "hill = 1; hill = 2"])
def test_a_box_that_cannot_be_read_is_refused_in_words(text: str) -> None:
    with pytest.raises(ProblemError):
        read_box(text)
