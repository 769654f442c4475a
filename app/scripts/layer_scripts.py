"""Shows in the script panel the script that a layer was rolled from.

``Scripts.layers`` is the one ``LayerScripts``. When it is called is decided elsewhere: by the
banner above the script, whose button shows the script of the active layer, and by ``LayerFollower``
when another layer becomes active.
"""

from __future__ import annotations

from app.document.document import MapDocument
from app.rolling.rolling import Rolling
from app.scripts.script import Script, has_same_text, script_of_roll
from app.scripts.script_document import ScriptDocument
from app.scripts.shown_script import ShownScript
from randomizer.catalog.generators import listed_generators
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.rolls.draw_key import DrawKey


class LayerScripts:
    """Compares the rolls of layers with the script shown, and shows the script of a roll."""

    def __init__(self, scripts: ShownScript, document: MapDocument, rolling: Rolling) -> None:
        self._scripts = scripts
        self._document = document
        self._rolling = rolling

    # --- the script of a roll, and the script shown ------------------------------------------

    def can_show_script_of(self, roll: Roll) -> bool:
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

    def is_of_shown_script(self, roll: Roll) -> bool:
        """Return whether a roll was made from the script shown, with its edits.

        Generators without a text are compared by name.
        """
        shown_script = self._scripts.script
        edited_text = self._scripts.text.text()
        if not edited_text and script_of_roll(roll).name != shown_script.name:
            return False
        return has_same_text(roll, shown_script.name, edited_text, shown_script.texts)

    # --- showing a layer ---------------------------------------------------------------------

    async def show_active_layer(self) -> None:
        """Show the script of the active layer; unsaved edits are asked about."""
        if await self._scripts.unsaved.ask_before_replacing():
            self.show_layer(self._document.active_layer, discard=True)

    def show_layer(self, layer: Layer, *, discard: bool = False) -> None:
        """Show the script, settings, seed and number that a layer was rolled from.

        Nothing is shown of a layer that was not rolled. A script with unsaved edits stays as well,
        unless the user wants to ``discard`` these.
        """
        roll = layer.roll
        if roll is None:
            return
        can_show_script = self.can_show_script_of(roll)
        is_shown_already = can_show_script and self.is_of_shown_script(roll)
        if self._scripts.current.in_map or is_shown_already:
            # A map that holds its script always shows that one, whatever the layer is from.
            self._scripts.settings.set(script_of_roll(roll).settings)
        elif can_show_script:
            if self._scripts.current.unsaved and not discard:
                return
            self.show_script_of(roll)
        self._rolling.key_choice.set_displayed(DrawKey(roll.seed, roll.number))

    def show_script_of(self, roll: Roll) -> None:
        """Show the script that a layer was rolled from, with the settings of that roll."""
        rolled_script = script_of_roll(roll)
        document = self._document_for(rolled_script)
        self._scripts.show_document(document, rolled_script.settings)

    def _document_for(self, rolled_script: Script) -> ScriptDocument:
        """Return the document with which the script of a roll is shown.

        Its file is the one that it was opened from here, one beside the map's, or a recent one.
        Since one file has one text, the script gets no file if another map shows that file with
        another text.
        """
        document = self._document_with_file(rolled_script)
        # The file may have got another name after the roll: the layer is of this script all the
        # same.
        document.names.add(rolled_script.name)
        return document

    def _document_with_file(self, rolled_script: Script) -> ScriptDocument:
        """Return the document of ``_document_for``, which may know only the name of its file."""
        script = self._scripts.files.with_file(rolled_script, self._document.path)
        document = self._scripts.documents.of_file(script.path)
        if document is None:
            return self._scripts.new_document(script)

        is_current = document is self._scripts.current
        if is_current and not self._scripts.unsaved.is_shared(self._document.current_map):
            # No other map shows the file: from now on it is shown with the text of the roll.
            return self._scripts.new_document(script)

        if document.unsaved or document.script.text != script.text:
            # Another map shows the file with another text, which stays that of the file.
            return self._scripts.new_document(rolled_script)
        return document
