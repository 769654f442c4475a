"""The open map: its layers, its undo stack, its path. The only place that applies edits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

if TYPE_CHECKING:
    from pathlib import Path

    from randomizer.battlemap import BattleMap, Composite, Layer
    from randomizer.edit import Edit


@dataclass(frozen=True, slots=True)
class GameSource:
    """Which battleland of a game directory the map came from: export goes back there."""

    game_dir: Path
    variant: str
    terrain: str


class MapDocument(QObject):
    """Owns one ``BattleMap`` and everything that belongs to having it open.

    Signals: ``changed(Region)`` after every edit, ``map_replaced()`` when another map was opened,
    ``active_layer_changed(int)``, ``path_changed()``, ``modified_changed(bool)``, and
    ``extra_restored(object)``: what a command carries besides its edit (the roll panel's seed and
    number), whenever it is done, undone or redone. ``work_hidden(str)`` says in words that an edit
    went into a layer where it cannot be seen.
    """

    changed = Signal(object)
    map_replaced = Signal()
    active_layer_changed = Signal(int)
    path_changed = Signal()
    modified_changed = Signal(bool)
    work_hidden = Signal(str)
    extra_restored = Signal(object)

    def __init__(self, battlemap: BattleMap, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self.undo_stack.cleanChanged.connect(self._tell_modified)
        self._stroke: list[Edit] | None = None
        self._stroke_text = ""
        self._stroke_active = 0
        self._composite: Composite | None = None
        self._adopt(battlemap, None, None)

    def _adopt(self, battlemap: BattleMap, path: Path | None, source: GameSource | None) -> None:
        if not battlemap.layers:
            raise ValueError("a document's map has at least one layer")
        self.battlemap = battlemap
        self.path = path
        self.source = source
        self._composite = None
        self._active_layer_id = battlemap.layers[-1].id

    def _tell_modified(self, clean: bool) -> None:
        self.modified_changed.emit(not clean)

    def replace_map(
        self, battlemap: BattleMap, path: Path | None = None, source: GameSource | None = None
    ) -> None:
        """Open another map in place of this one. The undo history starts anew."""
        self.cancel_stroke()
        self._adopt(battlemap, path, source)
        self.undo_stack.clear()
        self.undo_stack.setClean()
        self.map_replaced.emit()
        self.path_changed.emit()
        self.active_layer_changed.emit(self._active_layer_id)

    # --- reading ----------------------------------------------------------------------------

    @property
    def composite(self) -> Composite:
        """What the visible layers show now."""
        if self._composite is None:
            self._composite = self.battlemap.composite()
        return self._composite

    @property
    def active_layer_id(self) -> int:
        """The layer that tools paint into."""
        return self._active_layer_id

    @property
    def active_layer(self) -> Layer:
        """The layer that tools paint into."""
        return self.battlemap.layer(self._active_layer_id)

    @property
    def modified(self) -> bool:
        """Whether there are changes that were not saved."""
        return not self.undo_stack.isClean()

    @property
    def display_name(self) -> str:
        """What to call the document in a title bar."""
        if self.path is not None:
            return self.path.name
        if self.source is not None:
            return f"{self.source.variant} / {self.source.terrain}"
        return self.composite.title or "Untitled"

    def property_layer(self, name: str) -> Layer:
        """The layer in which a property must be set to show: the active one, or one that covers it.

        ``name`` is title, subtitle, tower or startlist.
        """
        layers = self.battlemap.layers
        active = self.battlemap.index_of(self._active_layer_id)
        for layer in reversed(layers[active + 1 :]):
            if layer.visible and getattr(layer, name) is not None:
                return layer
        return self.active_layer

    # --- writing ----------------------------------------------------------------------------

    def set_active_layer(self, layer_id: int) -> None:
        """Choose the layer that tools paint into (not an undo step)."""
        self.battlemap.layer(layer_id)
        if layer_id != self._active_layer_id:
            self._active_layer_id = layer_id
            self.active_layer_changed.emit(layer_id)

    def set_path(self, path: Path | None) -> None:
        """The map now lives at ``path``, saved as it is."""
        self.path = path
        self.undo_stack.setClean()
        self.path_changed.emit()

    def set_source(self, source: GameSource | None) -> None:
        """The map belongs to this place of a game now: export goes there by default."""
        self.source = source
        self.path_changed.emit()

    def push(
        self,
        edit: Edit | None,
        text: str,
        *,
        active: int | None = None,
        extras: tuple[Any, Any] | None = None,
    ) -> bool:
        """Do ``edit`` as one undo step called ``text``; False if there is nothing to do.

        ``active`` becomes the active layer. ``extras`` are emitted by ``extra_restored``: the first
        when the step is undone, the second when it is done or redone.
        """
        self.cancel_stroke()
        if edit is None:
            return False
        after = self._active_layer_id if active is None else active
        command = _EditCommand(self, edit, text, (self._active_layer_id, after), extras)
        self.undo_stack.push(command)
        self._tell_hidden_work(edit)
        return True

    @property
    def in_stroke(self) -> bool:
        """Whether a stroke has begun and not ended."""
        return self._stroke is not None

    def begin_stroke(self, text: str) -> None:
        """From here on ``stroke`` applies edits live; they become one undo step called ``text``."""
        self.cancel_stroke()
        self._stroke = []
        self._stroke_text = text
        self._stroke_active = self._active_layer_id

    def stroke(self, edit: Edit | None) -> None:
        """Apply one more edit of the stroke. Raises RuntimeError outside a stroke."""
        if self._stroke is None:
            raise RuntimeError("no stroke has begun")
        if edit is not None:
            self._stroke.append(edit)
            self._apply(edit)

    def end_stroke(self) -> bool:
        """The stroke becomes one undo step; False if it changed nothing."""
        from randomizer.edit import squash

        edits, self._stroke = self._stroke or [], None
        edit = squash(edits)
        if edit is None:
            return False
        before_after = (self._stroke_active, self._active_layer_id)
        command = _EditCommand(self, edit, self._stroke_text, before_after, None, applied=True)
        self.undo_stack.push(command)
        self._tell_hidden_work(edit)
        return True

    def cancel_stroke(self) -> None:
        """Take back what the stroke has done so far."""
        edits, self._stroke = self._stroke or [], None
        for edit in reversed(edits):
            self._apply(edit.inverse())

    def _apply(self, edit: Edit, active: int | None = None) -> None:
        edit.apply(self.battlemap)
        self._composite = None
        region = edit.region(self.battlemap)
        if active is not None and active != self._active_layer_id:
            self._active_layer_id = active
            self.active_layer_changed.emit(active)
        elif region.structure:
            self._keep_active_layer()
        self.changed.emit(region)

    def _tell_hidden_work(self, edit: Edit) -> None:
        """Say so if a hand's work cannot be seen: hidden layer, or covered by another."""
        from randomizer.edit import Compound, PlaneEdit

        parts = edit.edits if isinstance(edit, Compound) else (edit,)
        for part in parts:
            if not isinstance(part, PlaneEdit) or not self.battlemap.system.plane(part.plane).shown:
                continue
            layer = self.battlemap.layer(part.layer_id)
            if not layer.visible:
                self.work_hidden.emit(f"The layer {layer.name} is hidden: show it to see this.")
                return
            above = self.battlemap.owner(part.plane, int(part.index[0]))
            if above is not None and self.battlemap.index_of(above.id) > self.battlemap.index_of(
                layer.id
            ):
                self.work_hidden.emit(f"Painted into {layer.name}, but {above.name} covers it.")
                return

    def _keep_active_layer(self) -> None:
        layers = self.battlemap.layers
        if all(layer.id != self._active_layer_id for layer in layers):
            self._active_layer_id = layers[-1].id
            self.active_layer_changed.emit(self._active_layer_id)


class _EditCommand(QUndoCommand):
    """One undo step: the edit, the active layer before and after, the extras."""

    def __init__(
        self,
        document: MapDocument,
        edit: Edit,
        text: str,
        active: tuple[int, int],
        extras: tuple[Any, Any] | None,
        *,
        applied: bool = False,
    ) -> None:
        super().__init__(text)
        self._document = document
        self._edit = edit
        self._active = active
        self._extras = extras
        self._applied = applied

    def redo(self) -> None:
        """Apply the edit (a stroke is applied already when it is pushed)."""
        if not self._applied:
            self._document._apply(self._edit, self._active[1])
            self._emit(1)
        self._applied = False

    def undo(self) -> None:
        """Apply the inverse."""
        self._document._apply(self._edit.inverse(), self._active[0])
        self._emit(0)

    def _emit(self, which: int) -> None:
        if self._extras is not None:
            self._document.extra_restored.emit(self._extras[which])
