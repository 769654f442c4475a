"""The manual inside the desk."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QWidget

from app.features.help.help_dialogs import show_manual
from app.features.help.manual_dialog import INDEX, ManualDialog, manual_folder

PICTURE = QTextDocument.ResourceType.ImageResource.value


@pytest.fixture
def manual(qtbot):
    dialog = ManualDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def words(manual: ManualDialog) -> str:
    return manual.pages.toPlainText()


def test_it_opens_on_its_contents(manual):
    assert "The first five minutes" in words(manual)
    assert not manual.back_button.isEnabled()


@pytest.mark.parametrize("page", sorted(path.name for path in manual_folder().glob("*.md")))
def test_every_page_can_be_shown_without_its_markup(manual, page):
    manual.show_page(page)
    assert len(words(manual).split()) > 200
    for markup in ("**", "```", "<!-- generated", "](", "\n# "):
        assert markup not in words(manual)


def test_a_link_leads_to_its_page_and_back_again(qtbot, manual):
    first = words(manual)
    place = manual.pages.source().resolved(QUrl("painting.md"))
    manual.pages.setSource(place)
    assert words(manual).startswith("Painting")
    manual.back_button.click()
    assert words(manual) == first
    manual.forward_button.click()
    assert words(manual).startswith("Painting")
    manual.contents_button.click()
    assert manual.pages.source().fileName() == INDEX


def test_pictures_are_never_wider_than_the_page(qtbot, manual):
    bar = manual.pages.horizontalScrollBar()
    assert bar.maximum() == 0
    manual.resize(500, 600)
    qtbot.waitUntil(lambda: bar.maximum() == 0)
    shown = manual.pages.loadResource(PICTURE, QUrl("pictures/desk.png"))
    assert 400 < shown.deviceIndependentSize().width() < manual.pages.viewport().width()
    small = manual.pages.loadResource(PICTURE, QUrl("pictures/layers.png"))
    assert small.size() == QImage(str(manual_folder() / "pictures" / "layers.png")).size()
    assert small.width() < shown.deviceIndependentSize().width()


def test_the_text_stays_where_it_was_read_when_the_window_gets_narrower(qtbot, manual):
    manual.show_page("painting.md")
    manual.pages.verticalScrollBar().setValue(300)
    before = words(manual)
    manual.resize(600, 500)
    qtbot.wait(300)
    assert words(manual) == before
    assert manual.pages.verticalScrollBar().value() == 300


def test_there_is_one_manual_of_a_window(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    show_manual(window)
    show_manual(window)
    (dialog,) = window.findChildren(ManualDialog)
    assert dialog.isVisible()
    assert not dialog.isModal()
    dialog.close()


def test_a_page_that_is_shown_again_has_space_above_its_headings(manual):
    def heading_margins() -> set[float]:
        margins = set()
        block = manual.pages.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() > 1:
                margins.add(block.blockFormat().topMargin())
            block = block.next()
        return margins

    manual.show_page("painting.md")
    margins = heading_margins()
    manual.show_contents()
    manual.back_button.click()
    assert heading_margins() == margins
