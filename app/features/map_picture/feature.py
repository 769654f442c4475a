"""Pictures below the grid: read from files, decoded, changed by undo steps, and traced.

``MapPictures`` does all of this for the current map. A picture is decoded as a job whenever another
map becomes current (``_decode``), since a map has only its bytes.

*Tracing* finds out from the picture which terrain each cell has. It is a long job (``trace``); the
desk can be used meanwhile, and the result is put into its own map as soon as that is possible
(``_put_result``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.background.actions import result
from app.background.jobs import Job
from app.background.latest_job import LatestJob
from app.commands.commands import Command
from app.desk.desk import Desk
from app.qt_guard import connect, later
from app.render.pictures.picture_files import picture_of_file
from app.render.pictures.picture_levels import PictureLevels
from app.widgets.dialogs.files import choose_file
from app.widgets.dialogs.problem_dialog import show_problems, tell_problems
from randomizer.model.basics.plurals import counted, many
from randomizer.model.basics.texts import clean_line
from randomizer.model.edits.edit import Region
from randomizer.model.edits.value_edits import compound
from randomizer.model.grid.cell_words import cell_text, cell_words
from randomizer.model.hand.targets import why_not_into
from randomizer.model.map.layer import Layer
from randomizer.model.map_picture import (
    RECORD,
    MapPicture,
    covering,
    picture_of,
    set_picture,
    suits,
)
from randomizer.model.problems import Problem
from randomizer.model.records.assets import LARGEST_PICTURE, asset_digest
from randomizer.reading.files import read_file

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from app.paper.tracing import TracedPicture

FILTER = "Pictures (*.png *.jpg *.jpeg *.webp *.svg);;All files (*)"
"""The lines of the dialog for files, as Qt's file dialog takes them."""

STROKE_POLL_MS = 40
"""The milliseconds until a finished tracing checks again whether a stroke has ended."""


@dataclass
class _Tracing:
    """The tracing of one map's picture, from its beginning until its result is in the map."""

    open_map: OpenMap

    picture: MapPicture
    """The picture as it was when the tracing began."""

    result: TracedPicture | None = None
    """The result; None while the job is under way."""


