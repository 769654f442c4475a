"""The layers of the current map: their panel and the menu Layer."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.commands.commands import Command
from app.desk.desk import Desk
from app.features.layers.controller import LayersController
from app.features.layers.panel import LayersPanel
from app.qt_guard import connect
from app.widgets.lists.empty_state import EmptyState
from randomizer.model.edits import layer_edits
from randomizer.model.grid.cell_words import cell_text

if TYPE_CHECKING:
    from app.document.document import MapDocument


def make(desk: Desk) -> LayersPanel:
    """Return the panel, with the commands of the menu Layer."""
    controller = LayersController(desk.document, desk)
    connect(controller.message, desk.say)
    connect(controller.recipe_requested, lambda layer: desk.recipes.copy_layer(layer))
    desk.commands.add(layer_commands(desk.document, controller))
    panel = LayersPanel(desk.document, desk.commands, current_theme=lambda: desk.renderer.theme)
    connect(panel.message, desk.say)
    connect(panel.lock_clicked, controller.toggle_lock)
    panel.draw_pictures()
    desk.theme.keep_up(panel.draw_pictures)
    EmptyState(
        panel.list,
        "Rolls come as layers of their own. New layer lays an empty sheet over this one.",
        rows=1,
    )
    return panel


def layer_commands(document: MapDocument, layers: LayersController) -> tuple[Command, ...]:
    """Return the rows of the menu Layer."""

    def place() -> int:
        return document.battlemap.index_of(document.active_layer_id)

    def one_layer() -> bool:
        return len(document.battlemap.layers) == 1

    def topmost() -> str:
        last = place() == len(document.battlemap.layers) - 1
        return "It is the topmost layer." if last else ""

    def lowest() -> str:
        return "" if place() else "It is the lowest layer."

    def nothing_selected() -> str:
        if len(document.selection):
            return ""
        return cell_text("Select some {cells} first.", document.battlemap.grid.layout)

    def not_above_one() -> str:
        can = layer_edits.can_merge_down(document.battlemap, document.active_layer_id)
        if can:
            return ""
        return "It needs a visible layer right below a visible one."

    def one_visible() -> str:
        several = sum(layer.visible for layer in document.battlemap.layers) > 1
        return "" if several else "There is one visible layer only."

    return (
        Command(
            "layer.new-layer",
            "New layer",
            layers.add,
            "Add an empty layer above",
            "Ctrl+Shift+N",
            "new",
            words="add create empty",
        ),
        Command(
            "layer.new-layer-from-selection",
            "New layer from selection",
            layers.add_part,
            "Copy what the layer has on the selected {cells} into a new layer",
            icon="layer-selection",
            why_not=nothing_selected,
            words="copy part extract",
        ),
        Command(
            "layer.move-selection-to-new-layer",
            "Move selection to new layer",
            partial(layers.add_part, moved=True),
            "Take what the layer has on the selected {cells} out into a new layer",
            icon="layer-cut",
            why_not=nothing_selected,
            words="cut part extract split",
        ),
        Command(
            "layer.duplicate-layer",
            "Duplicate layer",
            layers.duplicate,
            "Copy the layer, roll and all",
            "Ctrl+J",
            "layer-duplicate",
            words="copy clone",
        ),
        Command(
            "layer.copy-as-recipe",
            "Copy as recipe",
            layers.copy_as_recipe,
            "Copy how the layer was rolled as one line of text, for others to paste",
            icon="copy",
            why_not=lambda: "" if document.active_layer.roll else "The layer was not rolled.",
            words="share seed text chat line paste",
        ),
        Command(
            "layer.raise-layer",
            "Raise layer",
            partial(layers.shift, 1),
            "Move the layer up: it covers more",
            "Ctrl+Shift+Up",
            "layer-up",
            why_not=topmost,
            words="up above order forward",
        ),
        Command(
            "layer.lower-layer",
            "Lower layer",
            partial(layers.shift, -1),
            "Move the layer down",
            "Ctrl+Shift+Down",
            "layer-down",
            why_not=lowest,
            words="down below order backward",
        ),
        Command(
            "layer.merge-down",
            "Merge down",
            layers.merge_down,
            "Put the layer into the one below it",
            "Ctrl+Shift+L",
            "layer-merge",
            why_not=not_above_one,
            words="join combine flatten",
        ),
        Command(
            "layer.flatten-layers",
            "Flatten layers",
            layers.flatten,
            "Make one layer of all that are visible",
            icon="layer-flatten",
            why_not=one_visible,
            words="merge join one combine all",
        ),
        Command(
            "layer.solo-layer",
            "Solo layer",
            layers.solo,
            "Hide all other layers; once more shows again what was visible",
            icon="layer-solo",
            why_not=lambda: "There is one layer only." if one_layer() else "",
            words="hide others only isolate visible",
        ),
        Command(
            "layer.lock-layer",
            "Lock layer",
            layers.toggle_lock,
            "A locked layer refuses the hand; rolls below and above go on",
            icon="lock",
            checked=lambda: document.active_layer.locked,
            words="protect freeze unlock",
        ),
        Command(
            "layer.secret-layer",
            "Secret layer",
            layers.toggle_secret,
            "A secret layer is left out of the players' map: pictures, prints and exports for them",
            icon="eye-off",
            checked=lambda: document.active_layer.secret,
            words="hidden players gm master",
        ),
        Command(
            "layer.delete-layer",
            "Delete layer",
            layers.delete,
            "Take the layer away",
            icon="layer-delete",
            why_not=lambda: "A map keeps at least one layer." if one_layer() else "",
            words="remove drop",
        ),
        Command(
            "layer.choose-layer-above",
            "Choose layer above",
            partial(layers.go, 1),
            "Paint into the next layer up",
            "Ctrl+PgUp",
            "previous",
            why_not=topmost,
            words="active next up",
        ),
        Command(
            "layer.choose-layer-below",
            "Choose layer below",
            partial(layers.go, -1),
            "Paint into the next layer down",
            "Ctrl+PgDown",
            "next",
            why_not=lowest,
            words="active previous down",
        ),
    )
