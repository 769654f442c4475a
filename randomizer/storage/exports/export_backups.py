"""Commits exports, with a backup of what they replace, and takes them back.

Each export leaves a folder below the game's directory, with the old files and a receipt::

    .battlelands-backups/20260214-093005-000125/
        0-Plains.xml.bak
        1-Swamp.xml.bak
        receipt.json

The receipt is on the disk before the first file of the game is changed. All files of an export are
written, or none; the same holds for taking one back. Whenever the program is killed, the export
either did not begin, or its receipt is there to take it back. A backup without a receipt is
*unfinished*: its export never began, and the next one removes it.

Begin reading with ``commit_export`` and ``take_back``.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import shutil
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from randomizer.games.export_plan import ExportPlan
from randomizer.games.game import Game
from randomizer.games.receipt import ExportReceipt, ReceiptFile
from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.error_reasons import words_of
from randomizer.model.basics.texts import fault_in_text
from randomizer.model.problems import Problem, ProblemError, Severity, has_errors
from randomizer.model.problems import error as problem_error
from randomizer.reading.files import read_file
from randomizer.storage.disk.atomic import (
    ABANDONED_S,
    Change,
    change_together,
    current_bytes,
    drop_temporary,
    make_folders,
    remove_folders,
    sync_folder,
    write_atomically,
)
from randomizer.storage.disk.file_names import MAX_COMPONENT, fault_in_name
from randomizer.storage.disk.time_names import next_name, time_of_name
from randomizer.storage.records.codec import kinds_of, plain_fields, read_fields

BACKUPS = ".battlelands-backups"
"""The folder of all backups, in the game's directory."""

RECEIPT = "receipt.json"
"""The name of the receipt in the folder of a backup."""

_ASIDE = ".unfinished-"
"""The beginning of the names of unfinished backups while they are being removed."""

MAX_RECEIPTS = 1_000
"""The most receipts that are read: those of the newest exports."""

MAX_SAME_TIMES = 100
"""The most backups whose names begin with the same time, of programs that export at once."""

MAX_BYTES = 10_000_000
"""The largest receipt that is read, in bytes."""

_DIGEST = re.compile("[0-9a-f]{64}")
"""A SHA-256 as it stands in a receipt."""

_STORED = {
    name: kind for name, kind in kinds_of(ExportReceipt).items() if name not in ("path", "problem")
}
"""The fields of a receipt that its file holds, and their kinds."""


def commit_export(plan: ExportPlan, moment: datetime | None = None) -> ExportReceipt:
    """Write the plan's files, all or none, after a backup of those they replace.

    The receipt says that it was done at ``moment``, or now if that is None. Raises ProblemError if
    the plan has errors, a file has changed since it was made, or a file cannot be written. Then all
    files are unchanged.
    """
    if has_errors(plan.problems):
        raise ProblemError(plan.problems)
    changes = [Change(file.path, file.old, file.data) for file in plan.files]
    root = plan.root.resolve()
    moment = moment or datetime.now(UTC)
    _require_inside(root, [root / BACKUPS, *(change.path for change in changes)])
    _drop_unfinished(root / BACKUPS, ABANDONED_S)
    made_folders = make_folders(root / BACKUPS)
    folder = None
    try:
        folder = _new_folder(root / BACKUPS, moment)
        # The receipt is on the disk before any change, so that an interrupted export can be undone.
        receipt = _write_backup(folder, root, plan, moment)
        change_together(changes, folder.name)
    except BaseException as failed:  # also KeyboardInterrupt: no backup without an export stays
        _drop_backup(folder, made_folders, failed)
        raise
    return receipt


def receipts(game: Game) -> tuple[ExportReceipt, ...]:
    """Return the receipts of all exports into a game, the newest first, with those taken back.

    A folder without a receipt is from an export that never began. Raises ProblemError if the
    backups cannot be listed.
    """
    folder = game.root.resolve() / BACKUPS
    try:
        paths = [backup / RECEIPT for backup in folder.iterdir() if (backup / RECEIPT).is_file()]
    except FileNotFoundError:
        return ()
    except OSError as failed:
        raise problem_error(
            "not-read", f"The backups could not be read: {words_of(failed)}", path=str(folder)
        ) from failed
    result = []
    paths.sort(key=_age_key, reverse=True)
    for path in paths[:MAX_RECEIPTS]:
        try:
            result.append(read_receipt(path))
        except ProblemError as failed:
            result.append(ExportReceipt(path, problem=failed.problems[0]))
    return tuple(result)


def _age_key(receipt_path: Path) -> tuple[bool, Path]:
    """Return the key by which the newest backup comes last; names begin with their times.

    A folder whose name says no time is not ours, and comes before all of ours.
    """
    has_time = time_of_name(receipt_path.parent.name) is not None
    return has_time, receipt_path


