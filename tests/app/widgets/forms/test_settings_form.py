"""A form made from descriptions: what it shows, what it gives, what it reports."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QSpinBox,
    QToolButton,
    QToolTip,
)

from app.widgets.forms.folded_form import FoldedForm
from app.widgets.forms.settings_form import SettingsForm
from randomizer.model.settings.setting import Setting

COVER = (("bare", "Bare rock"), ("grass", "Grass"))

SETTINGS = (
    Setting("seen", str, "Who sees it.", "all", title="&Seen by"),
    Setting("trees", bool, "Whether there are trees.", True, title="Trees", group="Trees"),
    Setting("kind", str, "Which trees.", "oak", (("oak", "Oaks"), ("fir", "Firs")), title="Kind",
            group="Trees"),
    Setting("old", bool, "Whether they are old.", False, title="Old ones", group="Trees"),
    Setting("hills", int, "How many.", 0, minimum=0, maximum=4, title="Hills", group="Ground",
            zero="none"),
    Setting("slope", float, "How steep.", 0.5, minimum=0, maximum=1, title="Slope", group="Ground"),
)  # fmt: skip

OPTIONAL = (
    Setting("cover", str, "What grows.", None, COVER, title="Cover", unset="as it is"),
    Setting("low", int, "The least height.", minimum=-2, maximum=5, title="Low", unset="as it is"),
    Setting("round", bool, "Whether it is round.", title="Round", unset="as it is"),
    Setting("name", str, "What it is called.", title="Name", unset="as it is"),
)

OTHERS = {"seen": "me", "trees": False, "kind": "fir", "old": True, "hills": 3, "slope": 0.25}
CHOSEN = {"cover": "grass", "low": -2, "round": False, "name": "Hollow"}


@pytest.fixture
def form(qtbot) -> SettingsForm:
    form = SettingsForm(":")
    qtbot.addWidget(form)
    form.set_settings(SETTINGS, {})
    form.reports = []
    form.changed.connect(form.reports.append)
    form.show()
    return form


def test_every_kind_of_setting_has_its_field_with_its_name_and_its_help(form):
    kinds = [type(form.field(setting.name)) for setting in SETTINGS]
    assert kinds == [QLineEdit, QCheckBox, QComboBox, QCheckBox, QSpinBox, QDoubleSpinBox]
    for setting in SETTINGS:
        assert form.field(setting.name).toolTip() == setting.help
        assert form.field(setting.name).accessibleName() == setting.title.replace("&", "")
    labels = {label.text(): label.buddy() for label in form.findChildren(QLabel)}
    assert labels["&Seen by:"] is form.field("seen")
    assert labels["Kind:"] is form.field("kind")


def test_defaults_are_shown_where_nothing_else_is_said_and_showing_is_no_change(form):
    defaults = {setting.name: setting.default for setting in SETTINGS}
    assert form.values() == defaults
    form.show_values(OTHERS)
    assert form.values() == OTHERS
    form.show_values({})
    assert form.values() == defaults
    assert form.reports == []


def test_what_a_person_changes_is_reported_by_its_name(form):
    form.field("seen").setText("you")
    form.field("trees").click()
    form.field("kind").setCurrentIndex(form.field("kind").findData("fir"))
    form.field("old").click()
    form.field("hills").setValue(3)
    form.field("slope").setValue(0.25)
    assert form.reports == list(OTHERS)
    assert form.values() == {**OTHERS, "seen": "you"}


def test_numbers_keep_to_their_range_and_zero_has_its_word(form):
    hills = form.field("hills")
    assert hills.text() == "none"
    hills.setValue(9)
    assert hills.value() == 4


def test_a_number_that_is_too_small_becomes_the_least_and_the_range_is_told(qtbot):
    form = SettingsForm(":")
    qtbot.addWidget(form)
    form.set_settings(
        [Setting("wide", int, "How wide.", 60, minimum=9, maximum=500, title="Wide")], {}
    )
    form.show()
    spin = form.findChild(QSpinBox)
    spin.selectAll()
    QTest.keyClicks(spin, "7")
    assert QToolTip.text() == "9 to 500"
    spin.interpretText()
    assert form.values()["wide"] == 9


def test_a_group_has_a_heading_and_its_switch_stands_in_it(form, qtbot):
    assert form.heading("Trees").itemAt(0).widget() is form.field("trees")
    assert form.heading("Ground").itemAt(0).widget().text() == "Ground"
    assert form.field("trees").font().bold()
    button = QToolButton()
    form.row("hills").addWidget(button)
    qtbot.waitUntil(button.isVisible)
    assert button.x() > form.field("hills").x()


OF_GROUND = tuple(replace(setting, group="Ground") for setting in OPTIONAL)


def test_what_is_not_set_is_left_out(qtbot):
    form = FoldedForm()
    qtbot.addWidget(form)
    form.set_settings(OF_GROUND, {})
    assert form.values() == {}
    assert form.fold_button.text() == "Ground: as it is"
    assert form.field("cover").currentText() == "as it is"
    assert form.field("low").text() == "as it is"
    assert form.field("name").placeholderText() == "as it is"
    form.set_settings(OF_GROUND, CHOSEN)
    assert form.values() == CHOSEN
    assert form.fold_button.text() == "Ground: Grass, -2, False, Hollow", "labels of choices"
    form.field("low").setValue(-3)
    assert form.fold_button.text() == "Ground: Grass, False, Hollow"
    form.set_settings(OF_GROUND, {})
    assert form.values() == {}


def test_a_form_that_is_scrolled_is_as_wide_as_its_fields_and_the_bar(qtbot):
    form = FoldedForm()
    qtbot.addWidget(form)
    many = [replace(OPTIONAL[0], name=f"cover {number}") for number in range(12)]
    form.set_settings(many, {})
    form.set_unfolded(is_unfolded=True)
    form.resize(form.minimumSizeHint().width(), 150)
    form.show()
    qtbot.waitExposed(form)
    field = form.field("cover 0")
    # The part of a form that scrolls has no name.
    viewport = form._scrolled.viewport()
    assert form._scrolled.verticalScrollBar().isVisible()
    assert field.mapTo(viewport, field.rect().topRight()).x() < viewport.width()


def test_a_form_asks_for_other_settings(qtbot):
    form = FoldedForm()
    qtbot.addWidget(form)
    form.set_settings(OPTIONAL, CHOSEN)
    form.set_settings(OPTIONAL[:2], {})
    assert form.values() == {}
    with pytest.raises(KeyError):
        form.field("name")
    form.set_settings((), {})
    assert form.isHidden()
    form.set_settings((OF_GROUND[0], OPTIONAL[1]), {})
    assert form.fold_button.text() == "Settings: as it is", "of different groups"


@pytest.mark.parametrize("typed", ["5926", "9", "12abc", "abc", "", "-64", "1" * 30, "²"])
def test_a_text_that_is_no_number_in_the_range_is_refused_and_the_value_stays(form, typed):
    choices = ((128, "Tiny (128)"), (256, "Normal (256)"))
    size = Setting("Size", int, "", 256, choices, 16, 1024, title="Size", step=16)
    form.set_settings((size,), {"Size": 1024})
    box = form.field("Size")
    box.lineEdit().setFocus()
    box.lineEdit().selectAll()
    QTest.keyClick(box.lineEdit(), Qt.Key.Key_Delete)
    QTest.keyClicks(box.lineEdit(), typed)
    QTest.keyClick(box.lineEdit(), Qt.Key.Key_Return)
    assert form.values() == {"Size": 1024}
    assert box.currentText() == "1024"
    assert form.reports == []
    assert QToolTip.text() == "One from the list, or 16 to 1,024 in steps of 16"


def test_a_number_that_is_too_large_is_told_while_it_is_typed(form):
    choices = ((128, "Tiny (128)"), (256, "Normal (256)"))
    size = Setting("Size", int, "", 256, choices, 16, 1024, title="Size", step=16)
    form.set_settings((size,), {})
    line = form.field("Size").lineEdit()
    line.setFocus()
    line.selectAll()
    QToolTip.hideText()
    QTest.keyClicks(line, "592")
    assert not QToolTip.isVisible()
    QTest.keyClicks(line, "6")
    assert QToolTip.text() == "One from the list, or 16 to 1,024 in steps of 16"


def test_another_number_than_the_choices_is_typed_and_goes_to_the_next_step(form):
    choices = ((128, "Tiny (128)"), (256, "Normal (256)"))
    size = Setting("Size", int, "", 256, choices, 16, 1024, title="Size", step=16)
    form.set_settings((size,), {})
    box = form.field("Size")
    assert form.values() == {"Size": 256}
    for typed, expected in (("160", 160), ("1,000", 992), ("256", 256)):
        box.lineEdit().setText(typed)
        box.lineEdit().editingFinished.emit()
        assert form.values() == {"Size": expected}
    assert box.currentText() == "Normal (256)"
    assert form.reports == ["Size"] * 3
    box.lineEdit().editingFinished.emit()
    assert len(form.reports) == 3
    box.setCurrentIndex(0)
    assert (form.values(), len(form.reports)) == ({"Size": 128}, 4)
    form.show_values({"Size": 320})
    assert (form.values(), box.currentText()) == ({"Size": 320}, "320")


def test_a_digit_that_is_refused_is_answered_with_the_limits(form):
    players = Setting("Players", int, "", 2, (), 1, 8, title="Players")
    form.set_settings((players,), {})
    box = form.field("Players")
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "99")
    assert QToolTip.text() == "1 to 8"
    assert form.values() == {"Players": 2}
