"""What a killed desk left is exactly what it had announced: looked at with the code of recovery."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

from tests.end_to_end.kills.desk import digest
from tests.end_to_end.kills.intentions import Expected, History, Step, digest_of

_TEMPORARY = re.compile(r"\.battlelands-[0-9a-f]{16}\.tmp")
_GAME = "user/game"
_BACKUPS = ".battlelands-backups"


def check(disk: Path, expected: Expected) -> str:
    """Raises AssertionError where anything is lost, damaged or left over; else what was found.

    ``disk`` is a copy: looking changes it.
    """
    _check_files(disk, expected)
    _check_backups(disk, expected)
    _check_drafts(disk, expected)
    found = _check_journals(disk, expected)
    _check_taking_back(disk, expected)
    _sweep(disk)
    return found


def _sweep(disk: Path) -> None:
    """As an hour later the next write in each folder does it: temporary files go."""
    from randomizer.storage.disk.atomic import ABANDONED_S, write_atomically

    old = time.time() - ABANDONED_S - 60
    left = [path for path in disk.rglob(".*.tmp") if _TEMPORARY.fullmatch(path.name)]
    for beside in left:
        os.utime(beside, (old, old))
    for folder in {beside.parent for beside in left}:
        write_atomically(folder / "probe", b"")
        (folder / "probe").unlink()
    assert not any(beside.exists() for beside in left), "a temporary file stays for ever"


def _name(path: Path, disk: Path) -> str:
    return path.relative_to(disk).as_posix()


def _check_files(disk: Path, expected: Expected) -> None:
    for name, digests in expected.files.items():
        path = disk / name
        now = digest_of(path.read_bytes() if path.exists() else None)
        assert now in digests, f"{name} is neither as before nor as after"
    for path in (disk / "user").rglob("*"):
        name = _name(path, disk)
        known = name in expected.files or name in ORIGINALS or _TEMPORARY.fullmatch(path.name)
        assert known or path.is_dir() or _BACKUPS in path.parts, f"{name} was never announced"


ORIGINALS = {
    "user/Testmarsh.rnd",
    *(f"{_GAME}/Default/{name}" for name in ("DefaultVar.xml", "Battlelands/Marsh.xml")),
}


def _check_backups(disk: Path, expected: Expected) -> None:
    """What a map's file held before is in the backups as soon as it holds something else."""
    paths = (disk / "data/backups").rglob("*")
    kept = [path for path in paths if path.is_file() and not _TEMPORARY.fullmatch(path.name)]
    digests = {digest_of(path.read_bytes()) for path in kept}
    known = {each for past in expected.past.values() for each in past}
    assert digests <= known, "a backup is of no file"
    for name, past in expected.past.items():
        path = disk / name
        if name.startswith("user/map") and past[-1] is not None:
            now = digest_of(path.read_bytes())
            assert now == past[-1] or past[-1] in digests, f"{name} was replaced without a backup"


def _check_drafts(disk: Path, expected: Expected) -> None:
    from randomizer.storage.journal.drafts import DRAFTS, leftover_drafts

    drafts, problems = leftover_drafts(disk / "data/journals" / DRAFTS)
    for file, _ in drafts:
        file.close()
    assert not problems, problems
    texts = [digest_of(draft.text.encode()) for _, draft in drafts] or [None]
    assert len(texts) == 1, "a draft is offered twice"
    assert texts[0] in expected.drafts, "what was typed is neither as before nor as after"


def _check_journals(disk: Path, expected: Expected) -> str:
    from randomizer.storage.journal.recoverable_journals import leftovers

    found, problems = leftovers(disk / "data/journals")
    assert not problems, problems
    keys: list[str] = []
    words = {"as before" if expected.action else "as acknowledged"}
    try:
        for journal in found:
            history = _history(journal)
            key = expected.map_of(journal.folder.name, history)
            assert key is not None, (
                f"a journal is neither as before {expected.action or 'the kill'} nor as after:\n"
                f"  {_words(history)}\n"
                + "".join(f"  map {key}: {words}\n" for key, words in _allowed(expected))
            )
            keys.append(key)
            allowed = expected.maps[key].allowed
            if len(allowed) > 1 and history == allowed[-1]:
                words = {"as after"}
    finally:
        for journal in found:
            journal.close()
    assert len(set(keys)) == len(keys), "a map is offered twice"
    for key, known in expected.maps.items():
        empty = any(len(history.steps) == 1 for history in known.allowed)
        assert key in keys or empty or known.closing, f"map {key} is gone with its steps"
    return " ".join(words)


def _words(history: History) -> str:
    steps = " ".join(f"{step.text!r:.20}:{step.digest:.4}" for step in history.steps)
    return f"{history.position} steps done, {history.saved} saved: {steps}"


def _allowed(expected: Expected) -> list[tuple[str, str]]:
    maps = expected.maps.items()
    return [(key, _words(history)) for key, known in maps for history in known.allowed]


def _history(journal) -> History:
    """All that a journal has of its map, every step undone once."""
    battlemap = journal.battlemap()
    records = journal.steps()
    digests = [digest(battlemap)]
    for number in range(journal.count, 0, -1):
        journal.edit(number, battlemap, done=True).inverse().apply(battlemap)
        digests.append(digest(battlemap))
    first, *later = reversed(digests)
    steps = [
        Step(record.text, record.old_active, record.new_active, each)
        for record, each in zip(records, later, strict=True)
    ]
    return History((Step("", 0, 0, first), *steps), journal.position, journal.saved)


def _check_taking_back(disk: Path, expected: Expected) -> None:
    """Every export can be taken back, the newest first, until the game is as it was."""
    from randomizer.catalog.catalog import usual_game_host
    from randomizer.storage.exports.export_backups import receipts, take_back

    host = usual_game_host()
    game = host.open_game(disk / _GAME)
    for receipt in receipts(game):
        assert receipt.problem is None, receipt.problem
        if not receipt.taken_back:
            take_back(game)
    for name, past in expected.past.items():
        if name.startswith(_GAME):
            path = disk / name
            now = digest_of(path.read_bytes() if path.exists() else None)
            assert now == past[0], f"{name} is not as it was before all exports"
    left = [path for path in (disk / _GAME).rglob(".*.tmp") if _BACKUPS not in path.parts]
    assert not left, "a temporary file of an export stays when it is taken back"
