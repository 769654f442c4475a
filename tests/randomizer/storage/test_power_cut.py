"""The power may fail at any moment of a save or an export: the old file is there, or the new."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from randomizer.catalog.format_choice import format_for
from randomizer.catalog.map_formats import format_named
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.storage.disk.atomic import write_atomically
from randomizer.storage.disk.backups import Backups
from randomizer.storage.exports.export_backups import commit_export, take_back
from randomizer.storage.files.project import PROJECT
from randomizer.systems.colossus.game.directory import GameDirectory
from randomizer.systems.colossus.game.export import plan_exports
from randomizer.systems.colossus.system import SYSTEM
from tests.randomizer.recording_disk import RecordingDisk
from tests.randomizer.systems.colossus.game_on_disk import battleland, make_game

XML = format_named("xml")
assert XML is not None


def moor(title: str) -> BattleMap:
    return BattleMap.new(
        SYSTEM, layers=[Layer(1, "Ground", properties={"title": title}), Layer(2, "Ideas")]
    )


@pytest.mark.parametrize("known", [PROJECT, XML])
def test_a_save_leaves_the_old_map_or_the_new_one(
    known: type[PROJECT], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"Moor{known.suffixes[0]}"
    old = known.write(moor("Old"))
    new = known.write(moor("New"))
    path.write_bytes(old)
    disk = RecordingDisk(tmp_path, monkeypatch)
    write_atomically(path, new)
    seen = set()
    for count, files in disk.after_cuts():
        read = format_for(files[path], path.name).read(files[path]).battlemap
        assert read is not None
        assert files[path] in (old, new)
        seen.add(read.composite().properties.get("title"))
        if count == len(disk.calls):
            assert files[path] == new, "the save has returned"
    assert seen == {"Old", "New"}


def test_a_first_save_leaves_no_file_or_the_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "Moor.battlemap"
    data = PROJECT.write(moor("New"))
    disk = RecordingDisk(tmp_path, monkeypatch)
    write_atomically(path, data)
    for count, files in disk.after_cuts():
        assert files.get(path) in (None, data)
        if count == len(disk.calls):
            assert files[path] == data


def test_the_backup_is_safe_before_the_file_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "Moor.battlemap"
    data = tmp_path / "data"
    old = PROJECT.write(moor("Old"))
    new = PROJECT.write(moor("New"))
    path.write_bytes(old)
    disk = RecordingDisk(tmp_path, monkeypatch)
    kept = Backups(data).back_up(path)
    assert kept is not None
    write_atomically(path, new)
    for _, files in disk.after_cuts():
        assert files[path] in (old, new)
        if files[path] == new:
            assert files[kept] == old


@pytest.mark.parametrize("variant", ["Default", "Fens"])
def test_an_export_and_its_taking_back_leave_every_file_old_or_new(
    variant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = GameDirectory.open(make_game(tmp_path / "game"))
    maps = {name: battleland(f"my {name}").encode() for name in ("Plains", "Brush")}
    plan = plan_exports(game, maps, variant)
    old = {path: path.read_bytes() for path in game.root.rglob("*") if path.is_file()}
    disk = RecordingDisk(tmp_path, monkeypatch)
    receipt = commit_export(plan)
    exported = len(disk.calls)
    take_back(receipt.path)
    for count, files in disk.after_cuts():
        for path, data in old.items():
            if path not in {file.path for file in plan.files}:
                assert files[path] == data
        for file in plan.files:
            assert files.get(file.path) in (file.old, file.data)
            if count == exported:
                assert files[file.path] == file.data
            if file.old is not None and files[file.path] == file.data:
                assert file.old in [files[path] for path in files if path not in old]


def careless(path: Path, data: bytes) -> None:
    """As too many programs save: a rename, but what is renamed is not on the disk."""
    beside = path.with_suffix(".tmp")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT)
    os.write(handle, data)
    os.close(handle)
    beside.replace(path)


def more_careless(path: Path, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_TRUNC)
    os.write(handle, data)
    os.fsync(handle)
    os.close(handle)


@pytest.mark.parametrize("save", [careless, more_careless])
def test_a_careless_save_would_be_found_out(
    save: Callable[[Path, bytes], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "Moor.xml"
    path.write_bytes(b"old")
    disk = RecordingDisk(tmp_path, monkeypatch)
    save(path, b"new")
    assert any(files[path] not in (b"old", b"new") for _, files in disk.after_cuts())
