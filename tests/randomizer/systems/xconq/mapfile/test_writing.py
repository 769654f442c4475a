"""Saving maps: details, includes, the period beside or inside, what is kept and what is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.catalog.generators import generator_named
from randomizer.formats.checked import read_checked, write_files_checked
from randomizer.generator_run import run
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import OBLIQUE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError, Severity
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.put_roll import new_map
from randomizer.model.settings.setting import checked_settings
from randomizer.model.things.things import Thing, Things
from randomizer.roll_base import Base
from randomizer.systems.xconq.library import LIBRARY
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.mapfile.details import SaveDetails
from randomizer.systems.xconq.mapfile.map_section import characters_of
from randomizer.systems.xconq.mapfile.mapfile_format import XCONQ
from randomizer.systems.xconq.mapfile.reader import read_with
from randomizer.systems.xconq.mapfile.saved_sections import details_of
from randomizer.systems.xconq.mapfile.writer import write_mapfile
from randomizer.systems.xconq.period.packaged_periods import MODERN, packaged_text
from randomizer.systems.xconq.records import (
    HEADER,
    MAP,
    PERIOD,
    SIDES,
    Header,
    Side,
    Sides,
    as_record,
    header_of,
    map_facts_of,
    sides_of,
)
from randomizer.systems.xconq.system import SYSTEM

PERIOD_TEXT = """Xconq 0 -+---- Two kinds
Period 0
"Two kinds" period-name
"i" "walker" "walks" utype
"T" "ship" "sails" utype
"W" "water" "drunk" rtype
"." "sea" "blue" ttype
"+" "land" "green" ttype
1 u* speed [ 3 8 ] u* hp 6 W u* storage 9 i T capacity
end
"""

SCENARIO = """Xconq 1 --++++ A landing;
first line

last line
.
kinds.per
Map 5 5 30 0 0
5.
.++2.
..++1.
5.
5.
Globals 3 60 1 0 2 0
1 0 0 60 0
12
0 3 5 60 -1
2 2 -1
Sides 2 1 0
Red*Army
Blue
Units 3 1 0
T Hope 2,2 0
i * 2,2 0
i Nobody's*Friend 3,3 -1
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "kinds.per").write_text(PERIOD_TEXT)
    return tmp_path


def read(folder, text: str = SCENARIO, name: str = "a.scn") -> BattleMap:
    result = read_with(text.encode("latin-1"), str(folder / name))
    assert result.battlemap is not None, result.problems
    return result.battlemap


def text_of(battlemap: BattleMap, details: str | None = None) -> str:
    chosen = None if details is None else SaveDetails.parse(details)
    return write_mapfile(battlemap, "a", chosen).data.decode("latin-1")


def with_record(battlemap: BattleMap, **changes) -> BattleMap:
    copy = battlemap.snapshot()
    copy.records[HEADER] = as_record(replace(header_of(battlemap), **changes))
    return copy


def painted(battlemap: BattleMap) -> BattleMap:
    copy = battlemap.snapshot()
    copy.layers[0].planes["terrain"][0, 0] = 1
    return copy


# --- details ------------------------------------------------------------------------------------


@given(st.permutations(["v", "p", "m", "g", "s2", "u9"]), st.integers(0, 6))
def test_a_save_string_means_the_same_in_any_order(pieces, number):
    chosen = pieces[:number]
    details = SaveDetails.parse("".join(chosen))
    assert set(details.sections) == {piece[0] for piece in chosen}
    assert SaveDetails.parse(details.text()) == details


def test_the_digit_after_the_first_letter_counts():
    assert SaveDetails.parse("us2u3") == SaveDetails({"s": 2, "u": 1})


@pytest.mark.parametrize("text", ["x", "m1", "s0", "u5", "1", "ms1u1 "])
def test_another_save_string_is_refused(text):
    with pytest.raises(ValueError):
        SaveDetails.parse(text)


# --- written back -------------------------------------------------------------------------------


def test_a_file_is_written_back_as_it_was(folder):
    assert text_of(read(folder)) == SCENARIO


