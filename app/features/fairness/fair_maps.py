"""The fairness of the current map as it changes, and of the maps that its script makes.

``FairMaps`` keeps three values up to date while the view *Fairness* is open. Each is computed on
another thread, by a ``BackgroundValue``:

==============  ====================  ==============================  ============================
value           class                 computed from                   by the model's
==============  ====================  ==============================  ============================
``report``      ``MapReport``         the map, the kind of armies     ``assess``, after loading it
``comparison``  ``ScriptComparison``  2000 maps of the map's script   ``measures``
``battles``     ``MapBattles``        the map                         ``fight``
==============  ====================  ==============================  ============================

This is what happens to them:

==============================  =================================================================
the map has changed             all are renewed
the script has changed          ``comparison`` is renewed
another map is current          a model of another system is dropped, the battles are forgotten,
                                then all are renewed
``report`` has loaded a model   ``comparison`` and ``battles``, which need it, are renewed
==============================  =================================================================

To *renew* a value is cheap: a moment later its inputs are read, and work begins only if they are
others than before. So a stroke on the map renews the comparison, but rolls no maps again.

``feature.py`` connects the values with the panel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.appearance.quotes import with_quotes
from app.features.fairness.map_battles import MapBattles
from app.features.fairness.map_report import MapReport
from app.features.fairness.script_comparison import ScriptComparison
from app.qt_guard import connect

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.rolling.layers_above_switch import LayersAbove
    from app.rolling.rolling import Rolling


class FairMaps(QObject):
    """Computes the values of the current map anew as the map and its script change."""

    message_changed = Signal()
    """``message`` has changed."""

    def __init__(
        self,
        document: MapDocument,
        rolling: Rolling,
        above: LayersAbove,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.report = MapReport(document, self)
        self.comparison = ScriptComparison(self.report, rolling, above, self)
        self.battles = MapBattles(document, self.report, self)
        self.message = ""
        """The message of the view: the last one that any of the values has reported."""
        self._backgrounds = (
            self.report.background,
            self.comparison.background,
            self.battles.background,
        )

        for value in (self.report, self.comparison, self.battles):
            connect(value.message_reported, self._set_message)
        connect(self.report.model_changed, self._on_model_changed)
        for background in self._backgrounds:
            connect(document.changed, background.renew)
        connect(document.map_replaced, self._on_replaced)
        connect(rolling.setup_changed, self.comparison.background.renew)
        connect(above.toggled, self.comparison.background.renew)

    def watch(self, is_watched: bool) -> None:
        """Compute from now on, or stop since the panel is hidden."""
        for background in self._backgrounds:
            background.set_watched(is_watched)

    def _on_model_changed(self) -> None:
        """Compute what needs the model; the comparison at once, since nobody types a script."""
        self.comparison.background.renew(delay_ms=0)
        self.battles.background.renew()

    def _on_replaced(self) -> None:
        """Compute everything anew, since another map became the current one."""
        self.report.drop_other_model()
        self.battles.forget()
        for background in self._backgrounds:
            background.renew()

    def _set_message(self, message: str) -> None:
        """Show a message in place of the one before; names in faults of scripts are quoted."""
        self.message = with_quotes(message)
        self.message_changed.emit()
