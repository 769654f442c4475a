"""The scripts of the open maps: a service for every feature that reads, checks or rolls them.

Each open map shows one ``ScriptDocument``, which other maps may show, too. ``Scripts`` knows which,
and shows it when that map becomes the current one. Of that document and of its text it is the
``ShownScript``. Further services are its parts: ``opening`` shows the scripts that a person opens,
``layers`` those that rolled layers came from.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QWidget

from app.document.document import MapDocument
from app.document.open_map import OpenMap
from app.qt_guard import connect
from app.rolling.rolling import Rolling
from app.scripts.layer_follower import LayerFollower
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
from app.scripts.script_opening import ScriptOpening
from app.scripts.script_provider import ScriptProvider
from app.scripts.shown_script import ShownScript
from app.settings import Settings
from randomizer.catalog.generators import generators_of
from randomizer.model.rolls.draw_key import DrawKey


class Scripts(ShownScript):
    """The script documents of the open maps, of which that of the current map is shown.

    In this class ``_document`` is that of the maps; those of scripts are ``script_document``.
    """

    def __init__(
        self,
        document: MapDocument,
        rolling: Rolling,
        settings: Settings,
        window: QWidget | None = None,
    ) -> None:
        """``window`` is the parent of dialogs."""
        super().__init__(document, rolling, settings, window)
        self._current_map: OpenMap | None = None
        """The map whose document is current.

        By it another map is told from a change of the same one: ``map_replaced`` comes for both.
        """
        self.provider = ScriptProvider(self)
        """Gives ``rolling`` the script that is shown."""
        self.opening = ScriptOpening(self, document, rolling)
        """Opens scripts, and chooses the map of each."""
        self.layers = LayerScripts(self, document, rolling)
        """Shows the scripts that layers were rolled from."""
        LayerFollower(self, self.layers, document, rolling)  # it needs nothing but the signals
        self._connect_maps()
        self._on_map_replaced()

    def _connect_maps(self) -> None:
        """Follow the open maps and their rolls."""
        map_document = self._document
        # With each of these the text can come from another file (``follow_origin``). It is in the
        # map by then: the record changes before the undo step is counted, and ``map_script``, which
        # was connected earlier, commits what waits before a roll or another map.
        connect(map_document.steps_changed, self.follow_origin)
        self._rolling.add_provider(self.provider)
        connect(self._rolling.about_to_roll, self.follow_origin)
        connect(map_document.map_leaving, self.follow_origin)
        connect(map_document.map_replaced, self._on_map_replaced)
        connect(map_document.maps_changed, self._delete_unused)

    # --- the script of a map that becomes current --------------------------------------------

    def _on_map_replaced(self) -> None:
        """Show the script of the map that has become the current one."""
        current_map = self._document.current_map
        if current_map is self._current_map:
            return  # it is shown in another way, such as sheared
        self._current_map = current_map
        self.follower.stop()
        script_document = self.documents.of_map(current_map)  # as it was shown before
        if self.map_script.in_map:
            self._show_script_in_map(script_document)
        elif script_document is None:
            self._show_first_script()
        elif script_document is not self.current:
            self.show_document(script_document)
        self.settings.changed.emit()  # each map has its own

    def _show_first_script(self) -> None:
        """Choose the script of the current map, which has not shown any yet, and show it.

        The first of these that there is:

        - the script that its target was rolled from, with the settings of that roll;
        - the script that the map names;
        - the one that is shown already, if it rolls such maps;
        - the first script of its system.
        """
        layer = self._rolling.target()
        named_script = self._script_named_by_map()
        if layer is not None and layer.roll is not None and self.layers.has_script(layer.roll):
            if self.layers.shows(layer):
                self.settings.set(script_of_roll(layer.roll).settings)
            else:
                self.layers.show_rolled(layer.roll)
            self._rolling.key_choice.set_displayed(DrawKey(layer.roll.seed, layer.roll.number))
        elif named_script is not None:
            self.show_script(named_script)
        elif self.script is NO_SCRIPT:  # the program has just started
            self.show_script(Script(untitled_name(self._document.battlemap.system)))
        elif not self.fits_map:
            self._show_script_of_system()
        self.documents.show(self._document.current_map, self.current)

        settings_of_map: Mapping[str, object] = {}
        if layer is None or layer.roll is None:  # else the roll has the settings
            settings_of_map = self.settings_of_map()
        if settings_of_map or not self.settings.has_values:
            self.settings.set({**self.script.settings, **settings_of_map})

    def _show_script_of_system(self) -> None:
        """Show the first script of the current map's system.

        One without a text would show nothing: then a script of another system stays. But a script
        that another map holds is not for this one, so any other is better.
        """
        system_script = script_of_map(self._document.battlemap)
        has_content = system_script.text or system_script.built_in
        if has_content or self.current.in_map:
            self.show_script(system_script)

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
            script_beside = self.files.beside(map_file, name)
            if script_beside is not None:
                return script_beside
        for generator in generators_of(system):
            if generator.metadata.script == name:
                return script_of_generator(generator)
        return None

    def _show_script_in_map(self, shown_before: ScriptDocument | None) -> None:
        """Show the script that the current map holds.

        ``shown_before`` is the document that the map showed before, None if it is shown for the
        first time.
        """
        settings: Mapping[str, object] | None = None  # those that it was shown with before
        script_document = shown_before
        if script_document is None:
            current_map = self._document.current_map
            script = script_of_map(current_map.battlemap, current_map.path)
            script_document = self.new_document(script, in_map=True)
            layer = self._document.battlemap.source_layer
            if layer is not None and layer.roll is not None:
                self._rolling.key_choice.set_displayed(DrawKey(layer.roll.seed, layer.roll.number))
            else:
                settings = {**script.settings, **self.settings_of_map()}
        # The *origin* is the file that the text came from, or was saved to last, in the undo step
        # at which the map is now.
        script_document.set_script(script_document.origin(self._document.history))
        script_document.text.show(self.text_of_map(script_document.script))
        self.show_document(script_document, settings)

    # --- the documents of the open maps -----------------------------------------------------

    def settings_of(self, document: ScriptDocument) -> Mapping[str, object]:
        """Return the settings of the first open map that shows a document."""
        maps = self.documents.maps_of(document)
        if maps:
            open_map = maps[0]
        else:
            open_map = self._document.current_map
        return self.settings.values_of(open_map, {})

    def map_keys(self, document: ScriptDocument) -> tuple[str, ...]:
        """Return the keys of the open maps that show a document."""
        return tuple(open_map.key for open_map in self.documents.maps_of(document))

    def _delete_unused(self) -> None:
        """Delete the documents that no open map shows any more."""
        self.documents.delete_unused(self.current)
