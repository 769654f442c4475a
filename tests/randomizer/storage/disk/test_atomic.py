"""Saving: the old file or the new one, whole; several files together or none."""

from __future__ import annotations

import errno
import os
import stat
import time
from pathlib import Path

import pytest

from randomizer.model.problems import ProblemError
from randomizer.storage.disk.atomic import (
    ABANDONED_S,
    AtomicFile,
    Change,
    change_together,
    make_folders,
    write_atomically,
)
from randomizer.storage.disk.disk import Disk, use_disk
from tests.randomizer.failing_disk import FailingDisk

posix_only = pytest.mark.skipif(os.name == "nt", reason="permissions and links of POSIX")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_and_an_old_file(tmp_path: Path) -> None:
    file = tmp_path / "Größe.xml"
    write_atomically(file, b"one")
    write_atomically(file, b"two")
    assert file.read_bytes() == b"two"
    assert names(tmp_path) == ["Größe.xml"]


@posix_only
def test_permissions_are_kept_and_new_files_follow_the_umask(tmp_path: Path) -> None:
    file = tmp_path / "a"
    write_atomically(file, b"one")
    umask = os.umask(0o022)
    os.umask(umask)
    assert stat.S_IMODE(file.stat().st_mode) == 0o666 & ~umask
    file.chmod(0o640)
    write_atomically(file, b"two")
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@posix_only
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"one")
    (tmp_path / "link").symlink_to("target")
    write_atomically(tmp_path / "link", b"two")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"two"


def test_a_missing_folder_and_a_folder_in_the_way(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="the folder is not there"):
        write_atomically(tmp_path / "no" / "a", b"")
    (tmp_path / "a").mkdir()
    with pytest.raises(ProblemError, match="there is a folder of that name"):
        write_atomically(tmp_path / "a", b"")


@posix_only
@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_write_protection_is_respected(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"one")
    file.chmod(0o444)
    with pytest.raises(ProblemError, match="permission is denied"):
        write_atomically(file, b"two")
    assert file.read_bytes() == b"one"


class ProtectedDisk(Disk):
    """A disk whose files are write-protected, which no file is for root."""

    def may_write(self, path: Path) -> bool:
        assert path.is_file()
        return False


def test_write_protection_is_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"one")
    with (
        use_disk(ProtectedDisk()),
        pytest.raises(ProblemError, match="permission is denied"),
    ):
        write_atomically(file, b"two")
    assert file.read_bytes() == b"one"


@pytest.mark.parametrize("call", ["open_new", "sync", "rename"])
@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EROFS, "the disk can only be read"),
        (errno.EIO, "input/output error"),
    ],
)
def test_a_failure_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, call: str, number: int, words: str
) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"one")
    disk = FailingDisk(call, 1, OSError(number, os.strerror(number)))
    with use_disk(disk), pytest.raises(ProblemError, match=words) as caught:
        write_atomically(file, b"two")
    assert caught.value.problems[0].path == str(file)
    assert file.read_bytes() == b"one"
    assert names(tmp_path) == ["a"]


def test_an_interrupt_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"one")
    disk = FailingDisk("rename", 1, KeyboardInterrupt())
    with use_disk(disk), pytest.raises(KeyboardInterrupt):
        write_atomically(file, b"two")
    assert names(tmp_path) == ["a"]
    assert file.read_bytes() == b"one"


@posix_only
def test_a_folder_that_cannot_be_synced_is_no_failure(tmp_path: Path) -> None:
    disk = FailingDisk("sync_folder", 1, OSError(errno.EINVAL, "Invalid argument"))
    with use_disk(disk):
        write_atomically(tmp_path / "a", b"one")
    assert disk.count == 1
    assert (tmp_path / "a").read_bytes() == b"one"


# --- several files ------------------------------------------------------------------------------


def three_changes(folder: Path) -> tuple[list[Change], dict[str, bytes]]:
    """One file replaced, one made in a new folder, one removed; and the state before."""
    (folder / "old").write_bytes(b"one")
    (folder / "gone").write_bytes(b"bye")
    changes = [
        Change(folder / "old", b"one", b"two"),
        Change(folder / "x" / "y" / "new", None, b"fresh"),
        Change(folder / "gone", b"bye", None),
    ]
    return changes, state(folder)


def state(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else b"(folder)"
        for path in folder.rglob("*")
    }


def test_files_change_together_and_new_folders_are_told(tmp_path: Path) -> None:
    changes, _ = three_changes(tmp_path)
    assert change_together(changes) == (tmp_path / "x", tmp_path / "x" / "y")
    assert state(tmp_path) == {
        "old": b"two",
        "x": b"(folder)",
        "x/y": b"(folder)",
        "x/y/new": b"fresh",
    }


@pytest.mark.parametrize(
    "call", ["open_new", "rename", "sync", "sync_folder", "remove", "make_folder"]
)
@pytest.mark.parametrize("nth", range(1, 8))
def test_wherever_it_fails_all_is_as_it_was(tmp_path: Path, call: str, nth: int) -> None:
    changes, before = three_changes(tmp_path)
    disk = FailingDisk(call, nth, OSError(errno.ENOSPC, "No space left on device"))
    try:
        with use_disk(disk):
            change_together(changes)
    except ProblemError:
        assert state(tmp_path) == before
    else:  # the failing call never came, or it was the harmless sync of a folder
        assert disk.count < nth or call == "sync_folder"
        assert (tmp_path / "old").read_bytes() == b"two"
        assert not (tmp_path / "gone").exists()


