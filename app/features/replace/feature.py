"""The command *Find and replace*: one undo step in each map."""

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
    from randomizer.geometry.replacement import MapReplacement, Replacement

TEXT = "Find and replace"

MAP = "map"
SELECTION = "selection"
ALL = "all"
"""Where is replaced: on the current map, in its selection, on all open maps."""


def make(desk: Desk) -> None:
    """Add the command."""
    replacing = Replacing(desk)
    desk.commands.add(
        [
            Command(
                "edit.find-and-replace",
                "Find and &replace...",
                replacing.ask,
                "One terrain, {side}, elevation, route or text by another, in one or all open maps",
                "Ctrl+Alt+F",
                words="exchange swap change terrains search",
            )
        ]
    )


class Replacing:
    """Asks what is replaced where, and does it; large maps off the UI thread."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._work = LargeWork(desk)

    def ask(self) -> None:
        """Open the dialog."""
        from app.features.replace.dialog import ReplaceDialog

        ReplaceDialog(self._desk, self._replace, (MAP, SELECTION, ALL)).open()

    def _replace(self, replacement: Replacement, where: str) -> None:
        run(self._replace_where(replacement, where))

    async def _replace_where(self, replacement: Replacement, where: str) -> None:
        """Replace in the current map, its selection, or all open maps."""
        from randomizer.geometry.replacement import replace_in_map

        document = self._desk.document
        if where == ALL:
            maps = document.maps
        else:
            maps = (document.current_map,)
        cells = document.selection.cells if where == SELECTION else None
        # Edits are tried out one after the other: on copies, since that may be another thread.
        copies = [opened.battlemap.snapshot() for opened in maps]

        def work() -> list[MapReplacement | str]:
            results: list[MapReplacement | str] = []
            for copy in copies:
                try:
                    results.append(replace_in_map(copy, [replacement], cells))
                except ProblemError as failed:
                    if len(copies) == 1:
                        raise
                    results.append(failed.problems[0].message)
            return results

        amount = sum(opened.battlemap.grid.size for opened in maps)
        results = await self._work.result(TEXT, work, amount)
        self._push(maps, replacement, results)

    def _push(
        self,
        maps: tuple[OpenMap, ...],
        replacement: Replacement,
        results: list[MapReplacement | str],
    ) -> None:
        """Put each edit into its map as one undo step, and say how much was replaced."""
        document = self._desk.document
        current_map = document.current_map
        texts = []
        for opened, result in zip(maps, results, strict=True):
            if isinstance(result, str):
                text = result
            else:
                document.make_current(opened)
                title = f"Replace {replacement.old} by {replacement.new or 'nothing'}"
                done = document.push(result.edit, title)
                text = f"{counted(result.count if done else 0, 'value')} replaced"
                if result.locked:
                    text += f" (locked, and as before: {', '.join(result.locked)})"
            texts.append(text if len(maps) == 1 else f"{document.name_of(opened)}: {text}")
        document.make_current(current_map)
        self._desk.say("; ".join(texts))
