"""The stroke under way on a map: edits that are applied already, and become one undo step.

``MapDocument`` has one ``Stroke`` from ``begin_stroke`` to ``end_stroke`` or ``cancel_stroke``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from randomizer.model.edits.edit import Edit


@dataclass
class Stroke:
    """A change of the current map that grows while the mouse is dragged."""

    text: str
    """What is done, for the text of the undo step: ``hand.step_texts`` adds where."""

    active_layer_id: int
    """The layer that was active when it began: undo makes it the active one again."""

    is_preview: bool
    """True if it shows what could be done: it will be cancelled, and nothing waits for its end."""

    edits: list[Edit] = field(default_factory=list)
    """The edits, in the order in which they were applied."""
