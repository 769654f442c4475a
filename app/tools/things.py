"""The tool that places, picks and moves things: units, trees and whatever else lies on a map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot
from typing import TYPE_CHECKING

from app.render.scene.things.names import KeptNames
from app.render.scene.things.things import NO_LOADS, diameter
from app.tools.pointer import Pointer
from app.tools.tool import Preview, Tool
from randomizer.geometry.stamp import nearest_copy
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.thing_edits import add_things, change_things
from randomizer.model.grid.grid import Hit
from randomizer.model.hand import targets
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.carriers import carried_by, carriers_on
from randomizer.model.map.kinds_on_map import kinds_by_name, kinds_of
from randomizer.model.map.layer import Layer
from randomizer.model.map.things_at import in_box, on_cell, thing_text, topmost
from randomizer.model.system.system import System
from randomizer.model.things.thing_kind import SCATTERED
from randomizer.model.things.thing_rules import Settled
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions

DRAG = 0.3
"""A pointer that goes farther than this (map units) from where it was pressed drags."""

LEAST_REACH = 5.0
"""Things smaller than this (logical pixels from their middle) are hit as if they were so large."""


class ThingsTool(Tool):
    """Picks things by a click or a box, drags them, and places new ones of the chosen kind.

    Pressed on a thing it drags the thing and all that are picked with it; pressed on the ground it
    draws a box around things to pick, and so it does on a tree that is not picked yet
    (``SCATTERED``). A click on the ground places one of ``ToolOptions.thing``, or picks nothing.
    """

    name = "things"
    title = "Things"
    words = "units objects labels trees buildings place"
    icon = "things"
    shortcut = "O"
    tip = (
        "Click the ground to place the chosen kind, a thing to pick it (Shift adds), twice to name "
        "it; drag a thing to move it, the ground to pick in a box. Shift and the wheel turn it."
    )
    text = "Place a thing"
    uses = frozenset({"symmetry"})
    paints = False
    picks = False
    exact = True
    sweeps = True

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._pressed: Pointer | None = None
        self._grabbed: Thing | None = None
        self._in_crowd: Thing | None = None
        self._originals: tuple[Thing, ...] = ()
        self._touches = 0
        self._dragged = self._picked_before = False
        self._links: dict[int, int] | None = None
        self._names = KeptNames()

    def suits(self, system: System) -> bool:
        return system.offers(System.thing_kinds)

    def tip_on(self, system: System) -> str:
        """With how things are put elsewhere than at centres, and aboard others, where they are."""
        rules = system.thing_rules
        if rules.in_cells:
            freely = ""
        else:
            freely = " Alt: not at the centre of a {cell}."
        freely += "" if rules.in_cells else " Trees are dragged once they are picked."
        if rules.carrier:
            aboard = " Dropped onto what can carry it, a thing goes aboard."
        else:
            aboard = ""
        return self.tip + freely + aboard

    def lacks(self, system: System) -> str:
        return "" if self.suits(system) else "things"

    def stops(self, battlemap: BattleMap, cell: int) -> tuple[tuple[float, float, str], ...]:
        """Return the things on the cell, the topmost first."""
        kinds = {kind.name: kind for kind in kinds_of(battlemap)}
        result = reversed(on_cell(battlemap, cell))
        grid = battlemap.grid
        return tuple((*nearest_copy(grid, t.x, t.y), thing_text(t, kinds)) for t in result)

    # --- a stroke ---------------------------------------------------------------------------

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        """Grab the thing under the pointer, and pick it unless it is picked already.

        One of many that cover an area is picked by the click without a drag alone.
        """
        self._pressed = pointer
        self._grabbed = self._at(document, pointer)
        if self._grabbed is None:
            return
        picked = {thing.id for thing in document.picked}
        kind = kinds_by_name(document.battlemap).get(self._grabbed.kind)
        if self._grabbed.id not in picked and kind is not None and kind.icon in SCATTERED:
            self._in_crowd = self._grabbed
            self._grabbed = None
            return
        self._picked_before = picked == {self._grabbed.id}
        if self._grabbed.id not in picked:
            document.pick({self._grabbed.id} | (picked if pointer.shift else set()))
        carried = carried_by(document.battlemap, [thing.id for thing in document.picked])
        self._originals = (*document.picked, *map(document.battlemap.thing, carried))

    def step_text(self) -> str:
        if self._grabbed is None:
            return self.text
        count = len(self._originals)
        if count == 1:
            return "Move a thing"
        return f"Move {count:,} things"

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return a new key each time: a thing can be dragged back to where it was."""
        self._touches += 1
        return (self._touches,)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Move what is picked, and what that carries, along with the pointer."""
        if self._pressed is None:
            return None
        away = hypot(pointer.x - self._pressed.x, pointer.y - self._pressed.y)
        self._dragged |= away > DRAG or pointer.cell != self._pressed.cell
        if self._grabbed is None or not self._dragged or not self._originals:
            return None
        locked = _locked_layer(document, self._originals)
        if locked is not None:
            document.refuse(targets.why_not_into(locked))
            self._originals = ()
            return None
        moved = self._moved(document, pointer)
        if isinstance(moved, str):
            return None
        return change_things(document.battlemap, moved.things)

    def _moved(self, document: MapDocument, pointer: Pointer) -> Settled | str:
        """Return the grabbed things where the pointer is; why they cannot stand there, as text."""
        right, down = self._shift(document, pointer)
        return _moved(document.battlemap, self._originals, right, down)

    def _shift(self, document: MapDocument, pointer: Pointer) -> tuple[float, float]:
        """Return how far the things have to be moved, in map units."""
        assert self._pressed is not None
        assert self._grabbed is not None
        if pointer.ctrl and not document.battlemap.system.thing_rules.in_cells:
            return pointer.x - self._pressed.x, pointer.y - self._pressed.y
        if pointer.cell == self._pressed.cell:
            return 0.0, 0.0
        x, y = document.battlemap.grid.centre(pointer.cell)
        return x - self._grabbed.x, y - self._grabbed.y

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Pick the things in the box; after a click place a thing, or pick the one clicked."""
        pressed = self._pressed
        picked = {thing.id for thing in document.picked}
        if pressed is None:
            return
        if self._grabbed is not None:
            if not self._dragged and not pressed.shift:
                document.pick({self._next(document)})
        elif self._dragged:
            box = _box(pressed, pointer)
            inside = {thing.id for thing in in_box(document.battlemap, *box)}
            document.pick(inside | (picked if pressed.shift else set()))
        elif self._in_crowd is not None:
            document.pick({self._in_crowd.id} | (picked if pressed.shift else set()))
        elif not pressed.shift:
            document.pick(())
            if self.options.thing is not None:
                why_not = self._why_not_place(document, pointer)
                if why_not:
                    document.refuse(f"{why_not.removesuffix('.')}.")
                else:
                    yield from self._place(document, pointer)

    def place_on(self, document: MapDocument, cell: int) -> None:
        """Place the chosen thing on a cell, as a click on open ground does: one undo step."""
        pointer = Pointer(Hit(cell, 0, 0.0), *document.battlemap.grid.centre(cell))
        why_not = self._why_not_place(document, pointer)
        if why_not:
            document.refuse(f"{why_not.removesuffix('.')}.")
            return
        for edit in self._place(document, pointer):
            document.push(edit, self.text)

    def _place(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Add the chosen thing and its twins, and pick them: their labels can be typed."""
        battlemap = document.battlemap
        settled = self._made(document, pointer)
        layer = targets.topmost_part(battlemap, document.active_layer_id)
        first_id = battlemap.next_thing_id
        yield add_things(battlemap, layer.id, settled.things)
        document.pick(range(first_id, first_id + len(settled.things)))
        self.options.thing_placed.emit()

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        pressed = self._pressed
        if pressed is not None and self._dragged and self._grabbed is None:
            left, top, right, bottom = _box(pressed, pointer)
            corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
            return Preview(points=corners)
        if pressed is not None:
            return Preview(note=self._drag_words(document, pointer))
        at = self._at(document, pointer)
        if at is not None:
            locked = _locked_layer(document, (at,))
            return Preview(note="" if locked is None else targets.why_not_into(locked))
        if self.options.thing is None or pointer.shift:
            return Preview()
        why_not = self._why_not_place(document, pointer)
        if why_not:
            return Preview(note=why_not)
        settled = self._made(document, pointer)
        return Preview(things=tuple(settled.things), note=settled.words)

    def _why_not_place(self, document: MapDocument, pointer: Pointer) -> str:
        """Return why nothing can be placed here, as text; "" if something can."""
        battlemap = document.battlemap
        why_not = targets.why_not(battlemap, document.active_layer_id)
        return why_not or battlemap.system.thing_rules.why_not(battlemap, pointer.cell)

    def _drag_words(self, document: MapDocument, pointer: Pointer) -> str:
        """Return what is to be said of the things where they are dragged, as text."""
        if self._grabbed is None or not self._dragged or not self._originals:
            return ""
        moved = self._moved(document, pointer)
        return moved if isinstance(moved, str) else moved.words

    def forget(self) -> None:
        self._pressed = self._grabbed = self._in_crowd = None
        self._originals = ()
        self._dragged = self._picked_before = False

    def map_changed(self) -> None:
        """Other things may be carried now."""
        self._links = None

    def turn_next(self, document: MapDocument, steps: int) -> None:
        """Turn what is placed next, as ``turn_things`` does."""
        thing = self.options.thing
        if thing is not None:
            angle = (thing.angle + steps * 180 / document.battlemap.grid.degree) % 360
            self.options.choose(thing=replace(thing, angle=angle))

    # --- where it points --------------------------------------------------------------------

    def _at(self, document: MapDocument, pointer: Pointer) -> Thing | None:
        """Return the thing under the pointer, as large as it is seen.

        Where one carries others it is the one that carries all, unless one of them is picked.
        """
        battlemap = document.battlemap
        reach = max(diameter(battlemap, pointer.scale) / 2, LEAST_REACH)
        hit = topmost(battlemap, pointer.x, pointer.y, reach / pointer.scale)
        if hit is None:
            names = self._names.of(battlemap, pointer.scale, NO_LOADS)
            inscription = names.inscription_at(pointer.x, pointer.y, pointer.scale)
            if inscription:
                return battlemap.thing(inscription)
            return None
        load = self._load_with(document, hit)
        picked = {thing.id for thing in document.picked}
        return next((thing for thing in load if thing.id in picked), load[0])

    def _next(self, document: MapDocument) -> int:
        """Return the id of the thing that a click picks: of what it carries each in turn."""
        assert self._grabbed is not None
        load = [thing.id for thing in self._load_with(document, self._grabbed)]
        return load[(load.index(self._grabbed.id) + self._picked_before) % len(load)]

    def _load_with(self, document: MapDocument, thing: Thing) -> list[Thing]:
        """Return the thing that carries this one, or what carries that; then all that it
        carries.
        """
        battlemap = document.battlemap
        if self._links is None:
            self._links = carriers_on(battlemap)
        top = thing.id
        while top in self._links:
            top = self._links[top]
        if top == thing.id and top not in self._links.values():
            return [thing]
        moved = [battlemap.thing(thing_id) for thing_id in (top, *carried_by(battlemap, [top]))]
        visible = {id_ for layer in battlemap.layers if layer.visible for id_ in layer.things}
        return [thing_id for thing_id in moved if thing_id.id in visible]

    def _made(self, document: MapDocument, pointer: Pointer) -> Settled:
        """Return the thing that a click would place, and its symmetric twins, with negative ids."""
        battlemap = document.battlemap
        chosen = self.options.thing
        assert chosen is not None
        grid = battlemap.grid
        rules = battlemap.system.thing_rules
        if pointer.ctrl and not rules.in_cells:
            x, y = nearest_copy(grid, pointer.x, pointer.y)
        else:
            x, y = grid.centre(pointer.cell)
        symmetry = self.options.symmetry(grid)
        thing = replace(chosen, x=x, y=y)
        is_text = thing.kind in battlemap.system.text_kinds
        images = [thing]
        if symmetry is not None:
            images = symmetry.thing_images(grid, thing, is_text=is_text)
        standing = [t for t in images if not rules.why_not(battlemap, grid.cell_at(t.x, t.y))]
        numbered = [replace(thing, id=-number) for number, thing in enumerate(standing, 1)]
        return rules.settled(battlemap, numbered)


def _locked_layer(document: MapDocument, things: tuple[Thing, ...]) -> Layer | None:
    """Return a locked layer that holds one of these things, None if there is none."""
    locked = [layer for layer in document.battlemap.layers if layer.locked and layer.things]
    for layer in locked:
        if any(thing.id in layer.things for thing in things):
            return layer
    return None


def _moved(
    battlemap: BattleMap, things: tuple[Thing, ...], right: float, down: float
) -> Settled | str:
    """Return the things moved by (right, down) map units.

    Why they cannot be there, as text: "" if one of them would leave the map.
    """
    grid = battlemap.grid
    rules = battlemap.system.thing_rules
    moved = []
    for thing in things:
        cell = grid.cell_at(thing.x + right, thing.y + down)
        if cell < 0:
            return ""
        why_not = rules.why_not(battlemap, cell)
        if why_not:
            return why_not
        at = (thing.x + right, thing.y + down)
        x, y = grid.centre(cell) if rules.in_cells else nearest_copy(grid, *at)
        moved.append(replace(thing, x=x, y=y))
    return rules.settled(battlemap, moved)


def _box(first: Pointer, second: Pointer) -> tuple[float, float, float, float]:
    """(left, top, right, bottom) of the box between two pointers, in map units."""
    return (
        min(first.x, second.x),
        min(first.y, second.y),
        max(first.x, second.x),
        max(first.y, second.y),
    )


def turn_things(battlemap: BattleMap, things: Sequence[Thing], steps: int) -> Edit | None:
    """Return the edit that turns things clockwise, by half the angle of a side each step."""
    by = steps * 180 / battlemap.grid.degree
    return change_things(
        battlemap, [replace(thing, angle=(thing.angle + by) % 360) for thing in things]
    )
