"""The gallery: many maps of the script as pictures, to filter, sort, pin, compare and take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QProgressBar,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.features.gallery import messages as gallery_words
from app.features.gallery.actions import GalleryActions
from app.features.gallery.candidates import Candidate, same_roll
from app.features.gallery.example_filters import example_filters
from app.features.gallery.filter_line import GalleryFilter
from app.features.gallery.finished_searches import FinishedSearch, FinishedSearches
from app.features.gallery.messages import GalleryMessage
from app.features.gallery.model import GalleryModel
from app.features.gallery.search import AT_ONCE, Ended, GalleryRequest
from app.features.gallery.search_job import GallerySearch
from app.features.gallery.seed_fields import SeedFields
from app.features.gallery.sorting import GallerySorting
from app.features.gallery.view import GalleryView
from app.qt_guard import connect, guarded
from app.render.renderer import Renderer
from app.render.thumbnails.thumbnail_queue import MARGIN, RollThumbnails
from app.rolling.layers_above import LayersAbove
from app.rolling.roll_setup import RolledMaps
from app.widgets.layout.builders import described, tool_button
from app.widgets.layout.wrapping_row import WrappingLabel, WrappingRow, side_by_side
from app.widgets.lists.empty_state import EmptyState
from randomizer.generator import symmetry_note
from randomizer.model.map.layer import Roll
from randomizer.model.problems import Problem
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.rolling.roll_setup import RollSetup
    from randomizer.batches.batch import Measure
    from randomizer.generator import Base

WAIT_MS = 30
"""How long changes are gathered; the script's checker has waited for a pause in typing already."""

PALETTE_MS = 300
"""How long after a change of the palette the gallery is drawn: other parts come first."""

BUSY_AFTER_MS = 120
"""A search that takes longer shows its progress."""

UNASKED = 100_000
"""How many rolls are tried at most when the script or a lock changes."""

ASKED = 1_000_000
"""How many rolls are tried at most after Enter."""

SIZES = (64, 240)
"""The narrowest and the widest picture, in logical pixels."""

WIDTH = 122
"""The width of pictures at first: five stand beside each other in the first window."""


class GallerySource(Protocol):
    """Gives the panel what its maps are rolled from."""

    def why_not(self) -> str:
        """Return why nothing can be rolled now, in words; "" if something can."""

    def setup(self) -> RollSetup:
        """Return the setup of the maps."""

    def base(self) -> Base:
        """Return the base that the maps are rolled onto."""

    def shown(self) -> Roll | None:
        """Return the roll that the current map shows; None if it was not rolled."""


