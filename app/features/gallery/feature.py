"""The gallery on the desk: the panel, wired to the script, the map and the settings.

The gallery shows *candidates*: maps that the current script rolls, or variations of the current
map. ``make`` is called once, when the panel is first shown, and makes three objects for it:

    DeskSource        tells the panel what to roll
    GalleryUpdates    lets it look for other maps when that may have changed
    CandidateUse      does what the user wants with the chosen candidates
"""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.desk.desk import Desk
from app.features.gallery.candidate_use import CandidateUse
from app.features.gallery.desk_source import DeskSource
from app.features.gallery.panel import WIDTH, GalleryPanel
from app.features.gallery.pins import pins_text, read_pins
from app.qt_guard import connect
from app.widgets.layout.dock_visibility import DockVisibility
from randomizer.model.map.layer import Roll

EDIT_PAUSE_MS = 150
"""The milliseconds from an edit of the map until the gallery checks whether its maps change.

With fewer it would check in the middle of a stroke of the brush.
"""


def make(desk: Desk) -> GalleryPanel:
    """Return the panel, wired to the desk."""
    settings = desk.settings
    source = DeskSource(desk)
    panel = GalleryPanel(
        source,
        desk.renderer,
        read_pins(settings.gallery_pins),
        settings.gallery_width or WIDTH,
        source.first_seed(),
    )
    GalleryUpdates(desk, source, panel)  # a child of the panel
    CandidateUse(desk, source, panel.maps)  # a child of the list
    return panel


class GalleryUpdates(QObject):
    """Lets the panel follow the desk while it is seen, and stores its pins and its width.

    The panel itself finds out whether it shows other maps than the ones to show now.
    """

    def __init__(self, desk: Desk, source: DeskSource, panel: GalleryPanel) -> None:
        super().__init__(panel)
        self._settings = desk.settings
        self._source = source
        self._finder = panel.finder
        self._visibility = DockVisibility(panel)
        connect(self._visibility.changed, panel.finder.watch)
        connect(panel.maps.pins_changed, self._store_pins)
        connect(panel.form.slider.valueChanged, self._store_width)
        connect(panel.form.end_variations_button.clicked, desk.rolling.variations.end)

        connect(desk.scripts.checker.checked, self._look_now)
        connect(desk.rolling.variations.changed, self._look_now)
        connect(desk.theme.changed, self._look_now)
        connect(desk.overlays_changed, self._look_now)
        connect(desk.rolling.setup_changed, self._look_unless_check_follows)
        connect(desk.rolling.layers_changed, self._look_after_pause)
        connect(desk.document.changed, self._look_after_pause)
        connect(desk.maps_wanted, panel.form.filter.request_maps)

    def _look_now(self) -> None:
        """Look for other maps: a text was checked, or maps look otherwise."""
        self._finder.look_for_changes()

    def _look_unless_check_follows(self) -> None:
        """Look for other maps after a change of the script or its settings.

        An edited text is checked first; ``checked`` follows for it.
        """
        if not self._source.awaits_check:
            self._finder.look_for_changes()

    def _look_after_pause(self) -> None:
        """Look for other maps when the map was not edited for a moment."""
        self._finder.look_for_changes(EDIT_PAUSE_MS)

    def _store_pins(self, pins: tuple[Roll, ...]) -> None:
        """Store the pinned maps for the next session."""
        self._settings.gallery_pins = pins_text(pins)

    def _store_width(self, width: int) -> None:
        """Store the width of pictures, in logical pixels, for the next session."""
        self._settings.gallery_width = width
