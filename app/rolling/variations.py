"""Variations of a map, which the gallery shows in place of the script's maps while they are asked
for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from app.document.document import MapDocument
from app.document.open_map import OpenMap
from app.rolling.roll_request import Destination
from app.rolling.roll_setup import RollSetup
from randomizer.variations.generator import keep_things, variations_of
from randomizer.variations.settings import NUMBER


class Variations(QObject):
    """What was asked for by open map: the setup, and the layer that was topmost then.

    A variation that is taken lies above that layer, and the next one replaces it. ``changed()``:
    others, or none any more.
    """

    changed = Signal()

    def __init__(self, document: MapDocument, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._asked: WeakKeyDictionary[OpenMap, tuple[RollSetup, int]] = WeakKeyDictionary()

    def begin(self, settings: Mapping[str, object]) -> None:
        """Show variations of the current map as it is seen now."""
        battlemap = self._document.battlemap
        generator = variations_of(battlemap.system)
        assert generator is not None, "the command is offered then only"
        chosen = {setting.name: setting.default for setting in generator.settings}
        chosen |= settings
        setup = RollSetup("", lambda: generator, chosen, maps=int(str(chosen[NUMBER])))
        self._asked[self._document.current_map] = setup, battlemap.layers[-1].id
        self.changed.emit()

    def end(self) -> None:
        """Show the script's maps again."""
        if self._asked.pop(self._document.current_map, None):
            self.changed.emit()

    def current(self) -> tuple[RollSetup, Destination] | None:
        """Return the setup and where a variation goes; None if the current map shows none."""
        rolled_variation = self._asked.get(self._document.current_map)
        layers = self._document.battlemap.layers
        if rolled_variation is None or all(layer.id != rolled_variation[1] for layer in layers):
            return None
        setup, below = rolled_variation
        now = {**setup.settings, **keep_things(self._document.battlemap)}
        setup = replace(setup, settings=now)
        name = setup.generator().name
        above = layers[self._document.battlemap.index_of(below) + 1 :]
        for layer in above:
            if layer.roll is not None and layer.roll.generator == name:
                return setup, Destination.in_place_of(layer.id)
        return setup, Destination.above(below)
