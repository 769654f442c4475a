"""Tells which layer, or which line of a script, set a value of the map, as text in a line.

Such a text is the *source* of a value. ``source_of_value`` gives that of a cell, side or corner,
``source_of_property`` that of a property of the map::

    Mountains.rnd line 8, AREA (innermost)      the line of a script that was rolled
    layer Mountains                             a roll without such lines
    by hand, layer Woods                        a person has painted it
    by hand, layer Woods (the next roll keeps it)
    layer Woods, opened from a file

*By hand* is a value that a person has painted: into a layer of its own, or over the values of a
rolled layer, whose planes named ``TOUCHED`` say where. A new roll replaces the layers of the last
one; what was set by hand in them goes into a layer of touch-ups, and so is kept.
"""

from __future__ import annotations

from enum import Enum, StrEnum, auto
from typing import TYPE_CHECKING

from randomizer.model.map.layer import Layer, roll_name
from randomizer.model.planes.planes import TOUCHED
from randomizer.model.rolls.rolled_layers import parts_from, rolled_layer
from randomizer.model.rolls.touch_ups_texts import touch_ups_name

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from randomizer.model.map.battlemap import BattleMap


class HandWork(Enum):
    """What the next roll does with a value that was set by hand."""

    UNTOUCHED = auto()
    """Nothing that is certain: no roll is to come, or it can cover the value."""

    STAYS = auto()
    """The value stays in its layer, which lies above all that is rolled."""

    MOVES = auto()
    """The value moves from the rolled layer to that of the touch-ups, and is seen as before."""


class OriginPlane(StrEnum):
    """The planes of a rolled layer that say which line of the script set a cell or a side.

    They hold positions in ``Roll.origins``, the texts of the lines. A system need not have them.
    """

    CELLS = "origin"
    """The lines that set the terrain and the elevation of cells."""

    SIDES = "side_origin"
    """The lines that set the hexsides."""


def source_of_value(
    document: MapDocument, plane: str, index: int, origin_plane: OriginPlane | None = None
) -> str:
    """Return the source of the value of a plane at a flat index; "" if no layer has set it.

    ``origin_plane`` tells of the same cells or sides which line of the script set them; None for
    corners, of which nothing tells that.
    """
    battlemap = document.battlemap
    layer = battlemap.owner(plane, index)
    if layer is None:
        return ""
    if layer.roll is None:
        return _layer_text(document, layer)
    touched = layer.planes.get(TOUCHED + plane)
    if touched is not None and touched.flat[index]:
        locks = battlemap.locks(battlemap.system.plane(plane).element)
        return _touched_text(document, layer, is_locked=bool(locks.flat[index]))
    origins = None
    if origin_plane is not None:
        origins = layer.planes.get(origin_plane)
    if origins is not None:
        line_number = int(origins.flat[index])
        # A damaged or older file can have a number for which the roll has no line.
        if 0 <= line_number < len(layer.roll.origins):
            return f"{layer.roll.script_name} {layer.roll.origins[line_number]}"
    if layer.name == roll_name(layer):
        # It is still called "Mountains, seed 5 no. 2": without the seed and number, which stand
        # beside the button Roll, the text is short enough for its line.
        return f"layer {layer.roll.source_name}"
    return f"layer {layer.name}"


def source_of_property(document: MapDocument, name: str) -> str:
    """Return the source of a property of the map, such as its list of cells.

    "" if no layer has set it.
    """
    layer = document.battlemap.property_owner(name)
    if layer is None:
        return ""
    if layer.roll is None:
        return _layer_text(document, layer)
    if name in layer.touched_properties:
        return _touched_text(document, layer, is_locked=False)
    return f"layer {layer.name}"


def is_kept_by_next_roll(document: MapDocument, plane: str, index: int) -> bool:
    """Return whether the next roll keeps a value because a hand set it, not because of a lock."""
    battlemap = document.battlemap
    layer = battlemap.owner(plane, index)
    if layer is None or layer.from_file:  # nothing tells what a hand set in a file
        return False
    is_locked = bool(battlemap.locks(battlemap.system.plane(plane).element).flat[index])
    if is_locked:
        return False
    touched = layer.planes.get(TOUCHED + plane)
    is_touched = touched is not None and bool(touched.flat[index])
    if layer.roll is not None and not is_touched:  # the script set it
        return False
    return _fate_of_hand_work(document, layer) is not HandWork.UNTOUCHED


def may_be_set_by_next_roll(document: MapDocument, plane: str, index: int) -> bool:
    """Return whether the next roll replaces a value, or may set one that no layer has set.

    The latter is so if the present roll sets values of that plane anywhere on the map.
    """
    battlemap = document.battlemap
    target = rolled_layer(battlemap, document.active_layer)
    if target is None or is_kept_by_next_roll(document, plane, index):
        return False
    roll_positions = parts_from(battlemap, target.id)
    layer = battlemap.owner(plane, index)
    if layer is not None:
        return battlemap.index_of(layer.id) in roll_positions
    rolled_layers = [battlemap.layers[position] for position in roll_positions]
    return any(_sets_anything(battlemap, layer, plane) for layer in rolled_layers)


def _sets_anything(battlemap: BattleMap, layer: Layer, plane: str) -> bool:
    """Return whether a layer sets a value of a plane that is not the default, on any cell."""
    values = layer.planes.get(plane)
    if values is None:
        return False
    spec = battlemap.system.plane(plane)
    return bool(((values != spec.unset) & (values != spec.default)).any())


def _layer_text(document: MapDocument, layer: Layer) -> str:
    """Return the source of a value in a layer that was not rolled."""
    if layer.from_file:  # nothing tells what was painted into it since it was opened
        return f"layer {layer.name}, opened from a file"
    return f"by hand, layer {layer.name}{_next_roll_text(document, layer)}"


def _touched_text(document: MapDocument, layer: Layer, *, is_locked: bool) -> str:
    """Return the source of a value that a hand set in a rolled layer.

    The layer that the next roll moves it to is named instead of the rolled one, so that the text
    has room in the status bar.
    """
    next_roll_text = ""
    if not is_locked:  # a locked value stays in its layer, which the lock says already
        next_roll_text = _next_roll_text(document, layer)
    if next_roll_text:
        return f"by hand{next_roll_text}"
    return f"by hand, layer {layer.name}"


def _next_roll_text(document: MapDocument, layer: Layer) -> str:
    """Return where the next roll keeps what was set by hand in a layer, as text in brackets.

    "" if it is not certain that it keeps it.
    """
    battlemap = document.battlemap
    fate = _fate_of_hand_work(document, layer)
    if fate is HandWork.STAYS:
        return " (the next roll keeps it)"
    target = rolled_layer(battlemap, document.active_layer)
    if fate is HandWork.MOVES and target is not None:
        touch_ups = touch_ups_name(battlemap, parts_from(battlemap, target.id))
        return f" (the next roll keeps it, in {touch_ups})"
    return ""


def _fate_of_hand_work(document: MapDocument, layer: Layer) -> HandWork:
    """Return what the next roll does with values that were set by hand in a layer."""
    battlemap = document.battlemap
    target = rolled_layer(battlemap, document.active_layer)
    if target is None or target.locked:  # there is nothing that a next roll would replace
        return HandWork.UNTOUCHED
    roll_positions = parts_from(battlemap, target.id)  # of its layers, ascending, one at least
    position = battlemap.index_of(layer.id)
    if position > roll_positions[-1]:
        return HandWork.STAYS
    if position in roll_positions:
        return HandWork.MOVES
    return HandWork.UNTOUCHED  # it lies below, where the next roll can cover it