def take_back_newest(game: Game) -> ExportReceipt:
    """Undo the newest export into a game that is not yet taken back, as ``take_back``.

    A damaged receipt does not stand in the way of the one before it. Unfinished backups of any age
    are removed: a person who takes an export back does not export with another program meanwhile.
    """
    _drop_unfinished(game.root.resolve() / BACKUPS)
    return take_back(_newest(game).path)


def take_back(receipt_path: Path) -> ExportReceipt:
    """Undo the export of a receipt.json, and return the receipt, which says so from now on.

    Replaced files are restored, new ones removed, and so are temporary files of an export that was
    killed. Raises ProblemError, and changes nothing, if a file is neither as it was exported nor as
    it was before.
    """
    receipt = read_receipt(receipt_path)
    if receipt.taken_back:
        raise problem_error(
            "taken-back", "This export has been taken back already", path=str(receipt.path)
        )

    # Plan all changes first: nothing is changed if one file cannot be.
    root = receipt.root.resolve()
    changes = [_undo_of(file, receipt, root) for file in receipt.files]
    _require_inside(root, [change.path for change in changes])
    undone = replace(receipt, taken_back=True)
    receipt_change = Change(receipt.path, current_bytes(receipt.path), _as_json(undone))

    # Remove the temporary files of this export, or of taking it back, if that was killed before.
    key_of_export = receipt.path.parent.name
    key = f"{key_of_export} back"
    for key_of_files in (key_of_export, key):
        drop_temporary([change.path for change in (*changes, receipt_change)], key_of_files)

    change_together(changes, key)
    remove_folders([root / folder for folder in receipt.folders])
    try:  # last: until the receipt says so, whoever was killed can do all of it again
        change_together([receipt_change], key)
    except BaseException:
        change_together([Change(change.path, change.after, change.before) for change in changes])
        raise
    return undone


def read_receipt(path: Path) -> ExportReceipt:
    """Return a receipt.json. Raises ProblemError if it is missing or damaged."""
    data = read_file(path, MAX_BYTES)
    try:
        return _receipt_of(path.absolute(), parse_json(data, largest=MAX_BYTES))
    except ValueError as failed:
        raise problem_error(
            "bad-receipt", "This receipt of an export is damaged", path=str(path)
        ) from failed


def _newest(game: Game) -> ExportReceipt:
    """Return the newest receipt of a game that can be taken back. Raises ProblemError."""
    all_receipts = receipts(game)
    for receipt in all_receipts:
        if receipt.problem is None and not receipt.taken_back:
            return receipt
    damaged = [receipt.problem for receipt in all_receipts if receipt.problem is not None]
    if damaged:
        raise ProblemError(damaged[0])
    raise problem_error("no-export", "There is no export that could be taken back")


# --- the receipt's folder -----------------------------------------------------------------------


def _drop_backup(folder: Path | None, made_folders: Sequence[Path], failed: BaseException) -> None:
    """Remove the backup of a failed export, unless a file of the game could not be put back.

    Then the user needs the old file in it. ``made_folders`` are the parents that were made for it.
    """
    if isinstance(failed, ProblemError):
        codes = {problem.code for problem in failed.problems}
        if "not-put-back" in codes:
            return
    if folder is not None:
        with contextlib.suppress(OSError):
            shutil.rmtree(folder)
    remove_folders(made_folders)


def _drop_unfinished(backups: Path, min_age_s: float = 0.0) -> None:
    """Remove the unfinished backups that are at least ``min_age_s`` seconds old.

    What cannot be removed now stays for the next time.
    """
    try:
        unfinished = [backup for backup in backups.iterdir() if not (backup / RECEIPT).exists()]
    except OSError:
        return  # there are no backups, or they cannot be read now
    for folder in unfinished:
        is_aside = folder.name.startswith(_ASIDE)  # its removal was interrupted
        if not is_aside and time_of_name(folder.name) is None:
            continue  # it is not ours
        with contextlib.suppress(OSError):
            age_s = time.time() - folder.stat().st_mtime
            if age_s >= min_age_s:
                _remove_unless_finished(folder, is_aside=is_aside)
    if unfinished:
        remove_folders([backups])


def _remove_unless_finished(folder: Path, *, is_aside: bool) -> None:
    """Remove an unfinished backup, unless another program is finishing it just now.

    No game is damaged even then:

    1. The backup gets the name of one that is being removed (``is_aside``: it has that already).
    2. Has the other program written the receipt before? Then the backup gets its name back.
    3. If not, its export fails when it writes the receipt, and the backup is removed.

    Raises OSError.
    """
    aside = folder
    if not is_aside:
        aside = folder.with_name(f"{_ASIDE}{folder.name}")
        folder.rename(aside)
    if (aside / RECEIPT).exists():
        aside.rename(folder)
    else:
        shutil.rmtree(aside, ignore_errors=True)


