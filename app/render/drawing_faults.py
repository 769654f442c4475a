"""Parts of a picture: one that cannot be drawn is reported by its name, the others are drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from PySide6.QtGui import QPainter

from app.appearance.painting import saved_state
from app.qt_guard import report_fault
from randomizer.model.map.battlemap import BattleMap


@contextmanager
def picture_part(painter: QPainter, name: str) -> Iterator[None]:
    """Draw a part of the picture, called ``name`` in a message; the painter gets its state back."""
    try:
        with saved_state(painter):
            yield
    except Exception as fault:  # noqa: BLE001 - reported; the rest of the picture is drawn
        fault.add_note(f"{name} cannot be drawn")
        report_fault(fault)


def without_undrawable(
    battlemap: BattleMap, draw: Callable[[BattleMap], object]
) -> BattleMap | None:
    """Return the map without the visible layers that ``draw`` fails on, each of which is reported.

    None if it fails on no layer by itself. The layers are the map's own.
    """
    drawable = []
    for layer in battlemap.layers:
        try:
            if layer.visible:
                draw(replace(battlemap, layers=[layer]))
        except Exception as fault:  # noqa: BLE001 - reported
            fault.add_note(f"The layer {layer.name} cannot be drawn and is left out")
            report_fault(fault)
        else:
            drawable.append(layer)
    if len(drawable) == len(battlemap.layers):
        return None
    return replace(battlemap, layers=drawable)
