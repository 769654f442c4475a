"""Harnesses of what the program itself keeps: journals, edits, drafts, receipts, the clipboard."""

from __future__ import annotations

import atexit
import json
import re
import shutil
import sqlite3
import tempfile
import zlib
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from randomizer.geometry.stamp_cutting import cut
from randomizer.geometry.stamp_placing import place
from randomizer.geometry.stamp_text import decode as decode_stamp
from randomizer.geometry.stamp_text import encode as encode_stamp
from randomizer.model.edits.edit_gate import check_edit
from randomizer.model.gate.gate import check_map
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from randomizer.roll_base import Base
from randomizer.storage.exports.export_backups import read_receipt
from randomizer.storage.files.recipe_bases import differences, locked_as_in, recipe_grid, recipe_of
from randomizer.storage.files.recipe_generators import find_generator
from randomizer.storage.files.roll_recipe import packed_line, read_recipe, recipe_text
from randomizer.storage.journal.drafts import Draft, DraftFile
from randomizer.storage.journal.journal import Journal
from randomizer.storage.journal.journal_database import STEPS
from randomizer.storage.journal.journal_rows import StepRecord
from randomizer.storage.journal.journal_tables import VERSION_FIELDS
from randomizer.storage.journal.recoverable_journals import leftovers
from randomizer.storage.records.encoding import (
    decode_edit,
    decode_map,
    encode_edit,
    encode_edit_for_journal,
    encode_map,
)
from randomizer.storage.records.npy import FAULTS, npy_bytes, read_npy
from tests.fuzz.harness import Harness, check_problems, check_read_map, expect, refused
from tests.fuzz.mutators import mutate_block, mutate_bytes, mutate_json
from tests.fuzz.samples import sample_edits, sample_maps

DRAFT = "script.json"


def scratch() -> Path:
    """A new folder, in memory where the system has such a place."""
    memory = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="fuzz-", dir=memory if memory.is_dir() else None))


# --- maps and edits -------------------------------------------------------------------------------


def run_map_block(data: bytes) -> object:
    """A map as autosave keeps it."""
    try:
        battlemap = decode_map(data)
    except ProblemError as failed:
        return refused(failed.problems)
    check_read_map(battlemap)
    return battlemap.system.name


@cache
def _bases() -> tuple[BattleMap, ...]:
    return tuple(sample_maps().values())


def run_edit_block(data: bytes) -> object:
    """An edit, of the map whose number is the first byte: done, undone, done again and kept."""
    maps = _bases()
    battlemap = maps[(data[0] if data else 0) % len(maps)].snapshot()
    before = encode_map(battlemap)
    try:
        edit = decode_edit(data[1:], battlemap)
    except ProblemError as failed:
        expect(encode_map(battlemap) == before, "a refused edit changed the map")
        return refused(failed.problems)
    kept = encode_edit(edit)
    try:
        edit.apply(battlemap)
    except (KeyError, IndexError, ValueError):  # it is not an edit of this map
        return "does not fit"
    try:
        check_map(battlemap)
    except ProblemError as failed:
        return refused(failed.problems)
    after = encode_map(battlemap)
    edit.inverse().apply(battlemap)
    edit.apply(battlemap)
    expect(encode_map(battlemap) == after, "done again the edit makes another map")
    expect(kept, "an edit is kept as nothing")
    return type(edit).__name__


def _edit_seeds() -> Iterator[bytes]:
    for number, battlemap in enumerate(_bases()):
        for edit in sample_edits(battlemap):
            yield bytes([number]) + encode_edit(edit)


def _mutate_edit(data: bytes, draw: Random, others: Any) -> bytes:
    first = data[:1] if draw.random() < 0.97 else bytes([draw.randrange(8)])
    return first + mutate_block(data[1:], draw, [each[1:] for each in others])


# --- journals -------------------------------------------------------------------------------------


BASE = "base-00000000"


@cache
def _journal() -> tuple[dict[str, Any], bytes]:
    """The rows of a journal by table, and its base."""
    folder = scratch()
    try:
        battlemap = sample_maps()["free"]
        base = encode_map(battlemap)
        journal = Journal.begin(folder, {"name": "A map", "path": "/x", "kept": "{}"}, base)
        steps = []
        for edit in sample_edits(battlemap)[:4]:
            block = encode_edit_for_journal(edit)
            steps.append(StepRecord("Paint", 1, 1, "null", block.data, block.texts))
            edit.apply(battlemap)
        journal.write(0, steps, 3)
        journal.close()
        rows = rows_of(journal.folder / STEPS)
        rows["base"]["rows"][0][0] = BASE  # else an input fits only the process that made it
        return rows, base
    finally:
        shutil.rmtree(folder)


