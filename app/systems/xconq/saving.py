"""Asking what a mapfile is saved with, and remembering it in the map."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog

from app.qt_guard import connect
from app.systems.xconq.save_dialog import SaveDialog
from randomizer.model.problems import ProblemError
from randomizer.systems.xconq.mapfile.details import USUAL, SaveDetails
from randomizer.systems.xconq.mapfile.writer import details_of
from randomizer.systems.xconq.records import HEADER, header_of
from randomizer.systems.xconq.scenario.side_edits import change_value

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.document.open_map import OpenMap


def ask_details(desk: Desk, open_map: OpenMap) -> bool:
    """Ask what a map is saved with; False if the user cancelled, or it was closed meanwhile.

    The answer stays in the header of the map, as an undo step if it is another one.
    """
    document = desk.document
    battlemap = open_map.battlemap
    try:
        details = details_of(battlemap)
    except ProblemError:
        details = SaveDetails.parse(USUAL)
    dialog = SaveDialog(battlemap, details, desk.frame)
    connect(dialog.finished, dialog.deleteLater)
    if dialog.exec() != QDialog.DialogCode.Accepted or open_map not in document.maps:
        return False
    header = header_of(battlemap)
    if dialog.details != details or header.details:
        value = replace(header, details=dialog.details.text())
        document.bring_to_front(open_map)
        document.push(change_value(battlemap, HEADER, value), "Choose what is saved")
    return True
