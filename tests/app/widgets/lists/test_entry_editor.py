"""The editor of entries: what keys and clicks do, what is chosen, and what does not fit."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabWidget

from app.widgets.lists.entry_editor import EntryEditor
from app.widgets.lists.entry_model import Entry, EntryModel
from app.widgets.lists.entry_operations import Operation, adding, removing
from randomizer.model.settings.setting import Setting

FIELDS = (Setting("name", str, "", "", title="Name"), Setting("size", int, "", 0, title="Size"))


class Heap(QObject):
    """What is edited: names with sizes."""

    changed = Signal(object)
    replaced = Signal()

    def __init__(self, *names: str) -> None:
        super().__init__()
        self.rows = [{"name": name, "size": 0} for name in names]
        self.is_there = True


class HeapEditor(EntryEditor):
    def __init__(self, heap: Heap, *, wraps: bool = False) -> None:
        super().__init__("Heap", empty="Nothing yet", wraps=wraps)
        self.heap = heap
        self.offer(
            adding("Add one", self.add, self.why_not_add),
            removing("Remove it", self.remove),
            Operation(
                "Grow", "Make it larger", self.grow, lambda code: "No" if code else "", of_form=True
            ),
        )
        self.follow(heap.changed, heap.replaced, lambda what: what == "heap")
        self.refresh()

    def is_offered(self):
        return self.heap.is_there

    def entries(self):
        for code, row in enumerate(self.heap.rows):
            yield Entry(code, (row["name"],), "#ff0000")

    def settings_of(self, code):
        return FIELDS, self.heap.rows[code]

    def change(self, code, name, value):
        if value == "*":
            return False
        self.heap.rows[code] = {**self.heap.rows[code], name: value}
        self.heap.changed.emit("heap")
        return True

    def why_not_add(self):
        return "Three are enough." if len(self.heap.rows) == 3 else ""

    def add(self):
        self.heap.rows.append({"name": "new", "size": 0})
        self.heap.changed.emit("heap")

    def remove(self, code):
        del self.heap.rows[code]
        self.heap.changed.emit("heap")

    def grow(self, code):
        self.change(code, "size", self.heap.rows[code]["size"] + 1)


@pytest.fixture
def make_editor(qtbot):
    """Makes an editor of entries with these names, with the keyboard in its list."""

    def make(*names: str, **options) -> HeapEditor:
        editor = HeapEditor(Heap(*names), **options)
        qtbot.addWidget(editor)
        editor.resize(240, 400)
        editor.show()
        editor.activateWindow()
        qtbot.waitUntil(editor.isActiveWindow)
        editor.list.setFocus()
        return editor

    return make


def names(editor) -> list[str]:
    return [entry.name for entry in editor.model.entries]


def press(editor, key, text: str = "") -> None:
    QTest.keyClick(editor.list, key) if not text else QTest.keyClicks(editor.list, text)


def test_keys_add_name_and_remove(make_editor):
    editor = make_editor("ant", "bee")
    press(editor, Qt.Key.Key_Insert)
    field = QApplication.focusWidget()
    assert field is editor.form.field("name")
    QTest.keyClicks(field, "cow")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert names(editor) == ["ant", "bee", "cow"]
    assert editor.code == 2
    editor.list.setFocus()
    press(editor, Qt.Key.Key_Up)
    press(editor, Qt.Key.Key_Delete)
    assert names(editor) == ["ant", "cow"]
    assert editor.code == 1, "the one in its place is chosen"
    assert QApplication.focusWidget() is editor.list


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_F2])
def test_enter_leads_from_the_list_into_the_form(make_editor, key):
    editor = make_editor("ant", "bee")
    press(editor, key)
    assert QApplication.focusWidget() is editor.form.field("name")
    assert editor.form.field("name").selectedText() == "ant"


@pytest.mark.parametrize(
    ("key", "modifiers", "text", "is_claimed"),
    [
        (Qt.Key.Key_B, Qt.KeyboardModifier.NoModifier, "b", True),
        (Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier, "b", False),
        (Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier, "", True),
        (Qt.Key.Key_Insert, Qt.KeyboardModifier.NoModifier, "", True),
        (Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier, "", False),
    ],
)
def test_keys_of_the_list_are_no_shortcuts_of_the_desk(
    make_editor, key, modifiers, text, is_claimed
):
    editor = make_editor("ant", "bee")
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifiers, text)
    event.ignore()
    QApplication.sendEvent(editor.list, event)
    assert event.isAccepted() is is_claimed


def test_letters_seek_a_name(make_editor):
    editor = make_editor("ant", "bee", "cow")
    press(editor, None, "c")
    assert editor.code == 2


def test_what_cannot_be_done_says_why_and_does_nothing(make_editor):
    editor = make_editor("ant", "bee", "cow")
    button = editor.buttons["Add"]
    assert not button.isEnabled()
    assert button.toolTip() == "Three are enough."
    press(editor, Qt.Key.Key_Insert)
    assert len(names(editor)) == 3
    editor.buttons["Remove"].click()
    assert button.isEnabled()
    assert button.toolTip() == "Add one"


def test_an_operation_of_the_form_is_there_where_it_can_be_done(make_editor):
    editor = make_editor("ant", "bee")
    assert editor.buttons["Grow"].isVisible()
    editor.buttons["Grow"].click()
    assert editor.form.values()["size"] == 1
    editor.choose(1)
    assert not editor.buttons["Grow"].isVisible()


def test_a_value_that_is_refused_is_not_shown(make_editor):
    editor = make_editor("ant")
    field = editor.form.field("name")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "*")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert field.text() == "ant"


def test_an_entry_that_comes_back_is_chosen(make_editor, qtbot):
    editor = make_editor("ant", "bee", "cow")
    editor.choose(0)
    gone = editor.heap.rows.pop(1)
    editor.heap.changed.emit("heap")
    qtbot.waitUntil(lambda: editor.is_up_to_date)
    assert editor.code == 0
    editor.heap.rows.insert(1, gone)
    editor.heap.changed.emit("heap")
    qtbot.waitUntil(lambda: editor.is_up_to_date)
    assert editor.code == 1


def test_the_last_one_goes_with_its_form_and_the_list_says_so(make_editor):
    editor = make_editor("ant")
    field = editor.form.field("name")
    field.setFocus()
    editor.heap.rows.clear()
    editor.refresh()
    assert editor.code is None
    assert not field.isVisible()
    assert QApplication.focusWidget() is editor.list
    assert editor.list.accessibleDescription() == "Nothing yet"
    press(editor, Qt.Key.Key_Delete)
    press(editor, Qt.Key.Key_Return)
    assert names(editor) == []


def test_a_click_on_a_row_that_has_gone_meanwhile_does_no_harm(make_editor, qtbot):
    editor = make_editor("ant", "bee")
    del editor.heap.rows[1]
    editor.heap.changed.emit("heap")
    at = editor.list.visualRect(editor.model.index(1, 0)).center()
    QTest.mouseClick(editor.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
    press(editor, Qt.Key.Key_Delete)
    assert names(editor) == []


def test_other_entries_leave_the_choice_where_it_is_if_they_have_it(make_editor):
    editor = make_editor("ant", "bee", "cow")
    editor.choose(1)
    editor.heap.rows = [{"name": name, "size": 0} for name in "uvwxyz"]
    editor.heap.replaced.emit()
    assert names(editor) == list("uvwxyz")
    assert editor.code == 1


def test_what_is_typed_for_entries_that_have_gone_changes_no_others(make_editor):
    editor = make_editor("ant", "bee")
    field = editor.form.field("name")
    field.setText("cow")
    editor.heap.is_there = False
    editor.heap.replaced.emit()
    field.editingFinished.emit()
    assert [row["name"] for row in editor.heap.rows] == ["ant", "bee"]


def test_no_operation_is_done_with_an_entry_that_has_gone(make_editor):
    editor = make_editor("ant", "bee")
    editor.heap.is_there = False
    editor.heap.replaced.emit()
    press(editor, Qt.Key.Key_Delete)
    editor.buttons["Remove"].click()
    assert editor.heap.rows == [{"name": "ant", "size": 0}, {"name": "bee", "size": 0}]


def test_the_rows_painted_last_get_their_pictures_first(qtbot):
    owner = QObject()
    drawn: list[int] = []

    def draw(code: int) -> QPixmap:
        drawn.append(code)
        return QPixmap(4, 4)

    model = EntryModel((), draw, owner)
    model.show_entries([Entry(code, ("",), picture_key=code) for code in range(3)], "")
    for row in (0, 1, 2, 0):  # row 0 was scrolled out of view, and is in view again
        model.data(model.index(row, 0), Qt.ItemDataRole.DecorationRole)
    qtbot.waitUntil(lambda: len(drawn) == 3)
    assert drawn == [0, 2, 1]


def test_a_long_list_is_searched_and_what_is_added_is_seen(make_editor):
    editor = make_editor(*(f"bug {number}" for number in range(12)))
    assert not editor.search.isVisible()
    editor.buttons["Add"].click()
    assert editor.search.isVisible()
    editor.search.setText("UG 1")
    assert names(editor) == ["bug 1", "bug 10", "bug 11"]
    assert editor.code == 1
    editor.buttons["Add"].click()
    assert editor.search.text() == ""
    assert editor.code == 13
    editor.search.setText("bug 1")
    editor.choose(3)
    assert editor.model.entries[editor.code].name == "bug 3"


def test_names_of_several_lines_are_seen_whole(make_editor):
    editor = make_editor("one " * 40, "two", wraps=True)
    rows = [editor.list.visualRect(editor.model.index(row, 0)).height() for row in range(2)]
    assert rows[0] > 3 * rows[1]
    editor.resize(480, 400)
    narrower = editor.list.visualRect(editor.model.index(0, 0)).height()
    assert narrower < rows[0]


def test_list_and_form_are_both_there_in_little_height(make_editor):
    editor = make_editor(*(f"bug {number}" for number in range(40)))
    editor.resize(240, 200)
    assert editor.list.height() >= 2 * editor.list.sizeHintForRow(0)
    assert editor.form.field("name").visibleRegion().boundingRect().height() > 0
    assert (
        editor.buttons["Remove"].visibleRegion().boundingRect() == editor.buttons["Remove"].rect()
    )


def test_the_keyboard_goes_to_the_list_of_the_tab_that_is_chosen(qtbot):
    tabs = QTabWidget()
    qtbot.addWidget(tabs)
    editors = [HeapEditor(Heap(*(f"bug {number}" for number in range(20)))) for _tab in range(2)]
    for editor in editors:
        tabs.addTab(editor, "Heap")
    tabs.show()
    tabs.activateWindow()
    qtbot.waitUntil(tabs.isActiveWindow)
    editors[0].form.field("name").setFocus()
    tabs.setCurrentIndex(1)
    assert QApplication.focusWidget() is editors[1].list
