"""Finding out from the picture under a map which terrain each of its cells has: *tracing*.

``PictureTracing`` does this as a long job. The desk can be used meanwhile; the result is put into
the map that was traced as soon as that map is the current one and no stroke is under way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.background.latest_job import LatestJob
from app.desk.desk import Desk
from app.qt_guard import connect, later
from app.widgets.dialogs.problem_dialog import show_problems
from randomizer.model.basics.plurals import counted, many
from randomizer.model.edits.edit import Region
from randomizer.model.edits.value_edits import compound
from randomizer.model.grid.cell_words import cell_text, cell_words
from randomizer.model.hand.targets import why_not_into
from randomizer.model.map.layer import Layer
from randomizer.model.map_picture import MapPicture, picture_of, set_picture
from randomizer.model.problems import Problem

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from app.paper.tracing import TracedPicture

STROKE_POLL_MS = 40
"""The milliseconds until a finished tracing checks again whether a stroke has ended."""


class TracingState(Enum):
    """How far the tracing is."""

    IDLE = auto()
    """Nothing is traced; a tracing can begin."""

    UNDER_WAY = auto()
    """The job is looking at a picture."""

    WAITING = auto()
    """The job has ended; its result waits until it can be put into its map."""


@dataclass
class _Tracing:
    """The tracing of one map's picture, from its beginning until its result is in the map."""

    open_map: OpenMap

    picture: MapPicture
    """The picture as it was when the tracing began."""

    result: TracedPicture | None = None
    """The result; None while the job is under way."""


