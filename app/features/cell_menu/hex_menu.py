"""The context menus of a cell and of an edge, as the original Battlelands Builder has them.

``feature.py`` shows ``cell_menu(...)`` where a cell was clicked, and ``edge_menu(...)`` where the
edge between two cells was. A menu is made for one click: it shows the values that the map has then.

An *edge* lies between two cells; on a map with hexsides it has two *sides*, one of either cell. An
*element* is the index of one value of a plane: of a cell, or of a side (``side_index``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QMenu, QWidget

from app.canvas.hover_text import value_texts
from app.document.document import MapDocument
from app.qt_guard import connect
from app.render.raster.hexside_picture import hexside_picture
from app.render.raster.sprites import Sprites, single_ratio
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
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import PlaneSpec

SPRITE_RADIUS = 17.0
"""The radius of a cell in the menu, in logical pixels."""

HEXSIDE_WIDTH = 40
"""The width of a picture of a hexside, in logical pixels."""

FEW_TERRAINS = 12
"""So many terrains or fewer stand in rows of ``FEW_ABREAST``, more in rows of ``MANY_ABREAST``."""

FEW_ABREAST = 6
"""The number of pictures in a row, where there are few. With 12 this makes two full rows."""

MANY_ABREAST = 8
"""The number of pictures in a row, where there are many, and of elevations in a row."""

NO_HEXSIDE = 0
"""The value of a side without a hexside; value n is the n-th hexside of the terrain set."""


def cell_menu(
    document: MapDocument,
    cell: int,
    parent: QWidget,
    renderer: Renderer,
    rolling: Rolling | None = None,
) -> QMenu:
    """Return the menu of a cell: terrain, elevation, hexsides to clear, cell list and locks.

    ``rolling`` knows the earlier rolls of the map, whose values the menu offers; None for none.
    """
    system = document.battlemap.system
    name = system.cell_name(document.battlemap.grid, cell)
    menu = QMenu(name, parent)
    menu.addSection(name)

    # The values of the cell.
    _add_terrains(menu, document, cell, renderer)
    _add_elevations(menu, document, cell)
    menu.addSeparator()
    _add_clear_entries(menu, document, cell)
    _add_cell_list_entry(menu, document, cell)

    # Locks: rolls leave what is locked as it is.
    _add_lock_of_cell(menu, document, cell)
    _add_lock_of_terrain(menu, document, cell)
    if rolling is not None:
        _add_earlier_rolls(menu, document, rolling, cell)
    return menu


def _add_terrains(menu: QMenu, document: MapDocument, cell: int, renderer: Renderer) -> None:
    """Add the terrains to choose from, if the cells of the map have terrains."""
    battlemap = document.battlemap
    spec = battlemap.system.terrain
    terrain_plane = document.composite.plane(spec)
    if spec is None or terrain_plane is None:
        return
    sprites = _sprites(menu, document, renderer)
    entries = []
    for code, terrain in enumerate(battlemap.terrain_set.terrains):
        entries.append(Entry(code, terrain.name, sprites.cell_pixmap(code, elevation=0)))
    columns = FEW_ABREAST
    if len(entries) > FEW_TERRAINS:
        columns = MANY_ABREAST
    name = battlemap.system.cell_name(battlemap.grid, cell)
    _add_choice(
        menu,
        "Terrain",
        entries,
        current_code=int(terrain_plane.flat[cell]),
        columns=columns,
        choose=partial(_set_value, document, spec, cell, f"{name} terrain"),
    )


def _add_elevations(menu: QMenu, document: MapDocument, cell: int) -> None:
    """Add the elevations to choose from, if the cells of the map have elevations."""
    battlemap = document.battlemap
    system = battlemap.system
    elevation_plane = document.composite.plane(system.elevation)
    if system.elevation is None or elevation_plane is None:
        return
    entries = []
    for elevation in battlemap.terrain_set.elevations:
        title = system.elevation_text(elevation).capitalize()
        entries.append(Entry(elevation, title, text=str(elevation)))
    name = system.cell_name(battlemap.grid, cell)
    _add_choice(
        menu,
        "Elevation",
        entries,
        current_code=int(elevation_plane.flat[cell]),
        columns=MANY_ABREAST,
        choose=partial(_set_value, document, system.elevation, cell, f"{name} elevation"),
    )


def _add_clear_entries(menu: QMenu, document: MapDocument, cell: int) -> None:
    """Add entries that clear the hexsides around a cell: its own, and those of its neighbours.

    Nothing is added where there is no hexside to clear.
    """
    battlemap = document.battlemap
    spec = battlemap.system.hexside
    if spec is None:
        return
    sides_of_cell = _sides_of_cell(battlemap, cell)
    sides_towards_cell = _sides_towards_cell(battlemap, cell)
    values = document.composite.planes[spec.name].reshape(-1)
    if not values[[*sides_of_cell, *sides_towards_cell]].any():
        return
    name = battlemap.system.cell_name(battlemap.grid, cell)
    sides_word = cell_words(battlemap.grid.layout).sides
    _add_entry(
        menu,
        f"Clear my {sides_word}",
        lambda: _set_values(
            document, spec, sides_of_cell, NO_HEXSIDE, f"Clear {sides_word} of {name}"
        ),
    )
    _add_entry(
        menu,
        f"Clear my neighbours' {sides_word} towards me",
        lambda: _set_values(
            document, spec, sides_towards_cell, NO_HEXSIDE, f"Clear {sides_word} towards {name}"
        ),
    )
    menu.addSeparator()


def _sides_of_cell(battlemap: BattleMap, cell: int) -> list[int]:
    """Return the elements of a cell's own sides."""
    sides = range(battlemap.grid.degree)
    return [side_index(battlemap, CellSide(cell, side)) for side in sides]


