"""What every tool is: a place under the mouse goes in, an edit comes out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from app.tools.places import NO_CELLS, SidePlace
from randomizer.geometry.shapes import Cells

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from app.document.document import MapDocument
    from app.tools.options import ToolOptions
    from app.tools.places import Pointer, Reach
    from randomizer.model.battlemap import BattleMap, System
    from randomizer.model.edit import Edit


@dataclass(frozen=True, eq=False)
class Preview:
    """What a click here would touch. ``terrains`` are codes, one for each of ``cells``, or None.

    ``sides`` come with the hexside code that they would get (None: as they are). Of ``lost`` cells
    a twin lies off the board. ``points`` is a line that is being drawn, in map units. ``words`` is
    what else the user should know.
    """

    cells: Cells = field(default_factory=lambda: NO_CELLS)
    terrains: NDArray[np.integer] | None = None
    sides: tuple[tuple[SidePlace, int | None], ...] = ()
    lost: Cells = field(default_factory=lambda: NO_CELLS)
    points: tuple[tuple[float, float], ...] = ()
    words: str = ""

    @classmethod
    def of(cls, reach: Reach, terrain: int | None = None) -> Preview:
        """The preview of an area that gets one terrain (None: keeps what it has)."""
        terrains = None if terrain is None else np.full(len(reach.cells), terrain)
        return cls(reach.cells, terrains, lost=reach.lost, words=reach.words)


class Tool:
    """One tool. It never changes the map itself.

    It is asked once for every new place that a drag comes over (``place`` tells them apart), its
    ``start`` hears where the drag began, ``finish`` where it ended; after that, or when the drag is
    taken back, comes ``forget``.

    ``text`` names its undo step. ``needs`` is the plane that it paints. ``heeds`` names the options
    that matter to it. ``pans``: a drag moves the view. ``paints``: it writes into the active layer.
    ``picks``: Ctrl or Alt held, it is the eyedropper for a moment. ``spans``: it needs a drag from
    one place to another. ``ends``: Escape puts it away.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    icon: ClassVar[str] = ""
    shortcut: ClassVar[str] = ""
    tip: ClassVar[str] = ""
    text: ClassVar[str] = ""
    needs: ClassVar[str] = ""
    heeds: ClassVar[frozenset[str]] = frozenset()
    pans: ClassVar[bool] = False
    paints: ClassVar[bool] = True
    picks: ClassVar[bool] = True
    spans: ClassVar[bool] = False
    ends: ClassVar[bool] = False

    def __init__(self, options: ToolOptions) -> None:
        self.options = options

    def why_not(self, system: System) -> str:
        """Why maps of a system cannot use the tool, in words; "" if they can."""
        if self.needs and all(spec.name != self.needs for spec in system.planes):
            return f"A {system.title.lower()} has no {self.needs}s."
        return ""

    def why_not_here(self, document: MapDocument) -> str:
        """Why no stroke can begin now, in words; "" if one can."""
        if self.paints and document.active_layer.locked:
            return f"The layer {document.active_layer.name} is locked: unlock it to change it."
        return ""

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        """A drag begins at ``pointer``; nothing to remember for most tools."""

    def place(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """What the tool would touch here: the same place twice in a drag is asked for once."""
        return (pointer.cell,)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """What the tool does at one place of a drag."""
        return None

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """What the tool does where a drag ends; each edit is applied before the next is asked."""
        yield from ()

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        """What a click here, or the end of the drag, would touch."""
        return Preview(np.array([pointer.cell], np.intp))

    def forget(self) -> None:
        """The drag is over, done or taken back."""

    def map_changed(self) -> None:
        """What was remembered of the map does not hold any more."""
