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


class HelpCommands:
    """The commands of the menu Help; they live as long as the desk that they are added to."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        desk.commands.add(
            (
                Command(
                    "help.manual",
                    "Man&ual",
                    self._show_manual,
                    tip="Pages about everything; beside a script the page on its language",
                    keys="F1",
                    icon="text",
                    words="documentation pages guide how read help",
                ),
                Command(
                    "help.mouse-and-keys",
                    "&Mouse and keys",
                    self._show_mouse_and_keys,
                    tip="What mouse and keys do, in one table",
                    keys="Shift+F1",
                    icon="hint",
                    words="shortcuts keyboard hotkeys bindings list controls",
                ),
                Command(
                    "help.tour",
                    "&Tour",
                    self._start_tour,
                    tip="Around the desk in one minute",
                    icon="hint",
                    words="introduction tutorial start learn newcomer",
                ),
                Command(
                    "help.folders",
                    "&Folders...",
                    self._show_folders,
                    tip="What the program keeps on the disk, where, and how much",
                    words="disk files where data cache size directory paths",
                ),
                Command(
                    "help.copy-fault-details",
                    "&Copy fault details",
                    self._copy_fault_details,
                    tip="What the program did not foresee since it was started, for a report",
                    why_not=_why_no_fault_details,
                    words="bug report crash error clipboard",
                ),
                Command(
                    "help.about-battlelands-builder",
                    "&About Battlelands Builder",
                    self._show_about,
                    tip="Which version this is, and the licences of its parts",
                    words="version licence license credits",
                ),
            )
        )

    def _show_manual(self) -> None:
        """Open the manual, with the modal dialog as its parent if one is open.

        A window that has a page of its own names it by the property ``manual_page``.
        """
        modal_window = QApplication.activeModalWidget()
        window_with_page = modal_window or QApplication.activeWindow()
        parent = modal_window or self._desk.frame
        page = ""
        if window_with_page is not None:
            page = window_with_page.property("manual_page") or ""
        if not page:
            page = self._page_at_keyboard()
        show_manual(parent, page)

    def _page_at_keyboard(self) -> str:
        """Return the page on the language of the script, if the keyboard is in the script's panel.

        "" if it is elsewhere, and for a language without a page.
        """
        panel = self._desk.docks.find_panel("randomize")
        focus = QApplication.focusWidget()
        if panel is None or focus is None or not panel.isAncestorOf(focus):
            return ""
        return self._desk.scripts.language().manual_page

    def _show_mouse_and_keys(self) -> None:
        show_mouse_and_keys(self._desk.commands, self._desk.frame)

    def _start_tour(self) -> None:
        # Not at the top: the start is quicker without the tour, which is shown once.
        from app.features.help.tour import Tour

        self._desk.settings.tour_seen = True
        Tour(self._desk).start()

    def _show_folders(self) -> None:
        show_folders(self._desk)

    def _copy_fault_details(self) -> None:
        """Put all faults of this session on the clipboard, for a report."""
        QGuiApplication.clipboard().setText(LOG.details())
        self._desk.say(f"Copied: {counted(len(LOG.faults), 'fault')}")

    def _show_about(self) -> None:
        show_about(self._desk.frame)


def _why_no_fault_details() -> str:
    """Return why there are no faults to copy, "" if there are."""
    if LOG.faults:
        return ""
    return "No fault has come up."


def make(desk: Desk) -> None:
    """Add the commands of the menu Help."""
    HelpCommands(desk)
