"""What Escape does on the map, where no stroke is under way: it ends one thing.

It is the first of these that there is, as "Escape" in the manual tells (comfort.md):

1. picked things, or a stamp in hand, are put down;
2. the selection ends;
3. the running roll is cancelled;
4. the colours of a view on the map go, and the view with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject

from app.canvas.canvas import MapCanvas
from app.desk.docks import Docks
from app.desk.status_messages import StatusMessages
from app.document.document import MapDocument
from app.qt_guard import connect

# What the first picture does not need is imported where it is used.
if TYPE_CHECKING:
    from app.canvas.heat_owner import HeatOwner
    from app.desk.toolbox import Toolbox
    from app.rolling.rolling import Rolling


class LateServices(Protocol):
    """The services of a desk that are made when Escape is first pressed, if not before."""

    @property
    def tools(self) -> Toolbox:
        """The tools."""

    @property
    def rolling(self) -> Rolling:
        """The controller that rolls maps."""

    @property
    def heat(self) -> HeatOwner:
        """Knows which view has coloured the map."""


class EscapeKey(QObject):
    """Ends one thing whenever Escape is pressed on the map of a desk."""

    def __init__(
        self,
        services: LateServices,
        document: MapDocument,
        canvas: MapCanvas,
        docks: Docks,
        messages: StatusMessages,
    ) -> None:
        super().__init__(canvas)
        self._services = services
        self._document = document
        self._renderer = canvas.renderer
        self._views = docks.views
        self._messages = messages
        connect(canvas.input.escaped, self._end_one_thing)

    def _end_one_thing(self) -> None:
        """End the first thing that there is; a message about the last step goes in any case."""
        services = self._services
        self._messages.drop_passing()
        if services.tools.put_down():
            return
        if len(self._document.selection):
            self._document.select(())
        elif services.rolling.busy:
            services.rolling.cancel()
            self._messages.say("The roll is cancelled; the map stays as it was.")
        elif self._renderer.heat_map is not None:
            self._close_colouring_view()

    def _close_colouring_view(self) -> None:
        """Close the view that has coloured the map: its colours go with it."""
        view = self._views.find_view(self._services.heat.owner)
        if view is not None and view.is_open:
            self._views.close_view(view)
