"""Printing the map on one page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMarginsF, QRectF, QSizeF
from PySide6.QtGui import QFont, QPageLayout, QPainter
from PySide6.QtWidgets import QDialog, QWidget

from app.document import MapDocument
from app.drawing.renderer import MARGIN, Renderer
from app.drawing.theme import theme
from app.drawing.view import fitting

if TYPE_CHECKING:
    from PySide6.QtGui import QPagedPaintDevice

DOTS_PER_UNIT = 300.0
"""Sprites are drawn at no more than this many pixels a hex radius: finer is not seen on paper."""


def print_document(document: MapDocument, like: Renderer, parent: QWidget) -> None:
    """Ask for a printer, then print the map with the pictures and overlays of ``like``."""
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter

    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(document.display_name)
    dialog = QPrintDialog(printer, parent)
    dialog.accepted.connect(lambda: print_on(printer, document, like))
    QDialog.open(dialog)  # QPrintDialog.open wants a receiver and hides this one


def print_on(device: QPagedPaintDevice, document: MapDocument, like: Renderer) -> None:
    """Draw the map on one page of ``device``, title above it, as large as the page allows."""
    renderer = Renderer(theme("light"), like.pictures)
    renderer.overlays = like.overlays
    device.setPageMargins(QMarginsF(12, 12, 12, 12), QPageLayout.Unit.Millimeter)
    painter = QPainter(device)
    page = QRectF(painter.viewport())
    composite = document.composite
    heading = " - ".join(text for text in (composite.title, composite.subtitle) if text)
    line = page.height() / 30
    font = QFont()
    font.setPixelSize(max(1, round(line * 0.6)))
    painter.setFont(font)
    painter.drawText(QRectF(0, 0, page.width(), line), heading or document.display_name)
    # Draw in a smaller coordinate system, so that sprites keep a sensible size in memory.
    room = QSizeF(page.width(), page.height() - line)
    whole = fitting(document.battlemap.grid, room, MARGIN)
    shrink = max(1.0, whole.scale / DOTS_PER_UNIT)
    painter.translate(0, line)
    painter.scale(shrink, shrink)
    area = QRectF(0, 0, room.width() / shrink, room.height() / shrink)
    view = fitting(document.battlemap.grid, area.size(), MARGIN)
    renderer.paper = True
    renderer.paint(painter, document.battlemap, composite, view, area, 1.0)
    painter.end()
