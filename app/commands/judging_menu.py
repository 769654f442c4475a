"""The entries of the menu Randomize that judge a script by many of its maps."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.panel_keys import PanelKeys

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu

    from app.commands.menu_entries import MenuEntries


def add_judging_entries(entries: MenuEntries, menu: QMenu) -> None:
    """Odds, gallery, fairness: each opens its panel, and Escape there goes back to the map."""
    show = PanelKeys(entries.window).open
    menu.addSeparator()
    for text, name, keys, tip in (
        ("&Odds...", "odds", "Ctrl+Shift+H", "How likely every place of the map is to become what"),
        ("&Gallery...", "gallery", "Ctrl+Shift+G", "Many rolls as pictures, to filter and choose"),
        ("Fa&irness...", "fairness", "Ctrl+Shift+B", "What the map means for both armies"),
        ("&Dice...", "dice", None, "Lay a wargame table by the throw of dice"),
    ):
        entries.add(menu, text, partial(show, name), keys, tip=tip)