class GalleryPanel(QWidget):
    """``taken(Candidate)``, ``opened(Candidate)``: one is wanted as a layer, or in a tab.

    ``compared(list)``: one is to be compared with the map, or two with each other.
    ``pins_changed(tuple[Roll])``, ``width_changed(int)``: what to remember. Maps are rolled
    only while the panel is seen: see ``watch``. ``variations_ended()``: those of the script are
    wanted again.
    """

    taken = Signal(object)
    opened = Signal(object)
    compared = Signal(object)
    pins_changed = Signal(object)
    width_changed = Signal(int)
    variations_ended = Signal()

    def __init__(
        self,
        source: GallerySource,
        renderer: Renderer,
        pins: tuple[Roll, ...] = (),
        width: int = WIDTH,
        seed: int = 0,
    ) -> None:
        super().__init__()
        self._source = source
        self._like = renderer
        self._pins = pins
        self._first = 0
        self._count = AT_ONCE
        self._maps = 0
        self._condition = ""
        self._asked: tuple[object, ...] = ()
        self._ended: Ended | None = None
        self._finished = FinishedSearches()
        self._base: Base | None = None
        self._filtered: System | None = None
        self._measures: tuple[Measure, ...] = ()
        self._appends = False
        self._watched = False
        width = min(max(width, SIZES[0]), SIZES[1])
        self.pictures = RollThumbnails(renderer, QSize(width, width), self)
        self.model = GalleryModel(self.pictures, self)
        self.view = GalleryView(self.model)
        self.empty = EmptyState(self.view, "")
        self.search = GallerySearch(self)
        self.filter = GalleryFilter(self._examples)
        self.commands = GalleryActions(self.view, self.model)
        self._timer = QTimer(self, singleShot=True)
        connect(self._timer.timeout, self.refresh)
        self._busy_timer = QTimer(self, singleShot=True, interval=BUSY_AFTER_MS)
        self._lay_out(width, seed)
        self.setFocusProxy(self.view)
        self._connect()

    # --- construction -----------------------------------------------------------------------

    def _lay_out(self, width: int, seed: int) -> None:
        self.cancel_button = self._button("Cancel", "Stop looking; what was found stays")
        self.sorting = GallerySorting()
        self.numbers = SeedFields(seed)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(*SIZES)
        self.slider.setValue(width)
        self.slider.setAccessibleName("Size of the pictures")
        self.slider.setToolTip("Size of the pictures")
        self.slider.setFixedWidth(52)
        self.above = LayersAbove(
            "Show, filter and sort the maps as they will be, with the layers above the roll and "
            "with what was painted into it; else the rolls alone",
            checked=True,
        )
        self.message = WrappingLabel()
        self.progress = described(QProgressBar(), "Progress of the search")
        self.progress.setFixedWidth(72)
        self.searching = side_by_side(self.progress, self.cancel_button)
        self.searching.hide()
        self.more = self._button("More", "Go on with the numbers that follow")
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 4, 6, 4)
        column.setSpacing(4)
        self.end_variations = self._button(
            "End variations", "These are variations of the map; show the maps of the script again"
        )
        self.end_variations.hide()
        column.addLayout(WrappingRow(self.end_variations, self.filter, self.searching))
        column.addLayout(WrappingRow(self.sorting, self.slider, self.above, self.numbers))
        column.addWidget(self.view, 1)
        buttons = side_by_side(*self.commands.buttons(), self.more, right=True)
        column.addLayout(WrappingRow(self.message, buttons))

    def _button(self, text: str, tip: str) -> QToolButton:
        return tool_button(text, tip)

    def _connect(self) -> None:
        connect(self.filter.requested, self._want)
        connect(self.filter.mistaken, self._on_mistake)
        connect(self.cancel_button.clicked, self.search.stop)
        connect(self.sorting.chosen, self._sort)
        connect(self.sorting.turned, self.model.sort_down)
        connect(self.above.toggled, lambda _on: self.changed())
        connect(self.numbers.typed, lambda: self._restart(0, 150))
        connect(self.numbers.requested, self.show_seed)
        connect(self.numbers.mistaken, lambda text: self._say(GalleryMessage(text)))
        connect(self.slider.valueChanged, self._resize_pictures)
        connect(self.more.clicked, self.show_more)
        connect(self.end_variations.clicked, self.variations_ended)
        connect(self.search.recognised, self._on_known)
        connect(self.search.delivered, self._on_found)
        connect(self.search.pinned, self.model.set_pinned)
        connect(self.search.ended, self._on_ended)
        connect(self.search.failed, self._on_failed)
        connect(self.search.valued, self._on_valued)
        connect(self.search.job.busy_changed, self._on_busy)
        connect(self.search.job.progressed, self.progress.setValue)
        connect(self._busy_timer.timeout, lambda: self._show_busy(True))

        connect(self.commands.taken, self.taken)
        connect(self.commands.opened, self.opened)
        connect(self.commands.compared, self.compared)
        connect(self.commands.pin_wanted, self.pin)

    @property
    def busy(self) -> bool:
        """True if maps are searched for, or will be in a moment."""
        return self._timer.isActive() or self.search.job.busy

    @property
    def has_ended(self) -> bool:
        """True if the search for what is wanted has ended: what it found is shown."""
        return self._ended is not None

    @property
    def watched(self) -> bool:
        """True if the panel is seen, and so works."""
        return self._watched

    # --- when to roll -----------------------------------------------------------------------

    def watch(self, watched: bool) -> None:
        """Work from now on since the panel is seen, or pause since it is not."""
        self._watched = watched
        self.search.pause(not watched)
        if watched:
            self.changed()  # since it was seen last
        else:
            self._timer.stop()
            self.pictures.forget_requests()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Draw everything again when the palette changes between light and dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._watched:
            self.commands.draw_icons()
            self.changed(PALETTE_MS)

    def _follow_theme(self) -> None:
        """Give the list the background of its pictures."""
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, self._like.theme.background)
        self.view.setPalette(palette)

    def changed(self, wait_ms: int = WAIT_MS) -> None:
        """Show soon that the script, the map below, its locks or its roll have changed."""
        if self._watched:
            self._timer.start(wait_ms)

    def show_seed(self, seed: int, first: int = 0) -> None:
        """Show the maps of another seed, or from another number on."""
        self.numbers.seed.show_value(seed)
        self._restart(first)

    def _restart(self, first: int, wait_ms: int = 0) -> None:
        self._first = first
        self._count = AT_ONCE
        self._timer.start(wait_ms)

    def _want(self, condition: str) -> None:
        self._condition = condition
        self._first = 0
        self._count = AT_ONCE
        self.refresh(ASKED)

    def show_more(self) -> None:
        """Search on, from the number after the last one tried."""
        if self._ended is not None:
            self._count += AT_ONCE
            self._start(ASKED, self._ended.following)

    def refresh(self, budget: int = UNASKED) -> None:
        """Search for the maps to show now, unless they are shown already."""
        self._timer.stop()
        if not self._watched:
            return
        self._drop_filter_of_others()
        self._follow_theme()
        self.model.show_roll(self._source.shown())
        why_not = self._source.why_not()
        self._maps = 0 if why_not else self._source.setup().maps
        self.end_variations.setVisible(bool(self._maps))
        if why_not:
            self._asked = ()
            self.search.cancel()
            if self._base is not None and self._base.grid is not self._source.base().grid:
                self.model.set_unpinned([])  # maps of another kind than the current one
                self._ended = None
            self._say(GalleryMessage(why_not))
        else:
            self._start(budget)
        self.commands.enable()

    def _drop_filter_of_others(self) -> None:
        """Empty the filter if it was written for maps of another system."""
        system = self._source.base().system
        if self._filtered is not None and self._filtered is not system:
            self._condition = ""
            self.filter.forget()
        self._filtered = system

    def _start(self, budget: int, following: int | None = None) -> None:
        """Search from the first number on, or only from number ``following`` on."""
        setup = self._source.setup()
        base = self.above.base_for(self._source.base())
        seed = self.numbers.seed.value
        asked = (RolledMaps(setup, base), seed, self._first, self._condition)
        if asked == self._asked and budget == UNASKED:
            return
        before = self._base
        self._base = base
        self._asked = asked
        if before is None or before.grid is not base.grid:
            self._resize_pictures()
        self._appends = following is not None
        first, count = (self._first, self._count) if following is None else (following, AT_ONCE)
        measure = self.model.measure
        condition = self._condition
        if budget == UNASKED:
            finished = self._finished.find(asked, self._pins)
        else:
            finished = None
        if finished is not None:
            self._show_finished(finished)
            return
        self._ended = None
        self.search.start(
            GalleryRequest(setup, seed, base, first, count, condition, budget, self._pins, measure)
        )

    def _show_finished(self, finished: FinishedSearch) -> None:
        """Show what was found before, for a map that is current again."""
        self.search.cancel()
        self._count = finished.count
        self._on_known(finished.measures)
        self.model.set_pinned(finished.pinned)
        self._on_found(list(finished.unpinned), first=True)
        self._on_ended(finished.ended)

    def _on_known(self, measures: tuple[Measure, ...]) -> None:
        """Offer the measures of the maps for filters and for sorting."""
        if self._base is not None:
            self.filter.set_language(self._base, measures)
        if self.sorting.offer(measures):
            self._measures = measures
            self.model.sort_by(self.sorting.measure)

    # --- what comes back --------------------------------------------------------------------

    def _on_found(self, candidates: list[Candidate], first: bool) -> None:
        if first and not self._appends:
            self.model.set_unpinned(candidates)
        else:
            self.model.add(candidates)
        if self.model.measure is not None:  # it may be another than when the search began
            self._sort()

    def _on_ended(self, ended: Ended) -> None:
        self._ended = ended
        self._say(self._end_said())
        assert self._base is not None, "it was searched onto one"
        if self._asked:
            self._finished.add(
                FinishedSearch(
                    self._asked,
                    self._pins,
                    self._base,
                    self._measures,
                    self.model.unpinned,
                    self.model.pinned,
                    ended,
                    self._count,
                )
            )

    def _end_said(self) -> GalleryMessage:
        assert self._ended is not None, "it is asked for then only"
        seed = self.numbers.seed.value
        shown = sum(not each.problems for each in self.model.unpinned)
        of_filter = bool(self._condition)
        message = gallery_words.describe_end(
            self._ended, seed, self._first, shown, of_filter=of_filter
        )
        setup = self._source.setup()
        base = self._source.base()
        note = symmetry_note(base.system, setup.settings)
        if note:
            return message._replace(text=f"{message.text}. {note}")
        return message

    def _on_failed(self, problems: Sequence[Problem], of_filter: bool) -> None:
        self._asked = ()
        if of_filter:
            self._on_mistake(problems[0])
            return
        locks = gallery_words.describe_locks(problems)
        if locks is not None:  # what is shown keeps the locks no more
            self.model.set_unpinned([])
            self._ended = None
        self._say(locks or gallery_words.describe_script_problem(problems[0]))

    def _on_mistake(self, problem: Problem | None) -> None:
        if problem is not None:
            self._say(gallery_words.describe_mistake(problem))
        elif cost := self.filter.cost():
            self._say(GalleryMessage(f"{cost}."))
        elif self._ended is not None:
            self._say(self._end_said())

    def _say(self, message: GalleryMessage) -> None:
        self.message.setText(message.text)
        self.empty.setText(message.without_maps)
        ended = self._ended
        self.more.setEnabled(ended is not None and (not self._maps or ended.following < self._maps))

    def _on_busy(self, busy: bool) -> None:
        if busy:
            self._busy_timer.start()
        else:
            self._busy_timer.stop()
            self._show_busy(False)

    def _show_busy(self, busy: bool) -> None:
        self.progress.setValue(0)
        self.searching.setVisible(busy)
        if busy:
            cost = self.filter.cost()
            self._say(GalleryMessage(f"Looking for maps ... {cost}".rstrip()))

    # --- order and size ---------------------------------------------------------------------

    def _sort(self) -> None:
        """Sort the maps by the chosen measure, when its values are known."""
        measure = self.sorting.measure
        everything = [candidate for candidate in self.model.candidates if not candidate.problems]
        sides = all(each.batch.hexside is not None for each in everything)
        if measure is None or (measure.sides and not sides):  # those of the map before are listed
            self.model.sort_by(None)
            return
        if all(measure.name in each.values for each in everything):
            self.model.sort_by(measure)
        else:
            self.search.measure(measure, everything)

    def _on_valued(self, measure: Measure) -> None:
        if measure is self.sorting.measure:
            self.model.sort_by(measure)

    def _resize_pictures(self) -> None:
        """Make the pictures as wide as the slider says, as high as the map needs."""
        width = self.slider.value()
        height = self.slider.value()
        if self._base is not None:
            left, top, right, bottom = self._base.grid.bounds
            height = round(width * (bottom - top + 2 * MARGIN) / (right - left + 2 * MARGIN))
        size = QSize(width, min(max(height, width // 3), 2 * width))
        self.pictures.set_size(size, self.devicePixelRatioF())
        self.view.set_picture_size(size)
        self.width_changed.emit(width)

    # --- pins -------------------------------------------------------------------------------

    def pin(self, candidates: Sequence[Candidate]) -> None:
        """Pin these maps; unpin those that are pinned already."""
        pinned = list(self.model.pinned)
        for candidate in candidates:
            pinned_before = next(
                (each for each in pinned if same_roll(each.roll, candidate.roll)), None
            )
            if pinned_before is None:
                pinned.append(candidate)
                self._pins = (*self._pins, candidate.roll)
            else:
                pinned.remove(pinned_before)
                self._pins = tuple(p for p in self._pins if not same_roll(p, candidate.roll))
        self.model.set_pinned(pinned)
        self.pins_changed.emit(self._pins)

    def _examples(self) -> list[tuple[str, str]]:
        candidates = [
            each for each in (*self.model.unpinned, *self.model.pinned) if not each.problems
        ]
        if not candidates:
            return []
        return example_filters(candidates[0].batch, self._measures)
