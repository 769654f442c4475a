"""Makes the layers panel and the commands of the menu Layer.

``make`` is called once for a desk, by the list of features. ``LayersController`` does what the
commands say; this module has their texts and keys, and the reasons why they are disabled.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.commands.commands import Command
from app.desk.desk import Desk
from app.features.layers.controller import LayersController
from app.features.layers.hidden_layer_notice import HiddenLayerNotice
from app.features.layers.panel import LayersPanel
from app.qt_guard import connect
from app.widgets.lists.empty_state import EmptyState
from randomizer.model.edits import layer_edits
from randomizer.model.grid.cell_words import cell_text

if TYPE_CHECKING:
    from app.document.document import MapDocument


def make(desk: Desk) -> LayersPanel:
    """Return the panel of a desk, and add the commands of the menu Layer to the desk."""
    controller = LayersController(desk.document, desk)
    HiddenLayerNotice(desk)  # a child of the desk, with which it lives
    connect(controller.message, desk.say)
    connect(controller.recipe_requested, lambda layer: desk.recipes.copy_layer(layer))
    desk.commands.add(layer_commands(desk.document, controller))
    panel = LayersPanel(desk.document, desk.commands, current_theme=lambda: desk.renderer.theme)
    connect(panel.message, desk.say)
    connect(panel.lock_clicked, controller.toggle_lock_of)
    panel.draw_pictures()
    desk.theme.keep_up(panel.draw_pictures)
    EmptyState(
        panel.list,
        "Rolls come as layers of their own. New layer lays an empty sheet over this one.",
        rows=1,
    )
    return panel


class _Reasons:
    """Says why commands of the menu Layer cannot be used on the active layer.

    Each method is the ``Command.why_not`` of some of them: it returns a sentence, "" if nothing is
    in the way.
    """

    def __init__(self, document: MapDocument) -> None:
        self._document = document

    @property
    def _active_index(self) -> int:
        """The index of the active layer among the layers of the map, 0 for the lowest."""
        return self._document.battlemap.index_of(self._document.active_layer_id)

    def why_not_higher(self) -> str:
        """Return why no layer lies above the active one."""
        if self._active_index == len(self._document.battlemap.layers) - 1:
            return "It is the topmost layer."
        return ""

    def why_not_lower(self) -> str:
        """Return why no layer lies below the active one."""
        if self._active_index == 0:
            return "It is the lowest layer."
        return ""

    def why_not_solo(self) -> str:
        """Return why no other layer can be hidden."""
        if len(self._document.battlemap.layers) == 1:
            return "There is one layer only."
        return ""

    def why_not_delete(self) -> str:
        """Return why the active layer cannot be deleted."""
        if len(self._document.battlemap.layers) == 1:
            return "A map keeps at least one layer."
        return ""

    def why_not_from_cells(self) -> str:
        """Return why no layer can be made of the selected cells."""
        if len(self._document.selection) == 0:
            return cell_text("Select some {cells} first.", self._document.battlemap.grid.layout)
        return ""

    def why_not_merge_down(self) -> str:
        """Return why the active layer cannot be merged into the one below."""
        document = self._document
        if not layer_edits.can_merge_down(document.battlemap, document.active_layer_id):
            return "It needs a visible layer right below a visible one."
        return ""

    def why_not_flatten(self) -> str:
        """Return why there is nothing to make one layer of."""
        visible_layers = [layer for layer in self._document.battlemap.layers if layer.visible]
        if len(visible_layers) <= 1:
            return "There is one visible layer only."
        return ""

    def why_not_recipe(self) -> str:
        """Return why the active layer has no recipe."""
        if self._document.active_layer.roll is None:
            return "The layer was not rolled."
        return ""


def layer_commands(document: MapDocument, layers: LayersController) -> tuple[Command, ...]:
    """Return the commands of the menu Layer; ``layers`` does what they say."""
    reasons = _Reasons(document)
    return (
        *_creating_commands(layers, reasons),
        *_stacking_commands(layers, reasons),
        *_active_layer_commands(document, layers, reasons),
    )


def _creating_commands(layers: LayersController, reasons: _Reasons) -> tuple[Command, ...]:
    """Return the commands that make a layer, or copy the recipe by which others make it."""
    return (
        Command(
            "layer.new-layer",
            "New layer",
            layers.add,
            tip="Add an empty layer above",
            keys="Ctrl+Shift+N",
            icon="new",
            words="add create empty",
        ),
        Command(
            "layer.new-layer-from-selection",
            "New layer from selection",
            layers.add_from_selection,
            tip="Copy what the layer has on the selected {cells} into a new layer",
            icon="layer-selection",
            why_not=reasons.why_not_from_cells,
            words="copy part extract",
        ),
        Command(
            "layer.move-selection-to-new-layer",
            "Move selection to new layer",
            partial(layers.add_from_selection, moved=True),
            tip="Take what the layer has on the selected {cells} out into a new layer",
            icon="layer-cut",
            why_not=reasons.why_not_from_cells,
            words="cut part extract split",
        ),
        Command(
            "layer.duplicate-layer",
            "Duplicate layer",
            layers.duplicate,
            tip="Copy the layer, roll and all",
            keys="Ctrl+J",
            icon="layer-duplicate",
            words="copy clone",
        ),
        Command(
            "layer.copy-as-recipe",
            "Copy as recipe",
            layers.copy_as_recipe,
            tip="Copy how the layer was rolled as one line of text, for others to paste",
            icon="copy",
            why_not=reasons.why_not_recipe,
            words="share seed text chat line paste",
        ),
    )


def _stacking_commands(layers: LayersController, reasons: _Reasons) -> tuple[Command, ...]:
    """Return the commands that change the order of layers, or make one of several."""
    return (
        Command(
            "layer.raise-layer",
            "Raise layer",
            partial(layers.shift, 1),
            tip="Move the layer up: it covers more",
            keys="Ctrl+Shift+Up",
            icon="layer-up",
            why_not=reasons.why_not_higher,
            words="up above order forward",
        ),
        Command(
            "layer.lower-layer",
            "Lower layer",
            partial(layers.shift, -1),
            tip="Move the layer down",
            keys="Ctrl+Shift+Down",
            icon="layer-down",
            why_not=reasons.why_not_lower,
            words="down below order backward",
        ),
        Command(
            "layer.merge-down",
            "Merge down",
            layers.merge_down,
            tip="Put the layer into the one below it",
            keys="Ctrl+Shift+L",
            icon="layer-merge",
            why_not=reasons.why_not_merge_down,
            words="join combine flatten",
        ),
        Command(
            "layer.flatten-layers",
            "Flatten layers",
            layers.flatten,
            tip="Make one layer of all that are visible",
            icon="layer-flatten",
            why_not=reasons.why_not_flatten,
            words="merge join one combine all",
        ),
    )


def _active_layer_commands(
    document: MapDocument, layers: LayersController, reasons: _Reasons
) -> tuple[Command, ...]:
    """Return the commands that hide, lock or delete a layer, and those that choose another."""
    return (
        Command(
            "layer.solo-layer",
            "Solo layer",
            layers.solo,
            tip="Hide all other layers; once more shows again what was visible",
            icon="layer-solo",
            why_not=reasons.why_not_solo,
            words="hide others only isolate visible",
        ),
        Command(
            "layer.lock-layer",
            "Lock layer",
            layers.toggle_lock,
            tip="A locked layer refuses the hand; rolls below and above go on",
            icon="lock",
            checked=lambda: document.active_layer.locked,
            words="protect freeze unlock",
        ),
        Command(
            "layer.secret-layer",
            "Secret layer",
            layers.toggle_secret,
            tip=(
                "A secret layer is left out of the players' map: pictures, prints and exports for "
                "them"
            ),
            icon="eye-off",
            checked=lambda: document.active_layer.secret,
            words="hidden players gm master",
        ),
        Command(
            "layer.delete-layer",
            "Delete layer",
            layers.delete,
            tip="Take the layer away",
            icon="layer-delete",
            why_not=reasons.why_not_delete,
            words="remove drop",
        ),
        Command(
            "layer.choose-layer-above",
            "Choose layer above",
            partial(layers.activate_neighbour, 1),
            tip="Paint into the next layer up",
            keys="Ctrl+PgUp",
            icon="previous",
            why_not=reasons.why_not_higher,
            words="active next up",
        ),
        Command(
            "layer.choose-layer-below",
            "Choose layer below",
            partial(layers.activate_neighbour, -1),
            tip="Paint into the next layer down",
            keys="Ctrl+PgDown",
            icon="next",
            why_not=reasons.why_not_lower,
            words="active previous down",
        ),
    )
