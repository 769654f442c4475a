"""The log of a journal is read past damage: the same frames come out of it, or one is missing."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from randomizer.storage.journal.journal_log import read_log, write_merged

HEADER = 32
FRAME_HEADER = 24
PAGE = 4096
FRAME = FRAME_HEADER + PAGE


def write_database(folder: Path, *rounds: int) -> tuple[Path, Path]:
    """A database and its log, as a killed program leaves them.

    In each round so many rows are added; before the next one all is moved into the database.
    """
    file = folder / "made.sqlite"
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA wal_autocheckpoint = 0")
        database.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY, text TEXT)")
        draw = random.Random(1)
        for rows in rounds:
            database.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            for _row in range(rows):
                database.execute("INSERT INTO rows (text) VALUES (?)", (draw.randbytes(1500),))
        left = folder / "left.sqlite"
        log = folder / "left.sqlite-wal"
        left.write_bytes(file.read_bytes())
        log.write_bytes(Path(f"{file}-wal").read_bytes())
    return left, log


def rows_of(file: Path) -> list[tuple[int, bytes]]:
    with closing(sqlite3.connect(file)) as database:
        return database.execute("SELECT * FROM rows ORDER BY number").fetchall()


def merged(database: Path, log: Path) -> list[tuple[int, bytes]]:
    target = log.with_name("merged.sqlite")
    write_merged(database, read_log(log), target)
    return rows_of(target)


def flip(log: Path, data: bytes, bit: int) -> None:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    log.write_bytes(changed)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """The log holds seven commits, and behind them frames of an earlier use of the file."""
    return write_database(tmp_path, 12, 7)


def test_an_intact_log_is_whole_and_gives_what_sqlite_reads(files: tuple[Path, Path]) -> None:
    database, log = files
    read = read_log(log)
    assert read.is_whole
    assert read.is_complete
    assert (log.stat().st_size - HEADER) // FRAME > len(read.frames) > 7
    rows = merged(database, log)
    assert len(rows) == 19
    assert rows == rows_of(database)


def test_no_log_and_a_part_of_a_header_are_whole(tmp_path: Path) -> None:
    log = tmp_path / "wal"
    for data in (None, b"", bytes(20)):
        if data is not None:
            log.write_bytes(data)
        read = read_log(log)
        assert read.is_whole
        assert read.is_complete
        assert not read.frames


def test_any_flipped_bit_of_the_header_is_put_back(files: tuple[Path, Path]) -> None:
    database, log = files
    data = log.read_bytes()
    rows = merged(database, log)
    frames = read_log(log).frames
    for bit in range(8 * HEADER):
        flip(log, data, bit)
        read = read_log(log)
        assert read.frames == frames, f"bit {bit}"
        assert read.is_complete
        assert not read.is_whole
    assert merged(database, log) == rows


@pytest.mark.parametrize("size", [FRAME_HEADER, FRAME])
def test_a_flipped_bit_of_a_frame_is_put_back_or_the_frame_is_missing(
    files: tuple[Path, Path], size: int
) -> None:
    """Of the highest bits of words the checksums do not always tell which was flipped.

    Of the last frame, which none follows, they tell less.
    """
    _database, log = files
    data = log.read_bytes()
    frames = read_log(log).frames
    draw = random.Random(2)
    put_back = 0
    for _flip in range(200):
        number = draw.randrange(len(frames) - 1)
        bit = draw.randrange(8 * size)
        flip(log, data, 8 * (HEADER + FRAME * number) + bit)
        read = read_log(log)
        assert not (read.is_whole and read.is_complete)
        if read.is_complete:
            flipped_bit = read.frames[number].flipped_bit
            assert flipped_bit in (None, bit - 8 * FRAME_HEADER)
            put_back += flipped_bit is not None or bit < 8 * FRAME_HEADER
            read.frames[number] = read.frames[number]._replace(flipped_bit=None)
            assert read.frames == frames
        else:
            assert read.frames == frames[:number] + frames[number + 1 :]
    assert put_back > 150


def test_a_frame_that_a_kill_left_half_written_is_no_damage(files: tuple[Path, Path]) -> None:
    """Its header is written before its page, over what the log held before."""
    _database, log = files
    frames = read_log(log).frames
    data = bytearray(log.read_bytes())
    first_stale = HEADER + FRAME * len(frames)
    start = frames[0].offset - FRAME_HEADER
    data[first_stale : first_stale + FRAME_HEADER] = data[start : start + FRAME_HEADER]
    log.write_bytes(data)
    read = read_log(log)
    assert read.committed() == frames
    assert read.is_whole
    log.write_bytes(data[: first_stale + 2000])
    assert read_log(log).is_complete


def test_what_follows_a_garbled_stretch_is_read(files: tuple[Path, Path]) -> None:
    database, log = files
    data = bytearray(log.read_bytes())
    frames = read_log(log).frames
    start = HEADER + FRAME + 3000
    data[start : start + 2000] = random.Random(3).randbytes(2000)
    log.write_bytes(data)
    read = read_log(log)
    assert not read.is_complete
    assert read.frames[0] == frames[0]
    assert read.frames[1:] == frames[3:]
    assert len(merged(database, log)) == 19, "its pages were written again later"
