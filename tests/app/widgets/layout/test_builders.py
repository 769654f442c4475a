"""Builders of described widgets and layouts."""

from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from app.widgets.layout.builders import STRETCH, described, lay_out, tool_button


def test_parts_keep_their_order_and_stretch(qtbot):
    page = QWidget()
    first = QLabel()
    last = QLabel()
    qtbot.addWidget(page)
    row = lay_out(QHBoxLayout(), (last, 3), margins=(1, 2, 3, 4), spacing=5)
    column = lay_out(QVBoxLayout(page), first, STRETCH, (row, 2), margins=0)
    items = [column.itemAt(place) for place in range(column.count())]
    assert [item.widget() or item.layout() for item in items] == [first, None, row]
    assert [column.stretch(place) for place in range(3)] == [0, 1, 2]
    assert (row.stretch(0), row.spacing()) == (3, 5)
    margins = row.contentsMargins()
    assert (margins.left(), margins.top(), margins.right(), margins.bottom()) == (1, 2, 3, 4)
    assert column.contentsMargins().isNull()


def test_a_widget_is_described_for_eyes_and_ears(qtbot):
    field = described(QLineEdit(), "Title", "What it is called")
    button = tool_button("Go", "There")
    qtbot.addWidget(field)
    qtbot.addWidget(button)
    assert (field.accessibleName(), field.toolTip()) == ("Title", "What it is called")
    assert (button.text(), button.accessibleName(), button.toolTip()) == ("Go", "", "There")