def test_units_off_the_map_stay_so_and_neither_carry_nor_crowd(folder):
    dead = SCENARIO.replace("i * 2,2 0\ni Nobody's*Friend 3,3 -1", "T * -1,-1 0\ni * -1,-1 -1")
    battlemap = read(folder, dead)
    assert [
        visible_thing.state.get("transport") for visible_thing in battlemap.visible_things()
    ] == [None] * 3
    assert text_of(battlemap) == dead
    found = {problem.code for problem in SYSTEM.check(battlemap, battlemap.composite())}
    assert not found & {"advice-edge-unit", "advice-stack", "advice-capacity"}


def test_terrain_that_an_assumed_period_lacks_is_not_substituted(tmp_path):
    text = "Xconq 0 --+--- Of a period unknown\nMap 5 3 0 1 0\n5.\n.((2.\n5.\n"
    result = read_with(text.encode(), str(tmp_path / "a.map"))
    assert [problem.code for problem in result.problems] == ["unknown-terrain"]
    assert result.battlemap is not None
    assert text_of(result.battlemap) == text


def test_higher_details_hold_what_a_new_unit_has(folder):
    battlemap = read(folder)
    text = text_of(battlemap, "mgs2u3")
    assert "T Hope 2,2 0\n0 0 0  8  0 0 0  18247 0 0  -1  6 \n0  0  1 0 31  0\n" in text
    assert "Red*Army\n0  0 0  1 1 \n" in text
    assert text_of(read(folder, text)) == text


def test_a_carried_unit_names_its_transport_and_comes_after_it(folder):
    battlemap = read(folder)
    things = battlemap.layers[0].things
    ship, walker, other = things.values()
    x, y = battlemap.grid.centre(battlemap.grid.cell(2, 2))
    carried = Thing(9, "ship", x, y, owner=1)
    walker = replace(walker, state={"transport": 9, "hp": 1, "supply water": 2})
    battlemap.layers[0].things = Things([ship, walker, other, carried])
    text = text_of(battlemap, "mu2")
    assert text.endswith(
        "T * 2,2 0\n1 0 0  8  0 0 0  18247 0 0  -1  6 \n"
        "i * 2,2 0\n2 0 0  1  0 0 0  18247 0 0  1  2 \n"
        "i Nobody's*Friend 3,3 -1\n3 0 -1  3  0 0 0  18247 0 0  -1  6 \n"
    )
    back = read(folder, text.replace("--+--+", "--+--+"))
    linked = [thing for thing in back.layers[0].things.values() if "transport" in thing.state]
    assert [(thing.kind, thing.state["hp"], thing.state["supply water"]) for thing in linked] == [
        ("walker", 1, 2)
    ]
    assert back.layers[0].things[linked[0].state["transport"]].kind == "ship"


def test_a_unit_off_the_map_keeps_its_place_until_it_is_moved(folder):
    text = SCENARIO.replace("i Nobody's*Friend 3,3 -1", "i Nobody's*Friend 99,-4 -1")
    battlemap = read(folder, text)
    assert text_of(battlemap) == text
    lost = battlemap.layers[0].things[3]
    x, y = battlemap.grid.centre(battlemap.grid.cell(1, 1))
    battlemap.layers[0].things = Things([replace(lost, x=x, y=y)])
    assert "i Nobody's*Friend 1,1 -1\n" in text_of(battlemap)


def test_what_comes_with_an_included_file_is_written_only_when_it_changed(folder):
    (folder / "land.map").write_text("Xconq 0 --+--- land\nMap 5 3 0 1 0\n5.\n5+\n5.\n")
    text = "Xconq 2 -----+ units\nland.map\nkinds.per\nUnits 1 1 0\ni * 1,1 -1\n"
    battlemap = read(folder, text)
    assert text_of(battlemap) == text
    assert [each.code for each in XCONQ.check(battlemap)] == ["includes"]
    changed = text_of(painted(battlemap))
    assert changed.startswith("Xconq 2 --+--+ units\nland.map\nkinds.per\nMap 5 3 0 1 0\n5.\n5+\n")
    kept = with_record(painted(battlemap), details="u1")
    assert text_of(kept) == text
    assert [each.code for each in XCONQ.check(kept)] == ["section-lost", "includes"]


