"""The desk's icons, drawn in the palette's text colour.

Most callers want ``icon``, for an action or a button; ``icon_pixmap`` is for those that paint.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QColor, QIcon, QImage, QPalette, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from app.appearance.painting import painting
from randomizer.model.basics.caches import KB, registered

INK = "#404040"
"""The colour in the SVG files that stands for the palette's text colour."""

SIZE = 24
"""Icons are drawn for this many logical pixels, at device pixel ratios 1 and 2."""


@registered(count=80, bytes_each=2 * KB)
@cache
def _source(name: str) -> str:
    """Return the text of the SVG file of an icon."""
    return files("app.resources").joinpath("icons", f"{name}.svg").read_text("utf-8")


def icon_svg(name: str, colour: QColor) -> QByteArray:
    """Return the SVG of an icon in one colour. Raises FileNotFoundError for a name without one."""
    return QByteArray(_source(name).replace(INK, colour.name()).encode())


def icon_pixmap(name: str, size: int, ratio: float, colour: QColor) -> QPixmap:
    """Return an icon of ``size`` logical pixels in one colour, for a device pixel ratio.

    It is drawn once, as long as Qt's cache of pixmaps has room. Raises FileNotFoundError for a name
    without a picture.
    """
    key = f"icon {name} {size} {ratio:g} {colour.name()}"
    cached = QPixmap()
    if QPixmapCache.find(key, cached):
        return cached
    pixels = round(size * ratio)
    image = QImage(pixels, pixels, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with painting(image) as painter:
        renderer = QSvgRenderer(icon_svg(name, colour))
        renderer.render(painter)
    pixmap = QPixmap.fromImage(image)
    pixmap.setDevicePixelRatio(ratio)
    QPixmapCache.insert(key, pixmap)
    return pixmap


def icon(name: str) -> QIcon:
    """Return the icon ``name`` of ``resources/icons`` in the present palette's text colour."""
    colour = QApplication.palette().color(QPalette.ColorRole.WindowText)
    result = QIcon()
    for ratio in (1.0, 2.0):
        result.addPixmap(icon_pixmap(name, SIZE, ratio, colour))
    return result
