"""Light colouring of scripts: keywords, comments, quotes and numbers, by the host's pattern."""

from __future__ import annotations

from PySide6.QtGui import QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from app.appearance.text_colours import Inks
from app.qt_guard import guarded
from app.scripts.script_text import units
from randomizer.script_hosts import HasKeywords

_RAW = 1
"""The state of a line that raw lines follow."""


class ScriptHighlighter(QSyntaxHighlighter):
    """Colours one document by the keywords and the pattern of its script host."""

    def __init__(self, document: QTextDocument, colours: Inks) -> None:
        super().__init__(document)
        self._language: HasKeywords | None = None
        self._keywords: frozenset[str] = frozenset()
        self._formats: dict[str, QTextCharFormat] = {}
        self._make_formats(colours)

    def set_language(self, language: HasKeywords | None) -> None:
        """Colour the scripts of this host from now on; None: no colours."""
        if language is not self._language:
            self._language = language
            self._keywords = frozenset(() if language is None else language.KEYWORDS)
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
        if self._language is None:
            return
        raw = self._language.RAW_LINES
        begin, end = ("", "") if raw is None else raw
        self.setCurrentBlockState(_RAW if raw is not None and text.strip() == begin else 0)
        if self.previousBlockState() == _RAW and text != end:
            self.setCurrentBlockState(_RAW)
            self.setFormat(0, units(text), self._formats["comment"])
            return
        for piece in self._language.PIECES.finditer(text):
            kind = piece.lastgroup
            if kind == "word":
                if piece[0] not in self._keywords:
                    continue
                kind = "keyword"
            if kind is not None:
                self.setFormat(units(text[: piece.start()]), units(piece[0]), self._formats[kind])
