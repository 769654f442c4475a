"""Backups: the contents before the first overwriting, and one in ten minutes from then on."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest

from randomizer.model.problems import ProblemError
from randomizer.storage.disk.backups import MAX_BACKUPS, PAUSE_S, Backups


class Clock:
    now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def backups(tmp_path: Path, clock: Clock) -> Backups:
    return Backups(tmp_path / "data" / "backups", clock)


@pytest.fixture
def moor(tmp_path: Path) -> Path:
    path = tmp_path / "maps" / "Moor.xml"
    path.parent.mkdir()
    path.write_bytes(b"0")
    return path


def contents(backups: Backups, path: Path) -> list[bytes]:
    return [backup.path.read_bytes() for backup in backups.backups_of(path)]


def test_a_file_is_kept_once_and_again_after_ten_minutes(
    backups: Backups, moor: Path, clock: Clock
) -> None:
    assert backups.back_up(moor) is not None
    moor.write_bytes(b"1")
    clock.now += PAUSE_S - 1
    assert backups.back_up(moor) is None
    clock.now += 1
    assert backups.back_up(moor) is not None
    assert contents(backups, moor) == [b"1", b"0"]


def test_what_must_be_kept_is_kept_however_lately_that_was_done(
    backups: Backups, moor: Path, clock: Clock
) -> None:
    backups.back_up(moor)
    moor.write_bytes(b"theirs")
    clock.now += 1
    assert backups.back_up(moor, always=True) is not None
    assert contents(backups, moor) == [b"theirs", b"0"]


def test_another_session_keeps_the_file_at_once(
    backups: Backups, moor: Path, tmp_path: Path, clock: Clock
) -> None:
    backups.back_up(moor)
    clock.now += 1
    assert Backups(tmp_path / "data" / "backups", clock).back_up(moor) is not None


def test_the_last_ten_are_kept(backups: Backups, moor: Path, clock: Clock) -> None:
    for number in range(MAX_BACKUPS + 3):
        moor.write_bytes(b"%d" % number)
        clock.now += PAUSE_S
        backups.back_up(moor)
    assert contents(backups, moor) == [b"%d" % number for number in range(MAX_BACKUPS + 2, 2, -1)]


def test_after_the_clock_was_set_back_new_backups_stay_the_latest(
    backups: Backups, moor: Path, clock: Clock
) -> None:
    for number in range(2 * MAX_BACKUPS):
        moor.write_bytes(b"%d" % number)
        clock.now += PAUSE_S if number < MAX_BACKUPS else -86_400.0
        backups.back_up(moor)
    assert contents(backups, moor) == [
        b"%d" % number for number in range(2 * MAX_BACKUPS - 1, MAX_BACKUPS - 1, -1)
    ]


@pytest.mark.parametrize("name", ["99991231-235959-999999.xml", "20261122-250000-000000.xml"])
def test_a_backup_of_an_impossible_time_does_not_stop_new_ones(
    backups: Backups, moor: Path, name: str
) -> None:
    kept = backups.back_up(moor)
    assert kept is not None
    kept.with_name(name).write_bytes(b"from another age")
    moor.write_bytes(b"newer")
    assert backups.back_up(moor, always=True) is not None
    assert b"newer" in contents(backups, moor)


def test_a_backup_says_when_and_how_large(backups: Backups, moor: Path, clock: Clock) -> None:
    moor.write_bytes(b"four")
    backups.back_up(moor)
    (backup,) = backups.backups_of(moor)
    assert backup.replaced.timestamp() == clock.now
    assert backup.size == 4
    assert backup.path.suffix == ".xml"


def test_files_of_one_name_in_two_folders_are_two_files(
    backups: Backups, moor: Path, tmp_path: Path
) -> None:
    other = tmp_path / "Moor.xml"
    other.write_bytes(b"other")
    backups.back_up(moor)
    backups.back_up(other)
    assert (contents(backups, moor), contents(backups, other)) == ([b"0"], [b"other"])


def test_nothing_is_put_beside_the_file(backups: Backups, moor: Path) -> None:
    backups.back_up(moor)
    assert list(moor.parent.iterdir()) == [moor]


def test_a_file_that_is_not_there_needs_no_backup(backups: Backups, tmp_path: Path) -> None:
    assert backups.back_up(tmp_path / "new.xml") is None
    assert backups.backups_of(tmp_path / "new.xml") == []


def test_foreign_files_among_the_backups_are_left_alone(backups: Backups, moor: Path) -> None:
    kept = backups.back_up(moor)
    assert kept is not None
    (kept.parent / "note.txt").write_text("mine")
    assert [backup.path for backup in backups.backups_of(moor)] == [kept]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_what_is_no_file_among_the_backups_does_not_keep_a_file_from_being_kept(
    backups: Backups, moor: Path, clock: Clock
) -> None:
    folder = backups.back_up(moor)
    assert folder is not None
    for number in range(MAX_BACKUPS):
        place = folder.with_name(f"20200101-00000{number % 4}-00000{number}.xml")
        if number % 4 == 0:
            place.symlink_to("/nowhere/at/all")
        elif number % 4 == 1:
            place.symlink_to(place.name)
        elif number % 4 == 2:
            place.mkdir()
        else:
            os.mkfifo(place)
    for number in range(MAX_BACKUPS + 2):
        moor.write_bytes(b"%d" % number)
        clock.now += PAUSE_S
        assert backups.back_up(moor) is not None
    assert contents(backups, moor)[0] == b"%d" % (MAX_BACKUPS + 1)
    assert len(backups.backups_of(moor)) == MAX_BACKUPS


def test_what_cannot_be_kept_is_said(backups: Backups, moor: Path, tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="this is a folder"):
        backups.back_up(moor.parent)
    (tmp_path / "data").write_text("in the way")
    with pytest.raises(ProblemError, match="could not be made"):
        backups.back_up(moor)


def test_a_clock_that_is_put_back_keeps_nothing_from_being_kept(
    backups: Backups, moor: Path, clock: Clock
) -> None:
    for number in range(MAX_BACKUPS):
        moor.write_bytes(b"%d" % number)
        backups.back_up(moor)
        clock.now += PAUSE_S
    clock.now -= 1_000_000
    moor.write_bytes(b"later, by a clock that says earlier")
    kept = backups.back_up(moor)
    assert kept is not None
    assert kept.read_bytes() == moor.read_bytes()


def test_the_content_of_a_time_is_that_of_the_next_backup_or_of_the_file(
    backups: Backups, moor: Path, clock: Clock
) -> None:
    backups.back_up(moor)
    moor.write_bytes(b"1")
    clock.now += PAUSE_S
    backups.back_up(moor)
    moor.write_bytes(b"2")
    second, first = backups.backups_of(moor)
    assert backups.content_at(moor, first.replaced) == first.path
    assert backups.content_at(moor, first.replaced + timedelta(seconds=1)) == second.path
    assert backups.content_at(moor, second.replaced + timedelta(seconds=1)) == moor
