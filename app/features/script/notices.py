"""The banners below the text of a script: each tells one thing, with a button that acts on it.

``ScriptPanel`` has a ``ScriptNotices``. A banner is shown while it has a text to ``say``, and
emits ``accepted`` when its button is pressed.
"""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.document.document import MapDocument
from app.features.script.lock_banner import LockBanner
from app.features.script.locked_layer_banner import LockedLayerBanner
from app.qt_guard import connect
from app.rolling.rolling import Rolling
from app.scripts.scripts import Scripts
from app.widgets.layout.banner import Banner
from app.widgets.layout.builders import lay_out
from randomizer.model.problems import has_errors


class ScriptNotices(QWidget):
    """Shows the banners one below the other; a banner without a text is hidden.

    The banner ``text_banner`` has two cases: a script whose text is kept in the map (``in_map``)
    rolls that map again after each edit without errors; others roll when the user asks for it.
    """

    def __init__(self, document: MapDocument, rolling: Rolling, scripts: Scripts) -> None:
        super().__init__()
        self._scripts = scripts
        self._rolling = rolling
        reload_tip = "Read the file again; Undo brings back what is here now"
        self.file_banner = Banner("Reload", reload_tip)
        """Tells that another program has written the script's file."""
        self.file_banner.setAccessibleName("The script's file on disk")
        show_tip = "Show the script of the active layer, its seed and number"
        self.layer_banner = Banner("Show it", show_tip)
        """Tells that the active layer was rolled from another script."""
        self.text_banner = Banner("Roll", "Roll the map from this text, same seed and number")
        """Tells that the map was rolled from another text of this script, or other settings."""
        self.lock_banner = LockBanner(document, rolling)
        """Tells that the last roll failed for locked cells or sides."""
        self.locked_layer_banner = LockedLayerBanner(document, rolling)
        """Tells that the layer is locked which would take the last roll."""
        banners = (
            self.file_banner,
            self.layer_banner,
            self.text_banner,
            self.lock_banner,
            self.locked_layer_banner,
        )
        lay_out(QVBoxLayout(self), *banners, margins=0, spacing=4)

        connect(scripts.file_changes.offered, self._offer_reload)
        connect(self.file_banner.accepted, scripts.file_changes.reload)

        connect(scripts.script_changed, self._show_layer)
        connect(rolling.layers_changed, self._show_layer)
        connect(self.layer_banner.accepted, scripts.layers.show_active_layer)

        for changed in (
            scripts.map_script.changed,
            scripts.map_script.failed,
            scripts.script_changed,
            scripts.checker.checked,
            scripts.text_edited,
            scripts.settings.changed,
            scripts.follower.enabled_changed,
            rolling.layers_changed,
            rolling.busy_changed,
        ):
            connect(changed, self._update_text_banner)
        connect(self.text_banner.accepted, self._roll_text)

        connect(scripts.text_edited, self.lock_banner.hide_banner)
        connect(scripts.shown, self.lock_banner.hide_banner)
        self._show_layer()  # the other banners have nothing to tell before a signal comes

    def _offer_reload(self, text: str, can_reload: bool) -> None:
        """Tell what happened to the script's file; "" hides the banner."""
        self.file_banner.button.setVisible(can_reload)
        self.file_banner.say(text)

    def _show_layer(self) -> None:
        """Tell if the active layer was rolled from another script."""
        self.layer_banner.say(self._scripts.layer_sentences.about_active_layer())

    def _roll_text(self) -> None:
        """Roll the same map from the text and with the settings as they are now."""
        if self._scripts.current.in_map:
            self._scripts.map_script.roll_again()
        else:
            self._rolling.roll_again()

    def _update_text_banner(self) -> None:
        """Tell if the map was rolled from another text than the present one."""
        if self._scripts.current.in_map:
            self._update_text_banner_of_map()
        else:
            self.text_banner.button.setVisible(True)
            self.text_banner.say(self._scripts.outdated_map.describe())

    def _update_text_banner_of_map(self) -> None:
        """Tell if the map was not rolled again from the text that it holds, and why."""
        has_text_errors = has_errors(self._scripts.checker.result.problems)
        if not self._scripts.map_script.is_outdated:
            text = ""
        elif has_text_errors:
            text = "This text has errors: the map stays as it was rolled last."
        else:
            text = "The map was rolled from another text than this one."
        self.text_banner.button.setVisible(not has_text_errors)
        self.text_banner.say(text)
