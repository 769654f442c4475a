"""The open maps of the desk, one of them current, and all about them but their content.

``OpenMaps`` knows which maps are open and in which tabs, their files and names, and the cells, the
things and the layer that the user has chosen in the current one. ``MapDocument`` is made from it
and adds the edits of content; every panel of the desk listens to its signals. Read ``add_map``
first, then ``_show``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from app.background.actions import Stopped
from app.document.map_names import tab_name
from app.document.open_map import OpenMap
from app.document.recorder import Recorder
from app.document.selection import Selection
from app.render.viewport import Viewport
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.composite import Composite
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from app.document.open_map import GameSource
    from app.document.undo_history import UndoHistory

NOTHING = Selection()
"""The selection of a map of which no cell is selected."""

Awaited = TypeVar("Awaited")


class OpenMaps(QObject):
    """The open maps in the order of their tabs. Lives on the UI thread.

    All signals but ``maps_changed`` are about the current map.
    """

    map_leaving = Signal()
    """Another map is about to become the current one."""

    map_replaced = Signal()
    """Another map is current, or the grid of the current one is drawn in another way."""

    map_shown = Signal()
    """All listeners have been told of another current map, by ``map_replaced`` and the others."""

    maps_changed = Signal()
    """Maps were opened, closed or renamed."""

    active_layer_changed = Signal(int)
    """Another layer is active; its id."""

    selection_changed = Signal()
    """Other cells are selected."""

    picked_changed = Signal()
    """Other things are picked."""

    path_changed = Signal()
    """The file of the map, or its slot in a game, is another one."""

    modified_changed = Signal(bool)
    """There are unsaved changes now (True), or none any more (False)."""

    def __init__(self, battlemap: BattleMap) -> None:
        super().__init__()
        self.recorder: Recorder = Recorder()
        """Told which maps are open and of every undo step; ``Autosave`` puts itself here."""
        self.current_map = OpenMap(battlemap)
        self._maps = [self.current_map]
        """The open maps in the order of their tabs; never empty."""
        self.reasons_to_stay: list[Callable[[OpenMap, OpenMap], bool]] = []
        """Asked before another map takes the place of an untouched one; with both, in this order.

        Each returns whether something that the untouched one shows would be lost, such as unsaved
        edits of its script: then it stays in its tab.
        """
        self.is_replacing_map = False
        """True while signals tell of another current map, until ``map_shown``."""

    # --- opening, closing, and which one is current -----------------------------------------

    @property
    def maps(self) -> tuple[OpenMap, ...]:
        """The open maps in the order of their tabs."""
        return tuple(self._maps)

    def open_map(
        self, battlemap: BattleMap, path: Path | None = None, *, rolled: bool = False
    ) -> OpenMap:
        """Open one more map and make it the current one."""
        return self.add_map(OpenMap(battlemap, path, rolled=rolled), in_place=False)

    def replace_map(self, battlemap: BattleMap) -> None:
        """Open another map, without undo steps, in place of the current one."""
        self.add_map(OpenMap(battlemap), in_place=True)

    def show_map(
        self,
        battlemap: BattleMap,
        path: Path | None = None,
        source: GameSource | None = None,
        viewport: Viewport | None = None,
        *,
        rolled: bool = False,
        replaces: bool = False,
        backup_of: str = "",
    ) -> OpenMap:
        """Open a map in a tab of its own, or in place of the current one if that is untouched.

        With ``replaces`` it may also take the place of a rolled map that nobody has changed since.
        The other parameters are attributes of ``OpenMap``.
        """
        opened = OpenMap(battlemap, path, source, viewport, rolled=rolled, backup_of=backup_of)
        return self.add_map(opened, in_place=self.can_replace_current(opened, replaces=replaces))

    def can_replace_current(self, opened: OpenMap, *, replaces: bool = False) -> bool:
        """Return whether a map can be opened in place of the current one: nothing is lost with it.

        ``replaces``: see ``show_map``.
        """
        current_map = self.current_map
        if not current_map.untouched and not (replaces and current_map.unchanged):
            return False
        return not any(is_reason(current_map, opened) for is_reason in self.reasons_to_stay)

    def add_map(self, opened: OpenMap, *, in_place: bool) -> OpenMap:
        """Make one more map the current one, in the next tab or in place of the current map."""
        self._leave()
        old_map = self.current_map
        index = self._maps.index(old_map)
        if in_place:
            self._maps[index] = opened
        else:
            self._maps.insert(index + 1, opened)
        # The recorder knows the new map before listeners can push a step of it.
        self.recorder.opened(opened)
        self._show(opened)
        if in_place:
            self.recorder.closed(old_map)
        self.maps_changed.emit()
        return opened

    def make_current(self, open_map: OpenMap) -> None:
        """Work on this open map from now on."""
        if open_map is not self.current_map:
            self._leave()
            self._show(open_map)

    def close_map(self, open_map: OpenMap) -> None:
        """Close one of several maps. Raises ValueError for the last one."""
        if len(self._maps) == 1:
            raise ValueError("one map stays open")
        is_current = open_map is self.current_map
        if is_current:
            self._leave()
        index = self._maps.index(open_map)
        self._maps.remove(open_map)
        if is_current:
            # The tab on the right takes over, or the last one where there is none on the right.
            index = min(index, len(self._maps) - 1)
            self._show(self._maps[index])
        self.recorder.closed(open_map)
        self.maps_changed.emit()

    def move_map(self, start: int, end: int) -> None:
        """Move a tab that was dragged to another index."""
        self._maps.insert(end, self._maps.pop(start))

    async def while_open(self, open_map: OpenMap, waiting: Awaitable[Awaited]) -> Awaited:
        """Return what is awaited. Raises Stopped if this map was closed meanwhile."""
        value = await waiting
        if open_map not in self._maps:
            raise Stopped
        return value

    def _leave(self) -> None:
        """Get ready for another current map; ``MapDocument`` also ends the stroke under way."""
        self.map_leaving.emit()

    def _show(self, open_map: OpenMap) -> None:
        """Make an open map the current one, and emit the signals of all that changes with it."""
        self.current_map = open_map
        self.is_replacing_map = True
        self.map_replaced.emit()
        self.path_changed.emit()
        self.active_layer_changed.emit(open_map.active_layer_id)
        self.selection_changed.emit()
        self.picked_changed.emit()
        self.modified_changed.emit(self.modified)
        self.is_replacing_map = False
        self.map_shown.emit()

    # --- the current map --------------------------------------------------------------------

    @property
    def battlemap(self) -> BattleMap:
        """The current map."""
        return self.current_map.battlemap

    @property
    def path(self) -> Path | None:
        """The file of the current map, None if it has none."""
        return self.current_map.path

    @property
    def source(self) -> GameSource | None:
        """The slot in a game that the current map came from, None if it did not."""
        return self.current_map.source

    @property
    def history(self) -> UndoHistory:
        """The undo steps of the current map."""
        return self.current_map.history

    @property
    def composite(self) -> Composite:
        """The values that visible layers show. Live: later edits change it; ``copy()`` stays."""
        return self.current_map.live_composite()

    @property
    def active_layer_id(self) -> int:
        """The id of the layer that tools paint into."""
        return self.current_map.active_layer_id

    @property
    def active_layer(self) -> Layer:
        """The layer that tools paint into."""
        return self.battlemap.layer(self.current_map.active_layer_id)

    @property
    def modified(self) -> bool:
        """True if there are changes that were not saved."""
        return self.current_map.unsaved

    @property
    def selection(self) -> Selection:
        """The selected cells of the current map."""
        selection = self.current_map.selection
        if selection is None or len(selection) == 0:
            return NOTHING
        return selection

    @property
    def picked(self) -> list[Thing]:
        """The picked things of the current map that can be seen, by id."""
        visible_layers = [layer for layer in self.battlemap.layers if layer.visible]
        things: list[Thing] = []
        for thing_id in self.current_map.picked:
            for layer in visible_layers:
                if layer.things and thing_id in layer.things:
                    things.append(layer.things[thing_id])
        return things

    @property
    def display_name(self) -> str:
        """The name of the current map for a title bar."""
        return self.name_of(self.current_map)

    def name_of(self, open_map: OpenMap) -> str:
        """Return the name of an open map for a title bar or a tab, see ``tab_name``."""
        return tab_name(open_map, self._maps)

    # --- changes that are no undo steps: selections, the layer, the file ---------------------

    def select(self, cells: Iterable[int]) -> None:
        """Select exactly these cells."""
        selection = Selection.of(cells)
        if not selection.same_as(self.selection):
            self.current_map.selection = selection
            self.selection_changed.emit()

    def pick(self, thing_ids: Iterable[int]) -> None:
        """Pick exactly these things."""
        picked = tuple(sorted(set(thing_ids)))
        if picked != self.current_map.picked:
            self.current_map.picked = picked
            self.picked_changed.emit()

    def set_active_layer(self, layer_id: int) -> None:
        """Choose the layer that tools paint into.

        Raises KeyError if the current map has no such layer.
        """
        self.battlemap.layer(layer_id)  # only for its KeyError
        if layer_id != self.active_layer_id:
            self.current_map.active_layer_id = layer_id
            self.active_layer_changed.emit(layer_id)

    def set_path(
        self, path: Path | None, open_map: OpenMap | None = None, *, changed: bool = False
    ) -> None:
        """Note that an open map (None: the current one) was saved at ``path``.

        It was saved as it is now, and has no unsaved changes; unless it has ``changed`` since,
        while the file was written.
        """
        if open_map is None:
            open_map = self.current_map
        open_map.path = path
        if not changed:
            self.mark_saved(open_map)
        if open_map is self.current_map:
            self.path_changed.emit()
            self.modified_changed.emit(self.modified)
        self.maps_changed.emit()

    def mark_saved(self, open_map: OpenMap) -> None:
        """Note that the file of an open map needs no saving: it has all that matters of the map."""
        open_map.rolled = False
        open_map.history.mark_clean()
        self.recorder.saved(open_map)
        if open_map is self.current_map:
            self.modified_changed.emit(self.modified)
        self.maps_changed.emit()

    def set_source(self, source: GameSource | None, open_map: OpenMap | None = None) -> None:
        """Note the slot in a game to which a map (None: the current one) is exported by default.

        Does nothing for a map that was closed.
        """
        if open_map is None:
            open_map = self.current_map
        if open_map not in self._maps:
            return
        open_map.source = source
        if open_map is self.current_map:
            self.path_changed.emit()
        self.maps_changed.emit()

    def set_lean(self, lean: bool) -> None:
        """Show an oblique grid sheared, as its file has it, or upright.

        That is no edit, and no undo step: the cells are the same, only drawn at other places. To
        all who listen it is as if the map was replaced.
        """
        self.battlemap.grid = replace(self.battlemap.grid, lean=lean)
        self.map_replaced.emit()
