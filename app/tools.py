"""The tools of the canvas: a place under the mouse goes in, an edit comes out.

A tool never changes the map itself. It is asked once for every new place that a drag comes over;
its ``start`` hears where the drag began, so that a toggling tool does the same all along the way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from PySide6.QtCore import QObject, Signal

from randomizer.edit import Edit, compound, set_locks, set_property, set_values

if TYPE_CHECKING:
    from app.document import MapDocument
    from randomizer.battlemap import BattleMap
    from randomizer.grid import Hit


class SidePlace(NamedTuple):
    """A hexside: the cell that owns it and the side of that cell."""

    cell: int
    side: int


class ToolOptions(QObject):
    """What the palette has chosen; tools read it, the palette and the eyedropper write it."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._terrain = 1
        self._elevation = 1
        self._hexside = 3
        self._flipped = False

    def _set(self, name: str, value: object) -> None:
        if getattr(self, name) != value:
            setattr(self, name, value)
            self.changed.emit()

    @property
    def terrain(self) -> int:
        """The terrain to paint: an index into the terrain set."""
        return self._terrain

    def set_terrain(self, code: int) -> None:
        """Choose the terrain to paint."""
        self._set("_terrain", code)

    @property
    def elevation(self) -> int:
        """The elevation to paint."""
        return self._elevation

    def set_elevation(self, elevation: int) -> None:
        """Choose the elevation to paint."""
        self._set("_elevation", elevation)

    @property
    def hexside(self) -> int:
        """The hexside to paint: 0 for none, else index + 1."""
        return self._hexside

    def set_hexside(self, code: int) -> None:
        """Choose the hexside to paint."""
        self._set("_hexside", code)

    @property
    def flipped(self) -> bool:
        """Whether hexsides go to the other hex than the rule would choose."""
        return self._flipped

    def set_flipped(self, flipped: bool) -> None:
        """Choose whether hexsides go to the other hex."""
        self._set("_flipped", flipped)


@dataclass
class Tool:
    """One tool. ``text`` names its undo step; ``takes_sides``: near an edge it means the side."""

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    icon: ClassVar[str] = ""
    shortcut: ClassVar[str] = ""
    tip: ClassVar[str] = ""
    text: ClassVar[str] = ""
    takes_sides: ClassVar[bool] = False
    pans: ClassVar[bool] = False
    options: ToolOptions

    def start(self, document: MapDocument, hit: Hit) -> None:
        """A drag begins at ``hit``; nothing to remember for most tools."""

    def place(self, battlemap: BattleMap, hit: Hit) -> tuple[int, ...]:
        """What the tool would touch here: the same place twice in a drag is asked for once."""
        return (hit.cell,)

    def edit(self, document: MapDocument, hit: Hit) -> Edit | None:
        """What the tool does at one place of the document's active layer."""
        raise NotImplementedError

    def side_preview(self, document: MapDocument, hit: Hit) -> tuple[SidePlace, int] | None:
        """The hexside that a click here would paint, with its code; None for other tools."""
        return None


def side_index(battlemap: BattleMap, place: SidePlace) -> int:
    """The flat index of a hexside in side planes and locks."""
    return place.cell * battlemap.grid.degree + place.side


def is_side(battlemap: BattleMap, hit: Hit) -> bool:
    """Whether a hit means an edge that two cells share."""
    return hit.near_edge and battlemap.grid.neighbour(hit.cell, hit.side) >= 0


def both_sides(battlemap: BattleMap, hit: Hit) -> list[int]:
    """The flat indices of an edge's hexsides, of both cells, ascending."""
    places = [SidePlace(hit.cell, hit.side)]
    twin = battlemap.grid.twin(hit.cell, hit.side)
    if twin is not None:
        places.append(SidePlace(*twin))
    return sorted(side_index(battlemap, place) for place in places)


def rightful_owner(document: MapDocument, hit: Hit, code: int) -> SidePlace:
    """The hex to which a hexside belongs by the rules of the game, at the side under the mouse.

    The terrain set says which (a dune to the sand, a cliff to the higher hex); where that does not
    decide, it is the hex under the mouse.
    """
    grid = document.battlemap.grid
    here = SidePlace(hit.cell, hit.side)
    twin = grid.twin(hit.cell, hit.side)
    if twin is None or not code:
        return here
    there = SidePlace(*twin)
    planes = document.composite.planes
    terrain_set = document.battlemap.system.terrain_set
    hexside = terrain_set.hexsides[code - 1]
    if hexside.ground:
        ground = terrain_set.terrain_code(hexside.ground)
        terrain = planes["terrain"].flat
        if terrain[there.cell] == ground and terrain[here.cell] != ground:
            return there
    elif hexside.higher:
        elevation = planes["elevation"].flat
        if elevation[there.cell] > elevation[here.cell]:
            return there
    return here


