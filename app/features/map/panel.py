"""The panel of the map's properties: a row for each that the system describes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QWidget

from app.features.map.property_row import PropertyRow
from app.features.map.water_slider import WaterSlider
from app.qt_guard import connect
from randomizer.model.edits.edit import Region
from randomizer.model.hand.targets import change_property, property_target, why_not_property
from randomizer.model.map.layer import Layer
from randomizer.model.system.property import UNSET, PropertyKind
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument


class PropertiesPanel(QWidget):
    """Shows what the visible layers set; a change goes to ``targets.property_target``.

    ``water`` is the row of the height of the water, None for maps without.
    ``properties_replaced``: the current map has other properties, it is of another system.
    """

    properties_replaced = Signal()

    entered = Signal()
    """Enter has ended the text of a property."""

    def __init__(self, document: MapDocument) -> None:
        super().__init__()
        self._document = document
        self.rows: dict[str, PropertyRow] = {}
        self.water: WaterSlider | None = None
        self._system: System | None = None
        self._form = QFormLayout(self)
        self._form.setContentsMargins(6, 6, 6, 6)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)  # in a narrow panel
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self._show)
        connect(document.active_layer_changed, self._show)
        self._show()

    def _on_changed(self, region: Region) -> None:
        if region.structure or (region.records and self.water is not None):
            self._show()

    def _build(self) -> None:
        system = self._system = self._document.battlemap.system
        self.rows.clear()
        while self._form.rowCount():
            self._form.removeRow(0)
        for prop in system.properties:
            row = PropertyRow(prop, partial(self.set_property, prop.name))
            self.rows[prop.name] = row
            connect(row.entered, self.entered)
            self._form.addRow("" if prop.kind is PropertyKind.FLAG else prop.label, row)
        if system.offers(System.set_water):
            self.water = WaterSlider(self._document)
        else:
            self.water = None
        if self.water is not None:
            self._form.addRow("&Water", self.water)

    def _show(self) -> None:
        if self._system is not self._document.battlemap.system:
            self._build()
            self.properties_replaced.emit()
        properties = self._document.composite.properties
        for name, row in self.rows.items():
            row.show_value(properties, owned=name in self._target(name).properties)
        if self.water is not None:
            self.water.show_level()

    def set_property(self, name: str, value: object) -> bool:
        """Change a property of the map as one undo step; UNSET leaves it to the layers below.

        Returns False if the value is refused: the user was told why.
        """
        if value == self._document.composite.properties.get(name, UNSET):
            return True
        battlemap = self._document.battlemap
        active = self._document.active_layer_id
        why_not = why_not_property(battlemap, active, name)
        map_property = battlemap.system.property(name)
        if value is not UNSET and not why_not:
            why_not = map_property.why_not(value)
        if why_not:
            self._document.refuse(why_not)
            return False
        label = map_property.label
        edit = change_property(battlemap, active, name, value)
        self._document.push(edit, f"Change {label.lower()}")
        return True

    def remove(self, name: str) -> None:
        """Make the map have none: unset where no layer below sets it, else explicitly none."""
        battlemap = self._document.battlemap
        below = battlemap.layers[: battlemap.index_of(self._target(name).id)]
        covers = any(layer.visible and name in layer.properties for layer in below)
        self.set_property(name, battlemap.system.property(name).none if covers else UNSET)

    def _target(self, name: str) -> Layer:
        return property_target(self._document.battlemap, self._document.active_layer_id, name)
