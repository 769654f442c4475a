"""Saving and leaving as steps that are over when a test goes on."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtTest import QTest

from app.background.actions import run


def saved(save: Callable[..., object], *arguments: object, **options: object) -> bool:
    """Whether a call of ``Saving`` has written its map; waits until it is over."""
    outcome: list[bool] = []
    save(*arguments, then=outcome.append, **options)
    _wait(outcome)
    return outcome[0]


def left(files, *maps: object) -> bool:
    """Whether open maps (none: all) may be left, as the user says; waits until they are saved."""
    outcome: list[bool] = []
    idle: list[bool] = []

    def leave() -> None:
        outcome.append(True)

    if maps:
        files.leave(maps, leave)
    else:
        files.leave_all(leave)

    async def wait_for_answer() -> None:
        async with files.asking:
            idle.append(True)

    run(wait_for_answer())
    _wait(idle)
    return bool(outcome)


def _wait(for_: list[bool]) -> None:
    while not for_:
        QTest.qWait(5)
