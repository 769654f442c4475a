"""Finds the maps that the gallery shows, and tells how the search goes.

``MapFinder`` compares what the script, the map and the form call for with what the list shows. If
that is something else, it searches (``GallerySearch``, on another thread), in one of these ways:

    look_for_changes   in a moment: something has changed that maps may depend on
    refresh            now, unless the maps are shown already or were found earlier
    search_anew        now, in any case: the user asks for maps
    show_more          for further maps, from the number after the last one tried

What is shown stays until the first maps of the next search are there, dimmed if they are not what
the filter asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QTimer

from app.appearance.quotes import with_quotes
from app.features.gallery import messages
from app.features.gallery.candidates import Candidate
from app.features.gallery.finished_searches import FinishedSearch, FinishedSearches
from app.features.gallery.form import GalleryForm
from app.features.gallery.map_list import GalleryList
from app.features.gallery.messages import GalleryMessage
from app.features.gallery.search import AT_ONCE, MAX_ROLLS, Ended, GalleryRequest
from app.features.gallery.search_job import GallerySearch
from app.features.gallery.shown_search import SearchInputs, ShownSearch, Validity
from app.features.gallery.status import GalleryStatus
from app.qt_guard import connect
from app.rolling.rolled_maps import RolledMaps
from randomizer.symmetric_rolls import symmetry_note

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from app.rolling.roll_setup import RollSetup
    from randomizer.batches.batch import Batch, Measure
    from randomizer.model.map.layer import Roll
    from randomizer.model.problems import Problem
    from randomizer.roll_base import Base

WAIT_MS = 30
"""Changes are gathered for so long, in milliseconds.

