"""The actions of the script panel that open, save and follow the script's file.

They are made here for the panel's buttons; ``feature.py`` makes commands of them, for menus and
keys.
"""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from app.appearance.icons import icon
from app.qt_guard import connect
from app.scripts.scripts import Scripts
from randomizer.model.basics.plurals import with_article

OPEN_TEXT = "&Open script..."
"""The text of the action Open where a script is in a file."""

OPEN_TIP = "Open a script file"
"""The tip of the action Open where a script is in a file."""

SAVE_TIP = "Save this text in {name}, as does Ctrl+S in the text; the map is not saved"
"""The tip of the action Save; ``name`` is that of the script's file."""

FOLLOW_TIP = (
    "Roll the same map again while you type or choose settings, and when the script is "
    "saved, here or by another program"
)
"""The tip of the action Follow."""

FOLLOW_SLOW_TIP = (
    "Roll the same map again when you choose a setting or save the script, here or in another "
    "program. What you type is rolled by Ctrl+Enter"
)
"""The tip of Follow for scripts that another program rolls, which is too slow for each key."""


class FileActions(QObject):
    """The actions Open, Save, Save as and Follow; ``Scripts`` carries them out."""

    def __init__(self, scripts: Scripts, parent: QObject) -> None:
        super().__init__(parent)
        self._icons: dict[QAction, str] = {}
        """The name of the icon of each action."""
        self._scripts = scripts
        self.open = self._action("open", OPEN_TEXT, OPEN_TIP)
        self.save = self._action("save", "&Save script", SAVE_TIP.format(name="a file"))
        self.save_as = self._action(
            "save-as", "Save script &as...", "Save the script's text in another file"
        )
        self.follow = self._action(
            "follow",
            "&Follow the text",
            FOLLOW_TIP,
            icon_name="eye",
        )
        # Lambdas, since ``triggered`` would hand on whether the action is checked.
        connect(self.open.triggered, lambda: scripts.opening.ask_open())
        connect(scripts.shown, self._update_open)

        connect(self.save.triggered, lambda: scripts.files.save())
        connect(self.save_as.triggered, lambda: scripts.files.save_as())
        connect(scripts.script_changed, self._explain_save)

        # ``FileChanges`` follows edits of other programs, and lets the follower, which rolls what
        # is typed here, do so or not.
        self.follow.setCheckable(True)
        self.follow.setChecked(scripts.follower.enabled)
        connect(self.follow.toggled, scripts.file_changes.set_enabled)
        connect(scripts.shown, self._explain_follow)

    def _action(self, name: str, text: str, tip: str, icon_name: str = "") -> QAction:
        """Return a new action, with the object name ``script.<name>``.

        Its icon has the name ``icon_name``, or else ``name``.
        """
        action = QAction(text, self)
        action.setObjectName(f"script.{name}")
        action.setStatusTip(tip)
        if not icon_name:
            icon_name = name
        self._icons[action] = icon_name
        return action

    def _update_open(self) -> None:
        """Say in the text and the tip of Open whether it replaces a script that the map holds."""
        text = OPEN_TEXT
        tip = OPEN_TIP
        if self._scripts.current.in_map:
            noun = self._scripts.map_script.noun
            text = f"&Open {with_article(noun)} for this map..."
            tip = f"Give this map the {noun} of a file; File > Open makes a new map of it"
        self.open.setText(text)
        self.open.setStatusTip(tip)

    def _explain_save(self) -> None:
        """Show in the tip of Save the file to which it writes the text."""
        path = self._scripts.script.path
        name = "a file"
        if path is not None:
            name = path.name
        self.save.setStatusTip(SAVE_TIP.format(name=name))

    def _explain_follow(self) -> None:
        """Show in the tip of Follow when the map follows the text of this script."""
        generator = self._scripts.current.generator
        tip = FOLLOW_TIP
        if generator is not None and generator.rolls_outside:
            tip = FOLLOW_SLOW_TIP
        self.follow.setStatusTip(tip)

    def draw_icons(self) -> None:
        """Draw the icons in the palette's colour."""
        for action, icon_name in self._icons.items():
            action.setIcon(icon(icon_name))
