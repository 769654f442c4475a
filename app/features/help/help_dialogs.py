"""The dialogs of the menu Help: the manual, mouse and keys, folders, about.

``help/feature`` has the commands that open them. What only one dialog needs is imported when that
opens: the start is quicker without it.
"""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QTextBrowser,
    QWidget,
)

from app.commands.commands import Commands, keys_in_words
from app.desk.desk import Desk
from app.qt_guard import connect
from app.widgets.layout.builders import described
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.installed import describe_packages

MEANING_OF_MOUSE_AND_KEYS = {
    "Left button": "the chosen tool; drag to paint, Escape takes the stroke back",
    "Alt or Ctrl + left button": "the eyedropper for a moment",
    "Right button": "the menu of the hex, or near an edge that of the edge",
    "Wheel": "zoom to the cursor, or scroll (Edit > Preferences); Ctrl always zooms",
    "Middle button, or Space + left button": "move the view",
    "Touchpad": "two fingers move the view, pinching zooms, a double tap shows the whole map",
    "Arrow keys, Home, End, Page up, Page down": "move the keyboard's cursor; with Ctrl the view",
    ", and .": "choose a side of the hex under the keyboard's cursor",
    "Enter": "use the tool at the keyboard's cursor; with Shift a stroke begins, Enter ends it",
}
"""The first rows of the table of mouse and keys: those that run no command."""

TEXT_HEIGHT = 560
"""The height of a dialog with a text, in logical pixels."""

FOLDERS_HEIGHT = 380
"""The height of the dialog of the folders, in logical pixels."""

DIALOG_WIDTH = 640
"""The width of these dialogs, in logical pixels."""


def mouse_and_keys_html(commands: Commands) -> str:
    """Return the table of mouse and keys as HTML, with the keys that the commands have now."""
    # Those that run no command are pairs of keys and their meaning, as ``further_keys`` are.
    rows = [*MEANING_OF_MOUSE_AND_KEYS.items(), *commands.further_keys]
    for name in commands.offered():
        action = commands.action(name)
        keys = keys_in_words(action)
        if keys:
            rows.append((keys, f"{commands.path(name)}. {action.statusTip()}"))
    table = ""
    for keys, meaning in rows:
        first_cell = f"<td><b>{escape(keys)}</b>&nbsp;&nbsp;</td>"
        table += f"<tr>{first_cell}<td>{escape(meaning)}</td></tr>"
    return f"<h3>Mouse and keys</h3><table cellpadding='3'>{table}</table>"


def show_mouse_and_keys(commands: Commands, parent: QWidget) -> None:
    """Open the table of mouse and keys."""
    _show_text("Mouse and keys", mouse_and_keys_html(commands), parent)


def _show_text(title: str, html: str, parent: QWidget) -> None:
    """Open a dialog with a text."""
    browser = described(QTextBrowser(), title)
    browser.setHtml(html)
    _open(title, browser, height=TEXT_HEIGHT, parent=parent)


def _open(title: str, page: QWidget, *, height: int, parent: QWidget) -> None:
    """Open a dialog with a widget and the button Close; ``height`` is in logical pixels."""
    dialog = QDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    connect(buttons.rejected, dialog.reject)
    lay_out_dialog(dialog, page, foot=(buttons,), size=QSize(DIALOG_WIDTH, height))
    dialog.open()


def show_folders(desk: Desk) -> None:
    """Open the table of the files and folders that the program has on the disk."""
    from app.desk.folders import FoldersPage

    _open("Folders", FoldersPage(desk), height=FOLDERS_HEIGHT, parent=desk.frame)


def show_manual(parent: QWidget, page: str = "") -> None:
    """Open the manual as a window of ``parent``, or bring the one that it has to the front.

    A modal dialog gets a manual of its own: that of the main window cannot be used meanwhile.
    ``page`` is the file name of the page to show; "" for the contents, or for the page that the
    manual shows already.
    """
    from app.features.help.manual_dialog import ManualDialog

    dialog = parent.findChild(ManualDialog)
    if dialog is None:
        dialog = ManualDialog(parent)
    if page:
        dialog.show_page(page)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()


def about_html() -> str:
    """Return a description of the program as HTML: its version and build, its parts, licences."""
    from app.features.help.parts import own_version, parts

    rows = ""
    for part in parts():
        cells = "".join(f"<td>{escape(text)}&nbsp;&nbsp;</td>" for text in part)
        rows += f"<tr>{cells}</tr>"
    return (
        f"<h3>Battlelands Builder {escape(own_version())}</h3><p>A desk for people who make battle "
        "maps. It reads and writes the battlelands of Colossus, the free Titan game, and rolls its "
        "randomizer scripts. Maps, pictures and scripts that come with it are our own.</p>"
        f"<p>{escape(describe_packages())}</p><h4>Its parts and their licences</h4>"
        f"<table cellpadding='2'>{rows}</table>"
    )


def show_about(parent: QWidget) -> None:
    """Open the description of the program."""
    _show_text("About Battlelands Builder", about_html(), parent)