def test_scale_seen_notes_and_version_are_kept(folder):
    text = SCENARIO.replace("Xconq 1 --++++", "Xconq 1 +-++++").replace(
        "kinds.per\n", "kinds.per\n5.1 alpha\n"
    )
    battlemap = read(folder, text)
    facts = map_facts_of(battlemap)
    assert (facts.scale, facts.seen) == (30, 0)
    assert header_of(battlemap).notes == ("first line", "", "last line")
    assert text_of(battlemap) == text


# --- the period ---------------------------------------------------------------------------------


def test_a_changed_period_is_written_beside_under_its_name(folder):
    battlemap = read(folder)
    changed = PERIOD_TEXT.replace("Two kinds", "Three kinds")
    battlemap.records[PERIOD] = MapRecord(changed)
    files = write_files_checked(XCONQ, battlemap, "b.scn")
    assert files["kinds.per"].decode() == changed
    assert files["b.scn"].decode() == SCENARIO
    assert [each.code for each in XCONQ.check(battlemap)] == ["period-beside"]


def test_a_period_beside_goes_along_to_another_folder(folder):
    files = write_files_checked(XCONQ, read(folder), "b.scn")
    assert files == {"b.scn": SCENARIO.encode(), "kinds.per": PERIOD_TEXT.encode()}


def test_a_period_that_is_a_part_of_a_file_is_not_written_over_it(folder):
    section = PERIOD_TEXT.split("\n", 1)[1]
    both = f"Xconq 0 -++--- both\n{section}Map 5 3 0 1 0\n5.\n5+\n5.\n"
    (folder / "both.map").write_text(both)
    text = "Xconq 1 -----+ units\nboth.map\nUnits 1 1 0\ni * 1,1 -1\n"
    battlemap = read(folder, text)
    assert write_mapfile(battlemap, "a") == (text.encode(), {})
    battlemap.records[PERIOD] = MapRecord(battlemap.records[PERIOD].text + "; more\n")
    written = write_mapfile(battlemap, "a")
    assert written.data.startswith(b"Xconq 2 -----+ units\nboth.map\na.per\nUnits")
    assert set(written.companions) == {"a.per"}
    inside = text_of(battlemap, "pu1")
    assert inside.startswith("Xconq 1 -+---+ units\nboth.map\nPeriod 0\n")


def test_a_packaged_period_in_the_place_of_one_beside_has_its_own_name(folder):
    text = "Xconq 1 --+--- A map\nkinds.per\nMap 3 3 30 1 0\n3.\n3+\n3.\n"
    battlemap = read(folder, text)
    modern = read(folder, text.replace("1 --", "0 --").replace("kinds.per\n", ""))
    modern.records[HEADER] = battlemap.records[HEADER]
    modern.records[PERIOD] = MapRecord(packaged_text(MODERN))
    written = write_mapfile(modern, "a")
    assert written.data.startswith(b"Xconq 1 --+--- A map\nmodern.per\nMap")
    assert set(written.companions) == {"modern.per"}


def test_a_changed_period_of_the_library_gets_a_name_of_its_own(folder):
    battlemap = with_record(read(folder), period_place="library")
    battlemap.records[PERIOD] = MapRecord(PERIOD_TEXT + "; more\n")
    written = write_mapfile(battlemap, "b")
    assert b"\n.\nb.per\nMap" in written.data
    assert set(written.companions) == {"b.per"}


def changed_rome(folder) -> BattleMap:
    """A scenario of ``rome.per``, a name of Xconq's own library, whose speed is another one."""
    (folder / "rome.per").write_text(PERIOD_TEXT)
    battlemap = read(folder, SCENARIO.replace("kinds", "rome"))
    battlemap.records[PERIOD] = MapRecord(PERIOD_TEXT.replace("1 u* speed", "7 u* speed"))
    return battlemap


def test_a_changed_period_is_not_saved_under_a_name_that_xconq_takes_from_its_library(folder):
    battlemap = changed_rome(folder)
    files = write_files_checked(XCONQ, battlemap, "a.scn")
    assert set(files) == {"a.scn", "rome-2.per"}
    assert b"\n.\nrome-2.per\nMap" in files["a.scn"]
    (said,) = XCONQ.check(battlemap)
    assert (said.code, said.message) == (
        "period-beside",
        "The period is written to rome-2.per beside the map, which includes it: "
        "Xconq takes rome.per from its library",
    )
    for name, data in files.items():
        (folder / name).write_bytes(data)
    again = read(folder, files["a.scn"].decode())
    assert header_of(again).period_file == "rome-2.per"
    assert "7 u* speed" in again.records[PERIOD].text
    again.records[PERIOD] = MapRecord(again.records[PERIOD].text + "; more\n")
    assert set(write_mapfile(again).companions) == {"rome-2.per"}, "it is no longer in the way"