class PictureTracing(QObject):
    """Traces the picture of the map that is current when it begins; only one at a time."""

    changed = Signal()
    """``state`` has changed."""

    progressed = Signal(int)
    """The progress of the job, 1 to 100."""

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._document = desk.document
        self._job = LatestJob(self)
        """Traces the picture of ``_tracing``."""
        self._tracing: _Tracing | None = None
        """The tracing that is under way, or whose result waits; None while the state is IDLE."""
        connect(self._job.progressed, self.progressed)
        connect(self._job.busy_changed, lambda _busy: self._tell_changed())
        connect(self._document.changed, self._on_changed)
        connect(self._document.map_replaced, self._put_result)
        connect(self._document.maps_changed, self._on_maps_changed)

    @property
    def state(self) -> TracingState:
        """How far the tracing is."""
        if self._job.busy:
            return TracingState.UNDER_WAY
        if self._tracing is not None:
            return TracingState.WAITING
        return TracingState.IDLE

    @property
    def _picture(self) -> MapPicture | None:
        """The picture of the current map, None without one."""
        return picture_of(self._document.battlemap.records)

    def _tell_changed(self) -> None:
        """Tell the panel and the command that tracing has begun or ended."""
        self.changed.emit()
        self._desk.commands.refresh()

    # --- what others change meanwhile -------------------------------------------------------

    def _on_changed(self, region: Region) -> None:
        """End the tracing if an edit of its map has the effect that no result would fit."""
        tracing = self._tracing
        if tracing is None or tracing.open_map is not self._document.current_map:
            return
        picture = self._picture
        is_laid_alike = picture is not None and _is_laid_alike(picture, tracing.picture)
        if region.reshaped or region.terrain_set or not is_laid_alike:
            self.cancel()
            self._desk.say("The map or its picture is another now: no terrains are taken.")

    def _on_maps_changed(self) -> None:
        """End the tracing of a map that was closed."""
        if self._tracing is not None and self._tracing.open_map not in self._document.maps:
            self.cancel()

    # --- beginning and end ------------------------------------------------------------------

    def why_not(self) -> str:
        """Return why no terrains can be taken from the picture now; "" if they can."""
        from randomizer.tracing.trace import MAX_CELLS

        battlemap = self._document.battlemap
        picture = self._picture
        if picture is None:
            return "The map has no picture."
        if picture.asset not in battlemap.assets:
            return "The picture was lost: open it again."
        if battlemap.grid.size > MAX_CELLS:
            text = f"The map has more than {MAX_CELLS:,} {{cells}}."
            return cell_text(text, battlemap.grid.layout)
        if self._tracing is not None:
            return "Terrains are being taken already."
        return ""

    def begin(self) -> None:
        """Begin to take the terrains of all cells that have none, or were traced before."""
        from app.paper.steps import as_work
        from app.paper.tracing import trace_picture, traced_layer
        from randomizer.tracing.placement import Placement

        picture = self._picture
        why_not = self.why_not()
        snapshot = self._document.battlemap.snapshot()
        former_layer = traced_layer(snapshot)
        if not why_not and former_layer is not None and former_layer.locked:
            why_not = why_not_into(former_layer)
        if why_not or picture is None:
            self._document.refuse(why_not)
            return

        # The tracing learns from the cells that a person has painted. What an earlier one has put
        # in is left out: it is traced again.
        painted_layers = [layer for layer in snapshot.layers if layer is not former_layer]
        if not painted_layers:
            painted_layers = [Layer(snapshot.free_layer_id(), "")]
        painted_map = replace(snapshot, layers=painted_layers)
        placement: Placement | None = None  # it is looked for in the picture
        if picture.placed:
            placement = Placement(*picture.placement)

        self._tracing = _Tracing(self._document.current_map, picture)
        steps = trace_picture(snapshot.assets[picture.asset], painted_map, placement)
        self._job.run(as_work(steps), self._on_traced, self._on_failed)

    def cancel(self) -> None:
        """Stop the job, or drop the result that waits."""
        self._end()

    def _end(self) -> None:
        """Forget the tracing, whether it has succeeded, failed or was cancelled."""
        self._tracing = None
        self._job.cancel()  # does nothing if it has ended
        self._tell_changed()

    def _on_failed(self, problems: tuple[Problem, ...]) -> None:
        """Tell why nothing can be traced."""
        self._end()
        show_problems(self._desk.frame, "No terrains can be taken from the picture", problems)

    def _on_traced(self, traced: TracedPicture) -> None:
        """Note the result, and put it in if that can be done now."""
        assert self._tracing is not None, "a job that was cancelled has no result"
        self._tracing.result = traced
        if self._tracing.open_map is not self._document.current_map:
            self._desk.say("What was taken from a picture is put in when its map is current again.")
        self._put_result()

    def _put_result(self) -> None:
        """Put the result into its map, as soon as that is current and no stroke is under way.

        It is called when the tracing ends, when another map becomes current, and again while a
        stroke lasts.
        """
        document = self._document
        tracing = self._tracing
        picture = self._picture
        if tracing is None or tracing.open_map is not document.current_map:
            return
        traced = tracing.result
        if traced is None or picture is None:
            return
        if document.in_stroke:
            later(self, self._put_result, STROKE_POLL_MS)
            return
        self._end()
        words = cell_words(document.battlemap.grid.layout)
        if not len(traced.cells):
            self._desk.say(f"Every {words.cell} is painted already.")
            return
        # Not at the top: a map that nobody traces does without tracing and paper (85 ms).
        from app.paper.tracing import edit_of_traced

        placed_picture = picture._replace(placement=traced.placement.values, placed=True)
        picture_edit = set_picture(document.battlemap, placed_picture)
        terrain_edit = edit_of_traced(document.battlemap, traced)
        edit = compound([terrain_edit, picture_edit])
        if not document.push(edit, "Take terrains from the picture"):
            return
        document.select(traced.doubtful)
        self._desk.say(self._message_on(traced), lasting=True)

    def _message_on(self, traced: TracedPicture) -> str:
        """Return sentences on how many cells were traced, are doubtful, and lie off the picture."""
        words = cell_words(self._document.battlemap.grid.layout)
        traced_count = len(traced.cells) - len(traced.beyond)
        message = f"Taken from the picture: {counted(traced_count, words.cell, words.cells)}."
        if len(traced.doubtful):
            verb = many(len(traced.doubtful), "is", "are")
            message += (
                f" {len(traced.doubtful):,} {verb} doubtful and selected: F4 goes to the next."
            )
        if len(traced.beyond):
            verb = many(len(traced.beyond), "lies", "lie")
            message += f" {len(traced.beyond):,} {verb} beyond it."
        return message


def _is_laid_alike(picture: MapPicture, traced_picture: MapPicture) -> bool:
    """Return whether both are the same picture at the same position; opacity may differ."""
    return (
        picture.asset == traced_picture.asset
        and picture.name == traced_picture.name
        and picture.size == traced_picture.size
        and picture.placement == traced_picture.placement
    )
