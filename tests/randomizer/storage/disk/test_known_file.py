"""Whether a file has changed: by its contents, not by its time."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from randomizer.storage.disk.known_file import FileChange, KnownFile


@pytest.fixture
def moor(tmp_path: Path) -> Path:
    path = tmp_path / "Moor.xml"
    path.write_bytes(b"ours")
    return path


def test_a_file_that_nobody_touched_is_as_it_was(moor: Path) -> None:
    assert KnownFile.of(moor, b"ours").change_since() is FileChange.UNCHANGED


def test_the_same_contents_written_again_are_no_change(moor: Path) -> None:
    known = KnownFile.of(moor, b"ours")
    os.utime(moor, ns=(7, 7))
    assert known.change_since() is FileChange.UNCHANGED


def test_other_contents_are_a_change_of_whatever_size(moor: Path) -> None:
    known = KnownFile.of(moor, b"ours")
    for data in (b"them", b"theirs", b""):
        moor.write_bytes(data)
        os.utime(moor, ns=(7, 7))
        assert known.change_since() is FileChange.CHANGED


def test_what_was_written_between_reading_and_looking_is_noticed(moor: Path) -> None:
    moor.write_bytes(b"theirs")
    assert KnownFile.of(moor, b"ours").change_since() is FileChange.CHANGED


def test_a_file_that_is_gone_is_no_change_of_it(moor: Path) -> None:
    known = KnownFile.of(moor, b"ours")
    moor.unlink()
    assert known.change_since() is FileChange.GONE


def test_what_cannot_be_looked_at_may_have_changed(moor: Path) -> None:
    known = KnownFile.of(moor, b"ours")
    moor.unlink()
    moor.mkdir()
    assert known.change_since() is FileChange.CHANGED
