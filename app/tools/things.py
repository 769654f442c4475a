"""The tool that places, picks and moves things: units, trees and whatever else lies on a map.

What a stroke does depends on what lies under the press, and on whether the pointer then moves:

    pressed on           click                                 drag
    a thing              picks it, or the next of its load     moves it and all that is picked
    one of a crowd       picks it                              picks what is in a box
    the ground           places the chosen thing, else picks   picks what is in a box
                         nothing

``start`` says what lies under the press, ``edit`` moves things during a drag, ``finish`` does the
rest. Which thing is hit is told in thing_hits.py, where things can stand in thing_placing.py;
``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import hypot
from typing import TYPE_CHECKING

from app.tools.pointer import Pointer
from app.tools.thing_hits import ThingHits
from app.tools.thing_placing import (
    CannotStand,
    like_thing_on,
    moved_things,
    new_things,
    point_on,
    why_not_place,
)
from app.tools.tool import Preview, Stop, Tool
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.thing_edits import add_things, change_things
from randomizer.model.grid.box import Box
from randomizer.model.grid.grid import Hit
from randomizer.model.hand import targets
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.carriers import carried_by
from randomizer.model.map.kinds_on_map import kinds_by_name, kinds_of
from randomizer.model.map.layer import Layer
from randomizer.model.map.things_at import thing_text, things_in_box, things_on_cell
from randomizer.model.system.system import System
from randomizer.model.things.thing_kind import SCATTERED
from randomizer.model.things.thing_rules import Settled
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions

DRAG = 0.3
"""A pointer that goes farther than this (map units) from the press, or to another cell, drags.

