"""The scripts that layers were rolled from: shown in the script panel, and described in sentences.

``Scripts.layers`` is the one ``LayerScripts``. When it is called is decided elsewhere: by the
banner above the script, whose button shows the script of the active layer, and by ``LayerFollower``
when another layer becomes active.
"""

from __future__ import annotations

from app.document.document import MapDocument
from app.rolling.rolling import Rolling
from app.scripts.script import has_same_text, script_of_generator, script_of_roll
from app.scripts.shown_script import ShownScript
from randomizer.catalog.generators import generators_of, listed_generators
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.rolls.draw_key import DrawKey


class LayerScripts:
    """Shows the script that a layer of the current map was rolled from."""

    def __init__(self, scripts: ShownScript, document: MapDocument, rolling: Rolling) -> None:
        self._scripts = scripts
        self._document = document
        self._rolling = rolling

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
        return layer.roll is not None and self.shows_roll(layer.roll)

    def shows_roll(self, roll: Roll) -> bool:
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

        Return False if nothing is shown: the layer was not rolled, or its script would replace one
        with unsaved edits, unless the user wants to ``discard`` these.
        """
        roll = layer.roll
        if roll is None:
            return False
        has_script = self.has_script(roll)
        if self._scripts.current.in_map or (has_script and self.shows(layer)):
            # Its script is shown already: of a map that holds its script always.
            self._scripts.settings.set(script_of_roll(roll).settings)
        elif has_script:
            if self._scripts.current.unsaved and not discard:
                return False
            self.show_rolled(roll)
        # Of a roll whose script the panel cannot show, there is only its key.
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
            # No other map shows the file: it has the text of the roll now.
            document = self._scripts.new_document(script)
        elif document.unsaved or document.script.text != script.text:
            # Another map does, with another text, which stays that of the file.
            document = self._scripts.new_document(rolled_script)
        self._scripts.show_document(document, rolled_script.settings)


def _maker_of_map(battlemap: BattleMap) -> str:
    """Return the name of the script that a map names as its maker, "" if it names none.

    Of a script of the program that is the name by which people know it.
    """
    file_name: str = battlemap.system.script_file(battlemap)
    for generator in generators_of(battlemap.system):
        if generator.metadata.script == file_name:
            return script_of_generator(generator).name
    return file_name
