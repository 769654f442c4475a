"""Asks for the file that a map is to be written to, and tells in which formats it can be.

``Saving`` has one ``TargetChoice``. Begin with ``choose``, which shows the dialog until the chosen
file may be written or the user cancels.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from app.desk.desk import Desk
from app.document.map_names import file_name_of
from app.document.map_writing import save_format
from app.features.files.name_filters import filter_of
from app.widgets.dialogs.files import choose_file_to_write
from randomizer.catalog.map_formats import formats
from randomizer.formats.format import Format, Purpose
from randomizer.formats.held_systems import can_write
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from app.document.open_map import OpenMap


class Target(NamedTuple):
    """A file that a map is to be written to."""

    path: Path
    """The file, with its suffix."""

    chosen_format: Format | None
    """The format that the user has chosen in the dialog; None for "All files"."""


def format_of_file(open_map: OpenMap) -> Format | None:
    """Return the format of a map's file, None if it has none that can be written."""
    if open_map.path is None:
        return None
    try:
        return save_format(open_map.path, open_map.battlemap.system)
    except ProblemError:
        return None


class TargetChoice:
    """Asks to which file, and in which format, an open map is to be written."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def formats_for(self, open_map: OpenMap) -> list[Format]:
        """Return the formats in which a map can be written: those that its game loads first.

        Those of other programs come next, see ``Purpose``. A format of virtual tables is among them
        only if the map's file has it: else *Export for a virtual table* is the one way to it.
        """
        current_format = format_of_file(open_map)
        writable = []
        for map_format in formats():
            is_for_table = map_format.purpose is Purpose.TABLE
            if is_for_table and map_format is not current_format:
                continue
            if can_write(map_format, open_map.battlemap):
                writable.append(map_format)
        return sorted(writable, key=lambda map_format: map_format.purpose)

    async def choose(
        self, title: str, offered: list[Format], open_map: OpenMap, map_format: Format | None = None
    ) -> Target | None:
        """Ask for a file; None if the user cancels, or if it is the file of another open map.

        ``title`` is that of the dialog. ``offered`` are the formats that it offers. It begins with
        ``map_format``, if this is one of them, else with the first. Cancel in a question about the
        chosen file leads back to the dialog, with that file.
        """
        first_format = offered[0]
        if map_format is not None and map_format in offered:
            first_format = map_format
        first_path = self._first_path(first_format, open_map)
        while True:
            target = await self._ask_path(title, offered, open_map, first_format, first_path)
            if target is None:
                return None
            if self._is_of_another_map(target.path, open_map):
                name = target.path.name
                text = f"{name} is open in another tab: close it there, or choose another file."
                self._desk.say(text, lasting=True)
                return None
            asking = self._desk.questions.may_write(target.path, open_map)
            may_write = await self._desk.document.while_open(open_map, asking)
            if may_write:
                return target
            # The user has cancelled the question: the dialog begins with what was chosen in it.
            first_path = target.path
            if target.chosen_format is not None:
                first_format = target.chosen_format

    async def _ask_path(
        self,
        title: str,
        offered: list[Format],
        open_map: OpenMap,
        first_format: Format,
        first_path: Path,
    ) -> Target | None:
        """Ask for a file, in one of the ``offered`` formats; None if the user cancels.

        The dialog begins with the file ``first_path`` in ``first_format``. A name without a suffix
        gets that of the format that is chosen when the dialog ends.
        """
        formats_by_filter = {filter_of(map_format): map_format for map_format in offered}
        asking = choose_file_to_write(
            self._desk.frame,
            title,
            first_path,
            ";;".join(formats_by_filter),
            first_filter=filter_of(first_format),
            suffix_of=lambda name_filter: formats_by_filter.get(name_filter, offered[0]).suffixes[
                0
            ],
        )
        chosen = await self._desk.document.while_open(open_map, asking)
        if chosen is None:
            return None
        self._desk.settings.last_directory = str(chosen.path.parent)
        return Target(chosen.path, formats_by_filter.get(chosen.name_filter))

    def _first_path(self, first_format: Format, open_map: OpenMap) -> Path:
        """Return the path, without a suffix, with which the dialog begins.

        It is in the folder of the map's file; for a map without one, in the folder that was chosen
        last, where no file in ``first_format`` has its name.
        """
        name = self._name_for_file(open_map)
        if open_map.path is not None:
            return open_map.path.with_name(name)
        # Other files of this name, such as the script that rolled the map, are no reason for a
        # number: who chooses their suffix is asked before they are replaced.
        return _free_path(Path(self._desk.settings.last_directory), name, first_format.suffixes)

    def _name_for_file(self, open_map: OpenMap) -> str:
        """Return the name, without a suffix, that is offered for the file of an open map.

        A script may have been saved to a file after it rolled the map: then it is the name of that
        file, not the name that the script had. So a map rolled by "a.rnd", whose script was saved
        as "b.rnd" since, is offered as "b".
        """
        name = file_name_of(open_map)
        layer = open_map.battlemap.source_layer
        script_document = self._desk.scripts.documents.of_map(open_map)
        if layer is None or layer.roll is None or script_document is None:
            return name
        script_name = layer.roll.script_name
        path = script_document.script.path
        is_named_by_roll = name == Path(script_name).stem
        if path is not None and is_named_by_roll and script_name in script_document.names:
            return path.stem
        return name

    def _is_of_another_map(self, path: Path, open_map: OpenMap) -> bool:
        """Return whether a file is that of another open map, perhaps by another path to it."""
        if not path.exists():
            return False
        for other_map in self._desk.document.maps:
            other_path = other_map.path
            if other_map is open_map or other_path is None or not other_path.exists():
                continue
            if path.samefile(other_path):
                return True
        return False


def _free_path(folder: Path, name: str, suffixes: Sequence[str]) -> Path:
    """Return a path without a suffix in a folder that has no such file with any of ``suffixes``.

    It ends in ``name``, or in that and a number from 2 on: the file of another map with the same
    title is not offered to be replaced.
    """
    path = folder / name
    number = 1
    # For a title that is too long for a name ``Path.exists`` raises OSError; this returns False.
    while any(os.path.exists(f"{path}{suffix}") for suffix in suffixes):  # noqa: PTH110
        number += 1
        path = folder / f"{name} {number}"
    return path