def test_a_disk_that_is_full_at_the_last_file_is_noticed_before_the_first_is_replaced(
    tmp_path: Path,
) -> None:
    changes = [Change(tmp_path / f"{number}.xml", None, b"new") for number in range(11)]
    disk = FailingDisk("sync", 11, OSError(errno.ENOSPC, "No space left on device"))
    full = r"10\.xml could not be written: the disk is full"
    with use_disk(disk), pytest.raises(ProblemError, match=full):
        change_together(changes)
    assert "rename" not in disk.counts
    assert names(tmp_path) == []


def test_a_file_that_is_not_as_expected_stops_all(tmp_path: Path) -> None:
    changes, _ = three_changes(tmp_path)
    (tmp_path / "gone").write_bytes(b"changed by another program")
    before = state(tmp_path)
    with pytest.raises(ProblemError, match="gone is not as it was any more"):
        change_together(changes)
    assert state(tmp_path) == before


def test_a_file_that_cannot_be_put_back_is_named(tmp_path: Path) -> None:
    changes, _ = three_changes(tmp_path)
    disk = FailingDisk("rename", 2, OSError(errno.ENOSPC, "No space left on device"), last=99)
    with use_disk(disk), pytest.raises(ProblemError) as caught:
        change_together(changes)
    assert [problem.code for problem in caught.value.problems] == ["not-written", "not-put-back"]
    assert caught.value.problems[1].path == str(tmp_path / "old")


def test_what_does_not_change_is_not_touched(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"one")
    inode = file.stat().st_ino
    assert change_together([Change(file, b"one", b"one")]) == ()
    assert file.stat().st_ino == inode


def test_folders_below_a_file_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(ProblemError, match="could not be made"):
        make_folders(tmp_path / "a" / "b")
    with pytest.raises(ProblemError, match="cannot be read"):
        change_together([Change(tmp_path / "a" / "b", None, b"x")])


def test_what_a_killed_program_left_beside_is_removed_and_nothing_else(tmp_path: Path) -> None:
    old = time.time() - ABANDONED_S - 1
    gone = tmp_path / ".battlelands-0123456789abcdef.tmp"
    others = [
        tmp_path / name
        for name in (
            ".battlelands-0123456789abcdef.tmp.txt",
            ".battlelands-0123456789abcde.tmp",
            "a.battlelands-0123456789abcdef.tmp",
            ".battlelands-0123456789ABCDEF.tmp",
        )
    ]
    for path in (gone, *others):
        path.write_bytes(b"half")
        os.utime(path, (old, old))
    young = tmp_path / ".battlelands-fedcba9876543210.tmp"
    young.write_bytes(b"of a program that still writes")
    folder = tmp_path / ".battlelands-aaaaaaaaaaaaaaaa.tmp"
    folder.mkdir()
    os.utime(folder, (old, old))
    write_atomically(tmp_path / "map", b"new")
    assert set(tmp_path.iterdir()) == {*others, young, folder, tmp_path / "map"}


def test_a_folder_of_many_files_is_not_searched_at_every_write(tmp_path: Path) -> None:
    disk = FailingDisk("entries", 2, OSError(errno.EIO, "Input/output error"))
    with use_disk(disk):
        for number in range(5):
            write_atomically(tmp_path / f"map {number}", b"new")
    assert disk.count == 1


@posix_only
def test_the_copy_of_a_private_file_is_private_while_it_is_written(tmp_path: Path) -> None:
    file = tmp_path / "diary"
    file.write_bytes(b"old")
    file.chmod(0o640)
    new = AtomicFile(file)
    new.write(b"secret")
    (beside,) = tmp_path.glob(".battlelands-*")
    assert stat.S_IMODE(beside.stat().st_mode) == 0o600
    new.commit()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@posix_only
def test_links_that_lead_in_a_circle_are_told(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(ProblemError, match="loop could not be written"):
        write_atomically(tmp_path / "loop", b"new")


class _InterruptedThenFailing(FailingDisk):
    """A disk on which the second rename is interrupted, and each later one fails."""

    def rename(self, source: Path, target: Path) -> None:
        if self.count >= 2:
            raise OSError(errno.EIO, "Input/output error")
        super().rename(source, target)


def test_after_an_interrupt_a_file_that_cannot_be_put_back_is_named(tmp_path: Path) -> None:
    changes, _ = three_changes(tmp_path)
    disk = _InterruptedThenFailing("rename", 2, KeyboardInterrupt())
    with use_disk(disk), pytest.raises(ProblemError, match="old could not be put back"):
        change_together(changes)


@posix_only
def test_a_link_that_led_nowhere_leads_nowhere_again(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "target")
    changes = [Change(link, None, b"new"), Change(tmp_path / "other", None, b"new")]
    disk = FailingDisk("rename", 2, OSError(errno.ENOSPC, "No space left on device"))
    with use_disk(disk), pytest.raises(ProblemError):
        change_together(changes)
    assert link.is_symlink()
    assert names(tmp_path) == ["link"]
