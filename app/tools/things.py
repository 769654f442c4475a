"""The tool that places, picks and moves things: units, trees and whatever else lies on a map.

What a press does depends on what lies under it: read ``ThingsTool`` and its ``start`` first, then
``edit`` for a drag and ``finish`` for the release.

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from math import hypot
from typing import TYPE_CHECKING

from app.render.scene.regions import region_names
from app.render.scene.things.loads import NO_LOADS
from app.render.scene.things.thing_labels import NamesCache
from app.render.scene.things.things import diameter
from app.tools.pointer import Pointer
from app.tools.tool import Preview, Tool
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.thing_edits import add_things, change_things
from randomizer.model.grid.grid import Hit
from randomizer.model.hand import targets
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.carriers import carried_by, carriers_on
from randomizer.model.map.kinds_on_map import kinds_by_name, kinds_of
from randomizer.model.map.layer import Layer
from randomizer.model.map.things_at import (
    free_point,
    thing_text,
    things_in_box,
    things_on_cell,
    topmost_thing_at,
)
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

ALT_FOR_ANOTHER = "Alt+click places another"
"""What to say where a click picks a thing of the chosen kind instead of placing another."""

WHO_PLACES_REGION_NAMES = (
    "The name of the region {region} is placed by the program: it cannot be moved"
)
"""What to say where a drag begins on the name of a region, which looks like a label."""


class ThingsTool(Tool):
    """Picks things by a click or a box, drags them, and places new ones of the chosen kind.

    Pressed on a thing it drags the thing and all that are picked with it; pressed on the ground it
    draws a box around things to pick, and so it does on a tree that is not picked yet
    (``SCATTERED``). A click on the ground places one of ``ToolOptions.thing``, or picks nothing; a
    place of that kind in the same cell is picked (``ThingKind.is_place``).
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
    uses = frozenset({"next_thing", "owner", "symmetry"})
    paints = False
    picks = False
    exact = True
    sweeps = True
    names_on_double_click = True

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._pressed: Pointer | None = None
        """Where the stroke began, None between strokes."""
        self._grabbed: Thing | None = None
        """The thing that the stroke drags, None if it draws a box or nothing was pressed."""
        self._in_crowd: Thing | None = None
        """The pressed thing if it is one of many that cover an area: only a click picks it."""
        self._originals: tuple[Thing, ...] = ()
        """What is dragged, as it was when the stroke began: what is picked and what that carries.

        Empty once the drag was refused.
        """
        self._touches = 0
        """The number of touch keys given out: no two of them are the same."""
        self._is_drag = False
        """True if the stroke is a drag: the pointer has gone farther than ``DRAG``."""
        self._was_picked_alone = False
        """True if the grabbed thing alone was picked before the press: then a click picks the next
        thing of its load (``_next_of_load``).
        """
        self._remark = ""
        """What the game would mind about the things placed or moved by the stroke; "" for none."""
        self._links: dict[int, int] | None = None
        """The ids of carriers by the ids of what they carry, None until they are needed."""
        self._names = NamesCache()
        """Where the inscriptions of the map are drawn: they are picked by their letters."""

    def suits(self, system: System) -> bool:
        return system.offers(System.thing_kinds)

    def tip_on(self, system: System) -> str:
        """Return the tip, with sentences about what things can do in this system."""
        rules = system.thing_rules
        tip = self.tip
        if not rules.in_cells:
            tip += " Alt: not at the centre of a {cell}. Trees are dragged once they are picked."
        if rules.carrier:
            tip += " Dropped onto what can carry it, a thing goes aboard."
        return tip

    def lacks(self, system: System) -> str:
        return "" if self.suits(system) else "things"

    def stops(self, battlemap: BattleMap, cell: int) -> tuple[tuple[float, float, str], ...]:
        """Return the things on the cell, the topmost first."""
        kinds = {kind.name: kind for kind in kinds_of(battlemap)}
        stops = []
        for thing in reversed(things_on_cell(battlemap, cell)):
            x, y = battlemap.grid.shown_point(thing.x, thing.y)
            stops.append((x, y, thing_text(thing, kinds)))
        return tuple(stops)

    # --- a stroke ---------------------------------------------------------------------------

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        """Grab the thing under the pointer, and pick it unless it is picked already.

        A tree or another thing of which many cover an area (``SCATTERED``) is not grabbed before it
        is picked: in a forest a drag is to draw a box.
        """
        self._pressed = pointer
        self._remark = ""
        thing = self._thing_at(document, pointer)
        if thing is None:
            return
        picked_ids = {thing.id for thing in document.picked}
        is_picked = thing.id in picked_ids
        kind = kinds_by_name(document.battlemap).get(thing.kind)
        if not is_picked and kind is not None and kind.icon in SCATTERED:
            self._in_crowd = thing
            return

        self._grabbed = thing
        self._was_picked_alone = picked_ids == {thing.id}
        if not is_picked:
            _pick(document, {thing.id}, adding=pointer.shift)

        # What picked things carry comes with them.
        carried_ids = carried_by(document.battlemap, [thing.id for thing in document.picked])
        carried = [document.battlemap.thing(thing_id) for thing_id in carried_ids]
        self._originals = (*document.picked, *carried)

    def step_text(self) -> str:
        if self._grabbed is None:
            return self.text
        count = len(self._originals)
        if count == 1:
            return "Move a thing"
        return f"Move {count:,} things"

    def result_text(self, document: MapDocument) -> str:
        if not self._remark:
            return ""
        return f"{self._remark}."

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return a new key each time: a thing can be dragged back to where it was."""
        self._touches += 1
        return (self._touches,)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Move what is picked, and what that carries, along with the pointer."""
        if self._pressed is None:
            return None
        distance = hypot(pointer.x - self._pressed.x, pointer.y - self._pressed.y)
        if distance > DRAG or pointer.cell != self._pressed.cell:
            self._is_drag = True  # and it stays one, even if the pointer comes back
        if not self._drags_things():
            return None
        locked = _locked_layer(document, self._originals)
        if locked is not None:
            document.refuse(targets.why_not_into(locked))
            self._originals = ()
            return None
        moved = self._moved(document, pointer)
        if isinstance(moved, str):
            return None
        self._remark = moved.words
        return change_things(document.battlemap, moved.things)

    def _drags_things(self) -> bool:
        """Return whether the stroke drags things, and was not refused."""
        return self._grabbed is not None and self._is_drag and bool(self._originals)

    def _moved(self, document: MapDocument, pointer: Pointer) -> Settled | str:
        """Return the grabbed things where the pointer is; why they cannot stand there, as text."""
        right, down = self._shift(document, pointer)
        return _moved(document.battlemap, self._originals, right, down)

    def _shift(self, document: MapDocument, pointer: Pointer) -> tuple[float, float]:
        """Return how far (right, down) the things have to be moved, in map units.

        The grabbed one goes to the cell under the pointer (``_point_on``); with Ctrl it is moved as
        far as the pointer, where the rules let things stand anywhere in a cell.
        """
        assert self._pressed is not None
        assert self._grabbed is not None
        if pointer.ctrl and not document.battlemap.system.thing_rules.in_cells:
            return pointer.x - self._pressed.x, pointer.y - self._pressed.y
        if pointer.cell == self._pressed.cell:
            return 0.0, 0.0
        moved_ids = {thing.id for thing in self._originals}
        x, y = self._point_on(document.battlemap, pointer.cell, self._grabbed.kind, moved_ids)
        return x - self._grabbed.x, y - self._grabbed.y

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Pick the things in the box; after a click place a thing, or pick the one clicked.

        What a drag moved was moved by ``edit``.
        """
        pressed = self._pressed
        if pressed is None:
            return
        if self._grabbed is not None:
            # With Shift it was added to what is picked when it was pressed.
            if not self._is_drag and not pressed.shift:
                document.pick({self._next_of_load(document)})
        elif self._is_drag:
            things = things_in_box(document.battlemap, *_box(pressed, pointer))
            _pick(document, {thing.id for thing in things}, adding=pressed.shift)
            region = self._region_named_at(document, pressed)
            if region and not things:
                document.refuse(WHO_PLACES_REGION_NAMES.format(region=region))
        elif self._in_crowd is not None:
            _pick(document, {self._in_crowd.id}, adding=pressed.shift)
        elif not pressed.shift:
            document.pick(())
            if self.options.thing is None:
                return
            like_thing = self._like_thing_on(document, pointer)
            if like_thing is not None:
                document.pick({like_thing.id})
                kinds = kinds_by_name(document.battlemap)
                text = thing_text(like_thing, kinds)
                document.refuse(f"Picked {text}, which was here already. {ALT_FOR_ANOTHER}.")
                return
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
        settled = self._new_things(document, pointer)
        layer = targets.topmost_part(battlemap, document.active_layer_id)
        first_id = battlemap.next_thing_id
        self._remark = settled.words
        yield add_things(battlemap, layer.id, settled.things)
        document.pick(range(first_id, first_id + len(settled.things)))
        self.options.thing_placed.emit()

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        pressed = self._pressed
        if pressed is not None and self._is_drag and self._grabbed is None:
            left, top, right, bottom = _box(pressed, pointer)
            corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
            return Preview(points=corners)
        if pressed is not None:
            return Preview(note=self._drag_note(document, pointer))

        # Nothing is pressed: the preview is of what a click would do.
        thing = self._thing_at(document, pointer)
        if thing is not None:
            locked = _locked_layer(document, (thing,))
            note = ""
            if locked is not None:
                note = targets.why_not_into(locked)
            return Preview(note=note)
        if self.options.thing is None or pointer.shift:
            return Preview()
        like_thing = self._like_thing_on(document, pointer)
        if like_thing is not None:
            text = thing_text(like_thing, kinds_by_name(document.battlemap))
            return Preview(note=f"A click picks {text}. {ALT_FOR_ANOTHER}")
        why_not = self._why_not_place(document, pointer)
        if why_not:
            return Preview(note=why_not)
        settled = self._new_things(document, pointer)
        return Preview(things=tuple(settled.things), note=settled.words)

    def _why_not_place(self, document: MapDocument, pointer: Pointer) -> str:
        """Return why nothing can be placed here, as text; "" if something can."""
        battlemap = document.battlemap
        why_not = targets.why_not(battlemap, document.active_layer_id)
        if why_not:
            return why_not
        return battlemap.system.thing_rules.why_not(battlemap, pointer.cell)

    def _drag_note(self, document: MapDocument, pointer: Pointer) -> str:
        """Return a remark about the things where they are dragged; "" for none.

        It is why they cannot stand there, or what the rules say of their new places.
        """
        if not self._drags_things():
            return ""
        moved = self._moved(document, pointer)
        if isinstance(moved, str):
            return moved
        return moved.words

    def forget(self) -> None:
        self._pressed = None
        self._grabbed = None
        self._in_crowd = None
        self._originals = ()
        self._is_drag = False
        self._was_picked_alone = False

    def map_changed(self) -> None:
        """Forget which things carry which: it may be others now."""
        self._links = None

    def turn_next(self, document: MapDocument, steps: int) -> None:
        """Turn what is placed next, as ``turn_things`` does."""
        thing = self.options.thing
        if thing is not None:
            angle = (thing.angle + steps * 180 / document.battlemap.grid.degree) % 360
            self.options.choose(thing=replace(thing, angle=angle))

    # --- where it points --------------------------------------------------------------------

    def _thing_at(self, document: MapDocument, pointer: Pointer) -> Thing | None:
        """Return the thing under the pointer, as large as it is drawn; None if there is none.

        Of a load (``_load_with``) it is the picked thing, or if none is picked the outermost
        carrier, whatever of the load is hit.
        """
        battlemap = document.battlemap
        reach = diameter(battlemap, pointer.scale) / 2 / pointer.scale
        least_reach = LEAST_REACH / pointer.scale
        hit = topmost_thing_at(battlemap, pointer.x, pointer.y, reach, least_reach)
        if hit is None:
            # An inscription has no shape: it is hit where its letters are.
            names = self._names.of(battlemap, pointer.scale, NO_LOADS)
            inscription = names.inscription_at(pointer.x, pointer.y, pointer.scale)
            if inscription:
                return battlemap.thing(inscription)
            return None
        load = self._load_with(document, hit)
        picked_ids = {thing.id for thing in document.picked}
        for thing in load:
            if thing.id in picked_ids:
                return thing
        return load[0]

    def _region_named_at(self, document: MapDocument, pointer: Pointer) -> str:
        """Return the region whose name is drawn under the pointer, "" if none is."""
        battlemap = document.battlemap
        scale = pointer.scale
        names = self._names.of(battlemap, scale, NO_LOADS)
        regions = region_names(battlemap, document.composite)
        return regions.name_at(pointer.x, pointer.y, scale, names)

    def _like_thing_on(self, document: MapDocument, pointer: Pointer) -> Thing | None:
        """Return the thing on the pointer's cell that a click picks instead of placing another.

        That is the topmost visible one of the chosen kind, if that is a kind of places: a second
        town in a cell would be taken for the first one. With Alt a second one is placed.
        """
        chosen = self.options.thing
        if chosen is None or pointer.ctrl:
            return None
        battlemap = document.battlemap
        kind = kinds_by_name(battlemap).get(chosen.kind)
        if kind is None or not kind.is_place:
            return None
        for thing in reversed(things_on_cell(battlemap, pointer.cell)):
            if thing.kind == chosen.kind:
                return thing
        return None

    def _next_of_load(self, document: MapDocument) -> int:
        """Return the id of the thing that a click on the grabbed one picks.

        That is the grabbed one itself; clicked again, what it carries, one after the other.
        """
        assert self._grabbed is not None
        ids = [thing.id for thing in self._load_with(document, self._grabbed)]
        position = ids.index(self._grabbed.id)
        if self._was_picked_alone:
            position = (position + 1) % len(ids)
        return ids[position]

    def _load_with(self, document: MapDocument, thing: Thing) -> list[Thing]:
        """Return the load of a thing: its outermost carrier, then all that this carrier carries.

        For a man in a truck on a ship, and for the truck and the ship: ship, truck, man. A thing
        that neither carries nor is carried is its own load. Things on hidden layers are left out.
        """
        battlemap = document.battlemap
        if self._links is None:
            self._links = carriers_on(battlemap)
        carrier_id = thing.id
        while carrier_id in self._links:
            carrier_id = self._links[carrier_id]
        if carrier_id == thing.id and carrier_id not in self._links.values():
            return [thing]

        visible_ids: set[int] = set()
        for layer in battlemap.layers:
            if layer.visible:
                visible_ids.update(layer.things)
        ids = (carrier_id, *carried_by(battlemap, [carrier_id]))
        return [battlemap.thing(thing_id) for thing_id in ids if thing_id in visible_ids]

    @staticmethod
    def _point_on(
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

    def _new_things(self, document: MapDocument, pointer: Pointer) -> Settled:
        """Return the thing that a click would place, and its symmetric twins, with negative ids."""
        battlemap = document.battlemap
        chosen = self.options.thing
        assert chosen is not None
        grid = battlemap.grid
        rules = battlemap.system.thing_rules
        if pointer.ctrl and not rules.in_cells:
            x, y = grid.shown_point(pointer.x, pointer.y)
        else:
            x, y = self._point_on(battlemap, pointer.cell, chosen.kind)
        thing = replace(chosen, x=x, y=y)

        images = [thing]
        symmetry = self.options.symmetry(grid)
        if symmetry is not None:
            is_text = thing.kind in battlemap.system.text_kinds
            images = symmetry.thing_images(grid, thing, is_text=is_text)

        # A twin on a cell that can hold none is left out. Ids below 0 are those of no thing yet.
        new_things: list[Thing] = []
        for image in images:
            if not rules.why_not(battlemap, grid.cell_at(image.x, image.y)):
                new_things.append(replace(image, id=-1 - len(new_things)))
        return rules.settled(battlemap, new_things)


def _pick(document: MapDocument, ids: set[int], *, adding: bool) -> None:
    """Pick things, ``adding`` them to those that are picked already."""
    if adding:
        ids = ids | {thing.id for thing in document.picked}
    document.pick(ids)


def _locked_layer(document: MapDocument, things: tuple[Thing, ...]) -> Layer | None:
    """Return a locked layer that holds one of these things, None if there is none."""
    for layer in document.battlemap.layers:
        if layer.locked and any(thing.id in layer.things for thing in things):
            return layer
    return None


def _moved(
    battlemap: BattleMap, things: tuple[Thing, ...], right: float, down: float
) -> Settled | str:
    """Return things moved by (right, down) map units.

    If one of them cannot stand there the result is the reason, as text: "" if it would leave the
    map.
    """
    grid = battlemap.grid
    rules = battlemap.system.thing_rules
    moved = []
    for thing in things:
        cell = grid.cell_at(thing.x + right, thing.y + down)
        if cell < 0:
            return ""  # the user sees that it is off the map: nothing has to be said
        why_not = rules.why_not(battlemap, cell)
        if why_not:
            return why_not
        if rules.in_cells:
            x, y = grid.centre(cell)
        else:
            x, y = grid.shown_point(thing.x + right, thing.y + down)
        moved.append(replace(thing, x=x, y=y))
    return rules.settled(battlemap, moved)


def _box(first: Pointer, second: Pointer) -> tuple[float, float, float, float]:
    """Return (left, top, right, bottom) of the box between two pointers, in map units."""
    return (
        min(first.x, second.x),
        min(first.y, second.y),
        max(first.x, second.x),
        max(first.y, second.y),
    )


def turn_things(battlemap: BattleMap, things: Sequence[Thing], steps: int) -> Edit | None:
    """Return the edit that turns things clockwise, by half the angle of a side each step."""
    angle_of_steps = steps * 180 / battlemap.grid.degree
    turned = []
    for thing in things:
        turned.append(replace(thing, angle=(thing.angle + angle_of_steps) % 360))
    return change_things(battlemap, turned)
