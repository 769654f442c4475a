"""The map with which an opened script is shown: ``choose_map``, which decides and changes nothing.

Some systems have *maps that hold their script*, such as the worlds of Xconq their period. By that,
and by what the current map is, one of four maps is chosen (``MapChoice``).
"""

from __future__ import annotations

from enum import Enum, auto

from app.document.open_map import OpenMap
from app.scripts.script import Script


class MapChoice(Enum):
    """The map with which an opened script is shown."""

    INTO_CURRENT_MAP = auto()
    """The current map holds its script: this one takes its place, and the map is rolled from it."""

    INTO_NEW_MAP = auto()
    """A new map that holds the script, rolled from it."""

    WITH_CURRENT_MAP = auto()
    """The current map, which holds no script."""

    WITH_EMPTY_MAP = auto()
    """An empty map; the current one stays with its script."""

    @property
    def keeps_current_map(self) -> bool:
        """True if the current map stays as it is, with its script."""
        return self in (MapChoice.INTO_NEW_MAP, MapChoice.WITH_EMPTY_MAP)


def choose_map(script: Script, current_map: OpenMap, *, keep_map: bool) -> MapChoice:
    """Return the map for a script that is opened.

    With ``keep_map`` the current map has to stay as it is where the script, or its roll, would
    change it.
    """
    if script.is_held_by_maps:
        is_for_map = script.empty_generator().system is current_map.battlemap.system
        may_change_map = current_map.untouched or not keep_map
        if is_for_map and may_change_map:
            return MapChoice.INTO_CURRENT_MAP
        return MapChoice.INTO_NEW_MAP

    map_holds_script = bool(current_map.battlemap.system.script_record)
    if map_holds_script or (keep_map and _is_finished(current_map)):
        return MapChoice.WITH_EMPTY_MAP
    return MapChoice.WITH_CURRENT_MAP


def _is_finished(open_map: OpenMap) -> bool:
    """Return whether a map holds work, but no roll.

    A roll would not replace that work, but cover it.
    """
    is_rolled = any(layer.roll is not None for layer in open_map.battlemap.layers)
    return open_map.holds_work and not is_rolled
