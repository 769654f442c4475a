"""Files are read within a limit, after a look at what they are and how large they are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from randomizer.catalog.map_file_reading import read_map_file
from randomizer.catalog.metadata_files import metadata_entry
from randomizer.catalog.script_files import SCRIPT_LIMIT, read_script
from randomizer.games.slots import FileLocation
from randomizer.model.basics.limits import LARGEST_FILE
from randomizer.model.problems import ProblemError
from randomizer.reading import files
from randomizer.reading.files import START, read_file, read_start, user_path
from randomizer.scripts.script_folders import folders
from randomizer.storage.disk.atomic import current_bytes
from randomizer.storage.disk.known_file import FileChange, KnownFile
from randomizer.systems.colossus.game.directory import GameDirectory
from randomizer.systems.colossus.game.finding import find_game
from randomizer.systems.xconq.library import LIBRARY
from randomizer.systems.zeroad.installation.installations import find_installations
from tests.counting import peak_of

HUGE = 100 * 2**30

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file"


def sparse(path: Path, size: int = HUGE) -> Path:
    """A file of this size that takes no room on the disk."""
    with path.open("wb") as made:
        made.truncate(size)
    return path


def refused(path: Path, most: files.Limit = 100, *, pipes: bool = False) -> str:
    with pytest.raises(ProblemError) as caught:
        read_file(path, most, pipes=pipes)
    [problem] = caught.value.problems
    assert problem.path == str(path)
    return problem.message


@pytest.mark.parametrize("size", [0, 1, 99, 100])
def test_a_file_within_the_limit_is_read_whole(file: Path, size: int) -> None:
    file.write_bytes(b"x" * size)
    assert read_file(file, 100) == b"x" * size
    assert read_file(file, lambda _start: 100) == b"x" * size


@pytest.mark.parametrize("size", [START - 1, START, START + 1, 3 * START])
def test_a_limit_that_depends_on_the_start_gets_all_of_it(file: Path, size: int) -> None:
    data = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    file.write_bytes(data)
    starts: list[bytes] = []

    def most(start: bytes) -> int:
        starts.append(start)
        return size

    assert read_file(file, most) == data
    assert starts == [data[:START]]


def test_of_a_file_beyond_the_limit_nothing_is_read(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sparse(file)

    def read_beyond_limits() -> None:
        assert refused(file) == "the file has more than 100 bytes"
        assert refused(file, LARGEST_FILE) == "the file has more than 268,435,456 bytes"
        assert refused(file, lambda start: len(start)) == "the file has more than 65,536 bytes"

    assert peak_of(read_beyond_limits) < 2**20


def test_a_file_that_grows_while_it_is_read_ends_at_the_limit(file: Path) -> None:
    def grow(start: bytes) -> int:
        """Write to the file after its size was asked for, and say the limit."""
        assert start == b"x" * 10
        with file.open("ab") as writer:
            writer.write(b"x" * added)
        return 100

    file.write_bytes(b"x" * 10)
    added = 40
    assert read_file(file, grow) == b"x" * 50
    file.write_bytes(b"x" * 10)
    added = 91
    with pytest.raises(ProblemError, match="the file has more than 100 bytes"):
        read_file(file, grow)


@needs_pipes
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(file: Path) -> None:
    os.mkfifo(file)
    assert "pipe" in refused(file)
    assert read_file(file, 100, pipes=True) == b""
    with pytest.raises(ProblemError, match="pipe"):
        read_start(file, 10)


@needs_pipes
@pytest.mark.parametrize("most", [300_000, lambda _start: 300_000])
def test_a_pipe_is_read_to_its_end_where_pipes_may_be(most: files.Limit) -> None:
    from threading import Thread

    reading, writing = os.pipe()
    data = b"x" * 300_000

    def write() -> None:
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(data)

    thread = Thread(target=write)
    thread.start()
    assert read_file(f"/dev/fd/{reading}", most, pipes=True) == data
    thread.join()
    os.close(reading)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a device of POSIX")
def test_a_device_without_an_end_ends_at_the_limit() -> None:
    assert "device" in refused(Path("/dev/zero"))
    assert refused(Path("/dev/zero"), pipes=True) == "the file has more than 100 bytes"


def test_what_is_no_file_is_said(tmp_path: Path) -> None:
    assert refused(tmp_path) == "this is a folder, not a file"
    assert refused(tmp_path / "none") == "there is no such file"
    assert refused(tmp_path / "a\0b") == "no file can have this name"
    assert "cannot be read" in refused(tmp_path / ("x" * 300))


def test_the_start_of_a_file_is_read_however_large_it_is(file: Path) -> None:
    assert read_start(sparse(file), 10) == bytes(10)


@pytest.mark.parametrize(
    "name", ["a.rnd", "a.js", "a.per", "a.xml", "a.json", "a.map", "a.battlemap", "a.doc", "a"]
)
def test_no_script_or_map_of_any_suffix_is_read_beyond_its_limit(tmp_path: Path, name: str) -> None:
    path = sparse(tmp_path / name)

    def read() -> None:
        with pytest.raises(ProblemError, match="more than"):
            read_map_file(path)

    assert peak_of(read) < 4 * 2**20


def test_maps_of_each_format_have_a_limit_of_their_own(tmp_path: Path) -> None:
    for name, start, most in (
        ("a.xml", b'<battlemap terrain="X">', "2,000,000"),
        ("a.doc", b'<battlemap terrain="X">', "2,000,000"),
        ("a.json", b'{"startlist": null, "hexes"', "50,000,000"),
        ("a.json", b"{", "268,435,456"),
        ("a.map", b"Xconq 0 --+---", "4,194,304"),
        ("a.rnd", b"TOWER", f"{SCRIPT_LIMIT:,}"),
        ("a.js", b"// A finished map of Battlelands Builder", "67,108,864"),
    ):
        path = tmp_path / name
        path.write_bytes(start)
        os.truncate(path, HUGE)
        with pytest.raises(ProblemError, match=f"more than {most} bytes"):
            read_map_file(path)


@needs_pipes
@pytest.mark.parametrize("make", [sparse, os.mkfifo])
def test_every_reader_refuses_pipes_and_what_is_too_large(tmp_path: Path, make) -> None:  # type: ignore[no-untyped-def]
    for name in ("a.rnd", "a.json"):
        make(tmp_path / name)
    for read in (read_script, metadata_entry, current_bytes):
        path = tmp_path / ("a.json" if read is metadata_entry else "a.rnd")
        with pytest.raises(ProblemError, match=r"more than|pipe"):
            read(path)
    game = GameDirectory(tmp_path, ())
    with pytest.raises(ProblemError, match=r"more than|pipe"):
        game.read(FileLocation(tmp_path / "a.rnd"))


@needs_pipes
def test_a_known_file_that_became_a_pipe_has_changed(file: Path) -> None:
    file.write_bytes(b"")
    known = KnownFile.of(file, b"")
    file.unlink()
    os.mkfifo(file)
    assert known.change_since() is FileChange.CHANGED


def test_scripts_of_one_name_and_size_that_are_huge_are_not_compared(tmp_path: Path) -> None:
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
        sparse(tmp_path / folder / "a.rnd")
    assert len(GameDirectory(tmp_path, ()).scripts()) == 2


def test_the_home_of_a_user_who_is_not_known_is_a_path_that_is_not_there() -> None:
    assert user_path("~") == Path.home()
    assert user_path("~no such user/a") == Path("~no such user/a")


@pytest.mark.parametrize("name", ["BATTLELANDS_SCRIPTS", "ZEROAD_DATA", "XCONQLIB"])
def test_folders_of_a_user_who_is_not_known_are_not_there(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "~no such user/a")
    assert find_installations() == ()
    assert LIBRARY.folder() is None
    assert all(not folder.exists() for folder in folders())
    with pytest.raises(ProblemError, match="directory"):
        find_game("~no such user/a")