def test_the_library_that_is_known_says_which_names_it_has(folder):
    battlemap = changed_rome(folder)
    library = folder / "library"
    library.mkdir()
    LIBRARY.use_folder_of(lambda: library)
    try:
        assert set(write_mapfile(battlemap).companions) == {"rome.per"}
        (library / "rome.per").write_text(battlemap.records[PERIOD].text)
        assert set(write_mapfile(battlemap).companions) == {"rome.per"}, "the same"
        (library / "rome.per").write_text(PERIOD_TEXT)
        (library / "rome-2.per").write_text(PERIOD_TEXT * 2)
        assert set(write_mapfile(battlemap).companions) == {"rome-3.per"}
    finally:
        LIBRARY.use_folder_of(None)


def test_a_period_that_uses_names_of_an_included_one_is_warned_of(folder):
    """Xconq 5.5 stops at ``standard2.per``, which does."""
    (folder / "kinds.per").write_text(PERIOD_TEXT.replace("1 u*", '1 "one" define one u*'))
    (folder / "more.per").write_text("Xconq 1 -+---- More\nkinds.per\nPeriod 1\none i speed\nend\n")
    assert "period-stops" not in {each.code for each in XCONQ.check(read(folder))}
    battlemap = read(folder, SCENARIO.replace("kinds", "more"))
    (stops,) = (each for each in XCONQ.check(battlemap) if each.code == "period-stops")
    assert stops.severity is Severity.WARNING
    assert stops.message.startswith("Xconq 5.5 stops at line 4 of more.per. “one” is a name of the")


def test_a_period_inside_is_read_and_written_where_it_is(folder):
    section = PERIOD_TEXT.split("\n", 1)[1]
    text = f"Xconq 0 -++--- both\n{section}Map 5 3 0 1 0\n5.\n5+\n5.\n"
    battlemap = read(folder, text)
    assert period_of(battlemap).name == "Two kinds"
    assert write_mapfile(battlemap) == (text.encode(), {})
    battlemap.records[PERIOD] = MapRecord(
        battlemap.records[PERIOD].text.replace("Two kinds", "Others")
    )
    assert text_of(battlemap) == text.replace("Two kinds", "Others")


def test_the_period_can_be_put_inside(folder):
    text = text_of(read(folder), "pmgs1u1")
    assert text.startswith("Xconq 0 -+++++ A landing;\n")
    alone = folder / "alone"
    alone.mkdir()
    back = read(alone, text)
    assert period_of(back).name == "Two kinds"
    assert [thing.kind for thing in back.layers[0].things.values()] == ["ship", "walker", "walker"]


def test_provisional_types_are_written_as_they_were(tmp_path):
    battlemap = read(tmp_path)
    assert [terrain.name for terrain in battlemap.terrain_set.terrains] == [
        "terrain .",
        "terrain +",
    ]
    assert write_mapfile(battlemap) == (SCENARIO.encode(), {})


def test_a_rolled_world_is_saved_with_its_period_beside(tmp_path):
    generator = generator_named("modern")
    empty = BattleMap.new(SYSTEM, Grid(OBLIQUE, 60, 30, wrap=True))
    shown = empty.composite()
    base = Base(SYSTEM, empty.grid, shown, shown, empty.locked_cells, empty.locked_sides)
    made = run(generator, checked_settings(generator.settings, {}), DrawKey(5, 0), base)
    battlemap = new_map(SYSTEM, base.grid, base.terrain_set, made)
    assert details_of(battlemap).text() == "ms1u1"
    files = write_files_checked(XCONQ, battlemap, "world.map")
    assert set(files) == {"world.map", "modern.per"}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    result = read_checked(XCONQ, files["world.map"], str(tmp_path / "world.map"))
    assert not result.problems
    back = result.battlemap
    assert (characters_of(back) == characters_of(battlemap)).all()
    assert sides_of(back).sides == sides_of(battlemap).sides
    placed = [
        [
            (
                visible_thing.kind,
                visible_thing.label,
                visible_thing.owner,
                visible_thing.x,
                visible_thing.y,
            )
            for visible_thing in one.visible_things()
        ]
        for one in (battlemap, back)
    ]
    assert sorted(placed[0]) == sorted(placed[1])