class MapPictures(QObject):
    """The picture of the current map, and the tracing of one map's picture."""

    changed = Signal()
    """``picture`` or ``busy`` has changed."""

    progressed = Signal(int)
    """The progress of the tracing, 1 to 100."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._document = desk.document
        self._levels: PictureLevels | None = None
        """The decoded picture that is drawn; None if none is."""
        self._decode_job = LatestJob(self)
        """Decodes the picture of the current map."""
        self._trace_job = LatestJob(self)
        """Traces the picture of ``_tracing``."""
        self._tracing: _Tracing | None = None
        """The tracing that is under way, or whose result waits; None for none."""
        connect(self._trace_job.progressed, self.progressed)
        connect(self._trace_job.busy_changed, lambda _busy: self._tell_changed())
        connect(self._document.changed, self._on_changed)
        connect(self._document.map_replaced, self._on_map_replaced)
        connect(self._document.maps_changed, self._on_maps_changed)
        self._decode()

    @property
    def picture(self) -> MapPicture | None:
        """The picture of the current map, None without one."""
        return picture_of(self._document.battlemap.records)

    @property
    def busy(self) -> bool:
        """True if a picture is being traced."""
        return self._trace_job.busy

    def _tell_changed(self) -> None:
        """Tell the panel and the command that tracing has begun or ended."""
        self.changed.emit()
        self._desk.commands.refresh()

    def _on_changed(self, region: Region) -> None:
        """Decode another picture; end the tracing if its result would not fit any more."""
        if RECORD in region.records:
            self._decode()
        tracing = self._tracing
        if tracing is None or tracing.open_map is not self._document.current_map:
            return
        picture = self.picture
        is_laid_alike = picture is not None and _is_laid_alike(picture, tracing.picture)
        if region.reshaped or region.terrain_set or not is_laid_alike:
            self.cancel()
            self._desk.say("The map or its picture is another now: no terrains are taken.")

    def _on_maps_changed(self) -> None:
        """End the tracing of a map that was closed."""
        if self._tracing is not None and self._tracing.open_map not in self._document.maps:
            self.cancel()

    def _on_map_replaced(self) -> None:
        """Show the picture of the map that is current now, and put in the result for it."""
        self._decode()
        self._put_result()

    # --- what is seen -----------------------------------------------------------------------

    def _decode(self) -> None:
        """Show the picture of the current map, once it is decoded."""
        digest = ""
        if self.picture is not None:
            digest = self.picture.asset
        data = self._document.battlemap.assets.get(digest)
        if data is None:
            self._decode_job.cancel()
            self._draw_picture(None)
        elif self._levels is None or self._levels.digest != digest:
            work = partial(PictureLevels.of, digest, data)
            self._decode_job.run(lambda *_: work(), self._draw_picture, self._tell_not_shown)
        else:
            # The picture is seen already. Another one, of a map that was current for a moment, may
            # still be on its way.
            self._decode_job.cancel()
        self.changed.emit()

    def _draw_picture(self, levels: PictureLevels | None) -> None:
        """Draw a decoded picture on the canvas, None for none."""
        if levels is not self._levels:
            self._levels = levels
            self._desk.renderer.show_picture(levels)
            self._desk.canvas.update()

    def _tell_not_shown(self, problems: tuple[Problem, ...]) -> None:
        """Say why the picture cannot be decoded."""
        self._desk.say(f"The picture is not shown: {problems[0].message}.")

    # --- changing ---------------------------------------------------------------------------

    async def ask_for_file(self) -> None:
        """Ask for a file and lay its picture under the current map."""
        open_map = self._document.current_map
        last_directory = self._desk.settings.last_directory
        choice = choose_file(self._desk.frame, "A picture under the map", last_directory, FILTER)
        path = await self._document.while_open(open_map, choice)
        if path is not None:
            self._desk.settings.last_directory = str(path.parent)
            await self.lay_file(open_map, path)

    async def lay_file(self, open_map: OpenMap, path: Path) -> None:
        """Read and decode a file, and lay its picture under a map; tell why if that fails.

        The picture covers the map, unless this program has exported it from such a map.
        """

        def work(_progress: object, _cancelled: object) -> tuple[bytes, PictureLevels]:
            data = picture_of_file(read_file(path, LARGEST_PICTURE))
            return data, PictureLevels.of(asset_digest(data), data)

        with tell_problems(self._desk.frame, f"Cannot use {path.name}"):
            data, levels = await self._document.while_open(open_map, result(Job(work)))
        self._document.make_current(open_map)
        self._lay_picture(path.name, data, levels)

    def _lay_picture(self, name: str, data: bytes, levels: PictureLevels) -> None:
        """Lay a decoded picture, whose bytes are ``data``, under the current map."""
        from randomizer.tracing.alignment import own_placement

        # A picture that this program has exported of such a map lies exactly below its cells.
        grid = self._document.battlemap.grid
        exported_placement = own_placement(*levels.size, grid)
        if exported_placement is None:
            placement = covering(levels.size, grid)
        else:
            placement = exported_placement.values
        picture = MapPicture(levels.digest, clean_line(name), levels.size, placement)
        self._document.add_assets({levels.digest: data})
        self._decode_job.cancel()
        self._draw_picture(levels)
        if not self.push(picture, "Lay a picture"):
            self._decode()  # the step was refused: the picture of the map, if any, is seen again

    def push(self, picture: MapPicture | None, text: str) -> bool:
        """Change the picture, or with None remove it, by an undo step called ``text``.

        Returns whether anything has changed.
        """
        return self._document.push(set_picture(self._document.battlemap, picture), text)

    # --- tracing ----------------------------------------------------------------------------

    def why_not_trace(self) -> str:
        """Return why no terrains can be taken from the picture now, as text; "" if they can."""
        from randomizer.tracing.trace import MOST_CELLS

        battlemap = self._document.battlemap
        picture = self.picture
        if picture is None:
            return "The map has no picture."
        if picture.asset not in battlemap.assets:
            return "The picture was lost: open it again."
        if battlemap.grid.size > MOST_CELLS:
            text = f"The map has more than {MOST_CELLS:,} {{cells}}."
            return cell_text(text, battlemap.grid.layout)
        if self._tracing is not None:
            return "Terrains are being taken already."
        return ""

    def trace(self) -> None:
        """Begin to take the terrains of all cells that have none, or were traced before."""
        from app.paper.steps import as_work
        from app.paper.tracing import trace_picture, traced_layer
        from randomizer.tracing.placement import Placement

        picture = self.picture
        why_not = self.why_not_trace()
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
        placement: Placement | None = None  # to be found
        if picture.placed:
            placement = Placement(*picture.placement)

        self._tracing = _Tracing(self._document.current_map, picture)
        steps = trace_picture(snapshot.assets[picture.asset], painted_map, placement)
        self._trace_job.run(as_work(steps), self._on_traced, self._on_failed)

    def cancel(self) -> None:
        """End the tracing without a result, or drop the result that waits."""
        self._tracing = None
        self._trace_job.cancel()
        self._tell_changed()

    def _on_failed(self, problems: tuple[Problem, ...]) -> None:
        """Tell why nothing can be traced."""
        self.cancel()
        show_problems(self._desk.frame, "No terrains can be taken from the picture", problems)

    def _on_traced(self, result: TracedPicture) -> None:
        """Note the result, and put it in if that can be done now."""
        assert self._tracing is not None, "a job that was cancelled has no result"
        self._tracing.result = result
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
        picture = self.picture
        if tracing is None or tracing.open_map is not document.current_map:
            return
        traced = tracing.result
        if traced is None or picture is None:
            return
        if document.in_stroke:
            later(self, self._put_result, STROKE_POLL_MS)
            return
        self.cancel()  # the tracing is over
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


def make(desk: Desk) -> None:
    """Show the pictures of maps, and add the command that takes terrains from them."""
    pictures = MapPictures(desk)
    desk.commands.add(
        [
            Command(
                "map.take-terrains",
                "Take terrains &from the picture",
                pictures.trace,
                "Give every {cell} without a terrain the one that it looks like",
                why_not=pictures.why_not_trace,
                offered=lambda: suits(desk.document.battlemap.system),
                words="trace scan photograph image recognise import",
            )
        ]
    )
