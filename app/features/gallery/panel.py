"""The gallery: many maps of the script as pictures, to filter, sort, pin, compare and take.

``GalleryPanel`` puts together the form above the maps (``GalleryForm``), the list of maps
(``GalleryList``) and the status below it (``GalleryStatus``). Its ``finder`` searches for what the
form asks for and shows it in the list (map_finder.py).
"""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.features.gallery.example_filters import Example, example_filters
from app.features.gallery.form import MAX_WIDTH, MIN_WIDTH, GalleryForm
from app.features.gallery.map_finder import GallerySource, MapFinder
from app.features.gallery.map_list import GalleryList
from app.features.gallery.messages import GalleryMessage
from app.features.gallery.status import GalleryStatus
from app.qt_guard import connect, guarded
from app.render.renderer import Renderer
from app.widgets.layout.builders import lay_out
from randomizer.model.map.layer import Roll

PALETTE_MS = 300
"""The milliseconds from a change of the palette until the gallery is drawn: last of all."""

WIDTH = 122
"""The width of pictures at first: five stand beside each other in the first window."""


class GalleryPanel(QWidget):
    """The form, the maps and the status, one below the other.

    Maps are rolled only while the panel is seen: see ``MapFinder.watch``.
    """

    def __init__(
        self,
        source: GallerySource,
        renderer: Renderer,
        pins: tuple[Roll, ...] = (),
        width: int = WIDTH,
        seed: int = 0,
    ) -> None:
        """Show maps that are rolled from ``source``, at first those of ``seed``.

        ``pins`` are rolls that stand before the others; ``width`` is that of the pictures, in
        logical pixels.
        """
        super().__init__()
        width = min(max(width, MIN_WIDTH), MAX_WIDTH)  # a stored width may be of another version
        self.form = GalleryForm(self._examples, width, seed)
        self.maps = GalleryList(renderer, pins, width)
        self.status = GalleryStatus(self.maps.map_actions.buttons())
        self.finder = MapFinder(source, self.form, self.maps, self.status)
        self._column = lay_out(
            QVBoxLayout(self),
            self.form,
            (self.maps, 1),
            self.status,
            margins=(6, 4, 6, 4),
            spacing=4,
        )
        self.setFocusProxy(self.maps)
        self._connect()

    def _connect(self) -> None:
        """Connect what the user changes about maps that are found, or may be."""
        form = self.form
        connect(form.seed_fields.input_rejected, self._show_rejection)
        connect(form.sorting.chosen, self.finder.sort)
        connect(form.sorting.order_changed, self.maps.model.set_descending)
        connect(form.layers_above.toggled, self._on_layers_above_toggled)
        connect(form.slider.valueChanged, self.maps.set_picture_width)
        connect(self.status.fix_button.clicked, form.filter.apply_fix)

    def _show_rejection(self, text: str) -> None:
        """Tell why a seed that was typed or pasted is none."""
        self.finder.show_message(GalleryMessage(text))

    def _on_layers_above_toggled(self) -> None:
        """Show maps with the layers above the roll, or without them."""
        self.finder.look_for_changes()

    def _examples(self) -> list[Example]:
        """Return filters for maps like those that are shown."""
        batch = self.finder.example_batch
        if batch is None or not self.finder.shows_maps_on(batch.base):
            return []
        return example_filters(batch, self.form.measures)

    @guarded(default=0)
    def heightForWidth(self, width: int) -> int:
        """Return the least height: in a low window the list gets smaller before anything scrolls.

        (A scroll area takes this for the least height. By default it is the height that the list
        likes best.)
        """
        return self._column.minimumHeightForWidth(width)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Draw everything again when the palette changes between light and dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.finder.watched:
            self.maps.map_actions.draw_icons()
            self.finder.look_for_changes(PALETTE_MS)
