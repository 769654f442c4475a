"""Whatever is wrong with one journal: the others are offered, nothing of it is deleted, what is
whole of it is offered, and what is lost is said."""

from __future__ import annotations

import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest

from randomizer.model.edits.stack_edits import LayerInsert
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.problems import Problem, ProblemError
from randomizer.storage.journal import journal_tables, recoverable_journals
from randomizer.storage.journal.journal import Journal
from randomizer.storage.journal.journal_database import STEPS
from randomizer.storage.journal.journal_faults import DAMAGED
from randomizer.storage.journal.journal_head import HEAD
from randomizer.storage.journal.journal_opening import LOCK
from randomizer.storage.journal.quarantine import QUARANTINE, quarantine
from randomizer.storage.journal.recoverable_journals import leftovers
from randomizer.storage.records.encoding import encode_map
from tests.counting import peak_of
from tests.daily import deep_but
from tests.randomizer.storage.journal_work import Work, shown

LOG = f"{STEPS}-wal"
ALL_WHOLE = "all its changes are whole"
SECTOR = 512
"""So many bytes of a disk are written and damaged together."""

Harm = Callable[[Path], object]


class State(NamedTuple):
    """What a journal leads to: the digest of its map, and how many steps there are and are done."""

    map: str
    count: int
    position: int


class Known:
    """A journal that was made: its folder, its states after every write, the last one last."""

    def __init__(self, journals: Path, name: str) -> None:
        self.work = Work(journals, name=name)
        self.name = name
        self.folder = self.work.journal.folder.name
        self.states: list[State] = []
        self.maps = set()
        self.note()

    def note(self) -> None:
        work = self.work
        digest = sha256(encode_map(work.map)).hexdigest()
        self.maps.add(digest)
        self.states.append(State(digest, len(work.edits), work.position))

    def paint(self, cell: int, code: int = 3) -> None:
        self.work.paint(cell, code)
        self.note()

    def undo(self) -> None:
        self.work.undo()
        self.note()

    def roll(self) -> None:
        roll = Roll("", "a.rnd", "MAP {}\n" * 300, {}, 1, 1)
        self.work.do(LayerInsert(1, Layer(2, "Rolled", roll=roll)), once=True)
        self.note()


def short(journals: Path, name: str) -> Known:
    """Everything since the beginning is in the log."""
    known = Known(journals, name)
    for cell in range(4):
        known.paint(10 + cell)
    known.roll()
    known.paint(20)
    known.paint(21)
    known.undo()
    return known


def long(journals: Path, name: str) -> Known:
    """With newer bases, one of them of discarded steps, and steps in database and log."""
    known = Known(journals, name)
    for cell in range(9):
        known.paint(cell)
    known.work.renew()
    known.work.journal.checkpoint()
    known.undo()
    known.undo()
    for cell in range(4):
        known.paint(20 + cell)
    known.work.renew()
    known.roll()
    known.paint(30)
    known.paint(31)
    known.undo()
    return known


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Known]]:
    """Journals as a killed program leaves them; the first two are damaged by the tests."""
    folder = tmp_path_factory.mktemp("made")
    known = [short(folder, "short"), long(folder, "long"), short(folder, "good")]
    left = folder.with_name("left")
    shutil.copytree(folder, left)
    for each in known:
        each.work.journal.close()
    return left, {each.name: each for each in known}


