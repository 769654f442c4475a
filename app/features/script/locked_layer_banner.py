"""The banner above a script that tells that a locked layer would not take the roll."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from app.document.document import MapDocument
from app.qt_guard import connect
from app.rolling.destination import locked_message
from app.rolling.rolling import Rolling
from app.widgets.layout.banner import Banner
from randomizer.model.edits.stack_edits import LayerField
from randomizer.model.map.layer import Layer


class _RefusedRoll(NamedTuple):
    """A roll that was refused since its layer is locked."""

    layer_id: int
    """The id of the locked layer."""

    retry: Callable[[], object]
    """Asks for the roll again."""


class LockedLayerBanner(Banner):
    """Tells that a locked layer would not take a roll, until layers or the script change.

    Its button unlocks the layer and rolls again; ``onto_new_layer`` rolls above the locked layer.
    """

    def __init__(self, document: MapDocument, rolling: Rolling) -> None:
        tip = "Unlock the layer and roll in its place"
        super().__init__("Unlock it and roll", tip, below=True)  # the buttons below the text
        self._document = document
        self._rolling = rolling
        self._refused: _RefusedRoll | None = None
        """The roll that was refused last; None before the first."""
        self.onto_new_layer = self.add_button(
            "Roll onto a new layer", "The locked layer stays as it is, below the roll"
        )
        connect(self.accepted, self._unlock)
        connect(self.onto_new_layer.clicked, rolling.roll_onto_new_layer)
        connect(rolling.locked, self._show)
        connect(rolling.layers_changed, self.hide_banner)
        connect(rolling.started, self.hide_banner)
        connect(rolling.setup_changed, self.hide_banner)

    def _show(self, layer: Layer, retry: Callable[[], object]) -> None:
        """Show that a layer is locked; ``retry`` asks for its roll again."""
        self._refused = _RefusedRoll(layer.id, retry)
        self.onto_new_layer.setVisible(not self._rolling.next_roll.why_not_new_layer())
        self.say(locked_message(layer))

    def hide_banner(self) -> None:
        """Hide the banner, which is hidden while it has no text."""
        self.say("")

    def _unlock(self) -> None:
        """Unlock the layer, if it is still there, and roll again."""
        refused = self._refused
        assert refused is not None, "the banner is shown for a roll that was refused"
        for layer in self._document.battlemap.layers:
            if layer.id == refused.layer_id:
                unlock = LayerField(layer.id, "locked", old_value=True, new_value=False)
                self._document.push(unlock, f"Unlock {layer.name}")
                refused.retry()
                return