class TerrainTool(Tool):
    """Paints the chosen terrain; elevation and hexsides stay."""

    name = "terrain"
    title = "Terrain brush"
    icon = "brush"
    shortcut = "B"
    tip = "Paint the chosen terrain: click or drag over hexes. Escape takes the stroke back."
    text = "Paint terrain"

    def edit(self, document: MapDocument, hit: Hit) -> Edit | None:
        """The cell gets the chosen terrain."""
        layer = document.active_layer_id
        return set_values(document.battlemap, layer, "terrain", [hit.cell], self.options.terrain)


class ElevationTool(Tool):
    """Paints the chosen elevation."""

    name = "elevation"
    title = "Elevation brush"
    icon = "elevation"
    shortcut = "H"
    tip = "Paint the chosen elevation (keys 0 to 3 choose it)."
    text = "Paint elevation"

    def edit(self, document: MapDocument, hit: Hit) -> Edit | None:
        """The cell gets the chosen elevation."""
        layer = document.active_layer_id
        return set_values(
            document.battlemap, layer, "elevation", [hit.cell], self.options.elevation
        )


class HexsideTool(Tool):
    """Paints the chosen hexside on the nearest side."""

    name = "hexside"
    title = "Hexside brush"
    icon = "hexside"
    shortcut = "S"
    tip = (
        "Paint the chosen hexside on the side that lights up. It goes to the higher hex (a dune to "
        "the sand); X gives it to the other one."
    )
    text = "Paint hexside"
    takes_sides = True

    def _owner(self, document: MapDocument, hit: Hit) -> SidePlace | None:
        grid = document.battlemap.grid
        place = rightful_owner(document, hit, self.options.hexside)
        twin = grid.twin(*place)
        if twin is None:
            return None
        return SidePlace(*twin) if self.options.flipped else place

    def place(self, battlemap: BattleMap, hit: Hit) -> tuple[int, ...]:
        """An edge counts once, from whichever side the mouse comes."""
        twin = battlemap.grid.twin(hit.cell, hit.side)
        here = (hit.cell, hit.side)
        return here if twin is None else min(here, twin)

    def edit(self, document: MapDocument, hit: Hit) -> Edit | None:
        """The owner's side gets the chosen hexside; choosing none clears both sides of the edge."""
        owner = self._owner(document, hit)
        if owner is None:
            return None
        battlemap, layer = document.battlemap, document.active_layer_id
        places = [side_index(battlemap, owner)]
        twin = battlemap.grid.twin(*owner)
        if not self.options.hexside and twin is not None:
            places.append(side_index(battlemap, SidePlace(*twin)))
        return set_values(battlemap, layer, "hexside", places, self.options.hexside)

    def side_preview(self, document: MapDocument, hit: Hit) -> tuple[SidePlace, int] | None:
        """Where the hexside would go."""
        owner = self._owner(document, hit)
        return None if owner is None else (owner, self.options.hexside)


class PlaceTool(Tool):
    """A tool for cells, or near an edge for hexsides: where a drag begins decides for all of it."""

    takes_sides = True
    _sides: bool = False

    def start(self, document: MapDocument, hit: Hit) -> None:
        """Cells or hexsides?"""
        self._sides = is_side(document.battlemap, hit)

    def place(self, battlemap: BattleMap, hit: Hit) -> tuple[int, ...]:
        """A cell, or an edge from whichever side."""
        if not self._sides:
            return (hit.cell,)
        if not is_side(battlemap, hit):
            return (hit.cell, -1)
        return tuple(both_sides(battlemap, hit))


class EraserTool(PlaceTool):
    """Makes places of the active layer *not set*, so that the layers below show."""

    name = "eraser"
    title = "Eraser"
    icon = "eraser"
    shortcut = "E"
    tip = (
        "Erase what the active layer sets: the hex and its hexsides, or near an edge only the "
        "hexsides of that edge. What lies below shows again."
    )
    text = "Erase"

    def edit(self, document: MapDocument, hit: Hit) -> Edit | None:
        """Unset the cell and its hexsides, or both sides of one edge."""
        battlemap, layer = document.battlemap, document.active_layer_id
        if not self._sides:
            return erase_cell(battlemap, layer, hit.cell)
        if not is_side(battlemap, hit):
            return None
        return _unset(battlemap, layer, "hexside", both_sides(battlemap, hit))


def erase_cell(battlemap: BattleMap, layer_id: int, cell: int) -> Edit | None:
    """The layer no longer sets anything on a cell or its hexsides."""
    sides = [side_index(battlemap, SidePlace(cell, s)) for s in range(battlemap.grid.degree)]
    return compound(
        [
            _unset(battlemap, layer_id, "terrain", [cell]),
            _unset(battlemap, layer_id, "elevation", [cell]),
            _unset(battlemap, layer_id, "hexside", sides),
        ]
    )


