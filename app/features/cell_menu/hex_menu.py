"""The context menus of a cell and of an edge, as the original Battlelands Builder has them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QMenu, QWidget

from app.canvas.hover_text import value_texts
from app.document.document import MapDocument
from app.qt_guard import connect
from app.render.raster.sprites import hexside_picture
from app.render.renderer import Renderer
from app.rolling.rolling import Rolling
from app.tools import CellSide, cell_list_edit, side_index
from app.tools.painting import left_out, paint
from app.widgets.lists.picture_choice import Entry, PictureChoice
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.value_edits import set_locks
from randomizer.model.grid.cell_words import cell_text, cell_words
from randomizer.model.grid.grid import Hit
from randomizer.model.hand.targets import left_out_words, why_not, why_not_property
from randomizer.model.planes.planes import Plane, PlaneSpec

SPRITE = 17.0
"""The radius of a cell in the menu, in logical pixels."""

HEXSIDE = 40
"""The width of a picture of a hexside, in logical pixels."""

FEW = 12
FEW_ABREAST = 6
MANY_ABREAST = 8
"""Up to so many terrains stand six abreast; more of them, and elevations, eight."""


def hex_menu(
    document: MapDocument,
    cell: int,
    parent: QWidget,
    renderer: Renderer,
    rolling: Rolling | None = None,
) -> QMenu:
    """Return the menu of a cell: terrain, elevation, hexsides to clear, cell list and locks."""
    battlemap = document.battlemap
    system = battlemap.system
    grid = battlemap.grid
    name = system.cell_name(grid, cell)
    composite = document.composite
    menu = QMenu(name, parent)
    menu.addSection(name)

    terrains = composite.plane(system.terrain)
    elevations = composite.plane(system.elevation)
    if system.terrain is not None and terrains is not None:
        kinds = battlemap.terrain_set.terrains
        sprites = renderer.sprites(battlemap, SPRITE, max(parent.devicePixelRatioF(), 2.0))
        _add_choice(
            menu,
            "Terrain",
            [Entry(i, kind.name, sprites.cell(i, 0)) for i, kind in enumerate(kinds)],
            int(terrains.flat[cell]),
            FEW_ABREAST if len(kinds) <= FEW else MANY_ABREAST,
            partial(_put, document, system.terrain, cell, f"{name} terrain"),
        )
    if system.elevation is not None and elevations is not None:
        _add_choice(
            menu,
            "Elevation",
            [
                Entry(elevation, system.elevation_text(elevation).capitalize(), text=str(elevation))
                for elevation in battlemap.terrain_set.elevations
            ],
            int(elevations.flat[cell]),
            MANY_ABREAST,
            partial(_put, document, system.elevation, cell, f"{name} elevation"),
        )
    menu.addSeparator()
    if system.hexside is not None:
        _add_clearing(menu, document, cell, system.hexside)
        menu.addSeparator()
    if system.cell_list is not None:
        title = system.cell_list.label
        listed = name in system.listed_cells(document.composite.properties)
        edit = partial(cell_list_edit, document, [cell], adding=not listed)
        _add(
            menu,
            f"On the {title.lower()}",
            lambda: _list(document, edit, f"List {name}"),
            checked=listed,
        )
    locked = bool(battlemap.locked_cells.flat[cell])
    _add(
        menu,
        "Locked for rolls",
        lambda: document.push(set_locks(battlemap, [cell], not locked), f"Lock {name}"),
        checked=locked,
    )
    if terrains is not None:
        _add_locking_all(menu, document, terrains, int(terrains.flat[cell]))
    if rolling is not None:
        _add_locking_as(menu, document, rolling, cell)
    return menu


def _add_locking_all(
    menu: QMenu, document: MapDocument, terrain_plane: Plane, terrain: int
) -> None:
    """Add an entry that locks all cells that show a terrain, if there are several."""
    battlemap = document.battlemap
    cells = battlemap.grid.cells
    same_cells = cells[terrain_plane.flat[cells] == terrain]
    name = battlemap.terrain_set.terrains[terrain].name
    if len(same_cells) > 1:
        _add(
            menu,
            f"Lock all {len(same_cells):,} of {name}",
            lambda: document.push(set_locks(battlemap, same_cells, True), f"Lock all {name}"),
        )


def _add_locking_as(menu: QMenu, document: MapDocument, rolling: Rolling, cell: int) -> None:
    """Add a menu that sets a cell as it was in an earlier roll, and locks it."""
    if rolling.target() is None:
        return
    earlier = rolling.history.earlier_values_of(cell)
    inner = menu.addMenu("Lock as it was in")
    for earlier_roll in earlier:
        text = ", ".join(value_texts(document.battlemap, earlier_roll.values))
        _add(
            inner,
            f"{earlier_roll.name}: {text}",
            partial(rolling.history.lock_as, cell, earlier_roll),
        )
    if not earlier:
        inner.addAction("No roll before this one had anything else here").setEnabled(False)
    elif document.battlemap.system.hexside is not None:
        inner.addSeparator()
        words = cell_text("{Sides} stay as they are", document.battlemap.grid.layout)
        inner.addAction(words).setEnabled(False)


def _add_clearing(menu: QMenu, document: MapDocument, cell: int, hexside: PlaneSpec) -> None:
    battlemap = document.battlemap
    grid = battlemap.grid
    name = battlemap.system.cell_name(grid, cell)
    sides = cell_words(grid.layout).sides
    own_sides = [side_index(battlemap, CellSide(cell, side)) for side in range(grid.degree)]
    twins = [grid.twin(cell, side) for side in range(grid.degree)]
    twin_sides = [side_index(battlemap, CellSide(*twin)) for twin in twins if twin is not None]
    _add(
        menu,
        f"Clear my {sides}",
        lambda: _set(document, hexside, own_sides, 0, f"Clear {sides} of {name}"),
    )
    _add(
        menu,
        f"Clear my neighbours' {sides} towards me",
        lambda: _set(document, hexside, twin_sides, 0, f"Clear {sides} towards {name}"),
    )


def border_menu(document: MapDocument, hit: Hit, parent: QWidget, renderer: Renderer) -> QMenu:
    """Return the menu of an edge: its hexside for the cell and for the one across, and its lock.

    Raises ValueError for an edge of the map.
    """
    battlemap = document.battlemap
    system = battlemap.system
    grid = battlemap.grid
    cell_side = CellSide(hit.cell, hit.side)
    twin = grid.twin(hit.cell, hit.side)
    if twin is None:
        raise ValueError("an edge at the rim has no menu")
    opposite = CellSide(*twin)
    menu = QMenu(parent)
    names = cell_words(grid.layout)
    spec = system.hexside
    hexsides = document.composite.plane(system.hexside)
    for near, far in ((cell_side, opposite), (opposite, cell_side)):
        if spec is None or hexsides is None:
            break
        name = system.cell_name(grid, near.cell)
        towards = system.cell_name(grid, far.cell)
        menu.addSection(f"{name} towards {towards}")
        kinds = battlemap.terrain_set.hexsides
        sprites = renderer.sprites(battlemap, SPRITE, max(parent.devicePixelRatioF(), 2.0))
        titles = ["Nothing", *(hexside.name for hexside in kinds)]
        title = names.side.capitalize()
        _add_choice(
            menu,
            title,
            [
                Entry(i, title, hexside_picture(sprites, i, HEXSIDE))
                for i, title in enumerate(titles)
            ],
            int(hexsides.flat[side_index(battlemap, near)]),
            FEW_ABREAST,
            partial(_put, document, spec, side_index(battlemap, near), f"{title} of {name}"),
        )
    menu.addSeparator()
    elements = [side_index(battlemap, cell_side), side_index(battlemap, opposite)]
    locked = bool(battlemap.locked_sides.flat[elements[0]])
    _add(
        menu,
        "Locked for rolls",
        lambda: document.push(
            set_locks(battlemap, elements, not locked, sides=True),
            f"Lock {names.side}",
        ),
        checked=locked,
    )
    return menu


def _add_choice(
    menu: QMenu,
    title: str,
    entries: list[Entry],
    now: int,
    columns: int,
    choose: Callable[[int], object],
) -> None:
    menu.addAction(PictureChoice(menu, title, entries, now, columns, choose))


def _put(document: MapDocument, plane: PlaneSpec, element: int, text: str, code: int) -> None:
    _set(document, plane, [element], code, text)


def _add(menu: QMenu, text: str, do: Callable[[], object], *, checked: bool | None = None) -> None:
    action = menu.addAction(text)
    if checked is not None:
        action.setCheckable(True)
        action.setChecked(checked)
    connect(action.triggered, lambda _checked=False: do())


def _set(
    document: MapDocument, plane: PlaneSpec, elements: list[int], value: int, text: str
) -> None:
    """Set places of a plane, as one undo step; say what cannot be set, and why."""
    battlemap = document.battlemap
    active = document.active_layer_id
    locked = left_out_words(left_out(document, plane, elements).layers)
    why = why_not(battlemap, active) or locked
    if why:
        document.refuse(why)
    document.push(paint(document, plane, elements, value), text)


def _list(document: MapDocument, edit: Callable[[], Edit | None], text: str) -> None:
    """Change the cell list, as one undo step; say why if it cannot be changed."""
    cell_list = document.battlemap.system.cell_list
    assert cell_list is not None
    why = why_not_property(document.battlemap, document.active_layer_id, cell_list.name)
    if why:
        document.refuse(why)
    document.push(edit(), text)
