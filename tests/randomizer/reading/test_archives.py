"""Zip files: the entries are counted before they are listed, and unpacked within a limit."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from randomizer.model.problems import ProblemError
from randomizer.reading.archives import (
    LONGEST_LISTING,
    MAX_ENTRIES,
    archive_entries,
    entry_bytes,
)
from tests.counting import peak_of
from tests.randomizer.reading.zip_directories import write_directory


def made(path: Path, entries: int = 3, size: int = 10) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(entries):
            archive.writestr(f"{number}.txt", b"x" * size)
    return path


def refused(path: Path) -> str:
    with pytest.raises(ProblemError) as caught:
        archive_entries(path)
    [problem] = caught.value.problems
    assert problem.path == str(path)
    return problem.message


def test_entries_are_listed_and_read(tmp_path: Path) -> None:
    path = made(tmp_path / "a.zip")
    entries = archive_entries(path)
    assert [entry.filename for entry in entries] == ["0.txt", "1.txt", "2.txt"]
    assert entry_bytes(path, entries[1], 10) == b"x" * 10
    with pytest.raises(ProblemError, match=r"1\.txt in a\.zip has more than 9 bytes"):
        entry_bytes(path, entries[1], 9)


def test_of_an_archive_with_a_long_directory_no_entry_is_made(tmp_path: Path) -> None:
    name_length = 60_000
    count = LONGEST_LISTING // name_length + 1
    path = write_directory(tmp_path / "a.zip", count, name_length)
    messages = []
    peak = peak_of(lambda: messages.append(refused(path)))
    assert messages == ["a.zip is no zip file that can be read"]
    assert peak < LONGEST_LISTING * 1.5, "the directory, and no names of entries"
    assert len(archive_entries(write_directory(path, count - 2, name_length))) == count - 2


def test_too_many_entries_are_refused(tmp_path: Path) -> None:
    path = write_directory(tmp_path / "a.zip", MAX_ENTRIES + 1)
    assert refused(path) == f"a.zip holds more than {MAX_ENTRIES:,} files"


def test_what_is_no_archive_is_said(tmp_path: Path) -> None:
    with (tmp_path / "a.zip").open("wb") as file:
        file.truncate(100 * 2**30)
    messages = []
    peak = peak_of(lambda: messages.append(refused(tmp_path / "a.zip")))
    assert "no zip file" in messages[0]
    assert peak < 20 * 2**20
    assert "no file" in refused(tmp_path)
    assert "cannot be read" in refused(tmp_path / "none.zip")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.zip")
    assert "no file" in refused(tmp_path / "a.zip")


def test_an_entry_that_unpacks_to_more_than_it_says_is_damaged(tmp_path: Path) -> None:
    path = made(tmp_path / "a.zip", entries=1, size=10_000_000)
    [entry] = archive_entries(path)
    entry.file_size = 10
    with pytest.raises(ProblemError, match="cannot be read"):
        entry_bytes(path, entry, 100)
