"""What Escape does on the map, where no stroke is under way: it ends one thing.

It is the first of these that there is, as "Escape" in the manual tells (comfort.md):

1. picked things, or a stamp in hand, are put down;
2. the selection ends;
3. the running roll is cancelled;
4. the colours of a view on the map go, and the view with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.desk.status_messages import StatusMessages
from app.qt_guard import connect

if TYPE_CHECKING:
    from app.desk.desk import Desk


class EscapeKey(QObject):
    """Ends one thing whenever Escape is pressed on the map of a desk."""

    def __init__(self, desk: Desk, messages: StatusMessages) -> None:
        super().__init__(desk)
        self._desk = desk
        self._messages = messages
        connect(desk.canvas.input.escaped, self._end_one_thing)

    def _end_one_thing(self) -> None:
        """End the first thing that there is; a message about the last step goes in any case."""
        desk = self._desk
        self._messages.drop_passing()
        if desk.tools.put_down():
            return
        if len(desk.document.selection):
            desk.document.select(())
        elif desk.rolling.busy:
            desk.rolling.cancel()
            desk.say("The roll is cancelled; the map stays as it was.")
        elif desk.renderer.heat_map is not None:
            self._close_colouring_view()

    def _close_colouring_view(self) -> None:
        """Close the view that has coloured the map: its colours go with it."""
        views = self._desk.docks.views
        view = views.find_view(self._desk.heat.owner)
        if view is not None and view.is_open:
            views.close_view(view)
