"""Writes a map to a file on another thread, and asks the user first about what would be lost.

``Saving`` has one ``MapWriter``, for saved and for exported maps::

    outcome = await writer.write(path, open_map, FileRole.OWN_FILE, always_back_up=False)
    if isinstance(outcome, Saved):
        ...  # the file is on the disk; else ``outcome`` tells why it is not (``NotWritten``)

Two things are asked about: what the format cannot hold of the map (its *losses*), and files
*beside* the map's file, such as the pictures of its tiles, that other maps may need as they are.
The answers so far are a ``Consent``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto
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
from app.widgets.dialogs.choice import choose, choose_with_check_box
from app.widgets.dialogs.problem_dialog import show_problems
from randomizer.formats.format import Format
from randomizer.model.basics.plurals import with_article
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.players_view import players_map
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from randomizer.formats.tile_looks import Look

MAX_LOSS_LINES = 12
"""So many losses are listed in the question; further ones are counted, so that it stays small."""


class FileRole(Enum):
    """The relation of a written file to the open map."""

    OWN_FILE = auto()
    """The file in which the map is saved."""

    COPY = auto()
    """An export; the map keeps its own file."""

    COPY_FOR_PLAYERS = auto()
    """An export with only what players may see of the map."""


class NotWritten(Enum):
    """The reason why a map was not written; the disk is as it was."""

    CANCELLED = auto()
    """The user cancelled a question."""

    FAILED = auto()
    """The file cannot be written; the user has been told why."""

    PROJECT_CHOSEN = auto()
    """The file would lose something, and the user wants a map project instead."""


class LossAnswer(Enum):
    """An answer to the question about a file that would lose something."""

    WRITE = auto()
    MAKE_PROJECT = auto()
    CANCEL = auto()


class MapWriter:
    """Writes maps to files; the old files are copied to the desk's backups."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def write(
        self,
        path: Path,
        open_map: OpenMap,
        role: FileRole,
        *,
        always_back_up: bool,
        chosen_format: Format | None = None,
    ) -> Saved | NotWritten:
        """Write an open map, as it is now, to the file ``path``.

        With ``always_back_up`` the old file is backed up even if that was done lately.
        ``chosen_format`` is the one that the user has chosen, of several with the suffix of
        ``path``; None stands for the first that fits. Raises Stopped if the program ends meanwhile.
        """
        # The map can be changed while it is written: write a snapshot.
        battlemap = open_map.battlemap
        if role is FileRole.COPY_FOR_PLAYERS:
            battlemap = players_map(battlemap)
        write_with = partial(
            write_map,
            battlemap.snapshot(),
            path,
            stored_viewport(open_map.viewport),
            self._desk.backups,
            always_back_up=always_back_up,
            chosen=chosen_format,
            is_copy=role is not FileRole.OWN_FILE,
            painter=_paint_tiles,
        )

        # ``write_map`` either writes all, or writes nothing and returns what it would destroy
        # without consent. Then ask the user, and try again with more consent.
        consent = Consent(losing_formats=open_map.may_lose, replaceable=open_map.beside)
        while True:
            try:
                outcome = await _on_another_thread(partial(write_with, consent=consent))
            except ProblemError as reason:
                show_problems(self._desk.frame, f"Cannot save {path.name}", reason.problems)
                return NotWritten.FAILED

            if isinstance(outcome, WouldLose):
                loss_answer = await self._ask_about_losses(path, open_map, outcome, role)
                if loss_answer is LossAnswer.CANCEL:
                    return NotWritten.CANCELLED
                if loss_answer is LossAnswer.MAKE_PROJECT:
                    return NotWritten.PROJECT_CHOSEN
                consent = consent.with_all_losses()
            elif isinstance(outcome, WouldReplace):
                if not await self._may_replace(path, outcome.names):
                    return NotWritten.CANCELLED
                consent = consent.with_all_replacements()
            else:
                # What was written beside the map is now known: the next save may replace it.
                open_map.beside = {**open_map.beside, **outcome.beside}
                return outcome

    async def _ask_about_losses(
        self, path: Path, open_map: OpenMap, refusal: WouldLose, role: FileRole
    ) -> LossAnswer:
        """Ask whether to write a file that would lose something.

        If the user wants no more questions about this map and format, the map remembers it
        (``OpenMap.may_lose``).
        """
        lines = [f"• {loss}" for loss in refusal.losses[:MAX_LOSS_LINES]]
        if len(refusal.losses) > MAX_LOSS_LINES:
            lines.append(f"... and {len(refusal.losses) - MAX_LOSS_LINES} more")

        text_by_answer = {LossAnswer.WRITE: f"Write {path.name}"}
        if role is FileRole.OWN_FILE:  # a copy is wanted in this very format
            text_by_answer[LossAnswer.MAKE_PROJECT] = "Make a project..."
        index, do_not_ask = await choose_with_check_box(
            self._desk.frame,
            "Not everything can be kept",
            f"{path.name}, {with_article(refusal.map_format.title)}, will lose this:",
            "\n".join(lines),
            list(text_by_answer.values()),
            "&Do not ask again for this map",
        )
        if index is None:
            return LossAnswer.CANCEL
        loss_answer = list(text_by_answer)[index]
        if loss_answer is LossAnswer.WRITE and do_not_ask:
            open_map.may_lose.add(refusal.map_format.name)
        return loss_answer

    async def _may_replace(self, path: Path, names: tuple[str, ...]) -> bool:
        """Ask whether the files called ``names``, in the folder of ``path``, may be replaced."""
        names_text = ", ".join(names)
        index = await choose(
            self._desk.frame,
            "Replace what is beside the map?",
            f"{names_text}, beside {path.name}, does not hold what this map needs now.",
            "Replace it, too? Other maps may need what it holds; a backup of that is kept.",
            ("Replace it",),
        )
        return index is not None  # there is one answer besides Cancel


async def _on_another_thread(write: Callable[[], Written]) -> Written:
    """Call ``write`` on another thread and return what it returns; raise ProblemError as it does.

    Writing shows no progress and cannot be cancelled.
    """

    def work(_progress: object, _cancelled: object) -> Written:
        return write()

    outcome: Written = await result(Job(work))
    return outcome


def _paint_tiles(
    battlemap: BattleMap, looks: Sequence[Look | None], width: int, height: int
) -> bytes:
    """Return a picture (PNG) of a tileset, see ``paint_tiles``."""
    from app.paper.tileset import paint_tiles  # not needed before a map is saved with a tileset

    return paint_tiles(battlemap, looks, width, height)
