"""A banner above the map: a message about the whole map, whatever panel is in front.

A feature makes one for its messages::

    banner = Banner("Reload", "Read the file again")
    bar = BannerBar(desk.frame, "disk", "The file on disk", banner)
    bar.say("Another program has changed Moor.xml.")
    bar.say("")                                         # hides it
"""

from __future__ import annotations

from PySide6.QtWidgets import QMainWindow, QToolBar

from app.widgets.layout.banner import Banner
from app.widgets.layout.builders import add_to_bar


class BannerBar(QToolBar):
    """A line below the tool bars of a window, with a banner; hidden until ``say``."""

    def __init__(self, window: QMainWindow, name: str, title: str, banner: Banner) -> None:
        """Add the bar to a window.

        ``name`` is that of the object, ``title`` what screen readers say of it and its banner.
        """
        super().__init__(title)
        self.setObjectName(name)
        self.setMovable(False)
        self.toggleViewAction().setVisible(False)
        banner.setAccessibleName(title)
        self.banner = banner
        self._banner_action = add_to_bar(self, banner)
        """Shows and hides the banner: a widget on a tool bar cannot be shown itself."""
        self.hide()
        window.addToolBarBreak()
        window.addToolBar(self)

    def say(self, text: str) -> None:
        """Show a text; "" hides the bar."""
        self.banner.say(text)
        self.setVisible(bool(text))
        self._banner_action.setVisible(bool(text))
