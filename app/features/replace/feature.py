"""The command *Find and replace*: it replaces values on the current map, or on all open ones.

``Replacing.open_dialog`` opens the dialog, which calls ``_start``. The edit of each map is
one undo step of that map; large maps are worked on by another thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.background.actions import run
from app.commands.commands import Command
from app.desk.desk import Desk
from app.desk.large_work import LargeWork
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from app.features.replace.dialog import Scope
    from randomizer.geometry.replacement import MapReplacement
    from randomizer.geometry.replacement_names import Replacement

WORK_NAME = "Find and replace"
"""The name of the work, which the status bar shows while it takes time."""


def make(desk: Desk) -> None:
    """Add the command."""
    replacing = Replacing(desk)
    desk.commands.add(
        [
            Command(
                "edit.find-and-replace",
                "Find and &replace...",
                replacing.open_dialog,
                "One terrain, {side}, elevation, route or text by another, in one or all open maps",
                "Ctrl+Alt+F",
                words="exchange swap change terrains search",
            )
        ]
    )


class Replacing:
    """Asks for replacements, and applies them."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._work = LargeWork(desk)

    def open_dialog(self) -> None:
        """Open the dialog."""
        from app.features.replace.dialog import ReplaceDialog

        ReplaceDialog(self._desk, self._start).open()

    def _start(self, replacement: Replacement, scope: Scope) -> None:
        """Replace a value; what takes time goes on when this call returns."""
        run(self._replace(replacement, scope))

    async def _replace(self, replacement: Replacement, scope: Scope) -> None:
        """Replace a value in the current map, its selection, or all open maps."""
        from app.features.replace.dialog import Scope
        from randomizer.geometry.replacement import replace_in_map

        document = self._desk.document
        maps: tuple[OpenMap, ...] = (document.current_map,)
        cells = None
        if scope is Scope.ALL:
            maps = document.maps
        elif scope is Scope.SELECTION:
            cells = document.selection.cells
        # The work changes the maps while it tries out edits, and another thread may do it: it gets
        # copies.
        copies = [open_map.battlemap.snapshot() for open_map in maps]

        def work() -> list[MapReplacement | str]:
            """Return the replacement of each map, or a message why it cannot be made."""
            results: list[MapReplacement | str] = []
            for copy in copies:
                try:
                    results.append(replace_in_map(copy, [replacement], cells))
                except ProblemError as failed:
                    if len(copies) == 1:
                        raise  # ``LargeWork`` tells it
                    results.append(failed.problems[0].message)
            return results

        cell_count = sum(open_map.battlemap.grid.size for open_map in maps)
        # ``LargeWork`` ends this action if the current map is changed or closed meanwhile. Others
        # can be closed, but not changed.
        results = await self._work.result(WORK_NAME, work, cell_count)
        self._push_edits(maps, replacement, results)

    def _push_edits(
        self,
        maps: tuple[OpenMap, ...],
        replacement: Replacement,
        results: list[MapReplacement | str],
    ) -> None:
        """Put each edit into its map as one undo step, and tell how many values were replaced.

        Each map is the current one while its edit is put in. A result that is a str is the reason
        why nothing can be replaced on its map.
        """
        document = self._desk.document
        current_map = document.current_map
        new = replacement.new
        if not new:
            new = "nothing"
        title = f"Replace {replacement.old} by {new}"
        texts = []
        for open_map, result in zip(maps, results, strict=True):
            if open_map not in document.maps:
                continue  # it was closed meanwhile
            if isinstance(result, str):
                text = result
            else:
                document.make_current(open_map)
                is_done = document.push(result.edit, title)
                text = _result_text(result, is_done=is_done)
            if len(maps) > 1:
                text = f"{document.name_of(open_map)}: {text}"
            texts.append(text)
        document.make_current(current_map)
        self._desk.say("; ".join(texts))


def _result_text(result: MapReplacement, *, is_done: bool) -> str:
    """Return a text on the number of values replaced on a map, and on its locked layers."""
    count = 0
    if is_done:
        count = result.count
    text = f"{counted(count, 'value')} replaced"
    if result.locked:
        text += f" (locked, and as before: {', '.join(result.locked)})"
    return text
