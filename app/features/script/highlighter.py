"""Colours the text of a script: keywords, comments, quotes and numbers of its language.

``ScriptEditor`` has a ``ScriptHighlighter``; Qt calls ``highlightBlock`` for each line that has
changed, and for the next one if the *state* of a line has.
"""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QFont, QSyntaxHighlighter, QTextCharFormat

from app.appearance.text_colours import Inks
from app.qt_guard import guarded
from app.scripts.script_text import units
from randomizer.languages.language import PLAIN_TEXT, Language, TokenKind

_NORMAL = 0
"""The state of a line that is followed by a line of the language."""

_RAW = 1
"""The state of a line that is followed by a raw line.

Raw lines stand between the two lines that ``Language.raw_lines`` names, and are comments.
"""


class ScriptHighlighter(QSyntaxHighlighter):
    """Colours the text that it is given (``setDocument``) by the tokens of its language."""

    def __init__(self, colours: Inks, parent: QObject) -> None:
        super().__init__(parent)
        self._language = PLAIN_TEXT
        self._formats: dict[TokenKind, QTextCharFormat] = {}
        """The look of each kind of token."""
        self._make_formats(colours)

    def set_language(self, language: Language) -> None:
        """Colour the text by this language from now on."""
        if language is not self._language:
            self._language = language
            self.rehighlight()

    def set_colours(self, colours: Inks) -> None:
        """Use other colours from now on."""
        self._make_formats(colours)
        self.rehighlight()

    def _make_formats(self, colours: Inks) -> None:
        """Make the look of each kind of token."""
        for kind in TokenKind:
            look = QTextCharFormat()
            look.setForeground(getattr(colours, kind))  # ``Inks`` has a colour of each kind's name
            self._formats[kind] = look
        self._formats[TokenKind.KEYWORD].setFontWeight(QFont.Weight.DemiBold)
        self._formats[TokenKind.COMMENT].setFontItalic(True)

    @guarded
    def highlightBlock(self, text: str) -> None:
        """Colour one line, and set whether the next one is raw.

        The line that begins raw lines, and the one that ends them, have tokens of the language.
        """
        self.setCurrentBlockState(_NORMAL)
        raw_lines = self._language.raw_lines
        if raw_lines is not None:
            first_line, last_line = raw_lines
            # Raw lines begin with an indented line, too, but end only with one that is not.
            # The state is that of the line above; -1, which is neither, for the first line.
            if self.previousBlockState() == _RAW and text != last_line:
                self.setCurrentBlockState(_RAW)
                self.setFormat(0, units(text), self._formats[TokenKind.COMMENT])
                return
            if text.strip() == first_line:
                self.setCurrentBlockState(_RAW)
        # Python counts characters, Qt counts the units of UTF-16, of which an emoji has two.
        for kind, start, end in self._language.tokens(text):
            self.setFormat(units(text[:start]), units(text[start:end]), self._formats[kind])
