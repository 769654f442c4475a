"""Exporting into the game: plans, commits, failures in the middle, taking back."""

from __future__ import annotations

import errno
import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from randomizer.model.problems import ProblemError
from randomizer.storage.disk.disk import use_disk
from randomizer.storage.exports.export_backups import (
    BACKUPS,
    commit_export,
    read_receipt,
    receipts,
    take_back,
    take_back_newest,
)
from randomizer.systems.colossus.game.directory import GameDirectory
from randomizer.systems.colossus.game.export import ExportPlan, plan_exports
from tests.randomizer.failing_disk import FailingDisk
from tests.randomizer.systems.colossus.game_on_disk import battleland, make_files, make_game

MAP = battleland("mine").encode()
OTHER = battleland("another").encode()


@pytest.fixture
def game(tmp_path: Path) -> GameDirectory:
    return GameDirectory.open(make_game(tmp_path / "game"))


def state(root: Path) -> dict[str, bytes | None]:
    """All files (and folders as None) of the game, backups left out."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes() if path.is_file() else None
        for path in root.rglob("*")
        if BACKUPS not in path.parts
    }


def plan_export(game: GameDirectory, data: bytes, variant: str, terrain: str) -> ExportPlan:
    return plan_exports(game, {terrain: data}, variant)


def codes(plan: ExportPlan) -> list[str]:
    return [problem.code for problem in plan.problems]


# --- plans --------------------------------------------------------------------------------------


def test_a_plan_over_a_file_says_what_it_replaces_and_writes_nothing(game: GameDirectory) -> None:
    before = state(game.root)
    plan = plan_export(game, MAP, "Default", "Plains")
    assert plan.problems == ()
    assert not plan.new_group
    (file,) = plan.files
    assert file.path == game.root / "Default" / "Battlelands" / "Plains.xml"
    assert (file.data, file.old, file.overwrites) == (
        MAP,
        battleland("disk Default").encode(),
        True,
    )
    assert plan.sentences()[0].startswith(f"replaces {file.path} (the battleland of Plains")
    assert any("backup" in note for note in plan.notes)
    assert state(game.root) == before


def test_a_plan_over_the_jar_writes_beside_it(game: GameDirectory) -> None:
    plan = plan_export(game, MAP, "Badlands", "Dry Hills")
    (file,) = plan.files
    assert file.path == game.root / "Badlands" / "Battlelands" / "Dry_Hills.xml"
    assert file.old is None
    assert any("Badlands/Battlelands/Dry_Hills.xml in Colossus.jar" in note for note in plan.notes)
    commit_export(plan)
    assert game.read_map("Badlands", "Dry Hills")[0] == MAP


def test_a_plan_for_a_new_variant_has_its_var_file(game: GameDirectory) -> None:
    plan = plan_export(game, MAP, "MyLands", "Plains")
    assert plan.new_group
    assert [file.path.relative_to(game.root).as_posix() for file in plan.files] == [
        "MyLands/MyLandsVar.xml",
        "MyLands/Battlelands/Plains.xml",
    ]
    assert any("-v MyLands" in note for note in plan.notes)
    commit_export(plan)
    variant = game.variant("MyLands")
    assert variant.problems == ()
    assert game.read_map("MyLands", "Plains")[0] == MAP
    assert not plan_export(game, OTHER, "MyLands", "Brush").new_group


def test_exporting_the_same_again_is_said_and_harmless(game: GameDirectory) -> None:
    commit_export(plan_export(game, MAP, "BadlandsJDG", "Plains"))
    again = plan_export(game, MAP, "BadlandsJDG", "Plains")
    assert again.sentences()[0].startswith("keeps ")
    assert "Plains.xml is as it should be already." in again.notes
    assert any("BadlandsJDG is played" in note for note in again.notes)
    commit_export(again)
    assert game.read_map("BadlandsJDG", "Plains")[0] == MAP


def test_several_terrains_at_once(game: GameDirectory) -> None:
    plan = plan_exports(game, {"Plains": MAP, "Brush": OTHER}, "MyLands")
    assert len(plan.files) == 3
    commit_export(plan)
    assert game.read_map("MyLands", "Brush")[0] == OTHER
    take_back_newest(game)
    assert not (game.root / "MyLands").exists()


@pytest.mark.parametrize(
    ("variant", "terrain"),
    [
        ("", "Plains"),
        ("..", "Plains"),
        ("a/b", "Plains"),
        ("Default", ""),
        ("Default", "../Plains"),
        ("Default", "a\\b"),
        ("Default", "Pla\nins"),
        (".battlelands-backups", "Plains"),
        ("aux", "Plains"),
        ("default", "Plains"),
        ("My Lands", "Plains"),
    ],
)
def test_bad_names_are_refused(game: GameDirectory, variant: str, terrain: str) -> None:
    plan = plan_export(game, MAP, variant, terrain)
    assert set(codes(plan)) == {"bad-name"}
    assert plan.files == ()
    before = state(game.root)
    with pytest.raises(ProblemError):
        commit_export(plan)
    assert state(game.root) == before


def test_a_map_that_the_game_cannot_load_is_not_exported(game: GameDirectory) -> None:
    for data in (b"", b"<battlemap/>", b'<!DOCTYPE a SYSTEM "x"><a tower="0"/>'):
        with pytest.raises(ProblemError):
            commit_export(plan_export(game, data, "Default", "Plains"))


def test_a_terrain_that_the_variant_does_not_have_is_warned_of(game: GameDirectory) -> None:
    assert codes(plan_export(game, MAP, "Default", "Plain")) == ["unknown-terrain"]
    assert codes(plan_export(game, MAP, "New", "Beach")) == ["unknown-terrain"]
    commit_export(plan_export(game, MAP, "New", "Beach"))


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_that_lead_out_of_the_game_are_refused(game: GameDirectory, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (game.root / "Badlands").symlink_to(outside)
    assert codes(plan_export(game, MAP, "Badlands", "Fort")) == ["outside"]
    plan = plan_export(game, MAP, "Default", "Plains")
    (game.root / "Default" / "Battlelands" / "Brush.xml").symlink_to(tmp_path / "x.xml")
    assert codes(plan_export(game, MAP, "Default", "Brush")) == ["outside"]
    (game.root / BACKUPS).symlink_to(outside)
    with pytest.raises(ProblemError, match="through a link"):
        commit_export(plan)
    assert list(outside.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_within_the_game_are_followed_and_circles_refused(game: GameDirectory) -> None:
    battlelands = game.root / "Default" / "Battlelands"
    (battlelands / "Brush.xml").symlink_to("Plains.xml")
    commit_export(plan_export(game, MAP, "Default", "Brush"))
    assert (battlelands / "Brush.xml").is_symlink()
    assert (battlelands / "Plains.xml").read_bytes() == MAP
    (battlelands / "Tower.xml").symlink_to("Tower.xml")
    assert codes(plan_export(game, MAP, "Default", "Tower")) == ["not-read"]


def test_a_file_where_a_folder_should_be(game: GameDirectory) -> None:
    make_files(game.root, {"MyLands": "a file"})
    assert "not-read" in codes(plan_export(game, MAP, "MyLands", "Plains"))


# --- commits ------------------------------------------------------------------------------------


def test_a_commit_keeps_a_backup_and_a_receipt(game: GameDirectory) -> None:
    receipt = commit_export(plan_export(game, MAP, "Default", "Plains"))
    assert game.read_map("Default", "Plains")[0] == MAP
    assert receipt.path.parent.parent == game.root / BACKUPS
    assert receipt.root == game.root
    (file,) = receipt.files
    assert file.place == "Default/Battlelands/Plains.xml"
    assert file.backup is not None
    backup = receipt.path.parent / file.backup
    assert backup.read_bytes() == battleland("disk Default").encode()
    assert receipts(game) == (receipt,)
    assert BACKUPS not in [variant.name for variant in game.variants()]


def test_a_file_changed_since_the_plan_stops_the_commit(game: GameDirectory) -> None:
    plan = plan_export(game, MAP, "Default", "Plains")
    make_files(game.root, {"Default/Battlelands/Plains.xml": OTHER})
    before = state(game.root)
    with pytest.raises(ProblemError, match="is not as it was"):
        commit_export(plan)
    assert state(game.root) == before
    assert not (game.root / BACKUPS).exists()


def test_a_file_made_since_the_plan_stops_the_commit(game: GameDirectory) -> None:
    plan = plan_export(game, MAP, "MyLands", "Plains")
    make_files(game.root, {"MyLands/Battlelands/Plains.xml": OTHER})
    with pytest.raises(ProblemError, match="is not as it was"):
        commit_export(plan)
    assert not (game.root / "MyLands" / "MyLandsVar.xml").exists()


@pytest.mark.parametrize("variant", ["Default", "MyLands"])
@pytest.mark.parametrize("call", ["open_new", "sync", "rename", "make_folder"])
@pytest.mark.parametrize("nth", range(1, 11))
def test_a_commit_that_fails_anywhere_leaves_the_game_as_it_was(
    game: GameDirectory, variant: str, call: str, nth: int
) -> None:
    plan = plan_exports(game, {"Plains": MAP, "Brush": OTHER}, variant)
    before = state(game.root)
    disk = FailingDisk(call, nth, OSError(errno.ENOSPC, "No space left on device"))
    reason = None
    try:
        with use_disk(disk):
            commit_export(plan)
    except ProblemError as failed:
        reason = str(failed)
    assert (reason is None) == (disk.count < nth)
    if reason is not None:
        assert "the disk is full" in reason
        assert state(game.root) == before
        assert not (game.root / BACKUPS).exists()
    else:
        after = state(game.root)
        assert after[f"{variant}/Battlelands/Plains.xml"] == MAP
        assert after[f"{variant}/Battlelands/Brush.xml"] == OTHER
        take_back_newest(game)
        assert state(game.root) == before


def test_an_interrupt_in_the_middle_puts_all_back(game: GameDirectory) -> None:
    plan = plan_exports(game, {"Plains": MAP, "Brush": OTHER}, "Default")
    before = state(game.root)
    disk = FailingDisk("rename", 4, KeyboardInterrupt())  # backup, receipt, Plains, Brush
    with use_disk(disk), pytest.raises(KeyboardInterrupt):
        commit_export(plan)
    assert state(game.root) == before


def test_a_backup_is_kept_where_a_file_could_not_be_put_back(game: GameDirectory) -> None:
    plan = plan_exports(game, {"Plains": MAP, "Brush": OTHER}, "Default")
    disk = FailingDisk("rename", 4, OSError(errno.EIO, "Input/output error"), last=99)
    with use_disk(disk), pytest.raises(ProblemError, match="could not be put back"):
        commit_export(plan)
    (receipt,) = receipts(game)
    take_back(receipt.path)
    assert game.read_map("Default", "Plains")[0] == battleland("disk Default").encode()


def test_two_exports_in_the_same_instant_keep_two_backups(game: GameDirectory) -> None:
    instant = datetime(2026, 1, 1, tzinfo=UTC)
    first = commit_export(plan_export(game, MAP, "Default", "Plains"), instant)
    second = commit_export(plan_export(game, OTHER, "Default", "Plains"), instant)
    assert [receipt.path for receipt in receipts(game)] == [second.path, first.path]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_game_that_can_only_be_read_is_told_in_words(game: GameDirectory) -> None:
    plan = plan_export(game, MAP, "Default", "Plains")
    game.root.chmod(0o555)
    try:
        with pytest.raises(ProblemError, match="permission is denied"):
            commit_export(plan)
    finally:
        game.root.chmod(0o755)


# --- taking back --------------------------------------------------------------------------------


def test_exports_are_taken_back_one_after_the_other(game: GameDirectory) -> None:
    start = state(game.root)
    first = commit_export(plan_export(game, MAP, "Default", "Plains"))
    middle = state(game.root)
    second = commit_export(plan_export(game, OTHER, "Default", "Plains"))
    third = commit_export(plan_export(game, MAP, "MyLands", "Tower"))
    assert [receipt.path for receipt in receipts(game)] == [third.path, second.path, first.path]
    assert take_back_newest(game).path == third.path
    assert not (game.root / "MyLands").exists()
    assert take_back_newest(game).path == second.path
    assert state(game.root) == middle
    assert take_back(first.path).taken_back
    assert state(game.root) == start
    with pytest.raises(ProblemError, match="no export that could be taken back"):
        take_back_newest(game)
    with pytest.raises(ProblemError, match="taken back already"):
        take_back(first.path)
    assert all(receipt.taken_back for receipt in receipts(game))


@pytest.mark.parametrize("name", ["20990101-000000-000000", "99991231-235959-999999-99", "zzz"])
def test_an_export_after_the_clock_was_set_back_is_the_newest(
    game: GameDirectory, name: str
) -> None:
    first = commit_export(plan_export(game, MAP, "Default", "Plains"))
    first.path.parent.rename(first.path.parent.with_name(name))
    second = commit_export(plan_export(game, OTHER, "Default", "Plains"))
    assert take_back_newest(game).path == second.path
    assert take_back_newest(game).path.parent.name == name


@pytest.mark.parametrize(
    "data",
    [
        b"[]",
        b"5",
        b'{"files": 5}',
        b'{"files": [{"place": 5, "backup": null, "old_sha256": null, "new_sha256": ""}]}',
        b'{"files": [{"place": "a", "backup": 5, "old_sha256": 5, "new_sha256": ""}]}',
        b'{"files": [], "folders": [5], "time": 0, "group": "", "slots": []}',
    ],
)
def test_a_damaged_receipt_does_not_stand_in_the_way_of_an_older_one(
    game: GameDirectory, data: bytes
) -> None:
    first = commit_export(plan_export(game, MAP, "Default", "Plains"))
    second = commit_export(plan_export(game, MAP, "MyLands", "Plains"))
    second.path.write_bytes(data)
    assert receipts(game)[0].problem is not None
    assert take_back_newest(game).path == first.path
    with pytest.raises(ProblemError, match="damaged"):
        take_back_newest(game)


@pytest.mark.parametrize(
    "key", ["time", "group", "slots", "files", "folders", "taken_back", "new_sha256"]
)
def test_a_receipt_with_values_of_other_types_blocks_no_older_one(
    game: GameDirectory, key: str
) -> None:
    first = commit_export(plan_export(game, MAP, "Default", "Plains"))
    second = commit_export(plan_export(game, MAP, "Default", "Brush"))
    for value in (None, 5, "\0", {"a": 1}, 2**63, 0.5, [5]):
        record = json.loads(second.path.read_bytes())
        place = record["files"][0] if key.endswith("sha256") else record
        place[key] = value
        second.path.write_text(json.dumps(record))
        assert [receipt.problem is None for receipt in receipts(game)] == [False, True]
    assert take_back_newest(game).path == first.path


def test_an_older_export_cannot_be_taken_back_from_under_a_newer_one(game: GameDirectory) -> None:
    first = commit_export(plan_export(game, MAP, "Default", "Plains"))
    commit_export(plan_export(game, OTHER, "Default", "Plains"))
    before = state(game.root)
    with pytest.raises(ProblemError, match="changed since"):
        take_back(first.path)
    assert state(game.root) == before


def test_hand_work_since_the_export_is_not_lost(game: GameDirectory) -> None:
    commit_export(plan_export(game, MAP, "MyLands", "Plains"))
    make_files(game.root, {"MyLands/Battlelands/Plains.xml": OTHER})
    before = state(game.root)
    with pytest.raises(ProblemError, match="changed since"):
        take_back_newest(game)
    assert state(game.root) == before


def test_other_files_in_a_new_variant_stay(game: GameDirectory) -> None:
    commit_export(plan_export(game, MAP, "MyLands", "Plains"))
    make_files(game.root, {"MyLands/README": "mine"})
    take_back_newest(game)
    assert [path.name for path in (game.root / "MyLands").iterdir()] == ["README"]


def test_taking_back_half_done_work_after_a_crash(game: GameDirectory) -> None:
    start = state(game.root)
    receipt = commit_export(plan_exports(game, {"Plains": MAP, "Brush": OTHER}, "Default"))
    (game.root / "Default" / "Battlelands" / "Brush.xml").unlink()  # was not written any more
    take_back(receipt.path)
    assert state(game.root) == start


@pytest.mark.parametrize("nth", range(1, 4))
def test_taking_back_that_fails_changes_nothing(game: GameDirectory, nth: int) -> None:
    make_files(game.root, {"Default/Battlelands/Brush.xml": battleland("old")})
    start = state(game.root)
    commit_export(plan_exports(game, {"Plains": MAP, "Brush": OTHER}, "Default"))
    exported = state(game.root)
    disk = FailingDisk("rename", nth, OSError(errno.EROFS, "Read-only file system"))
    with use_disk(disk), pytest.raises(ProblemError, match="can only be read"):
        take_back_newest(game)
    assert state(game.root) == exported
    assert not receipts(game)[0].taken_back
    take_back_newest(game)
    assert state(game.root) == start


def test_a_damaged_backup_is_not_put_back(game: GameDirectory) -> None:
    receipt = commit_export(plan_export(game, MAP, "Default", "Plains"))
    backup = receipt.path.parent / (receipt.files[0].backup or "")
    backup.write_bytes(b"rotten")
    with pytest.raises(ProblemError, match="damaged"):
        take_back_newest(game)
    backup.unlink()
    with pytest.raises(ProblemError, match="is not there"):
        take_back_newest(game)
    assert game.read_map("Default", "Plains")[0] == MAP


@pytest.mark.parametrize("place", ["../../victim", "/victim", "a//b", "a/../b", ""])
def test_a_receipt_from_elsewhere_cannot_lead_out_of_the_game(
    game: GameDirectory, place: str
) -> None:
    receipt = commit_export(plan_export(game, MAP, "MyLands", "Plains"))
    record = json.loads(receipt.path.read_bytes())
    record["files"][0]["place"] = place
    receipt.path.write_text(json.dumps(record))
    with pytest.raises(ProblemError, match="damaged"):
        take_back(receipt.path)
    assert (game.root / "MyLands" / "MyLandsVar.xml").exists()


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "[" * 99_999, '{"files": [{}]}'])
def test_damaged_receipts_are_listed_as_such(game: GameDirectory, text: str) -> None:
    receipt = commit_export(plan_export(game, MAP, "Default", "Plains"))
    receipt.path.write_text(text)
    (listed,) = receipts(game)
    assert listed.problem is not None
    with pytest.raises(ProblemError, match="damaged"):
        read_receipt(receipt.path)
    with pytest.raises(ProblemError):
        take_back_newest(game)


def test_no_receipts_yet(game: GameDirectory) -> None:
    assert receipts(game) == ()
    make_files(game.root, {f"{BACKUPS}/20260101-000000/0-Plains.xml.bak": "never began"})
    assert receipts(game) == ()
    (game.root / BACKUPS / "20260101-000000" / "0-Plains.xml.bak").unlink()
    (game.root / BACKUPS / "20260101-000000").rmdir()
    (game.root / BACKUPS).rmdir()
    with pytest.raises(ProblemError, match="no such file"):
        read_receipt(game.root / "nothing.json")
    make_files(game.root, {BACKUPS: "a file"})
    with pytest.raises(ProblemError, match="could not be read"):
        receipts(game)
