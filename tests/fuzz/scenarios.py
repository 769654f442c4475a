"""The harness of 0 A.D.'s scenarios: a terrain, and the XML that follows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from randomizer.formats import read_checked, write_files_checked
from randomizer.model.problems import ProblemError
from randomizer.model.things.things import Things
from randomizer.systems.interchange.formats import PMP
from tests.fuzz.harness import Harness, check_problems, check_read_map, expect, refused
from tests.fuzz.mutators import mutate_bytes, xml_mutator
from tests.randomizer.systems.interchange.scenario_files import FLAT_SCENARIO, SCENARIO, terrain


def run_scenario(data: bytes) -> object:
    """A terrain of 0 A.D. and the XML beside it: either is opened, unchanged and changed."""
    terrain, scenario = _both(data)
    main, other = (terrain, scenario) if terrain else (scenario, b"")
    PMP.recognises(main)
    result = read_checked(PMP, main, None, {"a.xml": other} if other else {})
    battlemap = result.battlemap
    if battlemap is None:
        return refused(result.problems)
    codes = check_problems(result.problems)
    check_read_map(battlemap)
    own = "a.pmp" if main.startswith(b"PSMP") else "a.xml"
    files = PMP.write_files(battlemap, own)
    expect(files[own] == main, "an unchanged terrain is written as another file")
    expect(not other or files["a.xml"] == other, "an unchanged scenario is written as another file")
    layer = battlemap.layers[0]
    layer.planes["height"].flat[3] += 1
    layer.things = Things(
        replace(thing, x=thing.x + at) for at, thing in enumerate(layer.things.values())
    )
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
    """A change of the terrain, of the XML behind it, or of both."""
    terrain, scenario = _both(data)
    if draw.random() < 0.4:
        terrain = mutate_bytes(terrain, draw, [_both(each)[0] for each in others])
    return terrain + (_SCENARIO(scenario, draw, ()) if draw.random() < 0.7 else scenario)


def _both(data: bytes) -> tuple[bytes, bytes]:
    """The terrain and the XML behind it."""
    at = data.find(b"<?xml") if data.startswith(b"PSMP") else 0
    return (data, b"") if at < 0 else (data[:at], data[at:])


_SCENARIO = xml_mutator(
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
        120,
    ),
)
