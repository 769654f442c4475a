"""The commands of the menu Help: the manual, the table of mouse and keys, the tour and others."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from app.commands.commands import Command
from app.desk.desk import Desk
from app.fault_log import LOG
from app.features.help.help_dialogs import (
    show_about,
    show_folders,
    show_manual,
    show_mouse_and_keys,
)
from randomizer.model.basics.plurals import counted


def make(desk: Desk) -> None:
    """Add the commands of the menu Help."""

    def start_tour() -> None:
        from app.features.help.tour import Tour

        desk.settings.tour_seen = True
        Tour(desk).start()

    def copy_details() -> None:
        """Put all faults of this session on the clipboard, for a report."""
        QGuiApplication.clipboard().setText(LOG.details())
        desk.say(f"Copied: {counted(len(LOG.faults), 'fault')}")

    def why_no_details() -> str:
        if LOG.faults:
            return ""
        return "No fault has come up."

    desk.commands.add(
        (
            Command(
                "help.manual",
                "Man&ual",
                lambda: _show_manual(desk),
                "Pages about everything; beside a script the page on its language",
                "F1",
                "text",
                words="documentation pages guide how read help",
            ),
            Command(
                "help.mouse-and-keys",
                "&Mouse and keys",
                lambda: show_mouse_and_keys(desk.commands, desk.frame),
                "What mouse and keys do, in one table",
                "Shift+F1",
                "hint",
                words="shortcuts keyboard hotkeys bindings list controls",
            ),
            Command(
                "help.tour",
                "&Tour",
                start_tour,
                "Around the desk in one minute",
                icon="hint",
                words="introduction tutorial start learn newcomer",
            ),
            Command(
                "help.folders",
                "&Folders...",
                lambda: show_folders(desk),
                "What the program keeps on the disk, where, and how much",
                words="disk files where data cache size directory paths",
            ),
            Command(
                "help.copy-fault-details",
                "&Copy fault details",
                copy_details,
                "What the program did not foresee since it was started, for a report",
                why_not=why_no_details,
                words="bug report crash error clipboard",
            ),
            Command(
                "help.about-battlelands-builder",
                "&About Battlelands Builder",
                lambda: show_about(desk.frame),
                "Which version this is, and the licences of its parts",
                words="version licence license credits",
            ),
        )
    )


def _show_manual(desk: Desk) -> None:
    """Open the manual, above the dialog in front if that is modal.

    A window that has a page of its own names it by the property ``manual_page``.
    """
    page = ""
    window = QApplication.activeModalWidget() or QApplication.activeWindow()
    if window is not None:
        page = window.property("manual_page") or ""
    parent = QApplication.activeModalWidget() or desk.frame
    show_manual(parent, page or _page_at_keyboard(desk))


def _page_at_keyboard(desk: Desk) -> str:
    """Return the page on the language of the script, if the keyboard is in the script's panel.

    "" if it is elsewhere, and for a language without a page.
    """
    panel = desk.docks.find_panel("randomize")
    focus = QApplication.focusWidget()
    if panel is None or focus is None or not panel.isAncestorOf(focus):
        return ""
    return desk.scripts.language().manual_page