def _sides_towards_cell(battlemap: BattleMap, cell: int) -> list[int]:
    """Return the elements of the neighbours' sides at the edges of a cell; the rim has none."""
    elements = []
    for side in range(battlemap.grid.degree):
        opposite_side = battlemap.grid.twin(cell, side)
        if opposite_side is not None:
            elements.append(side_index(battlemap, CellSide(*opposite_side)))
    return elements


def _add_cell_list_entry(menu: QMenu, document: MapDocument, cell: int) -> None:
    """Add an entry that puts the cell on the cell list of the map, or takes it off it.

    A battleland's list are the hexes where units start.
    """
    battlemap = document.battlemap
    system = battlemap.system
    if system.cell_list is None:
        return
    name = system.cell_name(battlemap.grid, cell)
    is_listed = name in system.listed_cells(document.composite.properties)
    edit = partial(cell_list_edit, document, [cell], adding=not is_listed)
    step_text = f"List {name}"
    if is_listed:
        step_text = f"Take {name} off the list"
    _add_entry(
        menu,
        f"On the {system.cell_list.label.lower()}",
        lambda: _change_cell_list(document, edit, step_text),
        checked=is_listed,
    )


def _add_lock_of_cell(menu: QMenu, document: MapDocument, cell: int) -> None:
    """Add an entry that locks the cell, or unlocks it."""
    battlemap = document.battlemap
    name = battlemap.system.cell_name(battlemap.grid, cell)
    is_locked = bool(battlemap.locked_cells.flat[cell])
    _add_entry(
        menu,
        "Locked for rolls",
        lambda: document.push(
            set_locks(battlemap, [cell], locked=not is_locked), f"{_verb_of_lock(is_locked)} {name}"
        ),
        checked=is_locked,
    )


def _verb_of_lock(is_locked: bool) -> str:
    """Return what an entry does that changes a lock: it unlocks what is locked now."""
    if is_locked:
        return "Unlock"
    return "Lock"


def _add_lock_of_terrain(menu: QMenu, document: MapDocument, cell: int) -> None:
    """Add an entry that locks all cells with the same terrain as the cell, if there are several."""
    battlemap = document.battlemap
    terrain_plane = document.composite.plane(battlemap.system.terrain)
    if terrain_plane is None:
        return
    terrain = int(terrain_plane.flat[cell])
    cells = battlemap.grid.cells
    same_cells = cells[terrain_plane.flat[cells] == terrain]
    name = battlemap.terrain_set.terrains[terrain].name
    if len(same_cells) > 1:
        _add_entry(
            menu,
            f"Lock all {len(same_cells):,} of {name}",
            lambda: document.push(
                set_locks(battlemap, same_cells, locked=True), f"Lock all {name}"
            ),
        )


def _add_earlier_rolls(menu: QMenu, document: MapDocument, rolling: Rolling, cell: int) -> None:
    """Add a menu of earlier rolls, each of which sets the cell as it was then, and locks it."""
    if rolling.target() is None:  # nothing on the map was rolled
        return
    earlier_rolls = rolling.earlier_contents.values_of(cell)
    roll_menu = menu.addMenu("Lock as it was in")
    for earlier_roll in earlier_rolls:
        text = ", ".join(value_texts(document.battlemap, earlier_roll.values))
        _add_entry(
            roll_menu,
            f"{earlier_roll.name}: {text}",
            partial(rolling.earlier_contents.lock_as, cell, earlier_roll),
        )
    if not earlier_rolls:
        roll_menu.addAction("No roll before this one had anything else here").setEnabled(False)
    elif document.battlemap.system.hexside is not None:
        roll_menu.addSeparator()
        words = cell_text("{Sides} stay as they are", document.battlemap.grid.layout)
        roll_menu.addAction(words).setEnabled(False)


