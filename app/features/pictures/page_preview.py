"""The preview of the dialog for pictures: the map, or the pages with the map on them.

``PictureDialog`` gives it the image of the map, and for a print the *plan* that tells how the map
lies on sheets of paper. The preview shows these next to each other as a poster is put together, so
that each covers the overlap of the one before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QWidget

from app.appearance.painting import painting, saved_state
from app.paper.overview_page import paint_tiling
from app.paper.page_marks import paint_frame
from app.paper.page_text import paint_titles
from app.qt_guard import guarded

if TYPE_CHECKING:
    from app.paper.page_plan import PagePlan


MARGIN = 8.0
"""The space around the pages, in logical pixels."""


MIN_SIZE = QSize(260, 320)
"""The least size of the preview, in logical pixels."""

USUAL_SIZE = QSize(340, 440)
"""The size of the preview that has room for an upright sheet, in logical pixels."""


class PagePreview(QWidget):
    """Shows the map alone, or the sheets of paper and the map on them."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Preview of the pages")
        self.setMinimumSize(MIN_SIZE)
        self._plan: PagePlan | None = None
        """The plan by which the map lies on its pages; None if it is shown without paper."""
        self.image = QImage()
        """The picture of the map; it is scaled to the size of the preview."""

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        """Return a size with room for an upright sheet."""
        return USUAL_SIZE

    def show_plan(self, plan: PagePlan | None) -> None:
        """Show the map on the pages of a plan; None shows it without paper."""
        self._plan = plan
        self.update()

    def show_image(self, image: QImage) -> None:
        """Show another image of the map."""
        self.image = image
        self.update()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the map, with its sheets of paper if it has a plan."""
        with painting(self) as painter:
            painter.setRenderHints(
                QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform
            )
            area = QRectF(self.rect()).adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
            with saved_state(painter):
                if self._plan is None:
                    self._paint_map_alone(painter, area)
                else:
                    self._paint_pages(painter, area, self._plan)
            if self.image.isNull():
                self._paint_waiting(painter, area)

    def _paint_waiting(self, painter: QPainter, area: QRectF) -> None:
        """Write that the map is being drawn, which takes some seconds for a large one."""
        if self._plan is None:
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
        else:
            painter.setPen(QColor(Qt.GlobalColor.darkGray))  # on white sheets
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, "Drawing the map ...")

    def _paint_map_alone(self, painter: QPainter, area: QRectF) -> None:
        """Draw the map in the middle of an area, as large as it allows."""
        image_size = self.image.size().toSizeF()
        size = image_size.scaled(area.size(), Qt.AspectRatioMode.KeepAspectRatio)
        box = QRectF(area.topLeft(), size)
        box.moveCenter(area.center())
        painter.drawImage(box, self.image)

    def _paint_pages(self, painter: QPainter, area: QRectF, plan: PagePlan) -> None:
        """Draw the sheets of a plan and the map on them, in the middle of an area."""
        step_x, step_y = plan.stride
        width_mm = step_x * (plan.columns - 1) + plan.sheet.width
        height_mm = step_y * (plan.rows - 1) + plan.sheet.height
        scale = min(area.width() / width_mm, area.height() / height_mm)  # pixels a millimetre
        painter.translate(area.center() - QPointF(width_mm * scale / 2, height_mm * scale / 2))
        self._paint_sheets(painter, plan, scale)

        # From here on the origin is where the map begins on the first page.
        pages = plan.pages()
        left_mm, top_mm = plan.origin(pages[0])
        painter.translate(left_mm * scale, top_mm * scale)
        painter.drawImage(QRectF(0, 0, plan.width * scale, plan.height * scale), self.image)
        if len(pages) > 1:
            paint_tiling(painter, plan, scale, QColor(Qt.GlobalColor.black))
            return
        # On a single page the map has a frame, and titles above it. From here on the unit is the
        # millimetre.
        painter.scale(scale, scale)
        paint_frame(painter, plan, QRectF(0, 0, plan.width, plan.height))
        # For the titles the origin is the corner of the sheet, on which the map begins at top_mm.
        painter.translate(-left_mm, -top_mm)
        paint_titles(painter, plan, map_top=top_mm)

    def _paint_sheets(self, painter: QPainter, plan: PagePlan, scale: float) -> None:
        """Draw the sheets of paper, row by row from the upper left.

        ``scale`` is in logical pixels a millimetre. Each covers the overlap of the sheet before it.
        """
        step_x, step_y = plan.stride
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Mid), 0))
        painter.setBrush(Qt.GlobalColor.white)
        width = plan.sheet.width * scale
        height = plan.sheet.height * scale
        for row in range(plan.rows):
            for column in range(plan.columns):
                left = column * step_x * scale
                top = row * step_y * scale
                painter.drawRect(QRectF(left, top, width, height))
