"""What each format of other programs keeps, what it says it loses, and what it refuses."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from randomizer.catalog.format_choice import format_for
from randomizer.catalog.map_formats import format_named, preferred_format
from randomizer.formats.checked import read_checked, write_checked, write_files_checked
from randomizer.formats.losses import NOT_KEPT
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.record_edits import set_record
from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.edits.thing_edits import change_things
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT, POINTY, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.routes import PRESENT, SIDES
from randomizer.model.players_view import SECRET, players_view
from randomizer.model.problems import ProblemError, Severity
from randomizer.model.records.assets import asset_digest
from randomizer.model.records.map_records import ORIGINAL, MapRecord
from randomizer.model.terrain.terrain import MAX_WAYS, Terrain, TerrainSet
from randomizer.model.terrain.terrain_check import LONGEST_WORD
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing, Things
from randomizer.storage.files.project import read_project, write_project
from randomizer.storage.journal.journal import Journal
from randomizer.storage.records.encoding import encode_map
from randomizer.systems.free.packaged_sets import packaged_set
from randomizer.systems.free.system import SYSTEM, free_map
from randomizer.systems.free.things import LABEL, START
from randomizer.systems.interchange.foreign.pictures import table_rows
from tests.randomizer.systems.interchange.readers import board, wesnoth
from tests.randomizer.systems.interchange.samples import BOARD, DOTTED, SAMPLES, TEXTMAPPER, WESNOTH


def opened(name: str, data: bytes) -> BattleMap:
    """The map of a file."""
    battlemap = read_checked(format_named(name), data).battlemap
    assert battlemap is not None
    return battlemap


def written(name: str, battlemap: BattleMap) -> str:
    """The file of a map as text."""
    return write_checked(format_named(name), battlemap).decode()


def change(battlemap: BattleMap, edit: Edit | None) -> None:
    """Do an edit that changes something."""
    assert edit is not None
    edit.apply(battlemap)


def code_at(battlemap: BattleMap, cell: int) -> str:
    """The code of what a cell shows."""
    return battlemap.terrain_set.terrains[battlemap.values("terrain").flat[cell]].code


def way_at(battlemap: BattleMap, name: str, cell: int) -> int | None:
    """The sides (bits) by which a way leaves a cell; None where it is not."""
    number = [way.name for way in battlemap.terrain_set.ways].index(name)
    value = int(battlemap.values(SYSTEM.ways[number].name).flat[cell])
    return value & SIDES if value & PRESENT else None


def said(name: str, battlemap: BattleMap) -> list[str]:
    """What a format says that it would lose."""
    return [problem.message for problem in format_named(name).check(battlemap)]


@pytest.mark.parametrize(
    ("name", "data"), [("board", BOARD), ("wesnoth", WESNOTH), ("textmapper", TEXTMAPPER)]
)
def test_a_file_is_known_by_its_content_and_stays_through_a_project(name: str, data: bytes) -> None:
    assert format_for(data, "a.map").name == name
    project = write_project(opened(name, data))
    again = read_project(project).battlemap
    assert write_checked(format_named(name), again) == data
    assert len(again.assets) == 1
    change(again, set_record(again, ORIGINAL, None))
    assert read_project(write_project(again)).battlemap.assets == {}


def test_the_file_of_another_program_comes_back_after_a_kill(tmp_path) -> None:
    battlemap = opened("wesnoth", WESNOTH)
    journal = Journal.begin(tmp_path, {}, encode_map(battlemap), assets=battlemap.assets)
    journal.close()
    again = Journal.open(journal.folder)
    assert write_checked(format_named("wesnoth"), again.restore_map()) == WESNOTH
    again.close()


@pytest.mark.parametrize("files", [1, "x", [1], True, {"a": 1}, {"a": {"asset": []}}])
@pytest.mark.parametrize("name", ["board", "wesnoth", "textmapper", "foundry", "uvtt"])
def test_a_forged_record_of_the_original_is_no_fault(name: str, files: object) -> None:
    battlemap = free_map(FLAT, 3, 3)
    about = {"format": name, "asset": "0" * 64, "content": 7, "files": files}
    battlemap.records[ORIGINAL] = MapRecord(json.dumps(about), is_json=True)
    format_named(name).check(battlemap)
    again = read_checked(format_named(name), write_checked(format_named(name), battlemap))
    assert again.battlemap is not None


def test_new_free_maps_are_saved_as_projects() -> None:
    assert preferred_format(SYSTEM).name == "project"


# --- MegaMek ---


def test_a_board_has_elevations_exits_and_themes() -> None:
    battlemap = opened("board", BOARD)
    assert battlemap.values("elevation").flat[:4].tolist() == [0, -2, 3, 1]
    assert battlemap.values("elevation").flat[7] == 12
    assert code_at(battlemap, 1) == 'water:1;rapids:1 "grass"'
    assert code_at(battlemap, 2) == 'clear "Canyon of Fire"'
    assert way_at(battlemap, "road:1", 2) == 0b001001
    assert way_at(battlemap, "road:3", 6) == 0b111111
    assert way_at(battlemap, "bridge", 5) == 18
    assert code_at(battlemap, 5) == "bridge:2:*;bridge_elev:1;bridge_cf:40;water:0"
    hexside = battlemap.values("hexside")[0, 2].tolist()
    assert [battlemap.terrain_set.hexside_letter(code) for code in hexside] == list("c c   ")


def test_a_road_that_only_the_name_of_a_terrain_says_is_no_way_and_that_is_said() -> None:
    battlemap = opened("board", BOARD)
    assert said("board", battlemap) == []
    road = next(at for at, t in enumerate(battlemap.terrain_set.terrains) if "road:1" in t.code)
    change(battlemap, set_values(battlemap, 1, "terrain", [0], road))
    assert said("board", battlemap) == ["roads of 1 hex that terrains name: there is no way"]


def test_exits_of_the_game_are_shown_and_stay_its_own_until_they_are_changed() -> None:
    battlemap = opened("board", BOARD)
    assert way_at(battlemap, "road:1", 3) == 1 << 5  # to its like in the north-west
    plane = SYSTEM.ways[0].name
    change(battlemap, set_values(battlemap, 1, "elevation", [0], 7))
    assert '"road:1;woods:2:0"' in written("board", battlemap)
    change(battlemap, set_values(battlemap, 1, plane, [3], PRESENT | 0b1))
    assert '"road:1:1;woods:2:0"' in written("board", battlemap)
    change(battlemap, set_values(battlemap, 1, plane, [3], SYSTEM.ways[0].unset))
    assert '"woods:2:0"' in written("board", battlemap)


def test_a_second_bridge_of_a_hex_stays_when_the_hex_changes() -> None:
    battlemap = opened("board", BOARD.replace(b'"bridge:2:18;', b'"bridge:2:18;bridge:3:9;'))
    change(battlemap, set_values(battlemap, 1, "elevation", [5], 7))
    (line,) = (line for line in written("board", battlemap).splitlines() if "hex 0202" in line)
    assert line == 'hex 0202 7 "bridge:2:18;bridge:3:9;bridge_elev:1;bridge_cf:40;water:0" ""'


def test_what_a_board_has_beside_its_hexes_stays() -> None:
    battlemap = opened("board", BOARD)
    change(battlemap, set_values(battlemap, 1, "elevation", [0], 7))
    _size, cells, lines = board(written("board", battlemap))
    _size, old_cells, old_lines = board(BOARD.decode())
    assert lines == old_lines
    assert cells[0][0] == 7
    assert cells[1:11] == old_cells[1:11]


def test_the_order_of_hexes_decides_and_what_is_missing_is_clear() -> None:
    data = b'size 2 2\nhex 0202 1 "" ""\nhex 0101 2 "magic:1;woods:1" ""\nhex 0102 3 "" ""\nend\n'
    result = read_checked(format_named("board"), data)
    assert result.battlemap.values("elevation").ravel().tolist() == [1, 2, 3, 0]
    assert [problem.message for problem in result.problems] == [
        "Missing: 1 hex, clear and of level 0 here",
        "The number of 2 hexes is wrong: the order counts",
        "MegaMek has no terrain “magic”: it is left out",
    ]
    assert code_at(result.battlemap, 1) == "woods:1"


# --- Wesnoth ---


def test_the_first_column_of_wesnoth_is_pushed_down_and_the_border_is_shown() -> None:
    battlemap = opened("wesnoth", WESNOTH)
    grid = battlemap.grid
    assert (grid.width, grid.height, len(grid.cells)) == (5, 4, 16)
    first, second = (grid.centre(grid.cell(x, 0)) for x in (1, 2))
    assert first[1] - second[1] == pytest.approx(3**0.5 / 2)
    starts = [
        (visible_thing.owner, visible_thing.label) for visible_thing in battlemap.visible_things()
    ]
    assert starts == [(1, ""), (0, "lake"), (2, "")]
    assert code_at(battlemap, grid.cell(4, 1)) == "_off^_usr"


def test_a_start_that_is_moved_is_written_at_its_new_cell() -> None:
    battlemap = opened("wesnoth", WESNOTH)
    thing = next(iter(battlemap.visible_things()))
    x, y = battlemap.grid.centre(battlemap.grid.cell(1, 3))
    change(battlemap, change_things(battlemap, [replace(thing, x=x, y=y)]))
    size, cells, _lines = wesnoth(written("wesnoth", battlemap))
    assert size == (4, 4)
    assert cells[5] == "Ke"
    assert cells[12] == "1 Wo"


def test_a_map_of_ours_gets_a_border_and_known_codes() -> None:
    battlemap = free_map(FLAT, 3, 2)
    wood = battlemap.terrain_set.terrain_code("Wood")
    change(battlemap, set_values(battlemap, 1, "terrain", [0], wood))
    change(battlemap, set_values(battlemap, 1, "elevation", [1, 2], 3))
    size, cells, _lines = wesnoth(written("wesnoth", battlemap))
    own = battlemap.terrain_set.terrains[wood].code
    assert size == (5, 4)
    assert [at for at, code in enumerate(cells) if code == own] == [0, 1, 5, 6]
    assert set(cells) == {own, battlemap.terrain_set.terrains[0].code}
    assert said("wesnoth", battlemap) == ["2 elevations: Wesnoth has none"]
    again = opened("wesnoth", written("wesnoth", battlemap).encode())
    assert code_at(again, again.grid.cell(2, 1)) == own  # a column for the parity, one of border


# --- Text Mapper ---


def test_regions_lines_labels_and_hexsides_of_text_mapper() -> None:
    result = read_checked(format_named("textmapper"), TEXTMAPPER)
    battlemap = result.battlemap
    grid = result.battlemap.grid
    assert (grid.width, grid.height) == (6, 4)
    assert not grid.mask[:, 0].any()  # column 00 is pushed down, ours are 1, 3, 5
    assert code_at(battlemap, grid.cell(2, 1)) == "light-grey mountain"
    assert code_at(battlemap, grid.cell(3, 2)) == "water island"
    assert code_at(battlemap, grid.cell(4, 0)) == ""
    labels = {
        visible_thing.label: dict(visible_thing.state)
        for visible_thing in battlemap.visible_things()
    }
    assert labels == {"The “wood": {}, "Peak": {"points": 30}, "Lake": {"points": 20}}
    sides = battlemap.values("hexside")
    assert np.flatnonzero(sides[1, 2]).tolist() == [4, 5]  # cliff5 and cliff0
    assert battlemap.terrain_set.hexside_letter(sides[2, 3, 2]) == "w"
    assert [way.name for way in battlemap.terrain_set.ways] == ["river", "trail"]
    assert way_at(battlemap, "river", grid.cell(1, 0)) == 1 << 2  # to the south-east, 0101
    assert [problem.message for problem in result.problems] == [
        "1 line of other levels is kept, but not shown"
    ]


def test_only_the_lines_of_what_was_changed_change() -> None:
    battlemap = opened("textmapper", TEXTMAPPER)
    before = TEXTMAPPER.decode().splitlines()
    grid = battlemap.grid
    number = battlemap.terrain_set.terrain_code("green forest")
    change(battlemap, set_values(battlemap, 1, "terrain", [grid.cell(2, 1)], number))
    after = written("textmapper", battlemap).splitlines()
    at = before.index(next(line for line in before if line.startswith("0102 ")))
    assert after[at] == '0102 green forest cliff0 cliff5 "Peak" 30 uwp="A1"'
    assert (after[:at], after[at + 1 :]) == (before[:at], before[at + 1 :])
    river = SYSTEM.ways[0]
    change(battlemap, set_values(battlemap, 1, river.name, [grid.cell(1, 0)], PRESENT))
    links = battlemap.values(river.name).flat[grid.cell(2, 1)] - (1 << 5)
    change(battlemap, set_values(battlemap, 1, river.name, [grid.cell(2, 1)], links))
    after = written("textmapper", battlemap).splitlines()
    assert not any(line.startswith("0001-") for line in after)
    assert after[-1] == "0102-0202-0203-0304-0404 river"
    assert said("textmapper", battlemap) == ["1 cell of a route: Text Mapper has none"]


def test_a_line_of_hexes_with_a_hard_space_behind_it_is_no_line_of_a_kind() -> None:
    battlemap = opened("textmapper", "0304 forest\n0304-0506 \N{NO-BREAK SPACE}\n".encode())
    assert battlemap.terrain_set.ways == ()


def test_a_hexside_of_another_level_is_kept_but_not_shown() -> None:
    regions = b"020301 hill\n030401 forest\n"
    comments = b"# hexside 030401 2 w\n# hexside 030402 2 w\n# hexside 030402 3 w\n"
    data = regions + comments
    result = read_checked(format_named("textmapper"), data)
    assert np.count_nonzero(result.battlemap.values("hexside")) == 1
    assert [problem.message for problem in result.problems] == [
        "2 lines of other levels are kept, but not shown"
    ]
    hill = np.flatnonzero(result.battlemap.values("terrain") == 1).tolist()
    change(result.battlemap, set_values(result.battlemap, 1, "terrain", hill, 0))
    assert written("textmapper", result.battlemap).encode().endswith(comments)


def test_a_hexside_of_another_level_before_all_regions_is_not_shown_either() -> None:
    data = b"# hexside 030401 2 w\n# hexside 0304 3 w\n0304 forest\n"
    result = read_checked(format_named("textmapper"), data)
    assert np.count_nonzero(result.battlemap.values("hexside")) == 1
    assert [problem.message for problem in result.problems] == [
        "1 line of other levels is kept, but not shown"
    ]


def test_kinds_of_paths_that_no_way_can_have_are_told_and_leave_room_for_others() -> None:
    kinds = ["x" * (LONGEST_WORD + 1), "a\u200bb", *(f"kind{at}" for at in range(MAX_WAYS))]
    text = "0101 forest\n" + "".join(f"0101-0102 {kind}\n" for kind in kinds)
    result = read_checked(format_named("textmapper"), text.encode())
    assert [way.name for way in result.battlemap.terrain_set.ways] == kinds[2:]
    reason = "are kept, but not shown: no way can have this name"
    assert [problem.message for problem in result.problems] == [
        f"lines of “{'x' * 40}” {reason}",
        f"lines of “a\\u200bb” {reason}",
    ]


def test_types_in_capitals_of_hexes_with_a_level_that_lie_side_by_side_are_a_map() -> None:
    lines = "".join(f"01{row:02}01 Moor\n" for row in range(1, 9))
    assert format_for(lines.encode(), "a").name == "textmapper"


def test_a_line_behind_the_map_of_a_note_stays_without_its_line_end() -> None:
    data = b"```text-mapper\n0101 forest\n0202 forest\n```\nThe end"
    battlemap = opened("textmapper", data)
    blank_cell = int(np.flatnonzero(battlemap.values("terrain") == 0)[0])
    change(battlemap, set_values(battlemap, 1, "terrain", [blank_cell], 1))
    assert written("textmapper", battlemap).endswith("\nThe end")


def test_numbers_beyond_99_and_below_0_are_written_as_the_program_reads_them() -> None:
    battlemap = opened("textmapper", DOTTED)
    grid = battlemap.grid
    change(battlemap, set_values(battlemap, 1, "terrain", [grid.cell(2, 3), grid.size - 1], 1))
    text = written("textmapper", battlemap)
    assert text.startswith(DOTTED.decode())
    assert text[len(DOTTED) :] == "-01.102 forest\r\n101.102 forest\r\n"


def test_comments_about_more_hexsides_than_a_map_has_are_comments() -> None:
    letters = [*"\x01\u200b", *map(chr, range(0x4E00, 0x4E00 + 300))]
    sides = "".join(f"# hexside 0101 {at % 6} {letter}\n" for at, letter in enumerate(letters))
    data = f"0101 forest\n{sides}".encode()
    battlemap = opened("textmapper", data)
    assert len(battlemap.terrain_set.hexsides) == 200
    assert write_checked(format_named("textmapper"), battlemap) == data


@pytest.mark.parametrize(
    ("layout", "more"), [(POINTY, ""), (SQUARE, ", for squares with --square")]
)
def test_a_map_of_ours_becomes_words_and_its_layout_is_said(layout, more) -> None:
    battlemap = free_map(layout, 2, 1)
    known = battlemap.terrain_set
    names = ("Pine wood", "Pine-wood", "Ways")
    terrains = tuple(replace(known.terrains[0], name=name, letters="") for name in names)
    change(battlemap, change_terrain_set(battlemap, replace(known, terrains=terrains)))
    change(battlemap, set_values(battlemap, 1, "terrain", [0, 1], np.array([0, 1])))
    battlemap.layers[0].things = Things([Thing(1, LABEL, 0, 0, label="Ur"), Thing(2, START, 0, 0)])
    battlemap.note_ids([1, 2])
    assert written("textmapper", battlemap) == '0101 pine-wood "Ur"\n0201 pine-wood-2\n'
    assert said("textmapper", battlemap) == [
        "1 start: Text Mapper has none",
        f"Text Mapper knows no layout: column and row are as they are{more}",
    ]
    for name in ("board", "wesnoth"):
        with pytest.raises(ProblemError, match="has flat-top hexes only"):
            written(name, battlemap)


def test_roads_bridges_and_settlements_are_codes_of_wesnoth() -> None:
    battlemap = free_map(FLAT, 4, 2, terrain_set=packaged_set("Battlefield"))
    names = [terrain.name for terrain in battlemap.terrain_set.terrains]
    rows = [["Clear", "Woods", "Water", "Marsh"], ["Clear", "Clear", "Water", "Clear"]]
    layer = battlemap.layers[0]
    layer.planes["terrain"] = np.array([[names.index(name) for name in row] for row in rows], "u2")
    north_south = 1 | 8
    down = 4 | 32
    up = 2 | 16
    roads = SYSTEM.ways[0].allocate(battlemap.grid)
    roads.flat[:4] = [PRESENT | down, PRESENT | down, PRESENT | north_south, PRESENT | down]
    roads.flat[6] = PRESENT | up
    rails = SYSTEM.ways[2].allocate(battlemap.grid)
    rails.flat[5] = PRESENT | down
    layer.planes |= {SYSTEM.ways[0].name: roads, SYSTEM.ways[2].name: rails}
    things = [
        Thing(number, kind, *battlemap.grid.centre(cell))
        for number, (kind, cell) in enumerate([("city", 0), ("village", 7), ("dragon", 5)], 1)
    ]
    layer.things = Things(things)
    battlemap.next_thing_id = 4
    _size, cells, _starts = wesnoth(written("wesnoth", battlemap))
    codes = [cells[6 * row + column] for row in (1, 2) for column in range(1, 5)]
    assert codes == ["Gs^Vhc", "Re", "Ww^Bw|", "Ss^Bw\\", "Gs", "Gs", "Ww^Bw/", "Gs^Vh"]
    assert said("wesnoth", battlemap) == [
        "2 cells of routes: Wesnoth has none",
        "1 thing: Wesnoth has none",
        "8 terrains: Wesnoth has no such, the nearest is written",
    ]


# --- all ---


def test_a_wesnoth_map_becomes_a_board_by_pictures() -> None:
    battlemap = opened("wesnoth", b"Gg, Gg, Ss\nWo, 1 Kh, Mm\nGs^Fp, Ww, Xv\n")
    size, cells, _lines = board(written("board", battlemap))
    assert size == (4, 3)
    assert [set(cell[1]) for cell in cells[1:4]] == [{""}, {""}, {"swamp:1"}]
    assert [set(cell[1]) for cell in cells[9:11]] == [{"woods:2"}, {"water:1"}]
    assert said("board", battlemap) == [
        "1 start: MegaMek has none",
        "9 terrains: MegaMek has no such, the nearest is written",
    ]


@pytest.mark.parametrize(
    ("name", "data", "place", "message"),
    [
        ("board", 'hex 0101 0 "" ""', (1, 1), "no more"),
        ("board", "size 99999 99999", (1, 1), "cells"),
        ("board", 'size 2 2\nhex 0101 x "" ""', (2, 10), "expected: the level"),
        ("board", 'size 2 2\nhex 0101 0 woods ""', (2, 11), "expected: the terrains"),
        ("board", 'size 2 2\nhex 0101 0 "mud;woods:1" ""', (2, 13), "no terrain with a level"),
        ("board", 'size 2 2\nhex 0101 99999 "" ""', (2, 10), "no level"),
        ("wesnoth", "Gg, Gg\nGg, Gg, Gg", (2, 1), "no rectangle"),
        ("wesnoth", "Gg, Gg\nGg, gg", (2, 4), "no terrain such as"),
        ("wesnoth", "border_size=1\n", (1, 1), "no row"),
        ("textmapper", "0101 sea\n9999.9999 sea", (2, 1), "cells"),
        ("textmapper", "0101-9999999.9999999 sea", (1, 1), "no region"),
        ("textmapper", "0101 sea\n00.00.00-999999.00.00 road", (2, 1), "cells"),
        ("textmapper", "0101 sea\n00.00.00-9999999.00.00 road", (2, 1), "steps"),
        ("textmapper", "0101 sea\n0102 \0", (2, 1), "cannot be a terrain"),
    ],
)
def test_a_damaged_or_lying_file_is_one_problem_with_its_place(name, data, place, message) -> None:
    result = read_checked(format_named(name), data.encode(), "a")
    (problem,) = result.problems
    assert message in problem.message
    assert (problem.path, problem.line, problem.column) == ("a", *place)


def test_a_damaged_board_behind_more_blank_lines_than_are_looked_at_is_refused_in_words() -> None:
    with pytest.raises(ProblemError, match="none of the files"):
        format_for(b"\n" * 50 + b"size 3 3\n", "a.map")


def test_text_in_another_encoding_is_refused_at_its_line() -> None:
    (problem,) = read_checked(format_named("wesnoth"), b"Gg, Gg\nGg, \xff").problems
    assert (problem.line, problem.message) == (2, "this is no UTF-8 text")


@pytest.mark.parametrize(
    ("name", "data", "pictures"),
    [
        (
            "board",
            b'size 3 1\nhex 0101 0 "road:1" "snow"\nhex 0201 0 "swamp:1;woods:2" ""\n'
            b'hex 0301 0 "water:0" ""\n',
            ["Snow", "Woods", "Shallows"],
        ),
        (
            "wesnoth",
            b"Gs^Fp, Hhd, Ms\nMv, Qxu, Kud\n",
            ["Conifers", "Hills", "High mountains", "Volcano", "Chasm", "Keep"],
        ),
        (
            "textmapper",
            b"0101 light-grey forest-hill\n0201 dark-green fir-forest\n",
            ["Woods", "Conifers"],
        ),
    ],
)
def test_codes_have_the_nearest_of_our_pictures(name, data, pictures) -> None:
    battlemap = opened(name, data)
    shown = battlemap.values("terrain").flat[battlemap.grid.cells]
    assert [battlemap.terrain_set.terrains[at].picture for at in shown] == pictures


@pytest.mark.parametrize(("name", "code"), [("wesnoth", b"Gs"), ("board", b'hex 0101 0 ""')])
def test_a_terrain_that_resembles_nothing_is_written_as_plains(name, code) -> None:
    terrain_set = TerrainSet("odd", (Terrain("Xyzzy", "#808080"),))
    battlemap = free_map(FLAT, 2, 2, terrain_set=terrain_set)
    written = write_checked(format_named(name), battlemap)
    assert code in written
    assert b"Re^B" not in written


@pytest.mark.parametrize(
    ("code", "name", "picture", "ground"),
    [
        ("Gg", "Green grass", "Grassland", ""),
        ("Gs^Fp", "Pine forest, semi-dry grass", "Conifers", "Grassland"),
        ("Ss^Vhs", "Swamp village, swamp", "Stilt houses", "Swamp"),
        ("Ww^Bw/", "Wooden bridge north-east, shallow water", "Wooden bridge north-east", "Lake"),
        ("Qxu^Bs/", "Cave bridge north-east, chasm", "Stone bridge north-east", "Chasm"),
        ("Re^Br|", "Mine rail north, dirt road", "Rails north", "Dirt"),
        ("Uu^Tf", "Mushrooms, cave floor", "Mushrooms", "Cave floor"),
        ("Rb^Gvs", "Farmland, dark dirt", "Farmland", ""),
        ("Gg^Kov", "Elven keep, green grass", "Keep", ""),
        ("Re", "Dirt road", "Dirt", ""),
        ("_off^_usr", "Off the map", "", ""),
        ("Ggx^Fpx", "Pine forest, green grass", "Conifers", "Grassland"),
    ],
)
def test_a_code_of_wesnoth_has_a_readable_name_and_stands_on_its_ground(
    code, name, picture, ground
) -> None:
    (terrain,) = opened("wesnoth", f"{code}, {code}\n".encode()).terrain_set.terrains
    assert (terrain.name, terrain.picture, terrain.ground) == (name, picture, ground)
    assert terrain.code == code
    assert terrain.water is code.startswith("Ww")


def test_two_codes_of_one_meaning_have_names_of_their_own() -> None:
    battlemap = opened("wesnoth", b"Gg, Gg, Ggx\nGg^Ef, Ggx^Ef, Ggx^Ef\n")
    names = [terrain.name for terrain in battlemap.terrain_set.terrains]
    assert len(set(names)) == 4
    assert "Green grass" in names
    assert "Green grass (Ggx)" in names
    assert written("wesnoth", battlemap) == "Gg, Gg, Ggx\nGg^Ef, Ggx^Ef, Ggx^Ef\n"


def test_every_picture_that_codes_of_wesnoth_name_is_one_of_ours() -> None:
    ours = {path.stem for path in Path("app/resources/terrain").glob("*.svg")}
    for code, _name, picture, colour, ground in table_rows("wesnoth_codes.tsv"):
        assert picture in ours | {""}, code
        assert ground in ours | {""}, code
        assert colour or code.startswith("^"), code


def test_players_do_not_get_the_file_in_which_a_secret_label_stands() -> None:
    battlemap = opened("textmapper", TEXTMAPPER)
    assert players_view(battlemap) is battlemap
    peak = next(
        visible_thing
        for visible_thing in battlemap.visible_things()
        if visible_thing.label == "Peak"
    )
    change(battlemap, change_things(battlemap, [replace(peak, state=State({SECRET: True}))]))
    shown = players_view(battlemap)
    assert shown.named_assets == {}
    assert b"Peak" not in write_project(shown)
    assert "Peak" not in written("textmapper", shown)


# --- what a project says of the file that its map was opened from ---


def map_of(name: str) -> BattleMap:
    """A map that was opened from a file of a format."""
    battlemap = read_checked(format_named(name), SAMPLES[name][0]).battlemap
    assert battlemap is not None
    return battlemap


def code_of(battlemap: BattleMap, cell: int) -> str:
    """The code of the terrain that a cell shows."""
    return battlemap.terrain_set.terrains[battlemap.values("terrain").flat[cell]].code


FOREIGN = [name for name in SAMPLES if format_named(name).writable]


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"files": [1]}, "its files are no object"),
        ({"files": None}, "its files are no object"),
        ({"files": {"a.tsx": 3}}, "a file has no asset"),
        ({"files": {"a.tsx": {"asset": ["x"]}}}, "a file has no asset"),
        ({"asset": 5}, "a file has no asset"),
        ({"asset": "0" * 64}, "the asset 000000000000 is not in the map"),
    ],
)
def test_a_forged_record_of_the_original_is_said_and_the_map_is_written_without_it(
    name, changes, reason
) -> None:
    battlemap = map_of(name)
    known = format_named(name)
    about = json.loads(battlemap.records[ORIGINAL].text)
    battlemap.records[ORIGINAL] = MapRecord(json.dumps({**about, **changes}), is_json=True)
    warnings = [each for each in known.check(battlemap) if each.severity is Severity.WARNING]
    assert [warning.code for warning in warnings] == [NOT_KEPT]
    assert reason in warnings[0].message
    del battlemap.records[ORIGINAL]
    anew = write_checked(known, battlemap)
    battlemap.records[ORIGINAL] = MapRecord(json.dumps({**about, **changes}), is_json=True)
    assert write_checked(known, battlemap) == anew


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize("other", [*FOREIGN, "none"])
def test_any_bytes_as_the_original_are_used_or_said(name, other) -> None:
    battlemap = map_of(name)
    known = format_named(name)
    data = SAMPLES[other][-1] if other in SAMPLES else b"\xff\0"
    about = json.loads(battlemap.records[ORIGINAL].text)
    battlemap.assets[asset_digest(data)] = data
    about |= {"asset": asset_digest(data), "content": 7}
    battlemap.records[ORIGINAL] = MapRecord(json.dumps(about), is_json=True)
    known.check(battlemap)
    files = write_files_checked(known, battlemap, "a")
    again = read_checked(known, files["a"], None, files).battlemap
    assert again is not None
    shown = {code_of(again, cell) for cell in again.grid.cells.tolist()}
    assert shown == {code_of(battlemap, cell) for cell in battlemap.grid.cells.tolist()}


def test_a_line_to_far_away_is_refused_before_it_is_walked() -> None:
    text = b"000.000 forest\n000.000-1000000.000 road\n"
    (problem,) = read_checked(format_named("textmapper"), text).problems
    assert "not 1000002 x 1" in problem.message
    assert problem.line == 2
