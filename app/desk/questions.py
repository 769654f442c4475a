"""Questions that features ask when the user closes the window, or writes or reads a file.

A feature adds a coroutine function, and the desk awaits it at its time; it may show a dialog::

    desk.questions.add_before_closing(confirm_leaving_all)      # the feature of files
    if await desk.questions.may_close():                        # the window
        self.close()
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from randomizer.formats.results import ReadResult


class Questions:
    """The questions of all features; those of one kind are asked in the order of their adding."""

    def __init__(self) -> None:
        self._before_closing: list[Callable[[], Awaitable[bool]]] = []
        self._before_writing: list[Callable[[Path, OpenMap], Awaitable[bool]]] = []
        self._after_reading: list[Callable[[Path, ReadResult], Awaitable[ReadResult]]] = []

    # --- before the window closes -----------------------------------------------------------

    def add_before_closing(self, may_close: Callable[[], Awaitable[bool]]) -> None:
        """Await ``may_close`` before the window closes; False keeps it open."""
        self._before_closing.append(may_close)

    async def may_close(self) -> bool:
        """Return whether the window may close; the user is asked about unsaved work."""
        for may_close in self._before_closing:
            if not await may_close():
                return False
        return True

    # --- before a map is written ------------------------------------------------------------

    def add_before_writing(self, may_write: Callable[[Path, OpenMap], Awaitable[bool]]) -> None:
        """Await ``may_write`` before a map is written to a file that the user has just named.

        False leaves it unwritten.
        """
        self._before_writing.append(may_write)

    async def may_write(self, path: Path, open_map: OpenMap) -> bool:
        """Return whether an open map may be written there; the user is asked."""
        for may_write in self._before_writing:
            if not await may_write(path, open_map):
                return False
        return True

    # --- after a file was read --------------------------------------------------------------

    def add_after_reading(
        self, complete: Callable[[Path, ReadResult], Awaitable[ReadResult]]
    ) -> None:
        """Await ``complete`` with what was read of a file; it may return something better.

        It raises Stopped if the user does not want the file any more.
        """
        self._after_reading.append(complete)

    async def completed(self, path: Path, result: ReadResult) -> ReadResult:
        """Return what was read of a file, completed by the answers of the user, who may be asked.

        Raises Stopped if the user does not want the file any more.
        """
        for complete in self._after_reading:
            result = await complete(path, result)
        return result
