"""The gallery: many maps of the script as pictures, to filter, sort, pin, compare and take.

``GalleryPanel`` puts together the form above the maps (``GalleryForm``), the list of maps
(``GalleryList``) and the status below it (``GalleryStatus``). ``GallerySearch`` rolls the maps on
another thread. A search begins for one of three reasons::

    refresh      the script, a lock or the map below has changed: search, unless the maps are shown
    search_anew  the user asks for maps: search in any case
    show_more    search on behind the last number

Then ``GallerySearch`` tells the measures of the maps (``_show_measures``), the maps that it finds
(``_show_maps``) and how it has ended (``_on_ended``), or why it failed (``_on_failed``). The same
is shown at once for maps that were found earlier (``_show_finished``).

What is shown stays until the first maps of the next search are there, dimmed if they are not what
the filter asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.features.gallery import messages
from app.features.gallery.candidates import Candidate
from app.features.gallery.example_filters import Example, example_filters
from app.features.gallery.finished_searches import FinishedSearch, FinishedSearches
from app.features.gallery.form import MAX_WIDTH, MIN_WIDTH, GalleryForm
from app.features.gallery.map_list import GalleryList
from app.features.gallery.messages import GalleryMessage
from app.features.gallery.search import AT_ONCE, MAX_ROLLS, Ended, GalleryRequest
from app.features.gallery.search_job import GallerySearch
from app.features.gallery.shown_search import SearchInputs, ShownSearch
from app.features.gallery.status import GalleryStatus
from app.qt_guard import connect, guarded
from app.render.renderer import Renderer
from app.rolling.rolled_maps import RolledMaps
from app.widgets.layout.builders import lay_out
from randomizer.model.map.layer import Roll
from randomizer.model.problems import Problem
from randomizer.symmetric_rolls import symmetry_note

if TYPE_CHECKING:
    from app.rolling.roll_setup import RollSetup
    from randomizer.batches.batch import Batch, Measure
    from randomizer.roll_base import Base

WAIT_MS = 30
"""Changes are gathered for so long, in milliseconds.

