"""Seed, map number and the buttons that roll: the lower end of the Randomize panel."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.rolling.rolling import Rolling
from app.widgets.number_field import NumberField
from randomizer.generator import tried_by
from randomizer.model.dice import NUMBER_LIMIT, SEED_LIMIT
from randomizer.model.plurals import counted

BUSY_AFTER_MS = 120
"""A roll that takes longer shows its progress; most are over before."""


class RollBar(QWidget):
    """Shows what ``rolling`` says, and passes on what is typed. ``busy_shown(bool)``: the buttons
    made way for the progress of a long roll, or came back. ``counts_maps`` says that the script
    shown tries map after map for one that keeps the locks."""

    busy_shown = Signal(bool)

    def __init__(
        self,
        rolling: Rolling,
        actions: tuple[QAction, QAction, QAction, QAction],
        parent: QWidget | None = None,
    ) -> None:
        """``actions`` are Roll, step back, Re-roll, step forward."""
        super().__init__(parent)
        self._rolling = rolling
        self.counts_maps = False
        self.seed = NumberField(SEED_LIMIT)
        self.seed.setAccessibleName("Seed")
        self.seed.setToolTip(
            "With the same script or choices, a seed and a map number always give the same map "
            f"(0 to {SEED_LIMIT - 1})"
        )
        self.number = NumberField(NUMBER_LIMIT)
        self.number.setAccessibleName("Map number")
        roll, _back, again, _forth = (action.text().replace("&", "") for action in actions)
        self.number.setToolTip(f"Which map of this seed; {again} takes the next one")
        self.new_seed = QCheckBox(f"New seed for each {roll.lower()}")
        self.new_seed.setChecked(True)
        self.new_seed.setToolTip(
            f"{roll} lets chance choose the seed; {again} keeps it and takes its next map"
        )
        self.seed.typed.connect(self._type_seed)
        self.number.typed.connect(self._type_number)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(self._fields())
        column.addWidget(self.new_seed)
        self._pages = QStackedWidget()
        self._pages.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._pages.addWidget(self._buttons(actions))
        self._pages.addWidget(self._progress())
        column.addWidget(self._pages)
        self._focus: QWidget | None = None
        self._busy_timer = QTimer(self, singleShot=True, interval=BUSY_AFTER_MS)
        self._busy_timer.timeout.connect(self._show_progress)
        rolling.state_changed.connect(self._show_state)
        rolling.busy_changed.connect(self._busy)
        rolling.progressed.connect(self._show_percent)
        self._show_state()

    def _fields(self) -> QHBoxLayout:
        line = QHBoxLayout()
        for title, field, share in (("&Seed", self.seed, 3), ("&Map no.", self.number, 2)):
            label = QLabel(title)
            label.setBuddy(field)
            field.setMinimumWidth(field.fontMetrics().horizontalAdvance("00000") + 12)
            line.addWidget(label)
            line.addWidget(field, share)
        return line

    def _buttons(self, actions: tuple[QAction, ...]) -> QWidget:
        page = QWidget()
        line = QHBoxLayout(page)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        for action, wide in zip(actions, (True, False, True, False), strict=True):
            button = QToolButton()
            button.setDefaultAction(action)
            if wide:
                button.setToolButtonStyle(button.toolButtonStyle().ToolButtonTextBesideIcon)
                button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.setAccessibleName(action.text().replace("&", ""))
            line.addWidget(button, 1 if wide else 0)
        return page

    def _progress(self) -> QWidget:
        page = QWidget()
        self.progress = QProgressBar()
        self.progress.setRange(0, 100)
        self.progress.setAccessibleName("Progress of the roll")
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.setShortcut("Esc")
        self.cancel_button.setToolTip("Stop rolling; the map stays as it is (Esc)")
        self.cancel_button.clicked.connect(self._rolling.cancel)
        line = QHBoxLayout(page)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.progress, 1)
        line.addWidget(self.cancel_button)
        return page

    # --- what is typed ----------------------------------------------------------------------

    def _type_seed(self, seed: int) -> None:
        self.new_seed.setChecked(False)
        self._rolling.type_seed(seed)

    def _type_number(self, number: int) -> None:
        self.new_seed.setChecked(False)
        self._rolling.type_number(number)

    # --- what is shown ----------------------------------------------------------------------

    def _show_state(self) -> None:
        self.seed.show_value(self._rolling.state.seed)
        self.number.show_value(self._rolling.state.number)

    def _show_percent(self, percent: int) -> None:
        self.progress.setValue(percent)
        counts = self.counts_maps and self._rolling.busy_with_locks
        tried = f"{counted(tried_by(percent), 'map')} tried"
        self.progress.setFormat(tried if counts else "%p%")

    def _busy(self, busy: bool) -> None:
        if busy:
            self._busy_timer.start()
            return
        self._busy_timer.stop()
        if self._pages.currentIndex() == 1:
            self._pages.setCurrentIndex(0)
            self.busy_shown.emit(False)
            if self._focus is not None:
                self._focus.setFocus()

    def _show_progress(self) -> None:
        focus = QApplication.focusWidget()
        self._focus = focus if focus is not None and self._pages.isAncestorOf(focus) else None
        self._show_percent(0)
        self._pages.setCurrentIndex(1)
        if self._focus is not None:
            self.cancel_button.setFocus()
        self.busy_shown.emit(True)

    @property
    def progress_shown(self) -> bool:
        """Whether a roll is taking so long that its progress is shown."""
        return self._pages.currentIndex() == 1