def edge_menu(document: MapDocument, hit: Hit, parent: QWidget, renderer: Renderer) -> QMenu:
    """Return the menu of an edge: its hexside for the cell and for the one across, and its lock.

    ``hit`` is the side of a cell that was clicked. Raises ValueError for a side at the rim of the
    map, which has no cell across.
    """
    battlemap = document.battlemap
    opposite_place = battlemap.grid.twin(hit.cell, hit.side)
    if opposite_place is None:
        raise ValueError("an edge at the rim has no menu")
    cell_side = CellSide(hit.cell, hit.side)
    opposite_side = CellSide(*opposite_place)
    menu = QMenu(parent)
    _add_hexsides(menu, document, cell_side, opposite_side, renderer)
    _add_hexsides(menu, document, opposite_side, cell_side, renderer)
    menu.addSeparator()

    # Both sides are locked together.
    elements = [side_index(battlemap, cell_side), side_index(battlemap, opposite_side)]
    is_locked = bool(battlemap.locked_sides.flat[elements[0]])
    side_word = cell_words(battlemap.grid.layout).side
    _add_entry(
        menu,
        "Locked for rolls",
        lambda: document.push(
            set_locks(battlemap, elements, locked=not is_locked, sides=True),
            f"{_verb_of_lock(is_locked)} {side_word}",
        ),
        checked=is_locked,
    )
    return menu


def _add_hexsides(
    menu: QMenu,
    document: MapDocument,
    cell_side: CellSide,
    opposite_side: CellSide,
    renderer: Renderer,
) -> None:
    """Add the hexsides to choose from for one side of an edge, if the map has hexsides.

    ``opposite_side`` is the other side of the edge.
    """
    battlemap = document.battlemap
    system = battlemap.system
    spec = system.hexside
    hexside_plane = document.composite.plane(spec)
    if spec is None or hexside_plane is None:
        return
    name = system.cell_name(battlemap.grid, cell_side.cell)
    opposite_name = system.cell_name(battlemap.grid, opposite_side.cell)
    menu.addSection(f"{name} towards {opposite_name}")

    sprites = _sprites(menu, document, renderer)
    hexside_names = ["Nothing"]
    for hexside in battlemap.terrain_set.hexsides:
        hexside_names.append(hexside.name)
    entries = []
    for code, hexside_name in enumerate(hexside_names):
        entries.append(Entry(code, hexside_name, hexside_picture(sprites, code, HEXSIDE_WIDTH)))
    element = side_index(battlemap, cell_side)
    title = cell_words(battlemap.grid.layout).side.capitalize()
    _add_choice(
        menu,
        title,
        entries,
        current_code=int(hexside_plane.flat[element]),
        columns=FEW_ABREAST,
        choose=partial(_set_value, document, spec, element, f"{title} of {name}"),
    )


def _sprites(menu: QMenu, document: MapDocument, renderer: Renderer) -> Sprites:
    """Return the pictures of terrains and hexsides for a menu."""
    return renderer.sprites(document.battlemap, SPRITE_RADIUS, single_ratio(menu))


def _add_choice(
    menu: QMenu,
    title: str,
    entries: list[Entry],
    *,
    current_code: int,
    columns: int,
    choose: Callable[[int], object],
) -> None:
    """Add pictures to choose from, in ``columns`` columns; that of ``current_code`` is marked.

    ``choose`` is called with the code of the picture that was chosen.
    """
    menu.addAction(PictureChoice(menu, title, entries, current_code, columns, choose))


def _add_entry(
    menu: QMenu, text: str, call: Callable[[], object], *, checked: bool | None = None
) -> None:
    """Add an entry that calls ``call``; ``checked`` is its tick, None for an entry without one."""
    action = menu.addAction(text)
    if checked is not None:
        action.setCheckable(True)
        action.setChecked(checked)
    connect(action.triggered, lambda _checked=False: call())


def _set_value(
    document: MapDocument, plane: PlaneSpec, element: int, text: str, value: int
) -> None:
    """Set one element of a plane, as one undo step named ``text``.

    The value is the last argument: ``_add_choice`` calls a ``partial`` of this function with it.
    """
    _set_values(document, plane, [element], value, text)


def _set_values(
    document: MapDocument, plane: PlaneSpec, elements: list[int], value: int, text: str
) -> None:
    """Set elements of a plane, as one undo step named ``text``; say what cannot be set, and why."""
    why = why_not(document.battlemap, document.active_layer_id)
    if not why:
        why = left_out_words(left_out(document, plane, elements).layers)
    if why:
        document.refuse(why)  # this tells the user why some or all elements stay as they are
    # ``paint`` leaves out the elements that cannot be set, and sets the others all the same.
    document.push(paint(document, plane, elements, value), text)


def _change_cell_list(document: MapDocument, edit: Callable[[], Edit | None], text: str) -> None:
    """Change the cell list, as one undo step named ``text``; say why if it cannot be changed."""
    cell_list = document.battlemap.system.cell_list
    assert cell_list is not None
    why = why_not_property(document.battlemap, document.active_layer_id, cell_list.name)
    if why:
        document.refuse(why)  # this tells the user; the edit is then None
    document.push(edit(), text)
