"""The scripts of the open maps: a service for every feature that reads, checks or rolls them.

Each open map shows one ``ScriptDocument``, which other maps may show, too. ``Scripts`` knows which,
and shows it when that map becomes the current one. ``Scripts.opening`` shows the scripts that a
person opens, ``Scripts.layers`` those that rolled layers came from; what all of them show is the
``ShownScript``, which ``Scripts`` is, too.
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
from app.scripts.shown_script import ShownScript
from app.settings import Settings
from randomizer.catalog.generators import generators_of
from randomizer.model.rolls.draw_key import DrawKey


class Scripts(ShownScript):
    """The script documents of the open maps, of which that of the current map is shown.

    Each open map shows one document: a map that came with no script shows the current one if that
    rolls such maps, else the first of its system's.
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
        self.opening = ScriptOpening(self, document, rolling)
        """Opens scripts, and chooses the map of each."""
        self.layers = LayerScripts(self, document, rolling)
        """Shows the scripts that layers were rolled from."""
        LayerFollower(self, self.layers, document, rolling)  # it needs nothing but the signals
        self._connect_maps()
        self._on_map_replaced()

    def _connect_maps(self) -> None:
        """Follow the open maps and their rolls."""
        document = self._document
        # The map has the text by then: its record changes before the undo step is counted, and
        # ``map_script`` puts a waiting text into it before a roll, or before the map leaves.
        connect(document.steps_changed, self.follow_origin)
        self._rolling.add_provider(self)
        connect(self._rolling.about_to_roll, self.follow_origin)
        connect(document.map_leaving, self.follow_origin)
        connect(document.map_replaced, self._on_map_replaced)
        connect(document.maps_changed, self._delete_unused)

    def _on_map_replaced(self) -> None:
        """Show the document of the map that has become the current one."""
        current = self._document.current_map
        if current is self._current_map:
            return
        self._current_map = current
        self.follower.stop()
        document = self.documents.of_map(current)
        if self.map_script.in_map:
            self._show_map_script(document)
        elif document is None:
            self._show_first()
        elif document is not self.current:
            self.show_document(document)
        self.settings.changed.emit()  # each map has its own

    def _show_first(self) -> None:
        """Choose the document that the current map, which has not shown any yet, shows.

        That is the script that it was rolled from, or that the map names. Otherwise the document of
        the map before it stays where that script rolls such maps; else it is the first script of
        its system.
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
        else:
            self._replace_unsuitable_script()
        self.documents.show(self._document.current_map, self.current)

        settings_of_map: Mapping[str, object] = {}
        if layer is None or layer.roll is None:  # else the roll has the settings
            settings_of_map = self.settings_of_map()
        if settings_of_map or not self.settings.has_values:
            self.settings.set({**self.script.settings, **settings_of_map})

    def _replace_unsuitable_script(self) -> None:
        """Show another script if there is none yet, or if the current one rolls no such maps.

        It is an empty, untitled one if there is none, else the first script of the map's system.
        """
        battlemap = self._document.battlemap
        if self.script is NO_SCRIPT:
            self.show_script(Script(untitled_name(battlemap.system)))
        elif not self.fits_map:
            system_script = script_of_map(battlemap)
            has_content = system_script.text or system_script.built_in
            # A document that another map holds is not for this one, so any other is better.
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

    def _show_map_script(self, document: ScriptDocument | None) -> None:
        """Show the script that the current map holds.

        ``document`` is the one that the map showed before, None if it is shown for the first time.
        """
        settings: Mapping[str, object] | None = None
        if document is None:
            current = self._document.current_map
            script = script_of_map(current.battlemap, current.path)
            document = self.new_document(script, in_map=True)
            layer = self._document.battlemap.source_layer
            if layer is not None and layer.roll is not None:
                self._rolling.key_choice.set_displayed(DrawKey(layer.roll.seed, layer.roll.number))
            else:
                settings = {**script.settings, **self.settings_of_map()}
        document.set_script(document.origin(self._document.history))
        document.text.show(self.text_of_map(document.script))
        self.show_document(document, settings)

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
