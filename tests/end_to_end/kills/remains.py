"""Checks that what a killed desk left is what it had announced, with the code of recovery.

    check(copy_of_disk, expected)        # AssertionError for anything lost, damaged or left over

``Expected`` (``intentions``) has for each file and map the states in which it may be: the one
before the action that was interrupted, and the one after it.
"""

from __future__ import annotations

import os
import re
import time
from itertools import chain
from pathlib import Path

from tests.end_to_end.kills.desk import digest
from tests.end_to_end.kills.intentions import Expected, History, Step, digest_of

_TEMPORARY = re.compile(r"\.battlelands-[0-9a-f]{16}\.tmp")
"""The name of a temporary file beside one that is written."""

_GAME = "user/game"
"""The folder of the game, into which maps are exported."""

_BACKUPS = ".battlelands-backups"
"""The folder of the backups of exports, in that of the game."""

ORIGINALS = {
    "user/Testmarsh.rnd",
    f"{_GAME}/Default/DefaultVar.xml",
    f"{_GAME}/Default/Battlelands/Marsh.xml",
}
"""The files that were there before the desk was started."""


def check(disk: Path, expected: Expected) -> str:
    """Check all that is on a disk, and return in which of its states it is: "as before", ...

    Raises AssertionError where anything is lost, damaged or left over. ``disk`` is a copy, which is
    changed: recovery takes what it finds.
    """
    _check_files(disk, expected)
    _check_backups(disk, expected)
    _check_drafts(disk, expected)
    state = _check_journals(disk, expected)
    _check_taking_back(disk, expected)
    _check_sweeping(disk)
    return state


def _digest_at(path: Path) -> str | None:
    """Return the digest of a file; that of None if there is none."""
    data = None
    if path.exists():
        data = path.read_bytes()
    return digest_of(data)


def _check_sweeping(disk: Path) -> None:
    """Check that the next write in a folder, an hour later, removes its temporary files."""
    from randomizer.storage.disk.atomic import ABANDONED_S, write_atomically

    old = time.time() - ABANDONED_S - 60
    temporary_files = [path for path in disk.rglob(".*.tmp") if _TEMPORARY.fullmatch(path.name)]
    for path in temporary_files:
        os.utime(path, (old, old))
    for folder in {path.parent for path in temporary_files}:
        write_atomically(folder / "probe", b"")
        (folder / "probe").unlink()
    assert not any(path.exists() for path in temporary_files), "a temporary file stays for ever"


def _check_files(disk: Path, expected: Expected) -> None:
    """Check that files of the user are in an expected state, and that there are no others."""
    for name, digests in expected.files.items():
        assert _digest_at(disk / name) in digests, f"{name} is neither as before nor as after"
    for path in (disk / "user").rglob("*"):
        if path.is_dir() or _BACKUPS in path.parts or _TEMPORARY.fullmatch(path.name):
            continue
        name = path.relative_to(disk).as_posix()
        assert name in expected.files or name in ORIGINALS, f"{name} was never announced"


def _check_backups(disk: Path, expected: Expected) -> None:
    """Check that the former content of a map's file is in the backups once it is replaced."""
    digests = set()
    for path in (disk / "data/backups").rglob("*"):
        if path.is_file() and not _TEMPORARY.fullmatch(path.name):
            digests.add(digest_of(path.read_bytes()))
    former_digests = set(chain.from_iterable(expected.past.values()))
    assert digests <= former_digests, "a backup is of no file"
    for name, past in expected.past.items():
        last_digest = past[-1]
        if not name.startswith("user/map") or last_digest is None:
            continue
        is_unchanged = digest_of((disk / name).read_bytes()) == last_digest
        assert is_unchanged or last_digest in digests, f"{name} was replaced without a backup"