If it is larger, things have to be dragged farther before they move; if smaller, an unsteady click
moves them.
"""

ALT_FOR_ANOTHER = "Alt+click places another"
"""What to say where a click picks a thing of the chosen kind instead of placing another."""

WHO_PLACES_REGION_NAMES = (
    "The name of the region {region} is placed by the program: it cannot be moved"
)
"""What to say where a drag begins on the name of a region, which looks like a label."""


@dataclass
class _Stroke:
    """A stroke under way, from the press of the button to its release."""

    pressed: Pointer
    """Where it began."""

    grabbed: Thing | None = None
    """The thing that was pressed, which a drag moves; None for a press on the ground."""

    in_crowd: Thing | None = None
    """The thing that was pressed if it is one of many that cover an area: only a click picks it."""

    originals: tuple[Thing, ...] = ()
    """What a drag moves, as it was when the stroke began: what is picked and what that carries.

    Empty if there is nothing to move, and once the drag was refused.
    """

    was_picked_alone: bool = False
    """True if the grabbed thing alone was picked before the press.

    Then a click picks the next thing of its load.
    """

    is_drag: bool = False
    """True once the pointer has gone farther than ``DRAG`` or to another cell, for good."""

    @property
    def moves_things(self) -> bool:
        """True if it is a drag of things that was not refused."""
        return self.grabbed is not None and self.is_drag and bool(self.originals)

    @property
    def draws_box(self) -> bool:
        """True if it is a drag around things to pick."""
        return self.grabbed is None and self.is_drag


class ThingsTool(Tool):
    """Picks things by a click or a box, drags them, and places new ones of the chosen kind.

    The chosen kind is ``ToolOptions.thing``, None to place nothing. A town or another place
    (``ThingKind.is_place``) is not placed where one of its kind is: that one is picked.
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
    changes_planes = False
    is_eyedropper_with_ctrl = False
    needs_exact_point = True
    finds_way_between = True
    names_on_double_click = True

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._stroke: _Stroke | None = None
        """The stroke under way, None between strokes."""
        self._touches = 0
        """The number of touch keys given out: no two of them are the same."""
        self._remark = ""
        """What the game would mind about the things placed or moved by the stroke; "" for none."""
        self._hits = ThingHits()

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
        if self.suits(system):
            return ""
        return "things"

    def stops(self, battlemap: BattleMap, cell: int) -> tuple[Stop, ...]:
        """Return the things on the cell, the topmost first."""
        kinds = {kind.name: kind for kind in kinds_of(battlemap)}
        stops = []
        for thing in reversed(things_on_cell(battlemap, cell)):
            x, y = battlemap.grid.shown_point(thing.x, thing.y)
            stops.append(Stop(x, y, thing_text(thing, kinds)))
        return tuple(stops)

    # --- a stroke ---------------------------------------------------------------------------

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        """Grab the thing under the pointer, and pick it unless it is picked already.

        A tree or another thing of which many cover an area (``SCATTERED``) is not grabbed before it
        is picked: in a forest a drag is to draw a box.
        """
        stroke = _Stroke(pointer)
        self._stroke = stroke
        self._remark = ""
        thing = self._hits.thing_at(document, pointer)
        if thing is None:
            return
        picked_ids = {picked.id for picked in document.picked}
        is_picked = thing.id in picked_ids
        kind = kinds_by_name(document.battlemap).get(thing.kind)
        if not is_picked and kind is not None and kind.icon in SCATTERED:
            stroke.in_crowd = thing
            return

        stroke.grabbed = thing
        stroke.was_picked_alone = picked_ids == {thing.id}
        if not is_picked:
            _pick(document, {thing.id}, adding=pointer.shift)

        # What picked things carry comes with them.
        carried_ids = carried_by(document.battlemap, [picked.id for picked in document.picked])
        carried = [document.battlemap.thing(thing_id) for thing_id in carried_ids]
        stroke.originals = (*document.picked, *carried)

    def step_text(self) -> str:
        if self._stroke is None or self._stroke.grabbed is None:
            return self.text
        count = len(self._stroke.originals)
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
        stroke = self._stroke
        if stroke is None:
            return None
        pressed = stroke.pressed
        distance = hypot(pointer.x - pressed.x, pointer.y - pressed.y)
        if distance > DRAG or pointer.cell != pressed.cell:
            stroke.is_drag = True
        if not stroke.moves_things:
            return None
        locked = _locked_layer(document, stroke.originals)
        if locked is not None:
            document.refuse(targets.why_not_into(locked))
            stroke.originals = ()
            return None
        settled = _dragged_things(document, stroke, pointer)
        if isinstance(settled, CannotStand):
            return None
        self._remark = settled.words
        return change_things(document.battlemap, settled.things)

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Pick the things in the box; after a click place a thing, or pick the one clicked.

        What a drag moved was moved by ``edit``.
        """
        stroke = self._stroke
        if stroke is None:
            return
        adds_to_picked = stroke.pressed.shift
        if stroke.grabbed is not None:
            # With Shift it was added to what is picked when it was pressed.
            if not stroke.is_drag and not adds_to_picked:
                document.pick({self._next_of_load(document, stroke, stroke.grabbed)})
        elif stroke.is_drag:
            self._pick_in_box(document, stroke, pointer)
        elif stroke.in_crowd is not None:
            _pick(document, {stroke.in_crowd.id}, adding=adds_to_picked)
        elif not adds_to_picked:
            document.pick(())
            if self.options.thing is not None:
                yield from self._click_on_ground(document, pointer)

    def _next_of_load(self, document: MapDocument, stroke: _Stroke, grabbed: Thing) -> int:
        """Return the id of the thing that a click on the grabbed one picks.

        That is the grabbed one itself; clicked again, what it carries, one after the other.
        """
        ids = [thing.id for thing in self._hits.load_with(document, grabbed)]
        position = ids.index(grabbed.id)
        if stroke.was_picked_alone:
            position = (position + 1) % len(ids)
        return ids[position]

    def _pick_in_box(self, document: MapDocument, stroke: _Stroke, pointer: Pointer) -> None:
        """Pick the things in the box that was drawn.

        Where it picks nothing and began on the name of a region, say why that is not dragged.
        """
        things = things_in_box(document.battlemap, _box(stroke.pressed, pointer))
        _pick(document, {thing.id for thing in things}, adding=stroke.pressed.shift)
        region = self._hits.region_named_at(document, stroke.pressed)
        if region and not things:
            document.refuse(WHO_PLACES_REGION_NAMES.format(region=region))

    def _click_on_ground(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Place the chosen thing, or pick one like it that is there already."""
        like_thing = like_thing_on(document, self.options, pointer)
        if like_thing is not None:
            document.pick({like_thing.id})
            text = thing_text(like_thing, kinds_by_name(document.battlemap))
            document.refuse(f"Picked {text}, which was here already. {ALT_FOR_ANOTHER}.")
            return
        why_not = why_not_place(document, pointer)
        if why_not:
            document.refuse(f"{why_not.removesuffix('.')}.")
        else:
            yield from self._place(document, pointer)

    def forget(self) -> None:
        self._stroke = None

    def map_changed(self) -> None:
        self._hits.map_changed()

    # --- placing ----------------------------------------------------------------------------

    def place_on(self, document: MapDocument, cell: int) -> None:
        """Place the chosen thing on a cell, as a click on its centre does: one undo step."""
        pointer = Pointer(Hit(cell, 0, 0.0), *document.battlemap.grid.centre(cell))
        why_not = why_not_place(document, pointer)
        if why_not:
            document.refuse(f"{why_not.removesuffix('.')}.")
            return
        for edit in self._place(document, pointer):
            document.push(edit, self.text)

    def _place(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Add the chosen thing and its twins, and pick them: their labels can be typed."""
        battlemap = document.battlemap
        settled = new_things(document, self.options, pointer)
        layer = targets.topmost_part(battlemap, document.active_layer_id)
        first_id = battlemap.next_thing_id  # ``add_things`` counts on from it
        self._remark = settled.words
        yield add_things(battlemap, layer.id, settled.things)
        document.pick(range(first_id, first_id + len(settled.things)))
        self.options.thing_placed.emit()

    def turn_next(self, document: MapDocument, steps: int) -> None:
        """Turn what is placed next, as ``turn_things`` does."""
        thing = self.options.thing
        if thing is not None:
            angle = (thing.angle + steps * 180 / document.battlemap.grid.degree) % 360
            self.options.choose(thing=replace(thing, angle=angle))

    # --- preview ----------------------------------------------------------------------------

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        """Return the box that is drawn, a note on what is dragged, or what a click would do."""
        stroke = self._stroke
        if stroke is None:
            return self._preview_of_click(document, pointer)
        if stroke.draws_box:
            left, top, right, bottom = _box(stroke.pressed, pointer)
            corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
            return Preview(points=corners)
        if not stroke.moves_things:
            return Preview()
        settled = _dragged_things(document, stroke, pointer)
        if isinstance(settled, CannotStand):
            return Preview(note=settled.reason)
        return Preview(note=settled.words)

    def _preview_of_click(self, document: MapDocument, pointer: Pointer) -> Preview:
        """Return what a click would pick or place, or why it cannot."""
        thing = self._hits.thing_at(document, pointer)
        if thing is not None:
            locked = _locked_layer(document, (thing,))
            note = ""
            if locked is not None:
                note = targets.why_not_into(locked)
            return Preview(note=note)
        if self.options.thing is None or pointer.shift:
            return Preview()
        like_thing = like_thing_on(document, self.options, pointer)
        if like_thing is not None:
            text = thing_text(like_thing, kinds_by_name(document.battlemap))
            return Preview(note=f"A click picks {text}. {ALT_FOR_ANOTHER}")
        why_not = why_not_place(document, pointer)
        if why_not:
            return Preview(note=why_not)
        settled = new_things(document, self.options, pointer)
        return Preview(things=tuple(settled.things), note=settled.words)


def _dragged_things(
    document: MapDocument, stroke: _Stroke, pointer: Pointer
) -> Settled | CannotStand:
    """Return what the stroke moves as it stands at the pointer, or why it cannot stand there."""
    right, down = _drag_distance(document, stroke, pointer)
    return moved_things(document.battlemap, stroke.originals, right, down)


def _drag_distance(document: MapDocument, stroke: _Stroke, pointer: Pointer) -> tuple[float, float]:
    """Return how far (right, down) the things have to be moved, in map units.

    The grabbed one goes to the cell under the pointer (``point_on``); with Ctrl or Alt it is moved
    as far as the pointer, where the rules let things stand anywhere in a cell.
    """
    pressed = stroke.pressed
    grabbed = stroke.grabbed
    assert grabbed is not None
    if pointer.ctrl_or_alt and not document.battlemap.system.thing_rules.in_cells:
        return pointer.x - pressed.x, pointer.y - pressed.y
    if pointer.cell == pressed.cell:
        return 0.0, 0.0
    moved_ids = {thing.id for thing in stroke.originals}
    x, y = point_on(document.battlemap, pointer.cell, grabbed.kind, moved_ids)
    return x - grabbed.x, y - grabbed.y


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


def _box(first: Pointer, second: Pointer) -> Box:
    """Return the box between two pointers."""
    return Box(
        min(first.x, second.x),
        min(first.y, second.y),
        max(first.x, second.x),
        max(first.y, second.y),
    )
