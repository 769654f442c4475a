"""A piece of map on the system's clipboard: as a stamp, and in words for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from randomizer.stamp_text import MIME, decode, encode

if TYPE_CHECKING:
    from randomizer.battlemap import BattleMap
    from randomizer.shapes import Cells
    from randomizer.stamp import Stamp

MOST_NAMES = 5000
"""Of a larger piece the names of the first cells are copied as text."""


def put(battlemap: BattleMap, stamp: Stamp, cells: Cells) -> None:
    """Copy a stamp; other programs get the names of its cells."""
    data = QMimeData()
    data.setData(MIME, encode(stamp))
    system, grid = battlemap.system, battlemap.grid
    data.setText(" ".join(system.cell_name(grid, cell) for cell in cells[:MOST_NAMES].tolist()))
    QGuiApplication.clipboard().setMimeData(data)


def held() -> Stamp | None:
    """The stamp on the clipboard, None if something else lies there.

    Raises ProblemError for a damaged one, or one of a newer version.
    """
    data = QGuiApplication.clipboard().mimeData()
    if data is None or not data.hasFormat(MIME):
        return None
    return decode(bytes(data.data(MIME).data()))