The checker of the script has waited for a pause in typing already.
"""

PALETTE_MS = 300
"""The milliseconds from a change of the palette until the gallery is drawn: last of all."""

TALLY_MS = 200
"""So often the number of maps that were tried changes, at most: it can be read."""

MAX_ROLLS_BY_ITSELF = 100_000
"""The most rolls that are tried when the script or a lock changes, without anybody asking."""

TYPING = "Maps are looked for as soon as the filter is complete."
"""The message while a filter is typed."""

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

    def roll_on_map(self) -> Roll | None:
        """Return the roll that the current map shows; None if it was not rolled."""


class GalleryPanel(QWidget):
    """Searches for what ``form`` asks, shows it in ``maps`` and tells how it ended in ``status``.

    Maps are rolled only while the panel is seen: see ``watch``.
    """

    def __init__(
        self,
        source: GallerySource,
        renderer: Renderer,
        pins: tuple[Roll, ...] = (),
        width: int = WIDTH,
        seed: int = 0,
    ) -> None:
        super().__init__()
        width = min(max(width, MIN_WIDTH), MAX_WIDTH)  # a stored width may be of another version
        self._source = source
        self._shown: ShownSearch | None = None
        """The search that is shown or under way, None before the first."""
        self._finished = FinishedSearches()
        """Earlier searches, for maps that are current again."""
        self._example_batch: Batch | None = None
        """Maps that a search has found, for examples of filters; None before the first search."""
        self._is_mistaken = False
        """True if the filter that is typed has a mistake."""
        self._watched = False
        """True while the panel is seen, and so works."""
        self.form = GalleryForm(self._examples, width, seed)
        self.maps = GalleryList(renderer, pins, width)
        self.status = GalleryStatus(self.maps.map_actions.buttons())
        self.search = GallerySearch(self)
        self._timer = QTimer(self, singleShot=True)
        """Runs from a change until the panel looks which maps to show now."""
        self._tally_timer = QTimer(self, singleShot=True, interval=TALLY_MS)
        """Runs while the number of tried maps stays as it is, so that it can be read."""
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
        """Connect the form, the list, the status and the search."""
        form = self.form
        status = self.status
        search = self.search
        connect(self._timer.timeout, self.refresh)

        # What the user asks for.
        connect(form.requested, lambda: self.search_anew())
        connect(form.maps_outdated, self._timer.start)
        connect(form.filter.mistake_changed, self._on_filter_typed)
        connect(
            form.seed_fields.input_rejected, lambda text: self._show_message(GalleryMessage(text))
        )
        connect(form.sorting.chosen, self._sort)
        connect(form.sorting.order_changed, self.maps.model.set_descending)
        connect(form.layers_above.toggled, lambda _on: self.changed())
        connect(form.slider.valueChanged, self.maps.set_picture_width)
        connect(status.cancel_button.clicked, search.stop)
        connect(status.more.clicked, self.show_more)
        connect(status.fix_button.clicked, form.filter.apply_fix)
        connect(status.busy_timer.timeout, self._say_search)

        # What the search finds.
        connect(search.measures_known, self._show_measures)
        connect(search.delivered, self._show_maps)
        connect(search.pinned, self.maps.model.set_pinned)
        connect(search.tried, self._say_tally)
        connect(search.ended, self._on_ended)
        connect(search.failed, self._on_failed)
        connect(search.values_known, self._on_values_known)
        connect(search.measuring_failed, self._on_measuring_failed)
        connect(search.job.busy_changed, status.show_busy)
        connect(search.job.progressed, status.show_progress)

    @guarded(default=0)
    def heightForWidth(self, width: int) -> int:
        """Return the least height: in a low window the list gets smaller before anything scrolls.

        (A scroll area takes this for the least height. By default it is the height that the list
        likes best.)
        """
        return self._column.minimumHeightForWidth(width)

    @property
    def busy(self) -> bool:
        """True if maps are searched for, or will be in a moment."""
        return self._timer.isActive() or self.search.job.busy

    @property
    def has_ended(self) -> bool:
        """True if the search for what is wanted has ended: what it found is shown."""
        return self._shown is not None and self._shown.ended is not None

    @property
    def watched(self) -> bool:
        """True if the panel is seen, and so works."""
        return self._watched

    # --- when to roll -----------------------------------------------------------------------

    def watch(self, watched: bool) -> None:
        """Work from now on since the panel is seen, or pause since it is not."""
        self._watched = watched
        if watched:
            self.search.resume()
            self.changed()  # since it was seen last
        else:
            self.search.pause()
            self._timer.stop()
            self.maps.pictures.forget_requests()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Draw everything again when the palette changes between light and dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._watched:
            self.maps.map_actions.draw_icons()
            self.changed(PALETTE_MS)

    def changed(self, wait_ms: int = WAIT_MS) -> None:
        """Show soon that the script, the map below, its locks or its roll have changed."""
        if self._watched:
            self._timer.start(wait_ms)

    def refresh(self) -> None:
        """Search for the maps to show now, unless they are shown already or were found before."""
        self._search_if_possible(MAX_ROLLS_BY_ITSELF, anew=False)

    def search_anew(self, budget: int = MAX_ROLLS) -> None:
        """Search for the maps to show now, as the user has asked for; roll ``budget`` at most."""
        self._search_if_possible(budget, anew=True)

    def show_more(self) -> None:
        """Search on, from the number after the last one tried.

        If the inputs have changed meanwhile, these are other maps, which begin with the first.
        """
        shown = self._shown
        if shown is None or shown.ended is None:
            return
        if shown.is_outdated or shown.inputs != self._current_inputs():
            self.search_anew()
            return
        next_number = shown.ended.next_number
        self.form.count += AT_ONCE
        self._set_shown(self._current_inputs(), appends=True)
        self._start_job(next_number, AT_ONCE, MAX_ROLLS)

    def _search_if_possible(self, budget: int, *, anew: bool) -> None:
        """Search for the maps that script, map and form call for now, while the panel is seen.

        At most ``budget`` maps are rolled. ``anew``: also if the maps are shown already. If nothing
        can be rolled now, tell why.
        """
        self._timer.stop()
        if not self._watched:
            return
        self.form.set_system(self._source.base().system)
        if not self.form.filter.text():
            self._is_mistaken = False
        self.maps.follow_theme()
        self.maps.model.show_roll(self._source.roll_on_map())
        self.form.end_variations_button.setVisible(self._number_of_variations() is not None)
        why_not = self._source.why_not()
        if why_not:
            self._show_why_not(why_not)
        else:
            self._search_unless_shown(budget, anew=anew)
        self._dim_maps()
        self.maps.map_actions.enable()

    def _show_why_not(self, why_not: str) -> None:
        """Tell why nothing can be rolled now; the maps that are shown stay if they fit the map."""
        self.search.cancel()
        shown = self._shown
        if shown is not None:
            shown.mark_outdated()
            if shown.base.grid is not self._source.base().grid:
                self.maps.model.set_unpinned([])
                shown.ended = None
        self._show_message(GalleryMessage(why_not))

    def _number_of_variations(self) -> int | None:
        """Return how many maps there are, where they are variations of one; None: without end.

        None, too, while nothing can be rolled.
        """
        if self._source.why_not():
            return None
        return self._source.setup().behaviour.map_count

    def _search_unless_shown(self, budget: int, *, anew: bool) -> None:
        """Search from the first number on; ``anew``: also for maps that are shown already.

        Maps that were found earlier, and are not to be searched for anew, are shown at once.
        """
        inputs = self._current_inputs()
        shown = self._shown
        if not anew and shown is not None and not shown.is_outdated and shown.inputs == inputs:
            return
        self._set_shown(inputs, appends=False)
        if not anew:
            finished = self._finished.find(inputs, self.maps.pins)
            if finished is not None:
                self._show_finished(finished)
                return
        self._start_job(self.form.first_number, self.form.count, budget)

    def _current_inputs(self) -> SearchInputs:
        """Return the inputs of a search for what script, map and form call for now."""
        form = self.form
        base = form.layers_above.base_for(self._source.base())
        maps = RolledMaps(self._source.setup(), base)
        return SearchInputs(maps, form.seed, form.first_number, form.condition)

    def _set_shown(self, inputs: SearchInputs, *, appends: bool) -> None:
        """Show from now on a search with these inputs, of which nothing is found yet."""
        # Without a filter the first maps come at once: dimming would only flicker.
        awaits_first_maps = bool(inputs.condition) and not appends
        self._shown = ShownSearch(inputs, appends, awaits_first_maps)
        self.maps.fit_pictures_to(inputs.maps.base)

    def _start_job(self, first: int, count: int, budget: int) -> None:
        """Search for ``count`` maps from the number ``first`` on; at most ``budget`` are rolled.

        It is the search that is shown from now on (``_set_shown``).
        """
        assert self._shown is not None, "it is shown before it starts"
        inputs = self._shown.inputs
        self.search.start(
            GalleryRequest(
                setup=inputs.maps.setup,
                seed=inputs.seed,
                base=inputs.maps.base,
                first=first,
                count=count,
                condition=inputs.condition,
                budget=budget,
                pins=self.maps.pins,
                measure=self.maps.model.measure,
            )
        )

    # --- what comes back --------------------------------------------------------------------

    def _show_finished(self, finished: FinishedSearch) -> None:
        """Show what was found before, for a map that is current again."""
        self.search.cancel()
        self.form.count = finished.count
        self._show_measures(finished.measures)
        self.maps.model.set_pinned(finished.pinned)
        self._show_maps(list(finished.unpinned), first=True)
        self._show_end(finished.ended)
        self._finished.add(finished)  # it is the latest again, and the last to be dropped

    def _show_measures(self, measures: tuple[Measure, ...]) -> None:
        """Offer the measures of the maps for filters and for sorting."""
        assert self._shown is not None, "only the shown search emits this"
        if self.form.set_measures(self._shown.base, measures):
            self.maps.model.sort_by(self.form.sorting.measure)

    def _show_maps(self, candidates: list[Candidate], first: bool) -> None:
        """Show maps that were found; ``first``: they are the first of the search."""
        assert self._shown is not None, "only the shown search emits this"
        model = self.maps.model
        self._shown.awaits_first_maps = False
        self._dim_maps()
        if candidates:
            self._example_batch = candidates[0].batch
        if first and not self._shown.appends:
            model.set_unpinned(candidates)
        else:
            model.add(candidates)
        if model.measure is not None:  # it may be another than when the search began
            self._sort()

    def _on_ended(self, ended: Ended) -> None:
        """Tell how the search ended, and keep what it found for the next time."""
        self._show_end(ended)
        shown = self._shown
        assert shown is not None, "only the shown search emits this"
        if not shown.is_outdated:
            self._finished.add(
                FinishedSearch(
                    inputs=shown.inputs,
                    pins=self.maps.pins,
                    base=shown.base,
                    measures=self.form.measures,
                    unpinned=self.maps.model.unpinned,
                    pinned=self.maps.model.pinned,
                    ended=ended,
                    count=self.form.count,
                )
            )

    def _show_end(self, ended: Ended) -> None:
        """Tell how the shown search has ended."""
        assert self._shown is not None, "it is shown before it ends"
        self._shown.ended = ended
        self._show_message(self._describe_end(ended))

    def _on_measuring_failed(self, problems: Sequence[Problem]) -> None:
        """Tell why the maps, which stay as they are, cannot be sorted."""
        self._show_message(GalleryMessage(problems[0].message))

    def _on_failed(self, problems: Sequence[Problem], of_filter: bool) -> None:
        """Tell why a search has failed; ``of_filter``: because no map can pass the filter."""
        shown = self._shown
        assert shown is not None, "only the shown search emits this"
        shown.mark_outdated()
        message_on_locks = messages.describe_locks(problems)
        if of_filter:
            shown.is_filter_refused = True
            self._show_message(messages.describe_mistake(problems[0]))
        elif message_on_locks is not None:
            self.maps.model.set_unpinned([])  # what is shown keeps the locks no more
            shown.ended = None
            self._show_message(message_on_locks)
        else:
            self._show_message(messages.describe_script_problem(problems[0]))
        self._dim_maps()

    # --- what is told -----------------------------------------------------------------------

    def _describe_end(self, ended: Ended) -> GalleryMessage:
        """Return the message on a search that has ended, with a note on the map's symmetry."""
        form = self.form
        rolled_count = sum(not candidate.problems for candidate in self.maps.model.unpinned)
        message = messages.describe_end(
            ended, form.seed, form.first_number, rolled_count, of_filter=bool(form.condition)
        )
        note = symmetry_note(self._source.base().system, self._source.setup().settings)
        if note:
            return message._replace(text=f"{message.text}. {note}")
        return message

    def _on_filter_typed(self, mistake: Problem | None) -> None:
        """Tell of a mistake in the filter that is typed; None: it has none, or none so far."""
        self._is_mistaken = mistake is not None
        self._dim_maps()
        self.status.offer_fix(None)  # that of the mistake before
        if mistake is None:
            self._say_what_comes_of_filter()
        else:
            self._show_message(messages.describe_mistake(mistake))

    def _say_what_comes_of_filter(self) -> None:
        """Tell whether maps are looked for with the filter that is typed, which has no mistake."""
        filter_line = self.form.filter
        why_slow = filter_line.cost()
        shown = self._shown
        if why_slow:
            self._show_message(GalleryMessage(f"{why_slow}. Press Enter to look for such maps."))
        elif filter_line.text() != self.form.condition:
            self.status.message.setText(TYPING)  # the list and More stay as they are meanwhile
        elif shown is not None and shown.ended is not None:
            # The user is back at the filter whose maps are shown.
            self._show_message(self._describe_end(shown.ended))

    def _dim_maps(self) -> None:
        """Dim the maps that are shown if they are not those that the filter asks for."""
        has_maps_of_filter = self._shown is None or self._shown.has_maps_of_filter
        self.maps.view.set_dimmed(self._is_mistaken or not has_maps_of_filter)

    def _say_tally(self, tried: int, found_count: int) -> None:
        """Say how many maps were tried and found so far, once a search has become slow."""
        if self.status.is_slow and not self._tally_timer.isActive():
            self._tally_timer.start()
            self._show_message(messages.describe_tally(tried, found_count))

    def _say_search(self) -> None:
        """Say that maps are searched for, and what makes the filter slow."""
        why_slow = self.form.filter.cost()
        self._show_message(GalleryMessage(f"Looking for maps ... {why_slow}".rstrip()))

    def _show_message(self, message: GalleryMessage) -> None:
        """Show a message beside the buttons, and below it what stands in an empty list.

        The button More is enabled if there are more maps.
        """
        self.status.message.setText(message.text)
        self.status.offer_fix(message.fix)
        self.maps.empty.setText(message.without_maps)
        self.status.more.setEnabled(self._has_more())

    def _has_more(self) -> bool:
        """Return whether there are maps after those that were tried."""
        if self._shown is None or self._shown.ended is None:
            return False
        variations = self._number_of_variations()
        return variations is None or self._shown.ended.next_number < variations

    # --- order ------------------------------------------------------------------------------

    def _sort(self) -> None:
        """Sort the maps by the chosen measure, or by number if none is chosen or none fits.

        Values that are not known yet are computed first: ``_on_values_known`` sorts by them.
        """
        measure = self.form.sorting.measure
        if measure is None or not self.maps.can_measure(measure):
            self.maps.model.sort_by(None)
        elif self.maps.is_measured(measure):
            self.maps.model.sort_by(measure)
        else:
            self.search.measure(measure, self.maps.candidates)

    def _on_values_known(self, measure: Measure) -> None:
        """Sort by a measure whose values are known now, if it is still the chosen one."""
        if measure is self.form.sorting.measure:
            self.maps.model.sort_by(measure)

    def _examples(self) -> list[Example]:
        """Return filters for maps like those that are shown."""
        batch = self._example_batch
        if batch is None or self._shown is None or batch.base.grid is not self._shown.base.grid:
            return []
        return example_filters(batch, self.form.measures)