def rows_of(file: Path) -> dict[str, Any]:
    """A journal's tables as JSON: bytes are ``{"hex": ...}``."""
    with closing(sqlite3.connect(file)) as database:
        names = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        tables: dict[str, Any] = {
            name: {
                "sql": sql,
                "rows": [
                    list(map(_as_json, row)) for row in database.execute(f"SELECT * FROM {name}")
                ],
            }
            for name, sql in names.fetchall()
        }
        tables["version"] = database.execute("PRAGMA user_version").fetchone()[0]
    return tables


def _as_json(value: object) -> object:
    return {"hex": value.hex()} if isinstance(value, bytes) else value


def _as_value(value: object) -> object:
    if isinstance(value, dict) and isinstance(value.get("hex"), str):
        return bytes.fromhex(value["hex"])
    return json.dumps(value) if isinstance(value, dict | list) else value


def build(tables: Any, file: Path) -> None:
    """The database of ``rows_of``; tables and rows that cannot be made are left out."""
    with closing(sqlite3.connect(file)) as database:
        for name, table in tables.items() if isinstance(tables, dict) else ():
            try:
                if name == "version":
                    for field in VERSION_FIELDS:
                        database.execute(f"PRAGMA {field} = {int(table)}")
                    continue
                database.execute(str(table["sql"]).replace("NOT NULL", "").replace("STRICT", ""))
                for row in table["rows"]:
                    values = list(map(_as_value, row))
                    places = ", ".join("?" * len(values))
                    database.execute(f"INSERT INTO {name} VALUES ({places})", values)
            except (sqlite3.Error, sqlite3.Warning, ValueError, TypeError, KeyError, OverflowError):
                continue
            except UnicodeEncodeError:
                continue
        database.commit()


def run_journal(data: bytes) -> object:
    """A journal that a program left: read, or set aside with a problem; none other is hidden.

    ``data`` are the tables as JSON, or the very file of SQLite.
    """
    folder = scratch()
    try:
        place = folder / "20260101-000000-1-00000000"
        place.mkdir()
        _tables, base = _journal()
        (place / BASE).write_bytes(base)
        if data.startswith(b"{"):
            try:
                build(json.loads(data), place / STEPS)
            except (ValueError, RecursionError):
                return "no input"
        else:
            (place / STEPS).write_bytes(data)
        return _recover(folder)
    finally:
        shutil.rmtree(folder)


def _recover(folder: Path) -> object:
    """Every journal of a folder as the desk recovers them."""
    found, problems = leftovers(folder)
    for problem in problems:
        unexpected = re.search(r"cannot be read: (\w+): ", problem.message)
        expect(unexpected is None, f"a fault and no damage: {problem.message}")
    said = check_problems(problems)
    for journal in found:
        try:
            battlemap = journal.restore_map()
            check_read_map(battlemap)
            journal.steps_without_edits()
            said += check_problems(journal.problems)
            for number in range(journal.position, 0, -1):
                journal.edit(number, battlemap, done=True).inverse().apply(battlemap)
        except ProblemError as failed:
            said += refused(failed.problems)
        except (KeyError, IndexError, ValueError):  # an edit of another map
            said += ("does not fit",)
        finally:
            journal.close()
    return (len(found), *said)


def _journal_seeds() -> Iterator[bytes]:
    tables, base = _journal()
    expect(sha256(base).hexdigest() == tables["base"]["rows"][0][2]["hex"], "the base is another")
    yield json.dumps(tables).encode()
    folder = scratch()
    try:
        build(tables, folder / STEPS)
        yield (folder / STEPS).read_bytes()
    finally:
        shutil.rmtree(folder)


# --- texts and arrays -----------------------------------------------------------------------------


@cache
def own_folder() -> Path:
    folder = scratch()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def run_draft(data: bytes) -> object:
    """The kept edits of a script."""
    file = DraftFile.begin(own_folder())
    try:
        (file.folder / DRAFT).write_bytes(data)
        draft = file.read()
        file.write(draft)
        again = file.read()
        expect(again == draft or again.changed != again.changed, "it is kept as another")
    except ProblemError as failed:
        return refused(failed.problems)
    finally:
        file.delete()
    return "read"


def _draft_seeds() -> Iterator[bytes]:
    file = DraftFile.begin(own_folder())
    file.write(Draft("own.rnd", "/maps/own.rnd", "AREA ALL", "AREA", "", {"a": 1}, {"b": "c"}, 5.0))
    yield (file.folder / DRAFT).read_bytes()
    file.delete()


def run_receipt(data: bytes) -> object:
    """The receipt of an export."""
    path = own_folder() / "receipt.json"
    path.write_bytes(data)
    try:
        receipt = read_receipt(path)
    except ProblemError as failed:
        return refused(failed.problems)
    expect(all(not Path(file.place).is_absolute() for file in receipt.files), "a place outside")
    return len(receipt.files)


