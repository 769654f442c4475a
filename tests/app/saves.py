"""Saving, leaving and other actions as steps that are over when a test goes on."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtTest import QTest

from app.background.actions import run


def finished(action: Coroutine[Any, Any, Any]) -> Any:
    """Run an action of the program to its end; returns its value, or raises what has ended it."""
    values: list[object] = []
    faults: list[Exception] = []

    async def tell_end() -> None:
        try:
            values.append(await action)
        except Exception as fault:  # noqa: BLE001 - raised below, in the test
            faults.append(fault)

    run(tell_end())
    while not (values or faults):
        QTest.qWait(5)
    if faults:
        raise faults[0]
    return values[0]


async def agree() -> bool:
    """Return True: in the place of a question that a test is not about."""
    return True


def saved(
    save: Callable[..., Coroutine[Any, Any, bool]], *arguments: object, **options: object
) -> bool:
    """Whether a coroutine of ``Saving`` has written its map; waits until it is over."""
    is_saved: bool = finished(save(*arguments, **options))
    return is_saved


def left(files, *maps: object) -> bool:
    """Whether open maps (none: all) may be left, as the user says; waits until they are saved."""
    may_leave: bool = finished(
        files.closing.confirm_leaving(maps) if maps else files.closing.confirm_leaving_all()
    )
    return may_leave
