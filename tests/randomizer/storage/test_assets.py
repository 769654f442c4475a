"""Pictures of one's own: once in a project, once in a journal, and never in an edit."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.model.edits.edit import PlaneEdit
from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.records.assets import asset_digest, picture_size
from randomizer.storage.files.project import read_project, write_project
from randomizer.storage.files.terrain_files import OwnTerrains
from randomizer.storage.journal.journal import DAMAGE, Journal
from randomizer.storage.journal.journal_rows import StepRecord
from randomizer.storage.records.encoding import decode_edit, encode_edit, encode_map
from randomizer.systems.free.system import free_map
from tests.randomizer.own_terrains import PICTURES, PNG, own_terrains, png

DIGEST = asset_digest(PNG)


def painted(own: OwnTerrains) -> BattleMap:
    """A map with this set whose cells show all of its terrains."""
    battlemap = free_map(FLAT, 4, 3, terrain_set=own.terrain_set, assets=own.assets)
    index = np.arange(12)
    unset = np.full(12, 0xFFFF, "u2").astype(battlemap.system.terrain.dtype)
    codes = (index % len(own.terrain_set.terrains)).astype(unset.dtype)
    PlaneEdit(
        1, "terrain", index, np.full_like(unset, battlemap.system.terrain.unset), codes
    ).apply(battlemap)
    return battlemap


def with_picture() -> BattleMap:
    """A map whose first terrain has a picture of its user's own."""
    battlemap = free_map(FLAT, 4, 3)
    known = battlemap.terrain_set
    terrains = (replace(known.terrains[0], asset=DIGEST), *known.terrains[1:])
    battlemap.assets[DIGEST] = PNG
    change_terrain_set(battlemap, replace(known, terrains=terrains)).apply(battlemap)
    return battlemap


@settings(max_examples=25, deadline=None)
@given(own_terrains(), own_terrains())
def test_any_set_goes_through_project_and_edit_and_back(
    own: OwnTerrains, other: OwnTerrains
) -> None:
    battlemap = painted(own)
    names = [own.terrain_set.terrains[code].name for code in battlemap.values("terrain").flat]
    again = read_project(write_project(battlemap)).battlemap
    assert (again.terrain_set, again.assets) == own
    battlemap.assets.update(other.assets)
    edit = change_terrain_set(battlemap, other.terrain_set)
    if edit is None:
        assert own.terrain_set == other.terrain_set
        return
    data = encode_edit(edit)
    edit = decode_edit(data, battlemap)
    edit.apply(battlemap)
    shown = [battlemap.terrain_set.terrains[code].name for code in battlemap.values("terrain").flat]
    assert shown == names  # what is painted is never lost
    edit.inverse().apply(battlemap)
    assert battlemap.terrain_set == own.terrain_set
    assert np.array_equal(battlemap.values("terrain"), again.values("terrain"))


@settings(max_examples=10, deadline=None)
@given(st.lists(own_terrains(), min_size=1, max_size=4))
def test_any_sets_come_back_from_a_journal(tmp_path_factory, sets) -> None:
    folder = tmp_path_factory.mktemp("journals")
    battlemap = free_map(FLAT, 4, 3)
    journal = Journal.begin(folder, {}, encode_map(battlemap))
    for own in sets:
        battlemap.assets.update(own.assets)
        edit = change_terrain_set(battlemap, own.terrain_set)
        if edit is None:
            continue
        edit.apply(battlemap)
        step = StepRecord("Set", 1, 1, "", encode_edit(edit))
        journal.write(journal.count, [step], journal.count + 1, assets=battlemap.assets)
    journal.close()
    again = Journal.open(journal.folder)
    restored = again.restore_map()
    assert (restored.terrain_set, restored.assets) == (battlemap.terrain_set, battlemap.assets)
    assert not again.problems
    again.delete()


def test_the_bytes_are_once_in_the_project_as_they_are() -> None:
    battlemap = with_picture()
    data = write_project(battlemap)
    assert data.count(PNG) == 1
    info = ZipFile(BytesIO(data)).getinfo(f"assets/{DIGEST}")
    assert info.compress_type == ZIP_STORED


def test_a_picture_that_nothing_names_any_more_is_not_saved() -> None:
    battlemap = with_picture()
    change_terrain_set(battlemap, battlemap.system.terrain_set).apply(battlemap)
    assert battlemap.assets  # for undo
    assert PNG not in write_project(battlemap)


