"""A map that is saved differs from its file where it was changed, and nowhere else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.catalog.map_formats import format_named
from randomizer.formats.checked import read_checked, write_files_checked
from randomizer.formats.format import Format
from randomizer.model.edits.value_edits import set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.records.map_records import ORIGINAL, MapRecord
from tests.daily import deep_but
from tests.randomizer.systems.interchange.odd_files import ODD_FILES, XML_PIECES, odd_tmx

SHARED = next(
    (
        folder / "shared"
        for folder in Path(__file__).resolve().parents[4:7]
        if (folder / "shared" / "corpus").is_dir()
    ),
    None,
)
PATTERNS = (
    "corpus/interchange/tmx/**/*.tmx",
    "corpus/interchange/tmj/*/map.json",
    "corpus/interchange/board/*.board",
    "corpus/interchange/wesnoth/*.map",
    "corpus/interchange/textmapper/*.txt",
    "cases/*.tmx",
    "cases/*.json",
)
FILES = [
    pytest.param(file, id=f"{file.parent.name}/{file.name}")
    for pattern in PATTERNS
    for file in sorted(SHARED.glob(pattern) if SHARED else ())
] or [pytest.param(Path(), marks=pytest.mark.skip("the corpus is not there"))]

FOREIGN = ("tmx", "tmj", "board", "wesnoth", "textmapper")


NO_BRUSH = re.compile("empty|(.*;)?(road|bridge):")
"""What depends on more than a cell: no tile over another one, roads and bridges without a way."""


def opened(data: bytes, path: Path | None = None) -> tuple[Format | None, BattleMap | None]:
    formats = [format_named(name) for name in FOREIGN]
    map_format = next((each for each in formats if each.recognises(data)), None)
    if map_format is None:
        return None, None
    result = read_checked(map_format, data, str(path) if path else None)
    return map_format, result.battlemap


def opened_odd(name: str) -> tuple[bytes, Format, BattleMap]:
    data = ODD_FILES[name]
    map_format, battlemap = opened(data)
    assert battlemap is not None
    return data, map_format, battlemap


def saved(map_format: Format, battlemap: BattleMap) -> bytes:
    return write_files_checked(map_format, battlemap, "saved")["saved"]


def forget_content(battlemap: BattleMap) -> None:
    """Have a map written anew although it is as it was read."""
    about = json.loads(battlemap.records[ORIGINAL].text)
    battlemap.records[ORIGINAL] = MapRecord(json.dumps({**about, "content": ""}), is_json=True)


def painted_cells(battlemap: BattleMap) -> list[tuple[int, int]]:
    """The layers, by index, and cells that have a terrain."""
    grid = battlemap.grid
    unset = battlemap.system.terrain.unset
    return [
        (number, cell)
        for number, layer in enumerate(battlemap.layers)
        if "terrain" in layer.planes
        for cell in grid.cells.tolist()
        if layer.planes["terrain"].flat[cell] != unset
    ]


def paint(battlemap: BattleMap, layer: int, cell: int, terrain: int) -> None:
    edit = set_values(battlemap, battlemap.layers[layer].id, "terrain", [cell], terrain)
    if edit is not None:
        edit.apply(battlemap)


def differing_lines(one: bytes, other: bytes) -> int:
    encoding = "utf-16" if one.startswith(b"\xff\xfe") else "latin-1"
    lines = one.decode(encoding).splitlines(keepends=True)
    other_lines = other.decode(encoding).splitlines(keepends=True)
    assert len(lines) == len(other_lines), other
    return sum(line != changed for line, changed in zip(lines, other_lines, strict=True))


@pytest.mark.parametrize("name", ODD_FILES)
def test_what_is_written_anew_without_a_change_is_the_file(name: str) -> None:
    data, map_format, battlemap = opened_odd(name)
    forget_content(battlemap)
    assert saved(map_format, battlemap) == data


@pytest.mark.parametrize("name", ODD_FILES)
def test_one_changed_cell_changes_one_line(name: str) -> None:
    for index in range(len(painted_cells(opened_odd(name)[2]))):
        data, map_format, battlemap = opened_odd(name)
        layer, cell = painted_cells(battlemap)[index]
        former = int(battlemap.layers[layer].planes["terrain"].flat[cell])
        present = np.unique(battlemap.layers[layer].planes["terrain"]).tolist()
        others = [value for value in present if value not in (former, 0xFFFF)]
        if not others:
            continue
        paint(battlemap, layer, cell, others[0])
        assert differing_lines(data, saved(map_format, battlemap)) == 1


@pytest.mark.parametrize("name", deep_but(ODD_FILES, "tmx in UTF-16", "tmj", "textmapper", "board"))
@given(st.data())
def test_whatever_cells_change_the_same_map_is_read_again(name: str, draws: st.DataObject) -> None:
    data, map_format, battlemap = opened_odd(name)
    codes = [terrain.code for terrain in battlemap.terrain_set.terrains]
    brushes = [at for at, code in enumerate(codes) if code and not NO_BRUSH.match(code)]
    terrains = st.sampled_from(brushes)
    painted = [
        (layer, cell)
        for layer, cell in painted_cells(battlemap)
        if battlemap.layers[layer].planes["terrain"].flat[cell] in brushes
    ]
    cells = st.sampled_from(painted)
    changes = draws.draw(st.lists(st.tuples(cells, terrains), max_size=6))
    for (layer, cell), terrain in changes:
        paint(battlemap, layer, cell, terrain)
    after = saved(map_format, battlemap)
    assert codes_of(opened(after)[1]) == codes_of(battlemap)
    if len(after.splitlines()) == len(data.splitlines()):
        assert differing_lines(data, after) <= len(changes)


def test_a_board_that_ends_early_gets_its_last_hexes_once_one_is_not_clear() -> None:
    data = ODD_FILES["board"].replace(b'hex 0302 0 ""  "snow"\n', b"")
    map_format, battlemap = opened(data)
    assert map_format is not None
    assert battlemap is not None
    forget_content(battlemap)
    assert saved(map_format, battlemap) == data
    paint(battlemap, 0, 0, 0)
    assert differing_lines(data, saved(map_format, battlemap)) == 1
    codes = [terrain.code for terrain in battlemap.terrain_set.terrains]
    paint(battlemap, 0, 5, codes.index("fluff:10:36"))
    lines = saved(map_format, battlemap).decode().splitlines()
    assert lines[-3:] == ['hex 0302 0 "fluff:10:36" ""', "end", "what MegaMek does not read"]


def test_a_text_map_with_much_prose_is_read_again_when_a_hex_of_several_lines_changes() -> None:
    data = b"0101 forest\n0101 hills\n0102 sea\n a text\n another one\n"
    map_format = format_named("textmapper")
    battlemap = read_checked(map_format, data).battlemap
    assert battlemap is not None
    codes = [terrain.code for terrain in battlemap.terrain_set.terrains]
    paint(battlemap, 0, painted_cells(battlemap)[0][1], codes.index("sea"))
    after = saved(map_format, battlemap)
    assert after == b"0101 sea\n0102 sea\n#  a text\n#  another one\n"
    messages = [problem.message for problem in map_format.check(battlemap)]
    assert messages == ["2 lines of other text: written as comments, so that the map is one"]


def test_types_in_capitals_are_defined_where_they_would_be_read_as_sentences() -> None:
    map_format = format_named("textmapper")
    battlemap = read_checked(map_format, b"0101 The\n0101 cave\n0303 green\n").battlemap
    assert battlemap is not None
    del battlemap.records[ORIGINAL]
    after = saved(map_format, battlemap).decode()
    assert re.search('^The attributes fill="#[0-9a-f]{6}"\n', after)
    assert codes_of(read_checked(map_format, after.encode()).battlemap) == codes_of(battlemap)


def test_a_map_in_a_note_is_its_first_block_and_new_hexes_go_into_it() -> None:
    data, map_format, battlemap = opened_odd("textmapper in a note")
    codes = [terrain.code for terrain in battlemap.terrain_set.terrains]
    blank = next(
        cell
        for cell in battlemap.grid.cells.tolist()
        if battlemap.layers[0].planes["terrain"].flat[cell] == 0xFFFF
    )
    paint(battlemap, 0, blank, codes.index("forest"))
    after = saved(map_format, battlemap).decode().splitlines()
    former = data.decode().splitlines()
    new = [line for line in after if line not in former]
    assert len(new) == 1
    assert new[0].endswith(" forest")
    assert after[after.index(new[0]) - 1] == "0202 hills"
    assert after[after.index(new[0]) + 1] == "~~~"


def test_with_swapped_columns_odd_ones_are_pushed_down() -> None:
    shown = {}
    for option in ("", "option swap-even-odd\n"):
        data = f"{option}0101 forest\n0202 hills\n".encode()
        battlemap = read_checked(format_named("textmapper"), data).battlemap
        assert battlemap is not None
        grid = battlemap.grid
        forest, hills = (grid.centre(cell) for _layer, cell in painted_cells(battlemap))
        shown[option] = hills[1] - forest[1]
    # In steps of rows: one and a half lower where even columns are pushed down, half a one else.
    assert shown[""] == pytest.approx(3 * shown["option swap-even-odd\n"])


def codes_of(battlemap: BattleMap | None) -> list[str]:
    """What each cell of each layer has, by its code."""
    assert battlemap is not None
    codes = [terrain.code or terrain.name for terrain in battlemap.terrain_set.terrains]
    planes = [layer.planes["terrain"] for layer in battlemap.layers if "terrain" in layer.planes]
    return [codes[value] if value != 0xFFFF else "" for plane in planes for value in plane.ravel()]


@given(st.lists(st.sampled_from(XML_PIECES), max_size=8), st.randoms(use_true_random=False))
def test_whatever_stands_in_a_map_of_tiled_stays(pieces: list[str], order: object) -> None:
    data = odd_tmx(pieces, order)
    map_format, battlemap = opened(data)
    assert battlemap is not None
    forget_content(battlemap)
    assert saved(map_format, battlemap) == data
    layer, cell = painted_cells(battlemap)[0]
    former = int(battlemap.layers[layer].planes["terrain"].flat[cell])
    paint(battlemap, layer, cell, 0 if former else 1)
    assert differing_lines(data, saved(map_format, battlemap)) == 1


@pytest.mark.parametrize("file", FILES)
def test_a_real_file_differs_where_it_was_changed(file: Path) -> None:
    data = file.read_bytes()
    map_format, battlemap = opened(data, file)
    if battlemap is None:
        pytest.skip("this is no map that opens")
    forget_content(battlemap)
    assert saved(map_format, battlemap) == data
    for layer, cell in painted_cells(battlemap)[::7]:
        plane = battlemap.layers[layer].planes["terrain"]
        others = [
            code for code in np.unique(plane).tolist() if code not in (plane.flat[cell], 0xFFFF)
        ]
        if others:
            paint(battlemap, layer, cell, others[-1])
            assert differing_lines(data, saved(map_format, battlemap)) == 1
            break
