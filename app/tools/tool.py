"""The base class of tools, and the preview that they give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from app.tools.pointer import NO_CELLS, CellSide
from randomizer.geometry.distance import Point
from randomizer.geometry.shapes import Cells
from randomizer.model.basics.plurals import with_article
from randomizer.model.edits.edit import Edit
from randomizer.model.hand import targets
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import PlaneRole, PlaneSpec
from randomizer.model.system.system import System
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions
    from app.tools.pointer import Pointer, Reach


@dataclass(frozen=True, eq=False)
class Preview:
    """The change that a click here, or the end of the drag, would make.

    ``cells``: shape (n,), ascending or as stamped. ``terrains``: codes that they would get, shape
    (n,), None if they keep theirs. ``sides``: each with the hexside code that it would get (None:
    it keeps its own). ``corners``: those that it would change, flat, shape (n,). ``circles``: the
    edges of round brushes as (x, y, radius), in map units. ``lost``: cells of which a symmetric
    twin lies outside the map. ``left_out``, ``left_out_sides``, ``left_out_corners``: what stays as
    it is since a locked layer sets it. ``points``: a line that is being drawn, in map units.
    ``lines``: straight lines with dots at their ends, in map units; ``caption``: the text at the
    end of the last one. ``things``: those that would be placed. ``note``: for the user.
    """

    cells: Cells = field(default_factory=lambda: NO_CELLS)
    terrains: NDArray[np.integer] | None = None
    sides: tuple[tuple[CellSide, int | None], ...] = ()
    corners: Cells = field(default_factory=lambda: NO_CELLS)
    circles: tuple[tuple[float, float, float], ...] = ()
    lost: Cells = field(default_factory=lambda: NO_CELLS)
    left_out: Cells = field(default_factory=lambda: NO_CELLS)
    left_out_sides: tuple[CellSide, ...] = ()
    left_out_corners: Cells = field(default_factory=lambda: NO_CELLS)
    points: tuple[tuple[float, float], ...] = ()
    lines: tuple[tuple[Point, Point], ...] = ()
    caption: str = ""
    things: tuple[Thing, ...] = ()
    note: str = ""

    @classmethod
    def of(cls, reach: Reach, terrain: int | None = None) -> Preview:
        """Return the preview of an area that gets one terrain (None: keeps its own)."""
        if terrain is None:
            terrains = None
        else:
            terrains = np.full(len(reach.cells), terrain)
        return cls(reach.cells, terrains, lost=reach.lost, note=reach.note)


ROLE_WORDS = {
    PlaneRole.TERRAIN: "terrains",
    PlaneRole.HEIGHT: "elevations",
    PlaneRole.HEXSIDE: "hexsides",
}
"""What the planes of each role hold, as words for the user."""


class Tool:
    """A tool makes edits of places pointed at; it never changes the map itself.

    The calls of one stroke (``app.canvas.active_tool``): ``start`` where the drag begins; ``edit``
    once for each place that the drag passes, where ``touch_key`` tells which pointers are the same
    place; ``finish`` where the drag ends; then, and also when the stroke is taken back,
    ``forget``. Each edit is applied before the next call. ``preview`` may be called at any time.

    ``text`` names the undo step; ``text``, ``title`` and ``tip`` are templates for ``cell_text``.
    ``needs``: the role of the plane that it paints or looks at, None for none. ``uses``: the names
    of the ``ToolOptions`` that matter to it. ``pans``: a drag moves the view. ``paints``: it
    changes layers. ``erases``: so that they do not set a place any more. ``picks``: with Ctrl or
    Alt held it acts as the eyedropper. ``spans``: it needs a drag from one place to another.
    ``ends``: Escape chooses the tool before. ``stays``: its preview is shown after a stroke, too,
    and while nothing is pointed at (``preview_at_rest``). ``exact``: its preview depends on the
    exact point, not on cell and side alone. ``sweeps``: it finds by itself what lies between two
    pointers.
    ``comes_in``: a drag can begin off the map. ``leave`` is called where a drag leaves the map,
    ``lift`` before the ``edit`` where it comes in. ``repeat_ms``: while the mouse is held still,
    ``repeat`` is called as often; 0: never.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    words: ClassVar[str] = ""
    """Words besides the title by which a person would look for the tool."""
    icon: ClassVar[str] = ""
    shortcut: ClassVar[str] = ""
    tip: ClassVar[str] = ""
    text: ClassVar[str] = ""
    needs: ClassVar[PlaneRole | None] = None
    uses: ClassVar[frozenset[str]] = frozenset()
    pans: ClassVar[bool] = False
    paints: ClassVar[bool] = True
    erases: ClassVar[bool] = False
    picks: ClassVar[bool] = True
    spans: ClassVar[bool] = False
    ends: ClassVar[bool] = False
    stays: ClassVar[bool] = False
    exact: ClassVar[bool] = False
    sweeps: ClassVar[bool] = False
    comes_in: ClassVar[bool] = False
    repeat_ms: ClassVar[int] = 0
    first_radius: ClassVar[int] = 0
    """The radius to begin with; tools with the same one share what is chosen later."""
    panel: ClassVar[str] = ""
    """The name of the panel in which is chosen what it paints: it comes with the tool."""

    def __init__(self, options: ToolOptions) -> None:
        self.options = options

    def suits(self, system: System) -> bool:
        """Return whether the tool is offered for maps of a system at all."""
        return True

    def title_on(self, system: System) -> str:
        """Return what the tool is called on maps of a system."""
        return self.title

    def tip_on(self, system: System) -> str:
        """Return what it does on maps of a system, a template for ``cell_text``."""
        return self.tip

    def why_not(self, system: System) -> str:
        """Return why the tool cannot be used on maps of a system, as text; "" if it can."""
        lacks = self.lacks(system)
        if lacks:
            return f"{with_article(system.noun, 'A')} has no {lacks}."
        return ""

    def lacks(self, system: System) -> str:
        """Return a noun for what the tool needs and maps of a system lack; "" for nothing."""
        if self.needs is None or system.with_role(self.needs) is not None:
            return ""
        return ROLE_WORDS[self.needs]

    def stops(self, battlemap: BattleMap, cell: int) -> tuple[tuple[float, float, str], ...]:
        """Return points of a cell (map units) that the keyboard points at, with what is there in
        words.

        Without any it points at the cell's sides.
        """
        return ()

    def plane(self, system: System) -> PlaneSpec:
        """Return the plane with the role that it ``needs``. Raises ValueError if there is none."""
        if self.needs is None:
            spec = None
        else:
            spec = system.with_role(self.needs)
        if spec is None:
            raise ValueError(self.why_not(system))
        return spec

    def why_not_here(self, document: MapDocument) -> str:
        """Return why no stroke can begin now, as text; "" if one can."""
        return self.why_layer_refuses(document)

    def why_layer_refuses(self, document: MapDocument) -> str:
        """Return why it can change nothing with this layer active, as text; "" if it can."""
        if not self.paints:
            return ""
        battlemap = document.battlemap
        active = document.active_layer_id
        return targets.why_not(battlemap, active, erasing=self.erases)

    def why_nothing(self, document: MapDocument) -> str:
        """Return what to say after a stroke that changed nothing, as text; "" for nothing."""
        return ""

    def result_text(self, document: MapDocument) -> str:
        """Return what to say after a stroke that changed something; "" for nothing."""
        return ""

    def step_text(self) -> str:
        """Return the name of the undo step of the stroke that has begun, a template for
        ``cell_text``.
        """
        return self.text

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        """Begin a stroke at ``pointer``."""

    def large_work(
        self, document: MapDocument, pointer: Pointer
    ) -> Callable[[], Edit | None] | None:
        """Return what gives the edit of a click here, on another thread; None: ``edit`` is quick
        enough.

        Such a click is one undo step of its own, no stroke. The work only reads the map.
        """
        return None

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return a key of the place that is touched here; ``edit`` is called once for each in a
        drag.
        """
        return (pointer.cell,)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Return the edit for one place of a drag."""
        return None

    def lift(self) -> None:
        """The next place of the drag does not continue the way from the last one."""

    def leave(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Return the edit for a drag that leaves the map at ``pointer``, a point of its edge."""
        return None

    def repeat(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Return the edit for a mouse that is held still here."""
        return None

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Yield the edits for the end of a drag; each is applied before the next is asked for."""
        yield from ()

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        """Return what a click here, or the end of the drag, would change."""
        return Preview(np.array([pointer.cell], np.intp))

    def preview_at_rest(self, document: MapDocument) -> Preview | None:
        """Return what the tool shows while nothing is pointed at, None for nothing."""
        return None

    def put_down(self) -> bool:
        """Drop what strokes have begun and the next one would go on with (Escape); False if there
        is nothing of that."""
        return False

    def forget(self) -> None:
        """Drop the state of a stroke that has ended or was taken back."""

    def map_changed(self) -> None:
        """Drop what was computed from the map: it has changed, or another one is current."""