def _receipt_seeds() -> Iterator[bytes]:
    from randomizer.games.export_plan import ExportPlan, PlannedFile
    from randomizer.storage.exports.export_backups import RECEIPT, commit_export

    root = scratch()
    try:
        file = PlannedFile(root / "maps" / "a.xml", b"new", None, "a map")
        commit_export(ExportPlan(root, "group", ("a",), True, (file,), (), (), ""))
        (receipt,) = root.rglob(RECEIPT)
        yield receipt.read_bytes()
    finally:
        shutil.rmtree(root)


def run_stamp(data: bytes) -> object:
    """A piece of a map on the clipboard, and what pasting it makes of a map."""
    try:
        stamp = decode_stamp(data)
    except ProblemError as failed:
        return refused(failed.problems)
    written = encode_stamp(stamp)
    expect(encode_stamp(decode_stamp(written)) == written, "it is read as another stamp")
    pasted: list[str] = []
    for battlemap in _bases():
        if battlemap.grid.layout is not stamp.layout:
            continue
        target = battlemap.snapshot()
        try:
            edit = place(target, stamp, int(target.grid.cells[12]), target.layers[0].id)
            if edit is not None:
                check_edit(target, edit)
                edit.apply(target)
        except ProblemError as failed:
            pasted += refused(failed.problems)
            continue
        check_map(target)
        pasted.append("pasted")
    return (stamp.layout.name, len(stamp.things) > 0, *pasted)


def _stamp_seeds() -> Iterator[bytes]:
    for battlemap in sample_maps().values():
        cells = battlemap.grid.cells[:9]
        yield encode_stamp(cut(battlemap, cells, battlemap.composite().planes))


def run_recipe(data: bytes) -> object:
    """A roll that somebody sent as text, and what it asks of the maps here."""
    try:
        recipe = read_recipe(packed_line("x", data))
        written = recipe_text(recipe)
        expect(recipe_text(read_recipe(written)) == written, "it is read as another recipe")
        grid = recipe_grid(recipe)
        generator = find_generator(recipe, ())
    except ProblemError as failed:
        return refused(failed.problems)
    answers: list[object] = [grid.layout.name, generator is None]
    for battlemap in _bases():
        if generator is None or generator.system is not battlemap.system:
            continue
        base = Base.under(battlemap, len(battlemap.layers))
        try:
            locked = locked_as_in(recipe, base)
            answers += check_problems(differences(recipe, generator, locked))
        except ProblemError as failed:
            answers += refused(failed.problems)
    return tuple(answers)


def _recipe_seeds() -> Iterator[bytes]:
    for battlemap in sample_maps().values():
        rolls = [layer.roll for layer in battlemap.layers if layer.roll is not None]
        for roll in rolls[:1]:
            text = recipe_text(recipe_of(roll, Base.under(battlemap, len(battlemap.layers))))
            yield zlib.decompress(urlsafe_b64decode(text.split(":")[3] + "=="))


def run_npy(data: bytes) -> object:
    """An array; the first byte chooses what is expected of it."""
    wanted: tuple[tuple[str | None, tuple[int, ...] | None], ...] = (
        (None, None),
        ("u1", (3, 4)),
        ("i4", None),
        ("bool", (2, 2)),
    )
    dtype, shape = wanted[(data[0] if data else 0) % len(wanted)]
    try:
        array = read_npy(memoryview(data[1:]), dtype, shape)
    except FAULTS as failed:
        expect(str(failed), "no reason is given")
        return type(failed).__name__
    again = read_npy(memoryview(npy_bytes(array)), dtype, shape)
    expect(np.array_equal(again, array), "another array is read")
    return str(array.dtype)


def _npy_seeds() -> Iterator[bytes]:
    for number, array in enumerate(
        (
            np.arange(9, dtype="u2"),
            np.ones((3, 4), "u1"),
            np.arange(5, dtype="i4"),
            np.zeros((2, 2), "bool"),
        )
    ):
        yield bytes([number]) + npy_bytes(array)


HARNESSES = (
    Harness(
        "map-block",
        run_map_block,
        lambda: [encode_map(sample_map) for sample_map in sample_maps().values()],
        mutate_block,
        tries=180,
    ),
    Harness("edit-block", run_edit_block, _edit_seeds, _mutate_edit, tries=150),
    Harness("journal", run_journal, _journal_seeds, mutate_json, tries=225),
    Harness("draft", run_draft, _draft_seeds, mutate_json, tries=180),
    Harness("receipt", run_receipt, _receipt_seeds, mutate_json, tries=240),
    Harness("stamp", run_stamp, _stamp_seeds, mutate_json, tries=180),
    Harness("recipe", run_recipe, _recipe_seeds, mutate_json, tries=120),
    Harness("npy", run_npy, _npy_seeds, mutate_bytes, tries=900),
)
