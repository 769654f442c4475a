"""The names of open maps: in their tabs, and in dialogs that ask for a file.

A map with a file has the name of the file. For one without, its title stands in, or the name of a
script that belongs to it::

    the map                                    tab_name               file_name_of
    has the file Swamp.xml                     Swamp.xml              Swamp
    is a backup of Swamp.xml                   Backup of Swamp.xml    Swamp
    came from a slot of the game               Default/Swamp          Colossus
    has the title The Old Ford                 The Old Ford           The Old Ford
    has none of these                          Untitled 2             Colossus
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from pathlib import PurePath

from app.document.open_map import OpenMap


def tab_name(open_map: OpenMap, open_maps: Iterable[OpenMap]) -> str:
    """Return the name of an open map for its tab and the title bar; ``open_maps`` are all.

    It is the first of these that the map has: the name of its file, of the file of which it is a
    backup, of the slot in a game that it came from; its title; the name of the file of a script
    that it holds. Else it is ``Untitled`` with a number that no other open map has. The map gets
    that number when it is first asked for its name, and keeps it.
    """
    if open_map.path is not None:
        return open_map.path.name
    if open_map.backup_of:
        return f"Backup of {open_map.backup_of}"
    if open_map.source is not None and not open_map.source.is_export:
        return open_map.source.words
    return _title_or_script_name(open_map) or _untitled_name(open_map, open_maps)


def file_name_of(open_map: OpenMap) -> str:
    """Return the name, without a suffix, that dialogs offer for a file of an open map.

    It is that of the map's file or of the one of which it is a backup, else its title, else the
    name of the script that it holds or was rolled from, or of its system.
    """
    if open_map.path is not None:
        return open_map.path.stem
    if open_map.backup_of:
        return PurePath(open_map.backup_of).stem
    name = _title_or_script_name(open_map)
    if name:
        return name
    layer = open_map.battlemap.source_layer
    if layer is not None and layer.roll is not None:
        script_name = PurePath(layer.roll.script_name).stem
        if script_name:
            return script_name
    return open_map.battlemap.system.title


def title_of(open_map: OpenMap) -> str:
    """Return the title of an open map, which is one of its properties; "" if it has none."""
    return open_map.battlemap.system.map_title(open_map.live_composite().properties)


def _title_or_script_name(open_map: OpenMap) -> str:
    """Return the title of an open map, else the name of the file of a script that it holds.

    The name is without its suffix. "" for neither.
    """
    title = title_of(open_map)
    if title:
        return title
    system = open_map.battlemap.system
    if not system.script_record:
        return ""
    return PurePath(system.script_file(open_map.battlemap)).stem


def _untitled_name(open_map: OpenMap, open_maps: Iterable[OpenMap]) -> str:
    """Return ``Untitled``, ``Untitled 2`` ..., by the number of the map.

    A map gets its number here, since only now it needs one: the least that no open map has. It
    keeps the number, even if others are closed.
    """
    has_number = open_map.untitled != 0
    if not has_number:
        used_numbers = {other_map.untitled for other_map in open_maps}
        free_numbers = (number for number in count(1) if number not in used_numbers)
        open_map.untitled = next(free_numbers)
    if open_map.untitled == 1:
        return "Untitled"
    return f"Untitled {open_map.untitled}"
