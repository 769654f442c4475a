"""Light colouring of scripts: keywords, comments, quotes and numbers, by one pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable

from PySide6.QtGui import QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from app.appearance.text_colours import Inks
from app.qt_guard import guarded
from app.scripts.script_text import units

_PIECES = re.compile(
    r'(?P<comment>#.*)|(?P<quoted>"[^"]*"?)|(?P<word>[^\W\d][\w.]*)|(?P<number>\d+(?:\.\d*)?)'
)


class ScriptHighlighter(QSyntaxHighlighter):
    """Colours one document; it knows the keywords and nothing else of the language."""

    def __init__(self, document: QTextDocument, colours: Inks) -> None:
        super().__init__(document)
        self._keywords: frozenset[str] = frozenset()
        self._formats: dict[str, QTextCharFormat] = {}
        self._make_formats(colours)

    def set_keywords(self, keywords: Iterable[str]) -> None:
        """Colour these words from now on."""
        wanted = frozenset(keywords)
        if wanted != self._keywords:
            self._keywords = wanted
            self.rehighlight()

    def set_colours(self, colours: Inks) -> None:
        """Use other colours from now on."""
        self._make_formats(colours)
        self.rehighlight()

    def _make_formats(self, colours: Inks) -> None:
        for name in ("keyword", "comment", "quoted", "number"):
            look = QTextCharFormat()
            look.setForeground(getattr(colours, name))
            self._formats[name] = look
        self._formats["keyword"].setFontWeight(QFont.Weight.DemiBold)
        self._formats["comment"].setFontItalic(True)

    @guarded
    def highlightBlock(self, text: str) -> None:
        """Colour one line."""
        for piece in _PIECES.finditer(text):
            kind = piece.lastgroup
            if kind == "word":
                if piece[0] not in self._keywords:
                    continue
                kind = "keyword"
            if kind is not None:
                self.setFormat(units(text[: piece.start()]), units(piece[0]), self._formats[kind])
