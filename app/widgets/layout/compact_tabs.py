"""Tabs for small windows, which take little room: the main window has them for its panels."""

from __future__ import annotations

from PySide6.QtWidgets import QProxyStyle, QStyle, QStyleOption, QWidget

from app.qt_guard import guarded

TAB_SPACE = 10
"""The room in a tab beside its name, in logical pixels; Qt's styles have twice as much."""


class CompactTabs(QProxyStyle):
    """The style of the program with less room in tabs, so that more names fit into a side panel."""

    @guarded(default=0)
    def pixelMetric(
        self,
        metric: QStyle.PixelMetric,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
    ) -> int:
        """Return the room in tabs; for all else what the style says."""
        if metric == QStyle.PixelMetric.PM_TabBarTabHSpace:
            return TAB_SPACE
        return super().pixelMetric(metric, option, widget)
