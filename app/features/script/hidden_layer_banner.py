"""The banner above a script that tells of a layer with things that the last roll has hidden.

The first roll on a map from a file goes above its layer and hides it. ``ScriptNotices`` has one.
"""

from __future__ import annotations

from app.document.document import MapDocument
from app.qt_guard import connect
from app.rolling.rolling import Rolling
from app.widgets.layout.banner import Banner
from randomizer.model.edits.edit import LayerField, Region
from randomizer.model.map.layer import Layer


class HiddenLayerBanner(Banner):
    """Shown from a roll that hides a layer with things until that layer is seen again, or gone.

    Its button shows the layer.
    """

    def __init__(self, document: MapDocument, rolling: Rolling) -> None:
        super().__init__("Show it", "Show the layer again, with its things among those of the roll")
        self._document = document
        self._layers_before_roll: list[int] = []
        """The ids of the visible layers with things when the roll began."""
        self._hidden_id: int | None = None
        """The id of the layer that the roll has hidden; None for none."""
        connect(self.accepted, self._show_layer)
        connect(rolling.started, self._note_layers)
        connect(rolling.finished, self._tell_of_hidden)
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self._clear)

    def _note_layers(self, _request: object) -> None:
        self._clear()
        layers = self._document.battlemap.layers
        self._layers_before_roll = [layer.id for layer in layers if layer.visible and layer.things]

    def _tell_of_hidden(self, _request: object) -> None:
        for layer in self._document.battlemap.layers:
            if layer.id in self._layers_before_roll and not layer.visible:
                self._hidden_id = layer.id
                self.say(f"{layer.name} is hidden below the roll, with its things.")
        self._layers_before_roll = []

    def _on_changed(self, region: Region) -> None:
        if region.structure and self._hidden_id is not None and self._hidden_layer() is None:
            self._clear()

    def _hidden_layer(self) -> Layer | None:
        """Return the layer that the roll has hidden, None if it is seen again or gone."""
        for layer in self._document.battlemap.layers:
            if layer.id == self._hidden_id and not layer.visible:
                return layer
        return None

    def _clear(self) -> None:
        self._layers_before_roll = []
        self._hidden_id = None
        self.say("")

    def _show_layer(self) -> None:
        layer = self._hidden_layer()
        if layer is not None:
            edit = LayerField(layer.id, "visible", old_value=False, new_value=True)
            self._document.push(edit, f"Show {layer.name}")
