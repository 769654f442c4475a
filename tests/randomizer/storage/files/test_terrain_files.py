"""Terrain sets as files: all of a set comes back, and what is wrong is found where it stands."""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import replace

import pytest
from hypothesis import given

from randomizer.model.problems import ProblemError
from randomizer.model.terrain.terrain import MAX_WAYS, Hexside, Terrain, TerrainSet, Way
from randomizer.storage.files.combined_terrains import merge_terrains, with_looks
from randomizer.storage.files.terrain_files import (
    OwnTerrains,
    read_terrains,
    write_terrains,
)
from tests.randomizer.own_terrains import PICTURES, PNG, own_terrains, png

GRASS = Terrain("Grass", "#80c060")
HEAD = '{"format": "battlelands-terrains", "version": 1, "name": "Moor",\n'


@given(own_terrains())
def test_a_set_and_its_pictures_come_back_from_a_file(own: OwnTerrains) -> None:
    data = write_terrains(*own)
    assert read_terrains(data) == own


def test_what_is_missing_is_not_written_nor_a_picture_that_is_lost() -> None:
    bog = replace(GRASS, name="Bog", asset="0f" * 32)
    gone = replace(GRASS, name="Gone", missing=True)
    data = write_terrains(TerrainSet("Moor", (bog, gone)))
    assert read_terrains(data).terrain_set == TerrainSet("Moor", (replace(bog, asset=""),))


def test_a_field_with_its_default_value_is_left_out() -> None:
    data = json.loads(write_terrains(TerrainSet("Moor", (GRASS,))))
    assert data["terrains"] == [{"name": "Grass", "colour": "#80c060"}]
    assert data.keys() == {"format", "version", "name", "terrains", "elevations"}


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "this file is empty"),
        ("[" * 100_000, 1, 1, "nested"),
        ('{"terrains": []}', 1, 1, "format"),
        ('{"format": "battlelands-terrains", "version": 2}', 1, 36, "the version of the file is 2"),
        (HEAD + '"terrains": []}', 2, 1, "1 to 16,000 terrains"),
        (HEAD + '"terrains": [],\n"roads": []}', 3, 1, "no “roads”"),
        (HEAD + '"terrains": {}}', 2, 1, "is a list"),
        (HEAD + '"terrains": [7]}', 2, 14, "terrain 1 should be an object"),
        (HEAD + '"terrains": [{"name": "Bog"}]}', 2, 14, "terrain 1 has no “colour”"),
        (
            HEAD + '"terrains": [\n{"name": "Bog", "colour": "#112233"},\n'
            '{"name": "Bog", "colour": "#112233"}]}',
            4,
            2,
            "two terrains have the same name, Bog",
        ),
        (
            HEAD + '"terrains": [\n{"name": "Bog", "colour": "#112233", "cost": "dear"}]}',
            3,
            38,
            "terrain 1: cost should be a number",
        ),
        (
            HEAD + '"terrains": [\n{"name": "Bog", "colour": "#112233", "smell": 1}]}',
            3,
            38,
            "'smell', which is not known",
        ),
        (
            HEAD
            + f'"terrains": [{{"name": "Bog", "colour": "#112233", "asset": "{"0f" * 32}"}}]}}',
            2,
            51,
            "its picture is not among the assets",
        ),
        (HEAD + f'"terrains": [], "assets": {{"{"0f" * 32}": "AAAA"}}}}', 2, 1, "1 to 16,000"),
    ],
)
def test_a_fault_is_located(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(ProblemError, match=message) as refused:
        read_terrains(text.encode(), "moor.terrains")
    problem = refused.value.problems[0]
    assert (problem.path, problem.line, problem.column) == ("moor.terrains", line, column)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (PNG[:-1] + b"?", None),
        (b"GIF89a", "no picture"),
        (png(60_000, 60_000), "pixels"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "no picture"),
        (b"\xff\xd8\xff\xe0\xff\xff", "no picture"),
        (PNG + bytes(16 * 2**20), "bytes"),
    ],
)
def test_a_picture_is_judged_by_its_header(data: bytes, message: str | None) -> None:
    from randomizer.model.records.assets import asset_digest

    digest = asset_digest(data)
    terrain = json.dumps({"name": "Bog", "colour": "#112233", "asset": digest})
    text = (
        f'{HEAD}"terrains": [{terrain}], "assets": {{"{digest}": "{b64encode(data).decode()}"}}}}'
    )
    if message is None:
        assert read_terrains(text.encode()).assets == {digest: data}
        return
    with pytest.raises(ProblemError, match=message):
        read_terrains(text.encode())


def test_a_picture_under_another_digest_is_refused() -> None:
    text = HEAD + '"terrains": [{"name": "Bog", "colour": "#112233"}],\n'
    text += f'"assets": {{"{"0f" * 32}": "AAAA"}}}}'
    with pytest.raises(ProblemError, match="not what was written") as refused:
        read_terrains(text.encode())
    assert refused.value.problems[0].line == 3


def test_two_sets_become_one_by_names() -> None:
    digest = next(iter(PICTURES))
    own = TerrainSet(
        "Mine",
        (GRASS, Terrain("Gone", "#000000", missing=True)),
        (Hexside("Wall", "w", "#101010"),),
        ways=(Way("Road", "road", "#202020"),),
    )
    more = TerrainSet(
        "Theirs",
        (
            replace(GRASS, colour="#000001"),
            Terrain("Gone", "#123456"),
            Terrain("Bog", "#654321", asset=digest),
        ),
        (Hexside("Weir", "w", "#303030"), Hexside("Wall", "x", "#404040")),
        (0, 5),
        (Way("Road", "track", "#505050"), Way("Rail", "rail", "#606060")),
    )
    result, assets = merge_terrains(OwnTerrains(own), OwnTerrains(more, PICTURES))
    assert [(terrain.name, terrain.colour, terrain.missing) for terrain in result.terrains] == [
        ("Grass", "#80c060", False),
        ("Gone", "#123456", False),
        ("Bog", "#654321", False),
    ]
    assert [(hexside.name, hexside.letter) for hexside in result.hexsides] == [
        ("Wall", "w"),
        ("Weir", "0"),
    ]
    assert [(way.name, way.style) for way in result.ways] == [("Road", "road"), ("Rail", "rail")]
    assert (result.name, result.elevations) == ("Mine", (0, 5))
    assert assets == {digest: PICTURES[digest]}


def test_more_ways_than_a_set_can_have_are_refused() -> None:
    ways = tuple(Way(f"Way {n}", "road", "#202020") for n in range(MAX_WAYS))
    own = OwnTerrains(TerrainSet("Mine", (GRASS,), ways=ways))
    more = OwnTerrains(TerrainSet("Theirs", (GRASS,), ways=(Way("Rail", "rail", "#606060"),)))
    with pytest.raises(ProblemError, match="0 to 8 ways"):
        merge_terrains(own, more)


def test_what_has_no_look_in_the_saved_set_stays_as_it_is() -> None:
    dune = Hexside("Dune", "d", "#c0a060", ground="Grass", beside="Bog")
    named_like_unused = Terrain("Bog", "#111111", code="Ss")
    own = TerrainSet("Map", (replace(GRASS, code="Gg"), named_like_unused), (dune,))
    saved = TerrainSet(
        "Saved", (Terrain("Meadow", "#00ff00", code="Gg"), Terrain("Bog", "#222222"))
    )
    result = with_looks(own, OwnTerrains(saved)).terrain_set
    assert [terrain.name for terrain in result.terrains] == ["Meadow", "Bog"]
    assert result.hexsides == (dune,)