def test_neither_an_edit_nor_a_base_has_the_bytes() -> None:
    battlemap = with_picture()
    battlemap.assets[DIGEST] = noise = PNG + np.random.default_rng(1).bytes(100_000)
    assert len(encode_map(battlemap)) < len(noise)


def test_the_journal_has_them_once_however_often_they_are_named(tmp_path: Path) -> None:
    battlemap = with_picture()
    journal = Journal.begin(tmp_path, {}, encode_map(battlemap), assets=battlemap.assets)
    step = StepRecord("Nothing", 1, 1, "", b"")
    for count in range(3):
        journal.write(count, [step], count + 1, assets=battlemap.assets)
    journal.close()
    with sqlite3.connect(journal.folder / "steps.sqlite") as database:
        assert database.execute("SELECT * FROM assets").fetchall() == [(DIGEST, PNG)]
    database.close()


def test_what_a_failed_write_did_not_store_is_stored_by_the_next(tmp_path: Path) -> None:
    battlemap = free_map(FLAT, 4, 3)
    journal = Journal.begin(tmp_path, {}, encode_map(battlemap))
    with pytest.raises(AttributeError):
        journal.write(0, [None], 1, assets=PICTURES)
    journal.write(0, [StepRecord("Nothing", 1, 1, "", b"")], 1, assets=PICTURES)
    assert journal.assets() == PICTURES
    journal.delete()


def test_a_picture_that_a_journal_has_lost_is_named_and_the_map_restored(tmp_path: Path) -> None:
    battlemap = with_picture()
    journal = Journal.begin(
        # The desk writes an entry for damage into every journal, an empty one.
        tmp_path,
        {"name": "Moor", DAMAGE: ""},
        encode_map(battlemap),
        assets=battlemap.assets,
    )
    journal.close()
    with sqlite3.connect(journal.folder / "steps.sqlite") as database:
        database.execute("UPDATE assets SET data = ?", (PNG[:-1] + b"?",))
    database.close()
    again = Journal.open(journal.folder)
    assert again.restore_map().assets == {}
    assert "1 picture of its own terrains" in again.problems[0].message
    again.delete()


@pytest.mark.parametrize("change", ["lost", "other", "more"])
def test_the_pictures_of_a_project_are_checked(change: str) -> None:
    battlemap = with_picture()
    data = write_project(battlemap)
    name = f"assets/{DIGEST}"
    changed = BytesIO()
    with ZipFile(BytesIO(data)) as before, ZipFile(changed, "w") as after:
        for info in before.infolist():
            if info.filename != name:
                after.writestr(info, before.read(info))
        if change == "other":
            after.writestr(name, png(2, 2))
        elif change == "more":
            after.writestr(name, PNG)
            after.writestr(f"assets/{asset_digest(png(2, 2))}", png(2, 2))
    result = read_project(changed.getvalue())
    if change == "lost":
        assert result.battlemap is not None
        assert [problem.code for problem in result.problems] == ["assets-lost"]
    else:
        assert result.battlemap is None
        assert (
            "not what was written" in result.problems[0].message
            or "nothing belongs" in result.problems[0].message
        )


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (png(70_000, 2), (70_000, 2)),
        (bytes.fromhex("ffd8ffe00004abcdffc0000b080010002001012200"), (32, 16)),
        (b"RIFF\x24\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + bytes((99, 0, 0, 49, 0, 0)), (100, 50)),
        (b"RIFF\x24\0\0\0WEBPVP8L\x0a\0\0\0\x2f\x09\0\x01\0" + bytes(5), (10, 5)),
        (b"RIFF\x24\0\0\0WEBPVP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a\x0a\0\x05\0", (10, 5)),
        (b"RIFF\x12\0\0\0WEBPVP8L\x05\0\0\0\x2f\x09\0\x01\0\0", (10, 5)),
        (b"\xff\xd8" + b"\xff" * 50, None),
        (b"RIFF\x24\0\0\0WEBP", None),
        (b"", None),
    ],
)  # fmt: skip
def test_the_size_of_a_picture_is_in_its_header(data: bytes, size: tuple[int, int] | None) -> None:
    assert picture_size(data) == size
