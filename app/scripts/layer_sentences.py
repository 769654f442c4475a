"""Sentences about the script that a layer, or the whole map, was made by: ``LayerSentences``.

``Scripts.layer_sentences`` is the one object. The banner above the script shows what it tells of
the active layer ("The active layer was rolled from hills.rnd."), the head of the panel what it
tells of the map ("No script made this map. Roll adds a layer by moor.rnd.").
"""

from __future__ import annotations

from app.document.document import MapDocument
from app.scripts.layer_scripts import LayerScripts
from app.scripts.script import script_of_generator
from app.scripts.shown_script import ShownScript
from randomizer.catalog.generators import generators_of
from randomizer.model.map.battlemap import BattleMap


class LayerSentences:
    """Tells where the script shown is not the one that made the current map, or its layer."""

    def __init__(self, scripts: ShownScript, layers: LayerScripts, document: MapDocument) -> None:
        self._scripts = scripts
        self._layers = layers
        self._document = document

    def about_active_layer(self) -> str:
        """Return a sentence with the script of the active layer; "" if that is the one shown.

        "" also if the panel cannot show what the layer is from.
        """
        roll = self._document.active_layer.roll
        if self._scripts.current.in_map or roll is None:
            return ""
        if not self._layers.can_show_script_of(roll) or self._layers.is_of_shown_script(roll):
            return ""
        shown_name = self._scripts.script.name
        layer_script = roll.script_name or "a script"
        if roll.script_name == shown_name:
            layer_script = f"another text of {layer_script}"
        if shown_name and not self._has_rolled(shown_name):
            return f"{shown_name} is not rolled yet: the active layer is from {layer_script}."
        return f"The active layer was rolled from {layer_script}."

    def _has_rolled(self, script_name: str) -> bool:
        """Return whether a layer of the map was rolled from a script of this name."""
        for layer in self._document.battlemap.layers:
            if layer.roll is not None and layer.roll.script_name == script_name:
                return True
        return False

    def about_map(self) -> str:
        """Return a sentence about a map from a file that has no rolled layer; "" for any other map.

        A roll does not take the place of such a map, whether or not the script shown has made it.
        """
        open_map = self._document.current_map
        battlemap = open_map.battlemap
        is_from_file = open_map.path is not None or open_map.source is not None
        if not is_from_file or self._scripts.current.in_map or battlemap.is_blank():
            return ""
        is_rolled = any(layer.roll is not None for layer in battlemap.layers)
        if is_rolled or self._scripts.why_not():
            return ""
        maker = _maker_of_map(battlemap)
        shown_name = self._scripts.script.name
        if not maker:
            return f"No script made this map. Roll adds a layer by {shown_name}."
        if maker == shown_name:
            return f"{maker} made this map. Roll adds a layer by it."
        return f"{maker} made this map. Roll adds a layer by {shown_name}."


def _maker_of_map(battlemap: BattleMap) -> str:
    """Return the name of the script that a map names as its maker, "" if it names none.

    Of a script of the program that is the name by which people know it.
    """
    file_name: str = battlemap.system.script_file(battlemap)
    for generator in generators_of(battlemap.system):
        if generator.metadata.script == file_name:
            return script_of_generator(generator).name
    return file_name