def test_a_new_map_without_units_is_its_terrain():
    battlemap = BattleMap.new(SYSTEM, Grid(OBLIQUE, 9, 9, wrap=True), [Layer(1, "Ground")])
    assert details_of(battlemap).text() == "m"
    text = write_mapfile(battlemap, "new").data.decode()
    assert text == "Xconq 1 --+--- \nnew.per\nMap 9 9 100 1 0\n" + "9.\n" * 9


def test_a_period_that_was_given_is_written_beside(tmp_path):
    result = read_with(
        SCENARIO.encode(), str(tmp_path / "a.scn"), {"kinds.per": PERIOD_TEXT.encode()}
    )
    files = write_files_checked(XCONQ, result.battlemap, "a.scn")
    assert files == {"a.scn": SCENARIO.encode(), "kinds.per": PERIOD_TEXT.encode()}


def test_a_view_of_a_map_of_another_size_is_written_as_not_seen(folder):
    battlemap = read(folder)
    seen = Side("Ann", 0, (0,), (1, 1), (".3", ".3"))
    battlemap.records[SIDES] = as_record(Sides((seen,), 3))
    battlemap.records[HEADER] = as_record(replace(header_of(battlemap), details="ms3"))
    assert "Ann\n0  0  1 1 \n?5\n?5\n?5\n?5\n?5\n" in text_of(battlemap)
    assert "views-lost" in {each.code for each in XCONQ.check(battlemap)}


def test_more_notes_than_the_real_program_has_room_for_are_warned_of(folder):
    battlemap = with_record(read(folder), notes=("a",) * 39)
    assert "notes-long" in {each.code for each in XCONQ.check(battlemap)}


# --- what no file can hold ----------------------------------------------------------------------


def test_terrain_and_units_that_the_period_lacks_are_refused(folder):
    battlemap = read(folder)
    battlemap.records[PERIOD] = MapRecord(PERIOD_TEXT.replace('"land"', '"plain"'))
    with pytest.raises(ProblemError, match="land"):
        write_mapfile(battlemap)
    battlemap = read(folder)
    battlemap.records[PERIOD] = MapRecord(PERIOD_TEXT.replace('"ship"', '"boat"'))
    with pytest.raises(ProblemError, match="ship"):
        write_mapfile(battlemap)
    assert [each.severity for each in XCONQ.check(battlemap)] == [Severity.ERROR]


def test_sides_with_letters_beyond_latin_1_are_warned_of(folder):
    battlemap = read(folder)
    battlemap.records[SIDES] = as_record(Sides((Side("Łódź"), Side("Blue"))))
    assert "?ód?" in text_of(battlemap)
    assert "not-latin-1" in {each.code for each in XCONQ.check(battlemap)}


def test_damaged_records_are_as_if_they_were_not_there(folder):
    battlemap = read(folder)
    battlemap.records[MAP] = MapRecord("[]", is_json=True)
    battlemap.records[HEADER] = MapRecord('{"details": "xyz"}', is_json=True)
    with pytest.raises(ProblemError, match="xyz"):
        write_mapfile(battlemap)
    battlemap.records[HEADER] = as_record(Header("new"))
    assert "Map 5 5 100 1 0" in text_of(battlemap)


@pytest.mark.parametrize("name", ["new.per", "New.PER"])
def test_a_map_is_not_saved_under_the_name_of_its_period(name):
    battlemap = BattleMap.new(SYSTEM, Grid(OBLIQUE, 9, 9, wrap=True), [Layer(1, "Ground")])
    battlemap.records[PERIOD] = MapRecord(PERIOD_TEXT)
    with pytest.raises(ProblemError) as refused:
        XCONQ.write_files(battlemap, name)
    assert [problem.code for problem in refused.value.problems] == ["name-of-period"]
