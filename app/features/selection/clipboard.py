"""A piece of map on the system's clipboard: as a stamp, and in words for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QMetaType, QMimeData
from PySide6.QtGui import QGuiApplication

from randomizer.geometry.stamp_text import MIME, decode, encode

if TYPE_CHECKING:
    from randomizer.geometry.shapes import Cells
    from randomizer.geometry.stamp import Stamp
    from randomizer.model.battlemap import BattleMap

MOST_NAMES = 5000
"""Of a larger piece the names of the first cells are copied as text."""


class Piece(QMimeData):
    """A stamp in the hands of the system: bytes are made of it when another program asks."""

    def __init__(self, stamp: Stamp, words: str) -> None:
        super().__init__()
        self.stamp = stamp
        self.setText(words)

    def formats(self) -> list[str]:
        """The stamp first, then what every program knows."""
        return [MIME, *super().formats()]

    def hasFormat(self, mime: str) -> bool:
        """The stamp, or what every program knows."""
        return mime in self.formats()

    def retrieveData(self, mime: str, kind: QMetaType | QMetaType.Type) -> Any:
        """What another program asked for."""
        if mime == MIME:
            return QByteArray(encode(self.stamp))
        return super().retrieveData(mime, kind)


def put(battlemap: BattleMap, stamp: Stamp, cells: Cells) -> None:
    """Copy a stamp; other programs get the names of its cells."""
    system, grid = battlemap.system, battlemap.grid
    words = " ".join(system.cell_name(grid, cell) for cell in cells[:MOST_NAMES].tolist())
    QGuiApplication.clipboard().setMimeData(Piece(stamp, words))


def let_go() -> None:
    """The program ends: of a piece only the words stay.

    Qt deletes its clipboard when Python is gone already, and what Python made must not be there.
    """
    clipboard = QGuiApplication.clipboard()
    if isinstance(clipboard.mimeData(), Piece):
        clipboard.setText(clipboard.text())


def held() -> Stamp | None:
    """The stamp on the clipboard, None if something else lies there.

    Raises ProblemError for a damaged one, or one of a newer version.
    """
    data = QGuiApplication.clipboard().mimeData()
    if isinstance(data, Piece):
        return data.stamp
    if data is None or not data.hasFormat(MIME):
        return None
    return decode(bytes(data.data(MIME).data()))
