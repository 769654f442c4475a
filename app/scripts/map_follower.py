"""Shows the script of each map that becomes the current one: ``MapFollower``.

A map that has been current before shows the document that it showed then. For any other map the
first of these is chosen that there is:

1. the script that the map itself holds (``MapScript.in_map``);
2. the script that its *target* was rolled from, the layer that the next roll replaces, with the
   settings, the seed and the number of that roll;
3. the script that the map names: one beside its file, or one of the program's;
4. an empty script, if the program has just started;
5. the script that is shown already, if it rolls maps of this system;
6. the first script of the map's system;
7. the script that is shown already, although it rolls maps of another system.

Settings that the map itself stores (``ShownScript.settings_of_map``) win over those of the script,
but not over those of a roll.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject

from app.document.document import MapDocument
from app.document.open_map import OpenMap
from app.qt_guard import connect
from app.rolling.rolling import Rolling
from app.scripts.layer_scripts import LayerScripts
from app.scripts.script import (
    NO_SCRIPT,
    Script,
    script_of_generator,
    script_of_map,
    script_of_roll,
    untitled_name,
)
from app.scripts.script_document import ScriptDocument
from app.scripts.shown_script import ShownScript
from randomizer.catalog.generators import generators_of
from randomizer.model.map.layer import Roll
from randomizer.model.rolls.draw_key import DrawKey


class MapFollower(QObject):
    """Follows the current map of a document, and shows its script."""

    def __init__(
        self, scripts: ShownScript, layers: LayerScripts, document: MapDocument, rolling: Rolling
    ) -> None:
        super().__init__(scripts)
        self._scripts = scripts
        self._layers = layers
        self._document = document
        self._rolling = rolling
        self._current_map: OpenMap | None = None
        """The map whose script is shown; None before the first one."""
        connect(document.map_replaced, self.show_script_of_map)
        connect(document.maps_changed, scripts.documents.delete_unused)

    def show_script_of_map(self) -> None:
        """Show the script of the current map, if another map has become the current one."""
        current_map = self._document.current_map
        if current_map is self._current_map:
            return  # ``map_replaced`` came for the same map in another form, such as sheared
        self._current_map = current_map
        self._scripts.follower.stop()
        document = self._scripts.documents.of_map(current_map)
        if self._scripts.map_script.in_map:
            self._show_held_script(document)
        elif document is None:
            self._show_first_script()
        elif document is not self._scripts.current:
            self._scripts.show_document(document)
        self._scripts.settings.report_other_map()

    # --- a map that holds its script ---------------------------------------------------------

    def _show_held_script(self, document: ScriptDocument | None) -> None:
        """Show the script that the current map holds.

        ``document`` is the one that the map showed before; None: it is shown for the first time.
        """
        settings: Mapping[str, object] | None = None  # those that it was shown with before
        if document is None:
            current_map = self._document.current_map
            script = script_of_map(current_map.battlemap, current_map.path)
            document = self._scripts.new_document(script, in_map=True)
            layer = self._document.battlemap.source_layer
            if layer is not None and layer.roll is not None:
                self._show_key_of(layer.roll)
            else:
                settings = {**script.settings, **self._scripts.settings_of_map()}
        # The file that the text came from, or was saved to last, in the undo step of now.
        document.set_script(document.origin(self._document.history))
        document.text.show(self._scripts.map_text.of(document.script))
        self._scripts.show_document(document, settings)

    # --- a map that was never current --------------------------------------------------------

    def _show_first_script(self) -> None:
        """Choose the script of the current map, which holds none, and show it."""
        layer = self._rolling.target()
        roll = None
        if layer is not None:
            roll = layer.roll
        if roll is not None and not self._layers.can_show_script_of(roll):
            roll = None
        if roll is None:
            self._show_script_without_roll()
        else:
            self._show_roll(roll)
        self._scripts.documents.show(self._document.current_map, self._scripts.current)

        settings_of_map: Mapping[str, object] = {}
        if roll is None:
            settings_of_map = self._scripts.settings_of_map()
        settings = self._scripts.settings
        if settings_of_map or not settings.has_values:
            settings.set({**self._scripts.script.settings, **settings_of_map})

    def _show_roll(self, roll: Roll) -> None:
        """Show script, settings, seed and number of a roll."""
        if self._layers.is_of_shown_script(roll):
            self._scripts.settings.set(script_of_roll(roll).settings)
        else:
            self._layers.show_script_of(roll)
        self._show_key_of(roll)

    def _show_key_of(self, roll: Roll) -> None:
        """Show the seed and the number of a roll."""
        self._rolling.key_choice.set_displayed(DrawKey(roll.seed, roll.number))

    def _show_script_without_roll(self) -> None:
        """Show the script of a map without a roll: 3 to 7 of the list at the top."""
        named_script = self._script_named_by_map()
        if named_script is not None:
            self._scripts.show_script(named_script)
        elif self._scripts.script is NO_SCRIPT:
            name = untitled_name(self._document.battlemap.system)
            self._scripts.show_script(Script(name))
        elif not self._scripts.fits_map:
            system_script = script_of_map(self._document.battlemap)
            has_content = system_script.text or system_script.built_in
            # Even an empty one is better than the script that another map holds.
            if has_content or self._scripts.current.in_map:
                self._scripts.show_script(system_script)

    def _script_named_by_map(self) -> Script | None:
        """Return the script that the current map names: beside its file, or one of the program's.

        None if there is none, and for a map that holds its script.
        """
        system = self._document.battlemap.system
        name = system.script_file(self._document.battlemap)
        map_file = self._document.path
        if not name or system.script_record:
            return None
        if map_file is not None:
            script_beside = self._scripts.files.beside(map_file, name)
            if script_beside is not None:
                return script_beside
        for generator in generators_of(system):
            if generator.metadata.script == name:
                return script_of_generator(generator)
        return None
