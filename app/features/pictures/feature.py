"""The commands for pictures of the map: export, print, copy, and tables for a campaign.

``make`` is called once for a desk, by the list of features.
"""

from __future__ import annotations

from PySide6.QtGui import QKeySequence

from app.commands.commands import Command
from app.desk.desk import Desk
from app.features.pictures.controller import PictureController


def make(desk: Desk) -> None:
    """Add the commands for pictures to a desk."""
    pictures = PictureController(desk)
    desk.commands.add(
        (
            Command(
                "file.export-picture",
                "Export p&icture...",
                pictures.export,
                tip="Write the map as PNG, SVG or PDF",
                icon="export",
                words="pdf png svg image save jpeg screenshot",
            ),
            Command(
                "file.export-for-a-virtual-table",
                "Export for a &virtual table...",
                pictures.open_virtual_table_dialog,
                tip="Write the map with its picture for Foundry or as Universal VTT",
                icon="export",
                words="vtt foundry roll20 uvtt walls",
            ),
            Command(
                "file.tables-for-a-campaign",
                "Ta&bles for a campaign...",
                pictures.open_tables_dialog,
                tip="Roll more maps like this one into one PDF, with their dice and the pieces to "
                "fetch",
                icon="roll",
                why_not=pictures.why_not_tables,
                words="wargame pdf dice batch booklet",
            ),
            Command(
                "file.print",
                "&Print...",
                pictures.print_map,
                tip="Put the map on paper, on one page or as a poster, with {cells} of a true size",
                keys=QKeySequence.StandardKey.Print,
                icon="print",
                words="paper poster page printer",
            ),
            Command(
                "edit.copy-as-picture",
                "Copy as p&icture",
                pictures.copy,
                tip="Put a picture of the map onto the clipboard",
                keys="Ctrl+Shift+C",
                icon="export",
                words="clipboard image screenshot png",
            ),
        )
    )