The checker of the script has waited for a pause in typing already.
"""

TALLY_MS = 200
"""So often the number of maps that were tried changes, at most: it can be read."""

MAX_ROLLS_BY_ITSELF = 100_000
"""The most rolls that are tried when the script or a lock changes, without anybody asking."""

TYPING = "Maps are looked for as soon as the filter is complete."
"""The message while a filter is typed."""


class GallerySource(Protocol):
    """Says what the maps of the gallery are rolled from."""

    def why_not(self, *, are_maps_shown: bool) -> str:
        """Return why nothing can be rolled now, in words; "" if something can."""

    def setup(self) -> RollSetup:
        """Return the setup of the maps."""

    def base(self) -> Base:
        """Return the base that the maps are rolled onto."""

    def roll_on_map(self) -> Roll | None:
        """Return the roll that the current map shows; None if it was not rolled."""

    def open_map(self) -> OpenMap:
        """Return the current map."""

    def first_seed(self) -> int:
        """Return the seed with which the gallery of the current map begins."""


class MapFinder(QObject):
    """Searches for what ``form`` asks, shows it in ``maps`` and tells how it ended in ``status``.

    It works only while the gallery is seen (``watch``).
    """

    def __init__(
        self, source: GallerySource, form: GalleryForm, maps: GalleryList, status: GalleryStatus
    ) -> None:
        super().__init__(maps)
        self._source = source
        self._form = form
        self._maps = maps
        self._status = status
        self._shown: ShownSearch | None = None
        """The search that is shown or under way, None before the first."""
        self._finished = FinishedSearches()
        """Earlier searches, for maps that are current again."""
        self._is_mistaken = False
        """True if the filter that is typed has a mistake."""
        self.example_batch: Batch | None = None
        """Maps that a search has found, for examples of filters; None before the first search."""
        self.watched = False
        """True while the gallery is seen, and so works."""
        self.search = GallerySearch(self)
        self._timer = QTimer(self, singleShot=True)
        """Runs from a change until the list shows what is called for now."""
        self._tally_timer = QTimer(self, singleShot=True, interval=TALLY_MS)
        """Runs while the number of tried maps stays as it is, so that it can be read."""
        self._connect()

    def _connect(self) -> None:
        """Connect what asks for maps, the search, and what tells how it goes."""
        form = self._form
        status = self._status
        search = self.search
        connect(self._timer.timeout, self.refresh)
        connect(form.requested, self._on_requested)
        connect(form.maps_outdated, self._timer.start)
        connect(form.filter.mistake_changed, self._on_filter_typed)
        connect(status.more.clicked, self.show_more)
        connect(status.cancel_button.clicked, search.stop)
        connect(status.busy_timer.timeout, self._report_search)
        connect(search.measures_known, self._show_measures)
        connect(search.delivered, self._show_maps)
        connect(search.pinned, self._maps.model.set_pinned)
        connect(search.tried, self._report_tally)
        connect(search.ended, self._on_ended)
        connect(search.failed, self._on_failed)
        connect(search.filter_refused, self._on_filter_refused)
        connect(search.values_known, self._on_values_known)
        connect(search.measuring_failed, self._on_measuring_failed)
        connect(search.job.busy_changed, status.show_busy)
        connect(search.job.progressed, status.show_progress)

    @property
    def busy(self) -> bool:
        """True if maps are searched for, or will be in a moment."""
        return self._timer.isActive() or self.search.job.busy

    @property
    def has_ended(self) -> bool:
        """True if the search for what is wanted has ended: what it found is shown."""
        return self._shown is not None and self._shown.ended is not None

    # --- when to search ---------------------------------------------------------------------

    def watch(self, watched: bool) -> None:
        """Work from now on since the gallery is seen, or pause since it is not."""
        self.watched = watched
        if watched:
            self.search.resume()
            self.look_for_changes()  # since it was seen last
        else:
            self.search.pause()
            self._timer.stop()
            self._maps.pictures.forget_requests()

    def look_for_changes(self, wait_ms: int = WAIT_MS) -> None:
        """Show soon what the script, the map below, its locks and its roll are now."""
        if self.watched:
            self._timer.start(wait_ms)

    def refresh(self) -> None:
        """Search for the maps to show now, unless they are shown already or were found before."""
        if self._prepare():
            self._search_unless_known()
        self._finish_refresh()

    def search_anew(self, budget: int = MAX_ROLLS) -> None:
        """Search for the maps to show now, as the user has asked for; roll ``budget`` at most."""
        if self._prepare():
            self._search(self._wanted_inputs(), budget)
        self._finish_refresh()

    def _on_requested(self) -> None:
        """Search for maps that pass the filter, which the user has completed."""
        self.search_anew()

    def show_more(self) -> None:
        """Search on, from the number after the last one tried.

        If the inputs have changed meanwhile, these are other maps, which begin with the first.
        """
        shown = self._shown
        if shown is None or shown.ended is None:
            return
        inputs = self._wanted_inputs()
        if shown.is_outdated or shown.inputs != inputs:
            self.search_anew()
            return
        next_number = shown.ended.next_number
        self._form.set_count(self._form.count + AT_ONCE)
        self._show_search(ShownSearch(inputs, appends=True))
        self._start_job(inputs, next_number, AT_ONCE, MAX_ROLLS)

    def _prepare(self) -> bool:
        """Bring form and list up to date; return whether maps can be rolled.

        If not, tell why. Nothing happens while the gallery is not seen.
        """
        self._timer.stop()
        if not self.watched:
            return False
        source = self._source
        self._form.set_map(source.open_map(), source.first_seed())
        self._form.set_system(source.base().system)
        if not self._form.filter.text():
            self._is_mistaken = False
        self._maps.follow_theme()
        self._maps.model.show_roll(source.roll_on_map())
        self._form.end_variations_button.setVisible(self._are_variations())
        why_not = self._why_not()
        if why_not:
            self._on_nothing_to_roll(why_not)
        return not why_not

    def _finish_refresh(self) -> None:
        """Dim the maps, and enable the actions, as it suits what is shown now."""
        if self.watched:
            self._dim_maps()
            self._maps.map_actions.enable()

    def _why_not(self) -> str:
        """Return why nothing can be rolled now, "" if something can."""
        are_maps_shown = bool(self._maps.model.candidates)
        return self._source.why_not(are_maps_shown=are_maps_shown)

    def _on_nothing_to_roll(self, why_not: str) -> None:
        """Tell why nothing can be rolled now; the maps that are shown stay if they fit the map."""
        self.search.cancel()
        shown = self._shown
        if shown is not None:
            shown.outdate()
            if shown.base.grid is not self._source.base().grid:
                self._maps.model.set_unpinned([])
                shown.clear()
        self.show_message(GalleryMessage(why_not))

    def _search_unless_known(self) -> None:
        """Search for the maps to show now, unless they are shown or were found earlier.

        Maps that were found earlier are shown at once.
        """
        inputs = self._wanted_inputs()
        shown = self._shown
        if shown is not None and not shown.is_outdated and shown.inputs == inputs:
            return
        finished = self._finished.find(inputs, self._maps.pins)
        if finished is None:
            self._search(inputs, MAX_ROLLS_BY_ITSELF)
        else:
            self._show_finished(inputs, finished)

    def _search(self, inputs: SearchInputs, budget: int) -> None:
        """Search from the first number on; at most ``budget`` maps are rolled."""
        self._show_search(ShownSearch(inputs, appends=False))
        self._start_job(inputs, self._form.first_number, self._form.count, budget)

    def _wanted_inputs(self) -> SearchInputs:
        """Return the inputs of a search for what script, map and form call for now."""
        form = self._form
        base = form.layers_above.base_for(self._source.base())
        maps = RolledMaps(self._source.setup(), base)
        return SearchInputs(maps, form.seed, form.first_number, form.condition)

    def _show_search(self, shown: ShownSearch) -> None:
        """Show this search from now on, of which nothing is found yet."""
        self._shown = shown
        self._maps.fit_pictures_to(shown.base)

    def _start_job(self, inputs: SearchInputs, first: int, count: int, budget: int) -> None:
        """Search for ``count`` maps from the number ``first`` on; at most ``budget`` are rolled."""
        self.search.start(
            GalleryRequest(
                setup=inputs.maps.setup,
                seed=inputs.seed,
                base=inputs.maps.base,
                first=first,
                count=count,
                condition=inputs.condition,
                budget=budget,
                pins=self._maps.pins,
                measure=self._maps.model.measure,
            )
        )

    # --- what the search finds --------------------------------------------------------------
    #
    # Only the search that is shown emits signals: it is there in all of these.

    def _current_search(self) -> ShownSearch:
        """Return the search that has found something."""
        assert self._shown is not None, "a search is shown before it starts"
        return self._shown

    def _show_finished(self, inputs: SearchInputs, finished: FinishedSearch) -> None:
        """Show what was found before, for a map that is current again."""
        self.search.cancel()
        self._show_search(ShownSearch(inputs, appends=False))
        self._form.set_count(finished.count)
        self._show_measures(finished.measures)
        self._maps.model.set_pinned(finished.pinned)
        self._show_maps(list(finished.unpinned), is_first=True)
        self._show_end(finished.ended)
        self._finished.add(finished)  # it is the latest again, and the last to be dropped

    def _show_measures(self, measures: tuple[Measure, ...]) -> None:
        """Offer the measures of the maps for filters and for sorting."""
        if self._form.set_measures(self._current_search().base, measures):
            self._maps.model.sort_by(self._form.sorting.measure)

    def _show_maps(self, candidates: list[Candidate], is_first: bool) -> None:
        """Show maps that were found; ``is_first``: they are the first of the search."""
        shown = self._current_search()
        model = self._maps.model
        shown.note_maps()
        self._dim_maps()
        if candidates:
            self.example_batch = candidates[0].batch
        if is_first and not shown.appends:
            model.set_unpinned(candidates)
        else:
            model.add(candidates)
        if model.measure is not None:  # it may be another than when the search began
            self.sort()

    def _on_ended(self, ended: Ended) -> None:
        """Tell how the search ended, and keep what it found for the next time."""
        self._show_end(ended)
        shown = self._current_search()
        if not shown.is_outdated:
            self._finished.add(
                FinishedSearch(
                    inputs=shown.inputs,
                    pins=self._maps.pins,
                    base=shown.base,
                    measures=self._form.measures,
                    unpinned=self._maps.model.unpinned,
                    pinned=self._maps.model.pinned,
                    ended=ended,
                    count=self._form.count,
                )
            )

    def _show_end(self, ended: Ended) -> None:
        """Tell how the shown search has ended."""
        self._current_search().end(ended)
        self.show_message(self._message_on_end(ended))

    def _on_filter_refused(self, problems: Sequence[Problem]) -> None:
        """Tell why no map can pass the filter."""
        self._current_search().outdate(Validity.FILTER_REFUSED)
        self.show_message(messages.describe_mistake(problems[0]))
        self._dim_maps()

    def _on_failed(self, problems: Sequence[Problem]) -> None:
        """Tell why no maps can be rolled."""
        shown = self._current_search()
        shown.outdate()
        message_on_locks = messages.describe_locks(problems)
        if message_on_locks is not None:
            self._maps.model.set_unpinned([])  # what is shown keeps the locks no more
            shown.clear()
            self.show_message(message_on_locks)
        else:
            self.show_message(messages.describe_script_problem(problems[0]))
        self._dim_maps()

    # --- messages ---------------------------------------------------------------------------

    def show_message(self, message: GalleryMessage) -> None:
        """Show a message beside the buttons, and below it what stands in an empty list.

        The button More is enabled if there are more maps.
        """
        self._status.message.setText(with_quotes(message.text))
        self._status.offer_fix(message.fix)
        self._maps.empty.setText(with_quotes(message.without_maps))
        self._status.more.setEnabled(self._has_more())

    def _has_more(self) -> bool:
        """Return whether there are maps after those that were tried."""
        if self._shown is None or self._shown.ended is None:
            return False
        map_count = self._source.setup().behaviour.map_count
        if map_count is None or not self._are_variations():
            return True
        return self._shown.ended.next_number < map_count

    def _are_variations(self) -> bool:
        """Return whether the maps are variations of one: then there is a certain number of them.

        Other maps of a script are without end. While nothing can be rolled, there are neither.
        """
        return not self._why_not() and self._source.setup().behaviour.map_count is not None

    def _message_on_end(self, ended: Ended) -> GalleryMessage:
        """Return the message on a search that has ended, with a note on the map's symmetry."""
        form = self._form
        rolled_count = sum(not candidate.problems for candidate in self._maps.model.unpinned)
        message = messages.describe_end(
            ended, form.seed, form.first_number, rolled_count, of_filter=bool(form.condition)
        )
        note = symmetry_note(self._source.base().system, self._source.setup().settings)
        if note:
            return message._replace(text=f"{message.text}. {note}")
        return message

    def _report_search(self) -> None:
        """Tell that maps are searched for, and what makes the filter slow."""
        why_slow = self._form.filter.cost()
        self.show_message(GalleryMessage(f"Looking for maps ... {why_slow}".rstrip()))

    def _report_tally(self, tried: int, found_count: int) -> None:
        """Tell how many maps were tried and found so far, once a search has become slow."""
        if self._status.is_slow and not self._tally_timer.isActive():
            self._tally_timer.start()
            self.show_message(messages.describe_tally(tried, found_count))

    # --- the filter that is typed -----------------------------------------------------------

    def _on_filter_typed(self, mistake: Problem | None) -> None:
        """Tell of a mistake in the filter that is typed; None: it has none, or none so far."""
        self._is_mistaken = mistake is not None
        self._dim_maps()
        self._status.offer_fix(None)  # that of the mistake before
        if mistake is None:
            self._report_typed_filter()
        else:
            self.show_message(messages.describe_mistake(mistake))

    def _report_typed_filter(self) -> None:
        """Tell whether maps are looked for with the filter that is typed, which has no mistake."""
        filter_line = self._form.filter
        why_slow = filter_line.cost()
        shown = self._shown
        if why_slow:
            self.show_message(GalleryMessage(f"{why_slow}. Press Enter to look for such maps."))
        elif filter_line.text() != self._form.condition:
            self._status.message.setText(TYPING)  # the list and More stay as they are meanwhile
        elif shown is not None and shown.ended is not None:
            # The user is back at the filter whose maps are shown.
            self.show_message(self._message_on_end(shown.ended))

    def _dim_maps(self) -> None:
        """Dim the maps that are shown if they are not those that the filter asks for."""
        shows_former_maps = self._shown is not None and self._shown.shows_former_maps
        self._maps.view.set_dimmed(self._is_mistaken or shows_former_maps)

    # --- order ------------------------------------------------------------------------------

    def sort(self) -> None:
        """Sort the maps by the chosen measure, or by number if none is chosen or none fits.

        Values that are not known yet are computed first: ``_on_values_known`` sorts by them.
        """
        measure = self._form.sorting.measure
        if measure is None or not self._maps.can_measure(measure):
            self._maps.model.sort_by(None)
        elif self._maps.is_measured(measure):
            self._maps.model.sort_by(measure)
        else:
            self.search.measure(measure, self._maps.candidates)

    def _on_values_known(self, measure: Measure) -> None:
        """Sort by a measure whose values are known now, if it is still the chosen one."""
        if measure is self._form.sorting.measure:
            self._maps.model.sort_by(measure)

    def _on_measuring_failed(self, problems: Sequence[Problem]) -> None:
        """Tell why the maps, which stay as they are, cannot be sorted."""
        self.show_message(GalleryMessage(problems[0].message))

    def shows_maps_on(self, base: Base) -> bool:
        """Return whether maps are shown that have the grid of a base."""
        return self._shown is not None and self._shown.base.grid is base.grid