def _new_folder(backups: Path, moment: datetime) -> Path:
    """Return a new folder whose name comes after those of all earlier exports.

    Raises ProblemError.
    """
    stamp = next_name((backup.name for backup in backups.iterdir()), moment)
    folder = backups / stamp
    for number in range(MAX_SAME_TIMES):
        if number:  # another program has just taken the name
            folder = backups / f"{stamp}-{number:02}"
        try:
            folder.mkdir()
            sync_folder(backups)
        except FileExistsError:
            continue
        except OSError as failed:
            raise problem_error(
                "not-written",
                f"The backup could not be made: {words_of(failed)}",
                path=str(folder),
            ) from failed
        return folder
    raise problem_error("not-written", "The backup could not be made", path=str(folder))


def _write_backup(folder: Path, root: Path, plan: ExportPlan, moment: datetime) -> ExportReceipt:
    """Write the old files of an export and its receipt into ``folder``, and return the receipt."""
    files = []
    folders: dict[str, None] = {}  # as an ordered set
    for number, file in enumerate(plan.files):
        relative_path = file.path.relative_to(root)
        backup = None
        old_digest = None
        if file.old is not None:
            backup = f"{number}-{file.path.name}.bak"
            old_digest = _digest(file.old)
            write_atomically(folder / backup, file.old)
        # Folders that the export will make, the outer ones first. The last parent is the root.
        for parent in reversed(relative_path.parents[:-1]):
            if not (root / parent).exists():
                folders[parent.as_posix()] = None
        new_digest = _digest(file.data)
        files.append(ReceiptFile(relative_path.as_posix(), backup, old_digest, new_digest))
    receipt = ExportReceipt(
        path=folder / RECEIPT,
        time=moment.isoformat(timespec="seconds"),
        group=plan.group,
        slots=plan.slots,
        files=tuple(files),
        folders=tuple(folders),
    )
    write_atomically(receipt.path, _as_json(receipt))
    return receipt


def _as_json(receipt: ExportReceipt) -> bytes:
    """Return the content of a receipt's file."""
    return (json.dumps(plain_fields(receipt, names=_STORED), indent=1) + "\n").encode()


def _receipt_of(path: Path, record: object) -> ExportReceipt:
    """Return a receipt from its JSON. Raises ValueError for damaged data."""
    receipt = ExportReceipt(path, **read_fields(_STORED, record, "the receipt"))
    for file in receipt.files:
        if (file.backup is None) != (file.old_sha256 is None):
            raise ValueError("a backup without its digest")
        if file.backup is not None and fault_in_name(file.backup, MAX_COMPONENT) is not None:
            raise ValueError("a backup that lies elsewhere")
        for digest in (file.old_sha256, file.new_sha256):
            if digest is not None and not _DIGEST.fullmatch(digest):
                raise ValueError("a digest that is none")
    for relative_path in (*(file.place for file in receipt.files), *receipt.folders):
        _check_place(relative_path)
    for text in (receipt.time, receipt.group, *receipt.slots):
        if fault_in_text(text):
            raise ValueError("a text that is none")
    return receipt


def _check_place(relative_path: str) -> None:
    """Raise ValueError unless it is a path below the game's directory.

    A receipt may come from anywhere: it must not make the program write elsewhere.
    """
    if any(fault_in_name(part, MAX_COMPONENT) is not None for part in relative_path.split("/")):
        raise ValueError(relative_path)


def _undo_of(file: ReceiptFile, receipt: ExportReceipt, root: Path) -> Change:
    """Return the change that undoes one file. Raises ProblemError if it has been changed since."""
    path = root.joinpath(*file.place.split("/"))
    current_data = current_bytes(path)
    old_data = None
    if file.backup is not None:
        old_data = current_bytes(receipt.path.parent / file.backup)
        if old_data is None:
            message = f"The backup of {path.name} is not there; nothing was changed"
            raise problem_error("not-read", message, path=str(path))
    if old_data is not None and _digest(old_data) != file.old_sha256:
        raise problem_error(
            "bad-receipt", f"The backup of {path.name} is damaged; nothing was changed"
        )
    # It may be as before the export already, if taking it back was interrupted.
    digest = None
    if current_data is not None:
        digest = _digest(current_data)
    if digest not in (file.new_sha256, file.old_sha256):
        raise problem_error(
            "changed-since",
            f"{path.name} has been changed since it was exported; nothing was taken back",
            path=str(path),
        )
    return Change(path, before=current_data, after=old_data)


def _require_inside(root: Path, paths: Sequence[Path]) -> None:
    """Raise ProblemError if links lead a path out of the game's directory."""
    outside = [path for path in paths if not path.resolve().is_relative_to(root)]
    problems = []
    for path in outside:
        message = f"{path.name} would land outside the game's directory, through a link"
        problems.append(Problem(Severity.ERROR, "outside", message, str(path)))
    if problems:
        raise ProblemError(problems)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
