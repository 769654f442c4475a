"""The banner above the map that tells of a layer with things that a roll has hidden.

The first roll on a map from a file goes above its layer and hides it: the units and towns of the
file are gone from the map then, which its owner may not expect. The life of a notice::

    a roll starts     the visible layers with things are noted
    the roll is done  the notice tells of the topmost one of them that is hidden now
    later             it goes with its second button, or when the layer is seen again or deleted

``feature.py`` makes the one ``HiddenLayerNotice`` of a window.
"""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.desk.desk import Desk
from app.qt_guard import connect
from app.widgets.layout.banner import Banner
from app.widgets.layout.banner_bar import BannerBar
from randomizer.model.edits.edit import Region
from randomizer.model.edits.stack_edits import LayerField
from randomizer.model.map.layer import Layer


class HiddenLayerNotice(QObject):
    """Tells of the hidden layer until that layer is seen again, or deleted.

    Further rolls do not hide the notice. Its first button shows the layer, its second one hides
    the notice.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._document = desk.document
        self.banner = Banner(
            "Show it", "Show the layer again, with its things among those of the roll"
        )
        self.dismiss = self.banner.add_button("Leave it hidden", "Hide this message")
        self._bar = BannerBar(desk.frame, "hidden-layer", "The hidden layer", self.banner)
        self._layer_ids_at_start: list[int] = []
        """The ids of the visible layers with things when the roll under way began; else []."""
        self._hidden_layer_id: int | None = None
        """The id of the layer that the notice is about; None while no notice is shown."""
        connect(self.banner.accepted, self._show_layer)
        connect(self.dismiss.clicked, self._clear)
        connect(desk.rolling.started, self._note_layers)
        connect(desk.rolling.finished, self._tell_of_hidden)
        connect(desk.document.changed, self._on_changed)
        connect(desk.document.map_replaced, self._on_map_replaced)

    def _note_layers(self, _request: object) -> None:
        """Note which layers with things are visible before a roll."""
        layers = self._document.battlemap.layers
        self._layer_ids_at_start = [layer.id for layer in layers if layer.visible and layer.things]

    def _tell_of_hidden(self, _request: object) -> None:
        """Show the notice if one of these layers is hidden after the roll."""
        for layer in reversed(self._document.battlemap.layers):
            if layer.id in self._layer_ids_at_start and not layer.visible:
                self._hidden_layer_id = layer.id
                self._bar.say(f"{layer.name} is hidden below the roll, with its things.")
                break  # of several layers the topmost is told
        self._layer_ids_at_start = []

    def _on_changed(self, region: Region) -> None:
        """Hide the notice when an edit, or undo, shows the layer or deletes it."""
        shows_notice = self._hidden_layer_id is not None
        if region.structure and shows_notice and self._hidden_layer() is None:
            self._clear()

    def _hidden_layer(self) -> Layer | None:
        """Return the layer of the notice; None if it is visible again or deleted."""
        for layer in self._document.battlemap.layers:
            if layer.id == self._hidden_layer_id and not layer.visible:
                return layer
        return None

    def _on_map_replaced(self) -> None:
        """Forget the layers of the map before."""
        self._layer_ids_at_start = []
        self._clear()

    def _clear(self) -> None:
        """Hide the notice, and forget its layer."""
        self._hidden_layer_id = None
        self._bar.say("")  # hides the bar

    def _show_layer(self) -> None:
        """Show the hidden layer, as one undo step."""
        layer = self._hidden_layer()
        if layer is not None:
            edit = LayerField(layer.id, "visible", old_value=False, new_value=True)
            self._document.push(edit, f"Show {layer.name}")
