"""Tabs that take little room beside their names."""

from __future__ import annotations

from PySide6.QtWidgets import QProxyStyle, QStyle, QStyleOption, QWidget

from app.qt_guard import guarded

SPACE = 10
"""Beside and between the names of tabs, in logical pixels; Qt's styles have twice as much."""


class CompactTabs(QProxyStyle):
    """The style of the program, with less room in tabs: seven names fit into a side panel."""

    @guarded(default=0)
    def pixelMetric(
        self,
        metric: QStyle.PixelMetric,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
    ) -> int:
        """The room in tabs; for all else what the style says."""
        if metric == QStyle.PixelMetric.PM_TabBarTabHSpace:
            return SPACE
        return super().pixelMetric(metric, option, widget)
