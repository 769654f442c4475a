"""The line above the entries of the New map dialog: words to search for, a keyword, folders."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QWidget

from app.features.new_map.listed_entries import Search
from app.features.new_map.script_folders import FoldersButton
from app.qt_guard import connect
from app.settings import Settings
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.builders import described, lay_out
from randomizer.catalog.catalog_entry import CatalogEntry

ALL_KEYWORDS = "All keywords"
"""The first keyword of the list, which every entry has."""


class EntryFilter(QWidget):
    """Asks which entries are listed, and in which folders scripts are looked for."""

    search_changed = Signal()
    """The words or the keyword have changed, by the user or because it is gone."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.words = described(QLineEdit(), "Search for a script", "Words of its name or text")
        self.words.setPlaceholderText("Search")
        self.words.setClearButtonEnabled(True)
        self.keywords = described(
            pass_wheel_on(QComboBox()), "Keyword", "Only scripts with this keyword"
        )
        self.folders_button = FoldersButton(settings)
        lay_out(QHBoxLayout(self), (self.words, 1), self.keywords, self.folders_button, margins=0)
        connect(self.words.textChanged, self.search_changed)
        connect(self.keywords.currentIndexChanged, self.search_changed)

    def offer_keywords_of(self, entries: Iterable[CatalogEntry]) -> None:
        """Offer the keywords of these entries; without a signal, since the caller lists them next.

        The chosen keyword stays chosen if one of them has it, else all keywords are.
        """
        keywords: set[str] = set()
        for entry in entries:
            keywords.update(entry.metadata.keywords)
        with QSignalBlocker(self.keywords):
            chosen_keyword = self.keywords.currentText()
            self.keywords.clear()
            self.keywords.addItems([ALL_KEYWORDS, *sorted(keywords)])
            self.keywords.setCurrentText(chosen_keyword)

    @property
    def search(self) -> Search:
        """What the user searches for now."""
        keyword = ""
        if self.keywords.currentIndex() > 0:  # 0 stands for all keywords
            keyword = self.keywords.currentText()
        return Search(self.words.text().strip(), keyword)
