"""The scripts that layers were rolled from: shown when a layer becomes active, described in words.

``Scripts.layers`` is the one ``LayerScripts``. When a rolled layer becomes active it shows the
script, the settings, the seed and the number of that roll. While no rolled layer is active it
follows the *target*, the layer that the next roll replaces: then only the settings change, unless
Undo or Redo has brought a roll of another script.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QObject

from app.document.document import MapDocument
from app.qt_guard import connect
from app.rolling.rolling import Rolling
from app.scripts.script import has_same_text, script_of_generator, script_of_roll
from app.scripts.shown_script import ShownScript
from randomizer.catalog.generators import generators_of, listed_generators
from randomizer.model.edits.edit import Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.rolls.draw_key import DrawKey


class _Target(NamedTuple):
    """The layer that the next roll replaces."""

    layer_id: int

    roll: Roll | None
    """The roll of that layer, None if it was not rolled."""


class LayerScripts(QObject):
    """Shows the script that a layer of the current map was rolled from."""

    def __init__(self, scripts: ShownScript, document: MapDocument, rolling: Rolling) -> None:
        super().__init__(scripts)
        self._scripts = scripts
        self._document = document
        self._rolling = rolling
        self._is_map_changing = False
        """True from ``expect_active_layer`` to the change of the active layer that follows.

        ``Scripts`` calls that when another map becomes the current one. If no such change can
        follow it calls ``has_arrived``.
        """
        self._noted_target: _Target | None = None
        """The target as it was when its settings were last shown, None if there was none."""
        connect(document.active_layer_changed, self._on_active_layer)
        connect(document.changed, self._on_changed)
        connect(rolling.map_kept, self._show_settings_of_target)

    # --- which script ------------------------------------------------------------------------

    def has_script(self, roll: Roll) -> bool:
        """Return whether the script panel can show what a layer was rolled from.

        It can show a text, and a listed generator without a text. It cannot show generators of
        systems that have panels of their own, nor variations, which have no script.
        """
        if roll.script:
            return True
        system = self._document.battlemap.system
        if not system.has_script_panel:
            return False
        return script_of_roll(roll).packaged in listed_generators(system)

    def shows(self, layer: Layer) -> bool:
        """Return whether a layer was rolled from the script shown, with its edits.

        Generators without a text are compared by name.
        """
        return layer.roll is not None and self._shows_roll(layer.roll)

    def _shows_roll(self, roll: Roll) -> bool:
        """Return whether a roll was made from the script shown, with its edits."""
        text = self._scripts.text.text()
        if not text and script_of_roll(roll).name != self._scripts.script.name:
            return False
        return has_same_text(roll, self._scripts.script.name, text, self._scripts.script.texts)

    def about_active_layer(self) -> str:
        """Return a sentence with the script of the active layer; "" if that is the current one."""
        layer = self._document.active_layer
        if self._scripts.current.in_map or layer.roll is None or not self.has_script(layer.roll):
            return ""
        if self.shows(layer):
            return ""
        name = layer.roll.script_name or "a script"
        if layer.roll.script_name == self._scripts.script.name:
            name = f"another text of {name}"
        shown_name = self._scripts.script.name
        if shown_name and not self._has_rolled(shown_name):
            return f"{shown_name} is not rolled yet: the active layer is from {name}."
        return f"The active layer was rolled from {name}."

    def _has_rolled(self, script_name: str) -> bool:
        """Return whether a layer of the map was rolled from a script of this name."""
        for layer in self._document.battlemap.layers:
            if layer.roll is not None and layer.roll.script_name == script_name:
                return True
        return False

    def about_map(self) -> str:
        """Return a sentence about a map from a file that has no rolled layer; "" for any other map.

        A roll does not take the place of such a map, whether or not the script shown has made it.
        """
        open_map = self._document.current_map
        battlemap = open_map.battlemap
        is_from_file = open_map.path is not None or open_map.source is not None
        if not is_from_file or self._scripts.current.in_map or battlemap.is_blank():
            return ""
        if any(layer.roll is not None for layer in battlemap.layers) or self._scripts.why_not():
            return ""
        maker = _maker_of_map(battlemap)
        shown_name = self._scripts.script.name
        if not maker:
            return f"No script made this map. Roll adds a layer by {shown_name}."
        if maker == shown_name:
            return f"{maker} made this map. Roll adds a layer by it."
        return f"{maker} made this map. Roll adds a layer by {shown_name}."

    # --- showing it --------------------------------------------------------------------------

    def show_roll(self, layer: Layer, *, discard: bool = False) -> bool:
        """Show the script, settings, seed and number that a layer was rolled from.

        Of a roll that the panel cannot show as a script (``has_script``) only seed and number are
        shown, and in a map that holds its script the settings, too. False, and nothing is shown, if
        the layer was not rolled or if there are unsaved edits, unless the user wants to ``discard``
        them.
        """
        roll = layer.roll
        if roll is None:
            return False
        has_script = self.has_script(roll)
        if self._scripts.current.in_map or (has_script and self.shows(layer)):
            self._scripts.settings.set(script_of_roll(roll).settings)
        elif has_script:
            if self._scripts.current.unsaved and not discard:
                return False
            self.show_rolled(roll)
        self._rolling.key_choice.set_displayed(DrawKey(roll.seed, roll.number))
        return True

    async def show_active_layer(self) -> None:
        """Show the script of the active layer; unsaved edits are asked about."""
        if await self._scripts.unsaved.may_replace():
            self.show_roll(self._document.active_layer, discard=True)

    def show_rolled(self, roll: Roll) -> None:
        """Show the script that a layer was rolled from.

        Its file is the one that it was opened from here, or one beside the map's. If another map
        shows that file with another text, the script is shown as one without a file: one file has
        one text.
        """
        rolled_script = script_of_roll(roll)
        script = self._scripts.files.with_file(rolled_script, self._document.path)
        document = self._scripts.documents.of_file(script.path)
        is_shared = self._scripts.unsaved.is_shared(self._document.current_map)
        if document is None or (document is self._scripts.current and not is_shared):
            document = self._scripts.new_document(script)
        elif document.unsaved or document.script.text != script.text:
            document = self._scripts.new_document(rolled_script)
        self._scripts.show_document(document, rolled_script.settings)

    # --- following the layers ----------------------------------------------------------------

    def expect_active_layer(self) -> None:
        """Note that another map has become the current one, which shows its own script.

        The next change of the active layer comes from that: the user has chosen no layer.
        """
        self._is_map_changing = True

    def has_arrived(self) -> None:
        """Note that the change of the current map is over, whether or not the layer changed."""
        self._is_map_changing = False

    def _on_active_layer(self, _layer_id: int) -> None:
        """Show the script of the layer that has become active, if it was rolled."""
        if self._is_map_changing:  # another map is current: it shows its own script
            self._is_map_changing = False
            self._note_target()
            return
        if not self._rolling.applying and self._document.active_layer.roll is not None:
            self.show_roll(self._document.active_layer)
        self._follow_target()

    def _on_changed(self, region: Region) -> None:
        """Follow the target after an edit, which may have made another layer the target."""
        if region.structure and not self._is_map_changing:
            self._follow_target()  # a layer was hidden, moved, deleted

    def _follow_target(self) -> None:
        """Show what there is to show of the target, if it is another layer or has another roll."""
        target = self._rolling.target()
        is_rolled_now = self._rolling.applying  # then the settings shown are those of the roll
        if target is not None and not is_rolled_now:
            self._show_target(target)
        self._note_target()

    def _show_target(self, target: Layer) -> None:
        """Show the settings of a target, or its script where Undo or Redo has brought that back."""
        noted = self._noted_target
        is_other_layer = noted is None or target.id != noted.layer_id
        is_other_roll = target.roll is not self._noted_roll
        if not self.shows(target):
            # It was rolled from another script: the next roll replaces it by a map of the script
            # shown, whatever settings it had. The exception is a step of Undo or Redo that has
            # brought back its script, too.
            is_same_layer_rolled_otherwise = is_other_roll and not is_other_layer
            if is_same_layer_rolled_otherwise and self._was_replaced_by_other_script(target):
                self.show_roll(target)
            return
        is_active_layer_rolled = self._document.active_layer.roll is not None
        if is_other_layer and not is_active_layer_rolled:
            self.show_roll(target)
            return
        if is_other_roll and target.roll is not None:  # Undo or Redo has brought it
            self._scripts.settings.set(script_of_roll(target.roll).settings)

    def _was_replaced_by_other_script(self, target: Layer) -> bool:
        """Return whether the target had a roll of the script shown, and has another script's now.

        Only Undo and Redo do that, since a new roll is always one of the script shown. An older
        text of this script does not count: its edits are to stay.
        """
        former_roll = self._noted_roll
        if target.roll is None or former_roll is None or not self._shows_roll(former_roll):
            return False
        name = script_of_roll(target.roll).name
        return name not in self._scripts.current.names

    def _show_settings_of_target(self) -> None:
        """Show the settings of the current map's roll again, after a roll went into a new map."""
        target = self._rolling.target()
        if target is None or target.roll is None:
            return
        if self._scripts.current.in_map or self.shows(target):
            self._scripts.settings.set(script_of_roll(target.roll).settings)

    def _note_target(self) -> None:
        """Remember the layer that the next roll replaces, to notice when it is another one."""
        target = self._rolling.target()
        if target is None:
            self._noted_target = None
        else:
            self._noted_target = _Target(target.id, target.roll)

    @property
    def _noted_roll(self) -> Roll | None:
        """The roll of the noted target, None if there is none."""
        if self._noted_target is None:
            return None
        return self._noted_target.roll


def _maker_of_map(battlemap: BattleMap) -> str:
    """Return the name of the script that a map names as its maker, "" if it names none.

    Of a script of the program that is the name by which people know it.
    """
    file_name: str = battlemap.system.script_file(battlemap)
    for generator in generators_of(battlemap.system):
        if generator.metadata.script == file_name:
            return script_of_generator(generator).name
    return file_name
