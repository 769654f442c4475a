"""The base class of all tools.

``app.canvas.active_tool.ActiveTool`` is what calls a tool. Read the docstring of ``Tool`` first: it
tells the calls of one stroke. A small tool to read next is ``app.tools.picking``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from app.tools.preview import Preview
from randomizer.model.basics.plurals import with_article
from randomizer.model.edits.edit import Edit
from randomizer.model.hand import targets
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import PlaneRole, PlaneSpec
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions
    from app.tools.pointer import Pointer


class Stop(NamedTuple):
    """A point of a cell at which the keyboard can point."""

    x: float
    """How far it lies to the right, in map units."""

    y: float
    """How far it lies down, in map units."""

    text: str
    """What is there, for a screen reader."""


ROLE_WORDS = {
    PlaneRole.TERRAIN: "terrains",
    PlaneRole.HEIGHT: "elevations",
    PlaneRole.HEXSIDE: "hexsides",
}
"""The nouns for what the planes of each role hold, as the user reads them."""


class Tool:
    """A tool makes edits of what is pointed at; it never changes the map itself.

    A *stroke* is what a tool does from the press of a button to its release: one undo step. Its
    calls, by ``app.canvas.active_tool``::

        tool.start(document, pointer)    # where the button is pressed
        tool.edit(document, pointer)     # there, and for each new ``touch_key`` on the way
        tool.finish(document, pointer)   # where the button is released
        tool.forget()                    # at the end, and also when the stroke is taken back

    Each edit is applied before the next call. If the drag crosses the edge of the map, ``leave`` is
    called where it goes out, and ``resume_at_edge`` before the ``edit`` where it comes in again. A
    drag that begins outside the map (``may_begin_outside``) has ``start_at_edge`` in place of
    ``start``.
    ``preview`` may be called at any time.
    """

    name: ClassVar[str] = ""
    """The name by which programs and settings know the tool; unique."""

    title: ClassVar[str] = ""
    """What the user reads as its name: a template for ``cell_text``, which replaces ``{cell}`` by
    "hex" or "square"."""

    words: ClassVar[str] = ""
    """Words besides the title by which a person would look for the tool."""

    icon: ClassVar[str] = ""
    """The name of its icon."""

    shortcut: ClassVar[str] = ""
    """The key that chooses it; "" for none."""

    tip: ClassVar[str] = ""
    """One or two sentences about what it does, a template for ``cell_text``."""

    text: ClassVar[str] = ""
    """The name of its undo steps, a template for ``cell_text``."""

    needs: ClassVar[PlaneRole | None] = None
    """The role of the plane that it paints or looks at, None if it needs none."""

    uses: ClassVar[frozenset[str]] = frozenset()
    """The groups of ``ToolOptions`` that matter to it: the bar of tool options shows these."""

    pans: ClassVar[bool] = False
    """True if a drag moves the view."""

    changes_planes: ClassVar[bool] = True
    """True if it changes the planes of layers, so that a locked layer stops it."""

    erases: ClassVar[bool] = False
    """True if it paints by making layers set a cell or side no more."""

    is_eyedropper_with_ctrl: ClassVar[bool] = True
    """True if it acts as the eyedropper while Ctrl or Alt is held."""

    drags_between_cells: ClassVar[bool] = False
    """True if its strokes are drags from one cell to another.

    By the keyboard one press of Enter then begins a stroke, and the next one ends it.
    """

    escape_puts_away: ClassVar[bool] = False
    """True if Escape puts the tool away and chooses the previous one."""

    keeps_preview: ClassVar[bool] = False
    """True if its preview remains after a stroke, and while nothing is pointed at."""

    needs_exact_point: ClassVar[bool] = False
    """True if its preview depends on the exact point, not on cell, side and corner alone."""

    finds_way_between: ClassVar[bool] = False
    """True if it finds by itself what lies between two pointers of a drag."""

    shows_contours: ClassVar[bool] = False
    """True if contour lines are drawn while it is chosen: it shapes heights at corners."""

    names_on_double_click: ClassVar[bool] = False
    """True if a double click is about what its first click has done, and is no second click."""

    may_begin_outside: ClassVar[bool] = False
    """True if a drag can begin outside the map: the stroke begins where it comes in."""

    repeat_ms: ClassVar[int] = 0
    """The interval of calls of ``repeat`` while the mouse is held still, in ms; 0 for none."""

    first_radius: ClassVar[int] = 0
    """The radius of its brush until the user chooses one.

    Tools with the same number share the radius that is chosen later.
    """

    panel: ClassVar[str] = ""
    """The name of the panel in which is chosen what it paints: it comes with the tool."""

    def __init__(self, options: ToolOptions) -> None:
        self.options = options

    def suits(self, system: System) -> bool:
        """Return whether the tool is offered for maps of a system at all."""
        return True

    def first_radius_on(self, system: System) -> int:
        """Return ``first_radius`` on maps of a system."""
        return self.first_radius

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
        if self.needs is None or system.plane_with_role(self.needs) is not None:
            return ""
        return ROLE_WORDS[self.needs]

    def stops(self, battlemap: BattleMap, cell: int) -> tuple[Stop, ...]:
        """Return the points of a cell at which the keyboard can point.

        () lets it point at the cell's sides.
        """
        return ()

    def plane(self, system: System) -> PlaneSpec:
        """Return the plane with the role that the tool ``needs``.

        Raises ValueError if the system has none, or the tool needs none.
        """
        if self.needs is None:
            spec = None
        else:
            spec = system.plane_with_role(self.needs)
        if spec is None:
            raise ValueError(self.why_not(system) or f"{self.name} looks at no plane")
        return spec

    def why_not_here(self, document: MapDocument) -> str:
        """Return the reason why no stroke can begin now, as text; "" if one can."""
        return self.why_layer_refuses(document)

    def why_layer_refuses(self, document: MapDocument) -> str:
        """Return why it can change nothing with this layer active, as text; "" if it can."""
        if not self.changes_planes:
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
        """Return the name of the undo step of the stroke under way, as ``text``."""
        return self.text

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        """Begin a stroke at ``pointer``."""

    def start_at_edge(self, document: MapDocument, pointer: Pointer) -> None:
        """Begin a stroke at ``pointer``, where a drag comes in that began outside the map."""
        self.start(document, pointer)
        self.resume_at_edge()

    def large_work(
        self, document: MapDocument, pointer: Pointer
    ) -> Callable[[], Edit | None] | None:
        """Return a function that computes the edit of a click here, to be run on another thread.

        None if ``edit`` is quick enough for the thread of the window. Such a click makes an undo
        step of its own, without a stroke. The function may read the map but not change it.
        """
        return None

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return a key of what is touched here, such as the cell.

        In a drag ``edit`` is called once for each key: a drag that comes by again changes nothing.
        """
        return (pointer.cell,)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Return the edit for what one point of a drag touches; None for no change."""
        return None

    def resume_at_edge(self) -> None:
        """Begin anew at the next point of the drag, which left the map after the last one."""

    def leave(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Return the edit for a drag that leaves the map at ``pointer``, a point on its edge."""
        return None

    def repeat(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Return the edit for a mouse that is held still here."""
        return None

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Yield the edits for the end of a drag; each is applied before the next is asked for."""
        yield from ()

    def stroke_made(self, document: MapDocument, pointer: Pointer) -> None:
        """Note that the drag has ended, and is the last undo step if it has changed anything."""

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        """Return what a click here, or the end of the drag, would change."""
        return Preview(np.array([pointer.cell], np.intp))

    def preview_at_rest(self, document: MapDocument) -> Preview | None:
        """Return what the tool shows while nothing is pointed at, None for nothing."""
        return None

    def cancel_pending(self) -> bool:
        """Drop what earlier strokes began and the next one would go on with (the key Escape).

        Return False if there was nothing of that, so that Escape does something else.
        """
        return False

    def forget(self) -> None:
        """Drop the state of a stroke that has ended or was taken back."""

    def map_changed(self) -> None:
        """Drop what was computed from the map: it has changed, or another one is current."""
