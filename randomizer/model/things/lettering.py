"""The lettering of labels on a map: how large their letters are, in which colours and styles.

A kind of things has a ``Lettering``; a single thing changes it by entries of its state, for which
``LETTERING`` describes a form::

    label = Lettering(size=1.5, colour="#14406b")
    label.with_state({"italic": True, "size": "huge"})    # slanted; what is not valid is ignored
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from randomizer.model.settings.setting import COLOUR, Setting

LARGEST_TEXT = 20
"""The largest size of letters, in cells."""

INKS = (
    ("#1d1a17", "Black"),
    ("#ffffff", "White"),
    ("#5b3a1e", "Brown"),
    ("#8c1c13", "Red"),
    ("#14406b", "Blue"),
    ("#1f4d2b", "Green"),
    ("#53306b", "Purple"),
    ("#6a6f75", "Grey"),
    ("#e8c15a", "Gold"),
)
"""The colours of letters that forms offer; any "#rrggbb" is shown."""

LETTERING = (
    Setting(
        "size",
        float,
        "How high the letters are, in cells; usual: as small as is read at every scale",
        minimum=0,
        maximum=LARGEST_TEXT,
        title="Text size",
        unset="usual",
        decimals=1,
        unit="cells",
    ),
    Setting("colour", str, "The colour of the letters", None, INKS, title="Colour", unset="usual"),
    Setting("halo", str, "The colour around the letters", None, INKS, title="Halo", unset="usual"),
    Setting("italic", bool, "Whether the letters are slanted", title="Italic", unset="as usual"),
    Setting("spaced", bool, "Whether the letters stand apart", title="Spaced", unset="as usual"),
)
"""The settings, for ``ThingKind.settings``, of kinds whose things say how their labels look."""


class Lettering(NamedTuple):
    """The lettering of a label."""

    size: float = 0.0
    """How high the letters are, in cells; 0: as small as is read at every scale."""

    colour: str = ""
    """The colour of the letters, "#rrggbb"; "" for the usual one."""

    halo: str = ""
    """The colour around the letters, "#rrggbb"; "" for the usual one."""

    italic: bool = False
    """True if the letters are slanted."""

    spaced: bool = False
    """True if the letters stand apart."""

    def with_state(self, state: Mapping[str, object]) -> Lettering:
        """Return the lettering, changed by those entries of a thing's state that are valid for it.

        A state can come from a file with anything in it: each entry is checked, others are ignored.
        """
        changes: dict[str, Any] = {}
        size = state.get("size")
        # A bool is an int for Python, but no size. Numbers that are not finite fail the comparison.
        match size:
            case bool():
                pass
            case int() | float() if 0 <= size <= LARGEST_TEXT:
                changes["size"] = float(size)
        for name in ("colour", "halo"):
            colour = state.get(name)
            if isinstance(colour, str) and re.fullmatch(COLOUR, colour):
                changes[name] = colour
        for name in ("italic", "spaced"):
            switch = state.get(name)
            if isinstance(switch, bool):
                changes[name] = switch
        return self._replace(**changes)


USUAL = Lettering()
"""The lettering of a label for which nothing was chosen."""