@pytest.fixture
def in_memory() -> Iterator[Path]:
    """A folder that waits for no disk, where the system has one."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        yield Path(name) / "journals"


Offered = tuple[dict[str, State], list[Problem]]


def recover(journals: Path) -> Offered:
    """What is offered by name, and the problems."""
    found, problems = leftovers(journals)
    offered = {}
    for journal in found:
        try:
            digest = sha256(encode_map(shown(journal))).hexdigest()
            offered[journal.about.get("name", "")] = State(digest, journal.count, journal.position)
            problems += [problem for problem in journal.problems if problem not in problems]
            journal.close()
        except ProblemError as reason:
            journal.close()
            problems += quarantine(journal.folder, reason, journals)
    return offered, problems


def digests(folder: Path) -> set[str]:
    files = [file for file in folder.rglob("*") if file.is_file() and not file.is_symlink()]
    return {sha256(file.read_bytes()).hexdigest() for file in files if file.stat().st_size}


def check(
    made: Any, in_memory: Path, victim: str, harm: Harm
) -> tuple[State | None, list[Problem]]:
    """Damage a journal; returns what is offered of it, after every promise was looked at."""
    left, known = made
    journals = in_memory
    shutil.rmtree(journals, ignore_errors=True)
    shutil.copytree(left, journals)
    folder = journals / known[victim].folder
    harm(folder)
    evidence = digests(folder)
    for shm in folder.glob("*-shm"):
        if shm.is_file():
            evidence.discard(sha256(shm.read_bytes()).hexdigest())
    offered, problems = recover(journals)
    for name, other in known.items():
        if name != victim:
            assert offered.pop(name) == other.states[-1], f"{name} is not offered complete"
    (state,) = offered.values() or [None]
    if state != known[victim].states[-1]:
        assert problems, "a silent loss"
        assert not any(ALL_WHOLE in problem.message for problem in problems), (
            "a loss that is denied"
        )
        assert evidence <= digests(journals), "something was deleted"
        names = [place.name for place in (journals / QUARANTINE).iterdir()]
        assert any(name.startswith(known[victim].folder) for name in names)
        assert all(os.path.lexists(problem.path or "") for problem in problems), "it says where"
        assert state is None or state.map in known[victim].maps, "a map that never was"
    return state, problems


def file_of(folder: Path, name: str) -> Path:
    """A file of a journal, the base that was written last for ``base-*``."""
    return max(folder.glob(name), key=lambda file: file.stat().st_mtime_ns)


def flip(name: str, seed: int) -> Harm:
    def harm(folder: Path) -> None:
        file = file_of(folder, name)
        data = bytearray(file.read_bytes())
        bit = random.Random(seed).randrange(8 * len(data))
        data[bit // 8] ^= 1 << bit % 8
        file.write_bytes(data)

    return harm


@pytest.mark.parametrize("victim", deep_but(["short", "long"], "long"))
@pytest.mark.parametrize("name", deep_but([LOG, STEPS, HEAD, "base-*"], STEPS, HEAD, "base-*"))
def test_flipped_bits(made: Any, in_memory: Path, victim: str, name: str) -> None:
    flips = 25 if name == LOG else 5
    states = [check(made, in_memory, victim, flip(name, seed))[0] for seed in range(flips)]
    last = made[1][victim].states[-1]
    if name == "base-*":
        assert set(states) == {last if victim == "long" else None}, "the base before is whole"
    else:
        assert None not in states, "the base is intact"
    if name == LOG:
        assert states.count(last) >= 23, "most flips are put back"


HIGH_BIT = 8 * (24 + 4 * 260 + 3) + 7
"""The highest bit of a word of a page, counted from where its frame begins.

