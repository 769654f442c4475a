"""The view of a map, its scale and offset, as a project file stores it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from randomizer.model.grid.grid import FAR

if TYPE_CHECKING:
    from app.render.viewport import Viewport


def stored_viewport(viewport: Viewport | None) -> dict[str, object]:
    """Return a view as a project file stores it; {} for a fitted one."""
    if viewport is None:
        return {}
    return {"scale": viewport.scale, "dx": viewport.dx, "dy": viewport.dy}


def viewport_of(stored: Mapping[str, object]) -> Viewport | None:
    """Return the view that a project file has stored.

    None, for a map that is fitted into the window, if there is none or it is out of range.
    """
    from app.render.viewport import MAX_SCALE, MIN_SCALE, Viewport

    numbers = []
    for name in ("scale", "dx", "dy"):
        value = stored.get(name)
        # ``abs(nan) < FAR`` is False: so NaN is refused, too.
        if not isinstance(value, float | int) or not abs(value) < FAR:
            return None
        numbers.append(float(value))
    scale, dx, dy = numbers
    if not MIN_SCALE <= scale <= MAX_SCALE:
        return None
    return Viewport(scale, dx, dy)
