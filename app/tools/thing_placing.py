"""Where things are placed and moved to: new ones with their twins, and those that are dragged.

The rules of a system (``System.thing_rules``) say where things can stand: at the centres of cells
or anywhere, not in the sea, not in the edge rows. *Settled* things are those as they come to stand
by the rules, with a remark on what the game would mind.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from app.tools.pointer import Pointer
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.thing_edits import change_things
from randomizer.model.hand import targets
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.map.things_at import free_point, things_on_cell
from randomizer.model.things.thing_rules import Settled
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions


class CannotStand(NamedTuple):
    """The answer that things cannot stand where they were dragged."""

    reason: str
    """Why not, as text; "" if one of them would leave the map, which the user sees."""


def why_not_place(document: MapDocument, pointer: Pointer) -> str:
    """Return why nothing can be placed here, as text; "" if something can."""
    battlemap = document.battlemap
    why_not = targets.why_not(battlemap, document.active_layer_id)
    if why_not:
        return why_not
    return battlemap.system.thing_rules.why_not(battlemap, pointer.cell)


def like_thing_on(document: MapDocument, options: ToolOptions, pointer: Pointer) -> Thing | None:
    """Return the thing on the pointer's cell that a click picks instead of placing another.

    That is the topmost visible one of the chosen kind, if that is a kind of places: a second
    town in a cell would be taken for the first one. With Alt a second one is placed.
    """
    chosen = options.thing
    if chosen is None or pointer.ctrl_or_alt:
        return None
    battlemap = document.battlemap
    kind = kinds_by_name(battlemap).get(chosen.kind)
    if kind is None or not kind.is_place:
        return None
    for thing in reversed(things_on_cell(battlemap, pointer.cell)):
        if thing.kind == chosen.kind:
            return thing
    return None


def new_things(document: MapDocument, options: ToolOptions, pointer: Pointer) -> Settled:
    """Return the thing that a click would place, and its symmetric twins, with negative ids."""
    battlemap = document.battlemap
    chosen = options.thing
    assert chosen is not None
    grid = battlemap.grid
    rules = battlemap.system.thing_rules
    if pointer.ctrl_or_alt and not rules.in_cells:
        x, y = grid.shown_point(pointer.x, pointer.y)
    else:
        x, y = point_on(battlemap, pointer.cell, chosen.kind)
    thing = replace(chosen, x=x, y=y)

    images = [thing]
    symmetry = options.symmetry(grid)
    if symmetry is not None:
        is_text = thing.kind in battlemap.system.text_kinds
        images = symmetry.thing_images(grid, thing, is_text=is_text)

    # A twin on a cell that can hold none is left out. Ids below 0 are those of no thing yet.
    things: list[Thing] = []
    for image in images:
        if not rules.why_not(battlemap, grid.cell_at(image.x, image.y)):
            things.append(replace(image, id=-1 - len(things)))
    return rules.settled(battlemap, things)


def point_on(
    battlemap: BattleMap, cell: int, kind_name: str, moved_ids: Collection[int] = ()
) -> tuple[float, float]:
    """Return the point on a cell where a thing of a kind stands, in map units.

    That is the centre, but an icon stands beside another one that is there already: a note's
    pin is not to hide a town. Things that are being moved (``moved_ids``) are not in the way.
    """
    kind = kinds_by_name(battlemap).get(kind_name)
    is_icon = kind is not None and not kind.inscription and kind.footprint is None
    if is_icon and not battlemap.system.thing_rules.in_cells:
        return free_point(battlemap, cell, moved_ids)
    return battlemap.grid.centre(cell)


def moved_things(
    battlemap: BattleMap, things: tuple[Thing, ...], right: float, down: float
) -> Settled | CannotStand:
    """Return things moved by (right, down) map units, or why one of them cannot stand there."""
    grid = battlemap.grid
    rules = battlemap.system.thing_rules
    moved = []
    for thing in things:
        cell = grid.cell_at(thing.x + right, thing.y + down)
        if cell < 0:
            return CannotStand("")
        why_not = rules.why_not(battlemap, cell)
        if why_not:
            return CannotStand(why_not)
        if rules.in_cells:
            x, y = grid.centre(cell)
        else:
            x, y = grid.shown_point(thing.x + right, thing.y + down)
        moved.append(replace(thing, x=x, y=y))
    return rules.settled(battlemap, moved)


def turn_things(battlemap: BattleMap, things: Sequence[Thing], steps: int) -> Edit | None:
    """Return the edit that turns things clockwise, by half the angle of a side each step."""
    angle_of_steps = steps * 180 / battlemap.grid.degree
    turned = []
    for thing in things:
        turned.append(replace(thing, angle=(thing.angle + angle_of_steps) % 360))
    return change_things(battlemap, turned)
