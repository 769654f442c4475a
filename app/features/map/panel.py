"""The panel "Map": a row for each property that the system describes, and one for the water.

``feature.py`` makes it. A property (title, subtitle, ...) belongs to layers; the panel shows what
the visible layers set, and a change goes to one of them (``targets.property_target``).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QFormLayout, QWidget

from app.features.map.property_row import PropertyRow
from app.features.map.water_slider import WaterSlider
from app.qt_guard import connect, guarded
from randomizer.model.edits.edit import Region
from randomizer.model.hand.targets import change_property, property_target, why_not_property
from randomizer.model.map.layer import Layer
from randomizer.model.system.property import UNSET, PropertyKind
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument


class PropertiesPanel(QWidget):
    """Shows and changes the properties of the current map."""

    properties_replaced = Signal()
    """The current map is of another system, which has other properties."""

    entered = Signal(str)
    """Enter has ended the text of the property of this name."""

    def __init__(self, document: MapDocument) -> None:
        super().__init__()
        self._document = document
        self.rows: dict[str, PropertyRow] = {}
        """The rows by the names of the properties."""
        self.water: WaterSlider | None = None
        """The row of the height of the water; None for maps without."""
        self.covers_another = False
        """True while this panel is in front of another one only for one text to be entered.

        The command for the text sets it; it ends with the text (``stop_covering``), or when the
        panel is hidden.
        """
        self._system: System | None = None
        """The system whose properties have rows; None before the first."""
        self._form = QFormLayout(self)
        self._form.setContentsMargins(6, 6, 6, 6)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)  # in a narrow panel
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self._on_map_replaced)
        connect(document.active_layer_changed, self._show)
        self._show()

    @guarded
    def hideEvent(self, event: QHideEvent) -> None:
        """Forget that this panel covered another one: another panel is in front now."""
        super().hideEvent(event)
        self.covers_another = False

    def stop_covering(self) -> bool:
        """Note that the text was entered; return whether another panel is to come back."""
        was_covering = self.covers_another
        self.covers_another = False
        return was_covering

    def _on_changed(self, region: Region) -> None:
        """Show the values again after an edit that can have changed them.

        Properties belong to layers (``structure``), the height of the water is a record.
        """
        if region.structure or (region.records and self.water is not None):
            self._show()

    def _on_map_replaced(self) -> None:
        """Show the values of another map; what was being typed for the one before is dropped."""
        for row in self.rows.values():
            row.forget_typed()
        self._show()

    def _make_rows(self) -> None:
        """Make the rows for the system of the current map."""
        system = self._document.battlemap.system
        self._system = system
        self.rows.clear()
        while self._form.rowCount() > 0:
            self._form.removeRow(0)
        for prop in system.properties:
            row = PropertyRow(prop, partial(self.set_property, prop.name))
            self.rows[prop.name] = row
            connect(row.entered, partial(self.entered.emit, prop.name))
            label = prop.label
            if prop.kind is PropertyKind.FLAG:
                label = ""  # the box has it
            self._form.addRow(label, row)
        self.water = None
        if system.offers(System.set_water):
            self.water = WaterSlider(self._document)
            self._form.addRow("&Water", self.water)

    def _show(self) -> None:
        """Show the values of the current map, after making the rows if its system is another."""
        if self._system is not self._document.battlemap.system:
            self._make_rows()
            self.properties_replaced.emit()
        properties = self._document.composite.properties
        for name, row in self.rows.items():
            row.show_value(properties, is_set_here=name in self._layer_to_change(name).properties)
        if self.water is not None:
            self.water.show_level()

    def set_property(self, name: str, value: object) -> bool:
        """Change a property of the map, as one undo step; UNSET leaves it to the layers below.

        Returns False if the layer or the property refuses the value: the user was told why.
        """
        if value == self._document.composite.properties.get(name, UNSET):
            return True
        battlemap = self._document.battlemap
        active = self._document.active_layer_id
        why_not = why_not_property(battlemap, active, name)
        map_property = battlemap.system.property_named(name)
        if value is not UNSET and not why_not:
            why_not = map_property.why_not(value)
        if why_not:
            self._document.refuse(why_not)
            return False
        label = map_property.label
        edit = change_property(battlemap, active, name, value)
        return self._document.push(edit, f"Change {label.lower()}")

    def clear_property(self, name: str) -> None:
        """Take a property off the map: set it to none if a layer below sets it, else unset it."""
        battlemap = self._document.battlemap
        layers_below = battlemap.layers[: battlemap.index_of(self._layer_to_change(name).id)]
        is_set_below = any(layer.visible and name in layer.properties for layer in layers_below)
        if is_set_below:
            self.set_property(name, battlemap.system.property_named(name).none)
        else:
            self.set_property(name, UNSET)

    def _layer_to_change(self, name: str) -> Layer:
        """Return the layer that a change of a property goes to."""
        return property_target(self._document.battlemap, self._document.active_layer_id, name)
