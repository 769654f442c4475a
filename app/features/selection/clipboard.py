"""Pieces of map on the system's clipboard: as a stamp, and as text for other programs.

    clipboard.copy_stamp(battlemap, stamp, cells)      # Copy
    stamp = clipboard.copied_stamp()            # Paste; None if something else was copied

The commands *Copy*, *Cut* and *Paste* call these functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QMetaType, QMimeData
from PySide6.QtGui import QGuiApplication

from app.qt_guard import guarded
from randomizer.geometry.areas import Cells
from randomizer.geometry.stamp_text import MIME, decode, encode
from randomizer.model.map.battlemap import BattleMap

if TYPE_CHECKING:
    from randomizer.geometry.stamp import Stamp

MAX_NAMES = 5000
"""The most names of cells in the text for other programs; further cells are not named in it."""


NO_FORMATS: list[str] = []
"""No types of data."""


class StampMimeData(QMimeData):
    """A stamp as clipboard data, which is encoded only when another program asks for it."""

    def __init__(self, stamp: Stamp, text: str) -> None:
        super().__init__()
        self.stamp = stamp
        self.setText(text)

    @guarded(default=NO_FORMATS)  # what Qt gets if this raises
    def formats(self) -> list[str]:
        """Return the types of the data: first that of stamps (``MIME``), then text."""
        return [MIME, *super().formats()]

    @guarded(default=False)
    def hasFormat(self, mime: str) -> bool:
        """Return whether the data can be had as this type."""
        return mime in self.formats()

    @guarded(default=None)
    def retrieveData(self, mime: str, kind: QMetaType | QMetaType.Type) -> Any:
        """Return the data as the type that another program asks for."""
        if mime == MIME:
            return QByteArray(encode(self.stamp))
        return super().retrieveData(mime, kind)


def copy_stamp(battlemap: BattleMap, stamp: Stamp, cells: Cells) -> None:
    """Put a stamp on the clipboard; other programs get the names of its ``cells`` as text."""
    system = battlemap.system
    grid = battlemap.grid
    text = " ".join(system.cell_name(grid, cell) for cell in cells[:MAX_NAMES].tolist())
    QGuiApplication.clipboard().setMimeData(StampMimeData(stamp, text))


def leave_only_text() -> None:
    """Leave only the text of a stamp on the clipboard; to be called before the program ends.

    Qt deletes its clipboard after the interpreter has ended, when no Python object may be left.
    """
    clipboard = QGuiApplication.clipboard()
    if isinstance(clipboard.mimeData(), StampMimeData):
        clipboard.setText(clipboard.text())


def copied_stamp() -> Stamp | None:
    """Return the stamp on the clipboard, None if something else lies there.

    Raises ProblemError for a damaged one, or one of a newer version.
    """
    data = QGuiApplication.clipboard().mimeData()
    if isinstance(data, StampMimeData):
        return data.stamp
    if data is None or not data.hasFormat(MIME):
        return None
    return decode(bytes(data.data(MIME).data()))


def copied_recipe() -> str:
    """Return the text on the clipboard if it is the recipe of a roll, else ""."""
    # Imported late: the start is quicker.
    from randomizer.storage.files.roll_recipe import is_recipe

    text = QGuiApplication.clipboard().text()
    if is_recipe(text):
        return text
    return ""
