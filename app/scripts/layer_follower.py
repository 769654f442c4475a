"""Shows in the script panel what belongs to the layers: ``LayerFollower``.

Two layers count: the active one, and the *target*, which the next roll replaces
(``Rolling.target``).

- The user makes a rolled layer the active one: the panel shows its script, settings, seed and
  number.
- Another layer becomes the target, since layers were hidden, moved or deleted: the panel shows its
  settings, seed and number if it is of the script shown. A target of another script changes nothing
  in the panel: the next roll replaces it by a map of the script shown.
- Undo or Redo gives the target another roll: the panel shows the settings of that. A roll of
  another script is shown with that script, if the target was of the script shown until now.
- A roll has ended: nothing changes, the panel has its script and settings already. If it went into
  a new map, the settings of the current map's target are shown again. If it was a step to a map
  that was seen before, the panel shows what it does after Undo.

What another map shows when it becomes the current one is decided by ``MapFollower``.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from PySide6.QtCore import QObject

from app.document.document import MapDocument
from app.qt_guard import connect
from app.rolling.roll_request import RollRequest
from app.rolling.rolling import Rolling
from app.scripts.layer_scripts import LayerScripts
from app.scripts.script import script_of_roll
from app.scripts.shown_script import ShownScript
from randomizer.model.edits.edit import Region
from randomizer.model.map.layer import Layer, Roll


class _Display(Enum):
    """What the panel shows of a target."""

    NOTHING = auto()

    SETTINGS = auto()
    """The settings of its roll."""

    LAYER = auto()
    """Settings, seed and number of its roll, and the script if that is not shown yet."""


class _Target(NamedTuple):
    """The layer that the next roll replaces."""

    layer_id: int

    roll: Roll | None
    """The roll of that layer, None if it was not rolled."""


class LayerFollower(QObject):
    """Follows the active layer of the current map, and the target."""

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
        self._roll_before_step: Roll | None = None
        """The roll that the target had when the roll under way, or the last one, began."""
        connect(rolling.started, self._on_roll_started)
        connect(rolling.finished, self._on_rolled)

    def _on_active_layer(self, _layer_id: int) -> None:
        """Show the script of the layer that has become active, if it was rolled."""
        if self._document.is_replacing_map:  # the user has chosen no layer, but another map
            self._note_target()
            return
        if not self._rolling.applying:  # else a roll has made the layer active
            self._layers.show_layer(self._document.active_layer)
        self._follow_target()

    def _on_changed(self, region: Region) -> None:
        """Follow the target after an edit, which may have made another layer the target."""
        if region.structure and not self._document.is_replacing_map:
            self._follow_target()  # a layer was hidden, moved, deleted

    def _follow_target(self) -> None:
        """Show what there is to show of the target, if it is another layer or has another roll."""
        target = self._rolling.target()
        # While a roll is put into the map the panel shows its script and settings already.
        if target is not None and not self._rolling.applying:
            self._show(target, self._display_of(target))
        self._note_target()

    def _note_target(self) -> None:
        """Remember the target, to notice when it is another one."""
        target = self._rolling.target()
        if target is None:
            self._last_target = None
        else:
            self._last_target = _Target(target.id, target.roll)

    def _show(self, target: Layer, display: _Display) -> None:
        """Show of a target what was decided."""
        if target.roll is None:
            return
        match display:
            case _Display.SETTINGS:
                self._scripts.settings.set(script_of_roll(target.roll).settings)
            case _Display.LAYER:
                self._layers.show_layer(target)

    # --- what is shown of a target -----------------------------------------------------------

    def _display_of(self, target: Layer) -> _Display:
        """Return what is shown of a target that was perhaps another one before."""
        last = self._last_target
        if target.roll is None:
            return _Display.NOTHING
        if last is None or target.id != last.layer_id:
            return self._display_of_other_layer(target.roll)
        # Rolls are compared by identity: each is a new object, and Undo brings the former one back.
        if target.roll is last.roll:
            return _Display.NOTHING
        return self._display_of_other_roll(target.roll, last.roll)

    def _display_of_other_layer(self, roll: Roll) -> _Display:
        """Return what is shown of another layer with this roll."""
        if not self._layers.is_of_shown_script(roll):
            return _Display.NOTHING
        if self._document.active_layer.roll is None:
            return _Display.LAYER
        # Seed and number shown are those of the active layer, which may be another part.
        return _Display.SETTINGS

    def _display_of_other_roll(self, roll: Roll, last_roll: Roll | None) -> _Display:
        """Return what is shown of a roll that Undo or Redo has brought back."""
        if self._layers.is_of_shown_script(roll):
            return _Display.SETTINGS
        if script_of_roll(roll).name in self._scripts.current.names:
            # It is of an older text of the script shown. Hills.rnd was edited since, say: its edits
            # stay.
            return _Display.NOTHING
        if last_roll is not None and self._layers.is_of_shown_script(last_roll):
            return _Display.LAYER
        return _Display.NOTHING

    # --- after a roll -----------------------------------------------------------------------

    def _on_roll_started(self) -> None:
        """Note the roll that the target has before another one replaces it."""
        target = self._rolling.target()
        self._roll_before_step = None
        if target is not None:
            self._roll_before_step = target.roll

    def _on_rolled(self, request: RollRequest) -> None:
        """Show what belongs to a map that was seen before, as Undo does that brings one back."""
        target = self._rolling.target()
        if request.restored_roll is None or target is None or target.roll is None:
            return
        if self._scripts.current.in_map:
            self._show(target, _Display.SETTINGS)
        else:
            display = self._display_of_other_roll(target.roll, self._roll_before_step)
            self._show(target, display)

    def _show_settings_of_target(self) -> None:
        """Show the settings of the current map's target."""
        target = self._rolling.target()
        if target is None or target.roll is None:
            return
        if self._scripts.current.in_map or self._layers.is_of_shown_script(target.roll):
            self._show(target, _Display.SETTINGS)
