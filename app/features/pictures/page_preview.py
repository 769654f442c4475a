"""A small picture of the pages and how the map lies on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QWidget

from app.appearance.painting import painting
from app.paper.page_painter import paint_frame, paint_tiling, paint_titles
from app.qt_guard import guarded

if TYPE_CHECKING:
    from app.paper.page_plan import PagePlan


class PagePreview(QWidget):
    """Shows the sheets of paper and the map on them."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Preview of the pages")
        self.setMinimumSize(260, 320)
        self._plan: PagePlan | None = None
        self.image = QImage()
        """The map, as large as the picture allows."""

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        """Room for an upright sheet."""
        return QSize(340, 440)

    def show_plan(self, plan: PagePlan | None) -> None:
        """Show the map on the pages of ``plan``; None: without paper."""
        self._plan = plan
        self.update()

    def show_image(self, image: QImage) -> None:
        """Show another image of the map."""
        self.image = image
        self.update()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw sheets, map and page names."""
        with painting(self) as painter:
            painter.setRenderHints(
                QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform
            )
            area = QRectF(self.rect()).adjusted(8, 8, -8, -8)
            plan = self._plan
            if plan is None:
                size = (
                    self.image.size()
                    .toSizeF()
                    .scaled(area.size(), Qt.AspectRatioMode.KeepAspectRatio)
                )
                box = QRectF(area.topLeft(), size)
                box.moveCenter(area.center())
                painter.drawImage(box, self.image)
                return
            (step_x, step_y) = plan.steps
            sheet = plan.sheet
            width = step_x * (plan.columns - 1) + sheet.width
            height = step_y * (plan.rows - 1) + sheet.height
            shrink = min(area.width() / width, area.height() / height)
            painter.translate(area.center() - QPointF(width * shrink / 2, height * shrink / 2))
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Mid), 0))
            painter.setBrush(QColor(255, 255, 255))
            for row in range(plan.rows):
                for column in range(plan.columns):
                    painter.drawRect(
                        QRectF(
                            column * step_x * shrink,
                            row * step_y * shrink,
                            sheet.width * shrink,
                            sheet.height * shrink,
                        )
                    )
            pages = plan.pages()
            left, top = plan.origin(pages[0])
            painter.translate(left * shrink, top * shrink)
            picture = QRectF(0, 0, plan.width * shrink, plan.height * shrink)
            painter.drawImage(picture, self.image)
            if len(pages) > 1:
                paint_tiling(painter, plan, shrink, QColor(0, 0, 0))
            else:
                painter.scale(shrink, shrink)
                paint_frame(painter, plan, QRectF(0, 0, plan.width, plan.height))
                painter.translate(-left, -top)
                paint_titles(painter, plan, top)
