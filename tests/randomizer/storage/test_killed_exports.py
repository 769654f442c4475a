"""An export that is killed at any call leaves nothing that taking it back does not remove."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from randomizer.model.problems import ProblemError
from randomizer.storage.disk.atomic import ABANDONED_S
from randomizer.storage.exports.export_backups import (
    BACKUPS,
    commit_export,
    receipts,
    take_back_newest,
)
from randomizer.systems.colossus.game.directory import GameDirectory
from randomizer.systems.colossus.game.export import plan_exports
from tests.randomizer.systems.colossus.game_on_disk import battleland, make_game

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and signals of POSIX")

MAP = battleland("Moor").encode()
CHANGES = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.chmod"}


def killed_at(call: int, work: Callable[[], object]) -> bool:
    """Do the work in a child that is killed at a call that changes the disk; False: it ended."""
    child = os.fork()
    if child:
        return os.WIFSIGNALED(os.waitpid(child, 0)[1])
    try:
        calls = 0

        def note(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal calls
            is_change = event in CHANGES and (
                event != "open" or (isinstance(arguments[2], int) and arguments[2] & os.O_WRONLY)
            )
            if is_change or event == "test.fsync":
                calls += 1
                if calls == call:
                    os.kill(os.getpid(), signal.SIGKILL)

        fsync = os.fsync

        def noted(handle: int) -> None:
            sys.audit("test.fsync", handle)
            fsync(handle)

        os.fsync = noted
        sys.addaudithook(note)
        work()
    finally:
        os._exit(0)


def state(root: Path) -> dict[str, bytes | None]:
    """All files and folders of the game without the backups that say they are taken back."""
    known = {receipt.path.parent for receipt in receipts(GameDirectory.open(root))}
    return {
        path.relative_to(root).as_posix(): path.read_bytes() if path.is_file() else None
        for path in root.rglob("*")
        if (path.name != BACKUPS and not {path, *path.parents} & known)
        or path.name.endswith(".tmp")
    }


def exported(root: Path) -> object:
    game = GameDirectory.open(root)
    return commit_export(plan_exports(game, {"Plains": MAP, "Moor": MAP}, "MyLands"))


def back(root: Path) -> None:
    """Take back what there is."""
    with suppress(ProblemError):  # there may be nothing, or it is taken back
        take_back_newest(GameDirectory.open(root))


@pytest.mark.deep
@pytest.mark.parametrize("killed", ["export", "taking back"])
def test_whatever_a_killed_export_left_is_gone_when_it_is_taken_back(
    tmp_path: Path, killed: str
) -> None:
    call = 1
    kills = 0
    while True:
        root = make_game(tmp_path / str(call))
        before = state(root)
        if killed == "taking back":
            exported(root)
            was_killed = killed_at(call, lambda root=root: back(root))
        else:
            was_killed = killed_at(call, lambda root=root: exported(root))
        back(root)
        assert state(root) == before, f"killed at call {call}"
        if not was_killed:
            break
        call = call + 1
        kills = kills + 1
    assert kills > 15


def test_what_a_first_export_left_before_it_began_is_not_left_for_ever(tmp_path: Path) -> None:
    root = make_game(tmp_path / "game")
    left = root / BACKUPS / "20260101-000000-000000"
    left.mkdir(parents=True)
    (left / "0-Plains.xml.bak").write_bytes(b"old")
    other = root / BACKUPS / "of mine"
    other.mkdir()
    exported(root)
    assert left.exists(), "another program may be making it just now"
    old = time.time() - ABANDONED_S - 1
    os.utime(left, (old, old))
    exported(root)
    assert not left.exists()
    left.mkdir()
    take_back_newest(GameDirectory.open(root))
    assert not left.exists()
    assert other.exists()


@pytest.mark.parametrize("immovable", [1, 2, 3])
def test_what_cannot_be_removed_does_not_keep_the_rest(tmp_path: Path, immovable: int) -> None:
    root = make_game(tmp_path / "game")
    exported(root)
    names = [f"20260101-000000-00000{number}" for number in (1, 2, 3)]
    for name in names:
        (root / BACKUPS / name).mkdir()
    stays = names[immovable - 1]
    (root / BACKUPS / f".unfinished-{stays}").write_bytes(b"a file in the way")
    take_back_newest(GameDirectory.open(root))
    assert [name for name in names if (root / BACKUPS / name).exists()] == [stays]