def _unset(battlemap: BattleMap, layer_id: int, plane: str, places: list[int]) -> Edit | None:
    if plane not in battlemap.layer(layer_id).planes:
        return None
    unset = battlemap.system.plane(plane).unset
    return set_values(battlemap, layer_id, plane, places, unset)


class EyedropperTool(Tool):
    """Takes terrain and elevation, or near an edge the hexside, into the palette."""

    name = "eyedropper"
    title = "Eyedropper"
    icon = "eyedropper"
    shortcut = "I"
    tip = "Take the terrain and elevation of a hex (near an edge: the hexside) into the palette."
    text = "Pick"
    takes_sides = True

    def edit(self, document: MapDocument, hit: Hit) -> Edit | None:
        """Fills the palette; the map stays as it is."""
        planes = document.composite.planes
        if is_side(document.battlemap, hit):
            grid = document.battlemap.grid
            here = planes["hexside"][*divmod(hit.cell, grid.width), hit.side]
            other, side = grid.twin(hit.cell, hit.side) or (hit.cell, hit.side)
            there = planes["hexside"][*divmod(other, grid.width), side]
            self.options.set_hexside(int(here or there))
            return None
        self.options.set_terrain(int(planes["terrain"].flat[hit.cell]))
        self.options.set_elevation(int(planes["elevation"].flat[hit.cell]))
        return None


class StartListTool(Tool):
    """Puts hexes on the start list or takes them off; the first hex of a drag decides which."""

    name = "startlist"
    title = "Start list"
    icon = "startlist"
    shortcut = "L"
    tip = "Put hexes on the start list, or take them off: the first hex of a drag decides."
    text = "Change start list"
    _adding: bool = True

    def start(self, document: MapDocument, hit: Hit) -> None:
        """The first hex decides whether the drag adds or takes off."""
        name = document.battlemap.system.cell_name(document.battlemap.grid, hit.cell)
        self._adding = name not in (document.composite.startlist or ())

    def edit(self, document: MapDocument, hit: Hit) -> Edit | None:
        """The label goes to the end of the list, or all its entries go."""
        return startlist_edit(document, hit.cell, self._adding)


def startlist_edit(document: MapDocument, cell: int, adding: bool) -> Edit | None:
    """Put a cell at the end of the start list that shows, or take it off."""
    battlemap = document.battlemap
    name = battlemap.system.cell_name(battlemap.grid, cell)
    shown = document.composite.startlist or ()
    if adding == (name in shown):
        return None
    wanted = (*shown, name) if adding else tuple(entry for entry in shown if entry != name)
    layer = document.property_layer("startlist")
    return set_property(battlemap, layer.id, "startlist", wanted)


class LockTool(PlaceTool):
    """Locks or unlocks hexes (near an edge: hexsides); the first place of a drag decides which."""

    name = "lock"
    title = "Lock"
    icon = "lock"
    shortcut = "K"
    tip = (
        "Lock hexes, or near an edge hexsides: a re-roll keeps them as they are. The first place "
        "of a drag decides between locking and unlocking."
    )
    text = "Lock"
    _locking: bool = True

    def start(self, document: MapDocument, hit: Hit) -> None:
        """The first place decides."""
        super().start(document, hit)
        battlemap = document.battlemap
        if self._sides:
            self._locking = not battlemap.locked_sides.flat[both_sides(battlemap, hit)].all()
        else:
            self._locking = not battlemap.locked_cells.flat[hit.cell]

    def edit(self, document: MapDocument, hit: Hit) -> Edit | None:
        """Lock or unlock the cell, or both sides of the edge."""
        battlemap = document.battlemap
        if not self._sides:
            return set_locks(battlemap, [hit.cell], self._locking)
        if not is_side(battlemap, hit):
            return None
        return set_locks(battlemap, both_sides(battlemap, hit), self._locking, sides=True)


class PanTool(Tool):
    """Moves the view."""

    name = "pan"
    title = "Pan"
    icon = "pan"
    shortcut = "P"
    pans = True
    tip = "Move the view. Space with the left button, or the middle button, does so in every tool."

    def edit(self, document: MapDocument, hit: Hit) -> Edit | None:
        """Nothing: the canvas itself moves the view."""
        return None


TOOLS: tuple[type[Tool], ...] = (
    TerrainTool,
    ElevationTool,
    HexsideTool,
    StartListTool,
    LockTool,
    EraserTool,
    EyedropperTool,
    PanTool,
)
"""Every tool of the tool bar, in its order."""