Many bits of its kind change a checksum alike, so that the log cannot tell which one was flipped.
"""


@pytest.mark.parametrize("victim", ["short", "long"])
def test_a_frame_that_is_lost_in_the_middle_is_not_denied(
    made: Any, in_memory: Path, victim: str
) -> None:
    left, known = made
    size = file_of(left / known[victim].folder, LOG).stat().st_size
    for frame in range((size - 32) // 4120):

        def harm(folder: Path, place: int = 8 * (32 + 4120 * frame) + HIGH_BIT) -> None:
            file = file_of(folder, LOG)
            data = bytearray(file.read_bytes())
            data[place // 8] ^= 1 << place % 8
            file.write_bytes(data)

        check(made, in_memory, victim, harm)


def overwrite(name: str, seed: int, *, with_zeros: bool) -> Harm:
    """Overwrites a sector, as disks do."""

    def harm(folder: Path) -> None:
        file = file_of(folder, name)
        data = bytearray(file.read_bytes())
        draw = random.Random(seed)
        start = draw.randrange(len(data)) // SECTOR * SECTOR
        size = len(data[start : start + SECTOR])
        data[start : start + SECTOR] = bytes(size) if with_zeros else draw.randbytes(size)
        file.write_bytes(data)

    return harm


@pytest.mark.parametrize("victim", deep_but(["short", "long"], "long"))
@pytest.mark.parametrize("name", [LOG, STEPS])
@pytest.mark.parametrize("with_zeros", deep_but([True, False], True))
def test_overwritten_sectors(
    made: Any, in_memory: Path, victim: str, name: str, with_zeros: bool
) -> None:
    for seed in range(12):
        harm = overwrite(name, seed, with_zeros=with_zeros)
        assert check(made, in_memory, victim, harm)[0] is not None, "the base is intact"


def test_a_number_of_a_page_that_the_log_cannot_have(made: Any, in_memory: Path) -> None:
    def harm(folder: Path) -> None:
        log = folder / LOG
        data = bytearray(log.read_bytes())
        data[32 + 4000 : 32 + 4120 + 8] = bytes(128)  # the end of a page, two numbers behind it
        log.write_bytes(data)

    state, problems = check(made, in_memory, "short", harm)
    assert state is not None
    assert [problem.code for problem in problems] == [DAMAGED]


@pytest.mark.parametrize("victim", ["short", "long"])
@pytest.mark.parametrize("name", [LOG, STEPS, HEAD, "base-*"])
@pytest.mark.parametrize("part", [0.0, 0.3, 0.9])
def test_files_that_are_cut_off(
    made: Any, in_memory: Path, victim: str, name: str, part: float
) -> None:
    def harm(folder: Path) -> None:
        file = file_of(folder, name)
        os.truncate(file, int(file.stat().st_size * part))

    state, problems = check(made, in_memory, victim, harm)
    assert (state is None) == (name == "base-*" and victim == "short")
    if name == LOG:
        (problem,) = problems
        assert re.search(r"the last (\d+ changes, .*|change) (are|is) lost$", problem.message)


def test_what_is_missing_is_counted(made: Any, in_memory: Path) -> None:
    def harm(folder: Path) -> None:
        (folder / LOG).unlink()

    state, (problem,) = check(made, in_memory, "short", harm)
    assert state == made[1]["short"].states[0]
    assert problem.message.endswith("the last 8 changes, undoing and redoing counted, are lost")


def test_what_a_lost_journal_says_once_it_says_again(made: Any, in_memory: Path) -> None:
    """The new journal of a map without its steps is offered until it is opened."""
    left, known = made
    shutil.copytree(left, in_memory)
    (in_memory / known["short"].folder / LOG).unlink()
    first, (problem,) = recover(in_memory)
    assert first["short"] == known["short"].states[0]
    assert recover(in_memory) == (first, [problem])


def sql(*statements: str) -> Harm:
    """Changes the database of steps, and leaves it and its log as a crash does."""

    def harm(folder: Path) -> None:
        database = sqlite3.connect(folder / STEPS, isolation_level=None)
        for statement in statements:
            database.execute(statement)
        files = [folder / STEPS, folder / LOG]
        left = [file.read_bytes() for file in files if file.exists()]
        database.close()
        for file, data in zip(files, left, strict=False):
            file.write_bytes(data)

    return harm


TABLES = {
    "about": "name value",
    "base": "file position digest last_step",
    "done": "position count saved time writes digest",
    "steps": "number text old_active new_active extras edit digest",
    "texts": "digest text",
}


@pytest.mark.parametrize("table", TABLES)
def test_missing_rows_and_tables(made: Any, in_memory: Path, table: str) -> None:
    rows = [
        f"DELETE FROM {table} WHERE rowid = (SELECT {each}(rowid) FROM {table})"
        for each in ("min", "max")
    ]
    for statement in (*rows, f"DELETE FROM {table}", f"DROP TABLE {table}"):
        state, _problems = check(made, in_memory, "long", sql(statement))
        assert state is not None


@pytest.mark.parametrize("table", deep_but(TABLES, "steps"))
def test_values_of_wrong_types(made: Any, in_memory: Path, table: str) -> None:
    for column in TABLES[table].split():
        for value in ("2147483648", "-1", "x'00'", "CAST(x'ff' AS TEXT)"):
            if column == "number" and not value.lstrip("-").isdigit():
                continue  # SQLite refuses it
            change = f"UPDATE {table} SET {column} = {value} WHERE rowid ="
            harm = sql(f"{change} (SELECT max(rowid) FROM {table})")
            state, _problems = check(made, in_memory, "long", harm)
            assert state is not None


@pytest.mark.parametrize(
    "statements",
    [
        (
            "DROP TABLE steps",
            "CREATE VIEW steps AS WITH RECURSIVE c(number) AS (SELECT 1 UNION ALL SELECT number + 1"
            " FROM c) SELECT number, '' AS text, 1 AS before, 1 AS after, '' AS extras,"
            " x'' AS edit, x'' AS digest FROM c",
        ),
        ("CREATE TRIGGER t AFTER UPDATE ON done BEGIN DELETE FROM steps; END",),
        ("PRAGMA user_version = 99",),
        ("PRAGMA user_version = 0",),
    ],
)
def test_tables_that_are_not_a_journals_own(
    made: Any, in_memory: Path, statements: tuple[str, ...]
) -> None:
    state, problems = check(made, in_memory, "short", sql(*statements))
    assert state is not None
    assert problems


def test_values_too_large_are_not_loaded(
    made: Any, in_memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A value beyond the real limit would be a file of 256 MB.
    monkeypatch.setattr(journal_tables, "LARGEST_VALUE", 200_000)
    left, known = made
    shutil.copytree(left, in_memory)
    database = sqlite3.connect(in_memory / known["long"].folder / STEPS, isolation_level=None)
    for table, column in (("steps", "edit"), ("texts", "text")):
        place = f"(SELECT max(rowid) FROM {table})"
        database.execute(f"UPDATE {table} SET {column} = zeroblob(9000000) WHERE rowid = {place}")
    database.close()
    assert peak_of(lambda: recover(in_memory)) < 3_000_000


def test_what_a_journal_began_with_does_not_depend_on_its_log(in_memory: Path) -> None:
    known = short(in_memory, "short")
    steps = list(known.work.journal.records())
    journal = Journal.begin(
        in_memory / "more",
        {"name": "begun"},
        known.work.first,
        steps=steps,
        position=3,
        texts=known.work.journal.texts(),
    )
    left = shutil.copytree(in_memory / "more", in_memory / "left")
    known.work.journal.close()
    journal.close()
    (log,) = left.glob(f"*/{LOG}")
    log.write_bytes(b"")
    offered, problems = recover(left)
    assert (offered["begun"].count, offered["begun"].position, problems) == (7, 3, [])


# --- what is no file ------------------------------------------------------------------------------


def dangling(path: Path) -> None:
    path.symlink_to("/nowhere/at/all")


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def folder(path: Path) -> None:
    path.mkdir()


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
@pytest.mark.parametrize("kind", [dangling, loop, folder, pipe, endless])
@pytest.mark.parametrize("name", [STEPS, LOG, f"{STEPS}-shm", LOCK, HEAD, "base-*", "."])
def test_what_is_no_file_neither_blocks_nor_hides(
    made: Any, in_memory: Path, name: str, kind: Harm
) -> None:
    def harm(place: Path) -> None:
        path = place if name == "." else file_of(place, name)
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        kind(path)

    if name == "." and kind is folder:
        return  # an empty folder can be one that is being made
    state, problems = check(made, in_memory, "short", harm)
    assert (state is None) == (name in ("base-*", "."))
    assert problems or name in (LOCK, HEAD, f"{STEPS}-shm")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
@pytest.mark.parametrize("kind", [dangling, loop, pipe])
def test_where_the_quarantine_is_to_be_something_else_can_lie(
    made: Any, in_memory: Path, kind: Harm
) -> None:
    left, known = made
    journals = in_memory
    shutil.copytree(left, journals)
    kind(journals / QUARANTINE)
    sql("DELETE FROM steps WHERE number = 7")(journals / known["short"].folder)
    offered, (problem,) = recover(journals)
    assert set(offered) == set(known)
    assert Path(problem.path or "").parent == journals / f"{QUARANTINE} 2"


@pytest.mark.parametrize("when", range(1, 12))
def test_a_folder_that_vanishes_while_it_is_read(
    made: Any, in_memory: Path, monkeypatch: pytest.MonkeyPatch, when: int
) -> None:
    left, known = made
    journals = in_memory
    shutil.copytree(left, journals)
    calls = 0

    def vanishing(real: Any) -> Any:
        def called(*values: Any, **named: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == when:
                shutil.rmtree(journals / known["long"].folder, ignore_errors=True)
            return real(*values, **named)

        return called

    for name in ("iterdir", "lstat", "stat"):
        # Another process cannot be made to come in between.
        monkeypatch.setattr(Path, name, vanishing(getattr(Path, name)))
    found, _problems = leftovers(journals)
    monkeypatch.undo()
    assert {"short", "good"} <= {journal.about["name"] for journal in found}
    for journal in found:
        journal.close()


def test_a_fault_of_the_reader_hides_no_other_journal(
    made: Any, in_memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, known = made
    journals = in_memory
    shutil.copytree(left, journals)
    real = Journal.open

    def failing(place: Path) -> Journal:
        if place.name == known["short"].folder:
            raise MemoryError("far too much")
        return real(place)

    # A fault of the reader itself: no journal is known that brings one.
    monkeypatch.setattr(recoverable_journals.Journal, "open", failing)
    offered, (problem,) = recover(journals)
    assert set(offered) == {"long", "good"}
    assert "MemoryError: far too much" in problem.message
    assert (journals / known["short"].folder / STEPS).exists()


# --- what is intact all the same ------------------------------------------------------------------


def test_pages_of_64_kb(made: Any, in_memory: Path) -> None:
    def harm(place: Path) -> None:
        database = sqlite3.connect(place / STEPS, isolation_level=None)
        for pragma in ("journal_mode = DELETE", "page_size = 65536", "journal_mode = WAL"):
            database.execute(f"PRAGMA {pragma}")
            database.execute("VACUUM")
        database.close()

    state, problems = check(made, in_memory, "long", harm)
    assert state == made[1]["long"].states[-1]
    assert problems == []


def test_a_database_that_another_program_has_locked(made: Any, in_memory: Path) -> None:
    left, known = made
    journals = in_memory
    shutil.copytree(left, journals)
    program = (
        "import sqlite3, sys; database = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "database.execute('PRAGMA locking_mode = EXCLUSIVE');"
        "database.execute('BEGIN EXCLUSIVE'); print(flush=True); sys.stdin.read()"
    )
    place = journals / known["short"].folder / STEPS
    command = [sys.executable, "-c", program, str(place)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        offered, problems = recover(journals)
        other.kill()
    assert {"long", "good"} <= set(offered)
    assert len(problems) + len(offered) == 3
    assert set(recover(journals)[0]) == set(known)


def test_what_a_foreign_folder_holds_is_left_alone(in_memory: Path) -> None:
    notes = in_memory / "my notes"
    notes.mkdir(parents=True)
    (notes / "note.txt").write_text("mine")
    os.utime(notes, (1, 1))
    assert leftovers(in_memory) == ([], [])
    assert (notes / "note.txt").read_text() == "mine"


def test_a_journal_without_its_steps_is_never_deleted(made: Any, in_memory: Path) -> None:
    def harm(place: Path) -> None:
        for file in place.glob(f"{STEPS}*"):
            file.unlink()
        os.utime(place, (1, 1))

    state, (problem,) = check(made, in_memory, "short", harm)
    assert state is not None
    assert state.count == 0
    assert "its changes cannot be read, the map is as it was at" in problem.message
    again, (told,) = recover(in_memory)
    assert (again["a map"], told) == (state, problem), (
        "a map without steps stays until it is opened"
    )
