"""Tells which layers a flat file leaves out: those that are hidden and hold something."""

from __future__ import annotations

from randomizer.model.basics.plurals import counted
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer


def layers_left_out(battlemap: BattleMap) -> list[Layer]:
    """Return the hidden layers that hold something, from the bottom to the top."""
    return [layer for layer in battlemap.layers if not layer.visible and _holds_something(layer)]


def _holds_something(layer: Layer) -> bool:
    return bool(layer.things or layer.planes or layer.properties)


def text_about_left_out(layers: list[Layer]) -> str:
    """Return a sentence on hidden layers that are not written, with their things; "" for none."""
    if not layers:
        return ""
    thing_count = sum(len(layer.things) for layer in layers)
    things = counted(thing_count, "thing")
    if len(layers) == 1:
        (layer,) = layers
        if thing_count:
            return f"The layer {layer.name} is hidden: it and its {things} are not written."
        return f"The layer {layer.name} is hidden: it is not written."
    if thing_count:
        return f"{len(layers)} layers are hidden: they and their {things} are not written."
    return f"{len(layers)} layers are hidden: they are not written."
