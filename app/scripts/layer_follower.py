"""Shows the script panel what belongs to the layers: ``LayerFollower``.

When the user makes a rolled layer the active one, script, settings, seed and number of its roll are
shown. While no rolled layer is active the panel follows the *target*, the layer that the next roll
replaces. It becomes another one if layers are hidden, moved or deleted, and gets another roll by
Undo and Redo. What is shown then::

    the target is           of the script shown          of another script
    as it was               nothing                      nothing
    the same layer with     the settings of that roll    its script, if the roll before was of the
    another roll                                         script shown: Undo has brought both back
    another layer           its settings, seed and       nothing: the next roll replaces it by a map
                            number                       of the script shown

After a roll nothing is shown: the panel has its script and settings already. Another map that
becomes current shows its own script (``Scripts``).
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QObject

from app.document.document import MapDocument
from app.qt_guard import connect
from app.rolling.rolling import Rolling
from app.scripts.layer_scripts import LayerScripts
from app.scripts.script import script_of_roll
from app.scripts.shown_script import ShownScript
from randomizer.model.edits.edit import Region
from randomizer.model.map.layer import Layer, Roll


class _Target(NamedTuple):
    """The layer that the next roll replaces."""

    layer_id: int

    roll: Roll | None
    """The roll of that layer, None if it was not rolled.

    Rolls are compared by identity: each makes a new object, and undo brings back the former one.
    """


class LayerFollower(QObject):
    """Follows the active layer of the current map, and the layer that the next roll replaces."""

    def __init__(
        self, scripts: ShownScript, layers: LayerScripts, document: MapDocument, rolling: Rolling
    ) -> None:
        super().__init__(scripts)
        self._scripts = scripts
        self._layers = layers
        self._document = document
        self._rolling = rolling
        self._last_target: _Target | None = None
        """The target as it was at the last look, None if there was none."""
        connect(document.active_layer_changed, self._on_active_layer)
        connect(document.changed, self._on_changed)
        connect(rolling.map_kept, self._show_settings_of_target)

    def _on_active_layer(self, _layer_id: int) -> None:
        """Show the script of the layer that has become active, if it was rolled."""
        if self._document.is_replacing_map:  # the user has chosen no layer, but another map
            self._note_target()
            return
        layer = self._document.active_layer
        if layer.roll is not None and not self._rolling.applying:
            self._layers.show_roll(layer)
        self._follow_target()

    def _on_changed(self, region: Region) -> None:
        """Follow the target after an edit, which may have made another layer the target."""
        if region.structure and not self._document.is_replacing_map:
            self._follow_target()  # a layer was hidden, moved, deleted

    def _follow_target(self) -> None:
        """Show what there is to show of the target, if it is another layer or has another roll."""
        target = self._rolling.target()
        is_rolled_now = self._rolling.applying  # then the settings shown are those of the roll
        if target is not None and not is_rolled_now:
            self._show_target(target, self._last_target)
        self._note_target()

    def _show_target(self, target: Layer, last: _Target | None) -> None:
        """Show what the table at the top says of a target; ``last`` is the one before."""
        if last is None or target.id != last.layer_id:
            self._show_other_layer(target)
        elif target.roll is not last.roll:
            self._show_other_roll(target, last.roll)

    def _show_other_layer(self, target: Layer) -> None:
        """Show settings, seed and number of another target, if it is of the script shown."""
        if target.roll is None or not self._layers.shows(target):
            return
        if self._document.active_layer.roll is None:
            self._layers.show_roll(target)
        else:
            # Seed and number shown are those of the active layer, which may be another part.
            self._scripts.settings.set(script_of_roll(target.roll).settings)

    def _show_other_roll(self, target: Layer, last_roll: Roll | None) -> None:
        """Show the settings, or the script, of a roll that Undo or Redo has brought back."""
        if target.roll is None:
            return
        if self._layers.shows(target):
            self._scripts.settings.set(script_of_roll(target.roll).settings)
            return
        # Of an older text of the script shown nothing is shown: its edits are to stay.
        is_of_other_script = script_of_roll(target.roll).name not in self._scripts.current.names
        if is_of_other_script and last_roll is not None and self._layers.shows_roll(last_roll):
            self._layers.show_roll(target)

    def _show_settings_of_target(self) -> None:
        """Show the settings of the current map's roll again, after a roll went into a new map."""
        target = self._rolling.target()
        if target is None or target.roll is None:
            return
        if self._scripts.current.in_map or self._layers.shows(target):
            self._scripts.settings.set(script_of_roll(target.roll).settings)

    def _note_target(self) -> None:
        """Remember the layer that the next roll replaces, to notice when it is another one."""
        target = self._rolling.target()
        if target is None:
            self._last_target = None
        else:
            self._last_target = _Target(target.id, target.roll)
