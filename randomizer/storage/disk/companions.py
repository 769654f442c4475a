"""Writes a map's file together with the files beside it to which it refers: all of them or none.

A map of Tiled, for example, has its tilesets and pictures in files of their own. Saving is three
calls, so that the user can be asked before other people's files are replaced::

    changes = plan_files(path, files)
    names = replaced_beside(path, changes, digests_read(battlemap.records))    # ask about these
    write_files(path, changes)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath

from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.records.map_records import ORIGINAL, MapRecord
from randomizer.storage.disk.atomic import Change, change_together, current_bytes, write_atomically


def digest_of(data: bytes) -> str:
    """Return the SHA-256 digest of a file's content."""
    return hashlib.sha256(data).hexdigest()


def plan_files(path: Path, files: Mapping[str, bytes]) -> tuple[Change, ...]:
    """Return the changes that write ``files`` into the folder of the map at ``path``.

    ``files`` are contents by plain file name. That of the map is among them, and its change comes
    first. A file beside the map that differs in nothing but line ends stays as it is. Raises
    ProblemError for a file that cannot be read.
    """
    # None, since ``write_files`` replaces the map's own file whatever it holds now.
    changes = [Change(path, before=None, after=files[path.name])]
    for name, new_data in files.items():
        beside = path.with_name(name)
        if beside == path:
            continue
        old_data = current_bytes(beside)
        if old_data is not None:
            is_equal = new_data == old_data
            differs_in_line_ends = new_data == old_data.replace(b"\r\n", b"\n")
            if is_equal or differs_in_line_ends:
                continue
        changes.append(Change(beside, old_data, new_data))
    return tuple(changes)


def replaced_beside(
    path: Path, changes: Iterable[Change], digests: Mapping[str, str] = NO_TEXTS
) -> tuple[str, ...]:
    """Return the names of the files beside the map at ``path`` whose contents would be lost.

    New files are left out, and so are those that hold what was read with the map: ``digests`` are
    the digests of what was read, by file name (``digests_read``).
    """
    names = []
    for change in changes:
        if change.path == path or change.before is None:
            continue
        name = change.path.name
        if digests.get(name) != digest_of(change.before):
            names.append(name)
    return tuple(names)


def digests_read(records: Mapping[str, MapRecord]) -> dict[str, str]:
    """Return the digests of the files that were read beside a map of another program, by file name.

    They stand in its record ``ORIGINAL``, which keeps what the other program's file held. {} for a
    map that was not read from such files.
    """
    record = records.get(ORIGINAL)
    if record is None or not record.is_json:
        return {}
    # A record can come from a file of anybody's: it is valid JSON, but may have any values.
    original = json.loads(record.text)
    files = None
    if isinstance(original, dict):
        files = original.get("files")
    if not isinstance(files, dict):
        return {}
    digests = {}
    for name, file in files.items():
        if isinstance(file, dict):
            digests[PurePath(name).name] = str(file.get("asset"))
    return digests


def write_files(path: Path, changes: Sequence[Change]) -> None:
    """Make all changes that ``plan_files`` gave for the map at ``path``, or none.

    The map's own file is replaced whatever it holds now. Raises ProblemError.
    """
    map_change, *file_changes = changes
    assert map_change.after is not None, "plan_files has put the map first"
    if not file_changes:
        write_atomically(path, map_change.after)
        return
    map_change = Change(path, current_bytes(path), map_change.after)
    # The map last: if the program is killed, the old map still stands beside what it refers to.
    change_together([*file_changes, map_change])
