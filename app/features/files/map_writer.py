"""Writes a map to a file on another thread, after the questions that this needs.

``Saving`` has one ``MapWriter``, for saved and for exported maps. Begin with ``write``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.background.actions import result
from app.background.jobs import Job
from app.desk.desk import Desk
from app.document.map_writing import (
    Consent,
    Saved,
    WouldLose,
    WouldReplace,
    Written,
    write_map,
)
from app.document.stored_viewport import stored_viewport
from app.widgets.dialogs.choice import choose, choose_with_box
from app.widgets.dialogs.problem_dialog import show_problems
from randomizer.formats import Format
from randomizer.model.basics.plurals import with_article
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.players_view import players_map
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from randomizer.formats import Look

WRITE_WITH_LOSSES = 0
"""The index of the answer that writes a file that loses something."""

MAKE_PROJECT = 1
"""The index of the answer that makes a project instead of such a file."""

REPLACE = 0
"""The index of the only answer by which files beside a map may be replaced."""

MOST_LOSSES = 12
"""So many lines of what a file loses are shown; further ones are counted."""


class ProjectChosen(Exception):  # noqa: N818 - an answer of the user
    """A file that would lose something is not written: the user chose to make a project."""


class MapWriter:
    """Writes maps to files; what these held before goes to the desk's backups."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def write(
        self,
        path: Path,
        open_map: OpenMap,
        *,
        always_keep: bool,
        chosen: Format | None,
        players: bool = False,
        exports: bool = False,
    ) -> Saved | None:
        """Write a map on another thread, after what is to be asked; None if it was not written.

        ``write_map`` writes nothing while there is something to ask: about files beside the map's
        that it would replace, then about what the format would lose. The user is asked, and it is
        called again with the answer, so that there are up to three rounds. The map is written as it
        was when this was called.

        ``always_keep``: back the old file up even if that was done lately. ``players``: write what
        players may see of the map. ``exports``: it is a copy, so that no project is offered in its
        place. Raises ProjectChosen if the user chooses to make a project.
        """
        battlemap = open_map.battlemap
        if players:
            battlemap = players_map(battlemap)
        battlemap = battlemap.snapshot()
        view = stored_viewport(open_map.viewport)
        consent = Consent(losing_formats=open_map.may_lose, replaceable=open_map.beside)
        while True:
            work = partial(
                write_map,
                battlemap,
                path,
                view,
                self._desk.backups,
                always_keep=always_keep,
                chosen=chosen,
                consent=consent,
                painter=_paint_tiles,
            )
            written = await self._do(work, path)
            if written is None:
                return None
            if isinstance(written, WouldReplace):
                if not await self._may_replace(path, written.names):
                    return None
                consent = replace(consent, replaceable=None)
            elif isinstance(written, WouldLose):
                index = await self._ask_about_losses(path, open_map, written, exports=exports)
                if index == MAKE_PROJECT:
                    open_map.flat = False
                    raise ProjectChosen
                if index is None:
                    return None
                consent = replace(consent, losing_formats=None)
            else:
                open_map.beside = {**open_map.beside, **written.beside}
                return written

    async def _do(self, work: Callable[[], Written], path: Path) -> Written | None:
        """Do the work on another thread; None if the file cannot be written: the user is told."""
        try:
            written: Written = await result(Job(partial(_work_of_job, work)))
        except ProblemError as reason:
            show_problems(self._desk.frame, f"Cannot save {path.name}", reason.problems)
            return None
        return written

    async def _ask_about_losses(
        self, path: Path, open_map: OpenMap, refusal: WouldLose, *, exports: bool
    ) -> int | None:
        """Ask what to do about a file that would lose something.

        Return ``WRITE_WITH_LOSSES``, ``MAKE_PROJECT`` (not offered for a copy, ``exports``), or
        None for Cancel. If the user wants no more questions about this map and format, the map
        remembers it (``OpenMap.may_lose``).
        """
        lines = [f"• {loss}" for loss in refusal.losses[:MOST_LOSSES]]
        if len(refusal.losses) > MOST_LOSSES:
            lines.append(f"... and {len(refusal.losses) - MOST_LOSSES} more")
        answers = [f"Write {path.name}"]
        if not exports:
            answers.append("Make a project...")
        index, do_not_ask = await choose_with_box(
            self._desk.frame,
            "Not everything can be kept",
            f"{path.name}, {with_article(refusal.map_format.title)}, will lose this:",
            "\n".join(lines),
            answers,
            "&Do not ask again for this map",
        )
        if index == WRITE_WITH_LOSSES and do_not_ask:
            open_map.may_lose.add(refusal.map_format.name)
        return index

    async def _may_replace(self, path: Path, names: tuple[str, ...]) -> bool:
        """Ask whether files beside the map's file may be replaced; ``names`` are theirs."""
        names_text = ", ".join(names)
        index = await choose(
            self._desk.frame,
            "Replace what is beside the map?",
            f"{names_text}, beside {path.name}, does not hold what this map needs now.",
            "Replace it, too? Other maps may need what it holds; a backup of that is kept.",
            ("Replace it",),
        )
        return index == REPLACE


def _paint_tiles(
    battlemap: BattleMap, looks: Sequence[Look | None], width: int, height: int
) -> bytes:
    """Return a picture (PNG) of a tileset, see ``paint_tiles``."""
    from app.paper.tileset import paint_tiles  # not needed before a map is saved with a tileset

    return paint_tiles(battlemap, looks, width, height)


def _work_of_job(work: Callable[[], Written], _progress: object, _cancelled: object) -> Written:
    """Do the work of a job: writing shows no progress and cannot be cancelled."""
    return work()