def _check_drafts(disk: Path, expected: Expected) -> None:
    """Check that the text that was typed into a script is offered once, as it was."""
    from randomizer.storage.journal.drafts import DRAFTS, leftover_drafts

    drafts, problems = leftover_drafts(disk / "data/journals" / DRAFTS)
    for file, _ in drafts:
        file.close()
    assert not problems, problems
    texts = [digest_of(draft.text.encode()) for _, draft in drafts] or [None]
    assert len(texts) == 1, "a draft is offered twice"
    assert texts[0] in expected.drafts, "what was typed is neither as before nor as after"


def _check_journals(disk: Path, expected: Expected) -> str:
    """Check that each map with steps is offered once, with an allowed history; return the state."""
    from randomizer.storage.journal.recoverable_journals import leftovers

    journals, problems = leftovers(disk / "data/journals")
    assert not problems, problems
    keys: list[str] = []
    state = "as acknowledged"
    if expected.action:
        state = "as before"
    try:
        for journal in journals:
            history = _history(journal)
            key = expected.map_of(journal.folder.name, history)
            assert key is not None, _unexpected(history, expected)
            keys.append(key)
            allowed = expected.maps[key].allowed
            if len(allowed) > 1 and history == allowed[-1]:
                state = "as after"
    finally:
        for journal in journals:
            journal.close()
    assert len(set(keys)) == len(keys), "a map is offered twice"
    for key, expected_map in expected.maps.items():
        # The journal of a map without steps, or of one that is being closed, may be gone.
        may_be_empty = any(len(history.steps) == 1 for history in expected_map.allowed)
        is_optional = may_be_empty or expected_map.closing
        assert key in keys or is_optional, f"map {key} is gone with its steps"
    return state


def _unexpected(history: History, expected: Expected) -> str:
    """Return the message for a history that is none of the allowed ones, with all of these."""
    action = expected.action or "the kill"
    lines = [
        f"a journal is neither as before {action} nor as after:",
        f"  {_text_of(history)}",
    ]
    for key, expected_map in expected.maps.items():
        for allowed_history in expected_map.allowed:
            lines.append(f"  map {key}: {_text_of(allowed_history)}")
    return "\n".join(lines)


def _text_of(history: History) -> str:
    """Return a history in a line."""
    steps = " ".join(f"{step.text!r:.20}:{step.digest:.4}" for step in history.steps)
    return f"{history.position} steps done, {history.saved} saved: {steps}"


def _history(journal) -> History:
    """Return the history in a journal, with the digest of the map after each step."""
    # From the last step back to the first, as a journal holds the map as it is now.
    battlemap = journal.restore_map()
    records = journal.steps_without_edits()
    digests = [digest(battlemap)]
    for number in range(journal.count, 0, -1):
        journal.edit(number, battlemap, done=True).inverse().apply(battlemap)
        digests.append(digest(battlemap))
    digests.reverse()
    steps = [Step("", 0, 0, digests[0])]
    for record, digest_after_step in zip(records, digests[1:], strict=True):
        step = Step(record.text, record.old_active, record.new_active, digest_after_step)
        steps.append(step)
    saved = -1 if journal.saved is None else journal.saved
    return History(tuple(steps), journal.position, saved)


def _check_taking_back(disk: Path, expected: Expected) -> None:
    """Check that all exports can be taken back, the newest first, until the game is as it was."""
    from randomizer.catalog.systems import usual_game_host
    from randomizer.storage.exports.export_backups import receipts, take_back_newest

    host = usual_game_host()
    game = host.open_game(disk / _GAME)
    for receipt in receipts(game):
        assert receipt.problem is None, receipt.problem
        if not receipt.taken_back:
            take_back_newest(game)
    for name, past in expected.past.items():
        if name.startswith(_GAME):
            is_restored = _digest_at(disk / name) == past[0]
            assert is_restored, f"{name} is not as it was before all exports"
    temporary_files = [
        path for path in (disk / _GAME).rglob(".*.tmp") if _BACKUPS not in path.parts
    ]
    assert not temporary_files, "a temporary file of an export stays when it is taken back"
