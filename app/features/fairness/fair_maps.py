"""The fairness of the current map as it changes, and of the maps that its script makes.

``FairMaps`` keeps three values (map_values.py) up to date while the view *Fairness* is open:
``report``, ``comparison`` and ``battles``. ``feature.py`` connects them with the panel. The report
comes first: its job also loads the model of the map's system, which the other two need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.features.fairness.map_values import BattlesOnMap, ComparisonWithScript, ReportOfMap
from app.qt_guard import connect

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.rolling.layers_above_switch import LayersAbove
    from app.rolling.rolling import Rolling


class FairMaps(QObject):
    """Computes the values of the current map anew as the map and its script change."""

    message_changed = Signal()
    """``message`` has changed, and ``comparison`` may have."""

    def __init__(
        self,
        document: MapDocument,
        rolling: Rolling,
        above: LayersAbove,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.report = ReportOfMap(document, self)
        self.comparison = ComparisonWithScript(self.report, rolling, above, self)
        self.battles = BattlesOnMap(document, self.report, self)
        self.message = ""
        """The message of the view: what came last of the comparison, or a failure of any value."""
        self._values = (self.report.value, self.comparison.value, self.battles.value)

        connect(self.report.model_changed, self._on_model_changed)
        connect(self.report.failed, self._set_message)
        connect(self.comparison.changed, self._set_message)
        connect(self.battles.failed, self._set_message)

        for value in self._values:
            connect(document.changed, value.renew)
        connect(document.map_replaced, self._on_replaced)
        connect(rolling.setup_changed, self.comparison.value.renew)
        connect(above.toggled, self.comparison.value.renew)

    def watch(self, is_watched: bool) -> None:
        """Compute from now on, or stop since the panel is hidden."""
        for value in self._values:
            value.set_watched(is_watched)

    def _on_model_changed(self) -> None:
        """Compute what needs the model; the comparison at once, since nobody types a script."""
        self.comparison.value.renew(delay_ms=0)
        self.battles.value.renew()

    def _on_replaced(self) -> None:
        """Compute everything anew, since another map became the current one."""
        self.report.forget_other_model()
        self.battles.forget()
        for value in self._values:
            value.renew()

    def _set_message(self, message: str) -> None:
        """Show a message in place of the one before."""
        self.message = message
        self.message_changed.emit()
