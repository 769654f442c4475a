"""What a hand decides about one line of the dice log: its dice, counts, widths and places."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile

from PySide6.QtCore import QRegularExpression, Qt, Signal
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.qt_guard import connect, guarded
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.builders import (
    STRETCH,
    described,
    lay_out,
    plain_label,
    plain_text,
    tool_button,
)
from randomizer.systems.cordery.dice.throws import SIDES, Decision
from randomizer.systems.cordery.dice_log import LogEntry

AREA = QRegularExpression("[0-9]{0,4}")
BY_DICE = "by the dice"
"""What a row says that is not decided."""


class FixForm(QWidget):
    """Hidden until ``show_line``. ``decided(dict)``: what is to be fixed, "" for what is free
    again. ``pick_wanted()``: an area is to be shown on the map; ``put_area`` takes it."""

    decided = Signal(object)
    pick_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, QWidget] = {}
        self._values: dict[str, Callable[[], str]] = {}
        self._before: dict[str, str] = {}
        self._about = ""
        self._title = plain_label()
        font = self._title.font()
        font.setBold(True)
        self._title.setFont(font)
        self._place: QLineEdit | None = None
        self.pick_button: QToolButton | None = None
        self._rows = QFormLayout()
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setVerticalSpacing(3)
        self._rows.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self.lay_button = QPushButton("Lay it so")
        self.lay_button.setToolTip("Decide this, and lay the table again with the same dice")
        connect(self.lay_button.clicked, self._decide)
        close = QPushButton("Close")
        connect(close.clicked, self.hide)
        buttons = lay_out(QHBoxLayout(), STRETCH, self.lay_button, close)
        lay_out(QVBoxLayout(self), self._title, self._rows, buttons, margins=0, spacing=3)
        self.hide()

    def show_line(self, entry: LogEntry, fixed: Mapping[str, str]) -> None:
        """Ask about the dice and decisions of a line; hidden where there are none."""
        while self._rows.rowCount():
            self._rows.removeRow(0)
        self.fields.clear()
        self._values.clear()
        self._place = self.pick_button = None
        names = [decision.name for decision in entry.line.decisions] + [
            name for name, _ in entry.scores
        ]
        self._about = common_start(names)
        self._title.setText(self._about[:1].upper() + self._about[1:])
        for decision in entry.line.decisions:
            field = self._decision(decision, fixed.get(decision.name, ""))
            self._add(decision.name, self._label(decision.name, _noun(decision)), field)
        for name, scores in entry.scores:
            field = self._dice(scores, fixed.get(name, ""))
            self._add(name, self._label(name, "Die" if len(scores) == 1 else "Dice"), field)
        self._before = {name: value() for name, value in self._values.items()}
        self.setVisible(bool(self.fields))

    def _label(self, name: str, noun: str) -> str:
        """Return the label of a row: what its name has beside what the line is about, or a noun."""
        return name.removeprefix(self._about).strip().capitalize() or noun

    def _add(self, name: str, label: str, field: tuple[QWidget, Callable[[], str]]) -> None:
        widget, read_value = field
        self._values[name] = read_value
        self.fields[name] = widget
        widget.setAccessibleName(name)
        self._rows.addRow(label, widget)

    def _decision(self, decision: Decision, now: str) -> tuple[QWidget, Callable[[], str]]:
        if decision.words:
            box = pass_wheel_on(QComboBox())
            box.addItems([BY_DICE, *decision.words])
            box.setCurrentText(now or BY_DICE)
            return box, lambda: box.currentText() if box.currentIndex() > 0 else ""
        if decision.most:
            spin = _spin(decision.least, decision.most, int(now) if now.isdigit() else None)
            return spin, lambda: _spin_text(spin)
        line = described(QLineEdit(now), tip="An area by its name, column and row: 0304")
        line.setPlaceholderText(BY_DICE)
        line.setValidator(QRegularExpressionValidator(AREA, line))
        pick = tool_button("On the map", "Click the area on the map (Esc: leave it)")
        pick.setCheckable(True)
        connect(pick.clicked, lambda _checked: self.pick_wanted.emit())
        self._place = line
        self.pick_button = pick
        both = QWidget()
        lay_out(QHBoxLayout(both), (line, 1), pick, margins=0)
        return both, lambda: line.text().strip()

    def _dice(self, scores: tuple[int, ...], now: str) -> tuple[QWidget, Callable[[], str]]:
        spins = []
        both = QWidget()
        row = QHBoxLayout(both)
        row.setContentsMargins(0, 0, 0, 0)
        for score in scores:
            spin = _spin(1, SIDES, score if now else None)
            spin.setSpecialValueText(f"({score})")
            spin.setToolTip(plain_text(f"The die shows {score}; choose a score to fix it"))
            spins.append(spin)
            row.addWidget(spin)
        row.addStretch(1)

        def value() -> str:
            if all(spin.value() < 1 for spin in spins):
                return ""
            chosen = (spin.value() or score for spin, score in zip(spins, scores, strict=True))
            return "+".join(map(str, chosen))

        return both, value

    def put_area(self, name: str) -> None:
        """Take the area that was shown on the map; "" if none was."""
        if self._place is not None and name:
            self._place.setText(name)
        if self.pick_button is not None:
            self.pick_button.setChecked(False)

    def values(self) -> dict[str, str]:
        """Return what the rows say that say something else than at first."""
        now = {name: value() for name, value in self._values.items()}
        return {name: value for name, value in now.items() if value != self._before[name]}

    def _decide(self) -> None:
        self.decided.emit(self.values())

    @guarded
    def keyPressEvent(self, event):  # type: ignore[no-untyped-def]
        """Enter decides, Escape leaves everything as it is."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._decide()
        elif event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)


def _noun(decision: Decision) -> str:
    """Return what is decided, where the name of the decision is what the whole line is about."""
    if decision.is_area:
        return "Area"
    if decision.most:
        return "Number"
    return decision.name.rstrip("0123456789 ").split()[-1].capitalize()


def common_start(names: Sequence[str]) -> str:
    """Return the words that all names begin with: what they are about."""
    words_of_all = zip(*(name.split() for name in names), strict=False)
    return " ".join(
        words[0] for words in takewhile(lambda words: len(set(words)) == 1, words_of_all)
    )


def _spin(least: int, most: int, now: int | None) -> QSpinBox:
    """Return a number; one below the least stands for the dice."""
    spin = pass_wheel_on(QSpinBox())
    spin.setRange(least - 1, most)
    spin.setSpecialValueText(BY_DICE)
    spin.setValue(least - 1 if now is None else now)
    return spin


def _spin_text(spin: QSpinBox) -> str:
    if spin.value() > spin.minimum():
        return str(spin.value())
    return ""
