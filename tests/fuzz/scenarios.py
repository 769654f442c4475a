"""The harness of 0 A.D.'s scenarios: a terrain, and the XML that follows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from randomizer.formats.checked import read_checked, write_files_checked
from randomizer.model.problems import ProblemError
from randomizer.model.things.things import Things
from randomizer.systems.interchange.formats import PMP
from tests.fuzz.harness import Harness, check_problems, check_read_map, expect, refused
from tests.fuzz.mutators import mutate_bytes, xml_mutator
from tests.randomizer.systems.interchange.scenario_files import FLAT_SCENARIO, SCENARIO, terrain


def run_scenario(data: bytes) -> object:
    """Open a terrain of 0 A.D. with the XML beside it, or either alone; write it unchanged, then
    changed.
    """
    terrain, scenario = _split(data)
    if terrain:
        main_file = terrain
        file_beside = scenario
    else:
        main_file = scenario
        file_beside = b""
    files_beside = {}
    if file_beside:
        files_beside["a.xml"] = file_beside
    PMP.recognises(main_file)
    result = read_checked(PMP, main_file, None, files_beside)
    battlemap = result.battlemap
    if battlemap is None:
        return refused(result.problems)
    codes = check_problems(result.problems)
    check_read_map(battlemap)

    # Unchanged.
    name = "a.xml"
    if main_file.startswith(b"PSMP"):
        name = "a.pmp"
    files = PMP.write_files(battlemap, name)
    expect(files[name] == main_file, "an unchanged terrain is written as another file")
    if file_beside:
        message = "an unchanged scenario is written as another file"
        expect(files["a.xml"] == file_beside, message)

    # With another height, and all things moved.
    layer = battlemap.layers[0]
    layer.planes["height"].flat[3] += 1
    moved_things = []
    for number, thing in enumerate(layer.things.values()):
        moved_things.append(replace(thing, x=thing.x + number))
    layer.things = Things(moved_things)
    try:
        files = write_files_checked(PMP, battlemap, "b.pmp")
    except ProblemError as failed:
        return refused(failed.problems)
    again = read_checked(PMP, files["b.xml"], None, files).battlemap
    expect(again is not None, "what was changed is not read")
    assert again is not None
    expect(again.composite().same_as(battlemap.composite()), "a change of the terrain is lost")
    expect(len(again.layers[0].things) == len(layer.things), "an entity is lost")
    expect(PMP.write_files(again, "b.pmp") == files, "unchanged it is written as another file")
    return codes


def mutate_scenario(data: bytes, draw: Random, others: Sequence[bytes]) -> bytes:
    """Return data with a change of the terrain, of the XML behind it, or of both."""
    terrain, scenario = _split(data)
    if draw.random() < 0.4:
        other_terrains = [_split(other)[0] for other in others]
        terrain = mutate_bytes(terrain, draw, other_terrains)
    if draw.random() < 0.7:
        scenario = _mutate_xml(scenario, draw, ())
    return terrain + scenario


def _split(data: bytes) -> tuple[bytes, bytes]:
    """Return the terrain and the XML behind it; either can be empty."""
    if not data.startswith(b"PSMP"):
        return b"", data
    xml_start = data.find(b"<?xml")
    if xml_start < 0:
        return data, b""
    return data[:xml_start], data[xml_start:]


_mutate_xml = xml_mutator(
    *("Entity", "uid", "12", "Template", "Player", "Position", "x", "z", "Orientation", "y"),
    *("angle", "r", "Height", "ScriptSettings", "PlayerData", "Terrain", "patches", "1e999"),
)

HARNESSES = (
    Harness(
        "scenario",
        run_scenario,
        lambda: [terrain() + SCENARIO, terrain(), FLAT_SCENARIO],
        mutate_scenario,
        ("randomizer.systems.interchange.formats:PMP",),
        tries=120,
    ),
)
