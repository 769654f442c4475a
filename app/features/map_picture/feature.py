"""Pictures below the grid: taken in, decoded, changed by undo steps, and traced."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.background.actions import result, run
from app.background.jobs import Job
from app.background.latest_job import LatestJob
from app.commands.commands import Command
from app.desk.desk import Desk
from app.qt_guard import connect, later
from app.render.pictures.own_pictures import picture_of_file
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

WAIT_MS = 40
"""How long a finished tracing waits before it asks again whether a stroke has ended."""


class MapPictures(QObject):
    """The picture of the current map. ``changed()``: it, or ``busy``, is another now.

    ``progressed(int)``: percents of the tracing. What was traced while another map was current is
    put in when its own map is current again.
    """

    changed = Signal()
    progressed = Signal(int)

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._document = desk.document
        self._levels: PictureLevels | None = None
        self._decoding = LatestJob(self)
        self._job = LatestJob(self)
        self._traced_map: OpenMap | None = None
        self._traced_picture: MapPicture | None = None
        self._traced: TracedPicture | None = None
        connect(self._job.progressed, self.progressed)
        connect(self._job.busy_changed, lambda _busy: self._tell())
        connect(self._document.changed, self._on_changed)
        connect(self._document.map_replaced, self._on_map_replaced)
        connect(self._document.maps_changed, self._forget_closed)
        self._decode()

    @property
    def picture(self) -> MapPicture | None:
        """The picture of the current map, None without one."""
        return picture_of(self._document.battlemap.records)

    @property
    def busy(self) -> bool:
        """True if a picture is being traced."""
        return self._job.busy

    def _tell(self) -> None:
        self.changed.emit()
        self._desk.commands.refresh()

    def _on_changed(self, region: Region) -> None:
        if RECORD in region.records:
            self._decode()
        if self._traced_map is not self._document.current_map or self._traced_picture is None:
            return
        same = self.picture is not None and self.picture[:4] == self._traced_picture[:4]
        if region.reshaped or region.terrain_set or not same:
            self.cancel()
            self._desk.say("The map or its picture is another now: no terrains are taken.")

    def _forget_closed(self) -> None:
        if self._traced_map not in (None, *self._document.maps):
            self.cancel()

    def _on_map_replaced(self) -> None:
        self._decode()
        self._put()

    # --- what is seen -----------------------------------------------------------------------

    def _decode(self) -> None:
        """Show the picture of the current map, once it is decoded."""
        picture = self.picture
        digest = "" if picture is None else picture.asset
        data = self._document.battlemap.assets.get(digest)
        if data is None:
            self._decoding.cancel()
            self._show(None)
        elif self._levels is None or self._levels.digest != digest:
            work = partial(PictureLevels.of, digest, data)
            self._decoding.run(lambda *_: work(), self._show, self._refuse)
        self.changed.emit()

    def _show(self, levels: PictureLevels | None) -> None:
        if levels is not self._levels:
            self._levels = levels
            self._desk.renderer.show_picture(levels)
            self._desk.canvas.update()

    def _refuse(self, problems: tuple[Problem, ...]) -> None:
        self._desk.say(f"The picture is not shown: {problems[0].message}.")

    # --- changing ---------------------------------------------------------------------------

    async def ask(self) -> None:
        """Ask for a file and lay its picture under the map."""
        open_map = self._document.current_map
        last = self._desk.settings.last_directory
        choice = choose_file(self._desk.frame, "A picture under the map", last, FILTER)
        path = await self._document.while_open(open_map, choice)
        if path is not None:
            self._desk.settings.last_directory = str(path.parent)
            await self._take(open_map, path)

    def take(self, path: Path) -> None:
        """Lay the picture of a file under the current map, so that it covers it."""
        run(self._take(self._document.current_map, path))

    async def _take(self, open_map: OpenMap, path: Path) -> None:

        def work(_progress: object, _cancelled: object) -> tuple[bytes, PictureLevels]:
            data = picture_of_file(read_file(path, LARGEST_PICTURE))
            return data, PictureLevels.of(asset_digest(data), data)

        with tell_problems(self._desk.frame, f"Cannot use {path.name}"):
            read = await self._document.while_open(open_map, result(Job(work)))
        data, levels = read
        self._document.make_current(open_map)
        self._lay(path.name, data, levels)

    def _lay(self, name: str, data: bytes, levels: PictureLevels) -> None:
        """Lay a picture under the current map."""
        from randomizer.tracing.alignment import own_placement

        grid = self._document.battlemap.grid
        own_size = own_placement(*levels.size, grid)
        if own_size is None:
            placement = covering(levels.size, grid)
        else:
            placement = own_size.values
        picture = MapPicture(levels.digest, clean_line(name), levels.size, placement)
        self._document.add_assets({levels.digest: data})
        self._decoding.cancel()
        self._show(levels)
        self.push(picture, "Lay a picture")

    def push(self, picture: MapPicture | None, text: str) -> bool:
        """Lay the picture so by one undo step, or (None) take it away; whether that is done."""
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
        return "Terrains are being taken already." if self._traced_map else ""

    def trace(self) -> None:
        """Take the terrains of all cells that have none, or were traced before, on a thread."""
        from app.paper.steps import as_work
        from app.paper.tracing import trace_picture, traced_layer
        from randomizer.tracing.placement import Placement

        picture = self.picture
        why_not = self.why_not_trace()
        still = self._document.battlemap.snapshot()
        former = traced_layer(still)
        if not why_not and former is not None and former.locked:
            why_not = why_not_into(former)
        if why_not or picture is None:
            self._document.refuse(why_not)
            return
        painted = [layer for layer in still.layers if layer is not former]
        learned = replace(still, layers=painted or [Layer(still.free_layer_id(), "")])
        if picture.placed:
            placement = Placement(*picture.placement)
        else:
            placement = None
        self._traced_map = self._document.current_map
        self._traced_picture = picture
        steps = trace_picture(still.assets[picture.asset], learned, placement)
        self._job.run(as_work(steps), self._finish, self._fail)

    def cancel(self) -> None:
        """Take no terrains after all."""
        self._traced_map = self._traced_picture = self._traced = None
        self._job.cancel()
        self._tell()

    def _fail(self, problems: tuple[Problem, ...]) -> None:
        self.cancel()
        show_problems(self._desk.frame, "No terrains can be taken from the picture", problems)

    def _finish(self, traced: TracedPicture) -> None:
        self._traced = traced
        if self._traced_map is not self._document.current_map:
            self._desk.say("What was taken from a picture is put in when its map is current again.")
        self._put()

    def _put(self) -> None:
        """Put what was traced into its map, as soon as that is current and no stroke under way."""
        document = self._document
        traced = self._traced
        picture = self.picture
        if traced is None or picture is None or document.current_map is not self._traced_map:
            return
        if document.in_stroke:
            later(self, self._put, WAIT_MS)
            return
        self.cancel()
        words = cell_words(document.battlemap.grid.layout)
        if not len(traced.cells):
            self._desk.say(f"Every {words.cell} is painted already.")
            return
        placed = picture._replace(placement=traced.placement.values, placed=True)
        lay = set_picture(document.battlemap, placed)
        # Not above: a map that nobody traces does without tracing and paper (85 ms).
        from app.paper.tracing import put_traced

        put = put_traced(document.battlemap, traced)
        if not document.push(compound([put, lay]), "Take terrains from the picture"):
            return
        document.select(traced.doubtful)
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
        self._desk.say(message, lasting=True)


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
