"""Writing a map's file together with those beside it that it refers to: all of them or none."""

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
    """Return the changes that write the files of a map at ``path``, by plain file name, into its
    folder.

    A file beside it that differs in nothing but line ends stays as it is. Raises ProblemError for
    a file that cannot be read. The map's own file comes first.
    """
    changes = [Change(path, None, files[path.name])]
    for name, data in files.items():
        beside = path.with_name(name)
        if beside == path:
            continue
        before = current_bytes(beside)
        if before == data:
            continue
        if before is None or before.replace(b"\r\n", b"\n") != data:
            changes.append(Change(beside, before, data))
    return tuple(changes)


def replaced_beside(
    path: Path, changes: Iterable[Change], digests: Mapping[str, str] = NO_TEXTS
) -> tuple[str, ...]:
    """Return the names of the files beside ``path`` whose contents the changes replace by others.

    Left out are those whose present content has the digest that ``digests`` gives for the name.
    """
    return tuple(
        change.path.name
        for change in changes
        if change.path != path
        and change.before is not None
        and digests.get(change.path.name) != digest_of(change.before)
    )


def digests_read(records: Mapping[str, MapRecord]) -> dict[str, str]:
    """Return the digests of the files that were read beside a map of another program, by plain
    name.
    """
    record = records.get(ORIGINAL)
    if record is not None and record.is_json:
        about = json.loads(record.text)
    else:
        about = None
    if isinstance(about, dict):
        files = about.get("files")
    else:
        files = None
    return {
        PurePath(name).name: str(digest.get("asset"))
        for name, digest in (files.items() if isinstance(files, dict) else ())
        if isinstance(digest, dict)
    }


def write_files(path: Path, changes: Sequence[Change]) -> None:
    """Make all changes that ``plan_files`` gave for ``path``, or none.

    The map's own file is replaced whatever it holds now. Raises ProblemError.
    """
    map_change, *file_changes = changes
    assert map_change.after is not None
    if not file_changes:
        write_atomically(path, map_change.after)
        return
    change_together([*file_changes, Change(path, current_bytes(path), map_change.after)])
