"""The scripts of the open maps: a service for every feature that reads, checks or rolls them.

Each open map shows one ``ScriptDocument``, which other maps may show, too. A desk has one
``Scripts``, put together here::

    desk.scripts.current            the document of the current map, and much else: ``ShownScript``
    desk.scripts.opening            shows the scripts that a person opens
    desk.scripts.new_scripts        shows new scripts, and drafts of another session
    desk.scripts.layers             shows those that rolled layers came from

The objects above ``ShownScript`` decide what it shows; it knows none of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QWidget

from app.document.document import MapDocument
from app.rolling.rolling import Rolling
from app.scripts.layer_follower import LayerFollower
from app.scripts.layer_scripts import LayerScripts
from app.scripts.layer_sentences import LayerSentences
from app.scripts.map_follower import MapFollower
from app.scripts.new_maps import NewMaps
from app.scripts.new_scripts import NewScripts
from app.scripts.script_document import ScriptDocument
from app.scripts.script_opening import ScriptOpening
from app.scripts.script_provider import ScriptProvider
from app.scripts.shown_script import ShownScript
from app.settings import Settings


class Scripts(ShownScript):
    """The script shown, and what decides which one that is.

    ``ShownScript`` gives the current document with its text, settings and files, and all signals.
    This class adds objects to it, and overrides nothing.
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
        self.provider = ScriptProvider(self)
        """Gives ``rolling`` the script that is shown."""
        new_maps = NewMaps(self, document, rolling)
        self.opening = ScriptOpening(self, document, rolling, new_maps)
        """Opens scripts, and chooses the map of each."""
        self.new_scripts = NewScripts(self, document, new_maps)
        """Shows scripts that no file holds."""
        self.layers = LayerScripts(self, document, rolling)
        """Shows the scripts that layers were rolled from."""
        self.layer_sentences = LayerSentences(self, self.layers, document)
        """Tells which script has made the active layer, or the map."""
        self._layer_follower = LayerFollower(self, self.layers, document, rolling)
        """Shows the script of the layer that becomes active, or the next to be replaced."""
        self._map_follower = MapFollower(self, self.layers, document, rolling)
        """Shows the script of the map that becomes the current one."""

        rolling.add_provider(self.provider)
        self._map_follower.show_script_of_map()

    # --- for the drafts of scripts -----------------------------------------------------------

    def settings_of(self, document: ScriptDocument) -> Mapping[str, object]:
        """Return the settings of the first open map that shows a document."""
        maps = self.documents.maps_of(document)
        if maps:
            return self.settings.values_of(maps[0], {})
        return self.settings.values

    def map_keys(self, document: ScriptDocument) -> tuple[str, ...]:
        """Return the keys of the open maps that show a document."""
        return tuple(open_map.key for open_map in self.documents.maps_of(document))
