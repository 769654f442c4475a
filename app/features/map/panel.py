"""The panel of the map's properties: title, subtitle, tower flag, start list."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from app.document.document import MapDocument
from app.qt_guard import connect
from app.widgets.builders import described, lay_out
from randomizer.model.edit import Region
from randomizer.model.targets import change_property, property_target, why_not_property


class PropertiesPanel(QWidget):
    """Shows what the visible layers set; a change goes to ``targets.property_target``."""

    def __init__(self, document: MapDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.title = QLineEdit()
        self.title.setAccessibleName("Title")
        self.title.setToolTip("The battleland's title: the terrain name inside its file")
        self.subtitle = QLineEdit()
        self.subtitle.setAccessibleName("Subtitle")
        self.subtitle.setToolTip("The line below the title in the game; may be empty")
        self.tower = QCheckBox("This terrain is a tower")
        self.tower.setToolTip("The game's Tower rules hold on this battleland")
        self.startlist = QLabel()
        self.startlist.setWordWrap(True)
        self.startlist.setToolTip("Where the defender stands at the start; paint it with tool L")
        self.remove_startlist = described(QPushButton("Remove"), "Remove start list")
        row = QWidget()
        lay_out(QHBoxLayout(row), (self.startlist, 1), self.remove_startlist, margins=0)
        form = self._form = QFormLayout(self)
        form.setContentsMargins(6, 6, 6, 6)
        form.addRow("Title", self.title)
        form.addRow("Subtitle", self.subtitle)
        form.addRow("", self.tower)
        form.addRow("Start list", row)
        self._only_some = {"tower": self.tower, "startlist": row}
        connect(self.title.editingFinished, lambda: self._set("title", self.title.text()))
        connect(self.subtitle.editingFinished, lambda: self._set("subtitle", self.subtitle.text()))
        connect(self.tower.clicked, lambda checked: self._set("tower", checked))
        connect(self.remove_startlist.clicked, self.clear_startlist)
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self._show)
        self._show()

    def _on_changed(self, region: Region) -> None:
        if region.structure:
            self._show()

    def _show(self) -> None:
        composite = self._document.composite
        for name, shown in self._only_some.items():
            self._form.setRowVisible(shown, name in self._document.battlemap.system.properties)
        for field, text in ((self.title, composite.title), (self.subtitle, composite.subtitle)):
            if field.text() != (text or ""):
                field.setText(text or "")
        self.tower.setChecked(composite.tower)
        labels = composite.startlist or ()
        self.startlist.setText(", ".join(labels) if labels else "none")
        self.remove_startlist.setEnabled(bool(labels))

    def _set(self, name: str, value: object) -> None:
        shown = getattr(self._document.composite, name)
        if value == shown or (not value and not shown):
            return
        battlemap, active = self._document.battlemap, self._document.active_layer_id
        why = why_not_property(battlemap, active, name)
        if why:
            self._document.refuse(why)
            self._show()
        self._document.push(change_property(battlemap, active, name, value), f"Change {name}")

    def set_tower(self, tower: bool) -> None:
        """Set whether the terrain is a tower."""
        self._set("tower", tower)

    def clear_startlist(self) -> None:
        """Remove the start list."""
        battlemap = self._document.battlemap
        target = property_target(battlemap, self._document.active_layer_id, "startlist")
        index = battlemap.index_of(target.id)
        below = battlemap.layers[:index]
        covered = any(layer.visible and layer.startlist for layer in below)
        self._set("startlist", () if covered else None)
